/** What a replacement inherits. Payments are written as `id units @minute`, and what took their place after the arrow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at } from '../../test/sample-checkout.ts';
import { inheritedSights, type LinkedPayment } from './inherit-sights.ts';
import { sightsOf } from './payment-sights.ts';

type Told = { id?: string; tx: string; units: bigint; minute: number; replacedBy?: string | null };

const linked = ({ id, tx, units, minute, replacedBy = null }: Told): LinkedPayment => ({
  id: id ?? tx,
  txHash: tx,
  replacedBy,
  units,
  firstSeenAt: at(minute),
  inherited: [],
  valuations: [],
});

/** `400@0 600@70`: by payment, how many units were seen in which minute. */
function seenBy(tx: string, told: readonly Told[]): Record<string, string> {
  const line = told.map(linked);
  return Object.fromEntries(
    [...inheritedSights(line, tx)].map(([id, inherited]) => {
      const payment = line.find((each) => each.id === id);
      assert.ok(payment);
      const sights = sightsOf({ ...payment, inherited });
      return [id, sights.map(({ units, seenAt }) => `${units}@${minuteOf(seenAt)}`).join(' ')];
    }),
  );
}

const minuteOf = (moment: Date): number => (moment.getTime() - at(0).getTime()) / 60_000;

test('a replacement inherits the first sight only up to the units that were seen', () => {
  const crumb = { tx: 'a', units: 6n, minute: 59, replacedBy: 'b' };
  assert.deepEqual(seenBy('b', [crumb, { tx: 'b', units: 1000n, minute: 1400 }]), { b: '6@59 994@1400' });
  const same = { tx: 'b', units: 6n, minute: 70 };
  assert.deepEqual(seenBy('b', [crumb, same]), { b: '6@59' });
  assert.deepEqual(seenBy('b', [crumb, { ...same, units: 5n }]), { b: '5@59' });
});

test('it inherits through a chain, each step of it no more than it had', () => {
  const chain = [
    { tx: 'a', units: 400n, minute: 0, replacedBy: 'b' },
    { tx: 'b', units: 100n, minute: 10, replacedBy: 'c' },
    { tx: 'c', units: 1000n, minute: 20 },
  ];
  assert.deepEqual(seenBy('c', chain), { c: '100@0 900@20' }, 'three quarters were taken back in between');
});

test('several originals add up, and several outputs share what was seen once', () => {
  const originals = [
    { tx: 'a', units: 300n, minute: 5, replacedBy: 'c' },
    { tx: 'b', units: 200n, minute: 3, replacedBy: 'c' },
  ];
  assert.deepEqual(seenBy('c', [...originals, { tx: 'c', units: 600n, minute: 70 }]), { c: '200@3 300@5 100@70' });
  const outputs = [
    { id: 'c-0', tx: 'c', units: 250n, minute: 70 },
    { id: 'c-1', tx: 'c', units: 350n, minute: 70 },
  ];
  assert.deepEqual(seenBy('c', [...originals, ...outputs]), { 'c-0': '200@3 50@5', 'c-1': '250@5 100@70' });
});

test('what came back was not replaced after all, and passes nothing on', () => {
  const back = [
    { tx: 'a', units: 500n, minute: 0 },
    { tx: 'b', units: 500n, minute: 65 },
    { tx: 'c', units: 1000n, minute: 70, replacedBy: 'b' },
  ];
  assert.deepEqual(seenBy('b', back), { b: '500@65' }, 'not what c once had from a');
});

test('what was only dropped passes nothing on: its sender pays anew, and is seen anew', () => {
  const dropped = { tx: 'a', units: 500n, minute: 0 };
  assert.deepEqual(seenBy('b', [dropped, { tx: 'b', units: 500n, minute: 70 }]), { b: '500@70' });
});

test('a circle ends', () => {
  const circle = [
    { tx: 'a', units: 500n, minute: 0, replacedBy: 'b' },
    { tx: 'b', units: 500n, minute: 1, replacedBy: 'a' },
  ];
  assert.deepEqual(seenBy('a', circle), { a: '500@0' });
});

test('a valuation travels with its units', () => {
  const valuation = { priceUnits: { numerator: '7', denominator: '1' }, paidUsd: '1', billedUsd: '1', valuedAt: '' };
  const original: LinkedPayment = {
    ...linked({ tx: 'a', units: 5n, minute: 70, replacedBy: 'b' }),
    valuations: [{ ...valuation, of: 'SIGHT', moment: at(70).toISOString() }],
  };
  const inherited = inheritedSights([original, linked({ tx: 'b', units: 9n, minute: 80 })], 'b').get('b');
  assert.deepEqual(inherited, [{ units: '5', seenAt: at(70).toISOString(), valuation }]);
});

test('a long chain is told in few sights, and never as seen earlier than it was', () => {
  const chain = Array.from({ length: 30 }, (_, position) => ({
    tx: `t${position}`,
    units: BigInt(position + 1),
    minute: position,
    ...(position < 29 && { replacedBy: `t${position + 1}` }),
  }));
  assert.deepEqual(seenBy('t29', chain), { t29: '1@0 1@1 1@2 1@3 1@4 1@5 1@6 22@28 1@29' });
});

const histories = fc.array(
  fc.record({ units: fc.bigInt(1n, 100n), outputs: fc.integer({ min: 1, max: 3 }), replaces: fc.array(fc.nat(9)) }),
  { minLength: 1, maxLength: 10 },
);

test('whatever replaces whatever, every unit that was seen counts once', () => {
  fc.assert(
    fc.property(histories, (transactions) => {
      const line: (LinkedPayment & { replacedBy: string | null })[] = [];
      for (const [minute, { units, outputs, replaces }] of transactions.entries()) {
        const tx = `t${minute}`;
        for (const position of replaces)
          for (const [index, each] of line.entries())
            if (each.txHash === `t${position}` && each.replacedBy === null) line[index] = { ...each, replacedBy: tx };
        for (let output = 0; output < outputs; output++)
          line.push({ ...linked({ id: `${tx}-${output}`, tx, units: units + BigInt(output), minute }) });
      }
      const alive = line.filter(({ replacedBy }) => replacedBy === null);
      const sights = alive.flatMap((payment) => {
        const inherited = inheritedSights(line, payment.txHash).get(payment.id) ?? [];
        const own = sightsOf({ ...payment, inherited });
        assert.equal(sum(own.map(({ units }) => units)), payment.units);
        return own;
      });
      for (const minute of transactions.keys()) {
        const shown = sum(sights.filter(({ seenAt }) => seenAt <= at(minute)).map(({ units }) => units));
        const seen = sum(line.filter(({ firstSeenAt }) => firstSeenAt <= at(minute)).map(({ units }) => units));
        assert.ok(shown <= seen, `by minute ${minute}`);
      }
    }),
  );
});

const sum = (units: readonly bigint[]): bigint => units.reduce((total, each) => total + each, 0n);
