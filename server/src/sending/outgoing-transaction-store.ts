/** All SQL of transactions of our own, and of what they use up. Units are at the asset's ledger scale. */
import type { Query, Row, Tx } from '../db/database.ts';
import { assert, present } from '../lib/assert.ts';
import type { OutgoingTransaction, SignedTransaction } from '../networks/port/sending.ts';
import { signTransfers } from './outgoing-store.ts';
import {
  moveWhenDeep,
  moveWhenImpossible,
  moveWhenRebooked,
  type OutgoingTransactionState,
  outgoingTransactionStates,
} from './outgoing-transaction-state.ts';

export type NewTransaction = Omit<SignedTransaction, 'fee'> & {
  readonly id: string;
  readonly network: string;
  readonly feeAsset: string;
  readonly feeUnits: bigint;
  readonly confirmationsRequired: number;
};

/**
 * Stores what was signed, before it leaves. Fails as a whole when another process has signed for one of the transfers,
 * when a payment that one of them gives back is no longer confirmed, when another version is in a block by now, or when
 * another transaction claims the same: `outgoing_claim` refuses it.
 */
export async function insertTransaction(tx: Tx, signed: NewTransaction, at: Date): Promise<boolean> {
  const { id, network, transferIds } = signed;
  // Locked, so that the watcher ends this version too if it comes to end the others.
  const versions = await tx<{ generation: number; block_hash: string | null }>`
    select generation, block_hash from outgoing_transaction where id = ${id} for update`;
  if (versions.some((version) => version.block_hash !== null)) return false;
  const generation = Math.max(0, ...versions.map((version) => version.generation)) + 1;
  const [opening] = outgoingTransactionStates.first;
  if (!(await signTransfers(tx, transferIds, id))) return false;
  await Promise.all([
    tx`
      insert into outgoing_transaction (id, generation, network, tx_hash, raw, claims, trace, note, fee_asset, fee_units,
                                        confirmations_required, state, signed_at)
      values (${id}, ${generation}, ${network}, ${signed.txHash}, ${signed.raw}, ${signed.claims}, ${JSON.stringify(signed.trace)}::jsonb,
              ${signed.note ?? null}, ${signed.feeAsset}, ${signed.feeUnits.toString()}, ${signed.confirmationsRequired},
              ${opening}, ${at})`,
    // A replacement keeps the claims of what it replaces and may add some: those of its own are no conflict.
    tx`
      insert into outgoing_claim (network, claim, transaction_id)
      select ${network}, claim, ${id} from unnest(${signed.claims}::text[]) as claim
       where not exists (select from outgoing_claim own where own.network = ${network} and own.claim = claim.claim
                            and own.transaction_id = ${id})`,
  ]);
  return true;
}

type OpenRow = Row & {
  id: string;
  generation: number;
  tx_hash: string;
  raw: string;
  trace: Record<string, unknown>;
  claims: string[];
  signed_at: Date;
  broadcast_at: Date | null;
  block_hash: string | null;
  block_height: string | null;
  is_latest: boolean;
  transfer_ids: string[] | null;
  held_fee_units: string | null;
};

export type StoredTransaction = OutgoingTransaction & {
  readonly id: string;
  readonly generation: number;
  readonly broadcastAt: Date | null;
  readonly isIncluded: boolean;
  /** No newer version with a higher fee can still happen. */
  readonly isLatest: boolean;
  readonly transferIds: readonly string[];
  /** What is set aside for the network's fee by all that it carries. Null: one of them, or nobody, has set aside any. */
  readonly heldFee: bigint | null;
};

const toTransaction = (row: OpenRow): StoredTransaction => ({
  id: row.id,
  generation: row.generation,
  txHash: row.tx_hash,
  raw: row.raw,
  trace: row.trace,
  claims: row.claims,
  signedAt: row.signed_at,
  broadcastAt: row.broadcast_at,
  block: row.block_hash === null ? null : { hash: row.block_hash, height: Number(row.block_height) },
  isIncluded: row.block_hash !== null,
  isLatest: row.is_latest,
  transferIds: row.transfer_ids ?? [],
  heldFee: row.held_fee_units === null ? null : BigInt(row.held_fee_units),
});

/**
 * Every generation that can still happen, or has happened and may be undone, oldest first. Until the one that happened
 * is final, another may take its place.
 */
