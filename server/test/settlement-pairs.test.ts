/** Any settlement asset for any payment method: every pair of networks and assets, by the treasury. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ hasStellar: true });
});
after(() => gateway.stop());

async function pay(network: string, { reply, address, amount }: { reply: any; address: string; amount: string }) {
  if (network === 'STELLAR') {
    const [whole = '0', decimals = ''] = amount.split('.');
    const units = BigInt(whole + decimals.padEnd(7, '0'));
    gateway.stellar.pay(reply.depositInstructions.memo, { address, units });
    gateway.stellar.close();
  } else {
    const chain = network === 'BITCOIN' ? gateway.bitcoin : gateway.litecoin;
    chain.pay({ address, amount });
    chain.mine(6);
  }
  await gateway.runUntilIdle();
}

const paidOn = { BITCOIN: 'BTC', LITECOIN: 'LTC', STELLAR: 'XLM' };

for (const [network, paid] of Object.entries(paidOn))
  for (const settled of ['BTC', 'BTCLN', 'LTC', 'ETH', 'XLM', 'USDC', 'EUR'])
    test(`${paid} is paid on ${network}, ${settled} is credited as quoted`, async () => {
      const shop = await openShop(gateway);
      const checkout = await shop.open('50.00 USD', network, { settlementAsset: settled });
      const { settlement } = checkout.reply;
      await pay(network, checkout);
      const record = await shop.checkout(checkout.id);
      assert.equal(record.state, 'COMPLETED');
      assert.equal(record.settlementAssetId, settlement.assetId);
      assert.deepEqual(
        [record.settlementAmountReceived, record.settlementAmountFeePaid],
        [settlement.amount, settlement.fee],
      );
      const { wallet } = await shop.get(`/wallet?assetCode=${settled}`);
      assert.equal(wallet.available, settlement.netAmount);
      assert.deepEqual(
        record.blockchainTransactions.map(({ type }: any) => type),
        ['CHECKOUT_ORIGIN', 'CHECKOUT_SETTLEMENT'],
      );
      assert.deepEqual(Object.keys(await shop.balances()), [`available/${settled}`]);
    });
