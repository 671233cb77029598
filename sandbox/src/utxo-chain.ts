/**
 * A chain of a coin like Bitcoin, in this process, that answers like a node, and whose owner can mine, pay,
 * replace and reorganise at will. Transactions are really signed; only the mining needs no work.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createFaucetWallet, type FaucetCoin, type Payment } from './faucet-wallet.ts';
import { type Journal, noJournal, openJournal } from './journal.ts';
import { serveUtxoChain } from './utxo-chain-rpc.ts';
import { type ChainEvent, coinbaseMaturity, createChainState } from './utxo-chain-state.ts';
import type { UtxoCoin } from './utxo-coin.ts';
import { type ChainTransaction, createCoinbase, describeScript } from './utxo-transaction.ts';

export type UtxoChainOptions = {
  readonly coin: UtxoCoin;
  readonly user: string;
  readonly password: string;
  /** Where the chain is kept between starts. Left out: it is gone with the process. */
  readonly folder?: string;
  readonly port?: number;
  readonly now?: () => Date;
};

export type UtxoChain = {
  /** With user and password, as the connector takes it. */
  readonly url: string;
  readonly port: number;
  readonly faucetAddress: string;
  /** One transaction for all of the payments; gives its id. */
  pay(...payments: readonly Payment[]): string;
  /** Payment and block in one: coins that can be spent at once. */
  fund(payment: Payment): string;
  mine(count?: number): string[];
  /** From now on miners take only what pays at least so many units per 1,000 vbytes. Forgotten with the process. */
  demandFeeRate(rate: bigint): void;
  /** Gives up the newest blocks for one empty block more. Their payments wait again, or are gone. */
  reorganise(depth: number, options?: { keepTransactions?: boolean }): string[];
  /** The payer replaces the transaction by one with a higher fee: to the same targets, or to these. */
  replace(txid: string, payments?: readonly Payment[]): string;
  /** The node forgets a waiting transaction, as it does when its mempool is full. */
  drop(txid: string): void;
  submit(rawHex: string): string;
  /** The node hangs up on everybody, until it comes back. */
  goAway(): void;
  comeBack(): void;
  stop(): Promise<void>;
};

/** So many that the faucet has coins which it can spend from the beginning. */
const firstBlocks = coinbaseMaturity + 20;