export async function openTransactions(query: Query, network: string): Promise<StoredTransaction[]> {
  const rows = await query<OpenRow>`
    select id, generation, tx_hash, raw, trace, claims, signed_at, broadcast_at, block_hash, block_height,
           generation = max(generation) over (partition by id) as is_latest,
           (select array_agg(transfer.id) from outgoing_transfer transfer
             where transfer.transaction_id = outgoing_transaction.id) as transfer_ids,
           (select case when bool_and(held_fee_units is not null and not was_done) then sum(held_fee_units) end
              from outgoing_transfer transfer
             where transfer.transaction_id = outgoing_transaction.id) as held_fee_units
      from outgoing_transaction
     where network = ${network} and (state in ('OPEN', 'INCLUDED') or (state = 'DONE' and not is_final))
     order by position`;
  return rows.map(toTransaction);
}

export async function markBroadcast(query: Query, transaction: StoredTransaction, at: Date): Promise<void> {
  await query`
    update outgoing_transaction set broadcast_at = ${at}
     where id = ${transaction.id} and generation = ${transaction.generation}`;
}

/** Claims of this prefix by transactions that are open or ended a short while ago. */
export async function claimsOf(query: Query, network: string, prefix: string, since: Date): Promise<string[]> {
  const rows = await query<{ claim: string }>`
    select distinct claim from outgoing_transaction
      join outgoing_claim on outgoing_claim.transaction_id = outgoing_transaction.id
     where outgoing_transaction.network = ${network} and starts_with(claim, ${prefix})
       and (state in ('OPEN', 'INCLUDED') or ended_at >= ${since})`;
  return rows.map(({ claim }) => claim);
}

/** Which of these transactions are our own. */
export async function ownTransactions(query: Query, network: string, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ tx_hash: string }>`
    select tx_hash from outgoing_transaction where network = ${network} and tx_hash = any(${hashes})`;
  return new Set(rows.map((row) => row.tx_hash));
}

/** Blocks that are no longer part of the chain: what they included waits again, and is broadcast until it is back. */
export async function unincludeBlocks(tx: Tx, network: string, vanished: readonly string[]): Promise<void> {
  if (vanished.length === 0) return;
  const { from, to } = outgoingTransactionStates.pairs('loseBlock');
  await tx`
    with waiting as (
      update outgoing_transaction
         set state = move.after, block_hash = null, block_height = null, failure = null
        from unnest(${from}::text[], ${to}::text[]) as move (before, after)
       where network = ${network} and state = move.before and block_hash = any(${vanished})
         -- For the index, whose condition a prepared statement cannot find in its values.
         and (state in ('OPEN', 'INCLUDED') or (state = 'DONE' and not is_final))
      returning tx_hash
    )
    delete from outgoing_move using waiting
     where outgoing_move.network = ${network} and outgoing_move.tx_hash = waiting.tx_hash`;
}

export type Inclusion = {
  readonly txHash: string;
  readonly block: { readonly hash: string; readonly height: number };
  readonly feeUnits: bigint;
  readonly failure: string | null;
  readonly kept: { readonly asset: string; readonly units: bigint } | null;
  readonly moves: readonly { readonly targetKey: string; readonly asset: string; readonly units: bigint }[];
};

export async function markIncluded(tx: Tx, network: string, included: readonly Inclusion[]): Promise<void> {
  if (included.length === 0) return;
  const moves = included.flatMap(({ txHash, moves: own }) => own.map((move) => ({ ...move, txHash })));
  const { from, to } = outgoingTransactionStates.pairs('include');
  await Promise.all([
    tx`
      update outgoing_transaction
         set state = move.after, block_hash = seen.block_hash, block_height = seen.block_height,
             fee_units = seen.fee_units, failure = seen.failure, kept_asset = seen.kept_asset,
             kept_units = seen.kept_units
        from unnest(${included.map((each) => each.txHash)}::text[], ${included.map((each) => each.block.hash)}::text[],
                    ${included.map((each) => each.block.height)}::bigint[],
                    ${included.map((each) => each.feeUnits.toString())}::numeric[],
                    ${included.map((each) => each.failure)}::text[],
                    ${included.map((each) => each.kept?.asset ?? null)}::text[],
                    ${included.map((each) => (each.kept?.units ?? 0n).toString())}::numeric[])
               as seen (tx_hash, block_hash, block_height, fee_units, failure, kept_asset, kept_units),
             unnest(${from}::text[], ${to}::text[]) as move (before, after)
       where network = ${network} and outgoing_transaction.tx_hash = seen.tx_hash and state = move.before
         and not is_final`,
    tx`
      insert into outgoing_move (network, target_key, tx_hash, asset, units)
      select ${network}, target_key, tx_hash, asset, units
        from unnest(${moves.map((each) => each.targetKey)}::text[], ${moves.map((each) => each.txHash)}::text[],
                    ${moves.map((each) => each.asset)}::text[], ${moves.map((each) => each.units.toString())}::numeric[])
               as move (target_key, tx_hash, asset, units)
          on conflict do nothing`,
  ]);
}

