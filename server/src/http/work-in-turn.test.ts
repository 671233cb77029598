import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairTurns } from './fair-turns.ts';
import { workInTurn } from './work-in-turn.ts';

const megabyte = 1024 * 1024;

test('between requests that waited, whatever else the process has to do comes in, also where each is answered at once', async () => {
  const turns = createFairTurns();
  const happened: string[] = [];
  const all = Array.from({ length: 5 }, (_, number) =>
    workInTurn(
      turns,
      { party: 'a', bytes: megabyte },
      () => {
        happened.push(`request ${number}`);
        // As a packet that arrives while it is worked.
        setImmediate(() => happened.push('another'));
      },
      () => 0,
    ),
  );
  await Promise.all(all);
  assert.deepEqual(happened.slice(0, 4), ['request 0', 'another', 'request 1', 'another']);
  assert.equal(happened.filter((each) => each === 'another').length >= 4, true);
});
