/** Looks at a transfer whose waiting time may be over, or that `sending` has ended. Running it twice does nothing more. */
import { GatewayError } from '../lib/errors.ts';
import { chargedCost } from '../sending/charged-cost.ts';
import { findTransfer as findSending } from '../sending/outgoing-store.ts';
import type { TransferDeps } from './create-transfer.ts';
import { completeTransfer, failTransfer } from './end-transfer.ts';
import { letTransferGo } from './let-transfer-go.ts';
import { totalUnitsOf } from './transfer.ts';
import { lockTransfer } from './transfer-store.ts';

export async function advanceTransfer(
  deps: TransferDeps,
  { merchantId, transferId }: { readonly merchantId: string; readonly transferId: string },
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const transfer = await lockTransfer(tx, merchantId, transferId);
    if (transfer?.state === 'WAITING')
      await letTransferGo(deps, tx, transfer, now).catch((error: unknown) => {
        if (!(error instanceof GatewayError)) throw error;
        return failTransfer(deps, tx, transfer, error.message, now);
      });
    if (transfer?.state !== 'QUEUED') return;
    const sending = await findSending(tx, transferId);
    if (sending?.state === 'DONE') await completeTransfer(deps, tx, { ...transfer, txHash: sending.txHash }, now);
    if (sending?.state === 'FAILED') {
      const held = { feeUnits: transfer.networkFeeUnits, totalUnits: totalUnitsOf(transfer) };
      const failed = { ...transfer, txHash: sending.txHash, costUnits: chargedCost(sending, held) };
      await failTransfer(deps, tx, failed, sending.failure ?? 'It could not be sent.', now);
    }
  });
}
