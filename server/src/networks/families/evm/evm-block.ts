/** The parts of a node's JSON that we read, and how a block becomes transfers that could be ours. */
import { erc20Abi, hexToBigInt, hexToNumber, toEventSelector } from 'viem';
import { getAbiItem } from 'viem/utils';

export type RpcTransaction = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null; // null: it creates a contract
  readonly value: `0x${string}`;
  readonly nonce: `0x${string}`;
  readonly gas: `0x${string}`;
  readonly input: string;
  readonly blockHash: string | null;
  readonly blockNumber: `0x${string}` | null;
};

export type RpcBlock<Transaction = RpcTransaction> = {
  readonly hash: string;
  readonly number: `0x${string}`;
  readonly parentHash: string;
  readonly timestamp: `0x${string}`;
  readonly transactions: readonly Transaction[];
};

export type RpcLog = {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: `0x${string}`;
  readonly transactionHash: string;
  readonly logIndex: `0x${string}`;
};

export type EvmHeader = {
  readonly hash: string;
  readonly height: number;
  readonly time: number;
  readonly parentHash: string;
};

export const headerOf = (block: Omit<RpcBlock, 'transactions'>): EvmHeader => ({
  hash: block.hash,
  height: hexToNumber(block.number),
  time: hexToNumber(block.timestamp),
  parentHash: block.parentHash,
});

/** keccak256 of `Transfer(address,address,uint256)` (EIP-20). */
export const transferTopic: string = toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }));
const transferSelector = '0xa9059cbb'; // transfer(address,uint256)

/** A movement to an address that could be ours. Of ether when `contract` is null. */
export type Candidate = {
  readonly txHash: string;
  readonly to: string;
  readonly contract: string | null;
  readonly units: bigint;
};

export const etherCandidates = (transactions: readonly RpcTransaction[]): Candidate[] =>
  transactions.flatMap(({ hash, to, value }) =>
    to === null || value === '0x0' ? [] : [{ txHash: hash, to, contract: null, units: hexToBigInt(value) }],
  );

/**
 * What tokens say they moved. A token for collectors (EIP-721) has the same topic, but four of them. Transfers of
 * nothing are how swindlers get their address into other people's history.
 */
export const tokenCandidates = (logs: readonly RpcLog[]): Candidate[] =>
  [...logs]
    .sort((a, b) => hexToNumber(a.logIndex) - hexToNumber(b.logIndex))
    .flatMap(({ topics, data, address, transactionHash }) => {
      const to = topics[2];
      if (topics[0] !== transferTopic || topics.length !== 3 || to === undefined || data.length !== 66) return [];
      const units = hexToBigInt(data);
      return units === 0n
        ? []
        : [{ txHash: transactionHash, to: `0x${to.slice(26)}`, contract: address.toLowerCase(), units }];
    });

/** More than there is of any token. Anybody can ask for it, and the number would fit nowhere. */
const unitsMax = 2n ** 128n;

/** What a waiting transaction asks a token to move: a promise only, until the token's log says that it did. */
export const callCandidates = (transactions: readonly RpcTransaction[]): Candidate[] =>
  transactions.flatMap(({ hash, to, input }) => {
    if (to === null || !input.startsWith(transferSelector) || input.length < 138) return [];
    const units = hexToBigInt(`0x${input.slice(74, 138)}`);
    if (units === 0n || units > unitsMax) return [];
    return [{ txHash: hash, to: `0x${input.slice(34, 74)}`, contract: to, units }];
  });

/**
 * Names each of one transaction's transfers by what it says, and counts those that say the same. Positions would be
 * shorter, but a transaction that is mined again after a reorganisation may do something else: at the same position
 * there could then be another amount, which nobody would notice.
 */
export function nameTransfers<Transfer extends Candidate>(
  transfers: readonly Transfer[],
): { readonly transfer: Transfer; readonly index: string }[] {
  const seen = new Map<string, number>();
  return transfers.map((transfer) => {
    const { txHash, to, contract, units } = transfer;
    const said = `${contract ?? 'ether'}/${to}/${units}`;
    const times = seen.get(`${txHash}/${said}`) ?? 0;
    seen.set(`${txHash}/${said}`, times + 1);
    return { transfer, index: times === 0 ? said : `${said}/${times}` };
  });
}
