/** What keeps an account from being paid from ours, of what its number, its bank and its holder say together. */
import {
  accountNumberProblem,
  bicProblem,
  ibanProblem,
  missingBicProblem,
  sepaIbanProblem,
} from './bank-destination.ts';
import { countryOfBic, countryOfIban, hasIbans, isCountry, isInEea, plainIban } from './iban.ts';
import { latinLimits, latinText } from './latin-text.ts';
import type { PaymentFrame } from './payment-problem.ts';
import type { BankAddress, BankPayment } from './write-payment-file.ts';

export function accountProblem(
  { scheme, currency, payer }: PaymentFrame,
  { account, bic }: BankPayment,
): string | null {
  const ofBic = bic === null ? null : bicProblem(bic, 'iban' in account ? account.iban : null);
  if (scheme.kind === 'sepa') {
    if (!('iban' in account)) return 'By SEPA only an account with an IBAN can be paid.';
    if (currency.code !== 'EUR') return 'By SEPA only euros can be paid.';
    const problem = sepaIbanProblem(account.iban) ?? ofBic ?? missingBicProblem(account.iban, bic);
    return problem ?? (isOwn(payer.iban, account.iban) ? fromItself : null);
  }
  if (bic === null) return 'By SWIFT an account can only be paid with the BIC of its bank.';
  if (!('iban' in account)) return numberProblem(account.number, bic);
  const problem = ibanProblem(account.iban) ?? ofBic;
  return problem ?? (isOwn(payer.iban, account.iban) ? fromItself : null);
}

const fromItself = 'This is the account that the payment would be made from.';
const isOwn = (one: string, other: string): boolean => plainIban(one) === plainIban(other);

function numberProblem(number: string, bic: string): string | null {
  const country = countryOfBic(bic);
  return (
    accountNumberProblem(number) ??
    bicProblem(bic, null) ??
    (hasIbans(country) ? `An account in ${country} has an IBAN: give that instead of its number.` : null)
  );
}

/**
 * Outside the EEA the payer's address goes with a payment (regulation (EU) 2023/1113), and by SWIFT the payee's too. The payer's
 * is the operator's own, so it says so.
 */
export function addressesProblem(
  { scheme, payer }: PaymentFrame,
  { account, bic, holder }: BankPayment,
): string | null {
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
