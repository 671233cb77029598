/** What a transfer costs its sender, in the asset that is sent: the network's fee as estimated, and our own. Pure. */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { decimal, divide, fromUnits, times, toUnits } from '../money/decimal.ts';
import { type CombinedRate, isRate, type MissingRate } from '../pricing/combine-rates.ts';
import { type FeeSchedule, settlementFee } from '../pricing/settlement-fee.ts';

export type TransferFee = { readonly networkFeeUnits: bigint; readonly serviceFeeUnits: bigint };

export type FeeRequest = {
  readonly asset: CatalogAsset;
  readonly units: bigint;
  /** In the asset in which the network takes its fees. */
  readonly networkFee: { readonly asset: CatalogAsset; readonly units: bigint };
  readonly fees: FeeSchedule;
  readonly rateOf: (code: string) => CombinedRate | MissingRate;
};

export const isTransferFee = (outcome: TransferFee | MissingRate): outcome is TransferFee =>
  'networkFeeUnits' in outcome;

/** Rates are only asked for where they are needed. Both fees round up. */
export function transferFee({ asset, units, networkFee, fees, rateOf }: FeeRequest): TransferFee | MissingRate {
  const isOtherAsset = networkFee.asset.id !== asset.id && networkFee.units > 0n;
  const hasMinimum = fees.minimumUsd.digits > 0n;
  const rate =
    isOtherAsset || hasMinimum ? rateOf(asset.currencyCode) : { usd: decimal(1), sources: [], at: new Date(0) };
  if (!isRate(rate)) return rate;
  const serviceFeeUnits = settlementFee(units, asset.ledgerScale, rate.usd, fees);
  if (!isOtherAsset) return { networkFeeUnits: networkFee.units, serviceFeeUnits };

  const feeRate = rateOf(networkFee.asset.currencyCode);
  if (!isRate(feeRate)) return feeRate;
  const usd = times(fromUnits(networkFee.units, networkFee.asset.ledgerScale), feeRate.usd);
  const converted = divide(usd, rate.usd, asset.ledgerScale, 'up');
  return { networkFeeUnits: toUnits(converted, asset.ledgerScale, 'up'), serviceFeeUnits };
}
