/** What may be spent on the network's fee of a transfer: what whoever asked for it has set aside, and no more. */
import { NotEnoughFunds, type OutgoingTransfer, SendRefused } from './port/sending.ts';

/**
 * What whoever asked has set aside for the network's fee, in units of `NetworkFee`. A transaction is signed only if it
 * cannot cost more than was set aside for what it carries. While the network asks for more, the transfer waits; after
 * `until` it is refused.
 */
export type HeldFee = { readonly units: bigint; readonly until: Date };

/** All that were offered were looked at, and each must wait for reasons of its own: whoever comes after them need not. */
export class AllMustWait extends NotEnoughFunds {
  constructor(message: string) {
    super(message);
    this.name = 'AllMustWait';
  }
}

/** Throws when sending it would cost more: it waits for the network to become cheaper, and not for ever. */
export function demandWithinHeldFee({ id, heldFee }: OutgoingTransfer, feeUnits: bigint, now: Date): void {
  if (heldFee === undefined || feeUnits <= heldFee.units) return;
  if (now >= heldFee.until)
    throw new SendRefused(
      id,
      "The network's fee rose above what was set aside for it and did not come down again: ask once more, for a new quote.",
    );
  throw new NotEnoughFunds(`Transfer ${id} waits for the network's fee, which is above what was set aside for it.`);
}

/** What is set aside for all of them. Undefined: of one of them nobody pays but the operator. */
export function heldForAll(transfers: readonly Pick<OutgoingTransfer, 'heldFee'>[]): bigint | undefined {
  let total = 0n;
  for (const { heldFee } of transfers) {
    if (heldFee === undefined) return undefined;
    total += heldFee.units;
  }
  return total;
}
