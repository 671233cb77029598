/** IBANs of invented accounts, by ISO 13616: two check digits after the country, modulo 97. */

export const ibanOf = (country: string, account: string): string => {
  const check = 98n - remainder(`${account}${country}00`);
  return `${country}${String(check).padStart(2, '0')}${account}`;
};

export const hasCheckDigits = (iban: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(iban) && remainder(`${iban.slice(4)}${iban.slice(0, 4)}`) === 1n;

/** A creditor's reference, ISO 11649: the same sum. */
export const hasReferenceDigits = (reference: string): boolean =>
  /^RF\d{2}[A-Z0-9]{1,21}$/.test(reference) && remainder(`${reference.slice(4)}${reference.slice(0, 4)}`) === 1n;

const remainder = (text: string): bigint =>
  BigInt(
    Array.from(text.toUpperCase())
      .map((each) => String(Number.parseInt(each, 36)))
      .join(''),
  ) % 97n;
