/**
 * The assets that accounts can hold. `issuer: 'operator'` marks what the operator issues on Stellar against coins or
 * bank money in its own custody; who that is, is known only at set-up.
 *
 * `ledgerScale` is the finest scale of all rails the asset travels on. Lightning counts in millisatoshi, but invoices
 * are written and credited in whole satoshi, so BTCLN keeps the 8 places of BTC.
 *
 * `currencyCode` is what rates are asked for. A stablecoin is not its peg: USDC and USDT have rates of their own.
 */
import type { RiskLevel } from '@quittance/contract/catalog';

export type KnownIssuer = {
  readonly account: string;
  readonly name: string;
  readonly domain: string;
  readonly address: string;
};

export type KnownAsset = {
  readonly code: string;
  readonly name: string;
  readonly group: string;
  readonly issuer: KnownIssuer | 'operator';
  readonly riskLevel: RiskLevel;
  readonly hexColor: string;
  readonly ledgerScale: number;
  readonly currencyCode: string;
};

const stellar: KnownIssuer = {
  account: 'NATIVE',
  name: 'Stellar Development Foundation',
  domain: 'stellar.org',
  address: 'San Francisco, California, USA',
};

const circle: KnownIssuer = {
  account: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  name: 'Circle',
  domain: 'circle.com',
  address: 'One World Trade Center, New York, NY 10007, USA',
};

const native = { riskLevel: 'LOW' } as const;
const bridged = { issuer: 'operator', riskLevel: 'MEDIUM' } as const;

export const knownAssets: readonly KnownAsset[] = [
  asset('XLM', 'Stellar Lumens', { ...native, issuer: stellar, hexColor: '#1f2937', ledgerScale: 7 }),
  asset('USDC', 'USD Coin', { ...native, issuer: circle, group: 'USD', hexColor: '#2775ca', ledgerScale: 7 }),
  asset('BTC', 'Bitcoin', { ...bridged, hexColor: '#f7931a', ledgerScale: 8 }),
  asset('BTCLN', 'Bitcoin on Lightning', {
    ...bridged,
    group: 'BTC',
    currencyCode: 'BTC',
    hexColor: '#9333ea',
    ledgerScale: 8,
  }),
  asset('LTC', 'Litecoin', { ...bridged, hexColor: '#7b8794', ledgerScale: 8 }),
  asset('ETH', 'Ether', { ...bridged, hexColor: '#627eea', ledgerScale: 18 }),
  asset('USDT', 'Tether USD', {
    issuer: 'operator',
    riskLevel: 'HIGH',
    group: 'USD',
    hexColor: '#26a17b',
    ledgerScale: 7,
  }),
  asset('EUR', 'Euro', { ...bridged, hexColor: '#1e3a9f', ledgerScale: 7 }),
  asset('USD', 'US Dollar', { ...bridged, hexColor: '#4d7c0f', ledgerScale: 7 }),
  asset('BRL', 'Brazilian Real', { ...bridged, hexColor: '#b7860b', ledgerScale: 7 }),
];

function asset(
  code: string,
  name: string,
  facts: Omit<KnownAsset, 'code' | 'name' | 'group' | 'currencyCode'> & { group?: string; currencyCode?: string },
): KnownAsset {
  return { code, name, group: code, currencyCode: code, ...facts };
}
