import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryOutcome } from './delivery-outcome.ts';
import { attemptsMax } from './delivery-schedule.ts';

const now = new Date('2026-03-01T12:00:00Z');
const outcome = (responseStatus: number | null, attempts = 0, isTest = false) =>
  deliveryOutcome({ responseStatus }, { attempts, isTest }, now, () => 0);

test('from 200 to 299 an event is delivered, 410 ends it for good, and all else is tried again', () => {
  for (const isTest of [false, true])
    for (const attempts of [0, attemptsMax - 2, attemptsMax - 1]) {
      const isLast = isTest || attempts === attemptsMax - 1;
      for (const status of [200, 201, 204, 299]) assert.equal(outcome(status, attempts, isTest).move, 'deliver');
      const gone = outcome(410, attempts, isTest);
      assert.ok(gone.move === 'giveUp' && gone.isUrlGone, 'whatever is sent, and however often it was');
      for (const status of [null, 100, 199, 300, 302, 400, 404, 409, 411, 429, 500, 599]) {
        const found = outcome(status, attempts, isTest);
        assert.equal(found.move, isLast ? 'giveUp' : 'retry', `${status} after ${attempts}`);
        assert.ok(found.move !== 'giveUp' || !found.isUrlGone, 'the URL is used again');
      }
    }
});

test('the gap after an attempt is that of how often it has failed, this one with it', () => {
  const gap = (attempts: number) => {
    const found = outcome(500, attempts);
    return found.move === 'retry' ? found.nextAt.getTime() - now.getTime() : null;
  };
  assert.deepEqual([gap(0), gap(1), gap(2)], [5_000, 15_000, 30_000]);
  assert.deepEqual([gap(attemptsMax - 2), gap(attemptsMax - 1)], [24 * 3_600_000, null]);
});
