/** What keeps one payment from being written into a payment file, in one sentence; the rules are SEPA's and ISO 20022's. */
import { bicProblem, holderProblem, ibanProblem, missingBicProblem, sepaIbanProblem } from './bank-destination.ts';
import { countryOfBic, countryOfIban, isCountry, isInEea, plainIban } from './iban.ts';
import { latinLimits, latinText } from './latin-text.ts';
import { isRfReference } from './rf-reference.ts';
import type { BankAddress, BankPayment, PaymentFile } from './write-payment-file.ts';

/** The largest amount of SEPA (0.01 to 999,999,999.99), which no bank exceeds for SWIFT in a file either. */
const wholeMost = 999_999_999n;

export type PaymentFrame = Pick<PaymentFile, 'scheme' | 'payer' | 'currency'>;

/** Null: it can be written. */
export function paymentProblem(frame: PaymentFrame, payment: BankPayment): string | null {
  return (
    idProblem(payment.id) ??
    amountProblem(frame.currency, payment.units) ??
    holderProblem(payment.holder.name) ??
    accountProblem(frame, payment) ??
    (payment.intermediaryBic === null ? null : bicProblem(payment.intermediaryBic, null)) ??
    addressesProblem(frame, payment) ??
    remittanceProblem(payment)
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

function accountProblem({ scheme, currency, payer }: PaymentFrame, { account, bic }: BankPayment): string | null {
  const ofBic = bic === null ? null : bicProblem(bic, 'iban' in account ? account.iban : null);
  if (scheme.kind === 'sepa') {
    if (!('iban' in account)) return 'By SEPA only an account with an IBAN can be paid.';
    if (currency.code !== 'EUR') return 'By SEPA only euros can be paid.';
    const problem = sepaIbanProblem(account.iban) ?? ofBic ?? missingBicProblem(account.iban, bic);
    return problem ?? (isOwn(payer.iban, account.iban) ? fromItself : null);
  }
  if (bic === null) return 'By SWIFT an account can only be paid with the BIC of its bank.';
  if (!('iban' in account)) return numberProblem(account.number) ?? ofBic;
  const problem = ibanProblem(account.iban) ?? ofBic;
  return problem ?? (isOwn(payer.iban, account.iban) ? fromItself : null);
}

const fromItself = 'This is the account that the payment would be made from.';
const isOwn = (one: string, other: string): boolean => plainIban(one) === plainIban(other);

/** Something that looks like an IBAN is a misspelt one, and must not go out as a number that nobody checks. */
function numberProblem(text: string): string | null {
  const number = plainIban(text);
  if (ibanProblem(number) === null || /^[A-Z]{2}\d{2}[A-Z0-9]{11,}$/.test(number))
    return 'This looks like an IBAN: give it as one, so that it is checked.';
  return /^[A-Z0-9]{1,34}$/.test(number) ? null : 'The number of an account has 1 to 34 letters and digits.';
}

/**
 * Outside the EEA the payer's address goes with a payment (regulation (EU) 2023/1113), and by SWIFT the payee's too. The payer's
 * is the operator's own, so it says so.
 */
function addressesProblem({ scheme, payer }: PaymentFrame, { account, bic, holder }: BankPayment): string | null {
  const country = 'iban' in account ? countryOfIban(account.iban) : countryOfBic(bic ?? '');
  const isFar = !isInEea(country) || !isInEea(countryOfIban(payer.iban));
  if (isFar && payer.address === null)
    return `An account in ${country} can only be paid if the operator has set its own address for bank payments.`;
  if (isFar && scheme.kind === 'swift' && holder.address === null)
    return `An account in ${country} can only be paid with the town and country of who holds it.`;
  return (payer.address && addressProblem(payer.address)) ?? (holder.address && addressProblem(holder.address)) ?? null;
}

export function addressProblem({ town, country }: BankAddress): string | null {
  if (latinText(town, latinLimits.id) === '') return 'An address for banks needs the town, in Latin letters.';
  return isCountry(country) ? null : 'An address for banks needs the country, as a code of two letters.';
}

function remittanceProblem({ remittance }: BankPayment): string | null {
  if (remittance === null || 'text' in remittance) return null;
  return isRfReference(remittance.reference) ? null : 'The reference for the payee is no RF reference, or is misspelt.';
}
