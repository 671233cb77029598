/** By what a payment is found at the bank: on which day it was booked, who paid, and how the banks call it. */
import { withoutHidden } from '../../../lib/hidden-characters.ts';
import type { KnownAs } from '../../port/known-as.ts';
import { isOrderId, payoutIdOf } from './bank-orders.ts';
import { payerTexts } from './bank-payer-texts.ts';
import { printedIban } from './iban.ts';
import { idOfRf } from './rf-reference.ts';

export const bankKnownAs: KnownAs = {
  reference: payerTexts.reference,
  sentName: payerTexts.endToEnd,
  booking({ day, payer, bankReference, endToEndId }) {
    const { name, iban, number } = (payer ?? {}) as Readonly<Record<string, unknown>>;
    return {
      day: typeof day === 'string' ? day : null,
      payer: { name: shown(name), account: printed(iban) ?? shown(number) },
      bankReference: shown(bankReference),
      endToEndId: shown(endToEndId),
    };
  },
  // What was booked before a database was restored has no name that anybody knows.
  sent: (txHash) => (isOrderId(txHash) ? txHash : null),
  ownerOf: (name) => idOfRf(name) ?? (isOrderId(name) ? payoutIdOf(name) : null),
};

const printed = (iban: unknown): string | null => (typeof iban === 'string' ? printedIban(iban) : null);

const shown = (told: unknown): string | null => (typeof told === 'string' && withoutHidden(told)) || null;
