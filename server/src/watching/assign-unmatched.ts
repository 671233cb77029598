/**
 * Money came that named no checkout or deposit. Somebody asked for it, and the operator found out for which it was
 * meant. It leaves the operator's suspense and becomes a payment like any other, with the time at which it arrived.
 */
import { addToTimelines } from '../checkouts/timeline-store.ts';
import type { Db, Tx } from '../db/database.ts';
import { type Actor, isPersonActor, personIdOf } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { leavingNoTrail } from '../http/trail.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { opposite } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { confirmPayments, giveUpName, savePayments } from '../payments/payment-store.ts';
import { membershipsOf } from '../people/person-store.ts';
import { tellHandsOfOrder } from '../people/tell-hands.ts';
import { suspenseLines } from './keep-unmatched.ts';
import { jobFor } from './owner-jobs.ts';
import { lockFree } from './return-unmatched.ts';
import { ownerOf } from './reversal-note.ts';
import { lockUnmatched, markAssigned, targetOfCheckout, type UnmatchedPayment } from './unmatched-store.ts';

type AssignedBy = { readonly actor: Actor; readonly begin: Begin<UnmatchedPayment> };
const byCommand = (db: Db): AssignedBy => ({ actor: 'operator', begin: (work) => db.begin(work) });

export async function assignUnmatched(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  id: string,
  checkoutId: string,
  { actor, begin }: AssignedBy = byCommand(db),
): Promise<UnmatchedPayment> {
  const now = clock.now();
  return begin(async (tx) => {
    const unmatched = await lockUnmatched(tx, id);
    if (!unmatched) throw notFound('unmatched payment', id);
    if (unmatched.assignedCheckoutId === checkoutId) return unmatched;
    await lockFree(tx, id);
    const { network, txHash, block } = unmatched;
    const target = await targetOfCheckout(tx, network, checkoutId);
    if (!target)
      throw invalidRequest(`Checkout ${checkoutId} was never committed on ${network}: commit it there first.`);

    const { merchantId, purpose } = target;
    await demandNotOwn(tx, actor, merchantId);
    await markAssigned(tx, id, { merchantId, checkoutId }, now);
    const detail = { id, checkoutId };
    await leavingNoTrail(() => insertAudit(tx, { merchantId, at: now, actor, action: 'unmatched.assigned', detail }));
    const reference = `unmatched/${network}/${txHash}/${unmatched.txIndex}/assigned`;
    const lines = opposite(suspenseLines(unmatched));
    const subject = { kind: purpose, id: checkoutId };
    await postEntries(tx, [{ reference, kind: 'unmatched_assigned', merchantId, subject, lines }], now);
    const arrival = { ...unmatched, targetKey: target.key };
    const givenUp = await giveUpName(tx, network, arrival);
    await savePayments(tx, network, [
      {
        ...arrival,
        id: newId(),
        isCrumb: false,
        leastUnits: 0n, // Somebody asks for it, so it is looked at by itself.
        confirmationsRequired: 1, // It was final already in suspense.
        firstSeenAt: block.time < unmatched.seenAt ? block.time : unmatched.seenAt,
      },
    ]);
    await confirmPayments(tx, network, { tip: block, safeHeight: -1, finalHeight: -1 }, now);
    if (purpose === 'checkout') {
      const why = { network, tx: txHash };
      await addToTimelines(tx, [{ merchantId, checkoutId, what: 'payment_assigned', why }], now);
      await enqueue(tx, [{ name: 'checkout.advance', payload: { merchantId, checkoutId }, runAt: now }]);
    } else {
      await enqueue(tx, [{ name: 'deposit.advance', payload: { merchantId, depositId: checkoutId }, runAt: now }]);
    }
    const others = givenUp.map((payment) => ({
      ...ownerOf(payment),
      what: 'payment_dropped',
      why: { network, tx: txHash },
    }));
    await addToTimelines(
      tx,
      others.filter((each) => each.purpose === 'checkout'),
      now,
    );
    await enqueue(
      tx,
      others.flatMap((each) => jobFor(network, each, now)),
    );
    await tellHandsOfOrder(tx, { what: 'assigned', orderId: id }, { actor, now });
    return { ...unmatched, assignedCheckoutId: checkoutId };
  });
}

/** One is enough to assign, and two are needed to send it out: who is credited alone could send it out from there. */
async function demandNotOwn(tx: Tx, actor: Actor, merchantId: string): Promise<void> {
  if (!isPersonActor(actor)) return;
  const own = await membershipsOf(tx, personIdOf(actor));
  if (own.some((membership) => membership.merchantId === merchantId)) throw assignedToOwn();
}

const assignedToOwn = (): GatewayError =>
  new GatewayError({
    code: 'assigned_to_own',
    httpStatus: 403,
    message: 'You belong to this account: somebody else of the staff assigns money to it.',
  });
