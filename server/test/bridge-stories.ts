/**
 * Stories of the bridge, to be told with a process that dies in their middle or a node that goes silent. However they
 * are told, there are as many tokens as coins. 1 LTC is 80 dollars.
 */
import assert from 'node:assert/strict';
import { verifyBridge } from '../src/bridge/verify-bridge.ts';
import { assertHappenedOnce, type Story, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, withoutBitcoin } from './gateway.ts';
import { issuer, startGatewayWithMarket } from './stellar-market.ts';
import { openSender } from './transfer-story.ts';

export type BridgeWorld = {
  readonly gateway: Gateway;
  /** Coins came: tokens are issued. */
  readonly issue: Story<string>;
  /** Coins left: as many tokens are burned. */
  readonly burn: Story<string>;
};

const elsewhere = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3';

export async function startBridgeWorld(): Promise<BridgeWorld> {
  const { gateway, market } = await startGatewayWithMarket({ env: withoutBitcoin });
  const { litecoin, stellar } = gateway;
  const shop = await openSender(gateway, '0');
  const movements = { bridge_issued: 0, bridge_burned: 0 };

  /** What happened to litecoins is in the books, and the bridge has not looked yet. */
  async function confirm(): Promise<void> {
    litecoin.mine(6);
    await watchAll(gateway.app);
    await workAll(gateway.app);
  }

  /** Asks for the movement, signs and submits it, lets a ledger close, sees what became of it, and books it. */
  const level = [sendAll, sendAll, () => stellar.close(), watchAll, workAll];

  /** One movement more, and what the books and the ledger count is the same. */
  async function assertLevel(moved: keyof typeof movements): Promise<void> {
    await market.finish();
    movements[moved] += 1;
    for (const [kind, count] of Object.entries(movements))
      assert.equal((await gateway.db`select from ledger_entry where kind = ${kind}`).length, count, kind);
    await gateway.count();
    const proofs = await verifyBridge(gateway.db, gateway.clock.now());
    const proof = proofs.find(({ asset }) => asset === `LTC:${issuer}`);
    assert.deepEqual(proof?.problems, []);
    assert.deepEqual([proof.tokenUnits, proof.coinUnits], [proof.issuedUnits, proof.heldUnits]);
  }

  return {
    gateway,
    issue: {
      async begin() {
        const checkout = await shop.open('8.00 USD', 'LITECOIN');
        litecoin.pay(checkout);
        await confirm();
        assert.equal(await shop.state(checkout.id), 'PROCESSING', 'the credit waits for the bridge');
        return checkout.id;
      },
      live: level,
      async end(id) {
        await assertLevel('bridge_issued');
        const { blockchainTransactions } = await shop.checkout(id);
        const types = blockchainTransactions.map(({ type }: any) => type);
        assert.deepEqual(types, ['CHECKOUT_ORIGIN', 'CHECKOUT_BRIDGE', 'CHECKOUT_SETTLEMENT']);
        const [told] = shop.webhooksOf(id);
        assert.deepEqual(told?.data.checkout.blockchainTransactions, blockchainTransactions);
        const entries = ['payment_received', 'settlement'];
        await assertHappenedOnce(gateway, id, { entries, events: ['CHECKOUT_COMPLETED'] });
      },
    },
    burn: {
      async begin() {
        const { id } = await shop.send({ network: 'LITECOIN', asset: 'LTC', amount: '0.01', address: elsewhere });
        await sendAll(gateway.app);
        await confirm();
        assert.equal((await shop.transfer(id)).state, 'COMPLETED');
        return id;
      },
      live: level,
      async end(id) {
        await assertLevel('bridge_burned');
        const entries = ['transfer_reserved', 'transfer_sent'];
        await assertHappenedOnce(gateway, id, { entries, events: ['TRANSFER_COMPLETED'] });
      },
    },
  };
}
