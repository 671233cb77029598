/**
 * Ethereum and everything built like it. Addresses are derived here; blocks are read whole, and whose a transfer is
 * costs one look-up per block however many targets there are. The node needs neither an archive nor traces.
 *
 * A token's own log is what counts as received: a token that keeps a fee logs what it passed on (USDT, whose fee is
 * zero today, does), and which tokens are believed is the operator's choice. Any other token is reported as a stray.
 */
import { hexToNumber } from 'viem';
import {
  type Connector,
  type NetworkDefinition,
  NetworkError,
  type Observation,
  type ObserveContext,
  type Observed,
  type StrayTransfer,
  type VanishedTransfer,
} from '../port.ts';
import { compareBalances } from './compare-balances.ts';
import { createEvmAddressDeriver } from './evm-address.ts';
import {
  type Candidate,
  type EvmHeader,
  etherCandidates,
  headerOf,
  nameTransfers,
  type RpcBlock,
  type RpcLog,
  tokenCandidates,
  transferTopic,
} from './evm-block.ts';
import { advanceEvmCursor, cursorBlock, readEvmCursor } from './evm-cursor.ts';
import { replacedBy, toUnconfirmed, traceOf } from './evm-fate.ts';
import { createEvmRpc, EvmRefusal } from './evm-rpc.ts';
import { evmCursorAtTip, headerAt, nextEvmBlocks, stepBackEvm } from './follow-evm-chain.ts';
import { readPending } from './read-pending.ts';

export type EvmToken = { readonly assetCode: string; readonly contract: string; readonly decimals: number };

export type EvmOptions = {
  readonly rpcUrl: string;
  readonly xpub: string;
  readonly chainId: number;
  readonly tokens: readonly EvmToken[];
  readonly timeoutMs?: number;
};

/** Enough to catch up quickly, few enough that what was read is stored every few seconds. */
const blocksPerRound = 16;
/** Finality takes two epochs of 32 blocks. A node that calls a younger block final is a development node. */
const epochBlocks = 32;

type Receipt = { readonly status: string; readonly blockHash: string };

