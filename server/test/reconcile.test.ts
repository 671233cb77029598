/** The books are held against what the networks say that we hold; whoever takes coins behind our back is noticed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { isSound } from '../src/payments/reconcile.ts';
import type { Reconciliation } from '../src/payments/reconciliation-store.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ isNotReconciled: true }); // The last story steals.
});
after(() => gateway.stop());

async function bitcoin(): Promise<Reconciliation> {
  const found = await gateway.app.reconcile();
  const own = found.find(({ network }) => network === 'BITCOIN');
  assert.ok(own, 'Bitcoin was counted');
  return own;
}

test('what has arrived but is not booked yet is no difference', async () => {
  const shop = await openShop(gateway, { extraConfirmations: 2 });
  gateway.bitcoin.pay(await shop.open('60.00 USD', 'BITCOIN'));
  await gateway.runUntilIdle();
  assert.deepEqual(figures(await bitcoin()), { held: 0n, booked: 0n, arriving: 0n, difference: 0n });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.deepEqual(figures(await bitcoin()), { held: 100_000n, booked: 0n, arriving: 100_000n, difference: 0n });
  gateway.bitcoin.mine(2);
  await gateway.runUntilIdle();
  assert.deepEqual(figures(await bitcoin()), { held: 100_000n, booked: 100_000n, arriving: 0n, difference: 0n });
});

test('while the node is ahead of the books, nothing is said', async () => {
  gateway.bitcoin.mine(1);
  assert.deepEqual(
    (await gateway.app.reconcile()).map(({ network }) => network),
    ['LITECOIN'],
  );
  await gateway.runUntilIdle();
  assert.ok(isSound(await bitcoin()));
});

test('coins that somebody takes from our address are missed at once, and the operator is told', async () => {
  const before = await bitcoin();
  steal(await aCoinOfOurs());
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  const found = await bitcoin();
  assert.equal(found.difference, -before.held);
  assert.ok(!isSound(found));
  const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
  assert.match(metrics, /quittance_reconciliation_difference\{network="BITCOIN",asset="BTC:\w+"\} -100000/);
});

const figures = ({ held, booked, arriving, difference }: Reconciliation) => ({ held, booked, arriving, difference });

type StolenCoin = { txHash: string; index: number; units: bigint; targetIndex: number };

async function aCoinOfOurs(): Promise<StolenCoin> {
  const [row] = await gateway.db<{ tx_hash: string; tx_index: string; units: string; index: string }>`
    select tx_hash, tx_index, payment.units, target.index
      from payment join deposit_target target on target.network = payment.network and target.key = payment.target_key
     where payment.network = 'BITCOIN'`;
  assert.ok(row);
  const { tx_hash: txHash, units } = row;
  return { txHash, index: Number(row.tx_index), units: BigInt(units), targetIndex: Number(row.index) };
}

/** With our own key, as whoever has copied it would. */
function steal({ txHash, index, units, targetIndex }: StolenCoin): void {
  const { privateKey, publicKey } = HDKey.fromExtendedKey(String(gateway.env['BITCOIN_XPRV']), {
    private: 0x04358394,
    public: 0x043587cf,
  })
    .deriveChild(0)
    .deriveChild(targetIndex);
  assert.ok(privateKey && publicKey);
  const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
  const transaction = new Transaction();
  transaction.addInput({
    txid: txHash,
    index,
    witnessUtxo: { script: p2wpkh(publicKey, regtest).script, amount: units },
  });
  transaction.addOutputAddress(gateway.bitcoin.chain.faucetAddress, units - 1_000n, regtest);
  transaction.sign(privateKey);
  transaction.finalize();
  gateway.bitcoin.chain.submit(transaction.hex);
}
