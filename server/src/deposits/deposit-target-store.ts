/** All SQL of deposit targets. */
import type { Query, Tx } from '../db/database.ts';
import type { DepositTarget } from '../networks/port.ts';

export type NewDepositTarget = DepositTarget & {
  readonly id: string;
  readonly network: string;
  readonly merchantId: string;
  readonly checkoutId: string;
  readonly index: number;
};

/** A network that gives every checkout the same key (a memo) has its target already: then nothing is inserted. */
export async function insertDepositTarget(tx: Tx, target: NewDepositTarget, at: Date): Promise<void> {
  await tx`
    insert into deposit_target (network, key, id, merchant_id, checkout_id, index, address, memo, memo_type, created_at)
    values (${target.network}, ${target.key}, ${target.id}, ${target.merchantId}, ${target.checkoutId}, ${target.index},
            ${target.address}, ${target.memo}, ${target.memoType}, ${at})
        on conflict (network, key) do nothing`;
}

/** Which of these keys are ours: one index look-up for a whole block, however many targets there are. */
export async function knownTargetKeys(
  query: Query,
  network: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await query<{ key: string }>`
    select key from deposit_target where network = ${network} and key = any(${keys})`;
  return new Set(rows.map((row) => row.key));
}
