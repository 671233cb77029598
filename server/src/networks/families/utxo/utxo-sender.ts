/**
 * Sends from the coins at our own addresses, many transfers in one transaction. The recipients get exactly what was
 * asked for; the fee is on top and comes from the wallet.
 */
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import { AllMustWait, demandWithinHeldFee, heldForAll } from '../../held-fee.ts';
import { type NetworkDefinition, networkAsset } from '../../port/definition.ts';
import {
  type Coin,
  type Destination,
  NotEnoughFunds,
  type OutgoingTransfer,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../../port/sending.ts';
import { livingCoins } from './living-coins.ts';
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
  selectCoins,
} from './utxo-coin-selection.ts';
import { type AddressForm, destinationProblem, readAddress } from './utxo-destination.ts';
import { type FeeRates, readFeeRates, type SpendingRules, spendingTerms } from './utxo-fee-rate.ts';
import { createReplacer } from './utxo-replacement.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { type SigningKeys, signSpending, toSignedTransaction } from './utxo-signing.ts';
import { dustLimit, feeFor, inputVsize, ownScriptLength, vsizeMax, vsizeOf } from './utxo-transaction-size.ts';

export type UtxoSenderOptions = {
  readonly rpc: UtxoRpc;
  readonly network: NetworkDefinition;
  readonly form: AddressForm;
  readonly rules: SpendingRules;
  readonly keys: SigningKeys;
};

type TransferOutput = Output & { readonly transfer: OutgoingTransfer };
type Fitting = { readonly spending: Spending; readonly carried: readonly TransferOutput[] };

/** An hour on Bitcoin, a quarter of one on Litecoin. */
const targetBlocks = 6;
/** As many as fit into one transaction: what a quote looks at. */
const coinsQuoted = Math.floor(vsizeMax / inputVsize);
/** More than one transaction can take, and little enough to read at once: the largest, or crumbs could fill it. */
const coinsMax = 5_000;

