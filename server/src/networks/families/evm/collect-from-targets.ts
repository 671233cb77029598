/**
 * Collecting: what customers paid to their own addresses goes to the wallet that we send from. A token cannot pay for
 * its own transfer, so an address without ether is topped up by the wallet first.
 *
 * All addresses that are due are served together: one round signs the top-ups of all of them, with numbers that follow
 * each other, for one block; when that block is there, the next round collects from all of them, for one block again.
 * Why not in one transaction: docs/decisions/0013.
 *
 * Nothing that matters is remembered here. Which payments are collected, and which top-ups are under way, is in the
 * claims; whether a top-up has arrived is on the chain. So a process may die between any two steps, and many addresses
 * can be under way at once.
 */
import { addMs, minutes } from '../../../lib/clock.ts';
import type { Coin, SendContext, SignedTransaction } from '../../port/sending.ts';
import { type EvmAccountReading, readEvmAccount } from './evm-account.ts';
import { claimedUses, type Use, usesIn } from './evm-claims.ts';
import { type GasPrice, gasFor, gasPriceNow, gwei, least, plainTransferGas, Reverted } from './evm-gas.ts';
import { headerAt } from './follow-evm-chain.ts';
import { callFor, type EvmSending, type EvmWallet, signEvmTransaction } from './sign-evm-transaction.ts';

/** By asset code: the least that is collected from one address, in units of the asset. */
export type CollectMinimums = Readonly<Record<string, bigint>>;

/** What the minimum of a token is meant for. When gas costs more, the minimum grows with it. */
const usualGasPrice = 20n * gwei;
/** Ether is collected when it is worth this many times its gas. */
const etherPerGas = 4n;
const firstLook = 1_000;
const coinsMax = 100_000;
/** Addresses asked about per round; the rest has its turn in the next. */
const looksMax = 500;
/** Asked about at once. */
const looksAtOnce = 50;
/** Transactions per round: no more than a node broadcasts and a block takes, whoever else wants to be in it. */
const batchMax = 50;
/** How long an address where nothing could be done is left alone. */
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
  /** Of all that is under way, and of what this round has signed. */
  readonly uses: Use[];
};
/** `gas`: of the transfer; null when there is nothing left that is worth it, or the token would refuse it. */
type Look = { readonly account: EvmAccountReading; readonly gas: bigint | null };

export function createCollector(wallet: EvmWallet, minimums: CollectMinimums) {
  const { rpc, ether, walletKey } = wallet;
  // These only save questions, and may be lost. Resting: emptied by hand, or frozen by the token.
  const resting = new Map<string, Date>();
  let searchedAt = '';
  let idleWith = '';

  return async function collectDue(context: SendContext): Promise<readonly SignedTransaction[]> {
    // Tokens first: ether that lies at the same address pays for their transfer.
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
    const uses = await claimedUses(context);
    const situation = [block.hash, uses.length, ...groups.map(nameOf)].join();
    if (groups.length === 0) searchedAt = block.hash;
    if (groups.length === 0 || situation === idleWith) return [];

    const price = await gasPriceNow(rpc, wallet.feeCeiling);
    const worthy = price.isTooDear ? [] : groups.filter(({ assetCode, units }) => isWorthIt(assetCode, units, price));
    const reading = await readEvmAccount(rpc, block.hash, walletKey, { ether, token: null });
    const signed = await collectFrom(worthy, { blockHash: block.hash, price, wallet: reading, uses }, context);
    if (signed.length === 0 && worthy.length <= looksMax) idleWith = situation;
    return signed;
  };

  async function collectFrom(groups: readonly Group[], round: Round, context: SendContext) {
    const signed: SignedTransaction[] = [];
    for (let at = 0; at < Math.min(groups.length, looksMax); at += looksAtOnce) {
      const some = groups.slice(at, at + looksAtOnce);
      const looks = await Promise.all(some.map((group) => look(group, round)));
      for (const [position, group] of some.entries()) {
        // Topped up in this very round perhaps, for another token.
        const seen = isToppedUp(group, round) ? null : looks[position];
        const step = seen ? await nextStep(group, seen, round) : 'wait';
        if (step === 'nothing to do') resting.set(nameOf(group), addMs(context.now, restMs));
        if (typeof step === 'string') continue;
        signed.push(step);
        round.uses.push(...usesIn(step.claims));
        if (signed.length === batchMax) return signed;
      }
    }
    return signed;
  }

  /** Ether for its token is on its way. */
  function isToppedUp({ assetCode, targetKey }: Group, { wallet: own, uses }: Round): boolean {
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
    // Tried at each address, not once per token: an issuer can freeze one of them.
    const call = callFor(wallet, { assetCode, units, to: walletKey });
    return { account, gas: await gasOrNull({ from: targetKey, ...call }) };
  }

  function nextStep(group: Group, seen: Look, round: Round): Promise<SignedTransaction | 'wait' | 'nothing to do'> {
    return group.assetCode === ether ? collectEther(group, seen, round) : collectToken(group, seen, round);
  }

  /** By address, oldest first. Once per block all coins are looked at, so that small change hides nothing for ever. */
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

  function isWorthIt(assetCode: string, units: bigint, { expectedPerGas }: GasPrice): boolean {
    const minimum = minimums[assetCode] ?? 0n;
    if (assetCode === ether) return units >= minimum && units >= etherPerGas * plainTransferGas * expectedPerGas;
    return units > 0n && units >= minimum && units * usualGasPrice >= minimum * expectedPerGas;
  }

  async function collectEther(group: Group, { account }: Look, { uses, price }: Round) {
    const state = account(uses);
    // What earlier transactions left over pays for the gas as far as it goes.
    const units = least(group.units, state.freeWei - plainTransferGas * price.maxFeePerGas);
    if (!isWorthIt(ether, units, price)) return 'nothing to do';
    return sign(group, { assetCode: ether, units, gas: plainTransferGas, fees: price, nonce: state.nextNonce });
  }

  async function collectToken(group: Group, { account, gas }: Look, { uses, price, wallet: reading }: Round) {
    const { assetCode } = group;
    const state = account(uses);
    const units = least(group.units, state.freeUnits);
    if (gas === null || !isWorthIt(assetCode, units, price)) return 'nothing to do';

    const affordable = state.freeWei > 0n ? least(price.maxFeePerGas, state.freeWei / gas) : 0n;
    if (affordable * 8n >= least(price.expectedPerGas * 9n, price.maxFeePerGas * 8n)) {
      const fees = { maxFeePerGas: affordable, maxPriorityFeePerGas: least(price.maxPriorityFeePerGas, affordable) };
      return sign(group, { assetCode, units, gas, fees, nonce: state.nextNonce });
    }
    const own = reading(uses);
    const missing = gas * price.maxFeePerGas - state.freeWei;
    if (own.freeWei < missing + plainTransferGas * price.maxFeePerGas) return 'wait';
    return signEvmTransaction(wallet, {
      ...{ kind: 'topUp', targetIndex: null, to: group.targetKey, assetCode: ether, units: missing },
      ...{ gas: plainTransferGas, fees: feesOf(price), nonce: own.nextNonce },
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
    sending: Pick<EvmSending, 'assetCode' | 'units' | 'gas' | 'fees' | 'nonce'>,
  ): Promise<SignedTransaction> {
    return signEvmTransaction(wallet, {
      ...sending,
      ...{ kind: 'collect', targetIndex, to: walletKey, collects, fees: feesOf(sending.fees) },
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
