/**
 * Facts about checkouts, small enough to work out by hand: one commitment of 1000 units from minute 0 to minute 60. What
 * is late counts whatever it is worth, unless a test says otherwise.
 */
import type { CheckoutFacts } from '../src/checkouts/checkout-state.ts';
import type { CommitmentFact, PaymentFact } from '../src/checkouts/payment-portions.ts';
import { decimal } from '../src/money/decimal.ts';
import type { KeptValuation } from '../src/payments/payment-sights.ts';
import { nothing } from '../src/pricing/share-of-price.ts';
import { at } from './sample-checkout.ts';

export const commitment = (id: string, minute: number, dueUnits = 1000n): CommitmentFact => ({
  id,
  dueUnits,
  committedAt: at(minute),
  expiresAt: at(minute + 60),
});

let made = 0;
/** Seen in the given minute and in no block yet, unless said otherwise. */
export const seen = (units: bigint, minute: number, rest: Partial<PaymentFact> = {}): PaymentFact => ({
  id: `p${made++}`,
  commitmentId: 'c1',
  units,
  takenUnits: 0n,
  state: 'SEEN',
  place: 'none',
  firstSeenAt: at(minute),
  blockTime: null,
  dayBegan: null,
  inherited: [],
  valuations: [],
  ...rest,
});
export const confirmed = (units: bigint, minute: number, rest: Partial<PaymentFact> = {}): PaymentFact =>
  seen(units, minute, { state: 'CONFIRMED', blockTime: at(minute + 10), place: 'pending', ...rest });
export const settled = (units: bigint, minute: number, rest: Partial<PaymentFact> = {}): PaymentFact =>
  confirmed(units, minute, { place: 'settled', ...rest });

/** The price cost so many units when a late payment was seen in the given minute. */
export const valued = (priceUnits: bigint, minute: number, of: KeptValuation['of'] = 'SIGHT'): KeptValuation => ({
  of,
  moment: at(minute).toISOString(),
  priceUnits: { numerator: priceUnits.toString(), denominator: '1' },
  paidUsd: '1',
  billedUsd: '1',
  valuedAt: at(minute).toISOString(),
});

export const facts = (changes: Partial<CheckoutFacts> = {}): CheckoutFacts => ({
  commitments: [commitment('c1', 0)],
  payments: [],
  tolerance: decimal('0.005'),
  lateTolerance: decimal('1'),
  canceledAt: null,
  acceptedAt: null,
  acceptedShare: nothing,
  isSettled: false,
  creditedAs: null,
  hasStrays: false,
  reversals: 0,
  hasExcess: false,
  isMarketMissing: false,
  acceptFrom: null,
  isAllSentBack: false,
  isCreditRefunded: false,
  wasCreditRefunded: false,
  refundedWith: null,
  ...changes,
});
