/** What is wrong with where money shall go by bank, in one sentence each, as far as the texts alone tell. */
import { ValidationErrorsIBAN, validateBIC, validateIBAN } from 'ibantools';
import { hasHidden } from '../../../lib/hidden-characters.ts';
import { countryOfBic, countryOfIban, isInSepa, looksLikeIban, needsBic, plainIban } from './iban.ts';
import { hasLatinLetters, latinLimits } from './latin-text.ts';

/** Null: it is an IBAN, of whatever country. */
export function ibanProblem(text: string): string | null {
  const iban = plainIban(text);
  if (iban === '') return 'The IBAN is missing.';
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(iban))
    return 'An IBAN is two letters, two digits and up to 30 further letters and digits: this is none.';
  const { errorCodes, valid } = validateIBAN(iban, { allowQRIBAN: false });
  if (valid) return null;
  const has = (code: ValidationErrorsIBAN): boolean => errorCodes.includes(code);
  const country = countryOfIban(iban);
  if (has(ValidationErrorsIBAN.NoIBANCountry)) return `No country has IBANs that begin with ${country}.`;
  if (has(ValidationErrorsIBAN.WrongBBANLength))
    return `An IBAN of ${country} has another length: compare it once more.`;
  if (has(ValidationErrorsIBAN.QRIBANNotAllowed))
    return 'This is a QR-IBAN, which takes only payments with a Swiss QR reference: ask for the ordinary IBAN.';
  if (has(ValidationErrorsIBAN.WrongIBANChecksum))
    return 'The check digits of the IBAN are wrong: a character is misspelt or missing.';
  return `This cannot be an IBAN of ${country}: compare it once more.`;
}

/** Null: it can be paid by SEPA. */
export function sepaIbanProblem(text: string): string | null {
  const problem = ibanProblem(text);
  if (problem !== null || isInSepa(countryOfIban(text))) return problem;
  return `Accounts in ${countryOfIban(text)} cannot be paid by SEPA.`;
}

/** Null: it may be the number of an account in a country without IBANs. */
export function accountNumberProblem(text: string): string | null {
  const number = plainIban(text);
  if (number === '') return 'The number of the account is missing.';
  if (looksLikeIban(number)) return 'This looks like an IBAN: give it as one, so that it is checked.';
  return /^[A-Z0-9]{1,34}$/.test(number) ? null : 'The number of an account has 1 to 34 letters and digits.';
}

/** Null: it can be an account somewhere in the world, by its IBAN or, where there are none, its number. */
export const anyAccountProblem = (text: string): string | null =>
  looksLikeIban(text) ? ibanProblem(text) : accountNumberProblem(text);

/** Null: it is a BIC, and of the IBAN's country if there is one. */
export function bicProblem(text: string, iban: string | null): string | null {
  const bic = plainIban(text);
  if (bic === '') return 'The BIC is missing.';
  if (!/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic) || !validateBIC(bic).valid)
    return 'A BIC is four letters for the bank, two for its country, and two or five further characters: this is none.';
  if (iban !== null && !isOneCountry(countryOfBic(bic), countryOfIban(iban)))
    return `The BIC is of a bank in ${countryOfBic(bic)}, and the IBAN of an account in ${countryOfIban(iban)}.`;
  return null;
}

/** Null: nothing more is needed to pay this account. */
export const missingBicProblem = (iban: string, bic: string | null): string | null =>
  bic === null && needsBic(iban)
    ? `An account in ${countryOfIban(iban)} can only be paid with the BIC of its bank.`
    : null;

/** Islands and territories have BICs of their own and IBANs of the country that they belong to, and some banks the other way. */
const homeOf: Readonly<Record<string, string>> = {
  AX: 'FI',
  BL: 'FR',
  GF: 'FR',
  GG: 'GB',
  GP: 'FR',
  IM: 'GB',
  JE: 'GB',
  MC: 'FR',
  MF: 'FR',
  MQ: 'FR',
  NC: 'FR',
  PF: 'FR',
  PM: 'FR',
  RE: 'FR',
  SM: 'IT',
  TF: 'FR',
  VA: 'IT',
  WF: 'FR',
  YT: 'FR',
};

const isOneCountry = (ofBic: string, ofIban: string): boolean =>
  ofBic === ofIban || (homeOf[ofBic] ?? ofBic) === (homeOf[ofIban] ?? ofIban);

/**
 * Whose account it is. Banks compare it with the name that they know before they pay (regulation (EU) 2024/886): what is
 * no name, or cut, would be refused there.
 */
export function holderProblem(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'The name of who holds the account is missing.';
  if (/\p{Cc}/u.test(trimmed)) return 'The name of who holds the account has to be one line of text.';
  if (hasHidden(trimmed))
    return 'The name of who holds the account has characters that nobody can see: type it anew instead of pasting it.';
  if (Array.from(trimmed).length > latinLimits.name)
    return `The name of who holds the account has at most ${latinLimits.name} characters.`;
  if (!hasLatinLetters(trimmed))
    return 'Banks take names in Latin letters: write the name of who holds the account as their bank writes it.';
  if (ibanProblem(trimmed) === null) return 'This is an IBAN, and no name of who holds the account.';
  return null;
}
