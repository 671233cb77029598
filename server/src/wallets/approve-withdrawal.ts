/** The second of the staff lets a withdrawal go, or refuses it. Never who asked for it. */
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import { demandSecondHand } from '../people/staff-approvers.ts';
import { tellHandsOfOrder } from '../people/tell-hands.ts';
import { networkFeeOf } from './quote-transfer.ts';
import { auditDetail, letWithdrawalGo, readWithdrawal, type WithdrawalDeps } from './withdraw-own-money.ts';
import { type WithdrawalState, withdrawalStates } from './withdrawal-state.ts';
import { decideWithdrawal, findWithdrawal, lockWithdrawal, type Withdrawal } from './withdrawal-store.ts';

type By = { readonly actor: Actor; readonly begin: Begin<void> };

export async function approveWithdrawal(deps: WithdrawalDeps, id: string, { actor, begin }: By): Promise<void> {
  const seen = await findWithdrawal(deps.db, id);
  if (!seen) throw notFound('withdrawal', id);
  // Read anew, before the locks: the network may have to be asked. What was asked for does not change meanwhile.
  const asset = present(findAsset(deps.assets, seen.asset), `asset ${seen.asset}`);
  const { read, problems } = await readWithdrawal(deps, {
    ...seen,
    memoType: seen.memoType as 'text' | null,
    amount: formatUnits(seen.units, asset.ledgerScale),
  });
  if (!read) throw invalidRequest(problems);
  const fee = await networkFeeOf(deps, read);
  await begin(async (tx) => {
    const withdrawal = await lockToDecide(tx, id);
    const now = deps.clock.now();
    await demandSecondHand(tx, withdrawal.requestedBy, actor, now);
    await decide(deps, tx, withdrawal, 'approve', actor);
    await letWithdrawalGo(deps, tx, withdrawal, { read, fee });
    await tellHandsOfOrder(tx, { what: 'withdrawal-let-go', orderId: id }, { actor, now });
  });
}

/** Anybody who may approve, and who asked for it too. */
export async function refuseWithdrawal(deps: { readonly clock: Clock }, id: string, { actor, begin }: By) {
  await begin(async (tx) => decide(deps, tx, await lockToDecide(tx, id), 'refuse', actor));
}

async function lockToDecide(tx: Tx, id: string): Promise<Withdrawal> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (!withdrawal) throw notFound('withdrawal', id);
  if (withdrawal.state !== 'AWAITING_APPROVAL') throw decidedBefore(withdrawal.state);
  return withdrawal;
}

async function decide(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  withdrawal: Withdrawal,
  move: 'approve' | 'refuse',
  actor: Actor,
): Promise<void> {
  const at = clock.now();
  const { id, requestedBy } = withdrawal;
  const isMoved = await decideWithdrawal(
    tx,
    id,
    { from: withdrawalStates.from(move), to: withdrawalStates.to(move) },
    { by: actor, at },
  );
  if (!isMoved) throw decidedBefore('decided');
  const action = move === 'approve' ? 'withdrawal.approved' : 'withdrawal.refused';
  const detail = { ...auditDetail(withdrawal), requestedBy };
  await insertAudit(tx, { merchantId: operatorId, at, actor, action, detail });
}

const decidedBefore = (state: WithdrawalState | 'decided'): GatewayError =>
  new GatewayError({
    code: 'withdrawal_decided',
    httpStatus: 409,
    message: `This withdrawal waits for nobody: it is ${state.toLowerCase()} by now.`,
  });
