/**
 * All SQL of what became of transactions of our own: included in a block or never, deep enough, replaced by another
 * version. Uses are in the table `outgoing_claim`, whose name the previous release knows.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import { assert, present } from '../lib/assert.ts';
import {
  moveWhenDeep,
  moveWhenImpossible,
  moveWhenRebooked,
  type OutgoingTransactionState,
  outgoingTransactionStates,
} from './outgoing-transaction-state.ts';

/** Blocks no longer part of the chain: their transactions wait again, and are broadcast until they are back. */
export async function unincludeBlocks(tx: Tx, network: string, vanished: readonly string[]): Promise<void> {
  if (vanished.length === 0) return;
  const { from, to } = outgoingTransactionStates.pairs('loseBlock');
  await tx`
    with waiting as (
      update outgoing_transaction
         set state = move.after, block_hash = null, block_height = null, failure = null
        from unnest(${from}::text[], ${to}::text[]) as move (before, after)
       where network = ${network} and state = move.before and block_hash = any(${vanished})
         -- The condition of the index, written out: the planner does not see it in the parameters of a statement.
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
  readonly happenedAs: string | null; // its hash in the block, where that is another one; kept in the trace
  readonly traced: { readonly [key: string]: unknown }; // what else the connector wants to find there
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
             kept_units = seen.kept_units, trace = trace - 'happenedAs' || seen.traced::jsonb
        from unnest(${included.map((each) => each.txHash)}::text[], ${included.map((each) => each.block.hash)}::text[],
                    ${included.map((each) => each.block.height)}::bigint[],
                    ${included.map((each) => each.feeUnits.toString())}::numeric[],
                    ${included.map((each) => each.failure)}::text[],
                    ${included.map((each) => each.kept?.asset ?? null)}::text[],
                    ${included.map((each) => (each.kept?.units ?? 0n).toString())}::numeric[],
                    ${included.map(({ happenedAs, traced }) => JSON.stringify(happenedAs === null ? traced : { ...traced, happenedAs }))}::text[])
               as seen (tx_hash, block_hash, block_height, fee_units, failure, kept_asset, kept_units, traced),
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
  readonly happenedAs: string; // the hash by which others find it
  readonly feeAsset: string;
  readonly feeUnits: bigint;
  readonly kept: Inclusion['kept'];
  readonly failure: string | null;
  /** How often its cost has been booked and taken back. */
  readonly rebookings: number;
};

type EndedRow = Row &
  Record<'id' | 'tx_hash' | 'fee_asset' | 'fee_units' | 'kept_units', string> &
  Record<'kept_asset' | 'failure', string | null> & { rebookings: number; happened_as?: string | null };

const toEnded = (row: EndedRow): EndedTransaction => ({
  id: row.id,
  txHash: row.tx_hash,
  happenedAs: row.happened_as ?? row.tx_hash,
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

/** For each of these that is in a block now, the version that the books believe to have happened: it or another. */
export async function bookedVersions(
  tx: Tx,
  network: string,
  included: readonly Inclusion[],
): Promise<BookedVersion[]> {
  if (included.length === 0) return [];
  const rows = await tx<EndedRow & { booked_hash: string; booked_rebookings: number }>`
    select happened.id, happened.tx_hash, happened.fee_asset, happened.fee_units, happened.kept_asset,
           happened.kept_units, happened.failure, happened.rebookings, happened.trace->>'happenedAs' as happened_as,
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
 * The booked version waits again, and the one that happened instead is done; both may be the same. Without effect it is
 * not done any more, and ends like any other failure. Fails when one of them has changed since it was read.
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
    returning id, tx_hash, fee_asset, fee_units, kept_asset, kept_units, failure, rebookings,
              trace->>'happenedAs' as happened_as`;
  return toEnded(present(row, 'the version that happened'));
}

/** The newest block, the newest that the network calls safe, and the newest that it calls final. */
export type Heights = { readonly tip: number; readonly safe: number; readonly final: number };

/** What is deep enough now has happened, or has failed: a failure is never waited for until it is safe. */
async function endDeep(tx: Tx, network: string, heights: Heights, at: Date): Promise<EndedTransaction[]> {
  const rows = await tx<EndedRow & { state: OutgoingTransactionState }>`
    select id, tx_hash, fee_asset, fee_units, kept_asset, kept_units, failure, rebookings, state,
           trace->>'happenedAs' as happened_as
      from outgoing_transaction
     where network = ${network} and state = 'INCLUDED'
       and ((block_height + confirmations_required - 1 <= ${heights.tip}
             and (until is null or failure is not null or block_height <= ${heights.safe}))
            or block_height <= ${heights.final})
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

/** What is deep enough now has happened. Once that is final, its other versions can never happen. */
export async function endIncluded(
  tx: Tx,
  network: string,
  heights: Heights,
  at: Date,
): Promise<{ readonly ended: readonly EndedTransaction[]; readonly replacedHashes: readonly string[] }> {
  const ended = await endDeep(tx, network, heights, at);
  // Coins that only another version would have spent are free, once nothing can bring that version back.
  const final = await tx<{ id: string }>`
    with final as (
      update outgoing_transaction set is_final = true
       where network = ${network} and state = 'DONE' and not is_final and block_height <= ${heights.final}
      returning id, claims
    ), freed as (
      delete from outgoing_claim using final
       where outgoing_claim.transaction_id = final.id and not outgoing_claim.claim = any(final.claims)
    )
    select id from final`;
  // A failure is told only when it is final.
  const failed = ended.filter(({ failure }) => failure !== null).map(({ id }) => id);
  const decided = [...final.map(({ id }) => id), ...failed];
  const replaced =
    decided.length === 0
      ? []
      : await tx<{ tx_hash: string }>`
          update outgoing_transaction set state = ${outgoingTransactionStates.to('replace')}, ended_at = ${at}
           where id = any(${decided}) and state = any(${outgoingTransactionStates.from('replace')})
          returning tx_hash`;
  // A transaction without effect has spent no coins: another may collect them. A nonce or sequence number is used up.
  if (failed.length > 0)
    await tx`
      delete from outgoing_claim using payment
       where outgoing_claim.transaction_id = any(${failed}) and payment.network = ${network}
         and outgoing_claim.claim = payment.tx_hash || ':' || payment.tx_index`;
  return { ended, replacedHashes: replaced.map((row) => row.tx_hash) };
}

/** All transactions in no block that would spend what these ones would have made. */
export async function spendersOf(query: Query, network: string, hashes: readonly string[]): Promise<string[]> {
  // The booked version comes last: it is given up only after its rivals.
  const rows = await query<{ tx_hash: string }>`
    select tx_hash from outgoing_transaction
     where network = ${network} and (state in ('OPEN', 'INCLUDED') or (state = 'DONE' and not is_final))
       and block_hash is null
       and exists (select from unnest(claims) as claim where split_part(claim, ':', 1) = any(${hashes}))
     order by state = 'DONE'`;
  return rows.map((row) => row.tx_hash);
}

/**
 * A transaction that can no longer happen, although no block says so. As long as another version of it can still
 * happen, only this version ends. One that was booked and lost its block can end like that too.
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
