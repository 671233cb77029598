/**
 * The text of the QR code that banking apps in the euro area read (EPC069-12): whom to pay, how much, and the reference. It is
 * read with error correction M and has at most 331 bytes, which is what version 13 holds; `web/qr-code` draws such codes.
 */
import { compare, formatFixed, fromUnits, parseDecimal, roundTo, zero } from '../../../money/decimal.ts';
import { holderProblem, missingBicProblem, sepaIbanProblem } from './bank-destination.ts';
import { plainIban } from './iban.ts';
import { latinLimits } from './latin-text.ts';
import { isRfReference } from './rf-reference.ts';

export type EpcContent = {
  readonly name: string;
  readonly iban: string;
  /** Needed outside the EEA. */
  readonly bic: string | null;
  /** In euros; null: the payer types it. */
  readonly amount: string | null;
  /** A text, or a reference in a field of its own, which some apps drop: ours goes into the text. */
  readonly remittance: { readonly text: string } | { readonly reference: string };
};

export const epcBytesMost = 331;
const amountMost = fromUnits(99_999_999_999n, 2);

/** Null: apps can read it. */
export function epcCodeProblem(content: EpcContent): string | null {
  const { name, iban, bic, amount, remittance } = content;
  const problem =
    holderProblem(name) ??
    sepaIbanProblem(iban) ??
    missingBicProblem(iban, bic) ??
    amountProblem(amount) ??
    ('text' in remittance ? textProblem(remittance.text) : referenceProblem(remittance.reference));
  if (problem !== null) return problem;
  const bytes = Buffer.byteLength(linesOf(content));
  return bytes <= epcBytesMost
    ? null
    : `The code would have ${bytes} bytes; banking apps read at most ${epcBytesMost}.`;
}

export function epcCode(content: EpcContent): string {
  const problem = epcCodeProblem(content);
  if (problem !== null) throw new Error(`no EPC code: ${problem}`);
  return linesOf(content);
}

/** Nothing follows the last line that says something: some apps take an empty one for a mistake. */
function linesOf({ name, iban, bic, amount, remittance }: EpcContent): string {
  const due = amount === null ? null : parseDecimal(amount);
  return [
    'BCD',
    '002', // With it the BIC may be missing.
    '1', // UTF-8
    'SCT',
    bic === null ? '' : plainIban(bic),
    name.normalize('NFC').trim(),
    plainIban(iban),
    due ? `EUR${formatFixed(due, 2)}` : '',
    '', // A purpose, which banks tell nobody.
    'reference' in remittance ? plainIban(remittance.reference) : '',
    'text' in remittance ? remittance.text.normalize('NFC').trim() : '',
  ]
    .join('\n')
    .trimEnd();
}

function amountProblem(amount: string | null): string | null {
  const due = amount === null ? null : parseDecimal(amount);
  if (due === null) return null;
  const isFit =
    due !== undefined &&
    compare(due, zero) > 0 &&
    compare(due, amountMost) <= 0 &&
    compare(due, roundTo(due, 2, 'down')) === 0;
  return isFit ? null : 'A code for banking apps asks for 0.01 to 999999999.99 euros, in whole cents.';
}

const textProblem = (text: string): string | null =>
  Array.from(text).length <= latinLimits.text && !/\p{Cc}/u.test(text)
    ? null
    : `The text in a code for banking apps is one line of at most ${latinLimits.text} characters.`;

const referenceProblem = (reference: string): string | null =>
  isRfReference(reference) ? null : 'The reference in a code for banking apps is an RF reference: this is none.';
