/**
 * An asset that accounts can hold, described by the network from which it comes. Another network that has it too names
 * only its code.
 */
import type { RiskLevel } from '@quittance/contract/catalog';

export type AssetDefinition = {
  readonly code: string;
  readonly name: string;
  /** Assets of one group are worth the same: Bitcoin and Bitcoin on Lightning, two dollars. */
  readonly group: string;
  /**
   * `operator`: the operator issues it on Stellar against what it holds; who the operator is, is known only from the
   * settings.
   */
  readonly issuer: AssetIssuer | 'operator';
  readonly riskLevel: RiskLevel;
  readonly hexColor: string;
  /** The largest number of decimals that the asset has on any network. */
  readonly ledgerScale: number;
  /** The code for which rates are asked. A stablecoin is not its currency: USDC and USDT have rates of their own. */
  readonly currencyCode: string;
  /** Of a coin: the decimals of its prices, and whether charges can be in it. Left out: it is money of a state. */
  readonly coin?: { readonly decimals: number; readonly isBilled: boolean };
  readonly rateSymbols?: RateSymbols;
  /** In the sandbox, where a price is always the same round number. */
  readonly sandboxUsd?: string;
};

export type AssetIssuer = {
  readonly account: string;
  readonly name: string;
  readonly domain: string;
  readonly address: string;
};

/** The names that sources of rates use, where they list it. */
export type RateSymbols = {
  readonly bitfinex?: string;
  readonly bitstamp?: string;
  readonly coinbase?: string;
  readonly coingecko?: string;
  /** Kraken uses one name in the question and another in the answer: XBTUSD is answered as XXBTZUSD. */
  readonly kraken?: { readonly asked: string; readonly answered: string };
};

/** What the operator issues against coins or bank money that it holds. */
export function issuedAsset(
  code: string,
  name: string,
  facts: Pick<AssetDefinition, 'hexColor' | 'ledgerScale'> & Partial<AssetDefinition>,
): AssetDefinition {
  return { code, name, group: code, currencyCode: code, issuer: 'operator', riskLevel: 'MEDIUM', ...facts };
}

/** A coin for which most sources use its code. */
export const rateSymbols = (code: string, others: RateSymbols): RateSymbols => ({
  bitfinex: `t${code}USD`,
  bitstamp: `${code}/USD`,
  coinbase: code,
  ...others,
});
