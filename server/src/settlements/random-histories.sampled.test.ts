/**
 * Random histories of checkouts, played through the pure rules with a ledger in memory. After every step everything
 * that must always hold is checked, so a history that loses or doubles a unit fails at the step that did it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSample } from '../../test/depth.ts';
import { advance, assets, createWorld, planOf, play, type Step, steps, type World } from '../../test/random-world.ts';
import { networkOf } from '../../test/sample-checkout.ts';
import type { CheckoutDossier, SettledPart } from '../checkouts/checkout.ts';
import {
  creditedUnits,
  factsOf,
  givenBackUnits,
  railOf,
  receivedUnits,
  standingSettlement,
} from '../checkouts/checkout-facts.ts';
import { canMove, checkoutStates, isConfirmed, isCredited } from '../checkouts/checkout-state.ts';
import { portionsOf } from '../checkouts/payment-portions.ts';
import { arrivedUnits, coveredUnits, heldUnits, leftUnits, type Take } from '../checkouts/refund.ts';
import { assetOfAccount, chainWallet, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { isFull, shareOfPrice } from '../pricing/share-of-price.ts';
import { inSuspense } from './refundable.ts';
import { partsNow } from './settlement-entries.ts';

const total = (units: Iterable<bigint>): bigint => [...units].reduce((sum, each) => sum + each, 0n);
const partsOf = (dossier: CheckoutDossier): readonly SettledPart[] =>
  partsNow(dossier, standingSettlement(dossier)?.parts ?? []);

function checkBooks(world: World): void {
  const { ledger } = world;
  const payments = world.dossiers.flatMap((dossier) => dossier.payments);
  const parts = world.dossiers.flatMap(partsOf);
  for (const asset of assets) {
    const ofAsset = payments.filter((payment) => payment.asset === asset);
    const held = (place: string) => total(ofAsset.filter((each) => each.place === place).map(leftUnits));
    const refunds = world.dossiers.flatMap((dossier) => dossier.refunds.filter((each) => each.asset === asset));
    const reserved = refunds.filter(({ place }) => place === 'reserved');
    const sent = refunds.filter(({ place }) => place === 'sent');
    const paid = parts.filter((part) => part.paidAsset === asset);
    const credited = parts.filter((part) => part.creditedAsset === asset);
    const isConverted = (part: SettledPart) => part.paidAsset !== part.creditedAsset;
    const sum = (
      of: readonly SettledPart[],
      field: 'countedUnits' | 'excessUnits' | 'grossUnits' | 'feeUnits' | 'netUnits',
    ) => total(of.map((part) => BigInt(part[field])));

    const inAsset = [...ledger.balances].filter(([account]) => assetOfAccount(account) === asset);
    assert.equal(total(inAsset.map(([, units]) => units)), 0n, `${asset} balances`);
    const onChain = total(ofAsset.filter(isConfirmed).map((payment) => payment.units));
    const sentBack = total(sent.map(arrivedUnits));
    assert.equal(ledger.balance(chainWallet(networkOf(asset), asset)), sentBack - onChain, `${asset} on the chain`);
    const inVain = refunds.filter(({ place, costUnits }) => place === 'returned' && costUnits > 0n);
    const repaidCosts = total([...sent.map(({ feeUnits }) => feeUnits), ...inVain.map(({ costUnits }) => costUnits)]);
    assert.equal(ledger.balance(operatorAccount('costs', asset)), repaidCosts, `${asset} costs`);

    const merchant = (purpose: Parameters<typeof merchantAccount>[1]) =>
      ledger.balance(merchantAccount('m', purpose, asset));
    assert.equal(merchant('pending'), held('pending'), `${asset} pending`);
    assert.equal(merchant('suspense'), held('suspense') + sum(paid, 'excessUnits'), `${asset} in suspense`);
    assert.equal(merchant('reserved'), total(reserved.map(heldUnits)), `${asset} reserved`);
    const net = merchant('available') + merchant('receivable') + (world.withdrawn.get(asset) ?? 0n);
    // Of refunds from suspense the merchant bears what was sent of a payment that is no longer there.
    const isThere = (take: Take) => payments.some(({ id, place }) => id === take.paymentId && place !== 'none');
    const units = (takes: readonly Take[]) => total(takes.map((take) => BigInt(take.units)));
    const borne = [...reserved, ...sent].map((refund) => {
      const fee = refund.feePaidBy === 'merchant' ? refund.feeUnits : 0n;
      const paid = refund.takes.length === 0 ? refund.units - refund.cameBackUnits : null;
      return fee + (paid ?? units(refund.takes.filter((take) => !isThere(take))));
    });
    // And of an attempt that failed all that it cost, but for what was taken of payments that are there.
    for (const { costUnits, takes } of inVain) borne.push(costUnits - units(takes.filter(isThere)));
    const kept = world.dossiers
      .flatMap((dossier) => dossier.checkout.acceptedExcess.flatMap(({ takes }) => takes))
      .filter((take) => isThere(take) && ofAsset.some(({ id }) => id === take.paymentId));
    const keptFee = total(kept.map(({ feeUnits }) => BigInt(feeUnits)));
    assert.equal(net, sum(credited, 'netUnits') + units(kept) - keptFee - total(borne), `${asset} credited`);
    assert.ok(merchant('receivable') <= 0n, `${asset} receivable is a debt`);
    assert.ok(merchant('receivable') === 0n || merchant('available') === 0n, `${asset} debts are repaid first`);
    assert.equal(ledger.balance(operatorAccount('fees', asset)), sum(credited, 'feeUnits') + keptFee, `${asset} fees`);
    const position = sum(paid.filter(isConverted), 'countedUnits') - sum(credited.filter(isConverted), 'grossUnits');
    assert.equal(ledger.balance(operatorAccount('fx', asset)), position, `${asset} position`);
  }
}

/** Never more than was received, of each payment and of each credit. */
function checkRefunds(dossier: CheckoutDossier): void {
  for (const payment of dossier.payments) {
    assert.ok(leftUnits(payment) >= 0n, `more than ${payment.id} was taken`);
  }
  for (const part of partsOf(dossier)) assert.ok(BigInt(part.excessUnits) >= 0n, 'only the excess left suspense');
  for (const refund of dossier.refunds) {
    const isSent = refund.state === 'COMPLETED';
    const isUndone = refund.state === 'FAILED' || refund.state === 'EXPIRED';
    assert.equal(refund.place, isSent ? 'sent' : isUndone ? 'returned' : 'reserved');
  }
  for (const settlement of dossier.settlements) {
    const covered = coveredUnits(dossier.refunds, ({ place }) => place === 'sent');
    const isGivenBack = [...creditedUnits(settlement)].every(([id, units]) => (covered.get(id) ?? 0n) >= units);
    if (settlement.reversedAt === null && isGivenBack) assert.equal(dossier.checkout.state, 'REFUNDED');
  }
}

