import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { present } from '../lib/assert.ts';
import { isOwnOrder } from '../merchants/is-own-order.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import { demandAsker } from '../people/demand-asker.ts';
import { demandKnownHands } from '../people/demand-known-hands.ts';
import { demandDailyLimit } from './daily-limit.ts';
import { type LetGoDeps, letTransferGo } from './let-transfer-go.ts';
import type { Transfer } from './transfer.ts';
import { approvedByItself, notAwaitingApproval, transferNotFound } from './transfer-errors.ts';
import { shownTransferState } from './transfer-state.ts';
import { lockTransfer } from './transfer-store.ts';

/** Somebody else approves it, never who asked for it. */
export async function approveTransfer(
  deps: LetGoDeps,
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
    if (await isOwnOrder(tx, merchantId, transfer.requestedBy, actor)) throw approvedByItself();
    await demandAsker(tx, merchantId, transfer.requestedBy, 'moveMoney');
    await demandKnownHands(tx, merchantId, { asker: transfer.requestedBy, approver: actor, now });
    await demandDailyLimit(deps, tx, present(await findMerchant(tx, merchantId), 'the merchant'), transfer);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'transfer.approved', detail: { id } });
    return letTransferGo(deps, tx, transfer, now, { approvedBy: actor, approvedAt: now });
  });
}
