/**
 * What a payer writes as the reference: ISO 11649, `RF`, two check digits and a name of ours. Ids have lower-case letters,
 * and banks print only upper-case ones: nothing is lost, because no two ids differ only in that.
 */
import { isId } from '../../../lib/ids.ts';

/** Of our references. The standard allows 1 to 21 characters after the check digits. */
export const rfBodyLength = 12;

const anyRf = /^RF\d{2}[A-Z0-9]{1,21}$/;

/** The reference for an id of ours, 16 characters without spaces. */
export function rfReference(id: string): string {
  if (!isId(id)) throw new Error(`not an id: ${id}`);
  const body = id.toUpperCase();
  return `RF${rfCheckDigits(body)}${body}`;
}

/** ISO 7064, MOD 97-10, over the body followed by `RF00`. The body is upper-case letters and digits. */
export const rfCheckDigits = (body: string): string => String(98 - remainder97(`${body}RF00`)).padStart(2, '0');

/** As anybody may have typed it: small letters and spaces do not matter. Any creditor's, not only ours. */
export function isRfReference(text: string): boolean {
  const reference = squeezed(text);
  return anyRf.test(reference) && remainder97(`${reference.slice(4)}${reference.slice(0, 4)}`) === 1;
}

/** The id of ours that a reference was made of; null: it is misspelt, or somebody else's. */
export function idOfRf(text: string): string | null {
  const reference = squeezed(text);
  return isRfReference(reference) && reference.length === 4 + rfBodyLength ? reference.slice(4).toLowerCase() : null;
}

/** In groups of four, as the standard wants it printed. */
export const printedRf = (reference: string): string => squeezed(reference).replaceAll(/.{4}(?=.)/g, '$& ');

const squeezed = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/** Letters are the numbers from 10 on. Digit by digit, because the whole number does not fit into one of ours. */
function remainder97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder;
}
