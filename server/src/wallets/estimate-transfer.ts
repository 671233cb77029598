/** What a transfer would cost, what would be left, when it would leave and whether somebody else must approve it. */
import type { WaitingRecord } from '@quittance/contract/wallet';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { invalidRequest } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type ApprovalLimit, approvalLimit, needsApproval } from './approval-limit.ts';
import type { TransferDeps } from './create-transfer.ts';
import { quoteTransfer, type TransferQuote } from './quote-transfer.ts';
import { type ReadOrder, readTransferOrder } from './read-transfer-order.ts';
import { waitingPart } from './waiting-record.ts';

export type EstimatedTransfer = {
  readonly read: ReadOrder;
  readonly quote: TransferQuote;
  readonly availableUnits: bigint;
  readonly waiting: { readonly waiting?: WaitingRecord };
  readonly isToApprove: boolean;
  readonly limit: ApprovalLimit | null;
};

export async function estimateTransfer(
  deps: TransferDeps,
  merchant: Merchant,
  order: Parameters<typeof readTransferOrder>[2],
): Promise<EstimatedTransfer> {
  const { read, problems } = await readTransferOrder(deps, merchant.id, order);
  if (!read) throw invalidRequest(problems);
  const { asset } = read.method;
  const account = merchantAccount(merchant.id, 'available', asset.id);
  const [quote, balances] = await Promise.all([quoteTransfer(deps, merchant, read), readBalances(deps.db, [account])]);
  const availableUnits = balances.get(account) ?? 0n;
  const waiting = await waitingPart(deps, merchant.id, asset, availableUnits);
  const limit = await approvalLimit(deps, deps.db, merchant, 'transfer');
  const isToApprove = needsApproval(deps, limit, { asset: asset.id, units: read.units });
  return { read, quote, availableUnits, waiting, isToApprove, limit };
}
