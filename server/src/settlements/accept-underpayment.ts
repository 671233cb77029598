import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { cannotAccept, checkoutNotFound, nothingToAccept } from '../checkouts/checkout-errors.ts';
import { addToTimeline, lockDossier } from '../checkouts/checkout-store.ts';
import { leftUnits } from '../checkouts/refund.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { type AdvanceDeps, advanceLocked } from './advance-checkout.ts';

/** The merchant takes what arrived as payment in full. What needs conversion is converted at the rate of this moment. */
export async function acceptUnderpayment(
  deps: AdvanceDeps,
  { merchantId, apiKey }: { readonly merchantId: string; readonly apiKey: string },
  checkoutId: string,
): Promise<CheckoutDossier> {
  return deps.db.begin(async (tx) => {
    const dossier = await lockDossier(tx, merchantId, checkoutId);
    if (!dossier) throw checkoutNotFound(checkoutId);
    if (dossier.checkout.state === 'RESOLVED') return dossier; // A client retries.
    if (dossier.checkout.state !== 'UNDERPAID') throw cannotAccept(dossier.checkout.state);
    const isThere = dossier.payments.some((payment) => payment.commitmentId !== null && leftUnits(payment) > 0n);
    if (!isThere) throw nothingToAccept();
    const now = deps.clock.now();
    await addToTimeline(tx, dossier.checkout, [{ what: 'underpayment_accepted' }], now);
    const detail = { checkoutId };
    await insertAudit(tx, { merchantId, at: now, actor: apiKey, action: 'underpayment.accepted', detail });
    return advanceLocked(deps, tx, { ...dossier, checkout: { ...dossier.checkout, acceptedAt: now } });
  });
}
