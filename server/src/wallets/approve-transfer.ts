import type { Begin } from '../http/effect.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { TransferDeps } from './create-transfer.ts';
import { letTransferGo } from './let-transfer-go.ts';
import type { Transfer } from './transfer.ts';
import { approvedByItself, notAwaitingApproval, transferNotFound } from './transfer-errors.ts';
import { shownTransferState } from './transfer-state.ts';
import { lockTransfer } from './transfer-store.ts';

/** The second pair of eyes: another API key than the one that asked. */
export async function approveTransfer(
  deps: TransferDeps,
  merchantId: string,
  id: string,
  { apiKey, begin }: { readonly apiKey: string; readonly begin: Begin<Transfer> },
): Promise<Transfer> {
  const now = deps.clock.now();
  return begin(async (tx) => {
    const transfer = await lockTransfer(tx, merchantId, id);
    if (!transfer) throw transferNotFound(id);
    if (transfer.state !== 'AWAITING_APPROVAL')
      throw notAwaitingApproval(shownTransferState(transfer.state, transfer.isSigned));
    if (transfer.apiKey === apiKey) throw approvedByItself();
    await insertAudit(tx, { merchantId, at: now, actor: apiKey, action: 'transfer.approved', detail: { id } });
    return letTransferGo(deps, tx, transfer, now, { approvedBy: apiKey, approvedAt: now });
  });
}
