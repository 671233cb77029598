/** What a transfer costs its sender, in the asset that is sent: the network's fee as estimated, and our own. Pure. */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Decimal } from '../money/decimal.ts';
import type { MissingRate } from '../pricing/combine-rates.ts';
import { convertUnits, costRate, isConversion, type RateOf } from '../pricing/conversion.ts';
import { type FeeSchedule, feeInOwnAsset } from '../pricing/settlement-fee.ts';

export type TransferFee = { readonly networkFeeUnits: bigint; readonly serviceFeeUnits: bigint };

export type FeeRequest = {
  readonly asset: CatalogAsset;
  readonly units: bigint;
  /** In the asset in which the network takes its fees. */
  readonly networkFee: { readonly asset: CatalogAsset; readonly units: bigint };
  readonly fees: FeeSchedule;
  readonly rateOf: RateOf;
  /** What the house keeps of a conversion: of the network's fee too, which it pays in another coin. */
  readonly spread: Decimal;
};

export const isTransferFee = (outcome: TransferFee | MissingRate): outcome is TransferFee =>
  'networkFeeUnits' in outcome;

/** Rates are only asked for where they are needed. Both fees round up. */
export function transferFee({ asset, units, networkFee, fees, rateOf, spread }: FeeRequest): TransferFee | MissingRate {
  const serviceFeeUnits = feeInOwnAsset(units, asset, fees, rateOf);
  if (typeof serviceFeeUnits !== 'bigint') return serviceFeeUnits;
  if (networkFee.asset.id === asset.id || networkFee.units === 0n)
    return { networkFeeUnits: networkFee.units, serviceFeeUnits };

  const cost = costRate(rateOf, networkFee.asset.currencyCode, asset.currencyCode, spread);
  if (!isConversion(cost)) return cost;
  const scales = { from: networkFee.asset.ledgerScale, to: asset.ledgerScale };
  return { networkFeeUnits: convertUnits(cost, networkFee.units, scales, 'up'), serviceFeeUnits };
}
