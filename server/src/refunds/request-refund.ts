/**
 * Money is given back, because the merchant says so or because the payer asks for what nobody was credited for. It is set aside under the locks of the checkout and of the books, together with the
 * request to send it, so that two refunds cannot both take the same money. Without an address the customer gets a link
 * to say where the money shall go, and it stays reserved until then.
 */

import { isDeepStrictEqual } from 'node:util';
import type { RefundBody } from '@quittance/contract/refund';
import type { Checkout } from '../checkouts/checkout.ts';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { settlementReference } from '../checkouts/checkout-facts.ts';
import { lockDossier } from '../checkouts/checkout-store.ts';
import { insertClaimLink } from '../checkouts/claim-link-store.ts';
import { type Refund, recountTaken } from '../checkouts/refund.ts';
import { type FoundRefund, insertRefund } from '../checkouts/refund-store.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import type { Tx } from '../db/database.ts';
import { apiKeyOf, isKeyActor, type KeyActor, type PersonActor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import { goesBackToPayer } from '../networks/port/definition.ts';
import { insertPayouts } from '../sending/payout-store.ts';
import { decideLocked, settlementTerms } from '../settlements/advance-checkout.ts';
import { beingUnsettled } from '../settlements/settlement-errors.ts';
import { demandSmallRefund } from '../settlements/support-limit.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import { ordersOf } from '../venues/venue-order-store.ts';
import {
  type ApprovalLimitRecord,
  approvalLimit,
  approvalLimitRecord,
  needsApproval,
} from '../wallets/approval-limit.ts';
import { lockApprovals } from '../wallets/approval-store.ts';
import { demandDailyLimit } from '../wallets/daily-limit.ts';
import { lockLeaving } from '../wallets/what-may-leave.ts';
import { askableBack } from './askable-back.ts';
import { claimMs, expiryOf, hashOfToken, newToken, payoutOf } from './claim-refund.ts';
import { demandLeaving, demandLikelyLeaving } from './demand-leaving.ts';
import { feeShared, lookAtRefund, type RefundDeps } from './estimate-refund.ts';
import { payerAccount } from './payer-account.ts';
import { priceRefund } from './price-refund.ts';
import { demandRightAmount, demandSendable } from './refund-carrier.ts';
import { beingExchanged, needsPasskey, nothingToRefund } from './refund-errors.ts';

export type RequestedRefund = FoundRefund & {
  readonly claimToken: string | null;
  readonly approvalLimit?: ApprovalLimitRecord;
};

/** A payer has no key, and is shown no link: it is sent to them, in the language of the page on which they asked. */
export type Asker =
  | {
      readonly actor: KeyActor | PersonActor;
      /** Whether somebody else approves it: whatever it is, or nothing that would need it. Left out: above the limit. */
      readonly approval?: 'always' | 'never';
      /** Somebody who gives back no more than the account's limit for support. */
      readonly isSmall?: boolean;
    }
  | { readonly actor: 'payer'; readonly language: string };

export type RequestRefundDeps = RefundDeps;

export async function requestRefund(
  deps: RequestRefundDeps,
  caller: Asker & { readonly merchant: Merchant; readonly begin: Begin<RequestedRefund> },
  body: RefundBody,
): Promise<RequestedRefund> {
  const { merchant, begin } = caller;
  const { id: merchantId } = merchant;
  const terms = settlementTerms(deps);
  const id = newId();
  // The network is asked before anything is locked: it may be slow to say what sending costs.
  const { seen, wish, first, carrier, destination, fee } = await lookAtRefund(deps, merchantId, body, id);
  const { feeUnits, heldFeeUnits } = fee;
  await demandLikelyLeaving(deps, deps.db, seen.checkout, first);

  return begin(async (tx) => {
    const now = deps.clock.now();
    const dossier = await lockDossier(tx, merchantId, body.checkoutId);
    if (!dossier) throw checkoutNotFound(body.checkoutId);
    // Since the payer looked, the rest may have come.
    if (caller.actor === 'payer' && askableBack(dossier, now).length === 0)
      throw nothingToRefund(dossier.checkout.state, 'nothing');
    const priced = priceRefund(dossier, wish, terms, now);
    if (priced.asset !== first.asset || priced.network !== first.network) throw beingUnsettled();
    if (priced.takes.length > 0 && (await isBeingExchanged(tx, dossier.checkout, priced.asset))) throw beingExchanged();
    const payer = goesBackToPayer(carrier.connector.network) ? await payerAccount(tx, carrier, dossier, priced) : null;
    // Somebody else has paid since, or another payment goes back.
    if (payer && !isDeepStrictEqual(payer.destination, destination)) throw beingUnsettled();
    // Limits are read under the lock: asking the network took its time, and they may be others by now.
    await lockApprovals(tx, merchantId);
    const limits = present(await findMerchant(tx, merchantId), 'the merchant');
    if (caller.actor !== 'payer' && caller.isSmall === true)
      await demandSmallRefund(deps, tx, limits, caller.actor, priced);
    const limit = await approvalLimit(deps, tx, limits, 'refund');
    const approval = caller.actor === 'payer' ? undefined : caller.approval;
    const isToApprove = approval === 'always' || needsApproval(deps, limit, priced);
    if (isToApprove && approval === 'never') throw needsPasskey();
    // What was never credited is the payer's: no limit of the account holds it back.
    if (caller.actor !== 'payer') await demandDailyLimit(deps, tx, limits, { ...priced, id }, isToApprove);
    const sendsTo = isToApprove ? null : destination;
    if (sendsTo) await demandSendable(deps, tx, carrier.connector, { ...priced, merchantId }, dossier.payments);

    const locked = await lockLeaving(tx, merchantId);
    const isShownLink = destination === null && !isToApprove && caller.actor !== 'payer';
    const claimToken = isShownLink ? newToken() : null;
    const apiKey = isKeyActor(caller.actor) ? apiKeyOf(caller.actor) : null;
    const claimHash = claimToken === null ? null : hashOfToken(claimToken);
    let refund: Refund | undefined;
    await decideLocked(deps, tx, dossier, priced.asset, async (available) => {
      refund = {
        ...priced,
        ...feeShared(deps.assets, priced, carrier, { available, feeUnits, wished: body.feePaidBy }),
        id,
        state: isToApprove ? 'AWAITING_APPROVAL' : destination ? 'SENDING' : 'CLAIMABLE',
        place: 'none',
        network: carrier.connector.network.id,
        ...(destination ?? { address: null, memo: null, memoType: null, holder: null }),
        claimExpiresAt: destination ? null : addMs(now, claimMs),
        heldFeeUnits,
        costUnits: 0n,
        cameBackUnits: 0n,
        cameBackAt: null,
        comingBack: null,
        txHash: null,
        failure: null,
        meta: body.meta ?? null,
        requestedAt: now,
        endedAt: null,
      };
      if (destination) demandRightAmount(deps, carrier.connector, refund, destination);
      await demandLeaving(deps, tx, dossier.checkout, refund, { availableUnits: available, locked });
      const givesBack = payer?.givesBack ?? null;
      await insertRefund(tx, dossier.checkout, refund, { requestedBy: caller.actor, apiKey, claimHash, givesBack });
      return recountTaken({ ...dossier, refunds: [...dossier.refunds, refund] });
    });

    const made = present(refund, 'the refund that was decided');
    const why = {
      refund: id,
      context: made.context,
      units: made.units.toString(),
      asset: made.asset,
      basis: made.basis,
      ...(caller.actor === 'payer' && { by: caller.actor }),
    };
    await addToTimeline(tx, dossier.checkout, [{ what: 'refund_requested', why }], now);
    const detail = { ...why, checkoutId: body.checkoutId, address: made.address };
    await insertAudit(tx, { merchantId, at: now, actor: caller.actor, action: 'refund.requested', detail });
    if (sendsTo) await insertPayouts(tx, [payoutOf(dossier, made, sendsTo)], now);
    if (made.state === 'CLAIMABLE') await enqueue(tx, expiryOf(dossier, made));
    if (caller.actor === 'payer' && destination === null) {
      const key = { merchantId, refundId: id };
      await insertClaimLink(tx, key, caller.language, now);
      // Where it must be approved first, approving it sends the link.
      if (!isToApprove) await enqueue(tx, [{ name: 'refund.mail', payload: key, runAt: now }]);
    }
    const counted = isToApprove ? null : made;
    return {
      merchantId,
      checkoutId: body.checkoutId,
      refund: { ...made, place: 'reserved' },
      claimToken,
      ...approvalLimitRecord(deps, limit, counted),
    };
  });
}

/** What a venue is about to sell, or has sold for the credit that is due, cannot be refunded as well. */
async function isBeingExchanged(tx: Tx, checkout: Checkout, asset: string): Promise<boolean> {
  const { id, state, acceptedAt, settlements } = checkout;
  const isCreditDue = acceptedAt !== null || state === 'PROCESSING';
  const isForIt = ({ reference }: VenueOrder): boolean => reference === settlementReference(id, settlements + 1);
  const orders = (await ordersOf(tx, [id])).filter(({ sourceAsset }) => sourceAsset === asset);
  return orders.some((order) => order.state === 'PENDING' || (order.state === 'DONE' && isCreditDue && isForIt(order)));
}
