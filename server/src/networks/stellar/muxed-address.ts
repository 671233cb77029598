/** The muxed alternative to a memo: a checkout's id as the number in an M… address (SEP-23, CAP-27). */
import { isId } from '../../lib/ids.ts';
import { encodeMuxedAddress } from '../../lib/strkey.ts';

const idLength = 12;

/** Our ids are twelve digits to the base 36, which just fit into the 64 bits of a muxed address. */
export function muxedIdOf(reference: string): string | null {
  if (!isId(reference)) return null;
  return String(Array.from(reference).reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n));
}

/** One address that names account and checkout together. Null: the reference is no id of ours. */
export function muxedAddressOf(account: string, reference: string): string | null {
  const id = muxedIdOf(reference);
  return id === null ? null : encodeMuxedAddress(account, BigInt(id));
}

export function referenceOfMuxedId(muxedId: string): string | null {
  const reference = BigInt(muxedId).toString(36).padStart(idLength, '0');
  return reference.length === idLength ? reference : null;
}
