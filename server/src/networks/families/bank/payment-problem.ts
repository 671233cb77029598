/** What keeps one payment from being written into a payment file, in one sentence; the rules are SEPA's and ISO 20022's. */
import type { OrderProblem } from '../../port/orders.ts';
import { bicProblem, holderProblem } from './bank-destination.ts';
import { latinLimits } from './latin-text.ts';
import { accountProblem, addressesProblem, problemAbout } from './payee-destination.ts';
import { isRfReference } from './rf-reference.ts';
import type { BankPayment, PaymentFile } from './write-payment-file.ts';

/** The largest amount of SEPA (0.01 to 999,999,999.99), which no bank exceeds for SWIFT in a file either. */
const wholeMost = 999_999_999n;

export type PaymentFrame = Pick<PaymentFile, 'scheme' | 'payer' | 'currency'>;

/** Null: it can be written. */
export function paymentProblem(frame: PaymentFrame, payment: BankPayment): OrderProblem | null {
  return (
    problemAbout('payment', idProblem(payment.id)) ??
    problemAbout('payment', amountProblem(frame.currency, payment.units)) ??
    problemAbout('holderName', holderProblem(payment.holder.name)) ??
    accountProblem(frame, payment) ??
    problemAbout('payment', payment.intermediaryBic === null ? null : bicProblem(payment.intermediaryBic, null)) ??
    addressesProblem(frame, payment) ??
    problemAbout('payment', remittanceProblem(payment))
  );
}

/** Banks take more, but give back only these unchanged. */
export const idProblem = (id: string): string | null =>
  /^[A-Za-z0-9-]+$/.test(id) && id.length <= latinLimits.id
    ? null
    : `An id in a payment file has 1 to ${latinLimits.id} letters, digits and hyphens.`;

export function amountProblem({ code, decimals }: PaymentFile['currency'], units: bigint): string | null {
  const most = (wholeMost + 1n) * 10n ** BigInt(decimals) - 1n;
  return units > 0n && units <= most ? null : `Banks take amounts above zero and below 1,000,000,000 ${code}.`;
}

function remittanceProblem({ remittance }: BankPayment): string | null {
  if (remittance === null || 'text' in remittance) return null;
  return isRfReference(remittance.reference) ? null : 'The reference for the payee is no RF reference, or is misspelt.';
}
