import { endpoints } from '@quittance/contract/endpoints';
import { listPage } from '../http/page-cursor.ts';
import { type Route, route } from '../http/route.ts';
import { addMs } from '../lib/clock.ts';
import { webhookUrlProblems } from '../webhooks/webhook-url-problems.ts';
import { createSwap, keyKeptMs, type SwapDeps } from './create-swap.ts';
import { quoteSwap } from './quote-swap.ts';
import type { Swap } from './swap.ts';
import { swapNotFound } from './swap-errors.ts';
import { swapQuoteRecord, swapRecord } from './swap-record.ts';
import { findAskedSwap, findSwap, listSwaps } from './swap-store.ts';
import { swapProblems } from './swap-terms.ts';

export const swapRoutes = (deps: SwapDeps): Route[] => {
  const reply = (swap: Swap) => ({ id: swap.id, swap: swapRecord(deps, swap) });
  return [
    route({
      endpoint: endpoints.quoteSwap,
      async handle({ merchant, query }) {
        return { quote: swapQuoteRecord(deps, await quoteSwap(deps, merchant, query)) };
      },
    }),
    route({
      endpoint: endpoints.createSwap,
      check: ({ merchant, body }) => [
        ...(body.quoteId === undefined ? swapProblems(deps, merchant, body) : []),
        ...webhookUrlProblems(merchant, body.webhook),
      ],
      async recall({ merchant }, idempotencyKey) {
        const asked = await findAskedSwap(deps.db, merchant.id, idempotencyKey, addMs(deps.clock.now(), -keyKeptMs));
        return asked && reply(asked);
      },
      handle: async ({ merchant, apiKey, body, idempotencyKey }) =>
        reply(await createSwap(deps, merchant, { body, apiKey, idempotencyKey })),
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
        const { items, next } = await listPage(
          query,
          (range) => listSwaps(deps.db, merchant.id, { ...range, state: query.state ?? null }),
          async (swaps) => swaps,
        );
        return { swaps: items.map((swap) => swapRecord(deps, swap)), next };
      },
    }),
  ];
};
