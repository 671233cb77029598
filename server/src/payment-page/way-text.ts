/** How long a way takes and what it costs, in words. */

import { priceText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import type { PublicWay, WayCost, WayName } from './public-coins.ts';

/** Within a sentence. */
export const wayName = (language: PageLanguage, name: WayName): string =>
  typeof name === 'string' ? name : name[language];

/** Where it stands alone or first. */
export const wayTitle = (language: PageLanguage, name: WayName): string =>
  capitalised(language, wayName(language, name));

const capitalised = (language: PageLanguage, text: string): string =>
  `${text.slice(0, 1).toLocaleUpperCase(language)}${text.slice(1)}`;

/** "Send only …": French says how much of a thing, other languages only which. `du Bitcoin`, `de l’Ether`. */
export function someOf(language: PageLanguage, coin: string): string {
  if (language !== 'fr') return coin;
  if (coin.endsWith('s')) return `des ${coin}`;
  return /^[aeiouyé]/iu.test(coin) ? `de l’${coin}` : `du ${coin}`;
}

export function durationText({ say }: Pick<PageLook, 'say'>, { from, to }: NonNullable<PublicWay['seconds']>): string {
  if (to <= 90) return say('durationSeconds');
  const [least, most] = [from, to].map((seconds) => Math.max(1, Math.round(seconds / 60))) as [number, number];
  if (most > 90) return say('durationHours', { hours: Math.round(most / 60) });
  return least === most
    ? say('durationMinutes', { minutes: most })
    : say('durationMinutesRange', { from: least, to: most });
}

/** How long a way takes: by its blocks, or in the words of a bank. Null: nobody can say. */
export const timeText = (look: Pick<PageLook, 'say' | 'language'>, { seconds, takes }: PublicWay): string | null =>
  seconds ? durationText(look, seconds) : (takes?.[look.language] ?? null);

export const costText = ({ say, language }: Pick<PageLook, 'say' | 'language'>, cost: WayCost): string =>
  say(cost.isLess ? 'costUnder' : 'costAbout', { amount: priceText(language, cost.amount, cost.currency) });
