/**
 * All SQL of transactions of our own and of what they use up, until a network has decided about them. Units are at the asset's ledger scale. Uses are in the
 * table `outgoing_claim` and the column `claims`, whose names the previous release knows.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import type { OutgoingTransaction, SignedTransaction } from '../networks/port/sending.ts';
import { outgoingTransactionStates } from './outgoing-transaction-state.ts';
import { signPayouts } from './payout-store.ts';

export type NewTransaction = Omit<SignedTransaction, 'fee'> & {
  readonly id: string;
  readonly network: string;
  readonly feeAsset: string;
  readonly feeUnits: bigint;
  readonly confirmationsRequired: number;
  /** It was told as booked, and is not about to leave. */
  readonly hasHappened?: boolean;
};

/**
 * Stores what was signed, before it leaves. Fails as a whole when another process has signed for one of the payouts,
 * when a payment that one of them gives back is no longer confirmed, when another version is in a block by now, or when
 * another transaction uses the same: `outgoing_claim` refuses it.
 */
export async function insertTransaction(tx: Tx, signed: NewTransaction, at: Date): Promise<boolean> {
  const { id, network, payoutIds } = signed;
  // Locked, so that a watcher that ends all versions ends this one too.
  const versions = await tx<{ generation: number; block_hash: string | null }>`
    select generation, block_hash from outgoing_transaction where id = ${id} for update`;
  if (versions.some((version) => version.block_hash !== null)) return false;
  const generation = Math.max(0, ...versions.map((version) => version.generation)) + 1;
  const [opening] = outgoingTransactionStates.first;
  if (!(await signPayouts(tx, payoutIds, id, signed.hasHappened))) return false;
  await Promise.all([
    tx`
      insert into outgoing_transaction (id, generation, network, tx_hash, raw, claims, trace, note, fee_asset, fee_units,
                                        confirmations_required, until, state, signed_at, slots)
      values (${id}, ${generation}, ${network}, ${signed.txHash}, ${signed.raw}, ${signed.uses}, ${JSON.stringify(signed.trace)}::jsonb,
              ${signed.note ?? null}, ${signed.feeAsset}, ${signed.feeUnits.toString()}, ${signed.confirmationsRequired},
              ${signed.until ?? null}, ${opening}, ${at}, ${signed.slots ?? 0})`,
    // A replacement uses what the replaced version uses, and perhaps more: what both use is no conflict.
    tx`
      insert into outgoing_claim (network, claim, transaction_id)
      select ${network}, claim, ${id} from unnest(${signed.uses}::text[]) as claim
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
  payout_ids: string[] | null;
  held_fee_units: string | null;
};

export type StoredTransaction = OutgoingTransaction & {
  readonly id: string;
  readonly generation: number;
  readonly broadcastAt: Date | null;
  readonly isIncluded: boolean;
  /** There is no newer version, with a higher fee, that can still happen. */
  readonly isLatest: boolean;
  readonly payoutIds: readonly string[];
  /** What its payouts have set aside for the network's fee. Null: one of them nothing, or there are none. */
  readonly heldFee: bigint | null;
};

const toTransaction = (row: OpenRow): StoredTransaction => ({
  id: row.id,
  generation: row.generation,
  txHash: row.tx_hash,
  raw: row.raw,
  trace: row.trace,
  uses: row.claims,
  signedAt: row.signed_at,
  broadcastAt: row.broadcast_at,
  block: row.block_hash === null ? null : { hash: row.block_hash, height: Number(row.block_height) },
  isIncluded: row.block_hash !== null,
  isLatest: row.is_latest,
  payoutIds: row.payout_ids ?? [],
  heldFee: row.held_fee_units === null ? null : BigInt(row.held_fee_units),
});

/** Every version that can still happen, or has happened and is not final: another may replace it. Oldest first. */
export async function openTransactions(query: Query, network: string): Promise<StoredTransaction[]> {
  const rows = await query<OpenRow>`
    select id, generation, tx_hash, raw, trace, claims, signed_at, broadcast_at, block_hash, block_height,
           generation = max(generation) over (partition by id) as is_latest,
           (select array_agg(payout.id) from outgoing_transfer payout
             where payout.transaction_id = outgoing_transaction.id) as payout_ids,
           (select case when bool_and(held_fee_units is not null and not was_done) then sum(held_fee_units) end
              from outgoing_transfer payout
             where payout.transaction_id = outgoing_transaction.id) as held_fee_units
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

/** Uses of this prefix by transactions that are open or ended a short while ago. */
export async function usesOf(query: Query, network: string, prefix: string, since: Date): Promise<string[]> {
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

/** Likewise, but only those that happened or still may: what has failed is not among them. */
export async function standingTransactions(
  query: Query,
  network: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await query<{ tx_hash: string }>`
    select tx_hash from outgoing_transaction
     where network = ${network} and tx_hash = any(${hashes}) and state in ('OPEN', 'INCLUDED', 'DONE')`;
  return new Set(rows.map((row) => row.tx_hash));
}

/** Which of these keys are of our own change. */
export async function changeKeys(query: Query, network: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ key: string }>`
    select key from deposit_target where network = ${network} and key = any(${keys}) and purpose = 'change'`;
  return new Set(rows.map((row) => row.key));
}

/** Whether the books were compared with the network's holdings, and so know what was there at the beginning. */
export async function hasBeenCounted(query: Query, network: string): Promise<boolean> {
  const rows = await query`select from reconciliation where network = ${network} limit 1`;
  return rows.length > 0;
}
