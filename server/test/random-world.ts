/**
 * One merchant, a few checkouts and everything that can happen to them, in memory. A step that makes no sense at the
 * moment does nothing, so that any list of steps is a history and shrinking one leaves another.
 */
import fc from 'fast-check';
import { addCommitment } from '../src/checkouts/adopt-payments.ts';
import type { Checkout, CheckoutDossier, Payment } from '../src/checkouts/checkout.ts';
import { factsOf, isAcceptable } from '../src/checkouts/checkout-facts.ts';
import { assertMove, deriveCheckout, isAlive } from '../src/checkouts/checkout-state.ts';
import { type Cover, heldUnits, type Refund, recountTaken } from '../src/checkouts/refund.ts';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { addMs, minutes } from '../src/lib/clock.ts';
import { decimal, formatDecimal, times } from '../src/money/decimal.ts';
import { inheritedSights } from '../src/payments/inherit-sights.ts';
import type { CheckoutEventType } from '../src/settlements/advance-draft.ts';
import { type AdvancePlan, planAdvance } from '../src/settlements/plan-advance.ts';
import { type Credited, credited, inSuspense, refundableInSuspense, takesOf } from '../src/settlements/refundable.ts';
import { createMemoryLedger, type MemoryLedger } from './memory-ledger.ts';
import {
  aCommitment,
  aDossier,
  aPayment,
  aRefund,
  at,
  BTC,
  type CommitmentTerms,
  LTC,
  networkOf,
  sampleTerms,
  USDC,
} from './sample-checkout.ts';

export const assets = [BTC, LTC, USDC] as const;

export const lateTolerance = decimal('0.05');

/** Prices that share no factor, a fee that rounds, and one method whose credit is converted. */
const methods: readonly Omit<CommitmentTerms, 'id' | 'minute'>[] = [
  { asset: BTC, due: 100_003n, fee: 501n, price: '60.0018' },
  { asset: LTC, due: 70_001n, credited: USDC, gross: 9_999_999n, fee: 50_003n, price: '0.0571908' },
  { asset: USDC, due: 10_000_019n, fee: 0n, price: '1.0003019' },
];
const usualRates = { BTC: '60000', LTC: '81.7', USDC: '1.0003' };

export type Step = {
  readonly kind: (typeof kinds)[number];
  readonly which: number; // among the checkouts, payments or methods that the step could be about
  readonly permille: number; // of the price, of the balance …
  /** The job that looks at the checkouts has not run yet when the next step comes. */
  readonly isJobLate: boolean;
};

const kinds = [
  'commit',
  'commit',
  'see',
  'see',
  'see',
  'seeInBlock',
  'seeWrongAsset',
  'enterBlock',
  'enterBlock',
  'confirm',
  'confirm',
  'finalize',
  'replace',
  'drop',
  'reappear',
  'reorganise',
  'reorganise',
  'changeBlock',
  'reverse',
  'reverse',
  'wait',
  'waitForExpiry',
  'waitForDays',
  'cancel',
  'accept',
  'accept',
  'withdraw',
  'closeMarket',
  'openMarket',
  'moveMarket',
  'moveMarket',
  'refund',
  'refund',
  'refund',
  'refundSent',
  'refundSent',
  'refundFailed',
  'refundCameBack',
  'acceptExcess',
] as const;

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    which: fc.nat(20),
    permille: fc.constantFrom(1000, 1, 250, 500, 994, 995, 1001, 1200, 2000),
    isJobLate: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 45, size: 'max' },
);

export type World = {
  now: Date;
  isMarketOpen: boolean;
  /** What the coins cost now, of what they used to. */
  permille: number;
  dossiers: CheckoutDossier[];
  withdrawn: Map<string, bigint>;
  readonly ledger: MemoryLedger;
  readonly events: Map<string, CheckoutEventType[]>;
  /** How often a part of a refund came back, by checkout. */
  readonly partsBack: Map<string, number>;
};

export const createWorld = (checkouts: number): World => ({
  now: at(0),
  isMarketOpen: true,
  permille: 1000,
  dossiers: Array.from({ length: checkouts }, (_, index) =>
    aDossier({ commitments: [], checkout: { id: `checkout-${index}`, lateTolerance } }),
  ),
  withdrawn: new Map(),
  ledger: createMemoryLedger(),
  events: new Map(),
  partsBack: new Map(),
});

/** What the job does: plans, posts, stores and announces. */
export function advance(world: World, dossier: CheckoutDossier): AdvancePlan {
  const plan = planOf(world, dossier);
  world.ledger.post(plan.entries);
  store(world, plan.after);
  const { id } = dossier.checkout;
  world.events.set(id, [...(world.events.get(id) ?? []), ...plan.events.map((event) => event.type)]);
  return plan;
}

