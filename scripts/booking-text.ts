/** By what a payment at a bank is found there. Programs are given what we call it too. */
import { findNetwork } from '@quittance/server/catalog/network-catalog';
import type { ShownBooking } from '@quittance/server/networks/port/known-as';

export const bookingText = (
  { day, bankReference, endToEndId }: ShownBooking,
  reference: string | null = null,
): string =>
  [day === null ? '' : `of ${day}`, reference ?? '', bankReference ?? '', endToEndId ?? '']
    .filter((part) => part !== '')
    .join(' ');

/** What is called by a mark of our own is left out. */
export function withoutOwnMark(why: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { tx, ...rest } = why;
  const isOwn = findNetwork(String(why['network']))?.knownAs !== undefined;
  return isOwn || tx === undefined ? rest : why;
}
