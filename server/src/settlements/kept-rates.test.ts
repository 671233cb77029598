/**
 * What is converted at the rate of an arrival or an acceptance keeps that rate while it waits for a venue. `litecoin`
 * costs 10 000 units; at 80 dollars 1 of them is 8 units of USDC, at 40 it is 4. There are no fees.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { type Story, tellStory } from '../../test/settlement-story.ts';
import { noFees } from '../pricing/settlement-fee.ts';
import { treasuryOnly } from './plan-exchange.ts';

const litecoin = aCommitment({ id: 'c1', asset: LTC, due: 10_000n, credited: USDC, gross: 79_000n, minute: 0 });
const atRate = (usd: string) => ({ ...sampleTerms({ LTC: usd, USDC: '1' }), fees: noFees });
const waitingAt = (usd: string) => ({ ...atRate(usd), exchange: { ...treasuryOnly, venuesOf: () => [] } });
const shortAt = (usd: string) => ({ ...atRate(usd), exchange: { ...treasuryOnly, treasuryUnits: () => 0n } });

const credits = ({ dossier }: Story): string[] =>
  (dossier.settlements.at(-1)?.parts ?? []).map(({ basis, countedUnits, grossUnits }) =>
    [basis, countedUnits, grossUnits].join(' '),
  );

function tellLate(): Story {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 10_000n, minute: 70, asset: LTC });
  const plan = story.advance(75, waitingAt('80'));
  assert.deepEqual([plan.entries.length, story.dossier.checkout.exceptions], [1, ['NO_MARKET', 'LATE']]);
  return story;
}

test('a late payment that waits for a venue is converted at the rate of its arrival', () => {
  const story = tellLate();
  story.advance(90, waitingAt('60'));
  story.advance(99, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 80000']);
  assert.deepEqual(story.dossier.checkout.keptRates, [], 'they have served their purpose');
});

test('a rate is kept for hours, not for days: what waits can be refunded instead, if the coin has risen', () => {
  const story = tellLate();
  story.advance(314, waitingAt('60'));
  assert.equal(story.dossier.checkout.keptRates[0]?.paidUsd, '80');
  story.advance(315, waitingAt('50'));
  assert.equal(story.dossier.checkout.keptRates[0]?.paidUsd, '50');
  story.advance(9_999, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 40000']);
});

test('it needs no rate any more when a venue is there', () => {
  const story = tellLate();
  story.advance(99, { ...sampleTerms(), fees: noFees });
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 80000']);
});

test('what arrives while another part waits has a rate of its own', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 9_960n, minute: 70, asset: LTC }); // enough, within the tolerance
  story.advance(75, waitingAt('80'));
  story.pay({ id: 'q', units: 40n, minute: 80, asset: LTC });
  story.advance(85, waitingAt('60'));
  story.advance(99, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 9960 79680', 'RATE_OF_ARRIVAL 40 240']);
});

test('a payment that vanished and came back has the rate of its return', () => {
  const story = tellLate();
  story.change('p', { state: 'SEEN', blockTime: null });
  story.advance(80, atRate('80'));
  assert.deepEqual(story.dossier.checkout.keptRates, []);
  story.change('p', { state: 'CONFIRMED', blockTime: at(90) });
  story.advance(91, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 40000']);
});

test('an accepted underpayment that waits for a venue is converted at the rate of the acceptance', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 5_000n, minute: 5, asset: LTC });
  story.advance(60, atRate('90'));
  story.decide({ acceptedAt: at(70) });
  story.advance(70, waitingAt('80'));
  story.advance(99, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ACCEPTANCE 5000 40000']);
});

test('a rate of an acceptance is for nothing else: paid in full after all, it is paid in full', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 5_000n, minute: 5, asset: LTC });
  story.advance(60, atRate('90'));
  story.decide({ acceptedAt: at(70) });
  story.advance(70, waitingAt('80'));
  story.pay({ id: 'q', units: 5_000n, minute: 80, asset: LTC });
  story.advance(85, waitingAt('84'));
  story.advance(99, atRate('40'));
  assert.deepEqual(credits(story), ['QUOTE 5000 39500', 'RATE_OF_ARRIVAL 5000 42000']);
});

test('what waits for the stock of the treasury has the rate of the day when there is some', () => {
  const late = tellStory([litecoin]);
  late.pay({ id: 'p', units: 10_000n, minute: 70, asset: LTC });
  const accepted = tellStory([litecoin]);
  accepted.pay({ id: 'p', units: 5_000n, minute: 5, asset: LTC });
  accepted.advance(60, atRate('90'));
  accepted.decide({ acceptedAt: at(70) });
  for (const story of [late, accepted]) {
    assert.equal(story.advance(75, shortAt('80')).isShortOfStock, true);
    assert.deepEqual(story.dossier.checkout.keptRates, [], 'whoever can wait, or refund it, would have an option');
    story.advance(999, atRate('40'));
  }
  assert.deepEqual(credits(late), ['RATE_OF_ARRIVAL 10000 40000']);
  assert.deepEqual(credits(accepted), ['RATE_OF_ACCEPTANCE 5000 20000']);
});

test('likewise after a wait for the bridge, which ends soon', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 10_000n, minute: 70, asset: LTC });
  const short = shortAt('80');
  const bridged = { ...short, exchange: { ...short.exchange, needsBridge: () => true } };
  story.advance(75, bridged);
  assert.equal(story.dossier.checkout.keptRates.length, 1);
  assert.equal(story.advance(85, bridged).isShortOfStock, true);
  story.advance(999, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 40000']);
});

test('what came in time is converted by its quote, but that does not wait for the rest of the price for ever', () => {
  const creditedWith = (minute: number): string[] => {
    const story = tellStory([litecoin]);
    story.pay({ id: 'p', units: 9_000n, minute: 5, asset: LTC });
    story.advance(60, atRate('80'));
    story.pay({ id: 'q', units: 1_000n, minute, asset: LTC });
    story.advance(minute + 1, atRate('80'));
    return credits(story);
  };
  assert.deepEqual(creditedWith(298), ['QUOTE 9000 71100', 'RATE_OF_ARRIVAL 1000 8000']);
  assert.deepEqual(creditedWith(43_200), ['RATE_OF_ARRIVAL 10000 80000']);
});

test('nor does it by commitments to other methods, one in the window of the other', () => {
  const others = Array.from({ length: 10 }, (_, hour) =>
    aCommitment({ id: `c${hour + 2}`, asset: USDC, due: 80_000n, minute: 59 * (hour + 1) }),
  );
  const story = tellStory([litecoin, ...others]);
  story.pay({ id: 'p', units: 9_000n, minute: 5, asset: LTC });
  story.pay({ id: 'q', units: 8_000n, minute: 600, asset: USDC, commitmentId: 'c11' });
  story.advance(602, atRate('40'));
  assert.equal(story.dossier.checkout.state, 'COMPLETED');
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 9000 36000', 'QUOTE 8000 8000']);
});

test('whether the quote holds is decided once, by the rate of the first attempt, and what is credited again as it was', () => {
  const told = (first: string): Story => {
    const story = tellStory([litecoin]);
    story.pay({ id: 'p', units: 10_000n, minute: 5, asset: LTC });
    story.advance(10, waitingAt(first));
    return story;
  };
  const held = told('79');
  held.advance(99, atRate('40'));
  assert.deepEqual(credits(held), ['QUOTE 10000 79000'], 'it was worth its quote when it came');
  const fallen = told('78');
  fallen.advance(99, atRate('90'));
  assert.deepEqual(credits(fallen), ['RATE_OF_ARRIVAL 10000 78000'], 'whoever can wait would have an option');
  const late = told('79');
  late.advance(250, atRate('40'));
  assert.deepEqual(credits(late), ['RATE_OF_ARRIVAL 10000 40000'], 'and no longer than four hours');
});
