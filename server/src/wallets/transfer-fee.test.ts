import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { decimal } from '../money/decimal.ts';
import type { CombinedRate } from '../pricing/combine-rates.ts';
import { type FeeRequest, isTransferFee, transferFee } from './transfer-fee.ts';

const asset = (code: string, ledgerScale: number) =>
  ({ id: `${code}:G`, assetCode: code, currencyCode: code, ledgerScale }) as CatalogAsset;
const eth = asset('ETH', 18);
const usdc = asset('USDC', 7);
const btc = asset('BTC', 8);
const prices: Record<string, string> = { ETH: '2500', USDC: '1', BTC: '60000' };
const at = new Date(0);
const rateOf = (code: string) =>
  prices[code] === undefined ? { missing: `no rate for ${code}` } : { usd: decimal(prices[code]), sources: [], at };
const spread = decimal(0);
const free = { percent: decimal(0), minimumUsd: decimal(0) };

test('in the asset in which the network takes its fee nothing is converted, and no rate is needed', () => {
  const fee = transferFee({
    asset: btc,
    units: 100n,
    networkFee: { asset: btc, units: 1_410n },
    fees: free,
    rateOf: () => ({ missing: 'any' }),
    spread,
  });
  assert.deepEqual(fee, { networkFeeUnits: 1_410n, serviceFeeUnits: 0n });
});

test('gas is charged in the token that is sent, rounded up', () => {
  // 0.0013 ETH at 2,500 dollars are 3.25 dollars; one wei more costs a unit more.
  const gas = 1_300_000_000_000_000n;
  const charged = (units: bigint) =>
    transferFee({ asset: usdc, units: 1n, networkFee: { asset: eth, units }, fees: free, rateOf, spread });
  assert.deepEqual(charged(gas), { networkFeeUnits: 32_500_000n, serviceFeeUnits: 0n });
  assert.deepEqual(charged(gas + 1n), { networkFeeUnits: 32_500_001n, serviceFeeUnits: 0n });
});

test('what the house pays in another coin has its spread and the margins of the rates on top', () => {
  const unsure = (code: string) => ({ ...rateOf(code), margin: decimal('0.005') }) as CombinedRate;
  const networkFee = { asset: eth, units: 1_000_000_000_000_000n };
  const charged = (told: Pick<FeeRequest, 'rateOf' | 'spread'>) =>
    transferFee({ asset: usdc, units: 1n, networkFee, fees: free, ...told });
  assert.deepEqual(charged({ rateOf: unsure, spread: decimal('0.03') }), {
    networkFeeUnits: 26_000_000n, // 2.50 dollars and 4 %
    serviceFeeUnits: 0n,
  });
});

test('without a rate that is needed there is no fee', () => {
  const unknown = asset('NOTHING', 7);
  for (const outcome of [
    transferFee({ asset: unknown, units: 1n, networkFee: { asset: eth, units: 1n }, fees: free, rateOf, spread }),
    transferFee({ asset: usdc, units: 1n, networkFee: { asset: unknown, units: 1n }, fees: free, rateOf, spread }),
    transferFee({
      asset: unknown,
      units: 1n,
      networkFee: { asset: unknown, units: 1n },
      fees: { ...free, minimumUsd: decimal(1) },
      rateOf,
      spread,
    }),
  ])
    assert.equal(isTransferFee(outcome), false);
});

test('the fee of the service is a share, at least its minimum, and never more than is sent', () => {
  const fees = { percent: decimal('0.01'), minimumUsd: decimal('3') };
  const service = (units: bigint) => {
    const fee = transferFee({ asset: usdc, units, networkFee: { asset: usdc, units: 0n }, fees, rateOf, spread });
    return isTransferFee(fee) ? fee.serviceFeeUnits : null;
  };
  assert.deepEqual([service(10_000_000_000n), service(100_000_000n), service(5n)], [100_000_000n, 30_000_000n, 5n]);
});

test('a converted fee is worth at least what the network wants, and less than a unit more', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 20n), (wei) => {
      const fee = transferFee({
        asset: usdc,
        units: 1n,
        networkFee: { asset: eth, units: wei },
        fees: free,
        rateOf,
        spread,
      });
      assert.ok(isTransferFee(fee));
      const exact = wei * 2_500n; // in units of 10^-18 dollars
      const charged = fee.networkFeeUnits * 10n ** 11n;
      assert.ok(charged >= exact && charged - exact < 10n ** 11n);
    }),
  );
});
