/**
 * Death at any point of a refund, from the address that the customer enters on the page until the
 * customer has the money and the merchant knows. See die-everywhere. 6000.00 USD are 0.1 BTC.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { App } from '../src/app.ts';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
});
after(() => world.gateway.stop());

/** The customer's browser sends the form. */
async function enter(origin: string, claimUrl: string, address: string): Promise<number> {
  const { pathname, searchParams } = new URL(claimUrl);
  const body = new URLSearchParams({ token: searchParams.get('token') ?? '', address });
  const reply = await fetch(`${origin}${pathname}`, { method: 'POST', body, redirect: 'manual' });
  await reply.text();
  return reply.status;
}

test('a refund that the customer claims is sent once, booked once and announced', async () => {
  const { gateway } = world;
  const shop = await world.shop();
  const checkout = await shop.open('6000.00 USD', 'BITCOIN');
  await world.pay(checkout, checkout.amount);
  await world.mine(6);
  const address = aBitcoinAddress();
  let refunds = 0;
  async function claim(app: App, { claimUrl }: { readonly claimUrl: string }): Promise<void> {
    const origin = await app.server.listen({ host: '127.0.0.1', port: 0 });
    try {
      await enter(origin, claimUrl, address);
    } finally {
      await app.server.close();
    }
  }
  await dieEverywhere(
    gateway,
    {
      async begin() {
        gateway.clock.advance({ seconds: 1 });
        const body = { checkoutId: checkout.id, amount: '0.0001', feePaidBy: 'merchant' };
        const { refund, claimUrl } = await shop.post('/refund', body);
        refunds += 1;
        return { id: refund.id as string, claimUrl: claimUrl as string };
      },
      live: [claim, sendAll, () => gateway.bitcoin.mine(1), watchAll, workAll],
      async end({ id, claimUrl }) {
        // Whoever does not know whether the form arrived sends it again.
        assert.equal(await enter(new URL(gateway.url).origin, claimUrl, address), 303);
        gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
        await gateway.runUntilIdle();
        await world.mine(3); // So many does the change need until it may be spent by the next one.
        assert.equal((await shop.get(`/refund?id=${id}`)).refund.state, 'COMPLETED');
        assert.equal(await received(gateway, address), 10_000n * BigInt(refunds));
        const each = Array.from({ length: refunds });
        const entries = ['payment_received', 'settlement', ...each.flatMap(() => ['refund_held', 'refund_sent'])];
        const events = ['CHECKOUT_COMPLETED', ...each.map(() => 'REFUND_PARTIAL')];
        await assertHappenedOnce(gateway, checkout.id, { entries, events });
      },
    },
    { atLeast: 28 },
  );
  assert.equal((await shop.balances())['reserved/BTC'], undefined);
});
