/** Whether an invoice can be paid, as far as its text alone tells. */
import { formatUnits } from '../../money/amount.ts';
import type { NetworkAddress } from '../port/sending.ts';
import { type Bolt11Chain, Bolt11Error, decodeBolt11 } from './bolt11.ts';
import { isWhole, paddingBlocks } from './lightning-order.ts';

export type InvoiceLimits = {
  readonly chain: Bolt11Chain;
  /** For how many blocks whoever is paid may hold a payment. */
  readonly holdBlocksMax: number;
};

export const destinationProblem = ({ address, memo }: NetworkAddress, limits: InvoiceLimits): string | null =>
  memo === null ? invoiceProblem(address, limits) : 'An invoice has no memo.';

/** One sentence, or null for an invoice that a node of this chain could pay. */
export function invoiceProblem(text: string, { chain, holdBlocksMax }: InvoiceLimits): string | null {
  try {
    const invoice = decodeBolt11(text);
    if (invoice.chain !== chain) return 'The invoice is for another network.';
    // LND takes a limit below this for none at all (its issue 3733).
    const most = holdBlocksMax - paddingBlocks;
    if (invoice.finalBlocks > most)
      return `The invoice wants to hold the payment for ${invoice.finalBlocks} blocks, and ${most} are the most: ask for one with less.`;
    if (invoice.msat === null || isWhole(invoice.msat)) return null;
    return `The invoice asks for ${formatUnits(invoice.msat, 3)} SAT, and only whole ones can be sent: ask for another one.`;
  } catch (error) {
    if (error instanceof Bolt11Error) return error.message;
    throw error;
  }
}
