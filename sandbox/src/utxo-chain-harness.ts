/** The sandbox's UTXO chains, driven by the conformance suite. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceHarness, ConformancePayment } from '@quittance/server/networks/conformance';
import type { Connector } from '@quittance/server/networks/port';
import type { UtxoSettings } from '@quittance/server/networks/utxo/utxo-connector';
import { HDKey } from '@scure/bip32';
import { startUtxoChain } from './utxo-chain.ts';
import type { CoinName } from './utxo-coin.ts';

/** The public key of an account that only tests use. */
export const testAccountKey: string = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), {
  private: 0x04358394,
  public: 0x043587cf,
}).derive("m/84'/1'/0'").publicExtendedKey;

export const toPayment = ({ target, units }: ConformancePayment) => ({ address: target.address, units });

export async function startUtxoChainHarness(
  coin: CoinName,
  assetCode: string,
  createConnector: (settings: UtxoSettings) => Connector,
): Promise<ConformanceHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-chain-'));
  const options = { coin, folder, user: 'sandbox', password: 'sandbox' };
  let chain = await startUtxoChain(options);
  const { port } = chain;
  return {
    asset: `${assetCode}:NATIVE`,
    assetCode,
    ordinaryUnits: 1_234_567n,
    smallestUnits: 294n,
    createConnector: () => createConnector({ rpcUrl: chain.url, xpub: testAccountKey, chain: 'regtest' }),
    pay: async (...payments) => chain.pay(...payments.map(toPayment)),
    async payEach(payments) {
      for (const payment of payments) chain.pay(toPayment(payment));
    },
    async mine(count) {
      chain.mine(count);
    },
    async reorganise(depth, reorganisation) {
      chain.reorganise(depth, reorganisation);
    },
    replace: async (txHash, ...payments) => chain.replace(txHash, payments.map(toPayment)),
    drop: async (txHash) => chain.drop(txHash),
    stopNode: () => chain.stop(),
    async startNode() {
      chain = await startUtxoChain({ ...options, port });
    },
    async stop() {
      await chain.stop();
      await rm(folder, { recursive: true });
    },
  };
}
