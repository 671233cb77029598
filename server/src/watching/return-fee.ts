/**
 * What the network takes for sending back money that nobody asked for, as far as nothing is kept back for it: the operator's to
 * pay. It is set aside until the payout has ended, so that it is paid neither with money of merchants nor promised twice.
 */
import type { Tx } from '../db/database.ts';
import { type Entry, type EntryKind, type Line, opposite } from '../ledger/entry.ts';
import { linesOfEntry, postEntries } from '../ledger/ledger-store.ts';
import type { StockDeps } from '../venues/load-stock.ts';
import { demandOwn, heldFeeLines, type OwnUnits } from '../wallets/own-money.ts';
import type { UnmatchedReturn } from './unmatched-return-store.ts';

type Returned = Pick<UnmatchedReturn, 'id' | 'unmatchedId'>;

/** Throws when so much is not the operator's own. */
export type HoldFee = (tx: Tx, order: Returned, at: Date) => Promise<void>;

export const holdingFee =
  (deps: StockDeps, fee: OwnUnits): HoldFee =>
  async (tx, order, at) => {
    if (fee.units === 0n) return;
    await demandOwn(deps, tx, null, fee);
    await postEntries(tx, [feeEntry('return_fee_reserved', order, heldFeeLines(fee))], at);
  };

/** Back where it came from: what the network took is a cost by now. */
export async function releasedFee(tx: Tx, order: Returned): Promise<Entry[]> {
  const held = await linesOfEntry(tx, referenceOf('return_fee_reserved', order));
  return held.length === 0 ? [] : [feeEntry('return_fee_released', order, opposite(held))];
}

type FeeKind = Extract<EntryKind, 'return_fee_reserved' | 'return_fee_released'>;
const referenceOf = (kind: FeeKind, { id }: Returned): string => `return/${id}/${kind}`;

const feeEntry = (kind: FeeKind, order: Returned, lines: readonly Line[]): Entry => ({
  reference: referenceOf(kind, order),
  kind,
  merchantId: null,
  subject: { kind: 'unmatched_payment', id: order.unmatchedId },
  lines,
});
