/**
 * Ether sent from inside a contract is in no transaction of its own: only the balance of the address tells. So the
 * balances of the targets given out lately are compared with what is stored for them, outside of the reading of blocks
 * and a fixed number per block, however many there are: first those that money is expected at now, with a fair share for
 * every merchant; the rest of the places go round all checkouts of the last days.
 *
 * Whatever the balance has more than is stored did arrive. What our own transactions took away and brought is stored
 * too (`SentUpdate.moves`), so an address that we emptied is as good as new. At one that the operator emptied by hand,
 * what arrives this way goes unnoticed until it exceeds what had been taken.
 */
import { hexToBigInt } from 'viem';
import type { Observation, ObserveContext } from '../../port/receiving.ts';
import { cursorBlock, type EvmCursor } from './evm-cursor.ts';
import type { EvmRpc } from './evm-rpc.ts';

const targetsPerBlock = 500;
const urgentPerBlock = 360;

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
    ...{ assetCode, limit, afterKey: cursor.balancesAfter, checkoutsOnly: true },
  });
  const targets = [...new Map([...urgent, ...others].map((target) => [target.key, target])).values()];
  const balances = await Promise.all(
    // At exactly this block (EIP-1898), so that asking again gives the same answer.
    targets.map(({ key }) => rpc.call<`0x${string}`>('eth_getBalance', key, { blockHash: cursor.hash })),
  );
  const observations = targets.flatMap(({ key, receivedUnits }, at): Observation[] => {
    const units = hexToBigInt(balances[at] as `0x${string}`) - receivedUnits;
    if (units <= 0n) return [];
    // Nobody says which transaction it was. The block in which we noticed stands for it: given up, it takes this along.
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