export const planOf = (world: World, dossier: CheckoutDossier): AdvancePlan =>
  planAdvance(
    dossier,
    sampleTerms(world.isMarketOpen ? ratesOf(world) : {}),
    world.ledger.merchantBalances('m', assets),
    world.now,
  );

const ratesOf = ({ permille }: World): Record<string, string> => ({
  USD: '1',
  ...Object.fromEntries(
    Object.entries(usualRates).map(([code, usd]) => [
      code,
      formatDecimal(times(decimal(usd), { digits: BigInt(permille), scale: 3 })),
    ]),
  ),
});

const store = (world: World, changed: CheckoutDossier): void => {
  world.dossiers = world.dossiers.map((each) => (each.checkout.id === changed.checkout.id ? changed : each));
};

export function play(world: World, step: Step): void {
  const dossier = pick(world.dossiers, step.which);
  const aged = (count: number) => void (world.now = addMs(world.now, minutes(count)));
  const payment = (isIt: (payment: Payment) => boolean) =>
    pick(
      world.dossiers.flatMap((each) => each.payments.filter(isIt).map((found) => [each, found] as const)),
      step.which,
    );
  const change = (isIt: (payment: Payment) => boolean, changes: (payment: Payment) => Partial<Payment>): void => {
    const [owner, found] = payment(isIt) ?? [];
    if (owner && found) store(world, withPayment(owner, { ...found, ...changes(found) }));
  };
  const isInMempool = (each: Payment) => each.state === 'SEEN' && each.blockTime === null;
  const isInBlock = (each: Payment) => each.state === 'SEEN' && each.blockTime !== null;
  if (!dossier) return;

  switch (step.kind) {
    case 'commit':
      return commit(world, dossier, step);
    case 'see':
      return see(world, dossier, step, {});
    case 'seeInBlock': // the watcher was behind
      return see(world, dossier, step, { blockTime: addMs(world.now, -minutes(step.which * 5)) });
    case 'seeWrongAsset':
      return see(world, dossier, step, { commitmentId: null, asset: USDC });
    case 'enterBlock':
      return change(isInMempool, () => ({ blockTime: world.now }));
    case 'confirm':
      return change(
        (each) => each.state === 'SEEN',
        ({ blockTime }) => ({ state: 'CONFIRMED', blockTime: blockTime ?? world.now }),
      );
    case 'finalize':
      return change(
        (each) => each.state === 'CONFIRMED',
        () => ({ state: 'FINAL' }),
      );
    case 'drop':
      return change(isInMempool, () => ({ state: 'DROPPED' }));
    case 'reappear':
      return change(
        ({ state }) => state === 'DROPPED' || state === 'REPLACED',
        () => ({ state: 'SEEN', blockTime: null, replacedBy: null }),
      );
    case 'reorganise':
      return change(
        (each) => each.state === 'CONFIRMED' || isInBlock(each),
        () => ({ state: 'SEEN', blockTime: null }),
      );
    case 'changeBlock': // A reorganisation that ends with the same transfer in another block, read in one breath.
      return change(
        (each) => each.state === 'CONFIRMED',
        () => ({ blockTime: world.now }),
      );
    case 'replace': {
      const [owner, found] = payment(isInMempool) ?? [];
      if (!owner || !found) return;
      const units = (found.units * BigInt(step.permille)) / 1000n + 1n;
      const fresh = { place: 'none' as const, generation: 0, takenUnits: 0n, inherited: [], valuations: [] };
      const id = newPaymentId(owner);
      const heir = { ...found, ...fresh, id, txHash: `tx-${id}`, units, firstSeenAt: world.now };
      const replaced = withPayment(owner, { ...found, state: 'REPLACED', replacedBy: heir.txHash });
      const line = [...replaced.payments, heir].filter(({ asset }) => asset === heir.asset);
      const inherited = inheritedSights(line, heir.txHash).get(id) ?? [];
      return store(world, { ...replaced, payments: [...replaced.payments, { ...heir, inherited }] });
    }
    case 'reverse': {
      // Whole or in part, at any time after it is in a block; what is left of it takes its place.
      const [owner, found] = payment((each) => isAlive(each) && each.blockTime !== null) ?? [];
      if (!owner || !found) return;
      const units = found.units - (found.units * BigInt(step.permille)) / 1000n;
      const reversed = withPayment(owner, { ...found, state: 'REVERSED' });
      if (units <= 0n) return store(world, reversed);
      const fresh = { place: 'none' as const, generation: 0, takenUnits: 0n, restOf: found.restOf ?? found.id };
      const rest = { ...found, ...fresh, id: newPaymentId(owner), units };
      return store(world, { ...reversed, payments: [...reversed.payments, rest] });
    }
    case 'wait':
      return aged(step.which);
    case 'waitForExpiry':
      return aged(60);
    case 'waitForDays':
      return aged(1500);
    case 'cancel':
      return cancel(world, dossier);
    case 'accept':
      return accept(world, dossier);
    case 'withdraw':
      return withdraw(world, assets[step.which % assets.length] ?? BTC, BigInt(step.permille));
    case 'closeMarket':
      world.isMarketOpen = false;
      return;
    case 'openMarket':
      world.isMarketOpen = true;
      return;
    case 'moveMarket':
      world.permille = step.permille <= 1 ? 1000 : step.permille;
      return;
    case 'refund':
      return refund(world, dossier, step);
    case 'refundSent':
      return endRefund(world, step, { state: 'COMPLETED' });
    case 'refundFailed':
      return endRefund(world, step, { state: 'FAILED', failure: 'It bounced.' });
    case 'refundCameBack':
      return comeBack(world, step);
    case 'acceptExcess':
      return acceptExcess(world, dossier);
  }
}

