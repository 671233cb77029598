/** Moments as people read them: in the language of the page and the time zone of the account, by a clock of 24 hours. */
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { type Html, html } from '../../web/html.ts';
import { dateFormat } from '../../web/intl-formats.ts';
import type { AccountLook } from './account-look.ts';

export function momentText({ language, signedIn }: AccountLook, moment: Date): Html {
  const timeZone = timeZoneOf(signedIn?.merchant?.pageSettings ?? {});
  const text = dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone }).format(
    moment,
  );
  return html`<time datetime="${moment.toISOString()}">${text}</time>`;
}
