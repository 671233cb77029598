/** A transfer of a cent costs nothing: however many strangers send, staff read one line, and each of them is found when it is asked for. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { present } from '../src/lib/assert.ts';
import { unmatchedCrumbs } from '../src/watching/unmatched-crumb-store.ts';
import { signed } from './account-world.ts';
import { ada, jörg, openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld();
});
after(() => world?.stop());

/** So many cents each, from somebody who names nobody. */
function flood(count: number, cents = 1n, from = jörg): readonly string[] {
  return Array.from({ length: count }, (_, at) => world.bank.pay({ units: cents, from, text: `hello ${at}` }));
}

async function broughtLast(): Promise<string> {
  const [row] = await world.gateway.db<{ id: string }>`
    select file_id as id from bank_document order by position desc limit 1`;
  return world.page(`/operator/bank/SEPA/brought/${row?.id}`);
}

const rowsIn = (page: string): number => page.match(/<tr><th scope="row"/g)?.length ?? 0;

async function crumbsPath(more: Record<string, string> = {}): Promise<string> {
  const [sum] = await unmatchedCrumbs(world.gateway.db);
  const { network, asset } = present(sum, 'small payments');
  return `/operator/suspense/crumbs?${new URLSearchParams({ network, asset, ...more }).toString()}`;
}

test('a flood of cents is one line, and what is worth a person is a row as before', async () => {
  const { bank, gateway } = world;
  flood(205);
  bank.pay({ units: 99n, from: ada, text: 'Bestellung 4711' });
  bank.pay({ units: 100n, from: ada, text: 'a whole euro' });
  await world.bringStatement();
  const brought = await broughtLast();
  assert.match(brought, /Matched nobody Waits under Suspense[^€]* 1 €1\.00/);
  assert.match(brought, /Matched nobody, and small One line under Suspense[^€]* 206 €3\.04/);
  const suspense = await world.page('/operator/suspense');
  assert.match(suspense, /206 by SEPA, each below 1\.00 EUR: 3\.04 EUR in all/);
  assert.match(suspense, /1\.00 EUR SEPA · memo .*a whole euro/);
  assert.doesNotMatch(suspense, /hello|4711/);
  const needs = await world.page('/operator/needs-you');
  assert.match(needs, /1\.00 EUR/);
  assert.doesNotMatch(needs, /0\.01 EUR|0\.99 EUR/);
  const first = (await world.operator.get(await crumbsPath())).text;
  const [, cursor = ''] = /cursor=([a-z0-9]{12})" rel="next"/.exec(first) ?? [];
  const second = (await world.operator.get(await crumbsPath({ cursor }))).text;
  assert.deepEqual([rowsIn(first), rowsIn(second)], [200, 6]);
  assert.equal(new Set((first + second).match(/hello \d+/g)).size, 205, 'each on one of the pages');
  await gateway.count();
});

test('whoever paid without a reference and asks for it is found among them, and is credited', async () => {
  const { gateway, operator } = world;
  const shop = await world.paidShop(50_000n);
  const { id: checkout } = await shop.open('0.99 EUR', 'SEPA');
  const found = await operator.get(await crumbsPath({ q: 'bestellung 47' }));
  assert.match(found.text, /Bestellung 4711/);
  assert.doesNotMatch(found.text, /hello/);
  assert.match(
    (await operator.get(await crumbsPath({ q: present(ada.iban, 'her account').toLowerCase() }))).text,
    /Bestellung 4711/,
  );
  assert.match((await operator.get(await crumbsPath({ q: 'nobody said this' }))).text, /None of them says that/);
  const [, id] = /href="\/operator\/suspense\/([a-z0-9]{12})">0\.99/.exec(found.text) ?? [];
  const assigned = await signed(operator, `/operator/suspense/${present(id, 'its page')}/assign`, { checkout });
  assert.equal(assigned.location, '/operator/suspense?did=assigned', assigned.text);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout), 'COMPLETED');
  await gateway.count();
});

test('by command they are counted, and listed where somebody looks for one', async () => {
  const said: string[] = [];
  const paper = { log: (text: string) => said.push(text), error: (text: unknown) => said.push(String(text)) };
  const command = (...words: string[]) =>
    runCommandLine(['suspense', ...words], { ...process.env, DATABASE_URL: world.gateway.databaseUrl }, paper);
  assert.equal(await command('list'), 0);
  assert.match(said.at(-1) ?? '', /a whole euro.*Besides, 205 small ones by SEPA: 2\.05\d* EUR in all\./s);
  assert.doesNotMatch(said.at(-1) ?? '', /hello/);
  assert.equal(await command('small', '--network', 'SEPA', '--find', 'hello 20'), 0);
  assert.equal(said.at(-1)?.match(/hello \d+/g)?.length, 6, 'hello 20, and 200 to 204');
  assert.equal(await command('small'), 2);
  assert.equal(await command('small', '--network', 'SWIFT'), 1);
  assert.match(said.at(-1) ?? '', /No small payments of any asset wait on SWIFT/);
});
