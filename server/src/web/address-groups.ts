/** An address as people compare it: in groups of four, of which the first and the last stand out. */
import { type Html, html } from './html.ts';

/** The gaps are made by the stylesheet: what a customer selects and copies is the address without spaces. */
export function inGroupsOfFour(address: string): Html {
  const groups = address.match(/.{1,4}/gsu) ?? [];
  // The last group may be short: then the one before it stands out too.
  const lastEnd = (groups.at(-1)?.length ?? 0) < 4 ? 2 : 1;
  const isEnd = (at: number): boolean => at < 2 || at >= groups.length - lastEnd;
  return html`<span class="groups mono">${groups.map((group, at) => html`<span>${isEnd(at) ? html`<b>${group}</b>` : group}</span><wbr>`)}</span>`;
}
