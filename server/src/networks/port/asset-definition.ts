/**
 * An asset that accounts can hold, told by the network that it comes from. Another network that carries it as well
 * names it by its code.
 */
import type { RiskLevel } from '@quittance/contract/catalog';

export type AssetDefinition = {
  readonly code: string;
  readonly name: string;
  /** Assets of one group are worth the same: Bitcoin and Bitcoin on Lightning, two dollars. */
  readonly group: string;
  /** `operator`: the operator issues it on Stellar against what it holds; who that is, is known only at set-up. */
  readonly issuer: AssetIssuer | 'operator';
  readonly riskLevel: RiskLevel;
  readonly hexColor: string;
  /** The finest scale of all rails that the asset travels on. */
  readonly ledgerScale: number;
  /** What rates are asked for. A stablecoin is not its peg: USDC and USDT have rates of their own. */
  readonly currencyCode: string;
  /** Of a coin: in how many decimals prices are written, and whether charges are. Left out: it is money of a state. */
  readonly coin?: { readonly decimals: number; readonly isBilled: boolean };
  readonly rateSymbols?: RateSymbols;
  /** In the sandbox, where a price is round, plausible and always the same. */
  readonly sandboxUsd?: string;
};

export type AssetIssuer = {
  readonly account: string;
  readonly name: string;
  readonly domain: string;
  readonly address: string;
};

/** What sources of rates call it, where they list it. */
export type RateSymbols = {
  readonly bitfinex?: string;
  readonly bitstamp?: string;
  readonly coinbase?: string;
  readonly coingecko?: string;
  /** Kraken asks by one name and answers by another: XBTUSD is answered as XXBTZUSD. */
  readonly kraken?: { readonly asked: string; readonly answered: string };
};

/** What the operator issues against coins or bank money in its own custody. */
export function issuedAsset(
  code: string,
  name: string,
  facts: Pick<AssetDefinition, 'hexColor' | 'ledgerScale'> & Partial<AssetDefinition>,
): AssetDefinition {
  return { code, name, group: code, currencyCode: code, issuer: 'operator', riskLevel: 'MEDIUM', ...facts };
}

/** A coin that most sources call by its code. */
export const rateSymbols = (code: string, others: RateSymbols): RateSymbols => ({
  bitfinex: `t${code}USD`,
  bitstamp: `${code}/USD`,
  coinbase: code,
  ...others,
});
