import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareBlame } from './share-blame.ts';

const to = (...ids: string[]) => ids.map((payoutId) => ({ payoutId, reason: `because of ${payoutId}` }));

test('who is to blame for a batch pays all that it cost, and nobody a unit more than another', () => {
  for (let count = 1; count <= 7; count += 1)
    for (let costUnits = 0n; costUnits <= 15n; costUnits += 1n) {
      const shares = [
        ...shareBlame([{ costUnits, toBlame: to(...'a b c d e f g'.split(' ').slice(0, count)) }]).values(),
      ];
      const sum = shares.reduce((paid, share) => paid + share.costUnits, 0n);
      assert.ok(sum >= costUnits && sum - costUnits < BigInt(count), `${count} pay ${sum} of ${costUnits}`);
      assert.equal(new Set(shares.map((share) => share.costUnits)).size, 1);
    }
});

test('of two versions that failed each is paid for by who is to blame for it', () => {
  const shares = shareBlame([
    { costUnits: 300n, toBlame: to('a', 'b') },
    { costUnits: 7n, toBlame: to('b') },
    { costUnits: 5n, toBlame: [] },
  ]);
  assert.deepEqual(
    [...shares].map(([id, { reason, costUnits }]) => [id, reason, costUnits]),
    [
      ['a', 'because of a', 150n],
      ['b', 'because of b', 157n],
    ],
  );
});
