/** A line over time, made on the server, as the bars are: for who points at it, beside a table with the same numbers. */
import { type Decimal, decimal, divide, formatDecimal, isLess, minus, times, zero } from '../money/decimal.ts';
import { type Html, html } from './html.ts';

export type ChartPoint = {
  readonly value: Decimal;
  /** What is said where somebody points at it. */
  readonly title: string;
};

const height = 100;
const step = 10;

/** `labels`: under the line, evenly spread. Nothing below zero is drawn. */
export function lineChart(options: {
  readonly points: readonly ChartPoint[];
  readonly scale: readonly string[];
  readonly top: Decimal;
  readonly labels: readonly string[];
}): Html {
  const { points, scale, top, labels } = options;
  const width = Math.max(1, points.length - 1) * step;
  const yOf = (value: Decimal): string => {
    const tall = isLess(zero, value) ? divide(times(value, decimal(height)), top, 2, 'half-up') : zero;
    return formatDecimal(minus(decimal(height), tall));
  };
  const line = points.map(({ value }, at) => `${at === 0 ? 'M' : 'L'}${at * step} ${yOf(value)}`).join('');
  return html`<figure class="plot" aria-hidden="true"><ol class="y">${scale.map((text) => html`<li>${text}</li>`)}</ol><svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${scale.map((_, at) => html`<path class="grid" d="M0 ${(at * height) / Math.max(1, scale.length - 1)}H${width}"/>`)}<path class="area-1" d="${line}V${height}H0z"/><path class="line-1" d="${line}"/>${points.map(({ title }, at) => html`<g><title>${title}</title><rect x="${at * step - step / 2}" width="${step}" height="${height}"/></g>`)}</svg><ol class="x">${labels.map((text) => html`<li>${text}</li>`)}</ol></figure>`;
}
