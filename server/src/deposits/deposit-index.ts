/**
 * Derivation indexes for deposit addresses: each is given out only once, ever. A process takes a block of fifty from a
 * sequence and gives them out from memory; those that it has not used when it ends are lost, which costs nothing.
 */
import type { Db } from '../db/database.ts';

const blockSize = 50;

export type NextDepositIndex = () => Promise<number>;

export function createDepositIndexes(db: Db): NextDepositIndex {
  let next = 0;
  let end = 0;
  let refill: Promise<void> | undefined;

  async function takeBlock(): Promise<void> {
    const [row] = await db<{ block: string }>`select nextval('deposit_index_block') as block`;
    next = (Number(row?.block) - 1) * blockSize;
    end = next + blockSize;
  }

  return async () => {
    while (next >= end) {
      refill ??= takeBlock().finally(() => {
        refill = undefined;
      });
      await refill;
    }
    return next++;
  };
}

/** After a restore from a backup, the indexes given out since then are unknown: skip more than could have been used. */
export async function skipDepositIndexes(db: Db, count: number): Promise<void> {
  const blocks = Math.ceil(count / blockSize);
  await db`select setval('deposit_index_block', nextval('deposit_index_block') + ${blocks})`;
}
