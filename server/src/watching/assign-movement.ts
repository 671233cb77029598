/**
 * Money left, or came, and nobody could say why: now somebody can. It leaves the operator's suspense and becomes what it
 * was: a fee, interest, a transfer of the operator's own, a payout of ours that the network did not name, or what was
 * taken back of a payment.
 */
import { addToTimelines } from '../checkouts/timeline-store.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue, type NewJob } from '../jobs/enqueue.ts';
import type { Entry } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest, notFound } from '../lib/errors.ts';
import { isId, newId } from '../lib/ids.ts';
import { lockMovement, type Movement, markMovementAssigned, saveOpenUnits } from '../payments/movement-store.ts';
import { arrivalsFor, indexesOfArrival } from '../payments/reversal-store.ts';
import { insertTransaction } from '../sending/outgoing-transaction-store.ts';
import { lockUnnamedPayout, type UnnamedPayout, undecidedPayouts } from '../sending/payout-search-store.ts';
import { findPayouts } from '../sending/payout-store.ts';
import { advanceJob } from '../sending/record-sent.ts';
import { markIncluded } from '../sending/transaction-fate-store.ts';
import { takeOpen } from './keep-movements.ts';
import { explainedMovement } from './movement-entries.ts';
import { jobFor } from './owner-jobs.ts';
import { ownerOf, reversalNote } from './reversal-note.ts';

export const movementMeanings = ['FEE', 'INTEREST', 'OWN_MONEY', 'PAYOUT', 'REVERSAL'] as const;

/**
 * `of`: the ids of payouts; or the id of the checkout, deposit or payment in suspense, or what the network calls the payment, with
 * `:index` where that alone is not clear.
 */
export type MovementMeaning = { readonly as: (typeof movementMeanings)[number]; readonly of: string | null };

/** `isDeclared`: whoever says so is certain that none of the payouts that it names was paid by it. */
type AssignedBy = { readonly actor: Actor; readonly begin: Begin<Movement>; readonly isDeclared?: boolean };

export async function assignMovement(
  { clock }: { readonly clock: Clock },
  id: string,
  meaning: MovementMeaning,
  { actor, begin, isDeclared = false }: AssignedBy,
): Promise<Movement> {
  const at = clock.now();
  return begin(async (tx) => {
    const movement = await lockMovement(tx, id);
    if (!movement) throw notFound('movement', id);
    if (movement.openUnits === 0n) throw invalidRequest(`The movement ${id} is explained already.`);
    await markMovementAssigned(tx, id, { as: meaning.as, to: meaning.of, by: actor, at });
    const entries = await explain(tx, movement, meaning, { at, isDeclared });
    const posted = await postEntries(tx, entries, at);
    assert(posted.size === entries.length, 'a movement had been explained before');
    await enqueue(tx, await undoubtedRefunds(tx, movement, at));
    return movement;
  });
}

/** While they may have been paid, refunds do not fail, though the payment that they give back is taken back: now they may have to. */
async function undoubtedRefunds(tx: Tx, { about }: Movement, at: Date): Promise<NewJob[]> {
  const named = await findPayouts(tx, about);
  return named
    .filter(({ purpose, state }) => purpose === 'refund' && state === 'QUEUED')
    .map((payout) => advanceJob(payout, at));
}

/**
 * What is said to be something else is no payout any more: whatever it names is made once more, or taken back by who asked for it. All that
 * moved is compared: what somebody has just said to be another payout must not make it too small.
 */
async function demandNotPaid(tx: Tx, { network, asset, about, units }: Movement): Promise<void> {
  if (about.length === 0) return;
  const [first] = await undecidedPayouts(tx, { network, asset, ids: about, unitsMost: -units });
  if (first !== undefined)
    throw invalidRequest(
      `It names the payout ${first}, which would be made once more, or be its merchant's again: say that it is that payout, and what left ` +
        'beyond it is a fee. Who is certain that it is not says so by command (npx quittance movement assign --declare).',
    );
}

type SaidBy = { readonly at: Date; readonly isDeclared: boolean };

async function explain(tx: Tx, movement: Movement, { as, of }: MovementMeaning, said: SaidBy): Promise<Entry[]> {
  if (as === 'REVERSAL') return explainAsReversal(tx, movement, of ?? '', said);
  if (as === 'PAYOUT') return explainAsPayouts(tx, movement, of ?? '', said.at);
  if (!said.isDeclared) await demandNotPaid(tx, movement);
  await saveOpenUnits(tx, movement.id, 0n);
  return [explainedMovement(movement, movement.openUnits, as)];
}

/**
 * They happened in the document that tells of the movement: the next look at the network finds that they are done. What left
 * beyond them stays open: a fee that was booked with them.
 */
