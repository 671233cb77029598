/**
 * Money that came in an asset which nobody had asked for counts as soon as somebody asks for that asset: the customer
 * has noticed the mistake, and chooses what was sent. Not what was sent back, or set aside for it. Pure.
 */
import type { CheckoutDossier, Commitment, Payment } from './checkout.ts';
import { isAlive } from './checkout-state.ts';

export type Adopted = { readonly dossier: CheckoutDossier; readonly payments: readonly Payment[] };

/** The dossier with a new commitment, and the payments that now belong to it. */
export function adoptPayments(dossier: CheckoutDossier, commitment: Commitment): Adopted {
  const isMeant = (payment: Payment): boolean =>
    payment.commitmentId === null &&
    payment.network === commitment.network &&
    payment.asset === commitment.asset &&
    payment.takenUnits === 0n &&
    isAlive(payment);
  const payments = dossier.payments.map((payment) =>
    isMeant(payment) ? { ...payment, commitmentId: commitment.id } : payment,
  );
  return {
    dossier: { ...dossier, commitments: [...dossier.commitments, commitment], payments },
    payments: payments.filter((payment, position) => payment !== dossier.payments[position]),
  };
}
