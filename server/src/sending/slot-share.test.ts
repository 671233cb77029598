import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slotShare, slotWaitOf } from './slot-share.ts';

/** What a merchant gets who has so many, beside others who have these. All of it is on its way. */
function share(own: number, others: readonly number[] = [], total = 50): number {
  const held = own === 0 ? others : [own, ...others];
  const free = total - held.reduce((sum, each) => sum + each, 0);
  return slotShare({ total, free }, { held, unsent: 0, own });
}

test('one who is alone gets a quarter and one, because half of the half stays', () => {
  assert.deepEqual(
    [0, 1, 2, 11, 12, 13, 14].map((own) => share(own)),
    [13, 12, 11, 2, 1, 0, 0],
  );
  assert.deepEqual(
    [0, 120, 121].map((own) => share(own, [], 483)),
    [121, 1, 0],
  );
});

test('who comes later gets less beyond the first, and the first always', () => {
  assert.deepEqual([share(0, [13]), share(6, [13]), share(7, [13]), share(8, [13])], [7, 1, 0, 0]);
  const six = [13, 7, 4, 2, 2, 2];
  assert.deepEqual([share(0, six), share(1, six), share(0, [...six, 1, 1, 1])], [1, 0, 1]);
});

test('the last slot is for somebody who has none', () => {
  const last = { total: 50, free: 1 };
  const others = Array.from({ length: 49 }, () => 1);
  assert.equal(slotShare(last, { held: others, unsent: 0, own: 0 }), 1);
  assert.equal(slotShare(last, { held: others, unsent: 0, own: 1 }), 0);
  assert.equal(slotShare({ total: 50, free: 0 }, { held: [...others, 1], unsent: 0, own: 0 }), 0);
  assert.equal(slotShare({ total: 0, free: 0 }, { held: [], unsent: 0, own: 0 }), 0);
  assert.deepEqual([share(0, [], 1), share(0, [], 2), share(0, [], 3), share(0, [], 4)], [1, 1, 1, 2]);
});

test('what is signed and not sent is not free, though the node says so', () => {
  const whole = { total: 50, free: 50 };
  assert.equal(slotShare(whole, { held: [1], unsent: 49, own: 0 }), 1);
  assert.equal(slotShare(whole, { held: [1], unsent: 50, own: 0 }), 0);
  assert.equal(slotShare(whole, { held: [1], unsent: 40, own: 1 }), 2);
});

test('what others send through the node leaves less, and what is ours on other channels stops no newcomer', () => {
  assert.equal(slotShare({ total: 50, free: 20 }, { held: [], unsent: 0, own: 0 }), 6);
  const onOthers = { held: [13, 12], unsent: 0 };
  assert.deepEqual(
    [
      slotShare({ total: 10, free: 10 }, { ...onOthers, own: 0 }),
      slotShare({ total: 10, free: 10 }, { ...onOthers, own: 12 }),
    ],
    [1, 0],
  );
});

test('as long as merchants are fewer than half of the slots, one who comes finds a slot, whatever the others hold', () => {
  const wishes = fc.array(fc.record({ who: fc.nat(199), parts: fc.integer({ min: 1, max: 8 }) }), { maxLength: 400 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 200 }), wishes, (total, count, asked) => {
      const held = new Map<number, number>();
      const sum = () => [...held.values()].reduce((all, each) => all + each, 0);
      for (const { who, parts } of asked) {
        const own = held.get(who % count) ?? 0;
        const use = { held: [...held.values()], unsent: 0, own };
        const given = Math.min(parts, slotShare({ total, free: total - sum() }, use));
        if (given > 0) held.set(who % count, own + given);
      }
      assert.ok(sum() <= total);
      assert.ok(Math.max(0, ...held.values()) <= 1 + total / 4);
      if (held.size < total - Math.floor(total / 2)) assert.ok(share(0, [...held.values()], total) >= 1);
    }),
  );
});

test('who has something under way waits for that, and who has nothing for the network', () => {
  assert.deepEqual([slotWaitOf({ own: 1 }), slotWaitOf({ own: 0 })], ['OWN_PAYMENTS', 'NETWORK']);
});
