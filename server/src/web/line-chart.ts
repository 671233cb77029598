/**
 * A line over time, made on the server, as `bar-chart` makes bars: for who points at it. The numbers themselves stand in a
 * table, which whoever makes the chart puts beside it.
 */
import { type Decimal, decimal, divide, formatDecimal, isLess, times, zero } from '../money/decimal.ts';
import { scaleOf } from './bar-chart.ts';
import { type Html, html } from './html.ts';

export type LinePoint = {
  /** Null: nobody knows. The line has a gap. Nothing below zero is drawn. */
  readonly value: Decimal | null;
  /** What is said where somebody points at it. */
  readonly title: string;
};

const width = 300;
const height = 100;

/** `labels`: under the line, evenly spread, the first one at its beginning. */
export function lineChart({
  points,
  labels,
  scaleText,
}: {
  readonly points: readonly LinePoint[];
  readonly labels: readonly string[];
  readonly scaleText: (value: Decimal) => string;
}): Html {
  const scale = scaleOf(points.map(({ value }) => value ?? zero));
  const top = scale[0] ?? decimal(1);
  const step = width / Math.max(1, points.length - 1);
  const across = (at: number): number => rounded(at * step);
  /** Where what is nearest to a point begins: nothing lies over what stands beside the picture. */
  const from = (at: number): number => rounded(Math.min(width, Math.max(0, (at - 0.5) * step)));
  const up = (value: Decimal): number =>
    isLess(zero, value)
      ? rounded(height - Number(formatDecimal(divide(times(value, decimal(height)), top, 2, 'half-up'))))
      : height;
  return html`<figure class="plot" aria-hidden="true"><ol class="y">${scale.map((each) => html`<li>${scaleText(each)}</li>`)}</ol><svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${scale.map((_, at) => html`<path class="grid" d="M0 ${(at * height) / (scale.length - 1)}H${width}"/>`)}${runsOf(
    points,
  ).map((run) => {
    const line = run.map(({ at, value }) => `${across(at)} ${up(value)}`).join('L');
    const [first, last] = [run[0]?.at ?? 0, run.at(-1)?.at ?? 0];
    // A single known point would be no line at all.
    const end = first === last ? `h${rounded(step / 2)}` : '';
    return html`<path class="area-1" d="M${line}${end}V${height}H${across(first)}z"/><path class="line-1" d="M${line}${end}"/>`;
  })}${points.map(({ title }, at) => html`<g><title>${title}</title><rect x="${from(at)}" width="${rounded(from(at + 1) - from(at))}" height="${height}"/></g>`)}</svg><ol class="x">${labels.map((text) => html`<li>${text}</li>`)}</ol></figure>`;
}

/** Of the picture: no amount is computed with it. */
const rounded = (value: number): number => Math.round(value * 10) / 10;

type Known = { readonly at: number; readonly value: Decimal };

/** Neighbours whose values are known. */
function runsOf(points: readonly LinePoint[]): Known[][] {
  const runs: Known[][] = [];
  let isOpen = false;
  points.forEach(({ value }, at) => {
    if (value === null) isOpen = false;
    else if (isOpen) runs.at(-1)?.push({ at, value });
    else {
      runs.push([{ at, value }]);
      isOpen = true;
    }
  });
  return runs;
}
