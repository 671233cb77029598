import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asset as assetSchema } from '@quittance/contract/catalog';
import { Ajv } from 'ajv';
import { atLeastOne } from '../../test/at-least-one.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import {
  assetScale,
  type CatalogView,
  type ConfiguredNetworks,
  createAssetCatalog,
  findAsset,
  listAssets,
} from './asset-catalog.ts';
import { knownCurrencies } from './known-currencies.ts';
import { knownNetworks } from './known-networks.ts';

const issuerAccount = newIssuerKeypair().accountId;
const operator = {
  issuerAccount,
  issuerName: 'Example Pay',
  issuerDomain: 'pay.example',
  issuerAddress: '1 Example Street, Example City',
};
const catalog = createAssetCatalog(operator);
const none: ReadonlySet<string> = new Set();
const nothing: ConfiguredNetworks = new Map();
const networks = (ids: readonly string[], canSend = true): ConfiguredNetworks =>
  new Map(
    knownNetworks
      .filter(({ id }) => ids.includes(id))
      .map(({ id, assets }) => [id, { canSend, assetCodes: new Set(assets.map(({ assetCode }) => assetCode)) }]),
  );
const everything = networks(knownNetworks.map(({ id }) => id));
/** What comes in can be in stock. */
const convertibleBy =
  (configured: ConfiguredNetworks): CatalogView['isConvertible'] =>
  (given, wanted) =>
    given.id !== wanted.id && wanted.networks.some((id) => configured.has(id));
const usdc = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';

const codes = (assets: readonly { assetCode: string }[]) => assets.map(({ assetCode }) => assetCode);
const list = (
  configured: ConfiguredNetworks,
  enabledHighRisk = none,
  riskTolerance: CatalogView['riskTolerance'] = 'MEDIUM',
) =>
  listAssets(catalog, {
    configured,
    enabledHighRisk,
    riskTolerance,
    isConvertible: convertibleBy(configured),
  });

test('every listed asset has exactly the fields that the contract promises', () => {
  const isAsset = new Ajv().compile({ ...assetSchema, additionalProperties: false });
  for (const asset of list(everything, new Set(['USDT'])))
    assert.ok(isAsset(asset), `${asset.id}: ${JSON.stringify(isAsset.errors)}`);
});

test('an asset id is its code and its issuer, and no two assets share a code or a colour', () => {
  for (const asset of catalog.assets) assert.equal(asset.id, `${asset.assetCode}:${asset.assetIssuer}`);
  assert.equal(new Set(codes(catalog.assets)).size, catalog.assets.length);
  assert.equal(new Set(catalog.assets.map(({ hexColor }) => hexColor)).size, catalog.assets.length);
});

test('lumens and the USDC of Circle carry their public ids, everything else is issued by the operator', () => {
  assert.equal(findAsset(catalog, 'XLM')?.id, 'XLM:NATIVE');
  assert.equal(findAsset(catalog, 'USDC')?.id, usdc);
  const bridged = catalog.assets.filter(({ bridge }) => bridge);
  assert.deepEqual(codes(bridged), ['BTC', 'BTCLN', 'LTC', 'ETH', 'USDT', 'EUR', 'USD', 'BRL']);
  for (const asset of atLeastOne(bridged)) {
    assert.equal(asset.assetIssuer, issuerAccount);
    assert.equal(asset.issuerName, 'Example Pay');
  }
});

test('risk is low on Stellar, medium for what is bridged, high for USDT only', () => {
  const withRisk = (risk: string) => codes(catalog.assets.filter(({ riskLevel }) => riskLevel === risk));
  assert.deepEqual(withRisk('LOW'), ['XLM', 'USDC']);
  assert.deepEqual(withRisk('MEDIUM'), ['BTC', 'BTCLN', 'LTC', 'ETH', 'EUR', 'USD', 'BRL']);
  assert.deepEqual(withRisk('HIGH'), ['USDT']);
});

test('an asset of an anchor never stands in for our own, and is listed until it is retired', () => {
  const issuer = newIssuerKeypair().accountId;
  const anchored = [issuerAccount, issuer].map((account) => ({ code: 'BTC', issuer: account, domain: 'a.example' }));
  const idsOf = (isRetired: boolean) => {
    const found = createAssetCatalog(
      operator,
      anchored.map((each) => ({ ...each, isRetired })),
    );
    assert.equal(findAsset(found, 'BTC')?.assetIssuer, issuerAccount);
    assert.deepEqual(findAsset(found, `BTC:${issuerAccount}`), findAsset(catalog, 'BTC'));
    assert.equal(findAsset(found, `BTC:${issuer}`)?.issuerDomain, 'a.example');
    return listAssets(found, {
      configured: everything,
      enabledHighRisk: none,
      riskTolerance: 'MEDIUM',
      isConvertible: () => true,
    }).map(({ id }) => id);
  };
  const own = list(everything).map(({ id }) => id);
  assert.deepEqual(idsOf(false), [...own, `BTC:${issuer}`]);
  assert.deepEqual(idsOf(true), own);
});

