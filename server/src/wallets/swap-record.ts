/** The public JSON of swaps and their quotes. */
import type { SwapQuoteRecord, SwapRecord } from '@quittance/contract/swap';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { shownActor } from '../http/actor.ts';
import { present } from '../lib/assert.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { formatUnits } from '../money/amount.ts';
import type { Swap, SwapQuote } from './swap.ts';

type Deps = { readonly assets: AssetCatalog };

export const swapQuoteRecord = (deps: Deps, quote: SwapQuote): SwapQuoteRecord => ({
  id: quote.id,
  ...priceOf(deps, quote),
  validUntil: formatTimestamp(quote.validUntil),
});

export const swapRecord = (deps: Deps, swap: Swap): SwapRecord => ({
  id: swap.id,
  timestamp: formatTimestamp(swap.createdAt),
  state: swap.state,
  ...priceOf(deps, swap),
  venue: swap.venue,
  quoteId: swap.quoteId,
  createdBy: shownActor(swap.requestedBy),
  tx: swap.txHash,
  failure: swap.failure,
  completionTime: swap.endedAt && formatTimestamp(swap.endedAt),
  ...(swap.meta === null ? {} : { meta: swap.meta }),
});

type Price = Pick<
  SwapQuote,
  'sourceAsset' | 'targetAsset' | 'sourceUnits' | 'grossUnits' | 'feeUnits' | 'rate' | 'spread'
>;

function priceOf({ assets }: Deps, price: Price) {
  const source = present(findAsset(assets, price.sourceAsset), `asset ${price.sourceAsset}`);
  const credited = present(findAsset(assets, price.targetAsset), `asset ${price.targetAsset}`);
  return {
    sourceAssetId: source.id,
    sourceAssetCode: source.assetCode,
    sourceAmount: formatUnits(price.sourceUnits, source.ledgerScale),
    targetAssetId: credited.id,
    targetAssetCode: credited.assetCode,
    targetAmount: formatUnits(price.grossUnits - price.feeUnits, credited.ledgerScale),
    fee: formatUnits(price.feeUnits, credited.ledgerScale),
    rate: price.rate,
    spread: price.spread,
  };
}
