/**
 * What named nobody and is too small to be read one by one is the operator's own: all that waits of an asset on a network, together,
 * with one reason. By two where two move money, as a single payment is (`adopt-unmatched`). While the second signature is waited
 * for each can still find its owner, or be taken back by the bank: then less is taken than was asked for, and never more.
 */
import type { Db, Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { demandSecondHand, needsSecondHand } from '../people/staff-approvers.ts';
import { tellHandsOfOrder } from '../people/tell-hands.ts';
import { decidedBefore, readReason } from './adopt-unmatched.ts';
import { crumbAdoptionStates } from './crumb-adoption-state.ts';
import {
  type CountedUnits,
  type CrumbAdoption,
  type CrumbsUpTo,
  decideCrumbAdoption,
  type FreeCrumbs,
  freeCrumbs,
  insertCrumbAdoption,
  lockCrumbAdoption,
  lockCrumbs,
  lockMarked,
  markCrumbs,
  takeMarked,
  waitingCrumbAdoptions,
} from './crumb-adoption-store.ts';
import { ownCrumbsEntry } from './own-money-entries.ts';

type Deps = { readonly db: Db; readonly clock: Clock };
type By = { readonly actor: Actor; readonly at: Date };

/** `signed`: what whoever asks was told that there is of them; null: that was not asked. */
export type CrumbsWish = CrumbsUpTo & { readonly reason: string; readonly signed: CountedUnits | null };

export type AdoptedCrumbs = CrumbAdoption & { readonly isWaiting: boolean };

type Asking = { readonly actor: Actor; readonly begin: Begin<AdoptedCrumbs> };

const byCommand = (db: Db): Asking => ({ actor: 'operator', begin: (work) => db.begin(work) });

export async function adoptCrumbs(
  { db, clock }: Deps,
  wish: CrumbsWish,
  { actor, begin }: Asking = byCommand(db),
): Promise<AdoptedCrumbs> {
  const [reason, at] = [readReason(wish.reason), clock.now()];
  const { network, asset, signed } = wish;
  return begin(async (tx) => {
    const { ids, count, units } = await lockFreeCrumbs(tx, wish);
    const waiting = await waitingCrumbAdoptions(tx);
    if (waiting.some((each) => each.network === network && each.asset === asset)) throw waitsAlready();
    if (count === 0) throw invalidRequest(`No small payments wait on ${network}.`);
    if (signed !== null && (signed.count !== count || signed.units !== units)) throw haveChanged();
    const isWaiting = await needsSecondHand(tx, at);
    const adoption: CrumbAdoption = {
      id: newId(),
      network,
      asset,
      count,
      units,
      taken: isWaiting ? null : { count, units },
      reason,
      state: isWaiting ? 'AWAITING_APPROVAL' : 'APPROVED',
      requestedBy: actor,
      requestedAt: at,
      decidedAt: isWaiting ? null : at,
    };
    await insertCrumbAdoption(tx, adoption);
    await markCrumbs(tx, adoption.id, ids);
    if (isWaiting) {
      await noteCrumbs(tx, adoption, 'unmatched.small_own_requested', { actor, at });
      await tellHandsOfOrder(tx, { what: 'small-own-asked', orderId: adoption.id }, { actor, now: at });
    } else {
      const taken = await takeMarked(tx, adoption.id, at);
      assert(taken.units === units, `all that is free of ${adoption.id} is taken`);
      await bookTaken(tx, adoption, taken, { actor, at });
    }
    return { ...adoption, isWaiting };
  });
}

/** Locked. Under the locks nothing becomes of them. */
async function lockFreeCrumbs(tx: Tx, wish: CrumbsUpTo): Promise<FreeCrumbs> {
  const { ids } = await freeCrumbs(tx, wish);
  await lockCrumbs(tx, ids);
  return freeCrumbs(tx, wish, ids);
}

type Deciding = { readonly actor: Actor; readonly begin: Begin<void> };

/** The second of the staff, never who asked for it. */
export async function approveCrumbs(
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  { actor, begin }: Deciding,
): Promise<void> {
  await begin(async (tx) => {
    const adoption = await lockToDecide(tx, id);
    const at = clock.now();
    await lockMarked(tx, id);
    await demandSecondHand(tx, adoption.requestedBy, actor, at);
    const taken = await takeMarked(tx, id, at);
    if (taken.count === 0) throw invalidRequest('Nothing of it waits any more: refuse this.');
    assert(taken.units <= adoption.units, `more is taken of ${id} than was asked for`);
    await decide(tx, adoption, 'approve', { actor, at, taken });
    await bookTaken(tx, adoption, taken, { actor, at });
  });
}

/** Anybody who may approve, and who asked for it too. */
export async function refuseCrumbs(
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  { actor, begin }: Deciding,
): Promise<void> {
  await begin(async (tx) => {
    const adoption = await lockToDecide(tx, id);
    const by = { actor, at: clock.now() };
    await decide(tx, adoption, 'refuse', { ...by, taken: null });
    await noteCrumbs(tx, adoption, 'unmatched.small_own_refused', by);
  });
}

async function lockToDecide(tx: Tx, id: string): Promise<CrumbAdoption> {
  const adoption = await lockCrumbAdoption(tx, id);
  if (!adoption) throw notFound('adoption', id);
  if (adoption.state !== 'AWAITING_APPROVAL') throw decidedBefore();
  return adoption;
}

async function decide(
  tx: Tx,
  { id }: CrumbAdoption,
  move: 'approve' | 'refuse',
  { actor, at, taken }: By & { readonly taken: CountedUnits | null },
): Promise<void> {
  const way = { from: crumbAdoptionStates.from(move), to: crumbAdoptionStates.to(move) };
  if (!(await decideCrumbAdoption(tx, id, way, { by: actor, at, taken }))) throw decidedBefore();
}

async function bookTaken(tx: Tx, adoption: CrumbAdoption, taken: CountedUnits, by: By): Promise<void> {
  const posted = await postEntries(tx, [ownCrumbsEntry(adoption, taken.units)], by.at);
  assert(posted.size === 1, `the small payments of ${adoption.id} were taken before`);
  await noteCrumbs(tx, { ...adoption, ...taken }, 'unmatched.small_own', by);
  await tellHandsOfOrder(tx, { what: 'small-own-taken', orderId: adoption.id }, { actor: by.actor, now: by.at });
}

async function noteCrumbs(
  tx: Tx,
  { id, network, asset, count, units, reason, requestedBy }: CrumbAdoption,
  action: string,
  { actor, at }: By,
): Promise<void> {
  const asked = actor === requestedBy ? {} : { requestedBy };
  const detail = { id, network, asset, count, units: units.toString(), reason, ...asked };
  await insertAudit(tx, { merchantId: operatorId, at, actor, action, detail });
}

const waitsAlready = (): GatewayError =>
  invalidRequest("To take small payments there as the operator's own waits for a second signature: refuse that first.");

const haveChanged = (): GatewayError =>
  new GatewayError({
    code: 'small_payments_changed',
    httpStatus: 409,
    message: 'Something has become of one of them since you looked: look again.',
  });
