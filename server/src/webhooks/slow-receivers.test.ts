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
