/** Whether an invoice can be paid, as far as its text alone tells. */
import { formatUnits } from '../../money/amount.ts';
import type { NetworkAddress } from '../port/sending.ts';
import { type Bolt11Chain, Bolt11Error, decodeBolt11 } from './bolt11.ts';
import { isWhole } from './lightning-order.ts';

export const destinationProblem = ({ address, memo }: NetworkAddress, chain: Bolt11Chain): string | null =>
  memo === null ? invoiceProblem(address, chain) : 'An invoice has no memo.';

/** One sentence, or null for an invoice that a node of this chain could pay. */
export function invoiceProblem(text: string, chain: Bolt11Chain): string | null {
  try {
    const invoice = decodeBolt11(text);
    if (invoice.chain !== chain) return 'The invoice is for another network.';
    if (invoice.msat === null || isWhole(invoice.msat)) return null;
    return `The invoice asks for ${formatUnits(invoice.msat, 3)} SAT, and only whole ones can be sent: ask for another one.`;
  } catch (error) {
    if (error instanceof Bolt11Error) return error.message;
    throw error;
  }
}
