/**
 * Writes down what was planned for checkouts, in the transaction of whoever planned it: entries, rows, events, and jobs
 * that look again. It decides nothing: everything comes from the plan and from what the checkout was before.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { checkoutRecord, type RecordDeps, refundRecord } from '../checkouts/checkout-record.ts';
import { insertSettlements, markSettlementReversed, saveCheckouts } from '../checkouts/checkout-store.ts';
import { saveRefunds } from '../checkouts/refund-store.ts';
import { statusMailJobs } from '../checkouts/status-mail-jobs.ts';
import { addToTimelines } from '../checkouts/timeline-store.ts';
import type { Tx } from '../db/database.ts';
import { enqueue, type NewJob } from '../jobs/enqueue.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert, present } from '../lib/assert.ts';
import { type PlacedPayment, placePayments, saveValuations } from '../payments/payment-decision-store.ts';
import { type ExchangeDeps, requestExchanges, takeBackExchanges } from '../venues/exchange-on-stellar.ts';
import { type NewEvent, recordEvents } from '../webhooks/record-event.ts';
import type { AdvancePlan } from './plan-advance.ts';

export type PlannedStep = { readonly before: CheckoutDossier; readonly plan: AdvancePlan; readonly hasEmail: boolean };

/** At least a part is credited in another asset than was paid. */
export const isConverted = ({ commitments }: CheckoutDossier): boolean =>
  commitments.some(({ asset, quote }) => quote.settlement.assetId !== asset);

type CarryOutDeps = RecordDeps & ExchangeDeps;

export async function carryOut(deps: CarryOutDeps, tx: Tx, steps: readonly PlannedStep[], now: Date): Promise<void> {
  const entries = steps.flatMap(({ plan }) => plan.entries);
  const [posted] = await Promise.all([
    postEntries(tx, entries, now),
    placePayments(tx, steps.flatMap(placedBy)),
    saveValuations(tx, steps.flatMap(valuedBy)),
    insertSettlements(tx, steps.flatMap(settledBy)),
    requestExchanges(
      deps,
      tx,
      steps.flatMap(({ plan }) => plan.orders),
      now,
    ),
    takeBackExchanges(
      tx,
      steps.flatMap(({ plan }) => plan.overdueOrders),
      now,
    ),
    saveRefunds(tx, steps.flatMap(refundsChangedBy)),
    ...steps.flatMap((step) =>
      reversedBy(step).map(({ generation }) => markSettlementReversed(tx, step.before.checkout, generation, now)),
    ),
    saveCheckouts(tx, steps.filter(changesCheckout).map(changeOf), now),
    addToTimelines(tx, steps.flatMap(notesOf), now),
    recordEvents(
      tx,
      steps.flatMap((step) => eventsOf(deps, step, now)),
    ),
    enqueue(
      tx,
      steps.flatMap((step) => [
        ...furtherLooks(step, now),
        ...refundLooks(step, now),
        ...receiptOf(step, now),
        ...paperOf(step, now),
        ...statusMailJobs(step.before, step.plan.after, now),
      ]),
    ),
  ]);
  // The checkouts are locked and every booking has a number of its own, so none of these can have been posted before.
  assert(posted.size === entries.length, 'an entry of these checkouts had already been posted');
}

const placedBy = ({ before, plan: { after } }: PlannedStep): PlacedPayment[] =>
  after.payments
    .map((payment, position) => ({ payment, seen: present(before.payments[position], 'the payment as it was') }))
    .filter(({ payment, seen }) => payment !== seen)
    .map(({ payment: { id, place, generation, bridge }, seen }) => {
      const unbridgedAt = bridge && bridge !== seen.bridge ? bridge.at : null;
      return { ...ownerOf(before), id, from: seen.place, place, generation, unbridgedAt };
    });

const ownerOf = ({ checkout }: CheckoutDossier) => ({ merchantId: checkout.merchantId, ownerId: checkout.id });

const valuedBy = ({ before, plan: { after } }: PlannedStep) =>
  after.payments
    .filter(({ valuations }, position) => valuations !== before.payments[position]?.valuations)
    .map(({ id, valuations }) => ({ ...ownerOf(before), id, valuations }));

export const settledBy = ({ before: { checkout }, plan: { after } }: PlannedStep) =>
  after.settlements
    .filter((settlement) => settlement.generation > checkout.settlements)
    .map((settlement) => ({ checkout, settlement }));

export const reversedBy = ({ before, plan: { after } }: PlannedStep) =>
  after.settlements.filter(
    (settlement, position) => settlement.reversedAt !== null && before.settlements[position]?.reversedAt === null,
  );