function commit(world: World, dossier: CheckoutDossier, step: Step): void {
  const { checkout } = dossier;
  if (!['CREATED', 'PENDING', 'EXPIRED', 'CANCELED'].includes(checkout.state)) return;
  const method = pick(methods, step.which + step.permille);
  if (!method) return;
  const isStanding = dossier.commitments.some((each) => each.asset === method.asset && world.now < each.expiresAt);
  if (isStanding && checkout.state === 'PENDING') return;
  const minute = (world.now.getTime() - at(0).getTime()) / minutes(1);
  const commitment = aCommitment({ ...method, id: `${checkout.id}-c${dossier.commitments.length}`, minute });
  const adopted = addCommitment(dossier, commitment);
  const facts = { ...factsOf(adopted.dossier), canceledAt: null };
  derived(world, adopted.dossier, facts, { canceledAt: null, windowEndsAt: commitment.expiresAt });
}

function cancel(world: World, dossier: CheckoutDossier): void {
  const { state } = dossier.checkout;
  if (dossier.payments.some(isAlive) || (state !== 'CREATED' && state !== 'PENDING')) return;
  derived(world, dossier, { ...factsOf(dossier), canceledAt: world.now }, { canceledAt: world.now });
}

function derived(
  world: World,
  dossier: CheckoutDossier,
  facts: ReturnType<typeof factsOf>,
  changes: Partial<Checkout>,
): void {
  const { state, exceptions } = deriveCheckout(facts, world.now);
  assertMove(dossier.checkout.state, state);
  store(world, { ...dossier, checkout: { ...dossier.checkout, ...changes, state, exceptions } });
}

function accept(world: World, dossier: CheckoutDossier): void {
  if (dossier.checkout.state !== 'UNDERPAID' || !dossier.payments.some(isAcceptable)) return;
  advance(world, { ...dossier, checkout: { ...dossier.checkout, acceptedAt: world.now } });
}

function see(world: World, dossier: CheckoutDossier, step: Step, changes: Partial<Payment>): void {
  const commitment = pick(dossier.commitments, step.which);
  if (!commitment) return;
  const firstSeenAt = changes.blockTime ?? world.now;
  const asset = changes.asset ?? commitment.asset;
  const units = (commitment.dueUnits * BigInt(step.permille)) / 1000n + BigInt(step.which % 2);
  const payment = aPayment({
    ...changes,
    id: newPaymentId(dossier),
    commitmentId: changes.commitmentId === null ? null : commitment.id,
    asset,
    network: networkOf(asset),
    units,
    minute: 0,
    state: 'SEEN',
    firstSeenAt,
    blockTime: changes.blockTime ?? null,
  });
  store(world, { ...dossier, payments: [...dossier.payments, payment] });
}

/** The merchant takes money out: a reversal may then find too little. */
function withdraw(world: World, asset: string, permille: bigint): void {
  const available = world.ledger.balance(merchantAccount('m', 'available', asset));
  const units = permille < 1000n ? (available * permille) / 1000n : available;
  if (units === 0n) return;
  const sofar = world.withdrawn.get(asset) ?? 0n;
  world.ledger.post([
    {
      reference: `withdrawal:${asset}:${sofar}:${world.ledger.size}`,
      kind: 'transfer_sent',
      merchantId: 'm',
      subject: { kind: 'transfer', id: 'taken out' },
      lines: [
        { account: merchantAccount('m', 'available', asset), units: -units },
        { account: operatorAccount('equity', asset), units },
      ],
    },
  ]);
  world.withdrawn.set(asset, sofar + units);
}

