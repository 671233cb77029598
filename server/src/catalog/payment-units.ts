/** What a payer's wallet counts in where that is not the asset itself: satoshis, the eighth place of a bitcoin. */
import { present } from '../lib/assert.ts';
import { knownAssets } from './known-assets.ts';
import { knownNetworks } from './known-networks.ts';

/** `of`: what rates are asked for instead. */
export type PaymentUnit = { readonly name: string; readonly places: number; readonly of: string };

/** By the code of the unit. */
export const paymentUnits: ReadonlyMap<string, PaymentUnit> = new Map(
  knownNetworks.flatMap(({ assets }) =>
    assets.flatMap(({ assetCode, paymentCode, paymentUnit }): [string, PaymentUnit][] => {
      const asset = present(
        knownAssets.find(({ code }) => code === assetCode),
        `asset ${assetCode}`,
      );
      return paymentUnit ? [[paymentCode, { ...paymentUnit, of: asset.currencyCode }]] : [];
    }),
  ),
);

/** How many places smaller than the asset; none for most. */
export const placesOf = (paymentCode: string): number => paymentUnits.get(paymentCode)?.places ?? 0;
