/** The network of a settlement: where the credited asset lives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAssetCatalog } from '../catalog/asset-catalog.ts';
import type { Connector } from '../networks/port/connector.ts';
import { assetHome } from './asset-home.ts';

const issuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const anchor = 'GBSTRUSD7IRX73RQZBL3RQUH6KS3O4NYFY3QCALDLZD77XMZOPWAVTUK';
const facts = { issuerName: 'Us', issuerDomain: 'us.test', issuerAddress: 'here' };
const assets = createAssetCatalog({ issuerAccount: issuer, ...facts }, [
  { code: 'EUR', issuer: anchor, domain: 'anchor.test' },
]);

/** Networks by what they carry; `tokens` is what the operator's bridge issues on Stellar. */
function installation(networks: readonly string[], tokens: readonly string[] = []) {
  const carried: Record<string, readonly string[]> = { STELLAR: ['XLM', 'USDC'] };
  const toAssets = (codes: readonly string[]) => codes.map((assetCode) => ({ assetCode, scale: 7 }));
  const connectors = networks.map((id) => {
    const network = { id, assets: toAssets(carried[id] ?? []), ...(id === 'STELLAR' && { tokens: toAssets(tokens) }) };
    return [id, { network } as unknown as Connector] as const;
  });
  return { assets, connectors: new Map(connectors) };
}

const idOf = (code: string): string => assets.byIdOrCode.get(code)?.id ?? code;
const withBridge = installation(['BITCOIN', 'ETHEREUM', 'LIGHTNING', 'STELLAR'], ['BTC', 'BTCLN', 'ETH']);
const withoutBridge = installation(['BITCOIN', 'ETHEREUM', 'STELLAR']);
const withoutStellar = installation(['BITCOIN', 'ETHEREUM']);

for (const [where, deps, paidAsset, network, credited, home] of [
  ['with a bridge', withBridge, 'BTC', 'BITCOIN', 'XLM', 'STELLAR'],
  ['with a bridge', withBridge, 'BTC', 'BITCOIN', 'USDC', 'STELLAR'],
  ['with a bridge', withBridge, 'BTC', 'BITCOIN', 'BTC', 'STELLAR'],
  ['with a bridge', withBridge, 'XLM', 'STELLAR', 'BTC', 'STELLAR'],
  ['with a bridge', withBridge, 'USDC', 'ETHEREUM', 'USDC', 'ETHEREUM'],
  ['with a bridge', withBridge, 'USDC', 'STELLAR', 'USDC', 'STELLAR'],
  ['with a bridge', withBridge, 'BTC', 'BITCOIN', `EUR:${anchor}`, 'STELLAR'],
  ['with a bridge', withBridge, 'BTC', 'BITCOIN', 'LTC', 'LITECOIN'],
  ['without one', withoutBridge, 'BTC', 'BITCOIN', 'BTC', 'BITCOIN'],
  ['without one', withoutBridge, 'ETH', 'ETHEREUM', 'USDC', 'STELLAR'],
  ['without one', withoutBridge, 'XLM', 'STELLAR', 'BTC', 'BITCOIN'],
  ['without Stellar', withoutStellar, 'ETH', 'ETHEREUM', 'USDC', 'ETHEREUM'],
  ['without Stellar', withoutStellar, 'BTC', 'BITCOIN', 'USDC', 'ETHEREUM'],
  ['without Stellar', withoutStellar, 'BTC', 'BITCOIN', 'XLM', 'STELLAR'],
] as const)
  test(`${where}, ${credited.split(':')[0]} for ${paidAsset} on ${network} lives on ${home}`, () => {
    const part = { network, paidAsset: idOf(paidAsset), creditedAsset: idOf(credited) };
    assert.equal(assetHome(deps, part), home);
    assert.equal(assetHome(deps, { ...part, tx: 'hash' }), 'STELLAR', 'an exchange is a transaction there');
  });
