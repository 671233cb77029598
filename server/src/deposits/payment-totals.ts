/**
 * What arrived for a checkout or a deposit, by network and asset: lists show only the newest payments, these totals
 * show all.
 */
import type { PaymentTotal } from '@quittance/contract/payment-total';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { formatUnits } from '../money/amount.ts';

/** All payments of one asset that came over one network. Of crumbs: those that are final and in no payment yet. */
export type RailSum = {
  readonly network: string;
  readonly asset: string;
  readonly count: number;
  readonly units: bigint;
};

/** As JSON has it. */
export type RailSumRow = Record<'network' | 'asset' | 'units', string> & { count: number };

export const toRailSum = ({ network, asset, count, units }: RailSumRow): RailSum => ({
  network,
  asset,
  count,
  units: BigInt(units),
});

/** Anybody can make a list of payments long: what is sent or shown has at most this many of them, the newest. */
export const paymentsShown = 100;

export function paymentTotals(
  assets: AssetCatalog,
  payments: readonly RailSum[],
  crumbs: readonly RailSum[],
): PaymentTotal[] {
  const rails = new Map<string, { network: string; asset: string; paid: Sum; crumbs: Sum }>();
  const add = (kind: 'paid' | 'crumbs', { network, asset, count, units }: RailSum): void => {
    const rail = rails.get(`${network} ${asset}`) ?? { network, asset, paid: none, crumbs: none };
    rail[kind] = { count: rail[kind].count + count, units: rail[kind].units + units };
    rails.set(`${network} ${asset}`, rail);
  };
  for (const each of payments) add('paid', each);
  for (const each of crumbs) add('crumbs', each);
  return [...rails.values()].map((rail) => {
    const { id, assetCode, ledgerScale } = present(findAsset(assets, rail.asset), `asset ${rail.asset}`);
    return {
      network: rail.network,
      assetId: id,
      assetCode,
      count: rail.paid.count,
      amount: formatUnits(rail.paid.units, ledgerScale),
      crumbCount: rail.crumbs.count,
      crumbAmount: formatUnits(rail.crumbs.units, ledgerScale),
    };
  });
}

type Sum = { readonly count: number; readonly units: bigint };
const none: Sum = { count: 0, units: 0n };
