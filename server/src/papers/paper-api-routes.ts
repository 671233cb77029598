import { endpoints } from '@quittance/contract/endpoints';
import { type Route, routeFor } from '../http/route.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { creditByHand, type IssueDeps } from './issue-paper.ts';
import { listed, listPapers, matchPapers, showPaper } from './list-papers.ts';
import { kindNamed, type PaperUrlDeps, paperDetails, paperRecord } from './paper-record.ts';
import type { StoredPaper } from './paper-store.ts';
import { sendPaper } from './send-paper.ts';

export type PaperApiDeps = IssueDeps & PaperUrlDeps & { readonly sendsEmail: boolean };

const route = routeFor<Merchant>();

export const paperApiRoutes = (deps: PaperApiDeps): Route<Merchant>[] => [
  route({
    endpoint: endpoints.listPapers,
    async handle({ merchant, may, query: { kind, checkoutId = null, customerId = null, search, ...page } }) {
      const filter = {
        kind: kind === undefined ? null : kindNamed(kind),
        customerId,
        checkoutId,
        matches:
          search === undefined
            ? null
            : await matchPapers(deps.db, merchant.id, search, { mayReadCustomers: may('readCustomers') }),
      };
      const { items, next } = await listPapers(deps.db, merchant.id, filter, page);
      return { papers: items.map(paperRecord), next };
    },
  }),
  route({
    endpoint: endpoints.getPaper,
    handle: async ({ merchant, query }) => ({
      paper: paperDetails(deps, await showPaper(deps.db, merchant.id, query.id)),
    }),
  }),
  route({
    endpoint: endpoints.createCreditNote,
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut<StoredPaper>(
        ({ begin }) => {
          const { paperId, amount = null, reason = null } = body;
          const by = { merchantId: merchant.id, actor, begin, requestId: newId() };
          return creditByHand(deps, by, { paperId, amount, reason });
        },
        (note) => ({ paper: paperRecord(listed([], note, false)) }),
      ),
  }),
  route({
    endpoint: endpoints.sendPaper,
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut<StoredPaper>(
        ({ begin }) => sendPaper({ ...deps, begin, actor }, merchant.id, body.id),
        ({ id, number }) => ({ id, number }),
      ),
  }),
];