const refundsChangedBy = ({ before, plan: { after } }: PlannedStep) =>
  after.refunds.filter((refund, position) => refund !== before.refunds[position]);

const changesCheckout = ({ before: { checkout }, plan: { after } }: PlannedStep): boolean =>
  after.checkout.state !== checkout.state ||
  after.checkout.settlements !== checkout.settlements ||
  after.checkout.acceptedAt !== checkout.acceptedAt ||
  after.checkout.acceptedExcess !== checkout.acceptedExcess ||
  after.checkout.keptRates !== checkout.keptRates ||
  after.checkout.awaitsBridgeSince !== checkout.awaitsBridgeSince ||
  after.checkout.awaitsDecision !== checkout.awaitsDecision ||
  after.checkout.exceptions.join() !== checkout.exceptions.join();

const changeOf = ({ before, plan }: PlannedStep) => ({ before: before.checkout, after: plan.after.checkout });

const notesOf = ({ before: { checkout }, plan }: PlannedStep) =>
  plan.notes.map((note) => ({ ...note, merchantId: checkout.merchantId, checkoutId: checkout.id }));

const eventsOf = (deps: RecordDeps, { before: { checkout }, plan }: PlannedStep, at: Date): NewEvent[] =>
  plan.events.map(({ type, dossier, refund }) => ({
    merchantId: checkout.merchantId,
    subject: checkout.id,
    type,
    data: {
      checkout: checkoutRecord(deps, dossier),
      ...(refund && { refund: refundRecord(deps, checkout.id, refund) }),
    },
    webhook: checkout.webhook,
    apiKey: checkout.apiKey,
    at,
  }));

/**
 * The commitment has enqueued a job for the end of its window. A payment that is overdue matters only to the treasury,
 * and only until it is in a block.
 */
function furtherLooks({ before, plan: { after, lookAgainAt } }: PlannedStep, now: Date): NewJob[] {
  const { checkout } = before;
  const { state, exceptions, awaitsBridgeSince } = after.checkout;
  const isRetryDue = exceptions.includes('NO_MARKET') || awaitsBridgeSince !== null;
  if (state === 'PROCESSING' && !isRetryDue && !isConverted(before)) return [];
  if (!lookAgainAt || lookAgainAt <= now || lookAgainAt.getTime() === checkout.windowEndsAt?.getTime()) return [];
  const payload = { merchantId: checkout.merchantId, checkoutId: checkout.id };
  return [{ name: 'checkout.advance', payload, runAt: lookAgainAt }];
}

/**
 * A payment that the network took back has left the books: refunds that have not left may be of it. They look here, under the
 * lock of the checkout, and not where it was taken back: a refund that is asked for at that moment cannot be seen there.
 */
function refundLooks({ before, plan: { after } }: PlannedStep, now: Date): NewJob[] {
  const { merchantId } = before.checkout;
  const isTakenBack = after.payments.some(
    ({ state, place }, position) =>
      state === 'REVERSED' && place === 'none' && before.payments[position]?.place !== 'none',
  );
  if (!isTakenBack) return [];
  const waiting = after.refunds.filter(({ state }) => state === 'SENDING');
  return waiting.map(({ id }) => ({ name: 'refund.advance', payload: { merchantId, transferId: id }, runAt: now }));
}

/** A payer who left an address gets a receipt for every settlement. */
function receiptOf(step: PlannedStep, now: Date): NewJob[] {
  const { merchantId, id: checkoutId } = step.before.checkout;
  if (!step.hasEmail || settledBy(step).length === 0) return [];
  return [{ name: 'email.send', payload: { merchantId, checkoutId, kind: 'receipt' }, runAt: now }];
}

/**
 * A settlement for a customer whom the shop named has an invoice; what goes back, or is taken back, may need a credit note. Only
 * hosted checkouts have papers.
 */
function paperOf(step: PlannedStep, now: Date): NewJob[] {
  const { before, plan } = step;
  const { merchantId, id: checkoutId, customerId, type } = before.checkout;
  if (type !== 'HOSTED' && customerId === null) return []; // Nobody gets a paper.
  const isPlaced = (id: string): boolean =>
    before.refunds.some((refund) => refund.id === id && refund.place === 'sent');
  const isSentBack = plan.after.refunds.some(
    ({ id, place, covers }) => place === 'sent' && covers.length > 0 && !isPlaced(id),
  );
  const isDue = (customerId !== null && settledBy(step).length > 0) || reversedBy(step).length > 0 || isSentBack;
  return isDue ? [{ name: 'paper.issue', payload: { merchantId, checkoutId }, runAt: now }] : [];
}
