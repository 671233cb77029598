/** A payment at a bank as its statement has it, so that whoever looks for it there finds it. */
import { findNetwork } from '../../catalog/network-catalog.ts';
import type { ShownBooking } from '../../networks/port/known-as.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import type { AccountLook } from './account-look.ts';
import { dayText } from './day-text.ts';

export type BookedPayment = {
  readonly network: string;
  readonly booking: ShownBooking;
  /** What whoever paid was asked to write; null: nobody knows any more. */
  readonly reference: string | null;
  /** What is only announced may never be booked. */
  readonly isBooked: boolean;
};

export function bookingRows(look: AccountLook, { network, booking, reference, isBooked }: BookedPayment): Html | false {
  const { say, language } = look;
  const { knownAs } = findNetwork(network) ?? {};
  const { day, payer, bankReference, endToEndId } = booking;
  const code = (text: string): Html => html`<span class="mono">${text}</span>`;
  // Who paid is who the customer is.
  const from = look.may('seeCustomers')
    ? [payer.name && html`<bdi>${payer.name}</bdi>`, payer.account && code(payer.account)]
    : [];
  const named = from.filter((part) => part !== null && part !== '');
  const rows: (readonly [string, HtmlValue] | false)[] = [
    isBooked && day !== null && [say('bookedOn'), dayText(look, day)],
    named.length > 0 && [say('bookedFrom'), named.map((part, at) => html`${at > 0 && ', '}${part}`)],
    knownAs !== undefined && reference !== null && [knownAs.reference[language], code(reference)],
    bankReference !== null && [say('bankReference'), code(bankReference)],
    knownAs !== undefined && endToEndId !== null && [knownAs.sentName[language], code(endToEndId)],
  ];
  const shown = rows.filter((row) => row !== false);
  return (
    shown.length > 0 &&
    html`<dl class="kv booking">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
  );
}
