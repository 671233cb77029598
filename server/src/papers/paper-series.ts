/** In which series a paper is counted, and how its number is printed. */
import { dayOf } from '../lib/local-day.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type NumberedKind, paperPrefix } from '../merchants/paper-prefix.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';

export function seriesOf(merchant: Pick<Merchant, 'pageSettings'>, kind: NumberedKind, at: Date): string {
  const year = dayOf(timeZoneOf(merchant.pageSettings), at).slice(0, 4);
  return paperPrefix(merchant, kind).replaceAll('{year}', year);
}
