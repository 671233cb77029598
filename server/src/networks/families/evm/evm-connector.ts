/**
 * Ethereum and everything built like it. Addresses are derived here and blocks are read whole. One look-up per block
 * finds the transfers that are ours, however many targets there are. The node needs neither an archive nor traces.
 *
 * What a token's own log says counts as received: a token that keeps a fee logs what is left after it (USDT does so;
 * its fee is zero today). The operator chooses which tokens we trust. Any other token is reported as a stray.
 */
import { hexToBigInt, hexToNumber } from 'viem';
import type { Secret } from '../../../lib/secret.ts';
import { type Connector, NetworkError } from '../../port/connector.ts';
import type { NetworkDefinition } from '../../port/definition.ts';
import type { NetworkFacts, Observation, Observed, Stray, VanishedArrival } from '../../port/receiving.ts';
import type { Destination, SentUpdate } from '../../port/sending.ts';
import type { CollectMinimums } from './collect-from-targets.ts';
import { areBalancesDue, compareBalances } from './compare-balances.ts';
import { tokenBalance } from './evm-account.ts';
import { createEvmAddressDeriver } from './evm-address.ts';
import { type EvmHeader, headerOf, nameTransfers } from './evm-block.ts';
import { advanceEvmCursor, cursorBlock, readEvmCursor } from './evm-cursor.ts';
import { evmAddressProblem } from './evm-destination.ts';
import { replacedBy, toUnconfirmed, traceOf } from './evm-fate.ts';
import { createFinalityReader } from './evm-finality.ts';
import { gwei } from './evm-gas.ts';
import { evmHoldings } from './evm-holdings.ts';
import { openEvmKeys } from './evm-keys.ts';
import { createPayerCost } from './evm-payer-cost.ts';
import { createEvmRpc } from './evm-rpc.ts';
import { createEvmSender } from './evm-sender.ts';
import { noSurcharge } from './evm-surcharge.ts';
import { evmCursorAtTip, headerAt, nextEvmBlocks, stepBackEvm } from './follow-evm-chain.ts';
import { sentInBlock, sentNevermore, sentUnnoticed } from './follow-evm-outgoing.ts';
import { opStackSurcharge } from './op-stack-surcharge.ts';
import { readEvmBlock, toObservation, transferLogs } from './read-evm-block.ts';
import { readPending } from './read-pending.ts';
import { rereadBlocks } from './reread-blocks.ts';

export type EvmToken = { readonly assetCode: string; readonly contract: string; readonly decimals: number };

export type EvmOptions = {
  readonly rpcUrl: Secret;
  readonly xpub: string;
  readonly chainId: number;
  readonly tokens: readonly EvmToken[];
  readonly timeoutMs?: number;
  /** The private half of `xpub`. Left out, the connector only receives. */
  readonly xprv?: Secret;
  /** The most that is paid per gas, in gwei. */
  readonly feeCeilingGwei?: number;
  /** The least that is collected from an address. Left out: a few times the smallest payment. */
  readonly collectMinimums?: CollectMinimums;
  /** The price of gas, in gwei, for which `collectMinimums` were chosen. When gas costs more, those of tokens grow. */
  readonly usualGasGwei?: number;
  /** The kind of rollup, which decides how its surcharge is found. Left out: the chain is no rollup. */
  readonly rollup?: 'op-stack';
};

/** Many enough to catch up quickly, and few enough that the cursor is stored every few seconds. */
const blocksPerRound = 16;
/** To compare balances takes hundreds of calls: too many for every block of a chain with fast blocks. */
const balancesEverySeconds = 12;
const usualCeilingGwei = 100;
const usualGasGwei = 20;

