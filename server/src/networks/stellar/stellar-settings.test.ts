import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownAssets } from '../../catalog/known-assets.ts';
import { createStellarNetworkConnector } from './stellar.ts';
import { stellarSettings } from './stellar-settings.ts';

function read(env: Record<string, string>) {
  const problems: string[] = [];
  const settings = stellarSettings.read({
    given: (name) => env[name],
    choice: (_, __, fallback) => fallback,
    problem: (text) => void problems.push(text),
    isProduction: true,
  });
  return { settings, problems };
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

test('the scales of the rail are those of the books', () => {
  const { settings } = read(given);
  assert.ok(settings);
  for (const { assetCode, scale } of createStellarNetworkConnector(settings).network.assets)
    assert.equal(scale, knownAssets.find(({ code }) => code === assetCode)?.ledgerScale);
});
