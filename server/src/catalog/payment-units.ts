/** What a payer's wallet counts in, if that is not the asset itself: satoshis, with eight decimals to a bitcoin. */
import { present } from '../lib/assert.ts';
import type { PaymentUnit } from '../networks/port/definition.ts';
import { knownAssets } from './known-assets.ts';
import { knownNetworks } from './known-networks.ts';

/** `of`: the code for which rates are asked instead. */
export type UnitOfAsset = PaymentUnit & { readonly of: string };

/** By the code of the unit. */
export const paymentUnits: ReadonlyMap<string, UnitOfAsset> = new Map(
  knownNetworks.flatMap(({ assets }) =>
    assets.flatMap(({ assetCode, paymentCode, paymentUnit }): [string, UnitOfAsset][] => {
      const asset = present(
        knownAssets.find(({ code }) => code === assetCode),
        `asset ${assetCode}`,
      );
      return paymentUnit ? [[paymentCode, { ...paymentUnit, of: asset.currencyCode }]] : [];
    }),
  ),
);

/** How many decimals smaller than the asset; zero for most. */
export const placesOf = (paymentCode: string): number => paymentUnits.get(paymentCode)?.places ?? 0;
