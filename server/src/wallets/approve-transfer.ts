import { type Actor, keyActor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { isOwnOrder } from '../merchants/is-own-order.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { TransferDeps } from './create-transfer.ts';
import { letTransferGo } from './let-transfer-go.ts';
import type { Transfer } from './transfer.ts';
import { approvedByItself, notAwaitingApproval, transferNotFound } from './transfer-errors.ts';
import { shownTransferState } from './transfer-state.ts';
import { lockTransfer } from './transfer-store.ts';

/** The second pair of eyes: never those that asked. */
export async function approveTransfer(
  deps: TransferDeps,
  merchantId: string,
  id: string,
  { actor, begin }: { readonly actor: Actor; readonly begin: Begin<Transfer> },
): Promise<Transfer> {
  const now = deps.clock.now();
  return begin(async (tx) => {
    const transfer = await lockTransfer(tx, merchantId, id);
    if (!transfer) throw transferNotFound(id);
    if (transfer.state !== 'AWAITING_APPROVAL')
      throw notAwaitingApproval(shownTransferState(transfer.state, transfer.isSigned));
    if (await isOwnOrder(tx, merchantId, keyActor(transfer.apiKey), actor)) throw approvedByItself();
    await insertAudit(tx, { merchantId, at: now, actor, action: 'transfer.approved', detail: { id } });
    return letTransferGo(deps, tx, transfer, now, { approvedBy: actor, approvedAt: now });
  });
}
