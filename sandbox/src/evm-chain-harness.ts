/** The sandbox's Ethereum, driven by the conformance suite: once for ether, once for each kind of token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceHarness, ConformancePayment } from '@quittance/server/networks/conformance';
import { createEthereumConnector } from '@quittance/server/networks/ethereum/ethereum';
import { HDKey } from '@scure/bip32';
import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem';
import { type CompiledContract, readCompiledContracts } from './compile-contracts.ts';
import { type EvmChain, startEvmChain, tokenDecimals } from './evm-chain.ts';

/** The public key of an account that only tests use. */
export const testEvmAccountKey: string = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;

/** What a connector must be told to watch this chain. */
export const evmChainSettings = ({ url, chainId, tokens }: EvmChain) => ({
  rpcUrl: url,
  xpub: testEvmAccountKey,
  chainId,
  tokens: Object.entries(tokens).map(([assetCode, contract]) => ({ assetCode, contract, decimals: tokenDecimals })),
});

export async function startEvmChainHarness(assetCode: 'ETH' | 'USDC' | 'USDT'): Promise<ConformanceHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-evm-'));
  const options = { folder, user: 'sandbox', password: 'sandbox' };
  let chain = await startEvmChain(options);
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

  return {
    asset: `${assetCode}:NATIVE`,
    assetCode,
    ordinaryUnits: assetCode === 'ETH' ? 12_345_678_901_234_567n : 12_345_678n,
    smallestUnits: 1n,
    createConnector: () => createEthereumConnector(evmChainSettings(chain)),
    pay: (first, ...more) =>
      first && more.length === 0 ? chain.pay(toPayment(first)) : payTogether(first ? [first, ...more] : []),
    async payEach(payments) {
      for (const payment of payments) await chain.pay(toPayment(payment));
    },
    async mine(count) {
      await chain.mine(count);
    },
    async reorganise(depth, reorganisation) {
      await chain.reorganise(depth, reorganisation);
    },
    replace: (txHash, ...payments) => chain.replace(txHash, payments.map(toPayment)[0]),
    drop: (txHash) => chain.drop(txHash),
    stopNode: () => chain.stop(),
    async startNode() {
      chain = await startEvmChain({ ...options, port });
    },
    async stop() {
      await chain.stop();
      await rm(folder, { recursive: true });
    },
  };
}
