/** Somebody else approves a refund, never who asked for it. Then it goes on as it was asked for. */

import { lockDossier } from '../checkouts/checkout-store.ts';
import { isByPayer } from '../checkouts/claim-link-store.ts';
import type { Refund } from '../checkouts/refund.ts';
import { refundStates } from '../checkouts/refund-state.ts';
import { askersOfRefunds, findRefund, replaceClaim, saveApproval, saveRefunds } from '../checkouts/refund-store.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { isOwnOrder } from '../merchants/is-own-order.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import { demandAsker } from '../people/demand-asker.ts';
import { demandKnownHands } from '../people/demand-known-hands.ts';
import { insertPayouts } from '../sending/payout-store.ts';
import type { ApprovalDeps } from '../wallets/approval-limit.ts';
import { demandDailyLimit } from '../wallets/daily-limit.ts';
import { type ClaimDeps, claimMs, expiryOf, newClaimToken, payoutOf } from './claim-refund.ts';
import { demandGoodAddress, demandSendable } from './refund-carrier.ts';
import { approvedByItself, notAwaitingApproval, nothingIsSent, refundNotFound } from './refund-errors.ts';
import type { RequestedRefund } from './request-refund.ts';

export async function approveRefund(
  deps: ClaimDeps & ApprovalDeps,
  caller: { readonly merchantId: string; readonly actor: Actor; readonly begin: Begin<RequestedRefund> },
  id: string,
): Promise<RequestedRefund> {
  const { merchantId, actor, begin } = caller;
  const found = await findRefund(deps.db, merchantId, id);
  if (!found) throw refundNotFound(id);
  const { checkoutId } = found;
  return begin(async (tx) => {
    const now = deps.clock.now();
    const dossier = present(await lockDossier(tx, merchantId, checkoutId), 'checkout of a refund');
    const refund = present(
      dossier.refunds.find((each) => each.id === id),
      'the refund to approve',
    );
    if (refund.state !== 'AWAITING_APPROVAL') throw notAwaitingApproval(refund.state);
    const asker = (await askersOfRefunds(tx, merchantId, [id])).get(id);
    if (asker !== undefined && (await isOwnOrder(tx, merchantId, asker, actor))) throw approvedByItself();
    if (asker !== undefined) await demandAsker(tx, merchantId, asker, 'refund');
    await demandKnownHands(tx, merchantId, { asker, approver: actor, now });
    if (asker !== 'payer')
      await demandDailyLimit(deps, tx, present(await findMerchant(tx, merchantId), 'the merchant'), refund);
    const { address, memo, memoType, holder } = refund;
    const destination = address === null ? null : { address, memo, memoType, holder };
    // The customer's time to claim begins when the link exists.
    const approved: Refund = destination
      ? { ...refund, state: refundStates.moved(refund.state, 'send') }
      : { ...refund, state: refundStates.moved(refund.state, 'offer'), claimExpiresAt: addMs(now, claimMs) };
    if (destination) {
      const connector = deps.connectors.get(refund.network);
      if (!connector?.sender) throw nothingIsSent(refund.network);
      // Both may have changed since the refund was asked for.
      await demandGoodAddress(tx, connector, destination);
      await demandSendable(
        deps,
        tx,
        connector,
        { asset: refund.asset, units: refund.sentUnits, merchantId },
        dossier.payments,
      );
      await insertPayouts(tx, [payoutOf(dossier, approved, destination)], now);
      // Its payment may have been taken back while it waited: then it fails, and says why.
      await enqueue(tx, [{ name: 'refund.advance', payload: { merchantId, transferId: id }, runAt: now }]);
    }
    await saveRefunds(tx, [approved]);
    await saveApproval(tx, approved, actor, now);
    await enqueue(tx, expiryOf(dossier, approved));
    // A link that the payer asked for is sent to the payer, and whoever approves does not see it.
    const key = { merchantId, refundId: id };
    const isMailed = destination === null && (await isByPayer(tx, key));
    if (isMailed) await enqueue(tx, [{ name: 'refund.mail', payload: key, runAt: now }]);
    const isShown = destination === null && !isMailed;
    const claimToken = isShown ? await newClaimToken((hash) => replaceClaim(tx, id, hash)) : null;
    await addToTimeline(tx, dossier.checkout, [{ what: 'refund_approved', why: { refund: id } }], now);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'refund.approved', detail: { id } });
    return { merchantId, checkoutId, refund: approved, claimToken };
  });
}
