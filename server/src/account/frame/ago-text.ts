/** How long ago, or how soon, in words. The exact moment is in the element, for who wants to know. */
import { type Html, html } from '../../web/html.ts';
import { relativeText } from '../../web/intl-formats.ts';
import type { AccountLook } from './account-look.ts';

const steps: readonly [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

export function agoText({ language }: Pick<AccountLook, 'language'>, moment: Date, now: Date): Html {
  const seconds = Math.trunc((moment.getTime() - now.getTime()) / 1000);
  const [unit, size] = steps.find((step) => Math.abs(seconds) >= step[1]) ?? (['second', 1] as const);
  const text = relativeText(language, Math.trunc(seconds / size), unit);
  return html`<time datetime="${moment.toISOString()}">${text}</time>`;
}
