/**
 * Tells those who want to know that the statement of a month is there, once its last day is closed in the time zone of the account:
 * one message to each person for each month, whoever dies and however often days are made anew. Months that were over before
 * somebody chose so are old news.
 */
import type { Db } from '../db/database.ts';
import { readChoices } from '../finding/notification-choices.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import { type Day, startOfDay } from '../lib/local-day.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { membersOf } from '../people/person-store.ts';
import { grantOf } from '../people/roles.ts';
import { closedAfterMs, daySettingsOf, foldedTo, zoneOf } from '../reports/fold-days.ts';
import { type Period, periodAround, periodBefore } from '../reports/report-period.ts';
import type { SendEmail } from './send-email.ts';
import { insertStatementMail } from './statement-mail-store.ts';

/** Longer than any installation is away. */
const monthsMax = 12;

export async function announceStatements(
  { db, clock, sendEmail }: { readonly db: Db; readonly clock: Clock; readonly sendEmail: SendEmail | null },
  { merchantId }: JobCatalog['statement.announce'],
): Promise<void> {
  if (sendEmail === null) return;
  await db.begin(async (tx) => {
    const merchant = await findMerchant(tx, merchantId);
    if (!merchant) return;
    const settings = daySettingsOf(merchant);
    const closedTo = await foldedTo(tx, merchantId, settings);
    if (closedTo === null) return; // Days are being made anew; then this is asked again.
    const [members, choiceOf] = [await membersOf(tx, merchantId), await readChoices(tx, merchantId)];
    const at = clock.now();
    for (const { personId, role } of members) {
      const { choice, chosenAt } = choiceOf(personId, 'monthlyStatement');
      if (choice !== 'atOnce' || chosenAt === null || grantOf('seeReports', role) === 'no') continue;
      for (const { name: month } of monthsClosedAfter(chosenAt, closedTo, zoneOf(settings)))
        if (await insertStatementMail(tx, merchantId, { personId, month, at }))
          await enqueue(tx, [{ name: 'statement.mail', payload: { merchantId, personId, month }, runAt: at }]);
    }
  });
}

/** Oldest first. `closedTo`: the day after the last closed one. */
export function monthsClosedAfter(moment: Date, closedTo: Day, timeZone: string): Period[] {
  const months: Period[] = [];
  let month = periodBefore(periodAround('month', closedTo));
  while (months.length < monthsMax && addMs(startOfDay(timeZone, month.end), closedAfterMs) > moment) {
    months.unshift(month);
    month = periodBefore(month);
  }
  return months;
}
