import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAssetCatalog } from '../catalog/asset-catalog.ts';
import { decimal } from '../money/decimal.ts';
import { approvalLimitRecord, needsApproval } from './approval-limit.ts';

const issuer = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';
const assets = createAssetCatalog({ issuerAccount: issuer, issuerName: '', issuerDomain: '', issuerAddress: '' });
const btc = `BTC:${issuer}`;
const now = new Date('2026-03-01T12:00:00Z');

/** A dollar for a coin, and so many dollars for a euro. */
function termsAt(usdOfEuro: string) {
  const usd: Record<string, string> = { BTC: '1', EUR: usdOfEuro };
  const rate = (code: string) =>
    usd[code] === undefined ? { missing: 'no source' } : { usd: decimal(usd[code]), sources: [], at: now };
  return { assets, clock: { now: () => now }, rates: { rate, record: () => undefined, price: () => assert.fail() } };
}

const left = (remaining: string | null) => ({
  currency: 'EUR',
  limit: decimal('1000'),
  remaining: remaining === null ? null : decimal(remaining),
});

test('exactly what is left of the limit needs no approval, and a unit more does', () => {
  const needs = (units: bigint) => needsApproval(termsAt('1'), left('100'), { asset: btc, units });
  assert.deepEqual([needs(99_9999_9999n), needs(100_0000_0000n), needs(100_0000_0001n)], [false, false, true]);
});

test('what it is worth is rounded up: a hair more than is left needs an approval', () => {
  const third = `0.${'3'.repeat(18)}`;
  assert.equal(needsApproval(termsAt('3'), left(third), { asset: btc, units: 1_0000_0000n }), true);
  assert.equal(needsApproval(termsAt('3'), left(`${third.slice(0, -1)}4`), { asset: btc, units: 1_0000_0000n }), false);
});

test('what cannot be valued needs an approval, and without a limit nothing does', () => {
  const order = { asset: `LTC:${issuer}`, units: 1n };
  assert.equal(needsApproval(termsAt('1'), left('100'), order), true);
  assert.equal(needsApproval(termsAt('1'), left(null), { asset: btc, units: 1n }), true);
  assert.equal(needsApproval(termsAt('1'), null, order), false);
});

test('what is left is never shown below nothing', () => {
  const shown = (units: bigint) =>
    approvalLimitRecord(termsAt('1'), left('1'), { asset: btc, units }).approvalLimit?.remaining;
  assert.deepEqual([shown(9999_9999n), shown(1_0000_0000n), shown(1_0000_0001n)], ['0.00000001', '0', '0']);
});
