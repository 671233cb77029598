/**
 * A market has answered: the swap is completed with what it gave, or goes on to the next venue, or has failed, and what
 * was reserved is available again. A market that could not be asked in time counts as a refusal: whoever swaps wants
 * the price of now, not the price of the hour when a network is back. But what is signed may still happen, so we wait
 * for it.
 */
import { type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { lockBalances, openAccounts, postEntries } from '../ledger/ledger-store.ts';
import { assert, present } from '../lib/assert.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { findAgreedFees } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import { fromUnits } from '../money/decimal.ts';
import { agreedFees } from '../pricing/settlement-fee.ts';
import { ableVenues } from '../venues/able-venues.ts';
import { orderPatienceMs, takeBackExchanges } from '../venues/exchange-on-stellar.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import { ordersOf } from '../venues/venue-order-store.ts';
import { announceSwap, lockCreditedStock, type SwapDeps, stockShortage } from './create-swap.ts';
import { swapQuoteValidityMs } from './quote-swap.ts';
import type { Swap } from './swap.ts';
import { releasingEntry, swapAccounts, swapEntry } from './swap-entries.ts';
import { feeOfGross, isStillWorth, rateText } from './swap-price.ts';
import { swapStates } from './swap-state.ts';
import { endSwap, lockSwap } from './swap-store.ts';
import { priceTerms } from './swap-terms.ts';

export async function advanceSwap(
  deps: SwapDeps,
  { merchantId, swapId }: { readonly merchantId: string; readonly swapId: string },
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const swap = await lockSwap(tx, merchantId, swapId);
    if (swap?.state !== 'PROCESSING') return;
    const order = (await ordersOf(tx, [swapId])).at(-1);
    if (!order) return;
    if (order.state === 'PENDING') return waitForMarket(deps, tx, order);
    if (order.state === 'FAILED') await lockCreditedStock(deps, tx, swap);
    const accounts = swapAccounts(swap);
    await openAccounts(tx, accounts);
    const books = await lockBalances(tx, accounts);
    const ended = await endedSwap(deps, tx, swap, order, books);
    const isDone = ended.state === 'COMPLETED';
    const now = deps.clock.now();
    await postEntries(tx, [isDone ? swapEntry(ended, 'reserved', books) : releasingEntry(ended, books)], now);
    assert(await endSwap(tx, ended, swap.state), 'a swap that is locked is as it was');
    await announceSwap(deps, tx, ended, isDone ? 'SWAP_COMPLETED' : 'SWAP_FAILED', now);
  });
}

const lookAgainMs = minutes(1);

/** What was signed may expire and wait to be signed again, so one look at an overdue order is not enough. */
async function waitForMarket({ clock }: SwapDeps, tx: Tx, { id, merchantId, ownerId, createdAt }: VenueOrder) {
  const now = clock.now();
  if (now >= addMs(createdAt, orderPatienceMs)) await takeBackExchanges(tx, [id], now);
  const payload = { merchantId, swapId: ownerId };
  await enqueue(tx, [{ name: 'swap.advance', payload, runAt: addMs(now, lookAgainMs) }]);
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
    return { ...swap, ...given, state: swapStates.moved(swap.state, 'complete'), txHash: order.txHash, endedAt };
  }
  const source = present(findAsset(deps.assets, swap.sourceAsset), 'the source asset');
  const credited = present(findAsset(deps.assets, swap.targetAsset), 'the credited asset');
  const venues = ableVenues(deps, source, credited);
  const isTreasuryNext = venues.slice(venues.indexOf('stellar-dex') + 1).includes('treasury');
  const failed = { ...swap, state: swapStates.moved(swap.state, 'fail'), endedAt };
  if (!isTreasuryNext) return { ...failed, failure: order.failure ?? 'The market did not take it.' };
  const given = await fromTreasury(deps, tx, swap, source, credited);
  if ('why' in given) return { ...failed, failure: given.why };
  const shortage = await stockShortage(deps, tx, { ...swap, ...given }, books);
  if (shortage !== null) return { ...failed, failure: shortage.sentence };
  return { ...swap, ...given, state: swapStates.moved(swap.state, 'complete'), venue: 'treasury', endedAt };
}

type Given = Pick<Swap, 'grossUnits' | 'feeUnits' | 'rate' | 'spread'>;

const asPricedOf = ({ grossUnits, feeUnits, rate, spread }: Swap): Given => ({ grossUnits, feeUnits, rate, spread });

/**
 * A price holds, from the order on, as long as a quote does. After that it is the price of now, but never a better one:
 * otherwise whoever swaps could wait for a network to come back and take the earlier price. `why`: it is less than the
 * least, or there is no price.
 */
async function fromTreasury(
  deps: SwapDeps,
  tx: Tx,
  swap: Swap,
  source: CatalogAsset,
  credited: CatalogAsset,
): Promise<Given | { readonly why: string }> {
  const asPriced = asPricedOf(swap);
  const isHeld = swap.isFixed && deps.clock.now() < addMs(swap.createdAt, swapQuoteValidityMs);
  if (isHeld && isStillWorth(swap, source, credited, deps.rates.rate)) return asPriced;
  const agreed = present((await findAgreedFees(tx, [swap.merchantId])).get(swap.merchantId), 'the merchant');
  try {
    const price = priceTerms(deps, agreed, { source, credited, amount: { sourceUnits: swap.sourceUnits } });
    if (price.grossUnits < swap.leastUnits) return { why: worthLess(swap, price.grossUnits, source, credited) };
    return price.grossUnits < swap.grossUnits ? price : asPriced;
  } catch (error) {
    if (error instanceof GatewayError) return { why: error.message };
    throw error;
  }
}

function worthLess({ sourceUnits, leastUnits }: Swap, units: bigint, source: CatalogAsset, credited: CatalogAsset) {
  const [worth, least] = [units, leastUnits].map((each) => formatUnits(each, credited.ledgerScale));
  const given = `${formatUnits(sourceUnits, source.ledgerScale)} ${source.assetCode}`;
  return `By now ${given} is worth ${worth} ${credited.assetCode}, but ${least} is the least.`;
}

/** With a fixed price the merchant gets what was agreed; otherwise what the market gave, less the fee. */
async function asGiven(deps: SwapDeps, tx: Tx, swap: Swap, receivedUnits: bigint): Promise<Given> {
  if (swap.isFixed) return asPricedOf(swap);
  const agreed = present((await findAgreedFees(tx, [swap.merchantId])).get(swap.merchantId), 'the merchant');
  const source = present(findAsset(deps.assets, swap.sourceAsset), 'the source asset');
  const credited = present(findAsset(deps.assets, swap.targetAsset), 'the credited asset');
  const feeUnits = feeOfGross(receivedUnits, swap, agreedFees(deps.fees, agreed));
  const given = fromUnits(receivedUnits, credited.ledgerScale);
  return {
    grossUnits: receivedUnits,
    feeUnits,
    rate: rateText(given, fromUnits(swap.sourceUnits, source.ledgerScale)),
    spread: '0',
  };
}
