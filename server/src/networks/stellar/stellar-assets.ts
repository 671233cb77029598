/** The assets on Stellar that do not depend on the operator. */
import { type AssetDefinition, type AssetIssuer, rateSymbols } from '../port/asset-definition.ts';

const foundation: AssetIssuer = {
  account: 'NATIVE',
  name: 'Stellar Development Foundation',
  domain: 'stellar.org',
  address: 'San Francisco, California, USA',
};

/** Its account on the public network: that is what we call USDC, on Stellar and elsewhere. */
export const circle: AssetIssuer = {
  account: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  name: 'Circle',
  domain: 'circle.com',
  address: 'One World Trade Center, New York, NY 10007, USA',
};

export const stellarAssets: readonly AssetDefinition[] = [
  {
    code: 'XLM',
    name: 'Stellar Lumens',
    group: 'XLM',
    issuer: foundation,
    riskLevel: 'LOW',
    hexColor: '#1f2937',
    ledgerScale: 7,
    currencyCode: 'XLM',
    coin: { decimals: 7, isBilled: true },
    sandboxUsd: '0.1',
    rateSymbols: rateSymbols('XLM', { coingecko: 'stellar', kraken: { asked: 'XLMUSD', answered: 'XXLMZUSD' } }),
  },
  {
    code: 'USDC',
    name: 'USD Coin',
    group: 'USD',
    issuer: circle,
    riskLevel: 'LOW',
    hexColor: '#2775ca',
    ledgerScale: 7,
    currencyCode: 'USDC',
    coin: { decimals: 7, isBilled: true },
    sandboxUsd: '1',
    rateSymbols: rateSymbols('USDC', {
      bitfinex: 'tUDCUSD',
      coingecko: 'usd-coin',
      kraken: { asked: 'USDCUSD', answered: 'USDCUSD' },
    }),
  },
];
