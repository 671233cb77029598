import { findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { addToTimeline, lockDossier } from '../checkouts/checkout-store.ts';
import { recountTaken } from '../checkouts/refund.ts';
import { times, toUnits } from '../money/decimal.ts';
import { type AdvanceDeps, advanceLocked } from './advance-checkout.ts';
import { beingUnsettled, noExcess } from './refund-errors.ts';
import { inSuspense, isUnsettling, takesOf } from './refundable.ts';

/** The merchant keeps what arrived beyond the price, in the asset in which it was paid, less the service's fee. */
export async function acceptExcess(
  deps: AdvanceDeps,
  merchant: { id: string },
  checkoutId: string,
): Promise<CheckoutDossier> {
  return deps.db.begin(async (tx) => {
    const dossier = await lockDossier(tx, merchant.id, checkoutId);
    if (!dossier) throw checkoutNotFound(checkoutId);
    const now = deps.clock.now();
    if (isUnsettling(dossier, now)) throw beingUnsettled();
    const options = inSuspense(dossier, now).filter(({ context }) => context === 'OVERPAID_CHECKOUT');
    if (options.length === 0) throw noExcess(dossier.checkout.state);
    const takes = options
      .flatMap((option) => takesOf(option, option.units))
      .map((take) => ({ ...take, feeUnits: feeOn(deps, BigInt(take.units)).toString() }));
    const amounts = options.map(({ asset, units }) => ({
      asset: findAsset(deps.assets, asset)?.assetCode,
      units: `${units}`,
    }));
    await addToTimeline(tx, dossier.checkout, [{ what: 'excess_accepted', why: { amounts } }], now);
    const accepted = { takes, acceptedAt: now.toISOString(), isBooked: false };
    const acceptedExcess = [...dossier.checkout.acceptedExcess, accepted];
    return advanceLocked(deps, tx, recountTaken({ ...dossier, checkout: { ...dossier.checkout, acceptedExcess } }));
  });
}

/** Only the percentage: the minimum was taken with the price. */
const feeOn = ({ fees }: AdvanceDeps, units: bigint): bigint =>
  toUnits(times({ digits: units, scale: 0 }, fees.percent), 0, 'up');
