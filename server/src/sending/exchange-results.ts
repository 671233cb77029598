/** What exchanges with ourselves gave: stored with the transfer that asked for them. */
import type { Tx } from '../db/database.ts';

/** What exchanges gave, told by the network. */
export async function saveReceived(
  tx: Tx,
  received: readonly { readonly transferId: string; readonly units: bigint }[],
): Promise<void> {
  for (const { transferId, units } of received)
    await tx`update outgoing_transfer set received_units = ${units.toString()} where id = ${transferId}`;
}
