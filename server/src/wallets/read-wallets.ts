/** What a merchant holds: the balances of the ledger, and what they are worth by the rates of this moment. */
import type { WaitingRecord, WalletRecord } from '@quittance/contract/wallet';
import { type AssetCatalog, type CatalogAsset, findAsset, isAvailable } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import type { Db } from '../db/database.ts';
import { type ReusableTarget, reusableTargets } from '../deposits/custom-deposit-store.ts';
import { type MerchantPurpose, merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { formatUnits } from '../money/amount.ts';
import { type Decimal, decimal, formatDecimal, fromUnits, plus, zero } from '../money/decimal.ts';
import type { Connector } from '../networks/port/connector.ts';
import { convertAmount, isConversion, worthRate } from '../pricing/conversion.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { unfinalNetworks } from './unfinal-store.ts';
import { waitingPart } from './waiting-record.ts';
import type { LeavingDeps } from './what-may-leave.ts';

export type WalletDeps = LeavingDeps & {
  readonly db: Db;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly rates: RateBook;
};

export const purposes: readonly MerchantPurpose[] = ['available', 'pending', 'reserved', 'suspense', 'receivable'];

/** An asset that is switched off for the merchant is shown as long as the merchant has some of it. */
export async function readWallets(deps: WalletDeps, merchant: Merchant): Promise<WalletRecord[]> {
  const enabled = new Set(merchant.highRiskAssets);
  const [wallets, targets] = await Promise.all([
    walletsOf(deps, merchant, deps.assets.assets),
    watchedTargets(deps, merchant, null),
  ]);
  return wallets
    .filter(({ asset, isEmpty }) => isAvailable(asset, enabled) || !isEmpty)
    .map((wallet) => recordOf(wallet, targets));
}

export async function readWallet(deps: WalletDeps, merchant: Merchant, wanted: string): Promise<WalletRecord> {
  const asset = findAsset(deps.assets, wanted);
  if (!asset) throw noWallet(wanted);
  const [[wallet], targets] = await Promise.all([
    walletsOf(deps, merchant, [asset]),
    watchedTargets(deps, merchant, asset.id),
  ]);
  if (!wallet || (wallet.isEmpty && !isAvailable(asset, new Set(merchant.highRiskAssets)))) throw noWallet(wanted);
  return recordOf(wallet, targets);
}

/** Nobody sees what is sent to an address of a network that is not configured any more. */
async function watchedTargets(
  { db, connectors }: WalletDeps,
  merchant: Merchant,
  assetId: string | null,
): Promise<ReusableTarget[]> {
  const targets = await reusableTargets(db, merchant.id, assetId);
  return targets.filter(({ network }) => connectors.has(network));
}

/** Null if something that is there has no value. */
export function totalValue(wallets: readonly WalletRecord[]): string | null {
  let total: Decimal = zero;
  for (const { available, pending, reserved, value } of wallets) {
    if (value !== null) total = plus(total, decimal(value));
    else if (available !== '0' || pending !== '0' || reserved !== '0') return null;
  }
  return formatDecimal(total);
}

type Wallet = {
  readonly asset: CatalogAsset;
  readonly units: Readonly<Record<MerchantPurpose, bigint>>;
  readonly isEmpty: boolean;
  readonly value: Decimal | null;
  readonly waiting: { readonly waiting?: WaitingRecord };
};

async function walletsOf(deps: WalletDeps, merchant: Merchant, assets: readonly CatalogAsset[]): Promise<Wallet[]> {
  const account = (asset: CatalogAsset, purpose: MerchantPurpose) => merchantAccount(merchant.id, purpose, asset.id);
  const accounts = assets.flatMap((asset) => purposes.map((purpose) => account(asset, purpose)));
  const [balances, networks] = await Promise.all([
    readBalances(deps.db, accounts),
    unfinalNetworks(deps.db, merchant.id),
  ]);
  const wallets = assets.map(async (asset) => {
    const of = (purpose: MerchantPurpose): bigint => balances.get(account(asset, purpose)) ?? 0n;
    const units = {
      available: of('available'),
      pending: of('pending'),
      reserved: of('reserved'),
      suspense: of('suspense'),
      receivable: of('receivable'),
    };
    const held = units.available + units.pending + units.reserved;
    const isEmpty = Object.values(units).every((each) => each === 0n);
    const isFinal = networks.length === 0 || units.available === 0n;
    const waiting = isFinal ? {} : await waitingPart(deps, merchant.id, asset, units.available);
    return { asset, units, isEmpty, waiting, value: valueOf(deps.rates, asset, held, merchant.accountCurrency) };
  });
  return Promise.all(wallets);
}

/** Rounded down to the decimals of the currency. */
function valueOf(rates: RateBook, asset: CatalogAsset, units: bigint, currency: string): Decimal | null {
  const worth = worthRate(rates.rate, asset.currencyCode, currency);
  if (!isConversion(worth)) return null;
  return convertAmount(worth, fromUnits(units, asset.ledgerScale), findCurrency(currency)?.decimals ?? 2, 'down');
}

/** What so much of an asset is worth now, in a currency; null: there is no rate. */
export function worthOfUnits(rates: RateBook, asset: CatalogAsset, units: bigint, currency: string): string | null {
  const value = valueOf(rates, asset, units, currency);
  return value && formatDecimal(value);
}

function recordOf({ asset, units, value, waiting }: Wallet, targets: readonly ReusableTarget[]): WalletRecord {
  const text = (amount: bigint): string => formatUnits(amount, asset.ledgerScale);
  return {
    assetId: asset.id,
    assetCode: asset.assetCode,
    name: asset.name,
    available: text(units.available),
    ...waiting,
    pending: text(units.pending),
    reserved: text(units.reserved),
    ...(units.suspense === 0n ? {} : { suspense: text(units.suspense) }),
    ...(units.receivable === 0n ? {} : { receivable: text(-units.receivable) }), // A debt is below zero in the books.
    value: value && formatDecimal(value),
    depositAddresses: targets
      .filter((target) => target.asset === asset.id)
      .map(({ depositId, network, address, memo, memoType }) => ({ depositId, network, address, memo, memoType })),
  };
}

const noWallet = (wanted: string): GatewayError =>
  new GatewayError({
    code: 'not_found',
    httpStatus: 404,
    message: `There is no wallet of ${JSON.stringify(wanted)}: assetCode must be an asset of GET /assets.`,
  });
