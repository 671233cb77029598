import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { withdrawPayout } from '../sending/payout-store.ts';
import { endCanceled } from './end-transfer.ts';
import type { Transfer } from './transfer.ts';
import { cannotCancelTransfer, notToRefuse, transferNotFound } from './transfer-errors.ts';
import { shownTransferState, transferStates } from './transfer-state.ts';
import { lockTransfer } from './transfer-store.ts';

type CancelDeps = { readonly begin: Begin<Transfer>; readonly clock: Clock };

/** Only until it is signed: after that anybody who has it could broadcast it. */
export const cancelTransfer = (deps: CancelDeps, merchantId: string, id: string, actor: Actor): Promise<Transfer> =>
  end(deps, merchantId, id, actor, 'cancel');

/** Only while it waits for approval: what another has just approved stays approved. Decided under the lock. */
export const refuseTransfer = (deps: CancelDeps, merchantId: string, id: string, actor: Actor): Promise<Transfer> =>
  end(deps, merchantId, id, actor, 'refuse');

async function end(
  { begin, clock }: CancelDeps,
  merchantId: string,
  id: string,
  actor: Actor,
  wish: 'cancel' | 'refuse',
): Promise<Transfer> {
  const now = clock.now();
  return begin(async (tx) => {
    const transfer = await lockTransfer(tx, merchantId, id);
    if (!transfer) throw transferNotFound(id);
    const { state, isSigned } = transfer;
    if (wish === 'refuse' && state !== 'AWAITING_APPROVAL') throw notToRefuse(shownTransferState(state, isSigned));
    if (!transferStates.can(state, 'cancel')) throw cannotCancelTransfer(shownTransferState(state, isSigned));
    if (state === 'QUEUED' && !(await withdrawPayout(tx, id, now))) throw cannotCancelTransfer('SENT');
    await insertAudit(tx, { merchantId, at: now, actor, action: 'transfer.canceled', detail: { id } });
    return endCanceled(tx, transfer, actor, now);
  });
}
