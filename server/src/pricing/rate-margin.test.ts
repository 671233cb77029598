import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimal, formatDecimal } from '../money/decimal.ts';
import { defaultMarginPolicy, rateMargin } from './rate-margin.ts';

const now = new Date('2026-03-01T12:00:00Z');
const policy = { perMinute: decimal('0.001'), perMissingSource: decimal('0.01') };

const margin = (sources: number, secondsOld: number): string => {
  const rate = {
    sources: Array.from({ length: sources }, (_, number) => `source ${number}`),
    at: new Date(now.getTime() - secondsOld * 1000),
  };
  return formatDecimal(rateMargin(rate, policy, now));
};

test('three sources of this moment leave no doubt, and more leave no less', () => {
  assert.equal(margin(3, 0), '0');
  assert.equal(margin(7, 0), '0');
});

test('every source that is missing to three costs its part', () => {
  assert.deepEqual([margin(2, 0), margin(1, 0), margin(0, 0)], ['0.01', '0.02', '0.03']);
});

test('every minute that has begun costs its part', () => {
  assert.deepEqual([margin(3, 1), margin(3, 60), margin(3, 61), margin(3, 120)], ['0.001', '0.001', '0.002', '0.002']);
});

test('a clock that is ahead makes nothing younger than new', () => {
  assert.equal(margin(3, -3600), '0');
  assert.equal(margin(2, -3600), '0.01');
});

test('age and missing sources add up', () => {
  assert.equal(margin(1, 90), '0.022');
});

test('unless the operator says otherwise, a minute and a source are a tenth of a percent each', () => {
  assert.deepEqual(defaultMarginPolicy, { perMinute: decimal('0.001'), perMissingSource: decimal('0.001') });
});
