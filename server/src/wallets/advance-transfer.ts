/**
 * Looks at a transfer whose waiting time may be over, that `sending` has ended, or that came back after it had arrived.
 * Running it twice does nothing more.
 */
import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { chargedCost } from '../sending/charged-cost.ts';
import { findPayout } from '../sending/payout-store.ts';
import { wakeUpOf } from './create-transfer.ts';
import { creditComebacks } from './credit-comebacks.ts';
import { isOverDailyLimit } from './daily-limit.ts';
import { completeTransfer, failTransfer } from './end-transfer.ts';
import { type LetGoDeps, letTransferGo } from './let-transfer-go.ts';
import { nextTryOf, totalUnitsOf } from './transfer.ts';
import { lockTransfer } from './transfer-store.ts';

export async function advanceTransfer(
  deps: LetGoDeps & { readonly db: Db; readonly clock: Clock },
  { merchantId, transferId }: { readonly merchantId: string; readonly transferId: string },
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const transfer = await lockTransfer(tx, merchantId, transferId);
    if (transfer?.state === 'WAITING')
      await letTransferGo(deps, tx, transfer, now).catch(async (error: unknown) => {
        if (!(error instanceof GatewayError)) throw error;
        // It was approved: later that day there is room again, or what has left can be valued.
        if (isOverDailyLimit(error)) await enqueue(tx, [{ ...wakeUpOf(transfer), runAt: nextTryOf(transfer, now) }]);
        else await failTransfer(deps, tx, transfer, error.message, now);
      });
    if (transfer?.state === 'COMPLETED') await creditComebacks(deps, tx, transfer, now);
    if (transfer?.state !== 'QUEUED') return;
    const payout = await findPayout(tx, transferId);
    if (payout?.state === 'DONE') {
      const completed = await completeTransfer(deps, tx, { ...transfer, txHash: payout.txHash }, now);
      await creditComebacks(deps, tx, completed, now);
    }
    if (payout?.state === 'FAILED') {
      const held = { feeUnits: transfer.networkFeeUnits, totalUnits: totalUnitsOf(transfer) };
      const failed = { ...transfer, txHash: payout.txHash, costUnits: chargedCost(payout, held) };
      await failTransfer(deps, tx, failed, payout.failure ?? 'It could not be sent.', now);
    }
  });
}
