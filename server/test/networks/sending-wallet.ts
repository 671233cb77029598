/** A small service that sends on a sandbox chain of its own: what the stories about sending start from. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { walletOf } from '@quittance/sandbox/faucet-wallet';
import { startUtxoChainHarness, testAccountSecret } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { createUtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import type { Destination, OutgoingTransaction, Payout } from '@quittance/server/networks/port/sending';
import { createWatched } from '@quittance/server/test/networks/watched-connector';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { bitcoinCoin } from './utxo-coins.ts';

export const { network: bitcoinTestChain } = bitcoinCoin;

/** A coin, the code of its asset, and who speaks to its node. */
type Played = Parameters<typeof startUtxoChainHarness>;

/** `coins`: what the wallet has, each at an address of its own. */
export async function startSendingWallet(
  t: Pick<TestContext, 'after'>,
  coins: readonly bigint[],
  played: Played = [bitcoinCoin, 'BTC', createBitcoinConnector],
) {
  const harness = await startUtxoChainHarness(...played);
  const { assetCode } = harness;
  t.after(() => harness.stop());
  const { chain } = harness;
  const rpc = createUtxoRpc(chain.url, 60_000);
  const watched = createWatched(harness.createConnector());
  await watched.observe();
  for (const [index, units] of coins.entries()) {
    const { address } = await watched.createOwnTarget(index);
    chain.pay({ address, units });
  }
  chain.mine(1);
  await watched.observe();

  let nextId = 0;
  const transferTo = ({ address }: Pick<Destination, 'address'>, units: bigint): Payout => ({
    id: `transfer-${nextId++}`,
    assetCode,
    units,
    address,
    memo: null,
    memoType: null,
    holder: null,
  });
  const sender = () => senderOf(watched.connector);

  return {
    chain,
    rpc,
    watched,
    transferTo,
    sender,
    recipient: harness.recipient,
    restart: () => watched.restart(harness.createConnector()),
    prepare: async (...transfers: Payout[]) => sender().prepare(transfers, watched.sendContext()),
    keep: async (...transfers: Payout[]): Promise<OutgoingTransaction> =>
      watched.outgoing.keep(await sender().prepare(transfers, watched.sendContext())),
    /** Half an hour passes, and the transaction is looked at again. */
    async replace(transaction: OutgoingTransaction): Promise<OutgoingTransaction> {
      const later = new Date(transaction.signedAt.getTime() + 31 * 60_000);
      watched.outgoing.setClock(() => later);
      const replacement = await sender().replace?.(transaction, watched.sendContext());
      assert.ok(replacement, 'it was not replaced');
      return watched.outgoing.keep(replacement, transaction.txHash);
    },
    async mineAndObserve(count: number) {
      chain.mine(count);
      await watched.observe();
    },
    updateOf: (txHash: string) => watched.outgoing.transactions.get(txHash)?.update,
    async free(): Promise<bigint[]> {
      const coinsNow = await watched.sendContext().unspent({ assetCode, limit: 1_000 });
      return coinsNow.map(({ units }) => units).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    },
  };
}

/** Spends an output with a key that is known, whole, to an address. */
export function spendWith(
  privateKey: Uint8Array,
  output: { txid: string; index: number; units: bigint },
  to: { address: string; fee: bigint },
  coin = bitcoinCoin,
): string {
  const tx = new Transaction({ allowLegacyWitnessUtxo: true });
  const { txid, index, units } = output;
  const { script } = walletOf(privateKey, coin);
  tx.addInput({ txid, index, sequence: 0xfffffffd, witnessUtxo: { script, amount: units } });
  tx.addOutputAddress(to.address, units - to.fee, coin.network);
  tx.sign(privateKey);
  tx.finalize();
  return tx.hex;
}

/** The key behind one of the wallet's own addresses, as another wallet with the same account has it. */
export function ownKey(index: number): Uint8Array {
  const account = HDKey.fromExtendedKey(testAccountSecret.reveal(), { private: 0x04358394, public: 0x043587cf });
  return account.deriveChild(0).deriveChild(index).privateKey as Uint8Array;
}
