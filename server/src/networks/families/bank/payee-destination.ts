/** What keeps an account from being paid from ours, of what its number, its bank and its holder say together. */
import type { OrderProblem } from '../../port/orders.ts';
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

export const problemAbout = (about: OrderProblem['about'], sentence: string | null): OrderProblem | null =>
  sentence === null ? null : { about, sentence };

export function accountProblem(
  { scheme, currency, payer }: PaymentFrame,
  { account, bic }: BankPayment,
): OrderProblem | null {
  const ofBic = bic === null ? null : bicProblem(bic, 'iban' in account ? account.iban : null);
  if (scheme.kind === 'sepa') {
    if (!('iban' in account)) return problemAbout('account', 'By SEPA only an account with an IBAN can be paid.');
    if (currency.code !== 'EUR') return problemAbout('payment', 'By SEPA only euros can be paid.');
    return (
      problemAbout('account', sepaIbanProblem(account.iban)) ??
      problemAbout('bic', ofBic ?? missingBicProblem(account.iban, bic)) ??
      problemAbout('account', isOwn(payer.iban, account.iban) ? fromItself : null)
    );
  }
  if (bic === null) return problemAbout('bic', 'By SWIFT an account can only be paid with the BIC of its bank.');
  if (!('iban' in account)) return numberProblem(account.number, bic);
  return (
    problemAbout('account', ibanProblem(account.iban)) ??
    problemAbout('bic', ofBic) ??
    problemAbout('account', isOwn(payer.iban, account.iban) ? fromItself : null)
  );
}

const fromItself = 'This is the account that the payment would be made from.';
const isOwn = (one: string, other: string): boolean => plainIban(one) === plainIban(other);

function numberProblem(number: string, bic: string): OrderProblem | null {
  const country = countryOfBic(bic);
  const withIban = hasIbans(country) ? `An account in ${country} has an IBAN: give that instead of its number.` : null;
  return (
    problemAbout('account', accountNumberProblem(number)) ??
    problemAbout('bic', bicProblem(bic, null)) ??
    problemAbout('account', withIban)
  );
}

/**
 * Outside the EEA the payer's address goes with a payment (regulation (EU) 2023/1113), and by SWIFT the payee's too. The payer's
 * is the operator's own, which nobody else can set.
 */
export function addressesProblem(
  { scheme, payer }: PaymentFrame,
  { account, bic, holder }: BankPayment,
): OrderProblem | null {
  const country = 'iban' in account ? countryOfIban(account.iban) : countryOfBic(bic ?? '');
  const isFar = !isInEea(country) || !isInEea(countryOfIban(payer.iban));
  if (isFar && scheme.kind === 'swift' && holder.address === null)
    return {
      about: 'holderAddress',
      sentence: `An account in ${country} can only be paid with the town and country of who holds it.`,
      country,
    };
  if (isFar && payer.address === null) {
    const settings = `${scheme.kind.toUpperCase()}_ACCOUNT_TOWN and ${scheme.kind.toUpperCase()}_ACCOUNT_COUNTRY`;
    const sentence = `An account in ${country} can only be paid once the operator of this service has set its own address: ${settings}.`;
    return { about: 'ownAddress', sentence, country };
  }
  return (
    problemAbout('ownAddress', payer.address && addressProblem(payer.address)) ??
    problemAbout('holderAddress', holder.address && addressProblem(holder.address))
  );
}

export function addressProblem({ town, country }: BankAddress): string | null {
  if (latinText(town, latinLimits.id) === '') return 'An address for banks needs the town, in Latin letters.';
  return isCountry(country) ? null : 'An address for banks needs the country, as a code of two letters.';
}