export function createEvmConnector(definition: NetworkDefinition, options: EvmOptions): Connector {
  const rpc = createEvmRpc(options.rpcUrl, options.timeoutMs ?? 30_000);
  const addressAt = createEvmAddressDeriver(options.xpub);
  const assetByContract = new Map(options.tokens.map(({ contract, assetCode }) => [contract.toLowerCase(), assetCode]));
  const ether = definition.assets[0]?.assetCode ?? definition.id;
  const assetOf = (contract: string | null) => (contract === null ? ether : assetByContract.get(contract));
  let isNodeChecked = false;
  let finality: { tip: string; height: number | undefined } | undefined;

  async function nodeTip(): Promise<EvmHeader> {
    const [tip, syncing] = await Promise.all([headerAt(rpc, 'latest'), rpc.call<unknown>('eth_syncing')]);
    if (!isNodeChecked) {
      await assertRightChain();
      isNodeChecked = true;
    }
    if (syncing !== false || !tip) {
      throw new NetworkError(`The ${definition.name} node is still synchronising.`, { isRetryable: true });
    }
    return tip;
  }

  async function assertRightChain(): Promise<void> {
    const chainId = hexToNumber(await rpc.call<`0x${string}`>('eth_chainId'));
    if (chainId !== options.chainId) {
      throw new NetworkError(
        `The ${definition.name} node is on the chain ${chainId}, but ${options.chainId} is configured.`,
        { isRetryable: false },
      );
    }
    for (const { assetCode, contract, decimals } of options.tokens) {
      const call = { to: contract, data: '0x313ce567' }; // decimals()
      const answer = await rpc.call<`0x${string}`>('eth_call', call, 'latest');
      if (answer !== '0x' && hexToNumber(answer) === decimals) continue;
      throw new NetworkError(
        `${contract} is not a token with ${decimals} decimals, as is configured for ${assetCode}.`,
        {
          isRetryable: false,
        },
      );
    }
  }

  /** As the chain itself says, once per block. Undefined where the node knows no such thing. */
  async function finalHeight(tip: EvmHeader): Promise<number | undefined> {
    if (finality?.tip === tip.hash) return finality.height;
    const finalized = await headerAt(rpc, 'finalized').catch((error: unknown) => {
      if (error instanceof EvmRefusal) return null;
      throw error;
    });
    finality = { tip: tip.hash, height: finalized ? Math.min(finalized.height, tip.height - epochBlocks) : undefined };
    return finality.height;
  }

  function toObservation({ txHash, to, units }: Candidate, assetCode: string, index: string) {
    return { targetKey: to, txHash, index, assetCode, units };
  }

  /** Transfers to us in one block. Null when the chain changed while we read. */
  async function readBlock(
    block: RpcBlock,
    logs: readonly RpcLog[],
    context: ObserveContext,
  ): Promise<{ observations: Observation[]; strays: StrayTransfer[] } | null> {
    const candidates = [...etherCandidates(block.transactions), ...tokenCandidates(logs)];
    if (candidates.length === 0) return { observations: [], strays: [] };
    const known = await context.knownTargets([...new Set(candidates.map(({ to }) => to))]);
    const ours = candidates.filter(({ to }) => known.has(to));

    // A failed transaction is in its block too, with the value that it did not move.
    const hashes = [...new Set(ours.filter(({ contract }) => contract === null).map(({ txHash }) => txHash))];
    const receipts = await Promise.all(
      hashes.map((hash) => rpc.call<Receipt | null>('eth_getTransactionReceipt', hash)),
    );
    if (receipts.some((receipt) => receipt?.blockHash !== block.hash)) return null;
    const failed = new Set(hashes.filter((_, at) => receipts[at]?.status !== '0x1'));

    const { hash, height, time } = headerOf(block);
    const ref = { hash, height, time: new Date(time * 1000) };
    const byHash = new Map(block.transactions.map((transaction) => [transaction.hash, transaction]));
    const observations: Observation[] = [];
    const strays: StrayTransfer[] = [];
    for (const { transfer, index } of nameTransfers(ours)) {
      const { txHash, contract, to, units } = transfer;
      const assetCode = assetOf(contract);
      const transaction = byHash.get(txHash);
      if (contract !== null && assetCode === undefined) {
        strays.push({ targetKey: to, txHash, index, what: contract, units, block: ref });
      } else if (assetCode !== undefined && transaction && !(contract === null && failed.has(txHash))) {
        observations.push({ ...toObservation(transfer, assetCode, index), block: ref, trace: traceOf(transaction) });
      }
    }
    return { observations, strays };
  }

  return {
    network: definition,

    async createTarget({ index }) {
      const { key, address } = addressAt(index);
      return { key, address, memo: null, memoType: null };
    },

    async observe(stored, context): Promise<Observed> {
      const tip = await nodeTip();
      const depth = definition.finalityDepth;
      const start = stored ? readEvmCursor(stored) : await evmCursorAtTip(rpc, tip, depth);
      const { cursor: common, vanishedBlocks } = await stepBackEvm(rpc, start, tip);
      const unconfirmed = toUnconfirmed(await context.unconfirmed());
      const observations: Observation[] = [];
      const strays: StrayTransfer[] = [];
      const vanished = new Map<string, VanishedTransfer>();
      const vanish = (transfers: readonly VanishedTransfer[]) => {
        for (const transfer of transfers) vanished.set(transfer.txHash, transfer);
      };
      // What a balance told is known by its block, and gone with it.
      vanish(vanishedBlocks.map((txHash) => ({ txHash, replacedBy: null })));

      let cursor = common;
      let isCaughtUp = false;
      const blocks = await nextEvmBlocks(rpc, common, tip, blocksPerRound);
      // By hash (EIP-234), so that logs are never those of another block at the same height.
      const logs = await Promise.all(
        blocks.map(({ hash }) => rpc.call<RpcLog[]>('eth_getLogs', { blockHash: hash, topics: [transferTopic] })),
      );
      for (const [at, block] of blocks.entries()) {
        const found = await readBlock(block, logs[at] ?? [], context);
        if (!found) break;
        observations.push(...found.observations);
        strays.push(...found.strays);
        // What a mined transaction does is observed above, and alive by that; whatever else it promised is not.
        const mined = new Set(block.transactions.map(({ hash }) => hash));
        vanish(
          unconfirmed.filter(({ txHash }) => mined.has(txHash)).map(({ txHash }) => ({ txHash, replacedBy: null })),
        );
        vanish(replacedBy(unconfirmed, block.transactions));
        cursor = advanceEvmCursor(cursor, headerOf(block), depth);
      }

      // The rest waits until the blocks are stored: it is about what is known at the tip.
      if (blocks.length === 0 && cursor.hash === tip.hash) {
        const pending = await readPending(rpc, context, { unconfirmed, cursor });
        const known = new Set(unconfirmed.map(({ txHash }) => txHash));
        for (const { transfer, index } of nameTransfers(pending.ours)) {
          const assetCode = assetOf(transfer.contract);
          if (assetCode === undefined || known.has(transfer.txHash)) continue;
          const trace = traceOf(transfer.transaction);
          observations.push({ ...toObservation(transfer, assetCode, index), block: null, trace });
        }
        vanish(pending.vanished);
        isCaughtUp = pending.isSettled;
        if (cursor.balancesAt !== cursor.hash) {
          const compared = await compareBalances(rpc, context, cursor, ether);
          cursor = compared.cursor;
          observations.push(...compared.observations);
        }
      }

      const final = await finalHeight(tip);
      return {
        observations,
        vanishedBlocks,
        vanishedTransfers: [...vanished.values()],
        strays,
        tip: cursorBlock(cursor),
        cursor,
        ...(final !== undefined && { finalHeight: final }),
        isCaughtUp,
        blocksBehind: Math.max(0, tip.height - cursor.height),
      };
    },
  };
}
