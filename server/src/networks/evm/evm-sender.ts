/**
 * Sending from one wallet, one transfer per transaction. Its numbers (nonces) follow each other without gaps, also over
 * what was signed and never broadcast; what would fail is tried on the node first, because on the chain a failure
 * costs as much as a success.
 */
import { parseTransaction } from 'viem';
import { minutes } from '../../lib/clock.ts';
import {
  type NetworkDefinition,
  NetworkError,
  NotEnoughFunds,
  type OutgoingTransaction,
  type OutgoingTransfer,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../port.ts';
import { type CollectMinimums, createCollector } from './collect-from-targets.ts';
import { readEvmAccount } from './evm-account.ts';
import { claimedUses, type Use } from './evm-claims.ts';
import { bumpFees, type GasPrice, gasFor, gasPriceNow, least, plainTransferGas, Reverted } from './evm-gas.ts';
import { EvmRefusal } from './evm-rpc.ts';
import { headerAt } from './follow-evm-chain.ts';
import { callFor, type EvmWallet, readTrace, signEvmTransaction } from './sign-evm-transaction.ts';

export type EvmSenderOptions = {
  readonly minimums: CollectMinimums;
  addressProblem(destination: OutgoingTransfer): string | null;
};

/** Fifty blocks. By then a fee that was enough when it was signed would have been enough. */
const stuckAfterMs = minutes(10);
/** More than any token of ours takes: an estimate for a wallet that has none of it to try with. */
const tokenTransferGas = 100_000n;

export function createEvmSender(definition: NetworkDefinition, wallet: EvmWallet, options: EvmSenderOptions): Sender {
  const { rpc, ether, walletKey, feeCeiling } = wallet;

  const tokenOf = (assetCode: string) => wallet.tokens.find((token) => token.assetCode === assetCode) ?? null;
  const tryTransfer = ({ assetCode, units, address }: OutgoingTransfer): Promise<bigint> =>
    gasFor(rpc, { from: walletKey, ...callFor(wallet, { assetCode, units, to: address.toLowerCase() }) });

  /** The oldest for which there is money: one asset must not wait for another. */
  async function prepare(transfers: readonly OutgoingTransfer[], context: SendContext): Promise<SignedTransaction> {
    const price = await gasPriceNow(rpc, feeCeiling);
    if (price.isTooDear) {
      throw new NetworkError(`Gas on ${definition.name} costs more than the ceiling that is configured.`, {
        isRetryable: true,
      });
    }
    const block = await headerAt(rpc, 'latest');
    if (!block) throw new NetworkError(`The ${definition.name} node has no newest block.`, { isRetryable: true });
    const position = { blockHash: block.hash, uses: await claimedUses(context), price };
    const lacking = new Map<string, NotEnoughFunds>();
    for (const transfer of transfers) {
      if (lacking.has(transfer.assetCode)) continue;
      try {
        return await prepareOne(transfer, position);
      } catch (error) {
        if (!(error instanceof NotEnoughFunds)) throw error;
        lacking.set(transfer.assetCode, error);
      }
    }
    throw [...lacking.values()][0] ?? new Error('there is nothing to send');
  }

  async function prepareOne(
    transfer: OutgoingTransfer,
    { blockHash, uses, price }: { readonly blockHash: string; readonly uses: readonly Use[]; readonly price: GasPrice },
  ): Promise<SignedTransaction> {
    const { assetCode, units, address, id } = transfer;
    const problem = options.addressProblem(transfer);
    if (problem !== null) throw new SendRefused(id, problem);
    const token = tokenOf(assetCode);
    const state = (await readEvmAccount(rpc, blockHash, walletKey, { ether, token }))(uses);
    if (state.freeUnits < units) throw tooLittle(assetCode);
    const gas = await tryTransfer(transfer).catch((error: unknown) => {
      if (!(error instanceof Reverted)) throw error;
      throw new SendRefused(id, `${definition.name} would not carry out this transfer: ${error.message}.`);
    });
    const { maxFeePerGas, maxPriorityFeePerGas } = price;
    if (state.freeWei < gas * maxFeePerGas + (token ? 0n : units)) throw tooLittle(ether);
    return signEvmTransaction(wallet, {
      ...{ kind: 'transfer', targetIndex: null, to: address, assetCode, units, gas, transferIds: [id] },
      ...{ fees: { maxFeePerGas, maxPriorityFeePerGas }, nonce: state.nextNonce },
    });
  }

  const tooLittle = (assetCode: string): NotEnoughFunds =>
    new NotEnoughFunds(`The wallet ${wallet.keys.wallet.address} has too little ${assetCode}.`);

  /** Only the first of those that wait can be stuck; the others wait for it. */
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
    async estimateFee(transfer) {
      const { expectedPerGas } = await gasPriceNow(rpc, feeCeiling);
      const gas = await tryTransfer(transfer).catch((error: unknown) => {
        if (!(error instanceof Reverted || error instanceof EvmRefusal)) throw error;
        return tokenOf(transfer.assetCode) ? tokenTransferGas : plainTransferGas;
      });
      return { assetCode: ether, units: gas * expectedPerGas };
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