export function createEvmConnector(definition: NetworkDefinition, options: EvmOptions): Connector {
  const rpc = createEvmRpc(options.rpcUrl.reveal(), options.timeoutMs ?? 30_000);
  const addressAt = createEvmAddressDeriver(options.xpub);
  const assetByContract = new Map(options.tokens.map(({ contract, assetCode }) => [contract.toLowerCase(), assetCode]));
  const ether = definition.assets[0]?.assetCode ?? definition.id;
  const assetOf = (contract: string | null) => (contract === null ? ether : assetByContract.get(contract));
  const balancesEvery = Math.max(1, Math.round(balancesEverySeconds / definition.averageBlockSeconds));
  const surcharge = options.rollup === 'op-stack' ? opStackSurcharge : noSurcharge;
  const finalityAt = createFinalityReader(rpc);
  const addressProblem = (destination: Destination): string | null =>
    evmAddressProblem(destination, {
      networkName: definition.name,
      ownAddress: wallet?.key ?? null,
      contracts: [...assetByContract.keys()],
    });
  const { wallet, sender } = createWallet();
  const payerCost = createPayerCost({ rpc, surcharge }, ether, [...assetByContract.values()]);
  let isNodeChecked = false;
  let sendable: { readonly tip: string; readonly facts: NetworkFacts } | undefined;
  let lookedUnnoticedAt = '';
  const sought = new Set<string>();

  function createWallet(): Pick<Connector, 'wallet' | 'sender'> {
    if (!options.xprv) return {};
    const keys = openEvmKeys(options.xprv, options.xpub);
    const { address } = keys.wallet;
    const key = address.toLowerCase();
    const { chainId, tokens, feeCeilingGwei = usualCeilingGwei } = options;
    const feeCeiling = BigInt(feeCeilingGwei) * gwei;
    const usualGasPrice = BigInt(options.usualGasGwei ?? usualGasGwei) * gwei;
    const minimums = Object.fromEntries(
      definition.assets.map(({ assetCode, minimumUnits }) => [
        assetCode,
        options.collectMinimums?.[assetCode] ?? 5n * minimumUnits,
      ]),
    );
    return {
      wallet: { key, address, memo: null, memoType: null },
      sender: createEvmSender(
        definition,
        { rpc, keys, chainId, ether, tokens, feeCeiling, surcharge, walletKey: key },
        { minimums, usualGasPrice, addressProblem },
      ),
    };
  }

  async function nodeTip(): Promise<EvmHeader> {
    const [tip, syncing] = await Promise.all([headerAt(rpc, 'latest'), rpc.call<unknown>('eth_syncing')]);
    if (!isNodeChecked) {
      await assertRightChain();
      isNodeChecked = true;
    }
    if (syncing !== false || !tip) {
      throw new NetworkError(`The ${definition.name} node is still synchronising.`, { isRetryable: true });
    }
    return tip;
  }

  async function assertRightChain(): Promise<void> {
    const chainId = hexToNumber(await rpc.call<`0x${string}`>('eth_chainId'));
    if (chainId !== options.chainId) {
      throw new NetworkError(
        `The ${definition.name} node is on the chain ${chainId}, but ${options.chainId} is configured.`,
        { isRetryable: false },
      );
    }
    for (const { assetCode, contract, decimals } of options.tokens) {
      const call = { to: contract, data: '0x313ce567' }; // decimals()
      const answer = await rpc.call<`0x${string}`>('eth_call', call, 'latest');
      if (answer !== '0x' && hexToNumber(answer) === decimals) continue;
      throw new NetworkError(
        `${contract} is not a token with ${decimals} decimals, as is configured for ${assetCode}.`,
        {
          isRetryable: false,
        },
      );
    }
  }

  /** What the wallet holds, for the operator. */
  async function walletFacts(tip: EvmHeader): Promise<NetworkFacts | undefined> {
    if (!wallet || sendable?.tip === tip.hash) return sendable?.facts;
    const [wei, ...units] = await Promise.all([
      rpc.call<`0x${string}`>('eth_getBalance', wallet.key, 'latest').then(hexToBigInt),
      ...options.tokens.map(({ contract }) => tokenBalance(rpc, contract, wallet.key, 'latest')),
    ]);
    const held = [[ether, String(wei)], ...options.tokens.map(({ assetCode }, at) => [assetCode, String(units[at])])];
    sendable = { tip: tip.hash, facts: { sendable: Object.fromEntries(held) as Record<string, string> } };
    return sendable.facts;
  }

  return {
    network: definition,
    addressProblem,
    ...(wallet && { wallet }),
    ...(sender && { sender }),
    holdings: (context) => evmHoldings(rpc, { wallet: wallet?.key ?? null, ether, tokens: options.tokens }, context),

    async createTarget({ index }) {
      const { key, address } = addressAt(index);
      return { key, address, memo: null, memoType: null };
    },

    async observe(stored, context): Promise<Observed> {
      const tip = await nodeTip();
      const depth = definition.finalityDepth;
      const start = stored ? readEvmCursor(stored) : await evmCursorAtTip(rpc, tip, depth);
      const { cursor: common, vanishedBlocks } = await stepBackEvm(rpc, start, tip);
      const unconfirmed = toUnconfirmed(await context.unconfirmed());
      const observations: Observation[] = [];
      const strays: Stray[] = [];
      const vanished = new Map<string, VanishedArrival>();
      const vanish = (transfers: readonly VanishedArrival[]) => {
        for (const transfer of transfers) vanished.set(transfer.txHash, transfer);
      };
      // An arrival that a balance showed has the hash of its block for a name, and vanishes with the block.
      vanish(vanishedBlocks.map((txHash) => ({ txHash, replacedBy: null })));

      let cursor = common;
      let isCaughtUp = false;
      const blocks = await nextEvmBlocks(rpc, common, tip, blocksPerRound);
      const logs = await transferLogs(rpc, blocks);
      const finality = await finalityAt(tip);
      const finalHeight = finality.finalHeight ?? tip.height - depth + 1;
      // Asked for after the blocks. A transaction is stored before it is broadcast, so all that are in them are listed.
      const outgoing = await context.outgoing();
      const sent: SentUpdate[] = [];
      for (const [at, block] of blocks.entries()) {
        const found = await readEvmBlock(rpc, block, logs[at] ?? [], context, assetOf);
        const ownSent = await sentInBlock(rpc, block, outgoing, { ether, finalHeight, surcharge });
        if (!found || !ownSent) break;
        observations.push(...found.observations);
        strays.push(...found.strays);
        sent.push(...ownSent);
        // The transfers that a mined transaction made are in the observations above. Others that it promised are gone.
        const mined = new Set(block.transactions.map(({ hash }) => hash));
        vanish(
          unconfirmed.filter(({ txHash }) => mined.has(txHash)).map(({ txHash }) => ({ txHash, replacedBy: null })),
        );
        vanish(replacedBy(unconfirmed, block.transactions));
        cursor = advanceEvmCursor(cursor, headerOf(block), depth);
      }

      // What follows compares the tip with what is stored, so it waits until all blocks are read and stored.
      if (blocks.length === 0 && cursor.rereadAbove !== undefined) {
        const walletKey = wallet?.key ?? null;
        const known = { ether, finalHeight, surcharge, outgoing, walletKey, assetOf };
        const reread = await rereadBlocks(rpc, context, cursor, blocksPerRound, known);
        cursor = reread.cursor;
        observations.push(...reread.observations);
        strays.push(...reread.strays);
        sent.push(...reread.sent);
      } else if (blocks.length === 0 && cursor.hash === tip.hash) {
        const pending = await readPending(rpc, context, { unconfirmed, cursor });
        const known = new Set([...unconfirmed, ...outgoing].map(({ txHash }) => txHash));
        for (const { transfer, index } of nameTransfers(pending.ours)) {
          const assetCode = assetOf(transfer.contract);
          if (assetCode === undefined || known.has(transfer.txHash)) continue;
          const trace = traceOf(transfer.transaction);
          observations.push({ ...toObservation(transfer, assetCode, index), block: null, trace });
        }
        vanish(pending.vanished);
        isCaughtUp = pending.isSettled;
        if (lookedUnnoticedAt !== cursor.hash) {
          const followed = { ether, finalHeight, surcharge, sought };
          sent.push(...(await sentUnnoticed(rpc, cursor, outgoing, followed)));
          if (sent.length === 0) sent.push(...(await sentNevermore(rpc, cursor, outgoing, followed)));
          if (sent.length === 0) lookedUnnoticedAt = cursor.hash;
        }
        if (sent.length > 0) {
          // What our transactions moved must be stored before balances are compared.
          isCaughtUp = false;
        } else if (areBalancesDue(cursor, balancesEvery)) {
          const compared = await compareBalances(rpc, context, cursor, ether);
          cursor = compared.cursor;
          observations.push(...compared.observations);
        }
      }

      const cost = await payerCost(tip);
      const facts = { ...(await walletFacts(tip)), ...(cost && { payerCost: cost }) };
      return {
        observations,
        vanishedBlocks,
        vanishedArrivals: [...vanished.values()],
        strays,
        tip: cursorBlock(cursor),
        cursor,
        ...finality,
        sent,
        facts,
        isCaughtUp,
        blocksBehind: Math.max(0, tip.height - cursor.height),
      };
    },
  };
}