export type EndedTransaction = {
  readonly id: string;
  readonly txHash: string;
  readonly feeAsset: string;
  readonly feeUnits: bigint;
  readonly kept: Inclusion['kept'];
  readonly failure: string | null;
  /** How often its cost was booked and taken back. */
  readonly rebookings: number;
};

type EndedRow = Row &
  Record<'id' | 'tx_hash' | 'fee_asset' | 'fee_units' | 'kept_units', string> &
  Record<'kept_asset' | 'failure', string | null> & { rebookings: number };

const toEnded = (row: EndedRow): EndedTransaction => ({
  id: row.id,
  txHash: row.tx_hash,
  feeAsset: row.fee_asset,
  feeUnits: BigInt(row.fee_units),
  kept: row.kept_asset === null ? null : { asset: row.kept_asset, units: BigInt(row.kept_units) },
  failure: row.failure,
  rebookings: row.rebookings,
});

export type BookedVersion = {
  readonly booked: Pick<EndedTransaction, 'txHash' | 'rebookings'>;
  readonly happened: EndedTransaction;
};

/** What the books believe to have happened, for each of these that is in a block now: itself, or another version. */
export async function bookedVersions(
  tx: Tx,
  network: string,
  included: readonly Inclusion[],
): Promise<BookedVersion[]> {
  if (included.length === 0) return [];
  const rows = await tx<EndedRow & { booked_hash: string; booked_rebookings: number }>`
    select happened.id, happened.tx_hash, happened.fee_asset, happened.fee_units, happened.kept_asset,
           happened.kept_units, happened.failure, happened.rebookings,
           booked.tx_hash as booked_hash, booked.rebookings as booked_rebookings
      from outgoing_transaction happened
      join outgoing_transaction booked on booked.id = happened.id and booked.state = 'DONE' and not booked.is_final
     where happened.network = ${network} and happened.tx_hash = any(${included.map(({ txHash }) => txHash)})
       and happened.state in ('INCLUDED', 'DONE')`;
  return rows.map((row) => ({
    booked: { txHash: row.booked_hash, rebookings: row.booked_rebookings },
    happened: toEnded(row),
  }));
}

/**
 * The booked version waits again, and the one that happened instead of it is done; they may be the same. One that had no
 * effect is not done any more, and ends as any other failure. Fails when one of them is not as it was seen any more.
 */
export async function replaceBooked(
  tx: Tx,
  network: string,
  { booked, happened }: BookedVersion,
  at: Date,
): Promise<EndedTransaction> {
  const states = outgoingTransactionStates;
  const rebooking = moveWhenRebooked(happened);
  if (booked.txHash !== happened.txHash) {
    const waiting = await tx`
      update outgoing_transaction
         set state = ${states.to('giveWay')}, block_hash = null, block_height = null, ended_at = null
       where network = ${network} and tx_hash = ${booked.txHash} and state = any(${states.from('giveWay')})
      returning id`;
    present(waiting[0], 'the version that was booked');
  }
  await tx`
    update outgoing_transaction set rebookings = rebookings + 1
     where network = ${network} and tx_hash = ${booked.txHash}`;
  const [row] = await tx<EndedRow>`
    update outgoing_transaction set state = ${states.to(rebooking)}, ended_at = ${at}
     where network = ${network} and tx_hash = ${happened.txHash} and state = any(${states.from(rebooking)})
    returning id, tx_hash, fee_asset, fee_units, kept_asset, kept_units, failure, rebookings`;
  return toEnded(present(row, 'the version that happened'));
}

/** What is now deep enough has happened, or failed. */
async function endDeep(
  tx: Tx,
  network: string,
  tipHeight: number,
  finalHeight: number,
  at: Date,
): Promise<EndedTransaction[]> {
  const rows = await tx<EndedRow & { state: OutgoingTransactionState }>`
    select id, tx_hash, fee_asset, fee_units, kept_asset, kept_units, failure, rebookings, state
      from outgoing_transaction
     where network = ${network} and state = 'INCLUDED'
       and (block_height + confirmations_required - 1 <= ${tipHeight} or block_height <= ${finalHeight})
     order by position for update`;
  if (rows.length === 0) return [];
  const moved = await tx`
    update outgoing_transaction set state = move.after, ended_at = ${at}
      from unnest(${rows.map((row) => row.tx_hash)}::text[], ${rows.map((row) => row.state)}::text[],
                  ${rows.map((row) => outgoingTransactionStates.moved(row.state, moveWhenDeep(row)))}::text[])
             as move (tx_hash, before, after)
     where network = ${network} and outgoing_transaction.tx_hash = move.tx_hash and state = move.before
    returning id`;
  assert(moved.length === rows.length, 'a locked transaction is as it was');
  return rows.map(toEnded);
}

