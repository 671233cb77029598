/**
 * Ether that a contract sends is in no transaction of its own: only the balance of the address shows it. So we compare
 * the balances of recent targets with what is stored for them. This is not part of reading blocks, and each time we
 * compare the same number of targets, however many there are: first those where money is expected now, with a fair
 * share for every merchant; then some of the checkouts of the last days, in turn.
 *
 * If the balance is higher than what is stored, the difference has arrived. What our own transactions took away and
 * brought is stored too (`SentUpdate.moves`), so it makes no difference that we emptied an address. If the operator
 * emptied one by hand, we notice ether that arrives in this way only when it is more than the operator took.
 */
import { hexToBigInt } from 'viem';
import type { Observation, ObserveContext } from '../../port/receiving.ts';
import { cursorBlock, type EvmCursor } from './evm-cursor.ts';
import type { EvmRpc } from './evm-rpc.ts';

const targetsPerBlock = 500;
const urgentPerBlock = 360;

/** Balances are due again when so many blocks have passed since they were compared last. */
export function areBalancesDue({ height, recent, balancesAt }: EvmCursor, everyBlocks: number): boolean {
  const last = recent.findLast(([, hash]) => hash === balancesAt);
  return last === undefined || height - last[0] >= everyBlocks;
}

/** Must be called when everything up to the cursor's block is stored, with all that our own transactions moved. */
export async function compareBalances(
  rpc: EvmRpc,
  context: ObserveContext,
  cursor: EvmCursor,
  assetCode: string,
): Promise<{ cursor: EvmCursor; observations: Observation[] }> {
  const round = cursor.balancesRound;
  const urgent = await context.urgentTargets({ assetCode, round, limit: urgentPerBlock });
  const limit = targetsPerBlock - urgent.length;
  const others = await context.recentTargets({
    assetCode,
    limit,
    afterKey: cursor.balancesAfter,
    checkoutsOnly: true,
  });
  const targets = [...new Map([...urgent, ...others].map((target) => [target.key, target])).values()];
  const balances = await Promise.all(
    // At exactly this block (EIP-1898), so that the same question always gets the same answer.
    targets.map(({ key }) => rpc.call<`0x${string}`>('eth_getBalance', key, { blockHash: cursor.hash })),
  );
  const observations = targets.flatMap(({ key, receivedUnits }, at): Observation[] => {
    const units = hexToBigInt(balances[at] as `0x${string}`) - receivedUnits;
    if (units <= 0n) return [];
    // We cannot know which transaction it was. The block at which we noticed takes its place: if the chain gives up
    // this block, the arrival vanishes with it.
    return [
      {
        targetKey: key,
        txHash: cursor.hash,
        index: key,
        assetCode,
        units,
        block: cursorBlock(cursor),
        trace: { foundBy: 'balance' },
      },
    ];
  });
  const balancesAfter = others.length < limit ? '' : (others.at(-1)?.key ?? '');
  return { cursor: { ...cursor, balancesAt: cursor.hash, balancesAfter, balancesRound: round + 1 }, observations };
}
