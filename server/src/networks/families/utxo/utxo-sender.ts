/**
 * Sends from the coins at our own addresses, many payouts in one transaction. The recipients get exactly what was
 * asked for; the fee is on top and comes from the wallet.
 */
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import { AllMustWait, demandWithinHeldFee, heldForAll } from '../../held-fee.ts';
import { type NetworkDefinition, networkAsset } from '../../port/definition.ts';
import {
  type Coin,
  type Destination,
  NotEnoughFunds,
  type Payout,
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
import { type FeeRates, readFeeRates, spendingTerms } from './utxo-fee-rate.ts';
import type { UtxoParameters } from './utxo-parameters.ts';
import { createReplacer } from './utxo-replacement.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { type SigningKeys, signSpending, toSignedTransaction } from './utxo-signing.ts';
import { feeFor, inputVsize, leastOutput, ownScriptLength, vsizeMax, vsizeOf } from './utxo-transaction-size.ts';

export type UtxoSenderOptions = {
  readonly rpc: UtxoRpc;
  readonly network: NetworkDefinition;
  readonly form: AddressForm;
  readonly coin: Pick<UtxoParameters, 'addressKind' | 'spendingRules'>;
  readonly keys: SigningKeys;
};

type PayoutOutput = Output & { readonly payout: Payout };
type Fitting = { readonly spending: Spending; readonly carried: readonly PayoutOutput[] };

/** An hour on Bitcoin, a quarter of one on Litecoin. */
const targetBlocks = 6;
/** More than one transaction can take, but few enough to read at once. The largest are read, not only tiny ones. */
const coinsMax = 5_000;

export function createUtxoSender(options: UtxoSenderOptions): Sender {
  const { rpc, network, form, coin, keys } = options;
  const { addressKind, spendingRules: rules } = coin;
  /** For a quote we read as many coins as fit into one transaction. */
  const coinsQuoted = Math.floor(vsizeMax / inputVsize(addressKind));
  const assetCode = network.assets[0]?.assetCode ?? network.id;

  function outputOf(payout: Payout): PayoutOutput {
    const { id, units } = payout;
    networkAsset(network, payout.assetCode);
    const script = scriptOf(id, payout);
    const least = leastOutput(script, rules);
    if (units < least)
      throw new SendRefused(id, `${inCoins(units)} is too little to send: nodes carry ${inCoins(least)} or more.`);
    if (units > rules.moneyMax) throw new SendRefused(id, `${inCoins(units)} is more than there will ever be.`);
    return { script, units, payout };
  }

  const inCoins = (units: bigint): string =>
    `${formatFixed(fromUnits(units, coinDecimals), coinDecimals)} ${assetCode}`;

  function scriptOf(id: string, destination: Destination): Uint8Array {
    const problem = destinationProblem(destination, form);
    const read = readAddress(destination.address, form);
    if (problem !== null || 'problem' in read) throw new SendRefused(id, problem ?? 'This is no address.');
    return read.script;
  }

  /**
   * The oldest payout for whose fee enough is set aside, and those after it that fit. If the wallet has too little for
   * it, those after it wait too.
   */
  function fitPaid(coins: readonly Coin[], outputs: readonly PayoutOutput[], terms: SpendingTerms, now: Date) {
    const feeOf = ({ vsize }: Spending): bigint => feeFor(vsize, terms.rate); // Without change that was too small.
    const isPaidFor = (carried: readonly PayoutOutput[], spending: Spending): boolean => {
      const held = heldForAll(carried.map(({ payout }) => payout));
      return held === undefined || feeOf(spending) <= held;
    };
    let waits: NotEnoughFunds | undefined;
    const isWithin = ({ payout }: PayoutOutput, fee: bigint): boolean => {
      try {
        demandWithinHeldFee(payout, fee, now);
        return true;
      } catch (error) {
        if (!(error instanceof NotEnoughFunds)) throw error;
        waits ??= error;
        return false;
      }
    };
    // The lowest fee is that of one coin without change. Payouts for which this is too much wait: no coins are tried.
    const hopeful = outputs.filter((output) =>
      isWithin(output, feeFor(vsizeOf(addressKind, 1, [output.script.length]), terms.rate)),
    );
    for (const [at, output] of hopeful.entries()) {
      const fitting = fitOutputs(coins, hopeful.slice(at), terms, isPaidFor);
      if (fitting) return fitting;
      const alone = selectCoins(coins, [output], terms);
      if (!alone || isWithin(output, feeOf(alone))) throw new NotEnoughFunds(shortage(coins, [output]));
    }
    throw waits ? new AllMustWait(waits.message) : new Error('there is nothing to send');
  }

  /** Coins that the node does not have were spent elsewhere with the same key: no node would take our transaction. */
  async function fitToLiving(
    coins: readonly Coin[],
    outputs: readonly PayoutOutput[],
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

  function shortage(coins: readonly Coin[], [first]: readonly PayoutOutput[]): string {
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
    const payoutIds = carried.map(({ payout }) => payout.id);
    return toSignedTransaction(signed, { spending, outputs: carried, change, payoutIds, height, assetCode });
  }

  const withoutClearing = (rates: FeeRates): SpendingTerms => ({ ...spendingTerms(rates, coin), lowRate: -1n });
  const ratesAndHeight = () => Promise.all([readFeeRates(rpc, rules, targetBlocks), rpc.call<number>('getblockcount')]);

  return {
    feeAssetCode: assetCode,
    async estimateFee({ id, ...payout }, wallet) {
      const rates = await readFeeRates(rpc, rules, targetBlocks);
      const script = scriptOf(id, payout);
      // As many coins as would be needed now, and one more. At least two, which is usual.
      const coins = await wallet.unspent({ assetCode, limit: coinsQuoted, order: 'largest' });
      const spending = selectCoins(coins, [{ script, units: payout.units }], withoutClearing(rates));
      const inputs = Math.max(2, (spending?.coins.length ?? 0) + 1);
      const quotedRate = (rates.rate * 5n + 3n) / 4n;
      const vsize = vsizeOf(addressKind, inputs, [script.length, ownScriptLength(addressKind)]);
      return { assetCode, units: feeFor(vsize, quotedRate) };
    },

    async prepare(payouts, context) {
      const wanted = payouts.map(outputOf);
      const [rates, height] = await ratesAndHeight();
      const coins = await context.unspent({ assetCode, limit: coinsMax, order: 'largest' });
      const fitting = await fitToLiving(coins, wanted, spendingTerms(rates, coin), context.now);
      return sign(fitting, context, height);
    },

    async housekeeping(context) {
      const limit = heapSize + 1;
      if ((await context.unspent({ assetCode, limit })).length < limit) return []; // This saves a call to the node.
      const [rates, height] = await ratesAndHeight();
      const terms = spendingTerms(rates, coin);
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

    replace: createReplacer({ rpc, coin, keys, assetCode }),
  };
}

/** Core's RPC_VERIFY_ALREADY_IN_CHAIN. Older and other nodes say it only in the message. */
const alreadyInChainCode = -27;
const isAlreadyThere = ({ code, message }: RpcRefusal): boolean =>
  code === alreadyInChainCode ||
  /txn-already-(known|in-mempool)|already in (the )?(mempool|block ?chain)/i.test(message);
