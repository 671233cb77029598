/**
 * What happened to a checkout, as one sentence for its merchant: which sentence, and what is put into it. Pure; pages have
 * the words. What waits for the merchant is said before anything else.
 */
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { type CheckoutState, isAlive } from '../checkouts/checkout-state.ts';
import type { Refund } from '../checkouts/refund.ts';
import { inSuspense } from '../settlements/refundable.ts';

export const sentenceKeys = [
  ...['paidTooMuch', 'paidTwice', 'paidInAnotherAsset', 'paidTooLittle', 'paidInVain'],
  ...['refundNeedsApproval', 'refundWaitsForPayer', 'refundOnItsWay'],
  ...['notChosen', 'waiting', 'partlyPaid', 'takenBack', 'takenBackByBank', 'noMarket', 'confirming'],
  ...['paid', 'paidLate', 'lessAccepted', 'beingDecided', 'expired', 'canceled', 'refunded', 'partlyRefunded'],
] as const;

export type SentenceKey = (typeof sentenceKeys)[number];

export type SentenceAmount = { readonly asset: string; readonly network: string; readonly units: bigint };

/** `at`: when it happened; of `waiting` and `partlyPaid`, until when there is time. */
export type CheckoutSentence = {
  readonly key: SentenceKey;
  readonly values: { readonly amounts: readonly SentenceAmount[]; readonly at: Date };
};

export function checkoutSentence(dossier: CheckoutDossier, now: Date): CheckoutSentence {
  return aboutSuspense(dossier, now) ?? aboutRefunds(dossier) ?? aboutState(dossier);
}

const say = (key: SentenceKey, at: Date, amounts: readonly SentenceAmount[] = []): CheckoutSentence => ({
  key,
  values: { amounts, at },
});

function aboutSuspense(dossier: CheckoutDossier, now: Date): CheckoutSentence | null {
  const waiting = inSuspense(dossier, now);
  if (waiting.length === 0) return null;
  const { state, exceptions } = dossier.checkout;
  const amounts = waiting.map(({ asset, network, units }) => ({ asset, network, units }));
  const ids = new Set(waiting.flatMap(({ payments }) => payments.map(({ paymentId }) => paymentId)));
  const came = dossier.payments.filter(({ id }) => ids.has(id));
  const at = latest(came) ?? dossier.checkout.createdAt;
  if (state === 'UNDERPAID') return say('paidTooLittle', at, amounts);
  if (state === 'PROCESSING' && exceptions.includes('NO_MARKET')) return say('paidInVain', at, amounts);
  if (came.every(({ commitmentId }) => commitmentId === null)) return say('paidInAnotherAsset', at, amounts);
  return say(exceptions.includes('DUPLICATE') ? 'paidTwice' : 'paidTooMuch', at, amounts);
}

const refundSentences = new Map<Refund['state'], SentenceKey>([
  ['AWAITING_APPROVAL', 'refundNeedsApproval'],
  ['CLAIMABLE', 'refundWaitsForPayer'],
  ['SENDING', 'refundOnItsWay'],
]);

/** The newest one that is under way. */
function aboutRefunds({ refunds }: CheckoutDossier): CheckoutSentence | null {
  const open = refunds.findLast(({ state }) => refundSentences.has(state));
  const key = open && refundSentences.get(open.state);
  return open && key ? say(key, open.requestedAt, [amountOf(open)]) : null;
}

const amountOf = ({ asset, network, units, cameBackUnits }: Refund): SentenceAmount => ({
  asset,
  network,
  units: units - cameBackUnits,
});

function aboutState(dossier: CheckoutDossier): CheckoutSentence {
  const { checkout, payments, refunds } = dossier;
  const windowEnd = checkout.windowEndsAt ?? checkout.createdAt;
  const settledAt = standingSettlement(dossier)?.settledAt ?? latest(payments) ?? checkout.createdAt;
  const sent = refunds.filter(({ place }) => place === 'sent');
  const lastRefund = sent.at(-1);
  const refundedAt = lastRefund?.endedAt ?? lastRefund?.requestedAt ?? settledAt;
  const came = payments.filter(isAlive);
  const end = (key: SentenceKey): SentenceKey => (isTakenForGood(dossier) ? 'takenBackByBank' : key);
  const states: Record<CheckoutState, () => CheckoutSentence> = {
    CREATED: () => say('notChosen', checkout.createdAt),
    PENDING: () =>
      came.length > 0 ? say(end('partlyPaid'), windowEnd, received(came)) : say(end('waiting'), windowEnd),
    PROCESSING: () => say(reasonToWait(dossier), latest(came) ?? windowEnd, received(came)),
    COMPLETED: () => say('paid', settledAt, received(came)),
    DELAYED_COMPLETED: () => say('paidLate', settledAt, received(came)),
    RESOLVED: () => say('lessAccepted', checkout.acceptedAt ?? settledAt, received(came)),
    UNDERPAID: () => say('beingDecided', latest(came) ?? windowEnd, received(came)),
    EXPIRED: () => say(end('expired'), windowEnd),
    CANCELED: () => say('canceled', checkout.canceledAt ?? windowEnd),
    REFUNDED: () => say('refunded', refundedAt, sent.map(amountOf)),
  };
  const isCredited = standingSettlement(dossier) !== undefined && checkout.state !== 'REFUNDED';
  return isCredited && sent.length > 0
    ? say('partlyRefunded', refundedAt, sent.map(amountOf))
    : states[checkout.state]();
}

function reasonToWait(dossier: CheckoutDossier): SentenceKey {
  const { exceptions } = dossier.checkout;
  if (exceptions.includes('NO_MARKET')) return 'noMarket';
  if (!exceptions.includes('REORGED')) return 'confirming';
  return isTakenForGood(dossier) ? 'takenBackByBank' : 'takenBack';
}

/** Only banks take back what was booked: it does not come again, as from a chain, unless somebody pays anew. */
export const isTakenForGood = ({ payments }: Pick<CheckoutDossier, 'payments'>): boolean =>
  payments.some(({ state }) => state === 'REVERSED');

/** What came, by rail. */
function received(payments: readonly Payment[]): SentenceAmount[] {
  const sums = new Map<string, SentenceAmount>();
  for (const { asset, network, units } of payments) {
    const rail = `${network} ${asset}`;
    sums.set(rail, { asset, network, units: units + (sums.get(rail)?.units ?? 0n) });
  }
  return [...sums.values()];
}

const latest = (payments: readonly Payment[]): Date | undefined =>
  payments.map(({ firstSeenAt }) => firstSeenAt).toSorted((a, b) => b.getTime() - a.getTime())[0];
