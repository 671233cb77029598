/** The sandbox's UTXO chains, driven by the conformance suite. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@quittance/server/lib/secret';
import { type RpcAmount, unitsOf } from '@quittance/server/networks/families/utxo/utxo-block';
import type { UtxoSettings } from '@quittance/server/networks/families/utxo/utxo-connector';
import { createUtxoRpc, type UtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import type { Connector } from '@quittance/server/networks/port/connector';
import type { ConformanceHarness, ConformancePayment } from '@quittance/server/test/networks/conformance';
import type { SendingHarness } from '@quittance/server/test/networks/sending-conformance';
import type { Watched } from '@quittance/server/test/networks/watched-connector';
import { HDKey } from '@scure/bip32';
import { walletOf } from './faucet-wallet.ts';
import { startUtxoChain, type UtxoChain } from './utxo-chain.ts';
import type { UtxoCoin } from './utxo-coin.ts';

const testAccount = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), {
  private: 0x04358394,
  public: 0x043587cf,
}).derive("m/84'/1'/0'");

/** The two keys of an account that only tests use, for addresses of whichever kind. */
export const testAccountKey: string = testAccount.publicExtendedKey;
export const testAccountSecret = new Secret(testAccount.privateExtendedKey);

/** What a harness of any UTXO node needs for sending: money, somebody to pay, and addresses that must be refused. */
export function sendingSide(coin: UtxoCoin, rpc: UtxoRpc) {
  return {
    async fund(watched: Watched, harness: Pick<ConformanceHarness, 'pay' | 'mine' | 'ordinaryUnits'>): Promise<void> {
      for (let index = 600_000; index < 600_006; index += 1) {
        const target = await watched.createOwnTarget(index);
        await harness.pay({ target, units: harness.ordinaryUnits * 4n });
      }
      await harness.mine(1);
      await watched.observe();
    },
    async recipient() {
      const { address } = walletOf(randomBytes(32), coin);
      return {
        destination: { address, memo: null, memoType: null, holder: null },
        async received() {
          const scan = await rpc.call<{ total_amount: RpcAmount }>('scantxoutset', 'start', [`addr(${address})`]);
          return unitsOf(scan.total_amount);
        },
      };
    },
    badAddresses: [
      'nobody',
      `${coin.network.bech32}1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081`, // misspelt
      misspelt(walletOf(new Uint8Array(32).fill(5), coin).address),
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', // of Bitcoin
      'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', // of Litecoin
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', // of Bitcoin, on the main chain
    ],
  };
}

const misspelt = (address: string): string => `${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`;

export const toPayment = ({ target, units }: ConformancePayment) => ({ address: target.address, units });

export async function startUtxoChainHarness(
  coin: UtxoCoin,
  assetCode: string,
  createConnector: (settings: UtxoSettings) => Connector,
): Promise<SendingHarness & { readonly chain: UtxoChain }> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-chain-'));
  const options = { coin, folder, user: 'sandbox', password: 'sandbox' };
  let chain = await startUtxoChain(options);
  const { port } = chain;
  const pay = async (...payments: readonly ConformancePayment[]) => chain.pay(...payments.map(toPayment));
  const mine = async (count: number) => void chain.mine(count);
  const ordinaryUnits = 1_234_567n;
  const sending = sendingSide(coin, createUtxoRpc(chain.url, 60_000));
  return {
    get chain() {
      return chain;
    },
    ...sending,
    fund: (watched) => sending.fund(watched, { pay, mine, ordinaryUnits }),
    // One and a half times the chain's estimate.
    stick: async () => chain.demandFeeRate((coin.feeRate * 3n) / 2n),
    unstick: async () => chain.demandFeeRate(0n),
    stuckAfterMs: 30 * 60_000,
    asset: `${assetCode}:NATIVE`,
    assetCode,
    ordinaryUnits,
    smallestUnits: coin.dustUnits,
    createConnector: () =>
      createConnector({
        rpcUrl: new Secret(chain.url),
        xpub: testAccountKey,
        xprv: testAccountSecret,
        chain: 'regtest',
      }),
    pay,
    async payEach(payments) {
      for (const payment of payments) chain.pay(toPayment(payment));
    },
    mine,
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