test('an asset is found by its id or by its bare code, in the case it is written in', () => {
  assert.equal(findAsset(catalog, usdc), findAsset(catalog, 'USDC'));
  for (const unknown of ['', 'usdc', 'USDC:', usdc.toLowerCase(), `USDC:${issuerAccount}`, 'ORIGIN', 'constructor'])
    assert.equal(findAsset(catalog, unknown), undefined, unknown);
});

test('a high-risk asset appears only when the merchant has enabled it', () => {
  assert.ok(!codes(list(everything)).includes('USDT'));
  assert.ok(codes(list(everything, new Set(['USDT']))).includes('USDT'));
  assert.ok(codes(list(everything, new Set([`USDT:${issuerAccount}`]))).includes('USDT'));
});

test('without a configured network no asset can be used for anything', () => {
  for (const { id, checkouts, deposits, settlement, swaps, transfers } of list(nothing))
    assert.deepEqual([checkouts, deposits, settlement, swaps, transfers], [false, false, false, false, false], id);
});

test('a credit is offered in what can be paid, and in what that can be exchanged for', () => {
  const settled = (...ids: string[]) => codes(list(networks(ids)).filter(({ settlement }) => settlement));
  assert.deepEqual(settled('BITCOIN'), ['BTC']);
  assert.deepEqual(settled('BITCOIN', 'STELLAR'), ['XLM', 'USDC', 'BTC']);
});

test('an asset that the node of a network does not know cannot be paid there', () => {
  const withoutTokens = new Map([['ETHEREUM', { canSend: true, assetCodes: new Set(['ETH']) }]]);
  const usable = list(withoutTokens).filter(({ checkouts, transfers }) => checkouts || transfers);
  assert.deepEqual(codes(usable), ['ETH']);
});

test('a network that only receives makes its assets payable but not transferable', () => {
  const assets = list(networks(['BITCOIN'], false));
  assert.deepEqual(codes(assets.filter(({ checkouts }) => checkouts)), ['BTC']);
  assert.deepEqual(codes(assets.filter(({ deposits }) => deposits)), ['BTC']);
  assert.deepEqual(codes(assets.filter(({ transfers }) => transfers)), []);
});

test('a swap is offered from whatever an account may hold into what can be in stock', () => {
  const swapped = (...ids: string[]) => codes(list(networks(ids)).filter(({ swaps }) => swaps));
  assert.deepEqual(swapped(), []);
  assert.deepEqual(swapped('BITCOIN'), codes(list(nothing)));
});

test('every asset travels on a known network, belongs to a group and has a rate in a known currency', () => {
  const currencies = new Set(knownCurrencies.map(({ code }) => code));
  for (const asset of catalog.assets) {
    assert.ok(asset.networks.length > 0, asset.id);
    assert.ok(currencies.has(asset.currencyCode), asset.id);
    assert.ok(currencies.has(asset.group), asset.id);
  }
  const groupOf = (code: string) => findAsset(catalog, code)?.group;
  assert.deepEqual(['USDC', 'USDT', 'BTC', 'BTCLN'].map(groupOf), ['USD', 'USD', 'BTC', 'BTC']);
});

test('the ledger keeps the finest unit of every rail', () => {
  const scales = catalog.assets.map(({ id, assetCode }) => [assetCode, assetScale(catalog, id)]);
  assert.deepEqual(Object.fromEntries(scales), {
    XLM: 7,
    USDC: 7,
    BTC: 8,
    BTCLN: 8,
    LTC: 8,
    ETH: 18,
    USDT: 7,
    EUR: 7,
    USD: 7,
    BRL: 7,
  });
  assert.throws(() => assetScale(catalog, 'DOGE'));
});

test('an issuing account that is not a Stellar account stops the start', () => {
  assert.throws(() => createAssetCatalog({ ...operator, issuerAccount: 'GEXAMPLE' }));
});

test('an asset that another process was configured with is known, and not offered', () => {
  const issuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  const own = createAssetCatalog(operator);
  const before = codes(
    listAssets(own, {
      configured: everything,
      enabledHighRisk: none,
      riskTolerance: 'MEDIUM',
      isConvertible: () => true,
    }),
  );
  for (let time = 0; time < 2; time += 1)
    own.learn([{ code: 'BTC', issuer, domain: 'anchor.example', isRetired: true }]);
  assert.equal(findAsset(own, `BTC:${issuer}`)?.issuerDomain, 'anchor.example');
  assert.equal(assetScale(own, `BTC:${issuer}`), 8);
  assert.equal(findAsset(own, 'BTC')?.assetIssuer, operator.issuerAccount, 'the code alone stays our own');
  assert.deepEqual(
    codes(
      listAssets(own, {
        configured: everything,
        enabledHighRisk: none,
        riskTolerance: 'MEDIUM',
        isConvertible: () => true,
      }),
    ),
    before,
  );
});