/** What is now deep enough has happened. Once it is final, its other versions never will. */
export async function endIncluded(
  tx: Tx,
  network: string,
  tipHeight: number,
  finalHeight: number,
  at: Date,
): Promise<{ readonly ended: readonly EndedTransaction[]; readonly replacedHashes: readonly string[] }> {
  const ended = await endDeep(tx, network, tipHeight, finalHeight, at);
  // What only a version with another fee would have used is free, once nothing can bring that version back.
  const final = await tx<{ id: string }>`
    with final as (
      update outgoing_transaction set is_final = true
       where network = ${network} and state = 'DONE' and not is_final and block_height <= ${finalHeight}
      returning id, claims
    ), freed as (
      delete from outgoing_claim using final
       where outgoing_claim.transaction_id = final.id and not outgoing_claim.claim = any(final.claims)
    )
    select id from final`;
  // Failures are told when they are final.
  const failed = ended.filter(({ failure }) => failure !== null).map(({ id }) => id);
  const decided = [...final.map(({ id }) => id), ...failed];
  const replaced =
    decided.length === 0
      ? []
      : await tx<{ tx_hash: string }>`
          update outgoing_transaction set state = ${outgoingTransactionStates.to('replace')}, ended_at = ${at}
           where id = any(${decided}) and state = any(${outgoingTransactionStates.from('replace')})
          returning tx_hash`;
  // What had no effect spent no coins: they can be collected by another one. A nonce or a sequence number is used up.
  if (failed.length > 0)
    await tx`
      delete from outgoing_claim using payment
       where outgoing_claim.transaction_id = any(${failed}) and payment.network = ${network}
         and outgoing_claim.claim = payment.tx_hash || ':' || payment.tx_index`;
  return { ended, replacedHashes: replaced.map((row) => row.tx_hash) };
}

/** Of what is in no block, all that would spend something which these transactions would have made. */
export async function spendersOf(query: Query, network: string, hashes: readonly string[]): Promise<string[]> {
  // The booked version last: it is given up only after its rivals.
  const rows = await query<{ tx_hash: string }>`
    select tx_hash from outgoing_transaction
     where network = ${network} and (state in ('OPEN', 'INCLUDED') or (state = 'DONE' and not is_final))
       and block_hash is null
       and exists (select from unnest(claims) as claim where split_part(claim, ':', 1) = any(${hashes}))
     order by state = 'DONE'`;
  return rows.map((row) => row.tx_hash);
}

/**
 * What can no longer happen, although no block says so. While another version still can, with a higher or a lower fee,
 * nothing else ends with it. What was booked and lost its block can end like that too.
 */
export async function endUnincluded(
  tx: Tx,
  network: string,
  ended: { readonly txHash: string; readonly isExpired: boolean; readonly failure: string | null },
  at: Date,
): Promise<{ readonly gone: EndedTransaction; readonly isLastVersion: boolean } | undefined> {
  const move = moveWhenImpossible(ended.isExpired);
  const [row] = await tx<EndedRow>`
    update outgoing_transaction
       set state = ${outgoingTransactionStates.to(move)}, failure = ${ended.failure}, fee_units = 0, ended_at = ${at}
     where network = ${network} and tx_hash = ${ended.txHash} and state = any(${outgoingTransactionStates.from(move)})
       and (state = 'OPEN'
            or (block_hash is null
                and not exists (select from outgoing_transaction rival
                                 where rival.id = outgoing_transaction.id and rival.state in ('OPEN', 'INCLUDED'))))
    returning id, tx_hash, fee_asset, fee_units, kept_asset, kept_units, failure, rebookings`;
  if (!row) return undefined;
  const others = await tx`
    select from outgoing_transaction where id = ${row.id} and state in ('OPEN', 'INCLUDED', 'DONE')`;
  const isLastVersion = others.length === 0;
  if (isLastVersion && ended.isExpired) await tx`delete from outgoing_claim where transaction_id = ${row.id}`;
  return { gone: toEnded(row), isLastVersion };
}

/** Keys among these that are our own change. */
export async function changeKeys(query: Query, network: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ key: string }>`
    select key from deposit_target where network = ${network} and key = any(${keys}) and purpose = 'change'`;
  return new Set(rows.map((row) => row.key));
}

/** The network's holdings were once held against the books, which then know what was there to begin with. */
export async function hasBeenCounted(query: Query, network: string): Promise<boolean> {
  const rows = await query`select from reconciliation where network = ${network} limit 1`;
  return rows.length > 0;
}
