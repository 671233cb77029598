/** Writes to who asked for a file that it is ready, if they want to know and may still have it. */
import type { Db } from '../db/database.ts';
import { readChoices } from '../finding/notification-choices.ts';
import { isPersonActor, personIdOf } from '../http/actor.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { findPerson, findRole } from '../people/person-store.ts';
import { grantOf } from '../people/roles.ts';
import { isFetchable } from '../reports/export-file.ts';
import { findExport } from '../reports/export-store.ts';
import { oneLine } from './one-line.ts';
import type { SendEmail } from './send-email.ts';
import { sendLink } from './send-link.ts';

export type AccountMailDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly accountUrl: string;
  /** Null: mail is off. */
  readonly sendEmail: SendEmail | null;
};

export async function sendExportReady(
  { db, clock, log, accountUrl, sendEmail }: AccountMailDeps,
  { merchantId, exportId }: JobCatalog['export.mail'],
): Promise<void> {
  const [merchant, made] = await Promise.all([findMerchant(db, merchantId), findExport(db, merchantId, exportId)]);
  if (sendEmail === null || !merchant || !made || !isPersonActor(made.requestedBy)) return;
  if (!isFetchable(made, clock.now())) return;
  const personId = personIdOf(made.requestedBy);
  const [person, role, choiceOf] = await Promise.all([
    findPerson(db, personId),
    findRole(db, merchantId, personId),
    readChoices(db, merchantId),
  ]);
  if (!person || !role || grantOf('exportReports', role) === 'no') return;
  if (choiceOf(personId, 'exportReady').choice !== 'atOnce') return;
  const account = oneLine(merchant.name);
  await sendLink({ sendEmail, log, accountUrl }, person, {
    about: ['export', merchantId, exportId],
    url: `${accountUrl}/account/reports/exports/${exportId}?account=${merchantId}`,
    write: (say) => ({
      subject: say('exportReadySubject', { account }),
      sentence: say('exportReadyText', { account }),
    }),
  });
}
