import { findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { lockDossier } from '../checkouts/checkout-store.ts';
import { recountTaken } from '../checkouts/refund.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { present } from '../lib/assert.ts';
import { findAgreedFees, insertAudit } from '../merchants/merchant-store.ts';
import { agreedFees, shareFee } from '../pricing/settlement-fee.ts';
import { type AdvanceDeps, advanceLocked } from './advance-checkout.ts';
import { inSuspense, isUnsettling, takesOf } from './refundable.ts';
import { beingUnsettled, noExcess } from './settlement-errors.ts';

/** The merchant keeps what arrived beyond the price, in the asset in which it was paid, less the service's fee. */
export async function acceptExcess(
  deps: AdvanceDeps,
  {
    merchantId,
    actor,
    begin,
    demand,
  }: {
    readonly merchantId: string;
    readonly actor: Actor;
    readonly begin: Begin<CheckoutDossier>;
    /** What else must hold, asked under the lock. */
    readonly demand?: (tx: Tx, dossier: CheckoutDossier) => Promise<void>;
  },
  checkoutId: string,
): Promise<CheckoutDossier> {
  return begin(async (tx) => {
    const dossier = await lockDossier(tx, merchantId, checkoutId);
    if (!dossier) throw checkoutNotFound(checkoutId);
    const now = deps.clock.now();
    if (isUnsettling(dossier, now)) throw beingUnsettled();
    const options = inSuspense(dossier, now).filter(({ context }) => context === 'OVERPAID_CHECKOUT');
    if (options.length === 0) throw noExcess(dossier.checkout.state);
    await demand?.(tx, dossier);
    const agreed = present((await findAgreedFees(tx, [merchantId])).get(merchantId), 'the merchant');
    const fees = agreedFees(deps.fees, agreed);
    // The fee is a percentage only: the minimum was taken with the price.
    const takes = options
      .flatMap((option) => takesOf(option, option.units))
      .map((take) => ({ ...take, feeUnits: shareFee(BigInt(take.units), fees).toString() }));
    const amounts = options.map(({ asset, units }) => ({
      asset: findAsset(deps.assets, asset)?.assetCode,
      units: `${units}`,
    }));
    await addToTimeline(tx, dossier.checkout, [{ what: 'excess_accepted', why: { amounts } }], now);
    const detail = { checkoutId, amounts };
    await insertAudit(tx, { merchantId, at: now, actor, action: 'excess.accepted', detail });
    const accepted = { takes, acceptedAt: now.toISOString(), isBooked: false };
    const acceptedExcess = [...dossier.checkout.acceptedExcess, accepted];
    return advanceLocked(deps, tx, recountTaken({ ...dossier, checkout: { ...dossier.checkout, acceptedExcess } }));
  });
}