export async function startUtxoChain(options: UtxoChainOptions): Promise<UtxoChain> {
  const { coin } = options;
  const now = options.now ?? (() => new Date());
  const state = createChainState(coin);
  const faucet = createFaucetWallet(coin);
  let demandedRate = 0n;
  let journal: Journal<ChainEvent> = noJournal;
  if (options.folder !== undefined) {
    const opened = openJournal<ChainEvent>(join(options.folder, `${coin.name}.jsonl`));
    for (const event of opened.entries) state.apply(event, true);
    journal = opened.journal;
  }

  /** Applied first: what the rules refuse must not reach the journal. Our own signatures need no proof. */
  function record(event: ChainEvent, isOurs = false): void {
    state.apply(event, isOurs);
    journal.append(event);
  }

  const seconds = () => Math.floor(now().getTime() / 1000);

  function blockEvent(height: number, time: number, fees: bigint, txids: readonly string[]) {
    const output = { units: coin.subsidyUnits + fees, script: faucet.script };
    return { time, coinbase: createCoinbase(height, randomBytes(8), output), txids };
  }

  /** The transactions that miners take. What depends on one that they do not take is left out too. */
  function* payingEnough(): Generator<ChainTransaction> {
    const left = new Set<string>();
    for (const tx of state.mempool.values()) {
      const isPaying = state.feeOf(tx) * 1_000n >= demandedRate * BigInt(tx.vsize);
      if (isPaying && !tx.inputs.some(({ outpoint }) => left.has(outpoint.slice(0, 64)))) yield tx;
      else left.add(tx.txid);
    }
  }

  function mine(count = 1): string[] {
    return Array.from({ length: count }, () => {
      const waiting = [...payingEnough()];
      const fees = waiting.reduce((sum, tx) => sum + state.feeOf(tx), 0n);
      const time = Math.max(seconds(), state.tip()?.time ?? 0);
      record({
        block: blockEvent(
          state.active.length,
          time,
          fees,
          waiting.map(({ txid }) => txid),
        ),
      });
      return state.tip()?.hash as string;
    });
  }

  /** Confirmed coins first, so that payments depend on one another as little as possible. */
  function* spendableCoins(): Generator<FaucetCoin> {
    for (const [outpoint, found] of state.coins) {
      const isMature = !found.isCoinbase || state.active.length - found.height >= coinbaseMaturity;
      if (found.script === faucet.script && isMature && !state.mempoolSpender.has(outpoint)) {
        yield { outpoint, units: found.units };
      }
    }
    for (const { txid, outputs } of state.mempool.values()) {
      for (const [index, { script, units }] of outputs.entries()) {
        const outpoint = `${txid}:${index}`;
        if (script === faucet.script && !state.mempoolSpender.has(outpoint)) yield { outpoint, units };
      }
    }
  }

  function pay(...payments: readonly Payment[]): string {
    const chosen: FaucetCoin[] = [];
    const due = payments.reduce((sum, { units }) => sum + units, 0n);
    for (const found of spendableCoins()) {
      chosen.push(found);
      const fee = faucet.feeFor(chosen.length, payments.length);
      if (chosen.reduce((sum, { units }) => sum + units, 0n) < due + fee) continue;
      const signed = faucet.sign(chosen, payments, fee);
      record({ transaction: signed.hex }, true);
      return signed.txid;
    }
    throw new Error('The faucet has too few spendable coins: mine some blocks first.');
  }

  // It begins at the present height: the process may have died before all of them were mined.
  for (let height = state.active.length; height < firstBlocks; height += 1) {
    const time = Math.max(seconds() - (firstBlocks - height) * coin.averageBlockSeconds, state.tip()?.time ?? 0);
    record({ block: blockEvent(height, time, 0n, []) });
  }

  const chain: Omit<UtxoChain, 'url' | 'port' | 'goAway' | 'comeBack' | 'stop'> = {
    faucetAddress: faucet.address,
    pay,
    mine,
    demandFeeRate(rate) {
      demandedRate = rate;
    },
    fund(payment) {
      const txid = pay(payment);
      mine(1);
      return txid;
    },
    reorganise(depth, { keepTransactions = true } = {}) {
      if (depth < 1 || depth >= state.active.length) throw new Error(`${depth} blocks cannot be given up`);
      const first = state.active.length - depth;
      const time = Math.max(seconds(), state.active[first - 1]?.time ?? 0);
      const blocks = Array.from({ length: depth + 1 }, (_, at) => blockEvent(first + at, time, 0n, []));
      record({ reorganise: { depth, keepTransactions, blocks } });
      return state.active.slice(first).map(({ hash }) => hash);
    },
    replace(txid, payments) {
      const original = state.mempool.get(txid);
      if (!original) throw new Error(`${txid} is not waiting: there is nothing to replace`);
      const coins = original.inputs.map(({ outpoint }) => {
        const output = state.outputAt(outpoint);
        if (output?.script !== faucet.script) throw new Error(`${txid} was not paid by the faucet`);
        return { outpoint, units: output.units };
      });
      const fee = 2n * state.feeOf(original);
      const signed = faucet.sign(coins, payments ?? original.outputs.flatMap(paymentOf), fee);
      record({ transaction: signed.hex });
      return signed.txid;
    },
    drop: (txid) => record({ drop: txid }),
    submit(rawHex) {
      record({ transaction: rawHex });
      return [...state.mempool.keys()].at(-1) as string;
    },
  };

  function paymentOf(output: { script: string; units: bigint }): Payment[] {
    const { address } = describeScript(output.script, coin);
    return address === undefined || output.script === faucet.script ? [] : [{ address, units: output.units }];
  }

  const server = await serveUtxoChain({ ...options, coin, state, chain });
  return {
    ...chain,
    url: server.url,
    port: server.port,
    goAway: server.goAway,
    comeBack: server.comeBack,
    async stop() {
      await server.close();
      journal.close();
    },
  };
}
