import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assetOfAccount,
  chainWallet,
  mayBeNegative,
  merchantAccount,
  networkOfWallet,
  operatorAccount,
} from './chart-of-accounts.ts';

const btc = 'BTC:GISSUER';

test('an account is named by its owner, its purpose and its asset', () => {
  assert.equal(merchantAccount('m1', 'available', btc), 'merchant/m1/available/BTC:GISSUER');
  assert.equal(operatorAccount('fees', btc), 'operator/fees/BTC:GISSUER');
  assert.equal(chainWallet('BITCOIN', btc), 'operator/wallet-BITCOIN/BTC:GISSUER');
});

test('the asset and the network of an account are read from its name', () => {
  for (const account of [
    merchantAccount('m1', 'suspense', btc),
    operatorAccount('fx', btc),
    chainWallet('BITCOIN', btc),
  ])
    assert.equal(assetOfAccount(account), btc);
  assert.equal(networkOfWallet(chainWallet('BITCOIN', btc)), 'BITCOIN');
  assert.equal(networkOfWallet(chainWallet('LITECOIN', btc)), 'LITECOIN');
});

test('a merchant can owe only in `receivable`; the operator may be below zero anywhere', () => {
  assert.equal(mayBeNegative(merchantAccount('m1', 'receivable', btc)), true);
  for (const purpose of ['available', 'pending', 'reserved', 'suspense'] as const)
    assert.equal(mayBeNegative(merchantAccount('m1', purpose, btc)), false, purpose);
  assert.equal(mayBeNegative(operatorAccount('fx', btc)), true);
  assert.equal(mayBeNegative(chainWallet('BITCOIN', btc)), true);
});

test('merchants sort before the operator, so that what everyone shares is locked last', () => {
  assert.ok(merchantAccount('zzz', 'suspense', btc) < operatorAccount('bridge', btc));
});
