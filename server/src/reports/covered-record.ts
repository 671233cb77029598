/** Which days a report is about, as the API and the files say it. */
import type { CoveredRecord } from '@quittance/contract/report-lists';
import { addDays } from '../lib/local-day.ts';
import type { Covered } from './covered-days.ts';

export const coveredRecord = ({ period, from, to, isWhole, timeZone, currency }: Covered): CoveredRecord => ({
  period: period.name,
  from,
  to: addDays(to, -1),
  isComplete: isWhole,
  timeZone,
  accountCurrency: currency,
});
