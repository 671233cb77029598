/**
 * Sends from the coins at our own addresses, many transfers in one transaction. The recipients get exactly what was
 * asked for; the fee is on top and comes from the wallet.
 */
import { formatFixed, fromUnits } from '../../money/decimal.ts';
import {
  type Coin,
  type Destination,
  type NetworkDefinition,
  NotEnoughFunds,
  networkAsset,
  type OutgoingTransfer,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../port.ts';
import { coinOrigins } from './coin-origins.ts';
import { coinDecimals } from './utxo-block.ts';
import {
  collectCoins,
  fitOutputs,
  heapSize,
  leastWorthSpending,
  type Output,
  outpointOf,
  type Spending,
  type SpendingTerms,
} from './utxo-coin-selection.ts';
import { type AddressForm, destinationProblem, readAddress } from './utxo-destination.ts';
import { readFeeRates, type SpendingRules, spendingTerms } from './utxo-fee-rate.ts';
import { createReplacer } from './utxo-replacement.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { type SigningKeys, signSpending, toSignedTransaction } from './utxo-signing.ts';
import { dustLimit, feeFor, ownScriptLength, vsizeOf } from './utxo-transaction-size.ts';

export type UtxoSenderOptions = {
  readonly rpc: UtxoRpc;
  readonly network: NetworkDefinition;
  readonly form: AddressForm;
  readonly rules: SpendingRules;
  readonly keys: SigningKeys;
};

type TransferOutput = Output & { readonly transferId: string };
type Fitting = {
  readonly spending: Spending;
  readonly carried: readonly TransferOutput[];
  readonly origins: ReadonlyMap<string, string>;
};

/** An hour on Bitcoin, a quarter of one on Litecoin. */
const targetBlocks = 6;
/** More than one transaction can take, and little enough to read at once: the largest, or crumbs could fill it. */
const coinsMax = 5_000;

export function createUtxoSender(options: UtxoSenderOptions): Sender {
  const { rpc, network, form, rules, keys } = options;
  const assetCode = network.assets[0]?.assetCode ?? network.id;

  function outputOf({ id, units, ...transfer }: OutgoingTransfer): TransferOutput {
    networkAsset(network, transfer.assetCode);
    const script = scriptOf(id, transfer);
    const least = dustLimit(script, rules.dustRate);
    if (units < least)
      throw new SendRefused(id, `${inCoins(units)} is too little to send: nodes carry ${inCoins(least)} or more.`);
    if (units > rules.moneyMax) throw new SendRefused(id, `${inCoins(units)} is more than there will ever be.`);
    return { script, units, transferId: id };
  }

  const inCoins = (units: bigint): string =>
    `${formatFixed(fromUnits(units, coinDecimals), coinDecimals)} ${assetCode}`;

  function scriptOf(id: string, destination: Destination): Uint8Array {
    const problem = destinationProblem(destination, form);
    const read = readAddress(destination.address, form);
    if (problem !== null || 'problem' in read) throw new SendRefused(id, problem ?? 'This is no address.');
    return read.script;
  }

  /** Coins that the node does not have were spent with the same key elsewhere: signing for them would lead nowhere. */
  async function fitToLiving(
    coins: readonly Coin[],
    outputs: readonly TransferOutput[],
    terms: SpendingTerms,
  ): Promise<Fitting> {
    for (let living = coins; ; ) {
      const fitting = fitOutputs(living, outputs, terms);
      if (!fitting) throw new NotEnoughFunds(shortage(living, outputs));
      const chosen = fitting.spending.coins.map(outpointOf);
      const origins = await coinOrigins(rpc, chosen);
      if (origins.size === chosen.length) return { ...fitting, origins };
      const dead = new Set(chosen.filter((outpoint) => !origins.has(outpoint)));
      living = living.filter((coin) => !dead.has(outpointOf(coin)));
    }
  }

  function shortage(coins: readonly Coin[], [first]: readonly TransferOutput[]): string {
    const free = coins.reduce((total, { units }) => total + units, 0n);
    return `The ${network.name} wallet has ${inCoins(free)} in ${coins.length} confirmed coins, too little for ${inCoins(first?.units ?? 0n)} and the fee.`;
  }

  async function sign(
    { spending, carried, origins }: Fitting,
    context: SendContext,
    height: number,
  ): Promise<SignedTransaction> {
    const change = spending.changeUnits === 0n ? null : await context.changeTarget();
    const signed = signSpending(spending, carried, change, keys);
    const transferIds = carried.map(({ transferId }) => transferId);
    return toSignedTransaction(signed, { spending, outputs: carried, change, transferIds, height, origins, assetCode });
  }

  const ratesAndHeight = () => Promise.all([readFeeRates(rpc, rules, targetBlocks), rpc.call<number>('getblockcount')]);

  return {
    async estimateFee({ id, ...transfer }) {
      const { rate } = await readFeeRates(rpc, rules, targetBlocks);
      const { length } = scriptOf(id, transfer);
      // Two coins and change: what a payment of ordinary size takes.
      return { assetCode, units: feeFor(vsizeOf(2, [length, ownScriptLength]), rate) };
    },

    async prepare(transfers, context) {
      const wanted = transfers.map(outputOf);
      const [rates, height] = await ratesAndHeight();
      const coins = await context.unspent({ assetCode, limit: coinsMax, order: 'largest' });
      const fitting = await fitToLiving(coins, wanted, spendingTerms(rates, rules));
      return sign(fitting, context, height);
    },

    async housekeeping(context) {
      const limit = heapSize + 1;
      if ((await context.unspent({ assetCode, limit })).length < limit) return []; // The node need not be asked.
      const [rates, height] = await ratesAndHeight();
      const terms = spendingTerms(rates, rules);
      const leastUnits = leastWorthSpending(terms);
      const coins = await context.unspent({ assetCode, limit, order: 'smallest', leastUnits });
      if (!collectCoins(coins, terms)) return [];
      const origins = await coinOrigins(rpc, coins.map(outpointOf));
      const living = coins.filter((coin) => origins.has(outpointOf(coin)));
      const spending = collectCoins(living, terms);
      if (!spending) return [];
      return [{ ...(await sign({ spending, carried: [], origins }, context, height)), note: 'collect' }];
    },

    async broadcast({ raw }) {
      try {
        await rpc.call('sendrawtransaction', raw);
      } catch (error) {
        if (!(error instanceof RpcRefusal) || !isAlreadyThere(error)) throw error;
      }
    },

    replace: createReplacer({ rpc, rules, keys, assetCode }),
  };
}

/** Core's RPC_VERIFY_ALREADY_IN_CHAIN; older and other nodes say it in words. */
const alreadyInChainCode = -27;
const isAlreadyThere = ({ code, message }: RpcRefusal): boolean =>
  code === alreadyInChainCode ||
  /txn-already-(known|in-mempool)|already in (the )?(mempool|block ?chain)/i.test(message);
