/** Tells a story of one checkout to `planAdvance` and keeps the books, so that a test reads as what happened and what was posted. */
import type { Checkout, CheckoutDossier, Commitment, Payment } from '../src/checkouts/checkout.ts';
import { type Refund, recountTaken } from '../src/checkouts/refund.ts';
import { balancedEntry, type Entry } from '../src/ledger/entry.ts';
import type { AdvancePlan } from '../src/settlements/plan-advance.ts';
import { planAdvance } from '../src/settlements/plan-advance.ts';
import type { SettlementTerms } from '../src/settlements/settlement-parts.ts';
import { createMemoryLedger, type MemoryLedger } from './memory-ledger.ts';
import { aDossier, aPayment, at, BTC, LTC, type PaymentTerms, sampleTerms, USDC } from './sample-checkout.ts';

export type Story = {
  readonly ledger: MemoryLedger;
  readonly dossier: CheckoutDossier;
  pay(terms: PaymentTerms): void;
  change(paymentId: string, changes: Partial<Payment>): void;
  decide(changes: Partial<Checkout>): void;
  /** The merchant asks for it, or it has become something else. */
  refund(refund: Refund): void;
  /** Advances in the given minute; the second time must change nothing. */
  advance(minute: number, terms?: SettlementTerms): AdvancePlan;
};

export function tellStory(
  commitments: readonly Commitment[],
  ledger: MemoryLedger = createMemoryLedger(),
  id = 'checkout',
): Story {
  let dossier = aDossier({ commitments, checkout: { id } });
  const plan = (minute: number, terms: SettlementTerms) =>
    planAdvance(dossier, terms, ledger.merchantBalances('m', [BTC, LTC, USDC]), at(minute));
  return {
    ledger,
    get dossier() {
      return dossier;
    },
    pay(terms) {
      dossier = { ...dossier, payments: [...dossier.payments, aPayment(terms)] };
    },
    change(paymentId, changes) {
      const payments = dossier.payments.map((each) => (each.id === paymentId ? { ...each, ...changes } : each));
      dossier = { ...dossier, payments };
    },
    refund(refund) {
      const others = dossier.refunds.filter(({ id }) => id !== refund.id);
      const known = dossier.refunds.find(({ id }) => id === refund.id);
      const { place } = known ?? refund;
      dossier = recountTaken({ ...dossier, refunds: [...others, { ...refund, place }] });
    },
    decide(changes) {
      dossier = { ...dossier, checkout: { ...dossier.checkout, ...changes } };
    },
    advance(minute, terms = sampleTerms()) {
      const done = plan(minute, terms);
      ledger.post(done.entries);
      dossier = done.after;
      const again = plan(minute, terms);
      if (again.entries.length + again.events.length + again.notes.length > 0) throw new Error('it happened twice');
      return done;
    },
  };
}

/** `available BTC: 995`, … by reference: what an entry posts, in the words of the chart of accounts. */
export function postedBy(plan: AdvancePlan): Record<string, Record<string, bigint>> {
  return Object.fromEntries(plan.entries.map((entry) => [`${entry.kind} ${entry.reference}`, linesOf(entry)]));
}

const linesOf = (entry: Entry): Record<string, bigint> =>
  Object.fromEntries(balancedEntry(entry).lines.map(({ account, units }) => [shortName(account), units]));

export function shortName(account: string): string {
  const [purpose = '', asset = ''] = account.split('/').slice(-2);
  return `${purpose} ${asset.split(':')[0]}`;
}

export const balancesOf = (ledger: MemoryLedger): Record<string, bigint> =>
  Object.fromEntries(
    [...ledger.balances].filter(([, units]) => units !== 0n).map(([account, units]) => [shortName(account), units]),
  );

export const eventsOf = (plan: AdvancePlan): string[] => plan.events.map((event) => event.type);
