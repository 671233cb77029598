/**
 * The merchant gives money back. It is set aside under the lock of the checkout and of the books, together with the
 * request to send it, so that two refunds at once cannot both have the same money. Without an address the customer gets
 * a link to say where to, and the money waits in reserve until then.
 */

import type { RefundBody } from '@quittance/contract/refund';
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Checkout } from '../checkouts/checkout.ts';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { settlementReference } from '../checkouts/checkout-facts.ts';
import { findDossier, lockDossier, newestAddress } from '../checkouts/checkout-store.ts';
import { type FeePayer, type Refund, recountTaken } from '../checkouts/refund.ts';
import { type FoundRefund, insertRefund } from '../checkouts/refund-store.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import type { Tx } from '../db/database.ts';
import { apiKeyOf, type KeyActor } from '../http/actor.ts';
import type { Merchant } from '../http/caller.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { invalidRequest } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import type { Destination } from '../networks/port/sending.ts';
import { insertTransfers } from '../sending/outgoing-store.ts';
import { type AdvanceDeps, decideLocked, settlementTerms } from '../settlements/advance-checkout.ts';
import { beingUnsettled } from '../settlements/settlement-errors.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import { ordersOf } from '../venues/venue-order-store.ts';
import {
  type ApprovalLimitRecord,
  approvalLimit,
  approvalLimitRecord,
  hasApprovalLimit,
  needsApproval,
} from '../wallets/approval-limit.ts';
import { lockApprovals } from '../wallets/approval-store.ts';
import { lockLeaving } from '../wallets/what-may-leave.ts';
import { claimMs, expiryOf, hashOfToken, newToken, transferOf } from './claim-refund.ts';
import { demandLeaving, demandLikelyLeaving } from './demand-leaving.ts';
import { type PricedRefund, priceRefund, type RefundWish } from './price-refund.ts';
import {
  demandGoodAddress,
  demandRightAmount,
  demandSendable,
  estimatedFee,
  type RefundCarrier,
  refundCarrier,
} from './refund-carrier.ts';
import { beingExchanged, cannotSendThere, notEnoughAvailable, tooLittleToSend } from './refund-errors.ts';

export type RequestedRefund = FoundRefund & {
  readonly claimToken: string | null;
  readonly approvalLimit?: ApprovalLimitRecord;
};

export async function requestRefund(
  deps: AdvanceDeps,
  caller: {
    readonly merchant: Merchant;
    readonly actor: KeyActor;
    readonly begin: Begin<RequestedRefund>;
  },
  body: RefundBody,
): Promise<RequestedRefund> {
  const { merchant, begin } = caller;
  const { id: merchantId } = merchant;
  const terms = settlementTerms(deps);
  const wish = readWish(deps, body);
  const destination = readDestination(body);
  const seen = await findDossier(deps.db, merchantId, body.checkoutId);
  if (!seen) throw checkoutNotFound(body.checkoutId);

  // Asked before anything is locked: a network may take its time to say what it costs.
  const first = priceRefund(seen, wish, terms, deps.clock.now());
  const isAsPaid = first.takes.length > 0;
  const carrier = refundCarrier(deps, first.asset, { wished: wish.network, paidOn: first.network, isAsPaid });
  if (destination) await demandGoodAddress(deps.db, carrier.connector, destination);
  const id = newId();
  const payTo = destination ?? (await standIn(deps, carrier));
  const { feeUnits, heldFeeUnits } = await estimatedFee(deps, carrier, { ...first, id }, payTo, destination === null);
  await demandLikelyLeaving(deps, deps.db, seen.checkout, first);

  return begin(async (tx) => {
    const now = deps.clock.now();
    const dossier = await lockDossier(tx, merchantId, body.checkoutId);
    if (!dossier) throw checkoutNotFound(body.checkoutId);
    const priced = priceRefund(dossier, wish, terms, now);
    if (priced.asset !== first.asset || priced.network !== first.network) throw beingUnsettled();
    if (priced.takes.length > 0 && (await isBeingExchanged(tx, dossier.checkout, priced.asset))) throw beingExchanged();
    if (hasApprovalLimit(merchant, 'refund')) await lockApprovals(tx, merchantId);
    const limit = await approvalLimit(deps, tx, merchant, 'refund');
    const isToApprove = needsApproval(deps, limit, priced);
    const sendsTo = isToApprove ? null : destination;
    if (sendsTo) await demandSendable(deps, tx, carrier.connector, priced, dossier.payments);

    const locked = await lockLeaving(tx, merchantId);
    const claimToken = destination === null && !isToApprove ? newToken() : null;
    const claimHash = claimToken === null ? null : hashOfToken(claimToken);
    let refund: Refund | undefined;
    await decideLocked(deps, tx, dossier, priced.asset, async (available) => {
      refund = {
        ...priced,
        ...feeShared(deps, priced, carrier, { available, feeUnits, wished: body.feePaidBy }),
        ...{
          id,
          state: isToApprove ? 'AWAITING_APPROVAL' : destination ? 'SENDING' : 'CLAIMABLE',
          place: 'none',
          network: carrier.connector.network.id,
        },
        ...(destination ?? { address: null, memo: null, memoType: null }),
        claimExpiresAt: destination ? null : addMs(now, claimMs),
        ...{
          heldFeeUnits,
          costUnits: 0n,
          txHash: null,
          failure: null,
          meta: body.meta ?? null,
          requestedAt: now,
          endedAt: null,
        },
      };
      if (destination) demandRightAmount(deps, carrier.connector, refund, destination);
      await demandLeaving(deps, tx, dossier.checkout, refund, { availableUnits: available, locked });
      await insertRefund(tx, dossier.checkout, refund, { apiKey: apiKeyOf(caller.actor), claimHash });
      return recountTaken({ ...dossier, refunds: [...dossier.refunds, refund] });
    });

    const made = present(refund, 'the refund that was decided');
    const why = {
      refund: id,
      context: made.context,
      units: made.units.toString(),
      asset: made.asset,
      basis: made.basis,
    };
    await addToTimeline(tx, dossier.checkout, [{ what: 'refund_requested', why }], now);
    const detail = { ...why, checkoutId: body.checkoutId, address: made.address };
    await insertAudit(tx, { merchantId, at: now, actor: caller.actor, action: 'refund.requested', detail });
    if (sendsTo) await insertTransfers(tx, [transferOf(dossier, made, sendsTo)], now);
    if (claimToken !== null) await enqueue(tx, expiryOf(dossier, made));
    const counted = isToApprove ? null : made;
    return {
      ...{ merchantId, checkoutId: body.checkoutId, refund: { ...made, place: 'reserved' }, claimToken },
      ...approvalLimitRecord(deps, limit, counted),
    };
  });
}