/** The newest refund gives back money that is there; what is lost afterwards cannot be called back. */
function checkNewest(dossier: CheckoutDossier): void {
  const received = receivedUnits(dossier);
  const given = givenBackUnits(dossier, ({ place }) => place !== 'returned');
  const { takes = [], covers = [] } = dossier.refunds.at(-1) ?? {};
  const sources = [...takes.map(({ paymentId }) => paymentId), ...covers.map(({ commitmentId }) => commitmentId)];
  const isSource = ({ id }: { id: string }): boolean => sources.includes(id);
  for (const rail of [...dossier.payments, ...dossier.commitments].filter(isSource).map(railOf))
    assert.ok((given.get(rail) ?? 0n) <= (received.get(rail) ?? 0n), `more than was received on ${rail}`);
}

function checkCheckout(world: World, dossier: CheckoutDossier): void {
  const { checkout, commitments, payments } = dossier;
  const standing = dossier.settlements.filter((settlement) => settlement.reversedAt === null);
  assert.ok(standing.length <= 1, 'a checkout is credited once');
  if (checkout.state !== 'REFUNDED')
    assert.equal(isCredited(checkout.state), standing.length === 1, `${checkout.state} is credited or not`);
  checkRefunds(dossier);
  for (const payment of payments)
    assert.equal(payment.place !== 'none', isConfirmed(payment), `${payment.id} is booked when it is confirmed`);

  const settled = payments.filter((payment) => payment.place === 'settled');
  assert.equal(settled.length > 0, standing.length === 1);
  for (const { id } of commitments) {
    const ofCommitment = partsOf(dossier).filter((part) => part.commitmentId === id);
    const inParts = total(ofCommitment.map((part) => BigInt(part.countedUnits) + BigInt(part.excessUnits)));
    const paid = total(settled.filter((payment) => payment.commitmentId === id).map(leftUnits));
    assert.equal(inParts, paid, 'a settlement is about exactly the units that were paid');
  }

  const dueOf = new Map(commitments.map((commitment) => [commitment.id, commitment.dueUnits]));
  const share = shareOfPrice(
    partsOf(dossier).map(({ countedUnits, commitmentId }) => ({
      receivedUnits: BigInt(countedUnits) * 1000n,
      dueUnits: (dueOf.get(commitmentId) ?? 0n) * 995n,
    })),
  );
  // All units may be there, and be worth too little, because they came late.
  const isAccepted = checkout.acceptedAt !== null && (!isFull(share) || worthOf(world, dossier) < leastWorth);
  if (checkout.state === 'RESOLVED') assert.ok(isAccepted);
  else if (standing.length === 1 && !(checkout.state === 'REFUNDED' && isAccepted))
    assert.ok(isFull(share), `${checkout.state} means the price is paid`);

  const events = world.events.get(checkout.id) ?? [];
  const credits = events.filter((type) => type === 'CHECKOUT_COMPLETED' || type === 'UNDERPAID_ACCEPTED').length;
  const reversals = events.filter((type) => type === 'CHECKOUT_REVERSED').length;
  // Of money that comes back to a refunded checkout nobody is told as if the goods had to be shipped.
  if (checkout.state !== 'REFUNDED') assert.equal(credits - reversals, standing.length, 'the merchant was told');
  const completed = events.filter((type) => type === 'REFUND_COMPLETED').length;
  const partial = events.filter((type) => type === 'REFUND_PARTIAL').length;
  const arrived = dossier.refunds.filter(({ place, cameBackUnits }) => place === 'sent' || cameBackUnits > 0n);
  const hasComeBack = dossier.refunds.some(({ cameBackUnits }) => cameBackUnits > 0n);
  // One that arrived while its payment was gone is told of again when the payment is back.
  const toldAgain = completed + partial - arrived.length - (world.partsBack.get(checkout.id) ?? 0);
  assert.ok(toldAgain >= 0, 'of every refund, and of every part that came back');
  if (!hasComeBack) assert.ok(toldAgain === 0 || (toldAgain === 1 && checkout.state === 'REFUNDED'), 'once');
  if (checkout.state === 'REFUNDED') assert.ok(completed > 0, 'and that all of it was given back');
  const failed = dossier.refunds.filter(({ place, state }) => place === 'returned' && state === 'FAILED');
  assert.equal(events.filter((type) => type === 'REFUND_FAILED').length, failed.length, 'and of every one that failed');
}

