/** A person swaps: asks for a price that holds for a minute, and signs exactly this one. */
import { swapBody, swapQuoteQuery } from '@quittance/contract/swap';
import { type CatalogAsset, findAsset, isAvailable, isCreditable } from '../../catalog/asset-catalog.ts';
import { personActor } from '../../http/actor.ts';
import { readInput } from '../../http/read-input.ts';
import { merchantAccount } from '../../ledger/chart-of-accounts.ts';
import { readBalances } from '../../ledger/ledger-store.ts';
import { present } from '../../lib/assert.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { isConvertible } from '../../venues/convertible.ts';
import { createSwap } from '../../wallets/create-swap.ts';
import { listSwaps } from '../../wallets/list-swaps.ts';
import { quoteSwap } from '../../wallets/quote-swap.ts';
import { readWallets } from '../../wallets/read-wallets.ts';
import type { Swap, SwapQuote } from '../../wallets/swap.ts';
import { swapNotFound, swapQuoteNotFound } from '../../wallets/swap-errors.ts';
import { swapQuoteRecord, swapRecord } from '../../wallets/swap-record.ts';
import { findSwap, findSwapQuote } from '../../wallets/swap-store.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import {
  actorNames,
  amountText,
  askedText,
  byWorth,
  demandNoPreparing,
  orProblem,
  withPoint,
} from '../frame/money-words.ts';
import { swapPath } from './balances-page.ts';
import type { MoneyDeps } from './money-deps.ts';
import { oneSwapPage, quotePage, quotePath, type SwapWishAsked, swapPage } from './swap-page.ts';

const pageSize = 20;

const readAsked = ({ request }: MemberContext): SwapWishAsked => ({
  from: askedText(request, 'from'),
  to: askedText(request, 'to'),
  amount: askedText(request, 'amount'),
  of: askedText(request, 'of') === 'wanted' ? 'wanted' : 'given',
});

