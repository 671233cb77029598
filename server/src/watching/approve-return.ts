/** The second of the staff lets what nobody asked for go back, or refuses that. Never who asked for it. */
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { demandSecondHand } from '../people/staff-approvers.ts';
import { demandReturnable, type ReturnableDeps } from './demand-returnable.ts';
import type { HoldFee } from './return-fee.ts';
import { letReturnGo, noteReturn, whyNotFree } from './return-unmatched.ts';
import { unmatchedReturnStates } from './unmatched-return-state.ts';
import { decideReturn, findReturn, type UnmatchedReturn } from './unmatched-return-store.ts';
import { lockUnmatched, type UnmatchedPayment } from './unmatched-store.ts';

type Deps = ReturnableDeps & { readonly clock: Clock };
type By = { readonly actor: Actor; readonly begin: Begin<void> };

/** `holdFee`: of this very order, which does not change while it waits; the network was asked before the locks. */
export async function approveReturn(
  deps: Deps,
  id: string,
  { actor, begin, holdFee }: By & { readonly holdFee: HoldFee },
): Promise<void> {
  await begin(async (tx) => {
    const { order, unmatched } = await lockToDecide(tx, id);
    const at = deps.clock.now();
    await demandSecondHand(tx, order.requestedBy, actor, at);
    const problem = whyNotFree(unmatched) ?? whyTooMuch(order, unmatched);
    if (problem !== null) throw invalidRequest(problem);
    await demandReturnable(deps, tx, unmatched, order); // Hours may have passed since it was asked for.
    await decide(tx, order, 'approve', { actor, at });
    await letReturnGo(tx, unmatched, order, { actor, at, holdFee });
  });
}

/** Anybody who may approve, and who asked for it too. */
export async function refuseReturn({ clock }: Pick<Deps, 'clock'>, id: string, { actor, begin }: By): Promise<void> {
  await begin(async (tx) => {
    const { order } = await lockToDecide(tx, id);
    const by = { actor, at: clock.now() };
    await decide(tx, order, 'refuse', by);
    await noteReturn(tx, order, 'unmatched.return_refused', by);
  });
}

/** All of it was to go back, and the network took a part of it. */
const whyTooMuch = ({ units, feeUnits }: UnmatchedReturn, { id, units: left }: UnmatchedPayment): string | null =>
  units + feeUnits <= left
    ? null
    : `A part of the payment ${id} was taken back meanwhile: refuse this, and ask for the rest.`;

/** Under the lock of its payment, as everything that becomes of it. */
async function lockToDecide(tx: Tx, id: string): Promise<{ order: UnmatchedReturn; unmatched: UnmatchedPayment }> {
  const seen = await findReturn(tx, id);
  const unmatched = seen && (await lockUnmatched(tx, seen.unmatchedId));
  const order = await findReturn(tx, id);
  if (!unmatched || !order) throw notFound('return', id);
  if (order.state !== 'AWAITING_APPROVAL') throw decidedBefore();
  return { order, unmatched };
}

async function decide(
  tx: Tx,
  { id }: UnmatchedReturn,
  move: 'approve' | 'refuse',
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): Promise<void> {
  const way = { from: unmatchedReturnStates.from(move), to: unmatchedReturnStates.to(move) };
  if (!(await decideReturn(tx, id, way, { by: actor, at }))) throw decidedBefore();
}

const decidedBefore = (): GatewayError =>
  new GatewayError({
    code: 'return_decided',
    httpStatus: 409,
    message: 'This waits for nobody any more: somebody has decided it.',
  });
