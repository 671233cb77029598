/** What exchanges with ourselves gave: stored with the payout that asked for them. */
import type { Tx } from '../db/database.ts';

/** What exchanges gave, told by the network. */
export async function saveReceived(
  tx: Tx,
  received: readonly { readonly payoutId: string; readonly units: bigint }[],
): Promise<void> {
  for (const { payoutId, units } of received)
    await tx`update outgoing_transfer set received_units = ${units.toString()} where id = ${payoutId}`;
}
