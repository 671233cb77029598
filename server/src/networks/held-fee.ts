/** The most that may be spent on the network's fee of a payout: what was set aside for it by whoever asked. */
import { NotEnoughFunds, type Payout, SendRefused } from './port/sending.ts';

/**
 * What whoever asked has set aside for the network's fee, in units of `NetworkFee`. A transaction is signed only if it
 * cannot cost more than was set aside for what it carries. While the network asks for more, the payout waits; after
 * `until` it is refused.
 */
export type HeldFee = { readonly units: bigint; readonly until: Date };

/**
 * All payouts that were offered were looked at, and each must wait for its own reason: payouts after them need not
 * wait.
 */
export class AllMustWait extends NotEnoughFunds {
  constructor(message: string) {
    super(message);
    this.name = 'AllMustWait';
  }
}

/**
 * Throws when sending would cost more than was set aside: the payout waits until the network is cheaper, but not for
 * ever.
 */
export function demandWithinHeldFee({ id, heldFee }: Payout, feeUnits: bigint, now: Date): void {
  if (heldFee === undefined || feeUnits <= heldFee.units) return;
  if (now >= heldFee.until)
    throw new SendRefused(
      id,
      "The network's fee rose above what was set aside for it and did not come down again: ask once more, for a new quote.",
    );
  throw new NotEnoughFunds(`Payout ${id} waits for the network's fee, which is above what was set aside for it.`);
}

/**
 * What is set aside for all of them together. Undefined: one of them has no limit, because the operator pays for it.
 */
export function heldForAll(payouts: readonly Pick<Payout, 'heldFee'>[]): bigint | undefined {
  let total = 0n;
  for (const { heldFee } of payouts) {
    if (heldFee === undefined) return undefined;
    total += heldFee.units;
  }
  return total;
}
