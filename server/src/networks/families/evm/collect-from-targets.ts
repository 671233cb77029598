/**
 * Collecting: what customers paid to our addresses goes to the wallet that we send from. Gas is paid in ether, so an
 * address that has a token and no ether first gets ether from the wallet: a top-up.
 *
 * All addresses that are due are handled together. One round signs the top-ups for all of them, with consecutive
 * nonces, so that one block can take them. After that block the next round collects from all of them. Why not in one
 * transaction: docs/decisions/0013.
 *
 * Nothing important is kept in memory. The stored uses say which payments are collected and which top-ups are under
 * way; the chain says whether a top-up has arrived. So a process may die between any two steps, and many addresses can
 * be under way at once.
 */
import { addMs, minutes } from '../../../lib/clock.ts';
import type { Coin, SendContext, SignedTransaction } from '../../port/sending.ts';
import { type EvmAccountReading, readEvmAccount } from './evm-account.ts';
import { type GasPrice, gasFor, gasPriceNow, least, plainTransferGas, Reverted } from './evm-gas.ts';
import { openUses, type Use, usesIn } from './evm-uses.ts';
import { headerAt } from './follow-evm-chain.ts';
import { callFor, type EvmSending, type EvmWallet, signEvmTransaction } from './sign-evm-transaction.ts';

/** By asset code: the least that is collected from one address, in units of the asset. */
export type CollectMinimums = Readonly<Record<string, bigint>>;

/** About the gas that it takes to collect a token: a top-up, and the transfer of the token. */
const collectingGas = { topUp: plainTransferGas, token: 65_000n };
/** Ether is collected when it is worth this many times its fee. */
const timesItsFee = 4n;
const firstLook = 1_000;
const coinsMax = 100_000;
/** The node is asked about so many addresses per round; the others follow in the next round. */
const looksMax = 500;
/** So many of them are asked about at the same time. */
const looksAtOnce = 50;
/** Transactions per round: few enough that a node broadcasts them all and one block has room for them. */
const batchMax = 50;
/** For so long we do not try an address again at which nothing could be done. */
const restMs = minutes(60);

type Group = {
  readonly assetCode: string;
  readonly targetKey: string;
  readonly targetIndex: number;
  readonly coins: Coin[];
  readonly units: bigint;
};
type Round = {
  readonly blockHash: string;
  readonly price: GasPrice;
  readonly wallet: EvmAccountReading;
  /** Of all transactions under way, and of those that this round has signed. */
  readonly uses: Use[];
};
/** `gas`: of the transfer. Null: too little is left to be worth it, or the token would refuse the transfer. */
type Look = { readonly account: EvmAccountReading; readonly gas: bigint | null };

/**
 * By address: a token there that a transaction of ours collects, but fees have risen since it was signed, and the
 * address has too little ether for a replacement. `missing`: how much too little, in wei.
 */
export type Stranded = Map<string, { readonly assetCode: string; readonly units: bigint; readonly missing: bigint }>;

/**
 * `usualGasPrice`: the price of gas for which the minimum of a token was chosen. When gas costs more, the minimum grows
 * with it. `stranded`: filled by the sender's `replace`, emptied here.
 */
