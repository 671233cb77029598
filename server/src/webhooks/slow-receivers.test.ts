import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlowReceivers } from './slow-receivers.ts';

test('a merchant with slow servers gets a few places for a while, and nobody else notices', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const receivers = createSlowReceivers(() => now);
  const answers = Array.from({ length: 30 }, () => Promise.withResolvers<void>());
  const attempts = answers.map(({ promise }) => receivers.watch('slow', () => promise));
  assert.equal(receivers.hasPlaceFor('slow'), true, 'not known to be slow yet');

  context.mock.timers.tick(2_000);
  assert.deepEqual([receivers.hasPlaceFor('slow'), receivers.hasPlaceFor('other')], [false, true]);

  for (const answer of answers) answer.resolve();
  await Promise.all(attempts);
  const silence = Promise.withResolvers<void>();
  const four: Promise<void>[] = [];
  while (receivers.hasPlaceFor('slow')) four.push(receivers.watch('slow', () => silence.promise));
  assert.equal(four.length, 4);
  silence.reject(new Error('no answer'));
  await Promise.allSettled(four);
  assert.equal(receivers.hasPlaceFor('slow'), true);

  now = 300_001;
  const quick = Promise.withResolvers<void>();
  const many = Array.from({ length: 30 }, () => receivers.watch('slow', () => quick.promise));
  assert.equal(receivers.hasPlaceFor('slow'), true, 'forgiven');
  quick.resolve();
  await Promise.all(many);
});

test('two seconds are slow, it is remembered for five minutes, and a place is free when its attempt has ended', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const receivers = createSlowReceivers(() => now);
  const attempt = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = receivers.watch('shop', () => promise);
    return { end: () => (resolve(), done) };
  };
  const many = Array.from({ length: 5 }, attempt);
  context.mock.timers.tick(1_999);
  assert.equal(receivers.hasPlaceFor('shop'), true);
  context.mock.timers.tick(1);
  for (const [ended, isFree] of [false, true, true, true].entries()) {
    await many[ended]?.end();
    assert.equal(receivers.hasPlaceFor('shop'), isFree, `${ended + 1} of five have ended`);
  }
  const four = [...many.slice(4), ...Array.from({ length: 3 }, attempt)];
  now = 299_999;
  assert.equal(receivers.hasPlaceFor('shop'), false);
  now = 300_000;
  assert.equal(receivers.hasPlaceFor('shop'), true);
  await Promise.all(four.map(({ end }) => end()));
});
