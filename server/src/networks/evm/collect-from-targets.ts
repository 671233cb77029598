/**
 * Collecting: what customers paid to their own addresses goes to the wallet that we send from. A token cannot pay for
 * its own transfer, so an address without ether is topped up by the wallet first.
 *
 * Nothing is remembered here. Which payments are collected, and which top-ups are under way, is in the claims; whether
 * a top-up has arrived is on the chain. So a process may die between any two steps, and many addresses can be under
 * way at once.
 */
import { addMs, minutes } from '../../lib/clock.ts';
import type { Coin, SendContext, SignedTransaction } from '../port.ts';
import { type EvmAccountState, readEvmAccount } from './evm-account.ts';
import { claimedUses, type Use } from './evm-claims.ts';
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
/** Addresses asked about per call; the rest has its turn in the next. */
const looksMax = 500;
/** How long an address where nothing could be done is left alone. */
const restMs = minutes(60);

type Group = {
  readonly targetKey: string;
  readonly targetIndex: number;
  readonly coins: Coin[];
  readonly units: bigint;
};
type Position = {
  readonly blockHash: string;
  readonly uses: readonly Use[];
  readonly price: GasPrice;
  /** Of the wallet; asked for once, and only if needed. */
  walletState(): Promise<EvmAccountState>;
};

export function createCollector(wallet: EvmWallet, minimums: CollectMinimums) {
  const { rpc, ether, walletKey } = wallet;
  /** Only saves questions: an address that was emptied by hand, or that its token has frozen. */
  const resting = new Map<string, Date>();

  return async function collectNext(context: SendContext): Promise<SignedTransaction | null> {
    const price = await gasPriceNow(rpc, wallet.feeCeiling);
    const block = await headerAt(rpc, 'latest');
    if (price.isTooDear || !block) return null;
    const uses = await claimedUses(context);
    let walletState: Promise<EvmAccountState> | undefined;
    const position: Position = {
      ...{ blockHash: block.hash, uses, price },
      walletState: () => (walletState ??= readEvmAccount(rpc, block.hash, walletKey, { uses, ether, token: null })),
    };
    let looks = 0;
    // Tokens first: ether that lies at the same address pays for their transfer.
    for (const { assetCode } of [...wallet.tokens, { assetCode: ether }]) {
      for (const group of await groupsWorthIt(context, assetCode, price)) {
        const restKey = `${assetCode}/${group.targetKey}/${group.units}`;
        if ((resting.get(restKey) ?? context.now) > context.now) continue;
        looks += 1;
        if (looks > looksMax) return null;
        const step = await (assetCode === ether
          ? collectEther(group, position)
          : collectToken(group, assetCode, position));
        if (step === 'nothing to do') resting.set(restKey, addMs(context.now, restMs));
        else if (step !== 'wait') return step;
      }
    }
    return null;
  };

  /** Grouped by address, oldest first. Small change in great numbers must not hide what came after it. */
  async function groupsWorthIt(context: SendContext, assetCode: string, price: GasPrice): Promise<Group[]> {
    for (let limit = firstLook; ; limit *= 10) {
      const coins = await context.unspent({ assetCode, limit });
      const groups = groupByTarget(coins).filter(({ units }) => isWorthIt(assetCode, units, price));
      if (groups.length > 0 || coins.length < limit || limit >= coinsMax) return groups;
    }
  }

  function isWorthIt(assetCode: string, units: bigint, { expectedPerGas }: GasPrice): boolean {
    const minimum = minimums[assetCode] ?? 0n;
    if (assetCode === ether) return units >= minimum && units >= etherPerGas * plainTransferGas * expectedPerGas;
    return units > 0n && units >= minimum && units * usualGasPrice >= minimum * expectedPerGas;
  }

  async function collectEther(group: Group, { blockHash, uses, price }: Position) {
    const state = await readEvmAccount(rpc, blockHash, group.targetKey, { uses, ether, token: null });
    // What earlier transactions left over pays for the gas as far as it goes.
    const units = least(group.units, state.freeWei - plainTransferGas * price.maxFeePerGas);
    if (!isWorthIt(ether, units, price)) return 'nothing to do';
    return sign(group, { assetCode: ether, units, gas: plainTransferGas, fees: price, nonce: state.nextNonce });
  }

  async function collectToken(group: Group, assetCode: string, position: Position) {
    const { blockHash, uses, price } = position;
    const token = wallet.tokens.find((candidate) => candidate.assetCode === assetCode) ?? null;
    const own = await position.walletState();
    const isOnItsWay = ({ from, nonce, to }: Use) =>
      from === walletKey && to === group.targetKey && nonce >= own.minedCount;
    if (uses.some(isOnItsWay)) return 'wait';

    const state = await readEvmAccount(rpc, blockHash, group.targetKey, { uses, ether, token });
    const units = least(group.units, state.freeUnits);
    if (!isWorthIt(assetCode, units, price)) return 'nothing to do';
    const gas = await gasOrNull({ from: group.targetKey, ...callFor(wallet, { assetCode, units, to: walletKey }) });
    if (gas === null) return 'nothing to do';

    const affordable = state.freeWei > 0n ? least(price.maxFeePerGas, state.freeWei / gas) : 0n;
    if (affordable * 8n >= least(price.expectedPerGas * 9n, price.maxFeePerGas * 8n)) {
      const fees = { maxFeePerGas: affordable, maxPriorityFeePerGas: least(price.maxPriorityFeePerGas, affordable) };
      return sign(group, { assetCode, units, gas, fees, nonce: state.nextNonce });
    }
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

function groupByTarget(coins: readonly Coin[]): Group[] {
  const groups = Map.groupBy(coins, ({ targetKey }) => targetKey);
  return [...groups].flatMap(([targetKey, own]) => {
    const targetIndex = own[0]?.targetIndex;
    if (targetIndex === undefined) return [];
    return [{ targetKey, targetIndex, coins: own, units: own.reduce((sum, { units }) => sum + units, 0n) }];
  });
}