export function createCollector(
  wallet: EvmWallet,
  { minimums, usualGasPrice }: { readonly minimums: CollectMinimums; readonly usualGasPrice: bigint },
  stranded: Stranded,
) {
  const { rpc, ether, walletKey } = wallet;
  // These only save calls to the node, and may be lost. Resting: addresses that were emptied by hand, or frozen by the
  // token.
  const resting = new Map<string, Date>();
  let searchedAt = '';
  let idleWith = '';

  return async function collectDue(context: SendContext): Promise<readonly SignedTransaction[]> {
    const topUps = await topUpStranded(context);
    if (topUps.length > 0) return topUps;
    // Tokens first, because ether at the same address can pay for their transfer.
    const assetCodes = [...wallet.tokens.map(({ assetCode }) => assetCode), ether];
    const oldest = new Map<string, readonly Coin[]>();
    for (const assetCode of assetCodes) {
      oldest.set(assetCode, await context.unspent({ assetCode, limit: firstLook }));
    }
    if ([...oldest.values()].every((coins) => coins.length === 0)) return [];
    const block = await headerAt(rpc, 'latest');
    if (!block) return [];
    const groups: Group[] = [];
    for (const [assetCode, coins] of oldest) groups.push(...(await groupsOf(context, assetCode, coins, block.hash)));
    const uses = await openUses(context);
    const situation = [block.hash, uses.length, ...groups.map(nameOf)].join();
    if (groups.length === 0) searchedAt = block.hash;
    if (groups.length === 0 || situation === idleWith) return [];

    const price = await gasPriceNow(wallet);
    const worthy = price.isTooDear ? [] : groups.filter(({ assetCode, units }) => isWorthIt(assetCode, units, price));
    const reading = await readEvmAccount(rpc, block.hash, walletKey, { ether, token: null });
    const signed = await collectFrom(worthy, { blockHash: block.hash, price, wallet: reading, uses }, context);
    if (signed.length === 0 && worthy.length <= looksMax) idleWith = situation;
    return signed;
  };

  /** The payments of a stranded transaction are in its uses, so usual collecting does not top up their address. */
  async function topUpStranded(context: SendContext): Promise<readonly SignedTransaction[]> {
    const block = stranded.size === 0 ? null : await headerAt(rpc, 'latest');
    if (!block) return [];
    const [price, uses] = [await gasPriceNow(wallet), await openUses(context)];
    const reading = await readEvmAccount(rpc, block.hash, walletKey, { ether, token: null });
    const round: Round = { blockHash: block.hash, price, wallet: reading, uses };
    const signed: SignedTransaction[] = [];
    for (const [targetKey, { assetCode, units, missing }] of [...stranded].slice(0, batchMax)) {
      stranded.delete(targetKey); // If a top-up does not help, `replace` will put it here again.
      if (price.isTooDear || isToppedUp({ assetCode, targetKey }, round)) continue;
      const step = isWorthIt(assetCode, units, price) ? await topUp(targetKey, missing, round) : 'wait';
      if (step === 'wait') continue;
      signed.push(step);
      uses.push(...usesIn(step.uses));
    }
    return signed;
  }

  async function collectFrom(groups: readonly Group[], round: Round, context: SendContext) {
    const signed: SignedTransaction[] = [];
    for (let at = 0; at < Math.min(groups.length, looksMax); at += looksAtOnce) {
      const some = groups.slice(at, at + looksAtOnce);
      const looks = await Promise.all(some.map((group) => look(group, round)));
      for (const [position, group] of some.entries()) {
        // It may have been topped up in this round, for another token.
        const seen = isToppedUp(group, round) ? null : looks[position];
        const step = seen ? await nextStep(group, seen, round) : 'wait';
        if (step === 'nothing to do') resting.set(nameOf(group), addMs(context.now, restMs));
        if (typeof step === 'string') continue;
        signed.push(step);
        round.uses.push(...usesIn(step.uses));
        if (signed.length === batchMax) return signed;
      }
    }
    return signed;
  }

  /** Whether ether for its token is on the way. */
  function isToppedUp(
    { assetCode, targetKey }: Pick<Group, 'assetCode' | 'targetKey'>,
    { wallet: own, uses }: Pick<Round, 'wallet' | 'uses'>,
  ): boolean {
    if (assetCode === ether) return false;
    const { minedCount } = own(uses);
    return uses.some(({ from, nonce, to }) => from === walletKey && to === targetKey && nonce >= minedCount);
  }

  async function look(group: Group, round: Round): Promise<Look | null> {
    if (isToppedUp(group, round)) return null;
    const { assetCode, targetKey } = group;
    const { blockHash, uses, price } = round;
    const token = wallet.tokens.find((candidate) => candidate.assetCode === assetCode) ?? null;
    const account = await readEvmAccount(rpc, blockHash, targetKey, { ether, token });
    if (!token) return { account, gas: plainTransferGas };
    const units = least(group.units, account(uses).freeUnits);
    if (!isWorthIt(assetCode, units, price)) return { account, gas: null };
    // Tried at each address, not once per token: an issuer can freeze a single address.
    const call = callFor(wallet, { assetCode, units, to: walletKey });
    return { account, gas: await gasOrNull({ from: targetKey, ...call }) };
  }

  function nextStep(group: Group, seen: Look, round: Round): Promise<SignedTransaction | 'wait' | 'nothing to do'> {
    return group.assetCode === ether ? collectEther(group, seen, round) : collectToken(group, seen, round);
  }

  /** By address, oldest first. Once per block we read all coins, because the oldest may all be too small to collect. */
  async function groupsOf(
    context: SendContext,
    assetCode: string,
    oldest: readonly Coin[],
    blockHash: string,
  ): Promise<Group[]> {
    const isReady = (group: Group) =>
      group.units >= (minimums[assetCode] ?? 0n) && (resting.get(nameOf(group)) ?? context.now) <= context.now;
    const groups = groupByTarget(assetCode, oldest).filter(isReady);
    if (groups.length > 0 || oldest.length < firstLook || searchedAt === blockHash) return groups;
    return groupByTarget(assetCode, await context.unspent({ assetCode, limit: coinsMax })).filter(isReady);
  }

  function isWorthIt(assetCode: string, units: bigint, { expectedPerGas, surchargeOf }: GasPrice): boolean {
    const minimum = minimums[assetCode] ?? 0n;
    const ofCoin = surchargeOf('coin', plainTransferGas).expected;
    if (assetCode === ether)
      return units >= minimum && units >= timesItsFee * (plainTransferGas * expectedPerGas + ofCoin);
    const { topUp, token } = collectingGas;
    const surcharges = ofCoin + surchargeOf('token', token).expected;
    const perGas = expectedPerGas + surcharges / (topUp + token);
    return units > 0n && units >= minimum && units * usualGasPrice >= minimum * perGas;
  }

  async function collectEther(group: Group, { account }: Look, { uses, price }: Round) {
    const state = account(uses);
    // Ether that earlier transactions left at the address pays for the fee first.
    const surchargeMax = price.surchargeOf('coin', plainTransferGas).max;
    const units = least(group.units, state.freeWei - plainTransferGas * price.maxFeePerGas - surchargeMax);
    if (!isWorthIt(ether, units, price)) return 'nothing to do';
    const nonce = state.nextNonce;
    return sign(group, { assetCode: ether, units, gas: plainTransferGas, fees: price, surchargeMax, nonce });
  }

  async function collectToken(group: Group, { account, gas }: Look, round: Round) {
    const { assetCode } = group;
    const { uses, price } = round;
    const state = account(uses);
    const units = least(group.units, state.freeUnits);
    if (gas === null || !isWorthIt(assetCode, units, price)) return 'nothing to do';

    const surcharge = price.surchargeOf('token', gas);
    const forGas = state.freeWei - surcharge.least;
    const affordable = forGas > 0n ? least(price.maxFeePerGas, forGas / gas) : 0n;
    if (affordable * 8n >= least(price.expectedPerGas * 9n, price.maxFeePerGas * 8n)) {
      const fees = { maxFeePerGas: affordable, maxPriorityFeePerGas: least(price.maxPriorityFeePerGas, affordable) };
      const surchargeMax = least(surcharge.max, state.freeWei - gas * affordable);
      return sign(group, { assetCode, units, gas, fees, surchargeMax, nonce: state.nextNonce });
    }
    const missing = gas * price.maxFeePerGas + surcharge.max - state.freeWei;
    return topUp(group.targetKey, missing, round);
  }

  async function topUp(targetKey: string, missing: bigint, { uses, price, wallet: reading }: Round) {
    const own = reading(uses);
    const surchargeMax = price.surchargeOf('coin', plainTransferGas).max;
    if (own.freeWei < missing + plainTransferGas * price.maxFeePerGas + surchargeMax) return 'wait';
    return signEvmTransaction(wallet, {
      kind: 'topUp',
      targetIndex: null,
      to: targetKey,
      assetCode: ether,
      units: missing,
      gas: plainTransferGas,
      fees: feesOf(price),
      surchargeMax,
      nonce: own.nextNonce,
    });
  }

  async function gasOrNull(call: Parameters<typeof gasFor>[1]): Promise<bigint | null> {
    try {
      return await gasFor(rpc, call);
    } catch (error) {
      if (error instanceof Reverted) return null; // The issuer has frozen this address, or the token as a whole.
      throw error;
    }
  }

  function sign(
    { coins, targetIndex, units: collects }: Group,
    sending: Pick<EvmSending, 'assetCode' | 'units' | 'gas' | 'fees' | 'surchargeMax' | 'nonce'>,
  ): Promise<SignedTransaction> {
    return signEvmTransaction(wallet, {
      ...sending,
      kind: 'collect',
      targetIndex,
      to: walletKey,
      collects,
      fees: feesOf(sending.fees),
      coins: coins.map(({ txHash, index }) => `${txHash}:${index}`),
    });
  }
}

const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: Pick<GasPrice, 'maxFeePerGas' | 'maxPriorityFeePerGas'>) => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});

const nameOf = ({ assetCode, targetKey, units }: Group): string => `${assetCode}/${targetKey}/${units}`;

function groupByTarget(assetCode: string, coins: readonly Coin[]): Group[] {
  const groups = Map.groupBy(coins, ({ targetKey }) => targetKey);
  return [...groups].flatMap(([targetKey, own]) => {
    const targetIndex = own[0]?.targetIndex;
    if (targetIndex === undefined) return [];
    return [{ assetCode, targetKey, targetIndex, coins: own, units: own.reduce((sum, { units }) => sum + units, 0n) }];
  });
}
