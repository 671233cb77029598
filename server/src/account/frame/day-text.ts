/** A day of the account as people read it. */
import type { Period } from '../../reports/report-period.ts';
import { dateFormat } from '../../web/intl-formats.ts';
import type { AccountLook } from './account-look.ts';

type Look = Pick<AccountLook, 'language'>;

const written = ({ language }: Look, day: string, form: Intl.DateTimeFormatOptions): string =>
  dateFormat(language, { ...form, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** `17 Nov 2026` */
export const dayText = (look: Look, day: string): string =>
  written(look, day, { day: 'numeric', month: 'short', year: 'numeric' });

/** `17 Nov` */
export const shortDay = (look: Look, day: string): string => written(look, day, { day: 'numeric', month: 'short' });

/** `Tuesday, 17 November` */
export const longDay = (look: Look, day: string): string =>
  written(look, day, { weekday: 'long', day: 'numeric', month: 'long' });

/** `17 October 2026`, `October 2026`, `Q4 2026`, `2026`. */
export function periodText(look: Pick<AccountLook, 'language' | 'say'>, { kind, name, first }: Period): string {
  const year = first.slice(0, 4);
  if (kind === 'year') return year;
  if (kind === 'quarter') return look.say('quarterOfYear', { quarter: name.slice(-1), year });
  const day = kind === 'day' ? ({ day: 'numeric' } as const) : {};
  return written(look, first, { ...day, month: 'long', year: 'numeric' });
}
