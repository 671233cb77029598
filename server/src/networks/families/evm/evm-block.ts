/** The parts of a node's JSON that we read, and how a block becomes transfers that could be ours. */
import { erc20Abi, hexToBigInt, hexToNumber, toEventSelector } from 'viem';
import { getAbiItem } from 'viem/utils';

export type RpcTransaction = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null; // null: it creates a contract
  readonly value: `0x${string}`;
  readonly nonce?: `0x${string}`; // on a rollup, a deposit from the chain below may have none
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

/** -1, which is no valid nonce, where there is none: so it never equals the nonce of another transaction. */
export const nonceOf = ({ nonce }: Pick<RpcTransaction, 'nonce'>): number =>
  nonce === undefined ? -1 : hexToNumber(nonce);

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

/** A transfer to an address that could be ours: of ether when `contract` is null. */
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
 * The transfers that tokens log. The log of a collectible (EIP-721) has the same first topic, but four topics.
 * Transfers of zero units are ignored: swindlers use them to get their address into other people's history.
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

/** More than there is of any token. Anybody can put such a number into a transaction, and we could not store it. */
const unitsMax = 2n ** 128n;

/** Transfers that waiting transactions ask of tokens. They have happened only when the token logs them. */
export const callCandidates = (transactions: readonly RpcTransaction[]): Candidate[] =>
  transactions.flatMap(({ hash, to, input }) => {
    if (to === null || !input.startsWith(transferSelector) || input.length < 138) return [];
    const units = hexToBigInt(`0x${input.slice(74, 138)}`);
    if (units === 0n || units > unitsMax) return [];
    return [{ txHash: hash, to: `0x${input.slice(34, 74)}`, contract: to, units }];
  });

/**
 * Names each transfer of a transaction by its content, and counts transfers with the same content. A position would be
 * shorter, but a transaction that is mined again after a reorganisation may do something else: at the same position
 * there could then be another amount, and nobody would notice.
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
