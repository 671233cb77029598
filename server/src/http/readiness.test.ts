import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../lib/errors.ts';
import { createReadiness } from './readiness.ts';

function aProcess() {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const readiness = createReadiness({ now: () => new Date(now) });
  return {
    readiness,
    pass: (ms: number) => {
      now += ms;
    },
    reads: () => readiness.noting(async () => undefined),
    fails: () =>
      assert.rejects(
        readiness.noting(() => Promise.reject(new Error('away'))),
        /away/,
      ),
    /** Null: it can serve. */
    problem(): string | null {
      try {
        readiness.assertReady();
        return null;
      } catch (error) {
        assert.ok(error instanceof GatewayError);
        assert.deepEqual([error.httpStatus, error.headers], [503, { 'retry-after': '2' }]);
        return error.message;
      }
    },
  };
}

test('a process can serve from its first reading on, and while the last one succeeded', async () => {
  const { reads, fails, problem } = aProcess();
  const starting = 'The service is starting and cannot answer yet.';
  assert.equal(problem(), starting);
  await fails();
  assert.equal(problem(), starting);
  await reads();
  assert.equal(problem(), null);
  await fails();
  assert.equal(problem(), 'The service cannot read its database at the moment.');
  await fails();
  await reads();
  assert.equal(problem(), null);
});

test('a reading that does not come to an end is noticed, by when the last good one began', async () => {
  const { readiness, reads, pass, problem } = aProcess();
  await reads();
  pass(15_000);
  assert.equal(problem(), null);
  pass(1);
  assert.equal(problem(), 'The service has not heard from its database for a while.');
  const slow = Promise.withResolvers<void>();
  const reading = readiness.noting(() => slow.promise);
  pass(15_000);
  slow.resolve();
  await reading;
  assert.equal(problem(), null, 'what it read is fifteen seconds old');
  pass(1);
  assert.notEqual(problem(), null);
});

test('a clock that was set back or forward is made good by the next reading', async () => {
  const { reads, pass, problem } = aProcess();
  await reads();
  pass(-3_600_000);
  assert.equal(problem(), null);
  pass(7_200_000);
  assert.notEqual(problem(), null);
  await reads();
  assert.equal(problem(), null);
});