/** What a venue is about to sell, or has sold for the credit that is due, cannot be given back as well. */
async function isBeingExchanged(tx: Tx, checkout: Checkout, asset: string): Promise<boolean> {
  const { id, state, acceptedAt, settlements } = checkout;
  const isCreditDue = acceptedAt !== null || state === 'PROCESSING';
  const isForIt = ({ reference }: VenueOrder): boolean => reference === settlementReference(id, settlements + 1);
  const orders = (await ordersOf(tx, [id])).filter(({ sourceAsset }) => sourceAsset === asset);
  return orders.some((order) => order.state === 'PENDING' || (order.state === 'DONE' && isCreditDue && isForIt(order)));
}

function readWish(deps: AdvanceDeps, body: RefundBody): RefundWish {
  const { context, amount, network, basis } = body;
  const asset = body.asset === undefined ? undefined : findAsset(deps.assets, body.asset)?.id;
  if (body.asset !== undefined && asset === undefined) throw invalidRequest(`asset ${body.asset} is not known.`);
  return { context, amount, asset, network, basis };
}

function readDestination({ address, memo: given, memoType }: RefundBody): Destination | null {
  const memo = given?.trim() || null;
  if (address === undefined && (memo !== null || memoType !== undefined))
    throw invalidRequest('memo and memoType belong to an address.');
  if (address === undefined) return null;
  return { address: address.trim(), memo, memoType: memo === null ? null : (memoType ?? 'text') };
}

async function standIn({ db }: AdvanceDeps, { connector }: RefundCarrier): Promise<Destination> {
  const own = connector.wallet ?? (await newestAddress(db, connector.network.id));
  if (!own)
    throw cannotSendThere(`Give the address: on ${connector.network.name} the customer cannot be asked for it.`);
  return { address: own.address, memo: own.memo, memoType: own.memoType };
}

/** Who bears the fee, and what the customer then gets. */
function feeShared(
  deps: AdvanceDeps,
  { asset, units, takes }: PricedRefund,
  carrier: RefundCarrier,
  terms: { available: bigint; feeUnits: bigint; wished: FeePayer | undefined },
): Pick<Refund, 'feeUnits' | 'feePaidBy' | 'sentUnits'> {
  const { available, feeUnits } = terms;
  const fromAvailable = takes.length > 0 ? 0n : units;
  const isMerchantAble = takes.length === 0 && available >= units + feeUnits;
  const feePaidBy = terms.wished ?? (isMerchantAble ? 'merchant' : 'customer');
  const sentUnits = carrier.sendable(feePaidBy === 'customer' ? units - feeUnits : units);
  if (sentUnits <= 0n || sentUnits < carrier.leastUnits)
    throw tooLittleToSend(carrier.assetCode, carrier.connector.network.name);
  const needed = fromAvailable + (feePaidBy === 'merchant' ? feeUnits : 0n);
  if (needed > available) {
    const { ledgerScale } = present(findAsset(deps.assets, asset), `asset ${asset}`);
    throw notEnoughAvailable(formatUnits(needed, ledgerScale), formatUnits(available, ledgerScale), carrier.assetCode);
  }
  return { feeUnits, feePaidBy, sentUnits };
}
