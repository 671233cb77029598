/**
 * By the central bank's interface nothing is paid out: what came goes back to who paid it. So the only destination is a
 * payment, by the name that all banks know it by.
 */
import type { TracedPayer } from '../port/connector.ts';
import type { Observation } from '../port/receiving.ts';
import type { NetworkAddress } from '../port/sending.ts';

const endToEndId = /^[a-zA-Z0-9]{32}$/;

export const destinationProblem = ({ address, memo }: NetworkAddress): string | null =>
  endToEndId.test(address) && memo === null
    ? null
    : 'Nothing can be sent over Pix: what a customer paid goes back to the account that it came from.';

export function payerOfPix({ endToEndId: name }: Observation['trace']): TracedPayer | null {
  if (typeof name !== 'string') return null;
  return { account: { address: name, memo: null, memoType: null, holder: null }, problem: null };
}