async function explainAsPayouts(tx: Tx, movement: Movement, names: string, at: Date): Promise<Entry[]> {
  const { network, asset, openUnits, block } = movement;
  const ids = [...new Set(names.split(/[\s,]+/).filter((name) => name !== ''))].sort();
  if (ids.length === 0) throw invalidRequest('Say which payout it was, by its id.');
  const found = new Map<string, UnnamedPayout>();
  for (const id of ids) {
    const payout = await lockUnnamedPayout(tx, id);
    if (
      payout?.network !== network ||
      payout.asset !== asset ||
      (payout.txHash === null && !movement.about.includes(id))
    )
      throw invalidRequest(`There is no payout ${id} in this asset that ${network} was given and did not speak of.`);
    found.set(payout.txHash ?? id, payout);
  }
  const units = [...found.values()].reduce((sum, payout) => sum + payout.units, 0n);
  if (units > -openUnits)
    throw invalidRequest(
      ids.length === 1
        ? `The payout ${ids[0]} was of more than this: this movement is not it.`
        : 'These payouts were of more than this: the movement is not all of them.',
    );
  // Before one that waits again is marked as sent: until now it was in doubt, and nobody could.
  await saveOpenUnits(tx, movement.id, openUnits + units);
  const nothingElse = { feeUnits: 0n, failure: null, kept: null, moves: [], happenedAs: null, traced: {} };
  for (const [key, { txHash }] of found) {
    const name = txHash ?? (await signAsBooked(tx, movement, key, at));
    await markIncluded(tx, network, [{ txHash: name, block, ...nothingElse }]);
  }
  return [explainedMovement(movement, -units, null)];
}

/** What waits to be sent was sent before: its file was given up, or was made before a database was restored. */
async function signAsBooked(tx: Tx, { id, network, asset }: Movement, payoutId: string, at: Date): Promise<string> {
  const txHash = `booked-as/${id}/${payoutId}`;
  const trace = { payout: payoutId, movement: id };
  const own = { id: newId(), network, txHash, raw: '{}', uses: [], payoutIds: [payoutId], trace };
  const free = { feeAsset: asset, feeUnits: 0n, confirmationsRequired: 1, hasHappened: true };
  assert(await insertTransaction(tx, { ...own, ...free }, at), `the payout ${payoutId} waits no more`);
  return txHash;
}

/** `:index` may follow what the network calls it, which may have colons itself, as what came back has. */
async function arrivalCalled(
  tx: Tx,
  network: string,
  name: string,
): Promise<{ readonly txHash: string; readonly indexes: readonly string[] }> {
  const parts = name.split(':');
  for (let length = parts.length; length > 0; length -= 1) {
    const txHash = parts.slice(0, length).join(':');
    const index = length === parts.length ? null : parts.slice(length).join(':');
    const indexes = await indexesOfArrival(tx, network, txHash, index);
    if (indexes.length > 0) return { txHash, indexes };
  }
  return { txHash: name, indexes: [] };
}

/** As far as the payment goes; what is beyond it stays open. A payout that sent back just what is taken has been given up by then. */
async function explainAsReversal(
  tx: Tx,
  movement: Movement,
  name: string,
  { at, isDeclared }: SaidBy,
): Promise<Entry[]> {
  const { network, openUnits } = movement;
  if (openUnits > 0n) throw invalidRequest('What came takes no payment back.');
  const { txHash, txIndex } = await arrivalNamed(tx, movement, name.trim());
  const taken = await takeOpen(tx, { ...movement, txHash, txIndex }, at);
  if (taken.units === 0n) throw invalidRequest(`Of ${name} nothing is left that could have been taken back.`);
  if (!isDeclared) await demandNotPaid(tx, movement);
  const notes = taken.reversed.map((each) => reversalNote(network, each));
  const isTold = ({ purpose }: { purpose: string }): boolean => purpose === 'checkout';
  await addToTimelines(tx, notes.filter(isTold), at);
  const owners = taken.reversed.flatMap(({ payment }) => jobFor(network, ownerOf(payment), at));
  await enqueue(tx, owners);
  return taken.entries;
}

/** People know a payment by what it was for; of several for one, it is the one of the amount that left. */
async function arrivalNamed(
  tx: Tx,
  { network, openUnits }: Movement,
  name: string,
): Promise<{ readonly txHash: string; readonly txIndex: string }> {
  const owned = isId(name) ? await arrivalsFor(tx, network, name, -openUnits) : [];
  const alike = owned.filter(({ units }) => units === -openUnits);
  const [only, ...others] = owned.length === 1 || alike.length === 0 ? owned : alike;
  if (only && others.length === 0) return only;
  const which = ({ txHash, txIndex }: { txHash: string; txIndex: string }): string => `${txHash}:${txIndex}`;
  if (only)
    throw invalidRequest(`${name} was paid several times: say which, as ${[only, ...others].map(which).join(' or ')}.`);
  const { txHash, indexes } = await arrivalCalled(tx, network, name);
  const [txIndex] = indexes;
  if (txIndex === undefined || indexes.length > 1)
    throw invalidRequest(
      indexes.length > 1
        ? `${txHash} brought several payments: say which, as ${txHash}:${txIndex}.`
        : `No payment on ${network} is called ${name}.`,
    );
  return { txHash, txIndex };
}
