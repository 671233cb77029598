/** The sandbox's Ethereum, Stellar and Lightning in a process of their own, like real nodes. Gets commands by IPC. */
import { createHash, randomBytes } from 'node:crypto';
import { startEvmChain } from '@quittance/sandbox/evm-chain';
import { openInvoiceBook } from '@quittance/sandbox/lightning/invoice-book';
import { serveLnd } from '@quittance/sandbox/lightning/lnd-facade';
import { sandboxPassphrase, sandboxUsdc, startStellarNetwork } from '@quittance/sandbox/stellar/stellar-network';
import { Keypair } from '@stellar/stellar-sdk';

export type SandboxNetwork = 'ETHEREUM' | 'STELLAR' | 'LIGHTNING';
export type Order =
  | { readonly start: SandboxNetwork }
  | { readonly pay: SandboxNetwork; readonly targets: readonly PaidTarget[]; readonly others: number }
  /** On Stellar: `crumbs` tiny payments to each of these targets, a hundred in a transaction. */
  | { readonly flood: readonly PaidTarget[]; readonly crumbs: number };
export type PaidTarget = { readonly key: string; readonly address: string; readonly memo: string | null };
export type Started = { readonly [setting: string]: string };

type Node = {
  readonly started: Started;
  pay(targets: readonly PaidTarget[], others: number): Promise<void>;
  flood?(targets: readonly PaidTarget[], crumbs: number): void;
};

const credentials = { user: 'bench', password: 'bench' };
const milliether = 10n ** 15n;

const starters: Record<SandboxNetwork, () => Promise<Node>> = {
  async ETHEREUM() {
    const chain = await startEvmChain(credentials);
    return {
      started: { url: chain.url, chainId: String(chain.chainId) },
      async pay(targets, others) {
        const strangers = Array.from({ length: others }, () => `0x${randomBytes(20).toString('hex')}`);
        for (const address of [...targets.map((target) => target.address), ...strangers])
          await chain.pay({ address, units: milliether });
        await chain.mine();
      },
    };
  },

  async STELLAR() {
    const network = await startStellarNetwork(credentials);
    const account = Keypair.random();
    network.openAccount(account, '100', `${sandboxUsdc.code}:${sandboxUsdc.issuer}`);
    return {
      started: { url: network.url, account: account.publicKey(), passphrase: sandboxPassphrase },
      async pay(targets) {
        for (const { address, memo } of targets) network.pay(memo, { address, units: 10_000_000n });
        network.close();
      },
      flood(targets, crumbs) {
        for (const { address, memo } of targets)
          for (let sent = 0; sent < crumbs; sent += 100)
            network.pay(memo, ...Array.from({ length: 100 }, () => ({ address, units: 100n })));
        network.close();
      },
    };
  },

  /** Only a node's invoices, without channels: the connector reads only what is settled, and in which order. */
  async LIGHTNING() {
    const book = openInvoiceBook({ now: () => new Date() });
    const macaroon = '0201';
    const node = await serveLnd({
      macaroon,
      password: 'bench',
      port: undefined,
      nodeId: `02${'ab'.repeat(32)}`,
      book,
      channels: () => [],
      addInvoice({ valueSat, memo, expirySeconds, preimage }) {
        const hash = createHash('sha256').update(preimage).digest('hex');
        const kept = { memo, expirySeconds, preimage: Buffer.from(preimage).toString('hex') };
        return book.add({ ...kept, hash, valueSat: String(valueSat ?? 0n), paymentRequest: `lnbcrt1${hash}` });
      },
      pay: () => Promise.reject(new Error('nobody pays here')),
    });
    return {
      started: { url: node.restUrl, macaroon },
      async pay(targets) {
        for (const { key } of targets) book.settle(key, 1_000_000n);
      },
    };
  },
};

const nodes = new Map<SandboxNetwork, Node>();

process.on('message', (order: Order) => {
  obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.send?.('ready');

async function obey(order: Order): Promise<Started> {
  if ('start' in order) {
    const node = await starters[order.start]();
    nodes.set(order.start, node);
    return node.started;
  }
  if ('flood' in order) {
    nodes.get('STELLAR')?.flood?.(order.flood, order.crumbs);
    return {};
  }
  await nodes.get(order.pay)?.pay(order.targets, order.others);
  return {};
}
