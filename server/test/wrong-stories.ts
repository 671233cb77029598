/** Stories that all end well by their own words, and after which something is wrong. For common-check.deep.test.ts. */
import { test } from 'node:test';
import { Keypair, Operation } from '@stellar/stellar-sdk';
import { enqueue } from '../src/jobs/enqueue.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop } from './shop.ts';
import { issuerKey, startGatewayWithMarket, token } from './stellar-market.ts';
import { aCoinOfOurs, stealCoin } from './stolen-coin.ts';

function story(name: string, tell: (gateway: Gateway) => unknown, start: () => Promise<Gateway> = startGateway): void {
  test(name, async (t) => {
    const gateway = await start();
    // Runs when the common check has been made.
    t.after(async () => {
      gateway.bitcoin.chain.comeBack();
      await gateway.stop().catch(() => undefined);
    });
    await tell(gateway);
  });
}

async function payAnOrder(gateway: Gateway): Promise<void> {
  const shop = await openShop(gateway);
  gateway.bitcoin.pay(await shop.open('60.00 USD', 'BITCOIN'));
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
}

story('all is well', payAnOrder);

story('coins are gone', async (gateway) => {
  await payAnOrder(gateway);
  stealCoin(gateway, await aCoinOfOurs(gateway));
  gateway.bitcoin.mine(1);
});

story('a balance is not the sum of its lines', async ({ db }) => {
  await db`insert into ledger_account (id, asset, balance, may_be_negative) values ('forged', 'BTC', 1, false)`;
});

story(
  'a node stays away',
  ({ bitcoin }) => bitcoin.chain.goAway(),
  () => startGateway({ countAttempts: 4 }),
);

story('a job stumbles over a bug and is tried again later', async ({ db, clock, runUntilIdle }) => {
  const payload = null as never;
  await db.begin((tx) => enqueue(tx, [{ name: 'transfer.advance', payload, runAt: clock.now() }]));
  await runUntilIdle();
});

const startWithBridge = async (): Promise<Gateway> => (await startGatewayWithMarket()).gateway;

story(
  'tokens are issued behind our back',
  ({ stellar }) => {
    const somebody = Keypair.random();
    stellar.openAccount(somebody, '10', `BTC:${issuerKey.publicKey()}`);
    const payment = { destination: somebody.publicKey(), asset: token('BTC'), amount: '0.2' };
    stellar.send(issuerKey, [Operation.payment(payment)]);
    stellar.close();
  },
  startWithBridge,
);
