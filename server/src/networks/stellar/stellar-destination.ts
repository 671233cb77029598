/** Whether money can be sent to an address on Stellar, as far as its text alone tells. */
import { hasHidden } from '../../lib/hidden-characters.ts';
import { isAccountId, readMuxedAddress } from '../../lib/strkey.ts';
import type { NetworkAddress } from '../port/sending.ts';

const memoTextBytesMax = 28;
const uint64Max = 2n ** 64n - 1n;

/** The account behind a G… or M… address, or null when it is neither. */
export const accountOfAddress = (address: string): string | null =>
  isAccountId(address) ? address : (readMuxedAddress(address)?.accountId ?? null);

export function stellarAddressProblem(destination: NetworkAddress, ownAccounts: readonly string[]): string | null {
  const { address, memo, memoType } = destination;
  const account = accountOfAddress(address);
  if (account === null)
    return 'A Stellar address is G and 55 further characters, or M and 68: this is none, or it is misspelt.';
  if (ownAccounts.includes(account)) return 'This is the account that the payment would be sent from.';
  if (memo === null) return null;
  // The number in the address says what a memo would say; the two could contradict each other.
  if (account !== address) return 'An address that begins with M carries its own number and takes no memo.';
  return memoProblem(memo, memoType);
}

function memoProblem(memo: string, memoType: string | null): string | null {
  switch (memoType) {
    case 'text': {
      // People compare it before they sign: they must see all of it, in its order.
      if (hasHidden(memo)) return 'A memo must not have characters that nobody can see: type it anew.';
      const bytes = Buffer.byteLength(memo);
      return bytes > 0 && bytes <= memoTextBytesMax ? null : `A memo of type text has 1 to ${memoTextBytesMax} bytes.`;
    }
    case 'id':
      return /^\d{1,20}$/.test(memo) && BigInt(memo) <= uint64Max
        ? null
        : 'A memo of type id is a whole number below 2^64.';
    case 'hash':
    case 'return':
      return /^[0-9a-f]{64}$/i.test(memo) ? null : `A memo of type ${memoType} is 64 hexadecimal digits.`;
    default:
      return 'The type of a Stellar memo is text, id, hash or return.';
  }
}
