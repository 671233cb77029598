import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLastingWait } from './lasting-wait.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000);
const newsAt = (wait: ReturnType<typeof createLastingWait>, seconds: readonly number[]): number[] =>
  seconds.filter((second) => wait.isNews(at(second)));

test('a wait is news when it has lasted a minute, and again an hour later', () => {
  const everyTime = [0, 1, 59, 60, 61, 3_659, 3_660, 3_661];
  assert.deepEqual(newsAt(createLastingWait(), everyTime), [60, 3_660]);
});

test('a wait that ended and begins again is another one, also when the first was told', () => {
  const wait = createLastingWait();
  assert.deepEqual(newsAt(wait, [0, 50]), []);
  wait.end();
  assert.deepEqual(newsAt(wait, [70, 129, 130]), [130]);
  wait.end();
  assert.deepEqual(newsAt(wait, [200, 259, 260]), [260]);
});
