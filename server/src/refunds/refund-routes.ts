import { endpoints } from '@quittance/contract/endpoints';
import { refundStates } from '@quittance/contract/refund';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { refundRecord } from '../checkouts/checkout-record.ts';
import { findDossiers } from '../checkouts/checkout-store.ts';
import { type FoundRefund, findAskedRefund, findRefund, replaceClaim } from '../checkouts/refund-store.ts';
import { readWords } from '../http/page-cursor.ts';
import { type Route, routeFor } from '../http/route.ts';
import { addMs, hours } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { cancelRefund } from './advance-refund.ts';
import { approveRefund } from './approve-refund.ts';
import { newClaimToken } from './claim-refund.ts';
import { listRefunds } from './list-refunds.ts';
import { refundNotFound } from './refund-errors.ts';
import { type RequestedRefund, type RequestRefundDeps, requestRefund } from './request-refund.ts';

const route = routeFor<Merchant>();

export const refundRoutes = (deps: RequestRefundDeps): Route<Merchant>[] => {
  const replyOf = ({ merchantId, checkoutId, refund, claimToken, ...approval }: RequestedRefund) => ({
    refund: refundRecord(deps, checkoutId, refund),
    ...approval,
    ...(claimToken !== null && { claimUrl: claimUrl(deps.originFor(merchantId), checkoutId, claimToken) }),
  });
  return [
    route({
      endpoint: endpoints.createRefund,
      async recall(merchantId, key) {
        const asked = await findAskedRefund(deps.db, merchantId, key, addMs(deps.clock.now(), -keyKeptMs));
        // Only the hash of a token is stored, and whoever asks again has lost the token: from now on the link in this
        // answer works.
        return (
          asked &&
          replyOf({ ...asked, claimToken: await newClaimToken((hash) => replaceClaim(deps.db, asked.refund.id, hash)) })
        );
      },
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(({ begin }) => requestRefund(deps, { merchant, actor, begin }, body), replyOf),
    }),
    route({
      endpoint: endpoints.approveRefund,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(({ begin }) => approveRefund(deps, { merchantId: merchant.id, actor, begin }, body.id), replyOf),
    }),
    route({
      endpoint: endpoints.cancelRefund,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(
          ({ begin }) => cancelRefund(deps, { merchantId: merchant.id, actor, begin }, body.id),
          ({ checkoutId, refund }: FoundRefund) => ({ refund: refundRecord(deps, checkoutId, refund) }),
        ),
    }),
    route({
      endpoint: endpoints.getRefund,
      async handle({ merchant, query }) {
        const found = await findRefund(deps.db, merchant.id, query.id);
        if (!found) throw refundNotFound(query.id);
        return { refund: refundRecord(deps, found.checkoutId, found.refund) };
      },
    }),
    route({
      endpoint: endpoints.listRefunds,
      async handle({ merchant, query }) {
        const { checkoutId, state } = query;
        const states = state === undefined ? refundStates : readWords('state', state, refundStates);
        if (checkoutId === undefined) {
          const { items, next } = await listRefunds(deps.db, merchant.id, states, query);
          return { refunds: items.map((each) => refundRecord(deps, each.checkoutId, each.refund)), next };
        }
        const key = { merchantId: merchant.id, id: checkoutId };
        const [dossier] = await findDossiers(deps.db, [key], { hasQuotes: false });
        if (!dossier) throw checkoutNotFound(checkoutId);
        const refunds = dossier.refunds.filter((refund) => states.includes(refund.state));
        return { refunds: refunds.map((refund) => refundRecord(deps, checkoutId, refund)), next: null };
      },
    }),
  ];
};

/** How long the previous release found a refund by its idempotency key. */
const keyKeptMs = hours(24);

/** English in the path means that the browser's language decides, as on the payment page. */
export const claimUrl = (origin: string, checkoutId: string, token: string): string =>
  `${origin}/en/checkout/${checkoutId}/refund?token=${token}`;
