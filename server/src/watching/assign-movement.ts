/**
 * Money left, or came, and nobody could say why: now somebody can. It leaves the operator's suspense and becomes what it
 * was: a fee, interest, a transfer of the operator's own, a payout of ours that the network did not name, or what was
 * taken back of a payment.
 */
import { addToTimelines } from '../checkouts/timeline-store.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Entry } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest, notFound } from '../lib/errors.ts';
import { lockMovement, type Movement, markMovementAssigned, saveOpenUnits } from '../payments/movement-store.ts';
import { indexesOfArrival } from '../payments/reversal-store.ts';
import { lockUnnamedPayout } from '../sending/payout-search-store.ts';
import { markIncluded } from '../sending/transaction-fate-store.ts';
import { takeOpen } from './keep-movements.ts';
import { type ExplainedKind, explainedMovement } from './movement-entries.ts';
import { jobFor } from './owner-jobs.ts';
import { ownerOf, reversalNote } from './reversal-note.ts';

export const movementMeanings = ['FEE', 'INTEREST', 'OWN_MONEY', 'PAYOUT', 'REVERSAL'] as const;

/** `of`: the id of the payout, or what the network calls the payment, with `:index` where that alone is not clear. */
export type MovementMeaning = { readonly as: (typeof movementMeanings)[number]; readonly of: string | null };

type AssignedBy = { readonly actor: Actor; readonly begin: Begin<Movement> };

export async function assignMovement(
  { clock }: { readonly clock: Clock },
  id: string,
  meaning: MovementMeaning,
  { actor, begin }: AssignedBy,
): Promise<Movement> {
  const at = clock.now();
  return begin(async (tx) => {
    const movement = await lockMovement(tx, id);
    if (!movement) throw notFound('movement', id);
    if (movement.openUnits === 0n) throw invalidRequest(`The movement ${id} is explained already.`);
    await markMovementAssigned(tx, id, { as: meaning.as, to: meaning.of, by: actor, at });
    const entries = await explain(tx, movement, meaning, at);
    const posted = await postEntries(tx, entries, at);
    assert(posted.size === entries.length, 'a movement had been explained before');
    return movement;
  });
}

async function explain(tx: Tx, movement: Movement, { as, of }: MovementMeaning, at: Date): Promise<Entry[]> {
  if (as === 'REVERSAL') return explainAsReversal(tx, movement, of ?? '', at);
  if (as === 'PAYOUT') await explainAsPayout(tx, movement, of ?? '');
  await saveOpenUnits(tx, movement.id, 0n);
  const kind: ExplainedKind | null = as === 'PAYOUT' ? null : as;
  return [explainedMovement(movement, movement.openUnits, kind)];
}

/** It happened in the document that tells of the movement: the next look at the network finds that it is done. */
async function explainAsPayout(
  tx: Tx,
  { network, asset, openUnits, block }: Movement,
  payoutId: string,
): Promise<void> {
  const payout = await lockUnnamedPayout(tx, payoutId);
  if (payout?.network !== network || payout.asset !== asset)
    throw invalidRequest(
      `There is no payout ${payoutId} in this asset that ${network} was given and did not speak of.`,
    );
  if (payout.units !== -openUnits)
    throw invalidRequest(`The payout ${payoutId} was of another amount: this movement is not it.`);
  const nothingElse = { feeUnits: 0n, failure: null, kept: null, moves: [], happenedAs: null, traced: {} };
  await markIncluded(tx, network, [{ txHash: payout.txHash, block, ...nothingElse }]);
}

/** As far as the payment goes; what is beyond it stays open. */
async function explainAsReversal(tx: Tx, movement: Movement, name: string, at: Date): Promise<Entry[]> {
  const { network, openUnits } = movement;
  if (openUnits > 0n) throw invalidRequest('What came takes no payment back.');
  const [txHash = '', ...rest] = name.trim().split(':');
  const indexes = rest.length > 0 ? [rest.join(':')] : await indexesOfArrival(tx, network, txHash);
  const [txIndex] = indexes;
  if (txIndex === undefined || indexes.length > 1)
    throw invalidRequest(
      indexes.length > 1
        ? `${txHash} brought several payments: say which, as ${txHash}:${txIndex}.`
        : `No payment on ${network} is called ${name}.`,
    );
  const taken = await takeOpen(tx, { ...movement, txHash, txIndex }, at);
  if (taken.units === 0n) throw invalidRequest(`Of ${name} nothing is left that could have been taken back.`);
  const notes = taken.reversed.map((each) => reversalNote(network, each));
  const isTold = ({ purpose }: { purpose: string }): boolean => purpose === 'checkout';
  await addToTimelines(tx, notes.filter(isTold), at);
  await enqueue(
    tx,
    taken.reversed.flatMap(({ payment }) => jobFor(network, ownerOf(payment), at)),
  );
  return taken.entries;
}
