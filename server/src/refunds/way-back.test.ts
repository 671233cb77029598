import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { createNetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { decimal } from '../money/decimal.ts';
import { bitcoin } from '../networks/bitcoin/bitcoin.ts';
import type { InSuspense } from '../settlements/refundable.ts';
import type { CarrierDeps } from './refund-carrier.ts';
import { keptOf } from './way-back.ts';

const now = new Date('2026-03-01T12:00:00Z');
const { accountId: issuerAccount } = newIssuerKeypair();
const assets = createAssetCatalog({ issuerAccount, issuerName: 'o', issuerDomain: 'o', issuerAddress: 'o' });
const asset = present(findAsset(assets, 'BTC'), 'BTC').id;

/** Bitcoin, where a payment costs so many satoshi; null: the node has not said. */
function depsWith(canSend: boolean, cost: string | null): CarrierDeps {
  const health = createNetworkHealth({ now: () => now });
  const facts = cost === null ? {} : { payerCost: { BTC: { assetCode: 'BTC', units: cost } } };
  const observed = { tipHeight: 1, blocksBehind: 0, observedAt: now, failingSince: null, lastError: null };
  health.record([{ network: 'BITCOIN', ...observed, facts }]);
  const connector = { network: bitcoin, ...(canSend && { sender: {} }) };
  const connectors = new Map([['BITCOIN', connector]]) as never;
  return { assets, health, connectors, rates: {} as never, swapSpread: decimal(0) };
}
const held = (units: bigint): InSuspense => {
  const context = 'OVERPAID_CHECKOUT';
  return { context, network: 'BITCOIN', asset, units, payments: [] };
};

test('what is held can be asked for if enough of it is left after the fee', () => {
  const deps = depsWith(true, '300');
  assert.equal(keptOf(deps, []), 'nothing');
  assert.equal(keptOf(deps, [held(5_300n)]), 'something', 'the network carries 5,000 and more');
  assert.equal(keptOf(deps, [held(5_299n)]), 'tooLittle');
  assert.equal(keptOf(deps, [held(299n)]), 'tooLittle');
  assert.equal(keptOf(depsWith(true, null), [held(5_000n)]), 'something', 'until somebody knows better');
  assert.equal(keptOf(deps, [held(299n), held(9_000n)]), 'something', 'of several, one is enough');
});

test('where a network only receives, the page does not offer what would be refused', () => {
  assert.equal(keptOf(depsWith(false, '300'), [held(9_000n)]), 'unsendable');
});
