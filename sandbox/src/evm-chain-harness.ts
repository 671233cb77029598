/** Ethereum or a chain like it, driven by the conformance suite: once for ether, once for each kind of token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@quittance/server/lib/secret';
import { createEthereumConnector } from '@quittance/server/networks/ethereum/ethereum';
import type { EvmSettings } from '@quittance/server/networks/families/evm/evm-settings';
import type { Connector } from '@quittance/server/networks/port/connector';
import type { ConformancePayment } from '@quittance/server/test/networks/conformance';
import type { SendingHarness } from '@quittance/server/test/networks/sending-conformance';
import { HDKey } from '@scure/bip32';
import { encodeFunctionData, erc20Abi, getAddress, type Hex, maxUint256, toHex, zeroAddress } from 'viem';
import { type CompiledContract, readCompiledContracts } from './compile-contracts.ts';
import { type EvmChain, type StartEvmChain, startEvmChain } from './evm-chain.ts';
import { tokenDecimals } from './evm-faucet.ts';

/** An account that only tests use. */
const testAccount = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'");

/** What a connector must be told to watch this chain, and to send on it. */
export const evmChainSettings = ({ url, chainId, tokens }: EvmChain) => ({
  rpcUrl: new Secret(url),
  xpub: testAccount.publicExtendedKey,
  xprv: new Secret(testAccount.privateExtendedKey),
  chainId,
  tokens: Object.entries(tokens).map(([assetCode, contract]) => ({ assetCode, contract, decimals: tokenDecimals })),
});

export async function startEvmChainHarness(
  assetCode: 'ETH' | 'USDC' | 'USDT',
  startChain: StartEvmChain = startEvmChain,
  connect: (settings: EvmSettings) => Connector = createEthereumConnector,
): Promise<SendingHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-evm-'));
  const options = { folder, user: 'sandbox', password: 'sandbox' };
  let chain = await startChain(options);
  const { port } = chain;
  const toPayment = ({ target, units }: ConformancePayment) => ({ address: target.address, units, assetCode });

  let splitter: Promise<Hex> | undefined;
  async function deploySplitter(token: Hex): Promise<Hex> {
    const { Splitter } = await readCompiledContracts();
    const address = await chain.deploy(Splitter as CompiledContract, []);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [address, maxUint256] });
    await chain.send({ to: token, data });
    await chain.mine(1);
    return address;
  }

  async function payTogether(payments: readonly ConformancePayment[]): Promise<Hex> {
    if (assetCode === 'ETH') throw new Error('a transaction pays ether to one address');
    const token = chain.tokens[assetCode];
    const { abi } = (await readCompiledContracts())['Splitter'] as CompiledContract;
    splitter ??= deploySplitter(token);
    const args = [token, payments.map(({ target }) => target.address), payments.map(({ units }) => units)];
    return chain.send({ to: await splitter, data: encodeFunctionData({ abi, functionName: 'split', args }) });
  }

  /** Nothing below this base fee is included while it is set. */
  let baseFee: bigint | undefined;
  let recipients = 0;

  async function unitsAt(address: string): Promise<bigint> {
    if (assetCode === 'ETH') return BigInt(await chain.node.call<Hex>('eth_getBalance', address, 'latest'));
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address as Hex] });
    return BigInt(await chain.node.call<Hex>('eth_call', { to: chain.tokens[assetCode], data }, 'latest'));
  }

  return {
    asset: `${assetCode}:NATIVE`,
    assetCode,
    ordinaryUnits: assetCode === 'ETH' ? 12_345_678_901_234_567n : 12_345_678n,
    smallestUnits: 1n,
    createConnector: () => connect(evmChainSettings(chain)),
    pay: (first, ...more) =>
      first && more.length === 0 ? chain.pay(toPayment(first)) : payTogether(first ? [first, ...more] : []),
    async payEach(payments) {
      for (const payment of payments) await chain.pay(toPayment(payment));
    },
    async mine(count) {
      if (baseFee === undefined) await chain.mine(count);
      for (let mined = 0; baseFee !== undefined && mined < count; mined += 1) {
        await chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(baseFee));
        await chain.mine(1);
      }
    },
    async fund({ connector: { wallet } }) {
      const address = wallet?.address ?? '';
      await chain.pay({ address, units: 10n ** 18n });
      if (assetCode !== 'ETH') await chain.pay({ address, units: 10n ** 9n, assetCode });
      await chain.mine(1);
    },
    async recipient() {
      recipients += 1;
      const address = getAddress(`0x${String(recipients).padStart(40, '5')}`);
      return { destination: { address, memo: null, memoType: null, holder: null }, received: () => unitsAt(address) };
    },
    badAddresses: [
      '',
      '0x1234',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'f39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267',
      '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      zeroAddress,
      chain.tokens.USDC,
      chain.tokens.USDT.toLowerCase(),
    ],
    async stick() {
      baseFee = 20n * 10n ** 9n;
    },
    async unstick() {
      baseFee = undefined;
      await chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(10n ** 9n));
    },
    async reorganise(depth, reorganisation) {
      await chain.reorganise(depth, reorganisation);
    },
    replace: (txHash, ...payments) => chain.replace(txHash, payments.map(toPayment)[0]),
    drop: (txHash) => chain.drop(txHash),
    stopNode: () => chain.stop(),
    async startNode() {
      chain = await startChain({ ...options, port });
    },
    async stop() {
      await chain.stop();
      await rm(folder, { recursive: true });
    },
  };
}
