/** The charge of a checkout: its payload is stored as it was posted, so it is read again as when it was accepted. */
import { type CheckoutBody, charge } from '@quittance/contract/checkout';
import { readInput } from '../http/read-input.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Checkout } from './checkout.ts';

export type Charge = CheckoutBody['charge'];

/** Null: an older or newer release accepted it, and this one cannot read it. The total is stored separately. */
export function readCharge({ payload }: Pick<Checkout, 'payload'>): Charge | null {
  try {
    return readInput(charge, payload['charge'], { name: 'The charge' });
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
