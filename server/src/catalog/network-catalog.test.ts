import assert from 'node:assert/strict';
import { test } from 'node:test';
import { network as networkSchema } from '@quittance/contract/catalog';
import { Ajv } from 'ajv';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { type ConfiguredNetworks, createAssetCatalog, findAsset, listAssets } from './asset-catalog.ts';
import { knownNetworks } from './known-networks.ts';
import { findNetwork, listNetworks } from './network-catalog.ts';

const catalog = createAssetCatalog({
  issuerAccount: newIssuerKeypair().accountId,
  issuerName: 'Example Pay',
  issuerDomain: 'pay.example',
  issuerAddress: '1 Example Street, Example City',
});

test('the networks of the interface, and those beyond it, are listed with exactly the promised fields', () => {
  const isNetwork = new Ajv().compile({ ...networkSchema, additionalProperties: false });
  const networks = listNetworks(catalog, new Map());
  for (const network of networks) assert.ok(isNetwork(network), `${network.id}: ${JSON.stringify(isNetwork.errors)}`);
  assert.deepEqual(networks.map(({ id }) => id).sort(), [
    'BASE',
    'BITCOIN',
    'ETHEREUM',
    'LIGHTNING',
    'LITECOIN',
    'PIX',
    'SEPA',
    'STELLAR',
    'SWIFT',
  ]);
});

test('a network takes deposits when it is configured and transfers when it can send', () => {
  const configured = new Map([
    ['BITCOIN', { canSend: true, assetCodes: new Set(['BTC']) }],
    ['LITECOIN', { canSend: false, assetCodes: new Set(['LTC']) }],
  ]);
  const usable = listNetworks(catalog, configured)
    .filter(({ deposits, transfers }) => deposits || transfers)
    .map(({ id, deposits, transfers }) => [id, deposits, transfers]);
  assert.deepEqual(usable, [
    ['BITCOIN', true, true],
    ['LITECOIN', true, false],
  ]);
});

test('a network lists an asset exactly when the asset lists the network', () => {
  for (const network of listNetworks(catalog, new Map(), new Set(['USDT'])))
    assert.deepEqual(
      network.assets.toSorted(),
      catalog.assets
        .filter(({ networks }) => networks.includes(network.id))
        .map(({ id }) => id)
        .toSorted(),
      network.id,
    );
});

test('a network that is configured with some of its assets lists those, and so do the assets', () => {
  const account = { canSend: true, assetCodes: new Set(['USD']) };
  const view = { riskTolerance: 'MEDIUM', enabledHighRisk: new Set<string>(), isConvertible: () => false } as const;
  const listed = (configured: ConfiguredNetworks) => [
    listNetworks(catalog, configured)
      .find(({ id }) => id === 'SWIFT')
      ?.assets.map((id) => id.split(':')[0]),
    listAssets(catalog, { ...view, configured }).find(({ assetCode }) => assetCode === 'EUR')?.networks,
  ];
  assert.deepEqual(listed(new Map([['SWIFT', account]])), [['USD'], ['SEPA']]);
  assert.deepEqual(listed(new Map()), [
    ['USD', 'EUR'],
    ['SEPA', 'SWIFT'],
  ]);
});

test('a high-risk asset is not on its networks until the merchant has enabled it', () => {
  const usdt = findAsset(catalog, 'USDT')?.id ?? '';
  const onEthereum = (enabled: string[]) =>
    listNetworks(catalog, new Map(), new Set(enabled)).find(({ id }) => id === 'ETHEREUM')?.assets;
  assert.equal(onEthereum([])?.includes(usdt), false);
  assert.equal(onEthereum([usdt])?.includes(usdt), true);
});

test('the default asset of a network is its own coin', () => {
  const defaults = knownNetworks.map(({ id, assets }) => [id, assets[0]?.assetCode]);
  assert.deepEqual(Object.fromEntries(defaults), {
    BITCOIN: 'BTC',
    LIGHTNING: 'BTCLN',
    LITECOIN: 'LTC',
    ETHEREUM: 'ETH',
    BASE: 'ETH',
    STELLAR: 'XLM',
    SEPA: 'EUR',
    SWIFT: 'USD',
    PIX: 'BRL',
  });
});

test('only Stellar is native to the platform, and a network is found by its id alone', () => {
  assert.deepEqual(
    knownNetworks.filter(({ bridged }) => !bridged).map(({ id }) => id),
    ['STELLAR'],
  );
  assert.equal(findNetwork('BITCOIN')?.name, 'Bitcoin');
  assert.equal(findNetwork('bitcoin'), undefined);
});
