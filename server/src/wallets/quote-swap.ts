import type { SwapQuoteQuery } from '@quittance/contract/swap';
import type { Db } from '../db/database.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { invalidRequest } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { isConvertible } from '../venues/convertible.ts';
import type { SwapQuote } from './swap.ts';
import { noMarket } from './swap-errors.ts';
import { insertSwapQuote } from './swap-store.ts';
import { priceTerms, type SwapTermsDeps, swapProblems, swapTerms } from './swap-terms.ts';

/** Long enough for a person to read it. A market moves little in that time, and the fee covers that. */
export const swapQuoteValidityMs = minutes(1);

export async function quoteSwap(
  deps: SwapTermsDeps & { readonly db: Db; readonly clock: Clock },
  merchant: Merchant,
  wish: SwapQuoteQuery,
): Promise<SwapQuote> {
  const problems = swapProblems(deps, merchant, wish);
  if (problems.length > 0) throw invalidRequest(problems);
  const terms = swapTerms(deps, wish);
  const { source, credited } = terms;
  if (!isConvertible(deps, source, credited)) throw noMarket(source.assetCode, credited.assetCode);
  const createdAt = deps.clock.now();
  const quote: SwapQuote = {
    ...priceTerms(deps, merchant, terms),
    merchantId: merchant.id,
    id: newId(),
    sourceAsset: source.id,
    targetAsset: credited.id,
    createdAt,
    validUntil: addMs(createdAt, swapQuoteValidityMs),
  };
  await insertSwapQuote(deps.db, quote);
  return quote;
}
