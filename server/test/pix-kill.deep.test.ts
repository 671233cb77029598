/** Death at any point while a charge of Pix is made, paid, credited, and taken back by whoever paid. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { App } from '../src/app.ts';
import { assertHappenedOnce, dieEverywhere, watchAll, workAll } from './die-everywhere.ts';
import { digestHeaders } from './gateway.ts';
import { type PixWorld, startPixWorld } from './pix-world.ts';
import { openShop, type Shop } from './shop.ts';

let world: PixWorld;
before(async () => {
  world = await startPixWorld();
});
after(() => world.stop());

type Charge = { readonly shop: Shop; readonly id: string };
type Paid = Charge & { readonly name: string };

/** What a dead worker was sending may still arrive. */
async function goOn(): Promise<void> {
  await world.gateway.runUntilIdle();
  world.gateway.clock.advance({ seconds: 30 });
  await world.gateway.runUntilIdle();
}

const assertCreditedOnce = async ({ shop, id }: Charge): Promise<void> => {
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BRL': '597000000' });
  await assertHappenedOnce(world.gateway, id, {
    entries: ['payment_received', 'settlement'],
    events: ['CHECKOUT_COMPLETED'],
  });
};

/** The answer, if there is one, is lost. */
async function commitAt(app: App, { shop, id }: Charge): Promise<void> {
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const raw = JSON.stringify({ checkoutId: id, network: 'PIX' });
  const signed = digestHeaders(shop.merchant, 'POST', '/checkout/commit', raw, world.gateway.clock.now());
  try {
    const headers = { 'content-type': 'application/json', ...signed };
    await (await fetch(`${url}/api/v1/checkout/commit`, { method: 'POST', headers, body: raw })).text();
  } finally {
    await app.server.close();
  }
}

test('a charge that is made while the process dies anywhere has one code, which is paid once', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin(): Promise<Charge> {
        const shop = await openShop(world.gateway);
        return { shop, id: await shop.create('60.00 BRL') };
      },
      live: [commitAt],
      async end({ shop, id }) {
        world.gateway.clock.advance({ seconds: 1 }); // Or it would have the signature of the one before.
        const { address } = await shop.commit(id, 'PIX');
        world.gateway.clock.advance({ seconds: 1 });
        assert.equal((await shop.commit(id, 'PIX')).address, address);
        const codes = await world.gateway.db`select from commitment where checkout_id = ${id}`;
        assert.equal(codes.length, 1);
        world.bank.pay({ address });
        await goOn();
        await assertCreditedOnce({ shop, id });
      },
    },
    { atLeast: 4 },
  ));

async function pay(): Promise<Paid> {
  const shop = await openShop(world.gateway);
  const { id, address } = await shop.open('60.00 BRL', 'PIX');
  return { shop, id, name: world.bank.pay({ address }) };
}

async function paid(): Promise<Paid> {
  const told = await pay();
  await world.gateway.runUntilIdle();
  assert.equal(await told.shop.state(told.id), 'COMPLETED');
  return told;
}

test('a Pix is seen, credited and announced once, wherever the process dies', () =>
  dieEverywhere(
    world.gateway,
    {
      begin: pay,
      live: [watchAll, workAll],
      async end(told) {
        await goOn();
        await assertCreditedOnce(told);
      },
    },
    { atLeast: 8 },
  ));

test('what a payer contests in part is taken back once, and the rest is booked once', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        const told = await paid();
        world.bank.contest(told.name, { centavos: 20_00n });
        return told;
      },
      live: [watchAll, workAll],
      async end({ shop, id }) {
        await goOn();
        assert.equal(await shop.state(id), 'PENDING PARTIAL REORGED');
        assert.deepEqual(await shop.balances(), { 'pending/BRL': '400000000' });
        await assertHappenedOnce(world.gateway, id, {
          entries: ['payment_received', 'settlement', 'settlement_reversed', 'payment_reversed', 'payment_received'],
          events: ['CHECKOUT_COMPLETED', 'CHECKOUT_REVERSED'],
        });
      },
    },
    { atLeast: 8 },
  ));

test('what a payer contests whole, or in part and then the rest, is taken back once', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        const told = await paid();
        const other = await paid();
        world.bank.contest(told.name, { centavos: 20_00n });
        world.bank.contest(other.name);
        return { ...told, other };
      },
      live: [watchAll, workAll, (_, { name }) => void world.bank.contest(name), watchAll, workAll],
      async end({ shop, id, name, other }) {
        await goOn();
        // The process may have died before the payer asked for the rest.
        if (world.returnsOf(name).length === 1) world.bank.contest(name);
        await goOn();
        assert.deepEqual([await shop.balances(), await other.shop.balances()], [{}, {}]);
        const taken = ['payment_received', 'settlement', 'settlement_reversed', 'payment_reversed'];
        const events = ['CHECKOUT_COMPLETED', 'CHECKOUT_REVERSED'];
        assert.equal(await other.shop.state(other.id), 'PENDING REORGED');
        await assertHappenedOnce(world.gateway, other.id, { entries: taken, events });
        await assertHappenedOnce(world.gateway, id, { entries: [...taken, ...(await bookedBetween(id))], events });
      },
    },
    { atLeast: 16 },
  ));

/** Whoever died before the first part was looked at books nothing of what it left, because that is gone by then. */
async function bookedBetween(id: string): Promise<string[]> {
  const [{ generation } = { generation: 0 }] = await world.gateway.db<{ generation: number }>`
    select generation from payment where owner_id = ${id} and rest_of is not null`;
  return generation === 0 ? [] : ['payment_received', 'payment_reversed'];
}
