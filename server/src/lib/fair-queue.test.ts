import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';

const drained = (queue: { next(): string | undefined }): string[] => {
  const items: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
};

test('a neighbour with one thing is next in turn, however much somebody else has waiting', () => {
  const queue = createFairQueue<string>({ perParty: 4, inAll: 10 });
  for (const at of [1, 2, 3, 4]) assert.equal(queue.add('a', `a${at}`), null);
  assert.equal(queue.add('a', 'a5'), 'a5', 'no place for a fifth of one party');
  assert.equal(queue.add('b', 'b1'), null);
  assert.deepEqual(drained(queue), ['a1', 'b1', 'a2', 'a3', 'a4']);
  assert.equal(queue.size(), 0);
});

test('where all places are taken, the longest line gives one up for who has less, and nobody else', () => {
  const queue = createFairQueue<string>({ perParty: 4, inAll: 4 });
  for (const at of [1, 2, 3]) queue.add('a', `a${at}`);
  queue.add('b', 'b1');
  assert.equal(queue.add('c', 'c1'), 'a3', 'the last of the longest line');
  assert.equal(queue.add('b', 'b2'), 'b2', 'it would have as much as the longest line');
  assert.equal(queue.add('d', 'd1'), 'a2');
  assert.equal(queue.add('e', 'e1'), 'e1', 'everybody has one');
  assert.deepEqual(drained(queue), ['a1', 'b1', 'c1', 'd1']);
});

test('nothing is lost or done twice, no line is too long, and a party waits for one turn of each other at most', () => {
  const act = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.constant(null));
  const places = { perParty: 3, inAll: 7 };
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const queue = createFairQueue<string>(places);
      let waiting: string[] = [];
      const servedSince = new Map<string, string[]>();
      for (const [at, party] of acts.entries()) {
        if (party === null) {
          const item = queue.next();
          assert.equal(item === undefined, waiting.length === 0);
          if (item === undefined) continue;
          const served = item.charAt(0);
          waiting = waiting.filter((each) => each !== item);
          servedSince.delete(served);
          for (const [other, since] of servedSince) {
            since.push(served);
            assert.equal(new Set(since).size, since.length, `nobody had two turns while ${other} waited`);
          }
        } else {
          const item = `${party}${at}`;
          const out = queue.add(party, item);
          waiting = [...waiting, item].filter((each) => each !== out);
        }
        for (const name of ['a', 'b', 'c', 'd']) {
          const count = waiting.filter((each) => each.startsWith(name)).length;
          assert.ok(count <= places.perParty);
          if (count === 0) servedSince.delete(name);
          else if (!servedSince.has(name)) servedSince.set(name, []);
        }
        assert.equal(queue.size(), waiting.length);
        assert.ok(waiting.length <= places.inAll);
      }
      assert.deepEqual(drained(queue).toSorted(), waiting.toSorted());
    }),
  );
});
