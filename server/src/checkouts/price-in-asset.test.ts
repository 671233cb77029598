import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { priceUnitsOf } from './payment-portions.ts';
import { priceInAsset } from './price-in-asset.ts';

const commitment = (asset: string, price: string) => aCommitment({ id: 'c1', asset, due: 1n, minute: 0, price });

/** In units of the asset, as a number: small enough to be exact here. */
function unitsOf(usd: Record<string, string>, currency: string, asset: string, price: string): number {
  const valuation = priceInAsset(sampleTerms(usd), currency, commitment(asset, price), at(70));
  assert.ok(!('noMarket' in valuation), JSON.stringify(valuation));
  const { numerator, denominator } = priceUnitsOf(valuation);
  return Number(numerator) / Number(denominator);
}

test('a price is converted at the rates of both sides, exactly', () => {
  assert.equal(unitsOf({ BTC: '50000', EUR: '1.25' }, 'EUR', BTC, '100'), 250_000);
  assert.equal(unitsOf({ BTC: '0.5', EUR: '2' }, 'EUR', BTC, '0.01'), 4_000_000);
  assert.equal(unitsOf({ USDC: '1', EUR: '1.1' }, 'EUR', USDC, '12.34'), 135_740_000);
});

test('what was used is kept with it, for whoever wants to work it out again', () => {
  const valuation = priceInAsset(sampleTerms({ BTC: '50000', EUR: '1.25' }), 'EUR', commitment(BTC, '100'), at(70));
  assert.deepEqual(
    { ...valuation, priceUnits: null },
    { priceUnits: null, paidUsd: '50000', billedUsd: '1.25', valuedAt: at(70).toISOString() },
  );
});

test('a price in the very coin that is paid needs no market', () => {
  const valuation = priceInAsset(sampleTerms(), 'BTC', commitment(BTC, '0.5'), at(70));
  assert.ok(!('noMarket' in valuation));
  assert.deepEqual([valuation.paidUsd, valuation.billedUsd], ['1', '1']);
  assert.equal(unitsOf({}, 'BTC', BTC, '0.5'), 50_000_000);
});

test('without a rate of one side there is no market, and it is said of which', () => {
  const price = (usd: Record<string, string>) => priceInAsset(sampleTerms(usd), 'EUR', commitment(BTC, '1'), at(70));
  assert.deepEqual(price({ EUR: '1' }), { noMarket: 'BTC: no source' });
  assert.deepEqual(price({ BTC: '1' }), { noMarket: 'EUR: no source' });
});
