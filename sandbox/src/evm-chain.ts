/**
 * The sandbox's Ethereum, and chains like it: a real EVM in this process behind a node's own protocol, whose owner can
 * mine, pay, replace and reorganise at will. It has two dollar tokens; one of them returns nothing from its calls, like
 * USDT.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { encodeDeployData, getContractAddress, type Hex, keccak256, toHex } from 'viem';
import { type CompiledContract, readCompiledContracts } from './compile-contracts.ts';
import { serveEvmChain } from './evm-chain-rpc.ts';
import { createEvmChainState, type EvmChainEvent } from './evm-chain-state.ts';
import {
  callOfPayment,
  type EvmPayment,
  type FaucetCall,
  faucet,
  faucetUnits,
  signFaucetCall,
  signReplacement,
  tokenContracts,
  tokenDecimals,
} from './evm-faucet.ts';
import { createEvmNode, type EvmChainKind, type EvmNode, firstChainId } from './evm-node.ts';
import { type Journal, noJournal, openJournal } from './journal.ts';

export type EvmChainOptions = {
  /** The name of its file in the folder. */
  readonly name?: string;
  /** Left out: like Ethereum. */
  readonly kind?: EvmChainKind;
  readonly chainId?: number;
  readonly user: string;
  readonly password: string;
  /** Where the chain is kept between starts. Left out: it is gone with the process. */
  readonly folder?: string;
  readonly port?: number;
  readonly now?: () => Date;
};

/** What tests need of a chain, on whatever node it is. */
export type EvmChain = {
  /** With user and password, as the connector takes it. */
  readonly url: string;
  readonly port: number;
  readonly chainId: number;
  readonly faucetAddress: Hex;
  /** Contracts by asset code; each has six decimals. */
  readonly tokens: Readonly<Record<'USDC' | 'USDT', Hex>>;
  readonly node: EvmNode;
  /** Ether, or one of the tokens; gives the transaction's hash. */
  pay(payment: EvmPayment): Promise<Hex>;
  /** Anything else that the faucet's owner signs. */
  send(call: FaucetCall): Promise<Hex>;
  deploy(contract: CompiledContract, args: readonly unknown[]): Promise<Hex>;
  mine(count?: number): Promise<unknown>;
  /** Takes the newest blocks away and adds one empty block more. Their transactions wait again, or are gone. */
  reorganise(depth: number, options?: { keepTransactions?: boolean }): Promise<unknown>;
  /** The payer pays a higher fee: for the same payment, or for this one instead. */
  replace(txHash: string, payment?: EvmPayment): Promise<Hex>;
  drop(txHash: string): Promise<void>;
  submit(raw: Hex): Promise<Hex>;
  stop(): Promise<void>;
};

export type StartEvmChain = (options: EvmChainOptions) => Promise<EvmChain>;

export type SandboxEvmChain = Omit<EvmChain, 'mine' | 'reorganise'> & {
  /** The hashes of the new blocks. */
  mine(count?: number): Promise<Hex[]>;
  reorganise(depth: number, options?: { keepTransactions?: boolean }): Promise<Hex[]>;
  /** The newest block that validators have made safe (after one epoch) or final (after two). */
  votedHeight(tag: 'safe' | 'finalized'): Promise<number>;
  /** Validators vote unless this says otherwise. */
  letValidatorsVote(areVoting: boolean): Promise<void>;
};

/** So many blocks behind the newest, as on the main chain when all is well. */
const voteDepth = { safe: 31, finalized: 63 };

