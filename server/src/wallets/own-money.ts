/**
 * What is the operator's own: what was brought in and earned, never what is owed or promised to merchants. Whoever lets some of
 * it leave asks for it under the locks of all that it is counted from, and for what the network takes beside: the fee is set
 * aside with it, so that many orders under way do not count on the same last coins for their fees.
 */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Query, Tx } from '../db/database.ts';
import { type OperatorPurpose, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Line } from '../ledger/entry.ts';
import { lockBalances, lockReceivables } from '../ledger/ledger-store.ts';
import { GatewayError } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import { unexplainedUnits } from '../payments/movement-store.ts';
import { backedBy, backingOf } from '../venues/backing-asset.ts';
import { loadStock, type StockDeps } from '../venues/load-stock.ts';
import { lockStock } from '../venues/treasury-promise-store.ts';
import { noStock, promisedUnits, freeUnits as unpromisedUnits } from '../venues/treasury-stock.ts';

export type OwnUnits = { readonly asset: CatalogAsset; readonly units: bigint };

/** `wanted`: null where only the fee is the operator's to pay. Gas may be another asset, which must be the operator's too. */
export async function demandOwn(deps: StockDeps, tx: Tx, wanted: OwnUnits | null, fee: OwnUnits): Promise<void> {
  const assets = wanted === null ? [fee.asset] : [wanted.asset, fee.asset];
  const ids = assets.flatMap((asset) => backedBy(deps.assets, backingOf(deps.assets, asset)).map(({ id }) => id));
  await lockStock(tx, ids);
  const owing = await lockReceivables(tx, ids); // Merchants' accounts come first, as everywhere.
  const books = await lockBalances(tx, ids.flatMap(ownAccounts));
  const freeOf = (asset: CatalogAsset): Promise<bigint> =>
    freeUnits(deps, tx, { asset, books, owedByMerchants: owing.get(asset.id) ?? 0n });
  if (wanted !== null) {
    const free = await freeOf(wanted.asset);
    if (free < wanted.units) throw notOwn(wanted.asset, free);
  }
  if (fee.units === 0n) return;
  const taken = wanted?.asset.id === fee.asset.id ? wanted.units : 0n;
  const free = await freeOf(fee.asset);
  if (free - taken < fee.units) throw noFee(fee, free);
}

/** Set aside until it is known what the network took, which is booked as a cost then. */
export const heldFeeLines = ({ asset, units }: OwnUnits): Line[] => [
  { account: operatorAccount('equity', asset.id), units: -units },
  { account: operatorAccount('reserved', asset.id), units },
];

const ownText = ({ ledgerScale, assetCode }: CatalogAsset, units: bigint): string =>
  `${formatUnits(units < 0n ? 0n : units, ledgerScale)} ${assetCode}`;
const notOwn = (asset: CatalogAsset, free: bigint): GatewayError =>
  new GatewayError({
    code: 'not_own_money',
    httpStatus: 422,
    message: `Only ${ownText(asset, free)} are the operator's own: the rest belongs to merchants or is promised to them.`,
  });
/** The network takes its fee from what we hold: without this, from what belongs to merchants. */
const noFee = ({ asset, units }: OwnUnits, own: bigint): GatewayError =>
  new GatewayError({
    code: 'no_own_fee',
    httpStatus: 422,
    message: `The network takes up to ${ownText(asset, units)} for this, and only ${ownText(asset, own)} are the operator's own.`,
  });

/**
 * What was brought in and earned, less what merchants owe of it, what is promised beyond what was bought, and what left
 * that nobody has explained. An anchor's
 * asset and the coin behind it count together: who is credited in the one is owed the other.
 */
export async function freeUnits(
  deps: StockDeps,
  query: Query,
  of: {
    readonly asset: CatalogAsset;
    /** Balances of the operator's own accounts. */
    readonly books: ReadonlyMap<string, bigint>;
    readonly owedByMerchants: bigint;
  },
): Promise<bigint> {
  const { id } = of.asset;
  // The limits of the treasury are for what it sells: below zero they would let the operator take what is owed.
  const { byBacking } = await loadStock({ ...deps, treasuryLimits: new Map() }, query, [of.asset]);
  const stock = byBacking.get(backingOf(deps.assets, of.asset).id) ?? noStock;
  const promised = byBacking.has(id) ? promisedUnits(stock) : 0n;
  // What left and nobody can explain may be the operator's loss: until it is explained it is no money to take out.
  const missing = await unexplainedUnits(query, id);
  const single = ownUnits(of.books, id) - of.owedByMerchants - beyondBought(of.books, id, promised) - missing;
  const together = unpromisedUnits(stock);
  return single < together ? single : together;
}

const ownPurposes: readonly OperatorPurpose[] = ['equity', 'fees', 'costs', 'fx'];
const ownAccounts = (asset: string): string[] => ownPurposes.map((purpose) => operatorAccount(purpose, asset));

/**
 * What was brought in and earned, including what merchants owe of it, less what networks took and what was sold without
 * having been bought.
 */
function ownUnits(balances: ReadonlyMap<string, bigint>, asset: string): bigint {
  const [equity = 0n, fees = 0n, costs = 0n, fx = 0n] = ownAccounts(asset).map((account) => balances.get(account));
  return equity + fees + costs + (fx < 0n ? fx : 0n);
}

/** What was bought in conversions is not taken out, so promises use it first. */
function beyondBought(balances: ReadonlyMap<string, bigint>, asset: string, promised: bigint): bigint {
  const fx = balances.get(operatorAccount('fx', asset)) ?? 0n;
  const bought = fx > 0n ? fx : 0n;
  return promised > bought ? promised - bought : 0n;
}
