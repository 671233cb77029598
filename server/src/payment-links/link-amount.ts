/** How much is to be paid, and for which reference: by the link, by the payer, or by a signature. */
import { findCurrency } from '../catalog/currency-catalog.ts';
import { type Encryption, paymentLinkSecretContext } from '../lib/encryption.ts';
import { decimal, formatDecimal, isLess } from '../money/decimal.ts';
import type { PaymentLink } from './payment-link.ts';
import { linkAmountWrong, signatureWrong } from './payment-link-errors.ts';
import { isReference, isSignedAmount } from './payment-link-signature.ts';

/** As it came; empty: nothing did. */
export type SentToLink = { readonly amount: string; readonly reference: string; readonly signature: string };

export type LinkAmount = { readonly amount: string; readonly reference: string | null };

export function readLinkAmount(
  { encryption }: { readonly encryption: Encryption },
  { id, asks, currency }: PaymentLink,
  sent: SentToLink,
): LinkAmount {
  if (asks.kind === 'fixed') return { amount: formatDecimal(asks.amount), reference: null };
  if (asks.kind === 'signed') {
    const secret = encryption.decrypt(asks.secret, paymentLinkSecretContext(id));
    const { amount, reference, signature } = sent;
    if (!isReference(reference) || !isSignedAmount(secret, id, sent, signature)) throw signatureWrong();
    return { amount: readAmount(amount, currency), reference };
  }
  const amount = readAmount(sent.amount.trim().replace(',', '.'), currency);
  const said = decimal(amount);
  if (asks.min && isLess(said, asks.min)) {
    const limit = formatDecimal(asks.min);
    throw linkAmountWrong('link_amount_too_small', `The amount must be at least ${limit} ${currency}.`, limit);
  }
  if (asks.max && isLess(asks.max, said)) {
    const limit = formatDecimal(asks.max);
    throw linkAmountWrong('link_amount_too_large', `The amount must be at most ${limit} ${currency}.`, limit);
  }
  return { amount, reference: null };
}

/** Nothing is rounded: 1.234 is a mistake where a currency has two decimals. */
function readAmount(text: string, currency: string): string {
  const amount = /^\d{1,18}(\.\d{1,18})?$/.test(text) ? decimal(text) : undefined;
  if (!amount || amount.digits <= 0n)
    throw linkAmountWrong('link_amount_unreadable', 'The amount must be a number greater than zero, such as 12.50.');
  const most = findCurrency(currency)?.decimals ?? 0;
  if (amount.scale > most)
    throw linkAmountWrong(
      'link_amount_decimals',
      `An amount in ${currency} has at most ${most} decimals.`,
      String(most),
    );
  return formatDecimal(amount);
}
