/**
 * What named nobody is the operator's own: a top-up, a refund of taxes, a supplier's credit. It leaves suspense and is equity from
 * then on, on any network. Where two of the staff are needed, the adoption waits for the second one: nobody can
 * ask for it any more once it is equity, and equity may leave.
 */
import type { Db, Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { isStorable } from '../http/parse-json.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { demandSecondHand, needsSecondHand } from '../people/staff-approvers.ts';
import { tellHandsOfOrder } from '../people/tell-hands.ts';
import { ownEntry } from './own-money-entries.ts';
import { lockFree, whyNotFree } from './return-unmatched.ts';
import { unmatchedAdoptionStates } from './unmatched-adoption-state.ts';
import { decideAdoption, findAdoption, insertAdoption, type UnmatchedAdoption } from './unmatched-adoption-store.ts';
import { lockUnmatched, markOwn, type UnmatchedPayment } from './unmatched-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };
type By = { readonly actor: Actor; readonly at: Date };

const reasonMax = 200;

export function readReason(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > reasonMax || !isStorable(reason))
    throw invalidRequest(`Say why it is the operator's own, in 1 to ${reasonMax} characters.`);
  return reason;
}

/** `isWaiting`: for a second signature. */
export type AdoptedPayment = UnmatchedPayment & { readonly isWaiting: boolean };

type Asking = { readonly actor: Actor; readonly begin: Begin<AdoptedPayment> };

const byCommand = (db: Db): Asking => ({ actor: 'operator', begin: (work) => db.begin(work) });

export async function adoptUnmatched(
  { db, clock }: Deps,
  id: string,
  text: string,
  { actor, begin }: Asking = byCommand(db),
): Promise<AdoptedPayment> {
  const [reason, at] = [readReason(text), clock.now()];
  return begin(async (tx) => {
    const unmatched = await lockFree(tx, id);
    const isWaiting = await needsSecondHand(tx, at);
    const state = isWaiting ? 'AWAITING_APPROVAL' : 'APPROVED';
    const decidedAt = isWaiting ? null : at;
    const asked = { requestedBy: actor, requestedAt: at, decidedAt };
    const adoption: UnmatchedAdoption = { id: newId(), unmatchedId: id, reason, state, ...asked };
    await insertAdoption(tx, adoption);
    if (isWaiting) {
      await noteAdoption(tx, adoption, 'unmatched.own_requested', { actor, at });
      await tellHandsOfOrder(tx, { what: 'own-asked', orderId: adoption.id }, { actor, now: at });
    } else await makeOwn(tx, unmatched, adoption, { actor, at });
    return { ...unmatched, isWaiting };
  });
}

type Deciding = { readonly actor: Actor; readonly begin: Begin<void> };

/** The second of the staff, never who asked for it. */
export async function approveAdoption(
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  { actor, begin }: Deciding,
): Promise<void> {
  await begin(async (tx) => {
    const { adoption, unmatched } = await lockToDecide(tx, id);
    const at = clock.now();
    await demandSecondHand(tx, adoption.requestedBy, actor, at);
    const problem = whyNotFree(unmatched);
    if (problem !== null) throw invalidRequest(problem);
    await decide(tx, adoption, 'approve', { actor, at });
    await makeOwn(tx, unmatched, adoption, { actor, at });
  });
}

/** Anybody who may approve, and who asked for it too. */
export async function refuseAdoption(
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  { actor, begin }: Deciding,
): Promise<void> {
  await begin(async (tx) => {
    const { adoption } = await lockToDecide(tx, id);
    const by = { actor, at: clock.now() };
    await decide(tx, adoption, 'refuse', by);
    await noteAdoption(tx, adoption, 'unmatched.own_refused', by);
  });
}

/** Under the lock of its payment, as everything that becomes of it. */
async function lockToDecide(tx: Tx, id: string): Promise<{ adoption: UnmatchedAdoption; unmatched: UnmatchedPayment }> {
  const seen = await findAdoption(tx, id);
  const unmatched = seen && (await lockUnmatched(tx, seen.unmatchedId));
  const adoption = await findAdoption(tx, id);
  if (!unmatched || !adoption) throw notFound('adoption', id);
  if (adoption.state !== 'AWAITING_APPROVAL') throw decidedBefore();
  return { adoption, unmatched };
}

async function decide(tx: Tx, { id }: UnmatchedAdoption, move: 'approve' | 'refuse', { actor, at }: By): Promise<void> {
  const way = { from: unmatchedAdoptionStates.from(move), to: unmatchedAdoptionStates.to(move) };
  if (!(await decideAdoption(tx, id, way, { by: actor, at }))) throw decidedBefore();
}

export const decidedBefore = (): GatewayError =>
  new GatewayError({
    code: 'adoption_decided',
    httpStatus: 409,
    message: 'This waits for nobody any more: somebody has decided it.',
  });

async function makeOwn(
  tx: Tx,
  unmatched: UnmatchedPayment,
  adoption: UnmatchedAdoption,
  { actor, at }: By,
): Promise<void> {
  await markOwn(tx, unmatched.id, at);
  const posted = await postEntries(tx, [ownEntry(unmatched)], at);
  assert(posted.size === 1, `the payment ${unmatched.id} was taken as own before`);
  await noteAdoption(tx, adoption, 'unmatched.own', { actor, at }, unmatched.units);
  await tellHandsOfOrder(tx, { what: 'own-taken', orderId: adoption.id }, { actor, now: at });
}

async function noteAdoption(
  tx: Tx,
  { unmatchedId, reason, requestedBy }: UnmatchedAdoption,
  action: string,
  { actor, at }: By,
  units: bigint | null = null,
): Promise<void> {
  const asked = actor === requestedBy ? {} : { requestedBy };
  const detail = { id: unmatchedId, reason, ...(units !== null && { units: units.toString() }), ...asked };
  await insertAudit(tx, { merchantId: operatorId, at, actor, action, detail });
}
