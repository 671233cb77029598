/**
 * Sending from one wallet, one payout per transaction. The numbers (nonces) have no gaps, and transactions that were
 * signed and never broadcast count too. Each payout is tried on the node first, because on the chain a failure costs as
 * much as a success.
 */
import { parseTransaction } from 'viem';
import { minutes } from '../../../lib/clock.ts';
import { AllMustWait, demandWithinHeldFee } from '../../held-fee.ts';
import { NetworkError } from '../../port/connector.ts';
import type { NetworkDefinition } from '../../port/definition.ts';
import {
  NotEnoughFunds,
  type OutgoingTransaction,
  type Payout,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../../port/sending.ts';
import { type CollectMinimums, createCollector, type Stranded } from './collect-from-targets.ts';
import { type EvmAccountState, readEvmAccount } from './evm-account.ts';
import { bumpFees, type GasPrice, gasFor, gasPriceNow, least, plainTransferGas, Reverted } from './evm-gas.ts';
import { EvmRefusal } from './evm-rpc.ts';
import type { SentKind } from './evm-surcharge.ts';
import { openUses } from './evm-uses.ts';
import { headerAt } from './follow-evm-chain.ts';
import { callFor, type EvmWallet, readTrace, signEvmTransaction } from './sign-evm-transaction.ts';

export type EvmSenderOptions = {
  readonly minimums: CollectMinimums;
  readonly usualGasPrice: bigint;
  addressProblem(destination: Payout): string | null;
};

type StateOf = (assetCode: string) => Promise<EvmAccountState>;

/** Fifty blocks. If the fee is still high enough, a block has taken the transaction by then. */
const stuckAfterMs = minutes(10);
/** More than any token of ours takes: the estimate when the transfer cannot be tried, as when the wallet has none. */
const tokenTransferGas = 100_000n;

export function createEvmSender(definition: NetworkDefinition, wallet: EvmWallet, options: EvmSenderOptions): Sender {
  const { rpc, ether, walletKey, feeCeiling } = wallet;
  const stranded: Stranded = new Map();
  const kindOf = (assetCode: string): SentKind => (assetCode === ether ? 'coin' : 'token');

  const tokenOf = (assetCode: string) => wallet.tokens.find((token) => token.assetCode === assetCode) ?? null;
  const tryPayout = ({ assetCode, units, address }: Payout): Promise<bigint> =>
    gasFor(rpc, { from: walletKey, ...callFor(wallet, { assetCode, units, to: address.toLowerCase() }) });

  /** The oldest that can be sent now. One that must wait does not hold up the others, not even those of its asset. */
  async function prepare(payouts: readonly Payout[], context: SendContext): Promise<SignedTransaction> {
    const price = await gasPriceNow(wallet);
    if (price.isTooDear) {
      throw new NetworkError(`Gas on ${definition.name} costs more than the ceiling that is configured.`, {
        isRetryable: true,
      });
    }
    const block = await headerAt(rpc, 'latest');
    if (!block) throw new NetworkError(`The ${definition.name} node has no newest block.`, { isRetryable: true });
    const stateOf = await openWallet(block.hash, context);
    let waits: NotEnoughFunds | undefined;
    for (const payout of payouts) {
      try {
        return await prepareOne(payout, stateOf, price, context.now);
      } catch (error) {
        if (!(error instanceof NotEnoughFunds)) throw error;
        waits ??= error;
      }
    }
    throw waits ? new AllMustWait(waits.message) : new Error('there is nothing to send');
  }

  /** What the wallet has left, by asset. The node is asked once for each, however many payouts wait. */
  async function openWallet(blockHash: string, context: SendContext): Promise<StateOf> {
    const uses = await openUses(context);
    const states = new Map<string, Promise<EvmAccountState>>();
    return (assetCode) => {
      const token = tokenOf(assetCode);
      const state =
        states.get(assetCode) ??
        readEvmAccount(rpc, blockHash, walletKey, { ether, token }).then((reading) => reading(uses));
      states.set(assetCode, state);
      return state;
    };
  }

  async function prepareOne(payout: Payout, stateOf: StateOf, price: GasPrice, now: Date): Promise<SignedTransaction> {
    const { assetCode, units, address, id, heldFee } = payout;
    const problem = options.addressProblem(payout);
    if (problem !== null) throw new SendRefused(id, problem);
    const state = await stateOf(assetCode);
    if (state.freeUnits < units) throw tooLittle(assetCode);
    const surchargeFor = (gas: bigint) => price.surchargeOf(kindOf(assetCode), gas);
    const leastFor = (gas: bigint): bigint => gas * price.leastPerGas + surchargeFor(gas).least;
    demandWithinHeldFee(payout, leastFor(plainTransferGas), now); // No transfer takes less: this saves a call.
    // A recipient's contract may use all of the gas. So all of it at this price, with the surcharge, must not cost more
    // than was set aside.
    const feePerGasFor = (gas: bigint): bigint =>
      heldFee === undefined
        ? price.maxFeePerGas
        : least(price.maxFeePerGas, (heldFee.units - surchargeFor(gas).least) / gas);
    const surchargeMaxFor = (gas: bigint): bigint =>
      heldFee === undefined
        ? surchargeFor(gas).max
        : least(surchargeFor(gas).max, heldFee.units - gas * feePerGasFor(gas));
    const canPayFor = (gas: bigint): boolean =>
      state.freeWei >= gas * feePerGasFor(gas) + surchargeMaxFor(gas) + (assetCode === ether ? units : 0n);
    if (!canPayFor(plainTransferGas)) throw tooLittle(ether);
    const gas = await tryPayout(payout).catch((error: unknown) => {
      if (error instanceof Reverted)
        throw new SendRefused(id, `${definition.name} would not carry it out: ${error.message}.`);
      // We do not know this error. It may be about this payout only: so this one waits, and the others do not.
      if (error instanceof EvmRefusal)
        throw new NotEnoughFunds(`The ${definition.name} node would not try payout ${id}: ${error.reason}.`);
      throw error;
    });
    demandWithinHeldFee(payout, leastFor(gas), now);
    if (!canPayFor(gas)) throw tooLittle(ether);
    const fees = { maxFeePerGas: feePerGasFor(gas), maxPriorityFeePerGas: price.maxPriorityFeePerGas };
    return signEvmTransaction(wallet, {
      kind: 'transfer',
      targetIndex: null,
      to: address,
      assetCode,
      units,
      gas,
      payoutIds: [id],
      fees,
      surchargeMax: surchargeMaxFor(gas),
      nonce: state.nextNonce,
    });
  }

  const tooLittle = (assetCode: string): NotEnoughFunds =>
    new NotEnoughFunds(`The wallet ${wallet.keys.wallet.address} has too little ${assetCode}.`);

  /**
   * Only the first of the waiting transactions can be stuck; the others wait for it. Because it holds them up, its
   * replacement may cost more than was set aside: the price was enough when it was signed, and only the market changed.
   */
  async function replace(stuck: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null> {
    if (stuck.block || context.now.getTime() - stuck.signedAt.getTime() < stuckAfterMs) return null;
    const trace = readTrace(stuck.trace);
    const block = await headerAt(rpc, 'latest');
    if (!block) return null;
    const price = await gasPriceNow(wallet);
    const uses = (await openUses(context)).filter(({ from, nonce }) => from !== trace.from || nonce !== trace.nonce);
    const token = tokenOf(trace.assetCode);
    const state = (await readEvmAccount(rpc, block.hash, trace.from, { ether, token }))(uses);
    if (state.minedCount !== trace.nonce) return null;

    const {
      gas = plainTransferGas,
      maxFeePerGas = 0n,
      maxPriorityFeePerGas = 0n,
    } = parseTransaction(stuck.raw as `0x02${string}`);
    const fees = bumpFees({ maxFeePerGas, maxPriorityFeePerGas }, price, feeCeiling);
    if (!fees) return null;
    const surchargeMax = price.surchargeOf(kindOf(trace.assetCode), gas).max;
    const feeMax = gas * fees.maxFeePerGas + surchargeMax;
    const isEther = trace.assetCode === ether;
    // When ether is collected, the fee comes out of it, so that with a higher fee less is collected.
    const units =
      isEther && trace.collects !== null ? least(BigInt(trace.collects), state.freeWei - feeMax) : BigInt(trace.units);
    if (units <= 0n || state.freeWei < feeMax + (isEther ? units : 0n)) {
      const { assetCode, from } = trace;
      if (trace.kind === 'collect' && !isEther)
        stranded.set(from, { assetCode, units, missing: feeMax - state.freeWei });
      return null;
    }
    const signed = await signEvmTransaction(wallet, {
      kind: trace.kind,
      targetIndex: trace.targetIndex,
      nonce: trace.nonce,
      to: trace.to,
      assetCode: trace.assetCode,
      units,
      gas,
      fees,
      surchargeMax,
      payoutIds: trace.transferIds,
      ...(trace.collects !== null && { collects: BigInt(trace.collects) }),
    });
    return { ...signed, uses: stuck.uses };
  }

  return {
    feeAssetCode: ether,
    async estimateFee(payout) {
      const { quotedPerGas, surchargeOf } = await gasPriceNow(wallet);
      const gas = await tryPayout(payout).catch((error: unknown) => {
        if (!(error instanceof Reverted || error instanceof EvmRefusal)) throw error;
        return tokenOf(payout.assetCode) ? tokenTransferGas : plainTransferGas;
      });
      return { assetCode: ether, units: gas * quotedPerGas + surchargeOf(kindOf(payout.assetCode), gas).quoted };
    },
    prepare,
    housekeeping: createCollector(wallet, options, stranded),
    async broadcast({ txHash, raw }) {
      try {
        await rpc.call('eth_sendRawTransaction', raw);
      } catch (error) {
        if (!(error instanceof EvmRefusal)) throw error;
        // The node may have it already: waiting, or in a block, so that the node calls its nonce too low.
        const isThere = /already known|known transaction|already imported/i.test(error.reason);
        if (!isThere && (await rpc.call('eth_getTransactionByHash', txHash)) === null) throw error;
      }
    },
    replace,
  };
}