export async function startEvmChain(options: EvmChainOptions): Promise<SandboxEvmChain> {
  const now = options.now ?? (() => new Date());
  const { kind = 'ethereum', chainId = firstChainId } = options;
  const node = await createEvmNode({ kind, chainId }, faucet.address, faucetUnits);
  const state = createEvmChainState(node);
  let journal: Journal<EvmChainEvent> = noJournal;
  if (options.folder !== undefined) {
    const opened = openJournal<EvmChainEvent>(join(options.folder, `${options.name ?? 'ethereum'}.jsonl`));
    // What the node refused then, it refuses again.
    for (const event of opened.entries) await state.apply(event).catch(() => undefined);
    journal = opened.journal;
  }

  let nextNonce: number | undefined; // of the faucet, while nothing else happens: the node takes long to tell
  let last: Promise<unknown> = Promise.resolve();
  /** One at a time: a transaction's number depends on those before it. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  }

  /** Written before it is applied: that takes a while, and what others read meanwhile must survive a crash. */
  async function record(event: EvmChainEvent): Promise<void> {
    nextNonce = undefined;
    journal.append(event);
    await state.apply(event);
  }

  async function submit(raw: Hex): Promise<Hex> {
    await record({ transaction: raw });
    return keccak256(raw);
  }

  async function send(call: FaucetCall): Promise<Hex> {
    const nonce = nextNonce ?? Number(await node.call<Hex>('eth_getTransactionCount', faucet.address, 'pending'));
    const hash = await submit(await signFaucetCall(chainId, call, nonce));
    nextNonce = nonce + 1;
    return hash;
  }

  const nextBlock = () => {
    const newest = state.mined.at(-1)?.time ?? 0;
    return { time: Math.max(Math.floor(now().getTime() / 1000), newest), randao: toHex(randomBytes(32)) };
  };

  async function mine(count: number): Promise<Hex[]> {
    for (let mined = 0; mined < count; mined += 1) await record({ block: nextBlock() });
    return state.mined.slice(-count).map(({ hash }) => hash);
  }

  async function deploy({ abi, bytecode }: CompiledContract, args: readonly unknown[]): Promise<Hex> {
    const count = await node.call<Hex>('eth_getTransactionCount', faucet.address, 'pending');
    await send({ data: encodeDeployData({ abi, bytecode, args }), gas: 3_000_000n });
    await mine(1);
    return getContractAddress({ from: faucet.address, nonce: BigInt(count) });
  }

  // The first two blocks contain one token each. The process may have died between any two steps.
  while (state.mined.length < 2) {
    const { PlainToken, SilentToken } = await readCompiledContracts();
    if (state.waiting.size > 0) await mine(1);
    else if (state.mined.length === 0) await deploy(PlainToken as CompiledContract, ['USDC', tokenDecimals]);
    else await deploy(SilentToken as CompiledContract, ['USDT', tokenDecimals]);
  }

  async function replace(txHash: Hex, payment: EvmPayment | undefined): Promise<Hex> {
    const raw = state.waiting.get(txHash);
    if (!raw) throw new Error(`${txHash} is not waiting: there is nothing to replace`);
    return submit(await signReplacement(raw, payment));
  }

  let lastVoteAt: number | undefined; // set while nobody votes
  const newestHeight = async () => Number(await node.call<Hex>('eth_blockNumber'));

  const chain: Omit<SandboxEvmChain, 'url' | 'port' | 'stop'> = {
    chainId,
    faucetAddress: faucet.address,
    tokens: tokenContracts,
    node,
    pay: (payment) => inTurn(() => send(callOfPayment(payment))),
    send: (call) => inTurn(() => send(call)),
    deploy: (contract, args) => inTurn(() => deploy(contract, args)),
    mine: (count = 1) => inTurn(() => mine(count)),
    reorganise: (depth, { keepTransactions = true } = {}) =>
      inTurn(async () => {
        // The blocks with the tokens must stay.
        if (depth < 1 || depth > state.mined.length - 2) throw new Error(`${depth} blocks cannot be given up`);
        const blocks = Array.from({ length: depth + 1 }, nextBlock);
        await record({ reorganise: { depth, keepTransactions, blocks } });
        return state.mined.slice(-blocks.length).map(({ hash }) => hash);
      }),
    replace: (txHash, payment) => inTurn(() => replace(txHash as Hex, payment)),
    drop: (txHash) =>
      inTurn(async () => {
        if (!state.waiting.has(txHash as Hex)) throw new Error(`${txHash} is not waiting`);
        await record({ drop: txHash as Hex });
      }),
    submit: (raw) => inTurn(() => submit(raw)),
    votedHeight: async (tag) => Math.max(0, (lastVoteAt ?? (await newestHeight())) - voteDepth[tag]),
    async letValidatorsVote(areVoting) {
      lastVoteAt = areVoting ? undefined : await newestHeight();
    },
  };
  const served = await serveEvmChain({ ...options, chain });
  return {
    ...chain,
    url: served.url,
    port: served.port,
    async stop() {
      await served.close();
      await last.catch(() => undefined);
      journal.close();
    },
  };
}
