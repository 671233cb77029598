import { endpoints } from '@quittance/contract/endpoints';
import { findAsset } from '../catalog/asset-catalog.ts';
import { type Route, routeFor } from '../http/route.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type WebhookRule, webhookUrlProblems } from '../webhooks/webhook-url-problems.ts';
import { createSwap, type SwapDeps } from './create-swap.ts';
import { listSwaps } from './list-swaps.ts';
import { quoteSwap } from './quote-swap.ts';
import type { Swap } from './swap.ts';
import { swapNotFound } from './swap-errors.ts';
import { swapQuoteRecord, swapRecord } from './swap-record.ts';
import { findAskedSwap, findSwap } from './swap-store.ts';
import { swapProblems } from './swap-terms.ts';
import { waitingPart } from './waiting-record.ts';

const route = routeFor<Merchant>();

/** How long the previous release found a swap by its idempotency key. */
const keyKeptMs = hours(24);

export const swapRoutes = (deps: SwapDeps & WebhookRule): Route<Merchant>[] => {
  const reply = (swap: Swap) => ({ id: swap.id, swap: swapRecord(deps, swap) });
  return [
    route({
      endpoint: endpoints.quoteSwap,
      async handle({ merchant, query }) {
        const quote = await quoteSwap(deps, merchant, query);
        const source = present(findAsset(deps.assets, quote.sourceAsset), 'the source asset');
        const account = merchantAccount(merchant.id, 'available', source.id);
        const available = (await readBalances(deps.db, [account])).get(account) ?? 0n;
        const waiting = await waitingPart(deps, merchant.id, source, available);
        return { quote: swapQuoteRecord(deps, quote), ...waiting };
      },
    }),
    route({
      endpoint: endpoints.createSwap,
      check: ({ merchant, body }) => [
        ...(body.quoteId === undefined ? swapProblems(deps, merchant, body) : []),
        ...webhookUrlProblems(deps, merchant, body.webhook),
      ],
      async recall(merchantId, key) {
        const asked = await findAskedSwap(deps.db, merchantId, key, addMs(deps.clock.now(), -keyKeptMs));
        return asked && reply(asked);
      },
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(({ begin }) => createSwap(deps, merchant, { body, actor, begin }), reply),
    }),
    route({
      endpoint: endpoints.getSwap,
      async handle({ merchant, query }) {
        const swap = await findSwap(deps.db, merchant.id, query.id);
        if (!swap) throw swapNotFound(query.id);
        return { swap: swapRecord(deps, swap) };
      },
    }),
    route({
      endpoint: endpoints.listSwaps,
      async handle({ merchant, query }) {
        const { items, next } = await listSwaps(deps.db, merchant.id, query, query.state ?? null);
        return { swaps: items.map((swap) => swapRecord(deps, swap)), next };
      },
    }),
  ];
};
