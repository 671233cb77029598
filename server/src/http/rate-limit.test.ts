import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOwnRateLimiter } from './rate-limit.ts';

test('a bucket refills with time and never above its capacity', () => {
  let now = 0;
  const limiter = createOwnRateLimiter(() => now);
  const rate = { capacity: 2, perSecond: 1 };
  const take = () => limiter.take('a', rate).isAllowed;
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  now += 999;
  assert.equal(take(), false);
  now += 1;
  assert.deepEqual([take(), take()], [true, false]);
  now += 3_600_000;
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  assert.equal(limiter.take('b', rate).isAllowed, true);
});

test('a refusal says how long to wait', () => {
  const limiter = createOwnRateLimiter(() => 0);
  const rate = { capacity: 1, perSecond: 0.1 };
  assert.deepEqual(limiter.take('a', rate).headers, {
    'ratelimit-limit': '1',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '10',
  });
  assert.equal(limiter.take('a', rate).headers['retry-after'], '10');
});

test('memory is bounded however many clients come', () => {
  const limiter = createOwnRateLimiter(() => 0);
  const rate = { capacity: 1, perSecond: 0.001 };
  limiter.take('first', rate);
  assert.equal(limiter.take('first', rate).isAllowed, false);
  for (let client = 0; client < 60_000; client += 1) limiter.take(`client ${client}`, rate);
  assert.equal(limiter.take('first', rate).isAllowed, true, 'the oldest was forgotten');
  assert.equal(limiter.take('client 59999', rate).isAllowed, false);
});
