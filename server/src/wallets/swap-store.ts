/** All SQL of swaps and their quotes. */
import type { Query, Row, Tx } from '../db/database.ts';
import { storedAsker } from '../http/actor.ts';
import type { PageKey, PageRange } from '../http/page-cursor.ts';
import { parseExactly } from '../http/parse-json.ts';
import type { Swap, SwapQuote } from './swap.ts';
import { swapStates } from './swap-state.ts';

export async function insertSwapQuote(query: Query, quote: SwapQuote): Promise<void> {
  await query`
    insert into swap_quote (merchant_id, id, source_asset, target_asset, source_units, gross_units, fee_units, rate,
                            spread, created_at, valid_until)
    values (${quote.merchantId}, ${quote.id}, ${quote.sourceAsset}, ${quote.targetAsset},
            ${quote.sourceUnits.toString()}, ${quote.grossUnits.toString()}, ${quote.feeUnits.toString()},
            ${quote.rate}, ${quote.spread}, ${quote.createdAt}, ${quote.validUntil})`;
}

type QuoteRow = Row &
  Record<'merchant_id' | 'id' | 'source_asset' | 'target_asset' | 'rate' | 'spread', string> &
  Record<'source_units' | 'gross_units' | 'fee_units', string> & { created_at: Date; valid_until: Date };

export async function findSwapQuote(query: Query, merchantId: string, id: string): Promise<SwapQuote | undefined> {
  const [row] = await query<QuoteRow>`select * from swap_quote where merchant_id = ${merchantId} and id = ${id}`;
  return (
    row && {
      merchantId: row.merchant_id,
      id: row.id,
      sourceAsset: row.source_asset,
      targetAsset: row.target_asset,
      sourceUnits: BigInt(row.source_units),
      grossUnits: BigInt(row.gross_units),
      feeUnits: BigInt(row.fee_units),
      rate: row.rate,
      spread: row.spread,
      createdAt: row.created_at,
      validUntil: row.valid_until,
    }
  );
}

/** Deletes quotes that ended so long ago that nobody asks about them any more. */
export async function forgetSwapQuotes(query: Query, endedBefore: Date): Promise<void> {
  await query`delete from swap_quote where valid_until < ${endedBefore}`;
}

export async function insertSwap(tx: Tx, swap: Swap): Promise<void> {
  await tx`
    insert into swap (merchant_id, id, api_key, requested_by, quote_id, state, venue, source_asset, target_asset,
                      source_units, gross_units, fee_units, least_units, is_fixed, rate, spread, webhook, meta,
                      created_at, ended_at)
    values (${swap.merchantId}, ${swap.id}, ${swap.apiKey}, ${swap.requestedBy}, ${swap.quoteId}, ${swap.state},
            ${swap.venue}, ${swap.sourceAsset}, ${swap.targetAsset}, ${swap.sourceUnits.toString()},
            ${swap.grossUnits.toString()}, ${swap.feeUnits.toString()}, ${swap.leastUnits.toString()},
            ${swap.isFixed}, ${swap.rate}, ${swap.spread}, ${swap.webhook},
            ${swap.meta === null ? null : JSON.stringify(swap.meta)}::json, ${swap.createdAt}, ${swap.endedAt})`;
}

/** Ends a swap that waited for a market. False: it had ended before. */
export async function endSwap(tx: Tx, swap: Swap, from: Swap['state']): Promise<boolean> {
  swapStates.assertMove(from, swap.state);
  const ended = await tx`
    update swap
       set state = ${swap.state}, venue = ${swap.venue}, gross_units = ${swap.grossUnits.toString()},
           fee_units = ${swap.feeUnits.toString()}, rate = ${swap.rate}, spread = ${swap.spread}, tx_hash = ${swap.txHash},
           failure = ${swap.failure}, ended_at = ${swap.endedAt}
     where merchant_id = ${swap.merchantId} and id = ${swap.id} and state = ${from}
    returning id`;
  return ended.length === 1;
}

