/**
 * Money that came in an asset which nobody had chosen counts as soon as somebody chooses that asset: the customer has
 * noticed the mistake, and chooses what was sent. Except what was sent back, or set aside for that. Pure.
 */
import type { CheckoutDossier, Commitment, Payment } from './checkout.ts';
import { isAlive } from './checkout-state.ts';

export type Adopted = { readonly dossier: CheckoutDossier; readonly payments: readonly Payment[] };

/** The dossier, and those of its payments that belong to one of its commitments from now on. */
export function adoptPayments(dossier: CheckoutDossier): Adopted {
  const payments = dossier.payments.map((payment) => {
    if (payment.commitmentId !== null || payment.takenUnits > 0n || !isAlive(payment)) return payment;
    const meant = dossier.commitments.findLast(
      ({ network, asset }) => network === payment.network && asset === payment.asset,
    );
    return meant ? { ...payment, commitmentId: meant.id } : payment;
  });
  return {
    dossier: { ...dossier, payments },
    payments: payments.filter((payment, position) => payment !== dossier.payments[position]),
  };
}

export const addCommitment = (dossier: CheckoutDossier, commitment: Commitment): Adopted =>
  adoptPayments({ ...dossier, commitments: [...dossier.commitments, commitment] });

/** For the store of payments. */
export const assignmentsOf = ({ dossier: { checkout }, payments }: Adopted) =>
  payments.map(({ id, commitmentId }) => ({
    merchantId: checkout.merchantId,
    ownerId: checkout.id,
    id,
    commitmentId,
  }));

export const adoptionNotes = ({ dossier: { checkout }, payments }: Adopted) =>
  payments.map(({ network, txHash }) => ({
    merchantId: checkout.merchantId,
    checkoutId: checkout.id,
    what: 'payment_assigned',
    why: { network, tx: txHash },
  }));
