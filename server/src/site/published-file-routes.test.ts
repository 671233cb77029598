import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StellarToml } from '@stellar/stellar-sdk';
import { createAssetCatalog } from '../catalog/asset-catalog.ts';
import type { PageContext } from '../http/route.ts';
import { Secret } from '../lib/secret.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import type { StellarSettings } from '../networks/stellar/stellar.ts';
import { createStellarNetworkConnector } from '../networks/stellar/stellar.ts';
import { publishedFileRoutes } from './published-file-routes.ts';

const operator = {
  issuerAccount: newIssuerKeypair().accountId,
  issuerName: 'Example "Pay"',
  issuerDomain: 'pay.example',
  issuerAddress: '1 Example Street',
};
const assets = createAssetCatalog(operator);

async function published(settings: Pick<StellarSettings, 'account' | 'passphrase' | 'uriSigningSeed'>) {
  const connector = createStellarNetworkConnector({
    horizonUrl: new Secret('http://horizon.example'),
    assets: ['XLM'],
    ...settings,
  });
  const [route, ...others] = publishedFileRoutes({ assets, operator, connectors: new Map([['STELLAR', connector]]) });
  assert.ok(route?.kind === 'page' && others.length === 0);
  assert.equal(route.path, '/.well-known/stellar.toml');
  const reply = await route.handle({} as PageContext);
  assert.equal(reply.headers?.['access-control-allow-origin'], '*');
  assert.ok(typeof reply.body === 'string');
  return reply.body;
}

test('stellar.toml names our accounts and the assets we issue, and not those of others', async () => {
  const account = newIssuerKeypair().accountId;
  const text = await published({ account, passphrase: 'Test SDF Network ; September 2015' });
  assert.ok(text.includes(`ACCOUNTS=["${account}", "${operator.issuerAccount}"]`));
  assert.ok(text.includes('NETWORK_PASSPHRASE="Test SDF Network ; September 2015"'));
  assert.ok(text.includes('ORG_NAME="Example \\"Pay\\""'));
  const codes = Array.from(text.matchAll(/^code="(.+)"$/gm), ([, code]) => code);
  assert.deepEqual(codes, ['BTC', 'BTCLN', 'LTC', 'ETH', 'USDT', 'EUR', 'USD', 'BRL']);
  const types = Array.from(text.matchAll(/^anchor_asset_type="(.+)"$/gm), ([, type]) => type);
  assert.deepEqual(types, ['crypto', 'crypto', 'crypto', 'crypto', 'crypto', 'fiat', 'fiat', 'fiat']);
  assert.ok(Buffer.byteLength(text) < StellarToml.STELLAR_TOML_MAX_SIZE);
});

test('the key that signs our links is published, and nothing of its seed', async () => {
  const key = newIssuerKeypair();
  const stellar = { account: key.accountId, passphrase: 'Test', uriSigningSeed: key.secretSeed };
  const text = await published(stellar);
  assert.ok(text.includes(`URI_REQUEST_SIGNING_KEY="${key.accountId}"`));
  assert.ok(!text.includes(key.secretSeed.reveal()));
});

test('without Stellar there is no stellar.toml', () => {
  assert.deepEqual(publishedFileRoutes({ assets, operator, connectors: new Map() }), []);
});