type SwapRow = Row &
  Record<'merchant_id' | 'id' | 'source_asset' | 'target_asset' | 'source_units', string> &
  Record<'gross_units' | 'fee_units' | 'least_units' | 'rate' | 'spread', string> &
  Record<'api_key' | 'requested_by' | 'quote_id' | 'tx_hash' | 'failure' | 'webhook' | 'meta_text', string | null> & {
    state: Swap['state'];
    venue: Swap['venue'];
    is_fixed: boolean;
    created_at: Date;
    ended_at: Date | null;
  };

const toSwap = (row: SwapRow): Swap => ({
  merchantId: row.merchant_id,
  id: row.id,
  apiKey: row.api_key,
  requestedBy: storedAsker(row.requested_by, row.api_key),
  quoteId: row.quote_id,
  state: row.state,
  venue: row.venue,
  sourceAsset: row.source_asset,
  targetAsset: row.target_asset,
  sourceUnits: BigInt(row.source_units),
  grossUnits: BigInt(row.gross_units),
  feeUnits: BigInt(row.fee_units),
  leastUnits: BigInt(row.least_units),
  isFixed: row.is_fixed,
  rate: row.rate,
  spread: row.spread,
  txHash: row.tx_hash,
  failure: row.failure,
  webhook: row.webhook,
  meta: row.meta_text === null ? null : parseExactly(row.meta_text),
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

export async function findSwap(query: Query, merchantId: string, id: string): Promise<Swap | undefined> {
  const [row] = await query<SwapRow>`
    select *, meta::text as meta_text from swap where merchant_id = ${merchantId} and id = ${id}`;
  return row && toSwap(row);
}

/** By their ids; those of others are left out. */
export async function findSwaps(query: Query, merchantId: string, ids: readonly string[]): Promise<Map<string, Swap>> {
  const rows = await query<SwapRow>`
    select *, meta::text as meta_text from swap where merchant_id = ${merchantId} and id = any(${[...ids]})`;
  return new Map(rows.map((row) => [row.id, toSwap(row)]));
}

/** Locks a swap until the transaction ends. This lock comes before any ledger lock. */
export async function lockSwap(tx: Tx, merchantId: string, id: string): Promise<Swap | undefined> {
  const [row] = await tx<SwapRow>`
    select *, meta::text as meta_text from swap where merchant_id = ${merchantId} and id = ${id} for update`;
  return row && toSwap(row);
}

/** What a process of the previous release swapped with this idempotency key, if that was since then. */
export async function findAskedSwap(
  query: Query,
  merchantId: string,
  key: string,
  since: Date,
): Promise<Swap | undefined> {
  const [row] = await query<SwapRow>`
    select *, meta::text as meta_text from swap
     where merchant_id = ${merchantId} and idempotency_key = ${key} and created_at > ${since}
     order by created_at desc limit 1`;
  return row && toSwap(row);
}

export async function isQuoteUsed(query: Query, merchantId: string, quoteId: string): Promise<boolean> {
  const rows = await query`select from swap where merchant_id = ${merchantId} and quote_id = ${quoteId}`;
  return rows.length > 0;
}

export type SwapFilter = PageRange & { readonly state: string | null };

/** Newest first, by keyset: every page costs the same, however old its swaps are. */
export async function listSwapKeys(query: Query, merchantId: string, filter: SwapFilter): Promise<PageKey[]> {
  const { before } = filter;
  return query<Row & PageKey>`
    select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from swap
     where merchant_id = ${merchantId}
       and (${filter.state}::text is null or state = ${filter.state})
       and (${filter.from}::timestamptz is null or created_at >= ${filter.from})
       and (${filter.to}::timestamptz is null or created_at < ${filter.to})
       and (${before?.id ?? null}::text is null
            or (created_at, id) < (${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::text))
     order by created_at desc, id desc
     limit ${filter.limit}`;
}
