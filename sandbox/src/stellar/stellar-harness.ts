/** The sandbox's Stellar, driven by the conformance suite. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceHarness, ConformancePayment } from '@quittance/server/networks/conformance';
import type { Connector } from '@quittance/server/networks/port';
import type { StellarSettings } from '@quittance/server/networks/stellar/stellar';
import { Keypair } from '@stellar/stellar-sdk';
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
): Promise<ConformanceHarness> {
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
        horizonUrl: network.url,
        account: testStellarKey.publicKey(),
        passphrase: sandboxPassphrase,
        assets: ['XLM', 'USDC'],
      }),
    // A transaction has one memo, so it pays one target; the suite is told so.
    pay: async (...payments) => payments.map(pay).at(-1) ?? '',
    async payEach(payments) {
      for (const payment of payments) pay(payment);
    },
    async mine(count) {
      network.close(count);
    },
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
