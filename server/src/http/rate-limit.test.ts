import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter } from './rate-limit.ts';

test('a bucket refills with time and never above its capacity', () => {
  let now = 0;
  const limiter = createRateLimiter({ capacity: 2, perSecond: 1 }, () => now);
  const take = () => limiter.take('a').isAllowed;
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  now += 999;
  assert.equal(take(), false);
  now += 1;
  assert.deepEqual([take(), take()], [true, false]);
  now += 3_600_000;
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  assert.equal(limiter.take('b').isAllowed, true);
});

test('a refusal says how long to wait', () => {
  const limiter = createRateLimiter({ capacity: 1, perSecond: 0.1 }, () => 0);
  assert.deepEqual(limiter.take('a').headers, {
    'ratelimit-limit': '1',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '10',
  });
  assert.equal(limiter.take('a').headers['retry-after'], '10');
});

test('memory is bounded however many clients come', () => {
  const limiter = createRateLimiter({ capacity: 1, perSecond: 0.001 }, () => 0);
  limiter.take('first');
  assert.equal(limiter.take('first').isAllowed, false);
  for (let client = 0; client < 60_000; client += 1) limiter.take(`client ${client}`);
  assert.equal(limiter.take('first').isAllowed, true, 'the oldest was forgotten');
  assert.equal(limiter.take('client 59999').isAllowed, false);
});
