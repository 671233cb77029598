/** Who forgets the reference is found by the amount or the name, by a person: neither assigns anything. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { present } from '../src/lib/assert.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { signed } from './account-world.ts';
import { aCharge } from './gateway.ts';
import { ada, jörg, openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';
import { openShop, type Shop } from './shop.ts';

let world: PaymentWorld;
let shop: Shop;
before(async () => {
  world = await openPaymentWorld();
  shop = await openShop(world.gateway, { feePercent: '0' });
});
after(() => world?.stop());

async function openFor(customerId: string, price: string): Promise<string> {
  const { charge } = aCharge(price) as { charge: object };
  const { id } = await shop.post('/checkout', { charge: { ...charge, customerId } });
  await shop.commit(id, 'SEPA');
  return id;
}

async function arrived(units: bigint, from: typeof ada, text: string): Promise<string> {
  world.bank.pay({ units, from, text });
  await world.bringStatement();
  const all = await listUnmatched(world.gateway.db);
  return present(
    all.find(({ memo }) => memo?.includes(text)),
    text,
  ).id;
}

const suggested = async (path: string): Promise<string[]> => {
  const { text } = await world.operator.get(path);
  return [...text.matchAll(/\?checkout=([a-z0-9]{12})#assign/g)].map(([, id]) => id ?? '');
};

test('whoever forgot the reference is suggested by amount and name, and assigned by a person', async () => {
  const { gateway, operator } = world;
  const customer = { email: 'payer@shop.example', firstname: 'Anne', lastname: 'Grunwald' }; // Änne, as the bank knows her.
  const { customerId } = await shop.post('/customer', { customer });
  const { id: sameAmount } = await shop.open('70.00 EUR', 'SEPA');
  const sameBoth = await openFor(customerId, '70.00 EUR');
  const sameName = await openFor(customerId, '12.00 EUR');
  const { id: other } = await shop.open('71.00 EUR', 'SEPA');
  const { id: later } = await shop.open('70.00 EUR', 'BITCOIN');

  const payment = await arrived(7_000n, ada, 'for my order');
  const path = `/operator/suspense/${payment}`;
  assert.deepEqual(await suggested(path), [sameBoth, sameAmount, sameName]);
  const told = await world.page(path);
  assert.match(told, new RegExp(`${sameBoth} A shop same amount and name 70\\.00 EUR`));
  assert.match(told, new RegExp(`${sameName} A shop same name 12\\.00 EUR`));
  for (const never of [other, later]) assert.ok(!told.includes(never));
  for (const id of [sameAmount, sameBoth, sameName])
    assert.equal(await shop.state(id), 'PENDING', 'nothing is assigned');

  const { text } = await operator.get(`${path}?checkout=${sameBoth}`);
  assert.match(text, new RegExp(`name="checkout"[^>]*value="${sameBoth}"|value="${sameBoth}"[^>]*name="checkout"`));
  const said: string[] = [];
  const paper = { log: (line: string) => said.push(line), error: (line: unknown) => said.push(String(line)) };
  const env = { ...process.env, DATABASE_URL: gateway.databaseUrl };
  assert.equal(await runCommandLine(['suspense', 'likely', payment], env, paper), 0, said.join('\n'));
  assert.match(
    said.join(' '),
    new RegExp(`${sameBoth} .*amount and name.*${sameAmount} .*amount.*${sameName} .*12.* EUR .*name`, 's'),
  );
  const answer = await signed(operator, `${path}/assign`, { checkout: sameBoth });
  assert.equal(answer.location, '/operator/suspense?did=assigned', answer.text);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(sameBoth), 'COMPLETED');
  assert.deepEqual(await suggested(path), [], 'what is assigned is meant for nobody else');

  // What is paid wants nothing more; what one part came of wants the rest.
  world.bank.pay({
    units: 5_000n,
    from: jörg,
    text: (await shop.commit(sameAmount, 'SEPA')).reply.depositInstructions.memo,
  });
  await world.bringStatement();
  const rest = await arrived(2_000n, jörg, 'the rest of it');
  assert.deepEqual(await suggested(`/operator/suspense/${rest}`), [sameAmount]);
  await gateway.count();
});