const leastWorth = 950_000n;

/**
 * In millionths of the price: what came in time counts by its units, what came late by what it was worth at the rates
 * that were kept when it was seen, worked out here anew, and at most by its units.
 */
function worthOf(world: World, dossier: CheckoutDossier): bigint {
  const million = 1_000_000n;
  let worth = 0n;
  for (const payment of dossier.payments.filter(({ place }) => place === 'settled')) {
    const commitment = dossier.commitments.find(({ id }) => id === payment.commitmentId);
    assert.ok(commitment);
    for (const portion of portionsOf(factsOf(dossier), payment, world.now)) {
      const byUnits = (portion.units * million) / commitment.dueUnits;
      if (!portion.isLate) assert.ok(portion.at < commitment.expiresAt);
      const kept = portion.isLate ? portion.priceUnits : null;
      const byValue = kept && (portion.units * million * kept.denominator) / kept.numerator;
      worth += byValue !== null && byValue < byUnits ? byValue : byUnits;
    }
  }
  return worth;
}

/** Nobody was credited for less than the price. */
function checkPromise(world: World, dossier: CheckoutDossier): void {
  const worth = worthOf(world, dossier);
  const roundedAway = 100n;
  assert.ok(worth >= leastWorth - roundedAway, `${dossier.checkout.state} for ${worth} of a million`);
}

function checkAdvance(world: World, before: CheckoutDossier): void {
  const { notes, events, after } = advance(world, before);
  for (const { type, dossier } of events) if (type === 'CHECKOUT_COMPLETED') checkPromise(world, dossier);
  let { state } = before.checkout;
  for (const { what, why } of notes) {
    if (what !== 'state') continue;
    assert.equal(why?.['from'], state);
    assert.ok(canMove(state, why['to'] as typeof state));
    state = why['to'] as typeof state;
  }
  assert.equal(after.checkout.state, state, 'the timeline tells every move');
  assert.equal(after.checkout.awaitsDecision, inSuspense(after, world.now).length > 0, 'whether it awaits a decision');

  const again = planOf(world, after);
  assert.deepEqual([again.entries, again.events, again.notes], [[], [], []], 'the second time nothing happens');
  assert.deepEqual(again.after, after);
}

function playAll(checkouts: number, history: readonly Step[]): World {
  const world = createWorld(checkouts);
  for (const step of history) {
    const refunds = world.dossiers.map((dossier) => dossier.refunds.length);
    play(world, step);
    for (const [position, dossier] of world.dossiers.entries())
      if (dossier.refunds.length !== refunds[position]) checkNewest(dossier);
    if (step.isJobLate) continue;
    for (const dossier of world.dossiers) checkAdvance(world, dossier);
    for (const dossier of world.dossiers) checkCheckout(world, dossier);
    checkBooks(world);
  }
  return world;
}

const histories = fc.tuple(fc.integer({ min: 1, max: 2 }), steps);

/** Returns every state and every exception that was met. */
function check(seed: number, count: number): Set<string> {
  const met = new Set<string>();
  fc.assert(
    fc.property(histories, ([checkouts, history]) => {
      for (const { checkout } of playAll(checkouts, history).dossiers)
        for (const name of [checkout.state, ...checkout.exceptions]) met.add(name);
    }),
    { seed, numRuns: count },
  );
  return met;
}

test('no history loses or doubles a unit or credits what is not paid (always the same histories)', () => {
  const met = check(20_260_301, isSample() ? 600 : 2_000);
  // If these histories led nowhere, they would prove nothing.
  const exceptions = ['PARTIAL', 'OVERPAID', 'LATE', 'DUPLICATE', 'REORGED', 'NO_MARKET', 'WRONG_ASSET'];
  const expected = [...checkoutStates, ...exceptions];
  assert.deepEqual(
    expected.filter((name) => !met.has(name)),
    [],
  );
});

test('no history loses or doubles a unit or credits what is not paid (new ones; a failure shows its seed)', () => {
  check(Date.now() % 2 ** 31, isSample() ? 100 : 2_000);
});
