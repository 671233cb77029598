import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownAssets } from '../../catalog/known-assets.ts';
import { createSettingsReader } from '../../lib/setting-table.ts';
import { createStellarNetworkConnector } from './stellar.ts';
import { stellarSettings } from './stellar-settings.ts';

function read(env: Record<string, string>) {
  const { reader, problems } = createSettingsReader(env, true);
  return {
    settings: stellarSettings.read({ ...reader, issuedCoins: ['BTC', 'BTCLN', 'LTC', 'ETH', 'USDT'] }),
    problems,
  };
}

const account = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const given = { STELLAR_HORIZON_URL: 'https://horizon.stellar.org', STELLAR_ACCOUNT: account };

test('without Horizon and account Stellar is not offered, and nothing is wrong', () => {
  assert.deepEqual(read({}), { settings: undefined, problems: [] });
});

test('lumens and dollars on the public network are what nobody has to say', () => {
  const { settings, problems } = read(given);
  assert.deepEqual(problems, []);
  assert.deepEqual(settings?.assets, ['XLM', 'USDC']);
  assert.equal(settings?.passphrase, 'Public Global Stellar Network ; September 2015');
  assert.deepEqual(read({ ...given, STELLAR_ASSETS: 'XLM' }).settings?.assets, ['XLM']);
});

test('what is wrong is said, all of it', () => {
  const { problems } = read({ STELLAR_HORIZON_URL: 'horizon', STELLAR_ACCOUNT: 'GABC', STELLAR_ASSETS: 'XLM,EURC' });
  assert.deepEqual(
    problems.map((text) => text.split(' ')[0]),
    ['STELLAR_HORIZON_URL', 'STELLAR_ACCOUNT', 'STELLAR_ASSETS'],
  );
});

test('the seed is that of the account, and without lumens nothing can be sent', () => {
  const secret = 'SDJHRQF4GCMIIKAAAQ6IHY42X73FQFLHUULAPSKKD4DFDM7UXWWCRHBE';
  const own = { ...given, STELLAR_ACCOUNT: 'GCZHXL5HXQX5ABDM26LHYRCQZ5OJFHLOPLZX47WEBP3V2PF5AVFK2A5D' };
  const { settings, problems } = read({ ...own, STELLAR_SECRET: secret, STELLAR_CHANNELS: '12' });
  assert.deepEqual([problems, settings?.channels], [[], 12]);
  assert.ok(settings && createStellarNetworkConnector(settings).sender);
  assert.ok(!JSON.stringify(settings).includes(secret));
  assert.equal(read(given).settings?.secret, undefined);
  const wrong = {
    STELLAR_SECRET: secret,
    STELLAR_CHANNELS: '-1',
    STELLAR_URI_SIGNING_SEED: 'S',
    STELLAR_ASSETS: 'USDC',
  };
  assert.deepEqual(
    read({ ...given, ...wrong }).problems.map((text) => text.split(' ')[0]),
    ['STELLAR_SECRET', 'STELLAR_ASSETS', 'STELLAR_CHANNELS', 'STELLAR_URI_SIGNING_SEED'],
  );
});

test('links are signed for a domain that wallets can look up, and for nothing else', () => {
  const signed = (publicUrl: string) => read({ ...given, PUBLIC_URL: publicUrl }).settings?.originDomain;
  assert.equal(signed('https://pay.example.com'), 'pay.example.com');
  for (const url of [
    'http://pay.example.com',
    'https://localhost',
    'https://127.0.0.1',
    'https://pay.example.com:8443',
  ])
    assert.equal(signed(url), undefined, url);
});

test('the scales of the rail are those of the books', () => {
  const { settings } = read(given);
  assert.ok(settings);
  for (const { assetCode, scale } of createStellarNetworkConnector(settings).network.assets)
    assert.equal(scale, knownAssets.find(({ code }) => code === assetCode)?.ledgerScale);
});
