/** Everything that the page of one checkout shows, and what can be decided about it by this person. */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import { findDossier } from '../checkouts/checkout-store.ts';
import type { Refund } from '../checkouts/refund.ts';
import { askersOfRefunds } from '../checkouts/refund-store.ts';
import { findTimeline, type TimelineRow } from '../checkouts/timeline-store.ts';
import { type Customer, findCustomer } from '../counterparties/customer-store.ts';
import { type Actor, personActor } from '../http/actor.ts';
import { GatewayError } from '../lib/errors.ts';
import { isOwnOrder } from '../merchants/is-own-order.ts';
import { membersOf } from '../people/person-store.ts';
import { type PricedRefund, priceRefund, type RefundWish } from '../refunds/price-refund.ts';
import type { RequestRefundDeps } from '../refunds/request-refund.ts';
import { settlementTerms } from '../settlements/advance-checkout.ts';
import { type InSuspense, inSuspense } from '../settlements/refundable.ts';
import { type DeliveryRow, deliveriesOfSubject } from '../webhooks/webhook-log-store.ts';
import type { AccountLook } from './account-look.ts';

export type CheckoutView = {
  readonly dossier: CheckoutDossier;
  readonly timeline: readonly TimelineRow[];
  readonly deliveries: readonly DeliveryRow[];
  /** Null: the shop named none, or the role does not show who it is. */
  readonly customer: Customer | null;
  readonly waiting: readonly InSuspense[];
  /** What can be sent back at most: one for each rail in suspense, else what was credited. */
  readonly refundable: readonly PricedRefund[];
  readonly toApprove: readonly AskedRefund[];
  readonly now: Date;
};

/** A refund that waits for approval. */
export type AskedRefund = {
  readonly refund: Refund;
  /** Undefined: it was not stored. */
  readonly asker: Actor | undefined;
  /** Of a person who still belongs to the account. */
  readonly name: string | null;
  /** Of whoever looks at it, who therefore cannot approve it. */
  readonly isOwn: boolean;
};

const deliveriesShown = 20;

export async function findView(
  deps: RequestRefundDeps,
  look: AccountLook,
  merchantId: string,
  id: string,
): Promise<CheckoutView> {
  const dossier = await findDossier(deps.db, merchantId, id);
  if (!dossier) throw checkoutNotFound(id);
  const { customerId } = dossier.checkout;
  const isCustomerShown = customerId !== null && look.may('seeCustomers');
  const [timeline, deliveries, customer, toApprove] = await Promise.all([
    findTimeline(deps.db, merchantId, id),
    deliveriesOfSubject(deps.db, merchantId, id, deliveriesShown),
    isCustomerShown ? findCustomer(deps.db, merchantId, customerId) : null,
    refundsToApprove(deps, look, dossier),
  ]);
  const now = deps.clock.now();
  const waiting = inSuspense(dossier, now);
  return {
    dossier,
    timeline,
    deliveries,
    customer,
    waiting,
    refundable: refundableOf(deps, dossier, waiting, now),
    toApprove,
    now,
  };
}

/** Every block of these may bring another confirmation. */
export const networksWaitedFor = ({ dossier }: CheckoutView): string[] => [
  ...new Set(
    dossier.payments.filter(({ state }) => state === 'SEEN' || state === 'CONFIRMED').map(({ network }) => network),
  ),
];

async function refundsToApprove(
  { db }: RequestRefundDeps,
  { signedIn }: AccountLook,
  { checkout: { merchantId }, refunds }: CheckoutDossier,
): Promise<AskedRefund[]> {
  const waiting = refunds.filter(({ state }) => state === 'AWAITING_APPROVAL');
  if (waiting.length === 0 || !signedIn) return [];
  const self = personActor(signedIn.person.id);
  const ids = waiting.map(({ id }) => id);
  const [askers, members] = await Promise.all([askersOfRefunds(db, merchantId, ids), membersOf(db, merchantId)]);
  const names = new Map<Actor, string>(members.map(({ personId, name }) => [personActor(personId), name]));
  return Promise.all(
    waiting.map(async (refund) => {
      const asker = askers.get(refund.id);
      const isOwn = asker !== undefined && (await isOwnOrder(db, merchantId, asker, self));
      return { refund, asker, name: (asker && names.get(asker)) ?? null, isOwn };
    }),
  );
}

function refundableOf(
  deps: RequestRefundDeps,
  dossier: CheckoutDossier,
  waiting: readonly InSuspense[],
  now: Date,
): PricedRefund[] {
  const wishes: RefundWish[] =
    waiting.length > 0
      ? waiting.map(({ context, asset, network }) => ({ context, asset, network }))
      : [{ context: 'COMPLETED_CHECKOUT' }];
  return wishes.flatMap((wish) => {
    try {
      return [priceRefund(dossier, wish, settlementTerms(deps), now)];
    } catch (error) {
      // Nothing is left to refund, or nobody knows at the moment what it would be worth.
      if (error instanceof GatewayError) return [];
      throw error;
    }
  });
}

export const canBeCanceled = ({ checkout, payments }: CheckoutDossier): boolean =>
  (checkout.state === 'CREATED' || checkout.state === 'PENDING') && !payments.some(isAlive);
