/**
 * Bars, made on the server: a picture that stretches, with words beside it that keep their size. It is for who points at
 * it; the numbers themselves stand in a table, which whoever makes the chart puts beside it.
 */
import {
  type Decimal,
  decimal,
  divide,
  formatDecimal,
  isLess,
  minus,
  plus,
  power10,
  times,
  toUnits,
  zero,
} from '../money/decimal.ts';
import { type Html, html } from './html.ts';

export type Bar = {
  readonly value: Decimal;
  /** What is said where somebody points at it. */
  readonly title: string;
  readonly href: string;
  /** The one that is spoken of. */
  readonly isMarked?: boolean;
};

const steps = [1, 2, 2.5, 5, 10].map((step) => decimal(step));
const stepsMax = 4;

/** The ends of the scale and what lies between, from the top down: round numbers, at most four steps, never less than one. */
export function scaleOf(values: readonly Decimal[]): Decimal[] {
  const largest = values.reduce((most, value) => (isLess(most, value) ? value : most), zero);
  if (!isLess(zero, largest)) return [decimal(1), zero];
  const whole = toUnits(largest, 0, 'up');
  const quarter = divide(largest, decimal(stepsMax), 24, 'up');
  const magnitude = decimal(power10(Math.max(0, String(whole).length - 2)));
  const step =
    [magnitude, times(magnitude, decimal(10))]
      .flatMap((size) => steps.map((each) => times(each, size)))
      .find((each) => !isLess(each, quarter)) ?? magnitude;
  const ends = [zero];
  while (isLess(ends[0] ?? zero, largest)) ends.unshift(plus(ends[0] ?? zero, step));
  return ends;
}

const height = 100;
const slot = 10;

/** `labels`: under the bars, evenly spread, the first one at the first bar. */
export function barChart(options: {
  readonly bars: readonly Bar[];
  readonly scale: readonly string[];
  readonly top: Decimal;
  readonly labels: readonly string[];
}): Html {
  const { bars, scale, top, labels } = options;
  const steps = scale.length - 1;
  const heightOf = (value: Decimal): Decimal =>
    isLess(zero, value) ? divide(times(value, decimal(height)), top, 2, 'half-up') : zero;
  return html`<figure class="plot" aria-hidden="true"><ol class="y">${scale.map((text) => html`<li>${text}</li>`)}</ol><svg viewBox="0 0 ${bars.length * slot} ${height}" preserveAspectRatio="none">${scale.map((_, at) => html`<path class="grid" d="M0 ${(at * height) / steps}H${bars.length * slot}"/>`)}${bars.map(
    ({ value, title, href, isMarked = false }, at) => {
      const tall = heightOf(value);
      return html`<a href="${href}" tabindex="-1"><g><title>${title}</title><rect x="${at * slot}" width="${slot}" height="${height}"/><rect class="bar-${isMarked ? 1 : 0}" x="${at * slot + 2}" y="${formatDecimal(minus(decimal(height), tall))}" width="${slot - 4}" height="${formatDecimal(tall)}"/></g></a>`;
    },
  )}</svg><ol class="x">${labels.map((text) => html`<li>${text}</li>`)}</ol></figure>`;
}
