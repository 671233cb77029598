/**
 * How a checkout can be paid: one row per coin, and in it the networks that carry the coin. So the list stays short
 * however many networks there are.
 */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Quote } from '../checkouts/checkout.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { rescale } from '../money/amount.ts';
import { compare, type Decimal, decimal, formatFixed, fromUnits, isLess, roundTo } from '../money/decimal.ts';
import type { KnownNetwork } from '../networks/port/connector.ts';
import { carriedAsset, confirmationsRequired, type NetworkDefinition } from '../networks/port/definition.ts';
import type { InWords, OfferedAs } from '../networks/port/payer-instructions.ts';
import { convertAmount, isConversion, worthRate } from '../pricing/conversion.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { networkName } from './public-payment.ts';

export type PublicCoin = {
  readonly key: string;
  readonly name: WayName;
  /** Where all its ways are offered by another name than the coin's: by bank. */
  readonly offeredAs: OfferedAs | null;
  readonly imageSrc: string;
  /** The best one first, then by cost. */
  readonly ways: readonly PublicWay[];
};

export type PublicWay = {
  /** What the form sends. */
  readonly value: string;
  readonly network: string;
  /** Its name among the ways of this coin: Lightning, the Bitcoin network. */
  readonly name: WayName;
  /** What is left to pay by it; null when nothing is. */
  readonly amount: string | null;
  readonly assetCode: string;
  /** Until it is confirmed; null where nobody can say. */
  readonly seconds: { readonly from: number; readonly to: number } | null;
  /** In words, where no block tells. */
  readonly takes: InWords | null;
  /** What the network takes from the payer; null where nobody can say. */
  readonly cost: WayCost | null;
  /** The cheapest fast one, where there is a choice. */
  readonly isBest: boolean;
};

/** A name that is one everywhere, or in words. */
export type WayName = string | InWords;

/** `isLess`: it costs less than `amount`, which is then the smallest coin of the currency. */
export type WayCost = { readonly amount: string; readonly currency: string; readonly isLess: boolean };

export type CoinDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, KnownNetwork>;
  readonly rates: Pick<RateBook, 'rate'>;
  readonly health: NetworkHealth;
};

export type PricedMethod = {
  readonly quote: Pick<Quote, 'network' | 'assetId' | 'paymentCode' | 'dueUnits'>;
  readonly amount: string | null;
};

/** Bitcoin on Lightning is the coin Bitcoin too: the network is named separately. */
export const coinOf = (assets: AssetCatalog, asset: CatalogAsset): CatalogAsset =>
  findAsset(assets, asset.currencyCode) ?? asset;

export function publicCoins(deps: CoinDeps, currency: string, methods: readonly PricedMethod[]): PublicCoin[] {
  const assetOf = ({ quote }: PricedMethod) => present(findAsset(deps.assets, quote.assetId), `asset ${quote.assetId}`);
  const byCoin = Map.groupBy(methods, (method) => coinOf(deps.assets, assetOf(method)));
  return Array.from(byCoin, ([coin, ofIt]) => ({
    key: coin.assetCode,
    ...namedAs(coin, ofIt),
    imageSrc: coin.imageSrc,
    ways: bestFirst(ofIt.map((method) => wayOf(deps, currency, method, assetOf(method)))),
  }));
}

/** A row of ways that are all offered by one name has that name. */
function namedAs({ name }: CatalogAsset, methods: readonly PricedMethod[]): Pick<PublicCoin, 'name' | 'offeredAs'> {
  const offered = methods.map(({ quote }) => findNetwork(quote.network)?.offeredAs ?? null);
  const [first = null] = offered;
  const isSame = first !== null && offered.every((each) => each?.name.en === first.name.en);
  return isSame ? { name: first.name, offeredAs: first } : { name, offeredAs: null };
}

