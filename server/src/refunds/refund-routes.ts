import { endpoints } from '@quittance/contract/endpoints';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { refundRecord } from '../checkouts/checkout-record.ts';
import { findDossiers } from '../checkouts/checkout-store.ts';
import { type FoundRefund, findAskedRefund, findRefund, replaceClaim } from '../checkouts/refund-store.ts';
import { type Route, route } from '../http/route.ts';
import { addMs, hours } from '../lib/clock.ts';
import type { AdvanceDeps } from '../settlements/advance-checkout.ts';
import { cancelRefund } from './advance-refund.ts';
import { approveRefund } from './approve-refund.ts';
import { newClaimToken } from './claim-refund.ts';
import { refundNotFound } from './refund-errors.ts';
import { type RequestedRefund, requestRefund } from './request-refund.ts';

export const refundRoutes = (deps: AdvanceDeps): Route[] => {
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
        // Of the token only the hash was kept, and whoever asks again has lost it: the link of this answer is the one that works.
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
        const key = { merchantId: merchant.id, id: query.checkoutId };
        const [dossier] = await findDossiers(deps.db, [key], { hasQuotes: false });
        if (!dossier) throw checkoutNotFound(query.checkoutId);
        return { refunds: dossier.refunds.map((refund) => refundRecord(deps, query.checkoutId, refund)) };
      },
    }),
  ];
};

/** The previous release found a refund by the key that it was asked for with, for so long. */
const keyKeptMs = hours(24);

/** English in the path means that the browser decides, as on the payment page. */
const claimUrl = (origin: string, checkoutId: string, token: string): string =>
  `${origin}/en/checkout/${checkoutId}/refund?token=${token}`;
