/** What was signed, as it is stored: at the scales of the ledger, and with how deep it must be before it is done. */
import { rescale } from '../money/amount.ts';
import { confirmationsRequired, type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import type { SignedTransaction } from '../networks/port/sending.ts';
import type { NewTransaction } from './outgoing-transaction-store.ts';
import type { PayoutsOn } from './payout-on-network.ts';
import type { StoredPayout } from './payout-store.ts';

export function transactionToStore(
  network: NetworkDefinition,
  { assetOf, toOutgoing }: Pick<PayoutsOn, 'assetOf' | 'toOutgoing'>,
  signed: SignedTransaction,
  { id, carried }: { readonly id: string; readonly carried: readonly StoredPayout[] },
): NewTransaction {
  const feeAsset = assetOf(signed.fee.assetCode);
  const feeScale = networkAsset(network, signed.fee.assetCode).scale;
  // How deep each of the payouts must be before it is done: as deep as the same amount coming in must be.
  const depths = carried
    .map(toOutgoing)
    .map(({ assetCode, units }) => confirmationsRequired(network, assetCode, units));
  return {
    ...signed,
    id,
    network: network.id,
    feeAsset: feeAsset.id,
    feeUnits: rescale(signed.fee.units, feeScale, feeAsset.ledgerScale, 'up'),
    // Nobody waits for housekeeping, so it may take until nothing can undo it.
    confirmationsRequired: depths.length === 0 ? network.finalityDepth : Math.max(...depths),
  };
}
