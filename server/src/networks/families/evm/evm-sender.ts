/**
 * Sending from one wallet, one transfer per transaction. Its numbers (nonces) follow each other without gaps, also over
 * what was signed and never broadcast; what would fail is tried on the node first, because on the chain a failure
 * costs as much as a success.
 */
import { parseTransaction } from 'viem';
import { minutes } from '../../../lib/clock.ts';
import { AllMustWait, demandWithinHeldFee } from '../../held-fee.ts';
import { NetworkError } from '../../port/connector.ts';
import type { NetworkDefinition } from '../../port/definition.ts';
import {
  NotEnoughFunds,
  type OutgoingTransaction,
  type OutgoingTransfer,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../../port/sending.ts';
import { type CollectMinimums, createCollector } from './collect-from-targets.ts';
import { type EvmAccountState, readEvmAccount } from './evm-account.ts';
import { claimedUses } from './evm-claims.ts';
import { bumpFees, type GasPrice, gasFor, gasPriceNow, least, plainTransferGas, Reverted } from './evm-gas.ts';
import { EvmRefusal } from './evm-rpc.ts';
import { headerAt } from './follow-evm-chain.ts';
import { callFor, type EvmWallet, readTrace, signEvmTransaction } from './sign-evm-transaction.ts';

export type EvmSenderOptions = {
  readonly minimums: CollectMinimums;
  addressProblem(destination: OutgoingTransfer): string | null;
};

type StateOf = (assetCode: string) => Promise<EvmAccountState>;

/** Fifty blocks. By then a fee that was enough when it was signed would have been enough. */
const stuckAfterMs = minutes(10);
/** More than any token of ours takes: an estimate for a wallet that has none of it to try with. */
const tokenTransferGas = 100_000n;

export function createEvmSender(definition: NetworkDefinition, wallet: EvmWallet, options: EvmSenderOptions): Sender {
  const { rpc, ether, walletKey, feeCeiling } = wallet;

  const tokenOf = (assetCode: string) => wallet.tokens.find((token) => token.assetCode === assetCode) ?? null;
  const tryTransfer = ({ assetCode, units, address }: OutgoingTransfer): Promise<bigint> =>
    gasFor(rpc, { from: walletKey, ...callFor(wallet, { assetCode, units, to: address.toLowerCase() }) });

  /** The oldest that can be sent now: one that must wait keeps no other waiting, not even of its own asset. */
  async function prepare(transfers: readonly OutgoingTransfer[], context: SendContext): Promise<SignedTransaction> {
    const price = await gasPriceNow(rpc, feeCeiling);
    if (price.isTooDear) {
      throw new NetworkError(`Gas on ${definition.name} costs more than the ceiling that is configured.`, {
        isRetryable: true,
      });
    }
    const block = await headerAt(rpc, 'latest');
    if (!block) throw new NetworkError(`The ${definition.name} node has no newest block.`, { isRetryable: true });
    const stateOf = await openWallet(block.hash, context);
    let waits: NotEnoughFunds | undefined;
    for (const transfer of transfers) {
      try {
        return await prepareOne(transfer, stateOf, price, context.now);
      } catch (error) {
        if (!(error instanceof NotEnoughFunds)) throw error;
        waits ??= error;
      }
    }
    throw waits ? new AllMustWait(waits.message) : new Error('there is nothing to send');
  }

  /** What the wallet has left, by asset. The node is asked once for each, however many transfers wait. */
  async function openWallet(blockHash: string, context: SendContext): Promise<StateOf> {
    const uses = await claimedUses(context);
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

  async function prepareOne(
    transfer: OutgoingTransfer,
    stateOf: StateOf,
    price: GasPrice,
    now: Date,
  ): Promise<SignedTransaction> {
    const { assetCode, units, address, id, heldFee } = transfer;
    const problem = options.addressProblem(transfer);
    if (problem !== null) throw new SendRefused(id, problem);
    const state = await stateOf(assetCode);
    if (state.freeUnits < units) throw tooLittle(assetCode);
    demandWithinHeldFee(transfer, plainTransferGas * price.leastPerGas, now); // Nothing takes less, so the node need not be asked.
    // Whatever the recipient's code does when it is mined: all of this gas at this price is what was set aside.
    const feePerGasFor = (gas: bigint): bigint =>
      heldFee === undefined ? price.maxFeePerGas : least(price.maxFeePerGas, heldFee.units / gas);
    const canPayFor = (gas: bigint): boolean =>
      state.freeWei >= gas * feePerGasFor(gas) + (assetCode === ether ? units : 0n);
    if (!canPayFor(plainTransferGas)) throw tooLittle(ether);
    const gas = await tryTransfer(transfer).catch((error: unknown) => {
      if (error instanceof Reverted)
        throw new SendRefused(id, `${definition.name} would not carry out this transfer: ${error.message}.`);
      // In words that nobody knows yet this may be about the transfer alone. It waits; the others need not.
      if (error instanceof EvmRefusal)
        throw new NotEnoughFunds(`The ${definition.name} node would not try transfer ${id}: ${error.reason}.`);
      throw error;
    });
    demandWithinHeldFee(transfer, gas * price.leastPerGas, now);
    if (!canPayFor(gas)) throw tooLittle(ether);
    const fees = { maxFeePerGas: feePerGasFor(gas), maxPriorityFeePerGas: price.maxPriorityFeePerGas };
    return signEvmTransaction(wallet, {
      ...{ kind: 'transfer', targetIndex: null, to: address, assetCode, units, gas, transferIds: [id] },
      ...{ fees, nonce: state.nextNonce },
    });
  }

  const tooLittle = (assetCode: string): NotEnoughFunds =>
    new NotEnoughFunds(`The wallet ${wallet.keys.wallet.address} has too little ${assetCode}.`);

  /**
   * Only the first of those that wait can be stuck; the others wait for it. That is why it may come to cost more than
   * was set aside for it: its price was enough when it was signed, and only the market can have changed that.
   */
  async function replace(stuck: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null> {
    if (stuck.block || context.now.getTime() - stuck.signedAt.getTime() < stuckAfterMs) return null;
    const trace = readTrace(stuck.trace);
    const block = await headerAt(rpc, 'latest');
    if (!block) return null;
    const price = await gasPriceNow(rpc, feeCeiling);
    const uses = (await claimedUses(context)).filter(({ from, nonce }) => from !== trace.from || nonce !== trace.nonce);
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
    const feeMax = gas * fees.maxFeePerGas;
    const isEther = trace.assetCode === ether;
    // Ether that is collected pays for itself, so a higher fee leaves less of it.
    const units =
      isEther && trace.collects !== null ? least(BigInt(trace.collects), state.freeWei - feeMax) : BigInt(trace.units);
    if (units <= 0n || state.freeWei < feeMax + (isEther ? units : 0n)) return null;
    const signed = await signEvmTransaction(wallet, {
      ...{ kind: trace.kind, targetIndex: trace.targetIndex, nonce: trace.nonce, to: trace.to },
      ...{ assetCode: trace.assetCode, units, gas, fees, transferIds: trace.transferIds },
      ...(trace.collects !== null && { collects: BigInt(trace.collects) }),
    });
    return { ...signed, claims: stuck.claims };
  }

  return {
    feeAssetCode: ether,
    async estimateFee(transfer) {
      const { quotedPerGas } = await gasPriceNow(rpc, feeCeiling);
      const gas = await tryTransfer(transfer).catch((error: unknown) => {
        if (!(error instanceof Reverted || error instanceof EvmRefusal)) throw error;
        return tokenOf(transfer.assetCode) ? tokenTransferGas : plainTransferGas;
      });
      return { assetCode: ether, units: gas * quotedPerGas };
    },
    prepare,
    housekeeping: createCollector(wallet, options.minimums),
    async broadcast({ txHash, raw }) {
      try {
        await rpc.call('eth_sendRawTransaction', raw);
      } catch (error) {
        if (!(error instanceof EvmRefusal)) throw error;
        // It may have been there before: waiting, or in a block, which makes its number too low.
        const isThere = /already known|known transaction|already imported/i.test(error.reason);
        if (!isThere && (await rpc.call('eth_getTransactionByHash', txHash)) === null) throw error;
      }
    },
    replace,
  };
}