export function createUtxoSender(options: UtxoSenderOptions): Sender {
  const { rpc, network, form, rules, keys } = options;
  const assetCode = network.assets[0]?.assetCode ?? network.id;

  function outputOf(transfer: OutgoingTransfer): TransferOutput {
    const { id, units } = transfer;
    networkAsset(network, transfer.assetCode);
    const script = scriptOf(id, transfer);
    const least = dustLimit(script, rules.dustRate);
    if (units < least)
      throw new SendRefused(id, `${inCoins(units)} is too little to send: nodes carry ${inCoins(least)} or more.`);
    if (units > rules.moneyMax) throw new SendRefused(id, `${inCoins(units)} is more than there will ever be.`);
    return { script, units, transfer };
  }

  const inCoins = (units: bigint): string =>
    `${formatFixed(fromUnits(units, coinDecimals), coinDecimals)} ${assetCode}`;

  function scriptOf(id: string, destination: Destination): Uint8Array {
    const problem = destinationProblem(destination, form);
    const read = readAddress(destination.address, form);
    if (problem !== null || 'problem' in read) throw new SendRefused(id, problem ?? 'This is no address.');
    return read.script;
  }

  /** The oldest for whose fee enough is set aside, and whatever fits. One that waits for money keeps its place. */
  function fitPaid(coins: readonly Coin[], outputs: readonly TransferOutput[], terms: SpendingTerms, now: Date) {
    const feeOf = ({ vsize }: Spending): bigint => feeFor(vsize, terms.rate); // Without what was too little for change.
    const isPaidFor = (carried: readonly TransferOutput[], spending: Spending): boolean => {
      const held = heldForAll(carried.map(({ transfer }) => transfer));
      return held === undefined || feeOf(spending) <= held;
    };
    let waits: NotEnoughFunds | undefined;
    const isWithin = ({ transfer }: TransferOutput, fee: bigint): boolean => {
      try {
        demandWithinHeldFee(transfer, fee, now);
        return true;
      } catch (error) {
        if (!(error instanceof NotEnoughFunds)) throw error;
        waits ??= error;
        return false;
      }
    };
    // Nothing costs less than one coin without change. Many may wait for that, and coins need not be tried for them.
    const hopeful = outputs.filter((output) =>
      isWithin(output, feeFor(vsizeOf(1, [output.script.length]), terms.rate)),
    );
    for (const [at, output] of hopeful.entries()) {
      const fitting = fitOutputs(coins, hopeful.slice(at), terms, isPaidFor);
      if (fitting) return fitting;
      const alone = selectCoins(coins, [output], terms);
      if (!alone || isWithin(output, feeOf(alone))) throw new NotEnoughFunds(shortage(coins, [output]));
    }
    throw waits ? new AllMustWait(waits.message) : new Error('there is nothing to send');
  }

  /** Coins that the node does not have were spent with the same key elsewhere: signing for them would lead nowhere. */
  async function fitToLiving(
    coins: readonly Coin[],
    outputs: readonly TransferOutput[],
    terms: SpendingTerms,
    now: Date,
  ): Promise<Fitting> {
    for (let living = coins; ; ) {
      const fitting = fitPaid(living, outputs, terms, now);
      const chosen = fitting.spending.coins.map(outpointOf);
      const usable = await livingCoins(rpc, chosen);
      if (usable.size === chosen.length) return fitting;
      const dead = new Set(chosen.filter((outpoint) => !usable.has(outpoint)));
      living = living.filter((coin) => !dead.has(outpointOf(coin)));
    }
  }

  function shortage(coins: readonly Coin[], [first]: readonly TransferOutput[]): string {
    const free = coins.reduce((total, { units }) => total + units, 0n);
    return `The ${network.name} wallet has ${inCoins(free)} in ${coins.length} confirmed coins, too little for ${inCoins(first?.units ?? 0n)} and the fee.`;
  }

  async function sign(
    { spending, carried }: Fitting,
    context: SendContext,
    height: number,
  ): Promise<SignedTransaction> {
    const change = spending.changeUnits === 0n ? null : await context.changeTarget();
    const signed = signSpending(spending, carried, change, keys);
    const transferIds = carried.map(({ transfer }) => transfer.id);
    return toSignedTransaction(signed, { spending, outputs: carried, change, transferIds, height, assetCode });
  }

  const withoutClearing = (rates: FeeRates): SpendingTerms => ({ ...spendingTerms(rates, rules), lowRate: -1n });
  const ratesAndHeight = () => Promise.all([readFeeRates(rpc, rules, targetBlocks), rpc.call<number>('getblockcount')]);

  return {
    feeAssetCode: assetCode,
    async estimateFee({ id, ...transfer }, wallet) {
      const rates = await readFeeRates(rpc, rules, targetBlocks);
      const script = scriptOf(id, transfer);
      // As many coins as it takes with those that we have now, and one more; at least two, which is what is usual.
      const coins = await wallet.unspent({ assetCode, limit: coinsQuoted, order: 'largest' });
      const spending = selectCoins(coins, [{ script, units: transfer.units }], withoutClearing(rates));
      const inputs = Math.max(2, (spending?.coins.length ?? 0) + 1);
      const quotedRate = (rates.rate * 5n + 3n) / 4n;
      return { assetCode, units: feeFor(vsizeOf(inputs, [script.length, ownScriptLength]), quotedRate) };
    },

    async prepare(transfers, context) {
      const wanted = transfers.map(outputOf);
      const [rates, height] = await ratesAndHeight();
      const coins = await context.unspent({ assetCode, limit: coinsMax, order: 'largest' });
      const fitting = await fitToLiving(coins, wanted, spendingTerms(rates, rules), context.now);
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
      const usable = await livingCoins(rpc, coins.map(outpointOf));
      const living = coins.filter((coin) => usable.has(outpointOf(coin)));
      const spending = collectCoins(living, terms);
      if (!spending) return [];
      return [{ ...(await sign({ spending, carried: [] }, context, height)), note: 'collect' }];
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
