import { endpoints } from '@quittance/contract/endpoints';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { checkoutRecord, type RecordDeps } from '../checkouts/checkout-record.ts';
import type { Db } from '../db/database.ts';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type WebhookRule, webhookUrlProblems } from '../webhooks/webhook-url-problems.ts';
import { closePaymentLink } from './close-payment-link.ts';
import { type CreateLinkDeps, createPaymentLink } from './create-payment-link.ts';
import { listLinkCheckouts, listPaymentLinks, type ShownLink, showPaymentLink } from './list-payment-links.ts';
import { noSums, type PaymentLink } from './payment-link.ts';
import { paymentLinkProblems } from './payment-link-problems.ts';
import { type LinkUrlDeps, paymentLinkRecord } from './payment-link-record.ts';
import { secretOfLink } from './secret-of-link.ts';

export type PaymentLinkApiDeps = CreateLinkDeps &
  LinkUrlDeps &
  RecordDeps &
  WebhookRule & { readonly db: Db; readonly assets: AssetCatalog };

const route = routeFor<Merchant>();

export const paymentLinkApiRoutes = (deps: PaymentLinkApiDeps): Route<Merchant>[] => [
  route({
    endpoint: endpoints.createPaymentLink,
    check: async ({ merchant, body }) => [
      ...(await paymentLinkProblems(deps, merchant, body)),
      ...webhookUrlProblems(deps, merchant, body.webhook),
    ],
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(
        ({ begin }) => createPaymentLink(deps, { merchantId: merchant.id, body, actor, begin }),
        (link: PaymentLink) => ({ paymentLink: paymentLinkRecord(deps, link, noSums) }),
      ),
  }),
  route({
    endpoint: endpoints.getPaymentLink,
    async handle({ merchant, query }) {
      const { link, sums } = await showPaymentLink(deps.db, { merchantId: merchant.id, id: query.id });
      return { paymentLink: paymentLinkRecord(deps, link, sums) };
    },
  }),
  route({
    endpoint: endpoints.listPaymentLinks,
    async handle({ merchant, query }) {
      const { items, next } = await listPaymentLinks(deps.db, merchant.id, query);
      return { paymentLinks: items.map(({ link, sums }) => paymentLinkRecord(deps, link, sums)), next };
    },
  }),
  route({
    endpoint: endpoints.listPaymentLinkCheckouts,
    async handle({ merchant, query }) {
      const { items, next } = await listLinkCheckouts(deps.db, { merchantId: merchant.id, id: query.id }, query);
      return { checkouts: items.map((dossier) => checkoutRecord(deps, dossier)), next };
    },
  }),
  route({
    endpoint: endpoints.getPaymentLinkSecret,
    async handle({ merchant, query: { id } }) {
      return { id, secret: (await secretOfLink(deps, { merchantId: merchant.id, id })).reveal() };
    },
  }),
  route({
    endpoint: endpoints.closePaymentLink,
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(
        ({ begin }) => closePaymentLink({ ...deps, begin }, { merchantId: merchant.id, id: body.id }, actor),
        ({ link, sums }: ShownLink) => ({ paymentLink: paymentLinkRecord(deps, link, sums) }),
      ),
  }),
];
