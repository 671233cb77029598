/** One installation on a chain of its own, for the stories of sending and collecting on Ethereum and chains like it. */
import assert from 'node:assert/strict';
import type { EvmChain, StartEvmChain } from '@quittance/sandbox/evm-chain';
import { evmChainSettings } from '@quittance/sandbox/evm-chain-harness';
import { createEthereumConnector } from '@quittance/server/networks/ethereum/ethereum';
import type { EvmSettings } from '@quittance/server/networks/families/evm/evm-settings';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import type { Connector } from '@quittance/server/networks/port/connector';
import type { DepositTarget } from '@quittance/server/networks/port/receiving';
import type {
  OutgoingTransaction,
  Payout,
  SentUpdate,
  SignedTransaction,
} from '@quittance/server/networks/port/sending';
import { createWatched, type Watched } from '@quittance/server/test/networks/watched-connector';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';

export const whole: bigint = 10n ** 18n;
export const dollar: bigint = 10n ** 6n;
export const stranger = (digit: string): string => `0x${digit.repeat(40)}`;

type Settings = EvmSettings;

export type EvmWorld = Awaited<ReturnType<typeof startEvmWorld>>;

export async function startEvmWorld(
  startChain: StartEvmChain,
  connect: (settings: Settings) => Connector = createEthereumConnector,
) {
  const chain: EvmChain = await startChain({ user: 'sandbox', password: 'sandbox' });
  let settings: Settings = evmChainSettings(chain);
  let watched: Watched = createWatched(connect(settings));
  let nextId = 0;
  await watched.observe();

  const sender = () => senderOf(watched.connector);
  const wallet = (): string => watched.connector.wallet?.address ?? '';
  const contractOf = (assetCode: string): string =>
    settings.tokens.find((token) => token.assetCode === assetCode)?.contract ?? '';

  const etherAt = async (address: string): Promise<bigint> =>
    BigInt(await chain.node.call<Hex>('eth_getBalance', address, 'latest'));

  async function tokensAt(address: string, assetCode: string): Promise<bigint> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address as Hex] });
    return BigInt(await chain.node.call<Hex>('eth_call', { to: contractOf(assetCode), data }, 'latest'));
  }

  async function mine(blocks: number): Promise<void> {
    await chain.mine(blocks);
    await watched.observe();
  }

  /** Signed, not stored. */
  const nextChores = async (): Promise<readonly SignedTransaction[]> =>
    (await sender().housekeeping?.(watched.sendContext())) ?? [];

  const chores = async (): Promise<OutgoingTransaction[]> =>
    (await nextChores()).map((signed) => watched.outgoing.keep(signed));

  const updates = (): SentUpdate[] => [...watched.outgoing.transactions.values()].flatMap(({ update }) => update ?? []);

  const receivedAt = (target: DepositTarget, assetCode: string): bigint =>
    watched
      .paymentsTo(target)
      .filter(({ observation, fate }) => observation.assetCode === assetCode && fate === 'in a block')
      .reduce((sum, { observation }) => sum + observation.units, 0n);

  return {
    chain,
    get watched() {
      return watched;
    },
    sender,
    wallet,
    etherAt,
    tokensAt,
    mine,
    nextChores,
    chores,
    updates,
    /** Another installation, with other tokens. */
    async open(more: Partial<Settings>): Promise<void> {
      settings = { ...settings, ...more };
      watched = createWatched(connect(settings));
      await watched.observe();
    },
    restart: (more: Partial<Settings> = {}): void => watched.restart(connect({ ...settings, ...more })),
    /** From the faucet, by the token's contract: the chain itself knows only two tokens. */
    async payTokens(address: string, assetCode: string, units: bigint): Promise<void> {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address as Hex, units] });
      await chain.send({ to: contractOf(assetCode) as Hex, data });
    },
    async fund(units: bigint): Promise<void> {
      await chain.pay({ address: wallet(), units });
      await mine(1);
    },
    transfer: (address: string, assetCode: string, units: bigint): Payout => ({
      id: `transfer-${nextId++}`,
      address,
      memo: null,
      memoType: null,
      holder: null,
      assetCode,
      units,
    }),
    prepare: async (transfer: Payout): Promise<OutgoingTransaction> =>
      watched.outgoing.keep(await sender().prepare([transfer], watched.sendContext())),
    async keepHouse(): Promise<void> {
      for (let kept = await chores(); kept.length > 0; kept = await chores()) {
        for (const each of kept) await sender().broadcast(each);
        await mine(1);
      }
    },
    updateOf: ({ txHash }: { txHash: string }): SentUpdate | null | undefined =>
      watched.outgoing.transactions.get(txHash)?.update,
    /** What should be at the targets is there, and nothing was lost but what the gas did cost. */
    async assertSound(targets: readonly DepositTarget[], funded: bigint): Promise<void> {
      let etherOfTargets = 0n;
      let paid = 0n;
      for (const target of targets) {
        const ether = await etherAt(target.address);
        assert.equal(ether, receivedAt(target, 'ETH') + watched.outgoing.movedAt(target.key, 'ETH'));
        for (const { assetCode } of settings.tokens) {
          const should = receivedAt(target, assetCode) + watched.outgoing.movedAt(target.key, assetCode);
          assert.equal(await tokensAt(target.address, assetCode), should);
        }
        etherOfTargets += ether;
        paid += receivedAt(target, 'ETH');
      }
      const fees = updates().reduce((sum, { fee }) => sum + fee.units, 0n);
      assert.equal((await etherAt(wallet())) + etherOfTargets, funded + paid - fees);
    },
  };
}
