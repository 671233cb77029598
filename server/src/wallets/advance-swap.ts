/**
 * A market has answered: the swap is completed with what it gave, or goes on to the next venue, or has failed and what
 * was reserved is available again. A market that did not answer leaves the swap as it is.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { lockBalances, openAccounts, postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { findAgreedFees } from '../merchants/merchant-store.ts';
import { agreedFees } from '../pricing/settlement-fee.ts';
import { treasuryShortage } from '../venues/treasury-stock.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import { ordersOf } from '../venues/venue-order-store.ts';
import { venuesFor } from '../venues/venue-plan.ts';
import { announceSwap, type SwapDeps } from './create-swap.ts';
import type { Swap } from './swap.ts';
import { releasingEntry, swapAccounts, swapEntry } from './swap-entries.ts';
import { feeOfGross, type PricedAsset, priceSwap } from './swap-price.ts';
import { endSwap, lockSwap } from './swap-store.ts';
import { pricedAsset } from './swap-terms.ts';

export async function advanceSwap(
  deps: SwapDeps,
  { merchantId, swapId }: { readonly merchantId: string; readonly swapId: string },
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const swap = await lockSwap(tx, merchantId, swapId);
    if (swap?.state !== 'PROCESSING') return;
    const order = (await ordersOf(tx, [swapId])).at(-1);
    if (!order || order.state === 'PENDING') return;
    const accounts = swapAccounts(swap);
    await openAccounts(tx, accounts);
    const books = await lockBalances(tx, accounts);
    const ended = await endedSwap(deps, tx, swap, order, books);
    const isDone = ended.state === 'COMPLETED';
    const now = deps.clock.now();
    await postEntries(tx, [isDone ? swapEntry(ended, 'reserved', books) : releasingEntry(ended, books)], now);
    await endSwap(tx, ended);
    await announceSwap(deps, tx, ended, isDone ? 'SWAP_COMPLETED' : 'SWAP_FAILED', now);
  });
}

async function endedSwap(
  deps: SwapDeps,
  tx: Tx,
  swap: Swap,
  order: VenueOrder,
  books: ReadonlyMap<string, bigint>,
): Promise<Swap> {
  const endedAt = deps.clock.now();
  if (order.state === 'DONE') {
    const given = await asGiven(deps, tx, swap, present(order.receivedUnits, 'what the market gave'));
    return { ...swap, ...given, state: 'COMPLETED', txHash: order.txHash, endedAt };
  }
  const source = present(findAsset(deps.assets, swap.sourceAsset), 'the source asset');
  const target = present(findAsset(deps.assets, swap.targetAsset), 'the target asset');
  const venues = venuesFor(deps.venueRules, source.assetCode, target.assetCode);
  const isTreasuryNext = venues.slice(venues.indexOf('stellar-dex') + 1).includes('treasury');
  const given = isTreasuryNext ? await fromTreasury(deps, tx, swap) : null;
  if (given && treasuryShortage(books, deps.treasuryLimits, target, given.grossUnits) === null)
    return { ...swap, ...given, state: 'COMPLETED', venue: 'treasury', endedAt };
  return { ...swap, state: 'FAILED', failure: order.failure ?? 'The market did not take it.', endedAt };
}

/** A fixed price as it was; else the price of this moment, but no better one. Null: that is less than the least. */
async function fromTreasury(deps: SwapDeps, tx: Tx, swap: Swap): Promise<Pick<Swap, 'grossUnits' | 'feeUnits'> | null> {
  if (swap.isFixed) return { grossUnits: swap.grossUnits, feeUnits: swap.feeUnits };
  const [source, target] = [swap.sourceAsset, swap.targetAsset].map((id) =>
    pricedAsset(deps, present(findAsset(deps.assets, id), `asset ${id}`)),
  ) as [PricedAsset, PricedAsset];
  const agreed = present((await findAgreedFees(tx, [swap.merchantId])).get(swap.merchantId), 'the merchant');
  const price = priceSwap(source, target, { sourceUnits: swap.sourceUnits }, agreedFees(deps.fees, agreed));
  if (!price || price.grossUnits < swap.leastUnits) return null;
  return price.grossUnits < swap.grossUnits ? { grossUnits: price.grossUnits, feeUnits: price.feeUnits } : swap;
}

/** A fixed price is given as it was; else the merchant gets what the market gave, less the fee. */
async function asGiven(
  deps: SwapDeps,
  tx: Tx,
  swap: Swap,
  receivedUnits: bigint,
): Promise<Pick<Swap, 'grossUnits' | 'feeUnits'>> {
  if (swap.isFixed) return { grossUnits: swap.grossUnits, feeUnits: swap.feeUnits };
  const agreed = present((await findAgreedFees(tx, [swap.merchantId])).get(swap.merchantId), 'the merchant');
  const target = present(findAsset(deps.assets, swap.targetAsset), 'the target asset');
  const fees = agreedFees(deps.fees, agreed);
  return { grossUnits: receivedUnits, feeUnits: feeOfGross(receivedUnits, pricedAsset(deps, target), fees) };
}
