import type { CheckoutKey } from '../checkouts/checkout-store.ts';
import { findCharges } from '../checkouts/checkout-walk-store.ts';
import { termsOfCharge } from '../checkouts/follow-terms.ts';
import { deleteTerms } from '../checkouts/term-store.ts';
import { deleteCheckouts } from '../checkouts/unchosen-store.ts';
import type { Tx } from '../db/database.ts';
import { deleteLinkCheckouts } from './payment-link-store.ts';

/** Checkouts that are locked and that no money can have been sent to, with all that is kept because of them. */
export async function deleteUnpaid(tx: Tx, keys: readonly CheckoutKey[]): Promise<void> {
  const charges = await findCharges(tx, keys);
  await deleteTerms(tx, charges.flatMap(termsOfCharge));
  await deleteLinkCheckouts(tx, keys);
  await deleteCheckouts(tx, keys);
}
