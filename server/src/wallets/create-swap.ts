/**
 * A swap: what is given leaves `available` under the lock of the balances, so that two swaps cannot spend the same
 * money. The treasury's part is done in one entry; on a market what is given is reserved, and `advance-swap` ends the
 * swap.
 */

import type { SwapBody } from '@quittance/contract/swap';
import { findAsset } from '../catalog/asset-catalog.ts';
import { type Db, isUniqueViolation, type Tx } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { type Asker, signingKeyOf } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { lockBalances, openAccounts, postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import { GatewayError, type ToldProblem, told } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import { decimal } from '../money/decimal.ts';
import { ableVenues, type VenueDeps } from '../venues/able-venues.ts';
import { backingOf } from '../venues/backing-asset.ts';
import {
  exchangeableUnits,
  isTokenOf,
  marketConnector,
  orderPatienceMs,
  requestExchanges,
} from '../venues/exchange-on-stellar.ts';
import { loadStock, type StockDeps } from '../venues/load-stock.ts';
import { takesStock } from '../venues/stock-book.ts';
import { lockStock } from '../venues/treasury-promise-store.ts';
import { freeUnits, noStock, shortageOf } from '../venues/treasury-stock.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { lockAndAssertSendable } from './assert-sendable.ts';
import { mustWait } from './leaving-errors.ts';
import type { Swap } from './swap.ts';
import { repaidUnits, reservingEntry, swapAccounts, swapEntry } from './swap-entries.ts';
import { noMarket, notEnough, noVenue, quoteOutrun, quoteOver, quoteUsed, swapQuoteNotFound } from './swap-errors.ts';
import { isStillWorth, withSlippage } from './swap-price.ts';
import { swapRecord } from './swap-record.ts';
import { findSwapQuote, insertSwap, isQuoteUsed } from './swap-store.ts';
import { priceTerms, type SwapTermsDeps, swapTerms } from './swap-terms.ts';
import { demandFree, type LeavingDeps, lockLeaving, whatMayLeave } from './what-may-leave.ts';

export type SwapDeps = SwapTermsDeps &
  VenueDeps &
  LeavingDeps &
  StockDeps & {
    readonly db: Db;
    readonly clock: Clock;
    readonly health: NetworkHealth;
  };

export type SwapRequest = {
  readonly body: SwapBody;
  readonly actor: Asker;
  readonly begin: Begin<Swap>;
};

export async function createSwap(deps: SwapDeps, merchant: Merchant, request: SwapRequest): Promise<Swap> {
  const wanted = await readWish(deps, merchant, request);
  await demandFree(deps, deps.db, { merchantId: merchant.id, asset: wanted.sourceAsset, units: wanted.sourceUnits });
  try {
    return await request.begin((tx) => carryOut(deps, tx, wanted));
  } catch (error) {
    if (wanted.quoteId !== null && isUniqueViolation(error, 'swap_quoted')) throw quoteUsed(wanted.quoteId);
    throw error;
  }
}

async function carryOut(deps: SwapDeps, tx: Tx, wanted: Swap): Promise<Swap> {
  const { merchantId, quoteId } = wanted;
  const shortage = await marketShortage(deps, tx, wanted);
  const locked = await lockLeaving(tx, merchantId);
  await lockCreditedStock(deps, tx, wanted);
  const accounts = swapAccounts(wanted);
  await openAccounts(tx, accounts);
  const books = await lockBalances(tx, accounts);
  if (quoteId !== null && (await isQuoteUsed(tx, merchantId, quoteId))) throw quoteUsed(quoteId);
  const source = present(findAsset(deps.assets, wanted.sourceAsset), 'the source asset');
  const available = books.get(merchantAccount(merchantId, 'available', source.id)) ?? 0n;
  if (available < wanted.sourceUnits) throw notEnough(formatUnits(available, source.ledgerScale), source.assetCode);
  const held = { merchantId, asset: source.id, availableUnits: available };
  const leaving = await whatMayLeave(deps, tx, held, { units: wanted.sourceUnits, locked });
  if (wanted.sourceUnits > leaving.mostUnits) throw mustWait(source, leaving);
  const swap = await atVenue(deps, tx, wanted, books, shortage);
  await insertAudit(tx, { merchantId, at: swap.createdAt, actor: swap.requestedBy, ...auditOf(swap) });
  return swap;
}

const auditOf = ({ id, sourceAsset, sourceUnits, targetAsset }: Swap) => ({
  action: 'swap.created',
  detail: { id, sourceAsset, sourceUnits: sourceUnits.toString(), targetAsset },
});

/** The first venue that can do it. */
async function atVenue(
  deps: SwapDeps,
  tx: Tx,
  wanted: Swap,
  books: ReadonlyMap<string, bigint>,
  ofMarket: string | null,
): Promise<Swap> {
  const source = present(findAsset(deps.assets, wanted.sourceAsset), 'the source asset');
  const credited = present(findAsset(deps.assets, wanted.targetAsset), 'the credited asset');
  let refusal = noMarket(source.assetCode, credited.assetCode);
  for (const venue of ableVenues(deps, source, credited)) {
    if (venue === 'treasury') {
      const shortage = await stockShortage(deps, tx, wanted, books);
      if (shortage === null) return completeAtOnce(deps, tx, { ...wanted, venue }, books);
      refusal = noVenue({ ...shortage, code: 'swap_not_in_stock' });
    } else if (ofMarket !== null) {
      refusal = noVenue(told('market_short', ofMarket));
    } else if (exchangeableUnits(deps, source.id, wanted.sourceUnits) > 0n) {
      return startExchange(deps, tx, { ...wanted, venue });
    }
  }
  throw refusal;
}

/**
 * Why the market cannot have this. Null: it can, or it is not asked. What an account holds may be on another network:
 * it would wait for Stellar and count as unsent there. Only tokens of ours come to Stellar by themselves. Called before
 * any lock of the ledger.
 */
async function marketShortage(deps: SwapDeps, tx: Tx, { merchantId, sourceAsset, targetAsset, sourceUnits }: Swap) {
  const source = present(findAsset(deps.assets, sourceAsset), 'the source asset');
  const credited = present(findAsset(deps.assets, targetAsset), 'the credited asset');
  if (!ableVenues(deps, source, credited).includes('stellar-dex') || isTokenOf(deps, source)) return null;
  const connector = present(marketConnector(deps), 'the connector of the market');
  try {
    await lockAndAssertSendable(deps, tx, connector, { asset: source.id, units: sourceUnits, merchantId });
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
}

/** Called before any lock of the ledger. */
export async function lockCreditedStock(deps: SwapDeps, tx: Tx, swap: Swap): Promise<void> {
  const source = present(findAsset(deps.assets, swap.sourceAsset), 'the source asset');
  const credited = present(findAsset(deps.assets, swap.targetAsset), 'the credited asset');
  if (takesStock(deps, source, credited)) await lockStock(tx, [backingOf(deps.assets, credited).id]);
}

/**
 * Why the treasury cannot give this. Null: it can. What was promised to open checkouts is theirs. Called under the lock
 * of the stock; a debt that comes up at this very moment is seen by the next swap.
 */
export async function stockShortage(
  deps: SwapDeps,
  tx: Tx,
  swap: Swap,
  books: ReadonlyMap<string, bigint>,
): Promise<ToldProblem | null> {
  const source = present(findAsset(deps.assets, swap.sourceAsset), 'the source asset');
  const credited = present(findAsset(deps.assets, swap.targetAsset), 'the credited asset');
  if (!takesStock(deps, source, credited)) return null;
  const { byBacking } = await loadStock(deps, tx, [credited]);
  const stock = byBacking.get(backingOf(deps.assets, credited).id) ?? noStock;
  return shortageOf(freeUnits(stock) + repaidUnits(swap, books), swap.grossUnits, credited);
}

async function completeAtOnce(deps: SwapDeps, tx: Tx, wanted: Swap, books: ReadonlyMap<string, bigint>): Promise<Swap> {
  const swap: Swap = { ...wanted, state: 'COMPLETED', endedAt: wanted.createdAt };
  await insertSwap(tx, swap);
  await postEntries(tx, [swapEntry(swap, 'available', books)], wanted.createdAt);
  await announceSwap(deps, tx, swap, 'SWAP_COMPLETED', wanted.createdAt);
  return swap;
}

async function startExchange(deps: SwapDeps, tx: Tx, swap: Swap): Promise<Swap> {
  const { merchantId, sourceAsset, targetAsset, leastUnits } = swap;
  await insertSwap(tx, swap);
  await postEntries(tx, [reservingEntry(swap)], swap.createdAt);
  const order = {
    id: `swap:${swap.id}`,
    reference: swap.id,
    purpose: 'swap' as const,
    merchantId,
    ownerId: swap.id,
    attempt: 1,
    sourceAsset,
    targetAsset,
    leastUnits,
    sourceUnits: exchangeableUnits(deps, sourceAsset, swap.sourceUnits),
  };
  await requestExchanges(deps, tx, [order], swap.createdAt);
  const payload = { merchantId, swapId: swap.id };
  await enqueue(tx, [{ name: 'swap.advance', payload, runAt: addMs(swap.createdAt, orderPatienceMs) }]);
  return swap;
}

/** Called in the transaction of the change. */
export async function announceSwap(
  deps: SwapTermsDeps,
  tx: Tx,
  swap: Swap,
  type: 'SWAP_COMPLETED' | 'SWAP_FAILED',
  at: Date,
): Promise<void> {
  const { merchantId, id: subject, webhook, apiKey } = swap;
  await recordEvent(tx, { merchantId, subject, type, data: { swap: swapRecord(deps, swap) }, webhook, apiKey, at });
}

async function readWish(deps: SwapDeps, merchant: Merchant, request: SwapRequest): Promise<Swap> {
  const { body, actor } = request;
  const now = deps.clock.now();
  const common = {
    merchantId: merchant.id,
    id: newId(),
    apiKey: signingKeyOf(actor),
    requestedBy: actor,
    state: 'PROCESSING' as const,
    venue: null,
    txHash: null,
    failure: null,
    webhook: body.webhook ?? null,
    meta: body.meta ?? null,
    createdAt: now,
    endedAt: null,
  };
  if (body.quoteId !== undefined) {
    const quote = await findSwapQuote(deps.db, merchant.id, body.quoteId);
    if (!quote) throw swapQuoteNotFound(body.quoteId);
    if (now >= quote.validUntil) throw quoteOver(quote.id);
    const [given, wanted] = [quote.sourceAsset, quote.targetAsset].map((id) => present(findAsset(deps.assets, id), id));
    if (!isStillWorth(quote, present(given, 'source'), present(wanted, 'target'), deps.rates.rate))
      throw quoteOutrun(quote.id);
    const { sourceAsset, targetAsset, sourceUnits, grossUnits, feeUnits, rate, spread } = quote;
    const price = { sourceAsset, targetAsset, sourceUnits, grossUnits, feeUnits, rate, spread };
    return { ...common, ...price, quoteId: quote.id, leastUnits: grossUnits, isFixed: true };
  }
  const terms = swapTerms(deps, body);
  const price = priceTerms(deps, merchant, terms);
  const isFixed = 'targetUnits' in terms.amount;
  const leastUnits = isFixed ? price.grossUnits : withSlippage(price.grossUnits, decimal(body.maxSlippagePercent));
  const assets = { sourceAsset: terms.source.id, targetAsset: terms.credited.id };
  return { ...common, ...price, ...assets, quoteId: null, leastUnits, isFixed };
}
