/**
 * What the merchant is credited for what was really received. Pure, and in units: `received` and `due` are in the paid
 * asset and at the same scale, whichever the caller uses; credits are at the credited asset's ledger scale.
 */
import { proportion } from '../money/amount.ts';
import { type Conversion, convertUnits } from './conversion.ts';
import { type FeeSchedule, settlementFee } from './settlement-fee.ts';

export type Credit = { readonly grossUnits: bigint; readonly feeUnits: bigint; readonly netUnits: bigint };

export type QuotedCredit = { readonly grossUnits: bigint; readonly feeUnits: bigint };

/**
 * The counted part of the quoted credit. It is more than the quote only if more units were needed, because they came
 * after the coin's price had fallen. Call it once for everything counted on a commitment: parts would each be rounded
 * down, the sum only once.
 */
export const creditForPayment = (countedUnits: bigint, dueUnits: bigint, quoted: QuotedCredit): Credit =>
  withFee(
    proportion(quoted.grossUnits, countedUnits, dueUnits, 'down'),
    proportion(quoted.feeUnits, countedUnits, dueUnits, 'up'),
  );

/** For what is not credited by its quote: what came late or fell too far, what was too little and accepted, a swap. */
export function creditAtRate(
  units: bigint,
  conversion: Conversion,
  scales: { readonly from: number; readonly to: number },
  fees: FeeSchedule,
): Credit {
  const grossUnits = convertUnits(conversion, units, scales, 'down');
  return withFee(grossUnits, settlementFee(grossUnits, scales.to, conversion.toUsd, fees));
}

function withFee(grossUnits: bigint, wantedFeeUnits: bigint): Credit {
  const feeUnits = wantedFeeUnits < grossUnits ? wantedFeeUnits : grossUnits;
  return { grossUnits, feeUnits, netUnits: grossUnits - feeUnits };
}
