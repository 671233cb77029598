/**
 * A chain on Anvil with the same faucet and tokens as the sandbox's, so that a test can run on either. The connector
 * talks to the node directly.
 */
import { join } from 'node:path';
import { encodeDeployData, getContractAddress, type Hex, toHex } from 'viem';
import { startAnvil } from './anvil.ts';
import { type CompiledContract, readCompiledContracts } from './compile-contracts.ts';
import type { EvmChain, EvmChainOptions } from './evm-chain.ts';
import {
  callOfPayment,
  type FaucetCall,
  faucet,
  faucetUnits,
  signFaucetCall,
  signReplacement,
  tokenContracts,
  tokenDecimals,
} from './evm-faucet.ts';
import { firstChainId } from './evm-node.ts';

type AnvilBlock = { readonly timestamp: Hex; readonly transactions: readonly Hex[] };
type Pool = Readonly<Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, { hash: Hex }>>>>>>;

export async function startAnvilChain(command: readonly string[], options: EvmChainOptions): Promise<EvmChain> {
  const now = options.now ?? (() => new Date());
  const { chainId = firstChainId } = options;
  const { url, port, rpc, stop } = await startAnvil({
    command,
    chainId,
    genesisTime: Math.floor(now().getTime() / 1000),
    ...(options.folder !== undefined && { stateFile: join(options.folder, 'anvil.json') }),
    ...(options.port !== undefined && { port: options.port }),
  });
  const blockAt = (height: Hex | 'latest') => rpc.call<AnvilBlock>('eth_getBlockByNumber', height, false);
  const height = async (): Promise<number> => Number(await rpc.call<Hex>('eth_blockNumber'));
  const submit = (raw: Hex): Promise<Hex> => rpc.call<Hex>('eth_sendRawTransaction', raw);
  const rawOf = async (txHash: Hex): Promise<Hex> => {
    const raw = await rpc.call<Hex | null>('eth_getRawTransactionByHash', txHash);
    if (raw === null) throw new Error(`${txHash} is not waiting`);
    return raw;
  };

  let last: Promise<unknown> = Promise.resolve();
  /** One at a time: a transaction's number depends on those before it. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  }

  const nextNonce = async (): Promise<number> =>
    Number(await rpc.call<Hex>('eth_getTransactionCount', faucet.address, 'pending'));

  const send = async (call: FaucetCall): Promise<Hex> => submit(await signFaucetCall(chainId, call, await nextNonce()));

  async function mine(count: number): Promise<void> {
    const newest = Number((await blockAt('latest')).timestamp);
    await rpc.call('evm_mine', toHex(Math.max(Math.floor(now().getTime() / 1000), newest)));
    if (count > 1) await rpc.call('anvil_mine', toHex(count - 1), '0x0');
  }

  async function deploy({ abi, bytecode }: CompiledContract, args: readonly unknown[]): Promise<Hex> {
    const nonce = await nextNonce();
    const data = encodeDeployData({ abi, bytecode, args });
    await submit(await signFaucetCall(chainId, { data, gas: 3_000_000n }, nonce));
    await mine(1);
    return getContractAddress({ from: faucet.address, nonce: BigInt(nonce) });
  }

  async function waiting(): Promise<Hex[]> {
    const { pending, queued } = await rpc.call<Pool>('txpool_content');
    const bySender = [...Object.values(pending), ...Object.values(queued)];
    return Promise.all(bySender.flatMap((own) => Object.values(own)).map(({ hash }) => rawOf(hash)));
  }

  async function reorganise(depth: number, keepTransactions: boolean): Promise<void> {
    const newest = await height();
    const given = await Promise.all(Array.from({ length: depth }, (_, at) => blockAt(toHex(newest - depth + 1 + at))));
    const mined = await Promise.all(given.flatMap(({ transactions }) => transactions).map(rawOf));
    const kept = [...mined, ...(await waiting())];
    await rpc.call('anvil_dropAllTransactions');
    await rpc.call('anvil_reorg', depth, []);
    await mine(1);
    if (keepTransactions) for (const raw of kept) await submit(raw);
  }

  if ((await height()) === 0) {
    await rpc.call('anvil_setBalance', faucet.address, toHex(faucetUnits));
    const { PlainToken, SilentToken } = await readCompiledContracts();
    await deploy(PlainToken as CompiledContract, ['USDC', tokenDecimals]);
    await deploy(SilentToken as CompiledContract, ['USDT', tokenDecimals]);
  }
  return {
    url,
    port,
    chainId,
    faucetAddress: faucet.address,
    tokens: tokenContracts,
    node: rpc,
    pay: (payment) => inTurn(() => send(callOfPayment(payment))),
    send: (call) => inTurn(() => send(call)),
    deploy: (contract, args) => inTurn(() => deploy(contract, args)),
    mine: (count = 1) => inTurn(() => mine(count)),
    reorganise: (depth, { keepTransactions = true } = {}) => inTurn(() => reorganise(depth, keepTransactions)),
    replace: (txHash, payment) =>
      inTurn(async () => submit(await signReplacement(await rawOf(txHash as Hex), payment))),
    drop: (txHash) => inTurn(() => rpc.call('anvil_dropTransaction', txHash)),
    submit: (raw) => inTurn(() => submit(raw)),
    async stop() {
      await last.catch(() => undefined);
      await stop();
    },
  };
}
