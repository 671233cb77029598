/** A second person decides about a change of limits, addresses or who approves; or who asked for it takes it back. */
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import { mayStill } from './demand-asker.ts';
import { demandKnownHands } from './demand-known-hands.ts';
import { type PolicyChangeMove, policyChangeStates } from './policy-change-state.ts';
import { findPolicyChange, movePolicyChange, type PolicyChange } from './policy-change-store.ts';
import { applyPolicy, type PolicyAsker, type PolicyDeps, permissionFor } from './request-policy.ts';

const failure = (httpStatus: number, code: string, message: string): GatewayError =>
  new GatewayError({ code, httpStatus, message });

const decidedBefore = () => failure(409, 'policy_decided', 'This change has been decided in the meantime.');
const ownPolicy = () => failure(403, 'policy_own', 'Nobody approves a change of their own: somebody else decides it.');
const askerGone = () =>
  failure(409, 'policy_asker_gone', 'Whoever asked for this change may not ask for it any more. Refuse it.');

/** Made now, as it was asked for; or it cannot be made any more, and goes on waiting. */
export async function approvePolicy(
  deps: PolicyDeps,
  by: PolicyAsker,
  id: string,
): Promise<{ readonly policy: PolicyChange['policy']; readonly token: string | null }> {
  const now = deps.clock.now();
  const { merchantId, personId: approvedBy, ...rest } = by;
  return deps.db.begin(async (tx) => {
    const change = await decide(tx, by, id, 'approve', now);
    const { policy, requestedBy } = change;
    if (!(await mayStill(tx, merchantId, approvedBy, 'approve'))) throw ownPolicy();
    if (!(await mayStill(tx, merchantId, requestedBy, permissionFor(policy)))) throw askerGone();
    const hands = { asker: personActor(requestedBy), approver: personActor(approvedBy), now };
    await demandKnownHands(tx, merchantId, hands);
    const asker = { merchantId, personId: requestedBy, approvedBy, ...rest };
    return { policy, token: await applyPolicy(deps, tx, asker, policy, now) };
  });
}

export async function refusePolicy(deps: Pick<PolicyDeps, 'db' | 'clock'>, by: PolicyAsker, id: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const change = await findPolicyChange(tx, by.merchantId, id);
    await decide(tx, by, id, change?.requestedBy === by.personId ? 'withdraw' : 'refuse', now);
  });
}

async function decide(
  tx: Tx,
  { merchantId, personId }: PolicyAsker,
  id: string,
  move: PolicyChangeMove,
  now: Date,
): Promise<PolicyChange> {
  await lockMerchant(tx, merchantId);
  const change = await findPolicyChange(tx, merchantId, id);
  if (!change) throw notFound('change', id);
  const decision = { by: personId, at: now };
  // The database refuses an approval of one's own: that is told before, in words.
  if (move === 'approve' && change.requestedBy === personId) throw ownPolicy();
  if (!(await movePolicyChange(tx, merchantId, id, policyChangeStates.pairs(move), decision))) throw decidedBefore();
  const actor = personActor(personId);
  await insertAudit(tx, { merchantId, at: now, actor, action: actionOf[move], detail: { id, ...change.policy } });
  return change;
}

const actionOf: Readonly<Record<PolicyChangeMove, string>> = {
  approve: 'policy.approved',
  refuse: 'policy.refused',
  withdraw: 'policy.withdrawn',
};
