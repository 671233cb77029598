/** The sandbox's Stellar, driven by the conformance suite. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@quittance/server/lib/secret';
import type { Connector } from '@quittance/server/networks/port/connector';
import type { StellarSettings } from '@quittance/server/networks/stellar/stellar';
import type { ConformancePayment } from '@quittance/server/test/networks/conformance';
import type { SendingHarness } from '@quittance/server/test/networks/sending-conformance';
import { Keypair } from '@stellar/stellar-sdk';
import { trustlineKey } from './ledger-entries.ts';
import { sandboxPassphrase, sandboxUsdc, startStellarNetwork } from './stellar-network.ts';

/** The key of an account that only tests use. */
export const testStellarKey: Keypair = Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(7));

const stellarNames: Readonly<Record<'XLM' | 'USDC', string>> = {
  XLM: 'native',
  USDC: `${sandboxUsdc.code}:${sandboxUsdc.issuer}`,
};

export async function startStellarHarness(
  assetCode: 'XLM' | 'USDC',
  createConnector: (settings: StellarSettings) => Connector,
): Promise<SendingHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-stellar-'));
  const options = { folder, user: 'sandbox', password: 'sandbox' };
  let network = await startStellarNetwork(options);
  const { port } = network;
  network.openAccount(testStellarKey, '100', stellarNames.USDC);

  function pay({ target, units }: ConformancePayment): string {
    return network.pay(target.memo, { address: target.address, units, asset: stellarNames[assetCode] });
  }

  return {
    asset: assetCode === 'XLM' ? 'XLM:NATIVE' : stellarNames.USDC,
    assetCode,
    ordinaryUnits: 123_456_789n,
    smallestUnits: 1n,
    createConnector: () =>
      createConnector({
        horizonUrl: new Secret(network.url),
        account: testStellarKey.publicKey(),
        passphrase: sandboxPassphrase,
        assets: ['XLM', 'USDC'],
        secret: new Secret(testStellarKey.secret()),
        channels: 4,
      }),
    // A transaction has one memo, so it can pay only one target; the suite knows that.
    pay: async (...payments) => payments.map(pay).at(-1) ?? '',
    async payEach(payments) {
      for (const payment of payments) pay(payment);
    },
    async mine(count) {
      network.close(count);
    },
    async fund() {
      const address = testStellarKey.publicKey();
      const funds = Object.values(stellarNames).map((asset) => ({ address, units: 10_000_000_000n, asset }));
      network.pay(null, ...funds);
      network.close();
    },
    async recipient() {
      const keypair = Keypair.random();
      network.openAccount(keypair, '10', stellarNames.USDC);
      const held = (): bigint => {
        const { accounts, trustlines } = network.ledger.entries;
        const id = keypair.publicKey();
        return (
          (assetCode === 'XLM'
            ? accounts.get(id)?.balance
            : trustlines.get(trustlineKey(id, stellarNames.USDC))?.balance) ?? 0n
        );
      };
      const before = held();
      return {
        destination: { address: keypair.publicKey(), memo: null, memoType: null, holder: null },
        received: async () => held() - before,
      };
    },
    badAddresses: [
      '',
      testStellarKey.publicKey(), // Our own.
      testStellarKey.secret(),
      'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA',
      'CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA', // A contract.
      'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUO',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    ],
    async stick() {
      network.ledger.demand(500n);
    },
    async unstick() {
      network.ledger.demand(null);
    },
    stuckAfterMs: 120_000,
    stopNode: () => network.stop(),
    async startNode() {
      network = await startStellarNetwork({ ...options, port });
    },
    async stop() {
      await network.stop();
      await rm(folder, { recursive: true });
    },
  };
}
