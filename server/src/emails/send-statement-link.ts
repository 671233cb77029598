/** Writes to somebody that the statement of a month is there. What is in it is for who signs in. */
import { readChoices } from '../finding/notification-choices.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { findPerson, findRole } from '../people/person-store.ts';
import { grantOf } from '../people/roles.ts';
import { dateFormat } from '../web/intl-formats.ts';
import { oneLine } from './one-line.ts';
import type { AccountMailDeps } from './send-export-ready.ts';
import { sendLink } from './send-link.ts';

export async function sendStatementLink(
  { db, log, accountUrl, sendEmail }: AccountMailDeps,
  { merchantId, personId, month }: JobCatalog['statement.mail'],
): Promise<void> {
  const [merchant, person, role, choiceOf] = await Promise.all([
    findMerchant(db, merchantId),
    findPerson(db, personId),
    findRole(db, merchantId, personId),
    readChoices(db, merchantId),
  ]);
  if (sendEmail === null || !merchant || !person || !role || grantOf('seeReports', role) === 'no') return;
  if (choiceOf(personId, 'monthlyStatement').choice !== 'atOnce') return;
  const account = oneLine(merchant.name);
  await sendLink({ sendEmail, log, accountUrl }, person, {
    about: ['statement', merchantId, personId, month],
    url: `${accountUrl}/account/reports/statement?period=${month}&account=${merchantId}`,
    write(say, language) {
      const form = dateFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
      const told = { account, month: form.format(new Date(`${month}-01T00:00:00Z`)) };
      return { subject: say('statementSubject', told), sentence: say('statementText', told) };
    },
  });
}