/** Of suspense or of what was credited, all or a part, the fee borne by either side. */
function refund(world: World, dossier: CheckoutDossier, step: Step): void {
  const suspended = refundableInSuspense(dossier, world.now);
  const options = [...suspended, ...credited(dossier, world.now)];
  const option = pick(options, step.which);
  if (!option) return;
  const available = world.ledger.balance(merchantAccount('m', 'available', option.asset));
  const most = 'units' in option ? option.units : sum(option.commitments.map(({ units }) => units));
  const part = step.permille >= 1000 ? most : (most * BigInt(step.permille)) / 1000n;
  const feeUnits = BigInt(step.which % 3);
  const feePaidBy = step.which % 2 === 0 ? 'customer' : 'merchant';
  if (part <= feeUnits) return;
  const byMerchant = ('units' in option ? 0n : part) + (feePaidBy === 'merchant' ? feeUnits : 0n);
  if (available < byMerchant) return;
  const isClaimed = step.which % 5 !== 4;
  const made = aRefund({
    id: `${dossier.checkout.id}-r${dossier.refunds.length}`,
    context: option.context,
    // Some wait for the customer, and are given up a day later.
    ...(!isClaimed && { state: 'CLAIMABLE', address: null, claimExpiresAt: addMs(world.now, minutes(1440)) }),
    network: option.network,
    asset: option.asset,
    units: part,
    feeUnits,
    feePaidBy,
    requestedAt: world.now,
    sentUnits: feePaidBy === 'customer' ? part - feeUnits : part,
    takes: 'units' in option ? takesOf(option, part) : [],
    covers: 'units' in option ? [] : coversOf(option, part),
  });
  advance(world, recountTaken({ ...dossier, refunds: [...dossier.refunds, made] }));
}

function coversOf({ commitments }: Credited, wanted: bigint): Cover[] {
  const covers: Cover[] = [];
  let missing = wanted;
  for (const { commitment, units } of commitments) {
    const covered = units < missing ? units : missing;
    if (covered > 0n) covers.push({ commitmentId: commitment.id, units: covered.toString() });
    missing -= covered;
  }
  return covers;
}

/** The network has said what became of it; the books learn of it when the job runs. */
function endRefund(world: World, step: Step, outcome: Partial<Refund>): void {
  const sending = world.dossiers.flatMap((each) =>
    each.refunds.filter(({ state }) => state === 'SENDING').map((found) => [each, found] as const),
  );
  const [owner, found] = pick(sending, step.which) ?? [];
  if (!owner || !found) return;
  // An attempt that failed may have cost up to all that was set aside.
  const costUnits = outcome.state === 'FAILED' ? (heldUnits(found) * BigInt(step.permille % 1001)) / 1000n : 0n;
  const ended = { ...found, ...outcome, costUnits, endedAt: world.now };
  store(world, { ...owner, refunds: owner.refunds.map((each) => (each.id === found.id ? ended : each)) });
}

/** Whole or in part, at any time after it had arrived. The job that is told of it books it. */
function comeBack(world: World, step: Step): void {
  const sent = world.dossiers.flatMap((each) =>
    each.refunds.filter(({ place }) => place === 'sent').map((found) => [each, found] as const),
  );
  const [owner, found] = pick(sent, step.which) ?? [];
  if (!owner || !found) return;
  const left = found.sentUnits - found.cameBackUnits;
  const units = step.permille >= 1000 ? left : (left * BigInt(step.permille)) / 1000n;
  if (units === 0n) return;
  const { id } = owner.checkout;
  if (units < left) world.partsBack.set(id, (world.partsBack.get(id) ?? 0) + 1);
  const coming = { ...found, comingBack: { units, reason: 'The account is closed.' } };
  advance(world, { ...owner, refunds: owner.refunds.map((each) => (each.id === found.id ? coming : each)) });
}

function acceptExcess(world: World, dossier: CheckoutDossier): void {
  if (!dossier.settlements.some(({ reversedAt }) => reversedAt === null) && dossier.checkout.state !== 'REFUNDED')
    return;
  const takes = inSuspense(dossier, world.now)
    .flatMap((option) => takesOf(option, option.units))
    .map((take) => ({ ...take, feeUnits: (BigInt(take.units) / 200n).toString() }));
  if (takes.length === 0) return;
  const accepted = { takes, acceptedAt: world.now.toISOString(), isBooked: false };
  const acceptedExcess = [...dossier.checkout.acceptedExcess, accepted];
  advance(world, recountTaken({ ...dossier, checkout: { ...dossier.checkout, acceptedExcess } }));
}

const sum = (units: readonly bigint[]): bigint => units.reduce((total, each) => total + each, 0n);

const pick = <T>(items: readonly T[], which: number): T | undefined => items[which % Math.max(items.length, 1)];

const newPaymentId = (dossier: CheckoutDossier): string => `${dossier.checkout.id}-p${dossier.payments.length}`;

const withPayment = (dossier: CheckoutDossier, changed: Payment): CheckoutDossier => ({
  ...dossier,
  payments: dossier.payments.map((payment) => (payment.id === changed.id ? changed : payment)),
});
