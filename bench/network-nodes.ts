/** For every network a node in another process, a connector to it, and a way to let it find payments to targets. */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { HDKey } from '@scure/bip32';
import { Secret } from '../server/src/lib/secret.ts';
import { createBitcoinConnector } from '../server/src/networks/bitcoin/bitcoin.ts';
import { createEthereumConnector } from '../server/src/networks/ethereum/ethereum.ts';
import { createLightningConnector } from '../server/src/networks/lightning/lightning.ts';
import { createLitecoinConnector } from '../server/src/networks/litecoin/litecoin.ts';
import type { Connector } from '../server/src/networks/port/connector.ts';
import { createStellarNetworkConnector } from '../server/src/networks/stellar/stellar.ts';
import type { BlockTask } from './fake-node.ts';
import type { Order, PaidTarget, SandboxNetwork, Started } from './sandbox-nodes.ts';
import { startProcess, stopProcess } from './world.ts';

export type NetworkNode = {
  readonly network: string;
  /** What is in a block, or in what the network has instead of blocks, in words. */
  readonly block: string;
  /** A connector for each watcher: they do not share what they remember. */
  createConnector(): Connector;
  /** A block, ledger or invoices that pay these targets; done when the node has it. */
  pay(targets: readonly PaidTarget[]): Promise<void>;
  stop(): Promise<void>;
};

export const paidPerBlock = 20;
const transactions = { utxo: 3_000, ethereum: 200 };

export const networkNodes: readonly (() => Promise<NetworkNode>)[] = [
  () => startUtxoNode('BITCOIN', createBitcoinConnector),
  () => startUtxoNode('LITECOIN', createLitecoinConnector),
  startEthereumNode,
  startStellarNode,
  startLightningNode,
];

const seed = Buffer.alloc(32, 7);

async function startUtxoNode(
  network: string,
  create: (settings: { rpcUrl: Secret; xpub: string; chain: 'regtest' }) => Connector,
): Promise<NetworkNode> {
  const child = await startProcess('fake-node.ts');
  child.send({ ours: [], transactions: transactions.utxo } satisfies BlockTask);
  const [rpcUrl] = (await once(child, 'message')) as [string];
  const versions = { private: 0x04358394, public: 0x043587cf };
  const xpub = HDKey.fromMasterSeed(seed, versions).derive("m/84'/1'/0'").publicExtendedKey;
  return {
    network,
    block: `${transactions.utxo} transactions`,
    createConnector: () => create({ rpcUrl: new Secret(rpcUrl), xpub, chain: 'regtest' }),
    async pay(targets) {
      const params = [targets.map(({ address }) => address)];
      await fetch(rpcUrl, { method: 'POST', body: JSON.stringify({ id: 0, method: 'mine', params }) });
    },
    stop: () => stopProcess(child),
  };
}

async function startEthereumNode(): Promise<NetworkNode> {
  const { child, started, pay } = await startSandboxNode('ETHEREUM', transactions.ethereum - paidPerBlock);
  const xpub = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey;
  const settings = { rpcUrl: new Secret(started['url'] ?? ''), chainId: Number(started['chainId']), xpub, tokens: [] };
  return {
    network: 'ETHEREUM',
    block: `${transactions.ethereum} transactions`,
    createConnector: () => createEthereumConnector(settings),
    pay,
    stop: () => stopProcess(child),
  };
}

async function startStellarNode(): Promise<NetworkNode> {
  const { child, started, pay } = await startSandboxNode('STELLAR', 0);
  const { url = '', account = '', passphrase = '' } = started;
  return {
    network: 'STELLAR',
    block: `${paidPerBlock} payments`,
    createConnector: () =>
      createStellarNetworkConnector({ horizonUrl: new Secret(url), account, passphrase, assets: ['XLM', 'USDC'] }),
    pay,
    stop: () => stopProcess(child),
  };
}

async function startLightningNode(): Promise<NetworkNode> {
  const { child, started, pay } = await startSandboxNode('LIGHTNING', 0);
  const macaroon = new Secret(started['macaroon'] ?? '');
  const settings = { restUrl: started['url'] ?? '', macaroon, tlsCertificate: null, chain: 'regtest' } as const;
  return {
    network: 'LIGHTNING',
    block: `${paidPerBlock} invoices`,
    createConnector: () => createLightningConnector(settings),
    pay,
    stop: () => stopProcess(child),
  };
}

type SandboxNode = { child: ChildProcess; started: Started; pay(targets: readonly PaidTarget[]): Promise<void> };

async function startSandboxNode(network: SandboxNetwork, others: number): Promise<SandboxNode> {
  const child = await startProcess('sandbox-nodes.ts');
  const ask = async (order: Order): Promise<Started> => {
    child.send(order);
    return ((await once(child, 'message')) as [Started])[0];
  };
  const started = await ask({ start: network });
  return { child, started, pay: async (targets) => void (await ask({ pay: network, targets, others })) };
}