function wayOf(deps: CoinDeps, currency: string, { quote, amount }: PricedMethod, asset: CatalogAsset): PublicWay {
  // Undefined when the network is no longer configured: its checkouts can still be looked at.
  const network = deps.connectors.get(quote.network)?.network;
  const cost = network ? costIn(deps, currency, network, asset.assetCode) : null;
  return {
    value: `${quote.network} ${quote.assetId}`,
    network: quote.network,
    name: network?.wayName ?? networkName(quote.network),
    amount,
    assetCode: quote.paymentCode,
    seconds: network && !network.offeredAs ? secondsFor(network, asset, BigInt(quote.dueUnits)) : null,
    takes: network?.offeredAs?.takes ?? null,
    cost: cost && costShown(cost, currency),
    isBest: false,
  };
}

/** The block that includes it comes at some time within one interval; each confirmation takes one interval more. */
function secondsFor(network: NetworkDefinition, asset: CatalogAsset, dueUnits: bigint): PublicWay['seconds'] {
  const carried = carriedAsset(network, asset.assetCode);
  if (!carried) return null;
  const units = rescale(dueUnits, asset.ledgerScale, carried.scale, 'up');
  const confirmations = confirmationsRequired(network, asset.assetCode, units);
  const { averageBlockSeconds: each } = network;
  return { from: confirmations * each, to: (confirmations + 1) * each };
}

/** Enough decimals for the cheapest network in the most valuable currency. */
const costScale = 12;

function costIn(deps: CoinDeps, currency: string, network: NetworkDefinition, assetCode: string): Decimal | null {
  const told = deps.health.status(network.id)?.facts.payerCost?.[assetCode];
  const fee = told ? { assetCode: told.assetCode, units: BigInt(told.units) } : network.payerCost;
  const asset = fee && findAsset(deps.assets, fee.assetCode);
  if (!fee || !asset) return null;
  const worth = worthRate(deps.rates.rate, asset.currencyCode, currency);
  if (!isConversion(worth)) return null;
  const scale = carriedAsset(network, fee.assetCode)?.scale ?? asset.ledgerScale;
  return convertAmount(worth, fromUnits(fee.units, scale), costScale, 'up');
}

function costShown(cost: Decimal, currency: string): WayCost {
  const decimals = findCurrency(currency)?.decimals ?? 2;
  const smallest = decimal(`1e-${decimals}`);
  const isTiny = isLess(cost, smallest);
  return {
    amount: formatFixed(isTiny ? smallest : roundTo(cost, decimals, 'half-up'), decimals),
    currency,
    isLess: isTiny,
  };
}

/** A way is called fast if it is confirmed within this time: people do not look at the page for longer. */
const fastSeconds = 90;

function bestFirst(ways: readonly PublicWay[]): PublicWay[] {
  const byCost = ways.toSorted(compareWays);
  const known = byCost.filter(({ cost }) => cost !== null);
  const best = known.find(({ seconds }) => seconds !== null && seconds.to <= fastSeconds) ?? known[0];
  if (!best || ways.length === 1) return byCost;
  return [{ ...best, isBest: true }, ...byCost.filter((way) => way !== best)];
}

/**
 * By what the row says. What networks charge moves all the time, and an order that follows what nobody can read would
 * be another one at every visit: so what costs the same in words is ordered by time, and then by name.
 */
function compareWays(a: PublicWay, b: PublicWay): number {
  const unknown = Number(a.cost === null) - Number(b.cost === null);
  if (unknown !== 0 || a.cost === null || b.cost === null) return unknown || compareNames(a, b);
  const cost = compare(decimal(a.cost.amount), decimal(b.cost.amount)) || Number(b.cost.isLess) - Number(a.cost.isLess);
  return cost || (a.seconds?.to ?? Infinity) - (b.seconds?.to ?? Infinity) || compareNames(a, b);
}

const compareNames = (a: PublicWay, b: PublicWay): number => (a.value < b.value ? -1 : 1);
