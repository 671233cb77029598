/** What is written to a linked customer, and when: enqueued in the transaction of what it tells. Pure. */
import type { NewJob } from '../jobs/enqueue.ts';
import { addMs, minutes } from '../lib/clock.ts';
import type { StatusMailKind } from '../merchants/status-mails.ts';
import type { Checkout, CheckoutDossier } from './checkout.ts';
import { isCredited } from './checkout-state.ts';

/** Who pays in two parts, or again with the fee that was missing, has mostly done so by then and is told nothing. */
const partWaitMs = minutes(5);

type Linked = Pick<Checkout, 'merchantId' | 'id' | 'customerId'>;

function statusMailJob(checkout: Linked, kind: StatusMailKind, cause: string, at: Date, waitMs = 0): NewJob {
  const { merchantId, id: checkoutId } = checkout;
  const payload = { merchantId, checkoutId, kind, cause, at: at.toISOString() };
  return { name: 'status.mail', payload, runAt: addMs(at, waitMs) };
}

export const createdMailJob = (checkout: Linked, at: Date): NewJob => statusMailJob(checkout, 'created', 'once', at);

/**
 * What has become of a checkout between two looks at it. A settlement has a generation and a refund an id; that a part came,
 * and that the time ran out over it, may happen again after a reorganisation: the moment tells them apart.
 */
export function statusMailJobs(before: CheckoutDossier, after: CheckoutDossier, at: Date): NewJob[] {
  const { checkout } = after;
  if (checkout.customerId === null) return [];
  const moment = String(at.getTime());
  const isPartly = ({ checkout: { state, exceptions } }: CheckoutDossier): boolean =>
    state === 'PENDING' && exceptions.includes('PARTIAL');
  const isShort = ({ checkout: { state } }: CheckoutDossier): boolean => state === 'UNDERPAID';
  // Its refund came back: who was told of that refund hears from the shop, and not that the time ran out long ago.
  const isRefunded = before.checkout.state === 'REFUNDED';
  const isNew = (is: (dossier: CheckoutDossier) => boolean): boolean => is(after) && !is(before);
  const settled = isCredited(checkout.state)
    ? after.settlements.filter(({ generation }) => generation > before.checkout.settlements).slice(-1)
    : [];
  const wasSent = new Set(before.refunds.flatMap(({ id, place }) => (place === 'sent' ? [id] : [])));
  const sent = after.refunds.filter(({ id, place }) => place === 'sent' && !wasSent.has(id));
  return [
    ...settled.map(({ generation }) => statusMailJob(checkout, 'paid', String(generation), at)),
    ...(isNew(isPartly) ? [statusMailJob(checkout, 'underpaid', moment, at, partWaitMs)] : []),
    ...(isNew(isShort) && !isRefunded ? [statusMailJob(checkout, 'expired', moment, at)] : []),
    ...sent.map(({ id }) => statusMailJob(checkout, 'refunded', id, at)),
  ];
}