export function swappingRoutes(deps: MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  return [
    accountRoute({
      method: 'GET',
      path: swapPath,
      access: { may: 'seeBalances' },
      handle: async (context) => accountReply(200, context.look, await formPage(context, readAsked(context), null)),
    }),
    accountRoute({
      method: 'GET',
      path: `${swapPath}/quote`,
      access: { may: 'moveMoney' },
      async handle(context) {
        const { look, merchant, request, grant } = context;
        demandNoPreparing(grant);
        const asked = readAsked(context);
        const quote = await orProblem(async () => quoteSwap(deps, merchant, readWish(asked)));
        if (quote instanceof GatewayError)
          return accountReply(quote.httpStatus, look, await formPage(context, asked, quote));
        const record = swapQuoteRecord(deps, quote);
        const source = present(findAsset(deps.assets, quote.sourceAsset), 'the source asset');
        const account = merchantAccount(merchant.id, 'available', source.id);
        const page = quotePage(look, {
          asked,
          quoteId: quote.id,
          given: amountText(look, record.sourceAmount, record.sourceAssetCode),
          wanted: amountText(look, record.targetAmount, record.targetAssetCode),
          fee: amountText(look, record.fee, record.targetAssetCode),
          rate: { code: record.sourceAssetCode, price: record.rate, currency: record.targetAssetCode },
          spread: record.spread,
          validUntil: quote.validUntil,
          source,
          availableUnits: (await readBalances(deps.db, [account])).get(account) ?? 0n,
          givenUnits: quote.sourceUnits,
          wasOver: request.query['over'] === 'yes',
        });
        return accountReply(200, look, page);
      },
    }),
    accountRoute({
      method: 'POST',
      path: swapPath,
      access: { may: 'moveMoney' },
      isOnce: true,
      order: orderOfSwap,
      // Nothing leaves the account by it, so there is no limit for approvals.
      codeSuffices: () => true,
      async handle(context) {
        const { merchant, signedIn, grant, form } = context;
        demandNoPreparing(grant);
        const actor = personActor(signedIn.person.id);
        const quoteId = form.get('quote') ?? '';
        const body = readInput(swapBody, { quoteId }, { name: 'The swap' });
        if (body.quoteId === undefined) throw swapQuoteNotFound(quoteId);
        try {
          return await context.once<Swap>(
            ({ begin }) => createSwap(deps, merchant, { body, actor, begin }),
            ({ id }) => `${swapPath}/${id}`,
          );
        } catch (error) {
          const quote = await findSwapQuote(deps.db, merchant.id, quoteId);
          if (!(error instanceof GatewayError && error.code === 'quote_over' && quote)) throw error;
          return redirect(quotePath(askedAgain(quote), true));
        }
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${swapPath}/:id`,
      access: { may: 'seeBalances' },
      async handle({ look, merchant, request }) {
        const id = request.params['id'] ?? '';
        const swap = await findSwap(deps.db, merchant.id, id);
        if (!swap) throw swapNotFound(id);
        const names = await actorNames(deps.db, merchant.id);
        return accountReply(200, look, oneSwapPage(deps, look, swapRecord(deps, swap), names, swap.requestedBy));
      },
    }),
  ];

  /** As it was quoted: the price is part of what is signed. */
  async function orderOfSwap({ merchant, form }: MemberContext): Promise<string> {
    const id = form.get('quote') ?? '';
    const quote = await findSwapQuote(deps.db, merchant.id, id);
    if (!quote) return `swap by the quote ${id}`;
    const { sourceAmount, sourceAssetId, targetAmount, targetAssetId } = swapQuoteRecord(deps, quote);
    return `swap ${sourceAmount} ${sourceAssetId} for ${targetAmount} ${targetAssetId} by the quote ${id}`;
  }

  function askedAgain(quote: SwapQuote): SwapWishAsked {
    const { sourceAssetId, targetAssetId, sourceAmount } = swapQuoteRecord(deps, quote);
    return { from: sourceAssetId, to: targetAssetId, amount: sourceAmount, of: 'given' };
  }

  async function formPage(context: MemberContext, asked: SwapWishAsked, problem: GatewayError | null) {
    const { look, merchant, request } = context;
    const cursor = askedText(request, 'cursor');
    const [wallets, { items, next }] = await Promise.all([
      readWallets(deps, merchant),
      listSwaps(deps.db, merchant.id, { limit: pageSize, ...(cursor !== '' && { cursor }) }, null),
    ]);
    const full = byWorth(wallets).filter(({ available }) => available !== '0');
    const given = full.flatMap(({ assetId }) => findAsset(deps.assets, assetId) ?? []);
    const wanted = wantedFor(merchant, given);
    const from = findAsset(deps.assets, asked.from)?.id ?? given[0]?.id ?? '';
    const to = findAsset(deps.assets, asked.to)?.id ?? wanted.find(({ id }) => id !== from)?.id ?? '';
    return swapPage(look, {
      asked: { ...asked, from, to },
      wallets: full,
      wanted,
      swaps: items.map((swap) => swapRecord(deps, swap)),
      next,
      isFirst: cursor === '',
      problem,
    });
  }

  /** What something that is there can be exchanged for. */
  function wantedFor(merchant: Merchant, given: readonly CatalogAsset[]): CatalogAsset[] {
    const enabled = new Set(merchant.highRiskAssets);
    return deps.assets.assets.filter(
      (wanted) =>
        isAvailable(wanted, enabled) &&
        isCreditable(wanted, merchant.riskTolerance) &&
        given.some((each) => isConvertible(deps, each, wanted)),
    );
  }
}

function readWish({ from, to, amount, of }: SwapWishAsked) {
  const amounts = of === 'given' ? { sourceAmount: withPoint(amount) } : { targetAmount: withPoint(amount) };
  return readInput(swapQuoteQuery, { sourceAsset: from, targetAsset: to, ...amounts }, { name: 'The swap' });
}
