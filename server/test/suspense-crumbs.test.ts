/** A transfer of a cent costs nothing: however many strangers send, staff read one line, and each of them is found when it is asked for. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { present } from '../src/lib/assert.ts';
import { adoptCrumbs } from '../src/watching/adopt-crumbs.ts';
import { listCrumbs, unmatchedCrumbs } from '../src/watching/unmatched-crumb-store.ts';
import { findUnmatched, type UnmatchedPayment } from '../src/watching/unmatched-store.ts';
import { type Form, signed, type Visitor } from './account-world.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { meetAt } from './meet-at.ts';
import { ada, jörg, openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';
import { balancesOf } from './shop.ts';

let world: PaymentWorld;
let mail: MailServer;
before(async () => {
  mail = await startMailServer();
  world = await openPaymentWorld({ env: mailSettings(mail) });
});
after(async () => {
  await world?.stop();
  await mail?.stop();
});

/** In cents. */
async function books(): Promise<{ suspense: bigint; equity: bigint }> {
  const all = await balancesOf(world.gateway, 'operator/');
  const cents = (name: string): bigint => BigInt(all[name] ?? 0) / 100_000n;
  return { suspense: cents('suspense/EUR'), equity: cents('equity/EUR') };
}

async function changes(act: () => Promise<unknown>): Promise<{ suspense: bigint; equity: bigint }> {
  const was = await books();
  await act();
  const is = await books();
  await world.gateway.count();
  return { suspense: is.suspense - was.suspense, equity: is.equity - was.equity };
}

/** What was written to all who move money since the last time. */
async function told(): Promise<string> {
  world.gateway.clock.advance({ minutes: 2 });
  await world.gateway.runUntilIdle();
  return mail.received
    .splice(0)
    .map(({ text }) => text.replaceAll(/\s+/g, ' '))
    .join('\n');
}

/** What the form of the page is sent with. */
async function ownForm(reason: string, who = world.operator): Promise<Form> {
  const { text } = await who.get(await crumbsPath());
  const hidden = ['network', 'asset', 'upTo', 'count', 'units'].map((name) => {
    const found = new RegExp(`name="${name}" value="([^"]*)"`, 'g');
    return [name, [...text.matchAll(found)].at(-1)?.[1] ?? ''] as const;
  });
  return { ...Object.fromEntries(hidden), reason };
}

const ownPath = '/operator/suspense/crumbs/own';
const found = async (text: string): Promise<UnmatchedPayment> => {
  const [sum] = await unmatchedCrumbs(world.gateway.db);
  const payments = await listCrumbs(world.gateway.db, present(sum, 'small payments'), { after: null, wanted: text });
  return present(payments[0], text);
};

/** So many cents each, from somebody who names nobody. */
function flood(count: number, text = 'hello'): readonly string[] {
  return Array.from({ length: count }, (_, at) => world.bank.pay({ units: 1n, from: jörg, text: `${text} ${at}` }));
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
  assert.match(suspense, /1\.00 EUR SEPA · .*a whole euro/);
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

test('what nobody asks for is the operator’s own in one step, with a reason, however often it is pressed', async () => {
  const { gateway, operator } = world;
  const back = await found('hello 7');
  const returned = await signed(operator, `/operator/suspense/${back.id}/return`, { address: '', fee: '0' });
  assert.equal(returned.location, '/operator/suspense?did=returned', returned.text);
  const reason = 'cents of strangers, asked for by nobody';
  const form = await ownForm(reason);
  assert.deepEqual([form['count'], form['units']], ['204', '20400000'], 'without what is on its way back');
  assert.equal((await operator.post(ownPath, form)).status, 403, 'nobody signed that');
  assert.match((await signed(operator, ownPath, { ...form, reason: ' ' })).text, /in 1 to 200 characters/);
  assert.match((await signed(operator, ownPath, { ...form, count: '3' })).text, /since you looked: look again/);
  assert.equal((await signed(operator, ownPath, form, { ...form, reason: 'mine' })).status, 409, 'of another reason');

  await told();
  const { network = '', asset = '' } = form;
  const wish = { network, asset, upTo: null, reason, signed: null };
  const proof = operator.device.answer((await operator.post(ownPath, form, { 'x-ask': 'passkey' })).json);
  const moved = await changes(async () => {
    const [pressed, commanded] = await meetAt<unknown>(
      gateway.db,
      (tx) => tx`select from unmatched_payment where crumb_adoption_id is null for update`,
      [
        async () => (await operator.post(ownPath, { ...form, proof })).location,
        () => adoptCrumbs(gateway, wish).catch((error: unknown) => String(error)),
      ],
    );
    assert.equal(pressed, '/operator/suspense?did=small-own');
    assert.match(String(commanded), /No small payments wait on SEPA/, 'two at once are one');
  });
  assert.deepEqual(moved, { suspense: -204n, equity: 204n });
  assert.match(
    await told(),
    /204 small payments by SEPA, 2\.04 EUR in all, which nobody asked for, are the operator's own now\. .* one was enough\. Why: cents/,
  );
  assert.match(
    await world.page('/operator/audit'),
    /Took 204 small payments by SEPA, 2\.04 EUR, as our own: cents of strangers/,
  );
  assert.match(await world.page(await crumbsPath()), /1 by SEPA/, 'what is on its way back');
});

test('what a bank takes back of it is equity no more, and each says why it is our own', async () => {
  const { bank, gateway } = world;
  const entries = flood(3, 'again');
  await world.bringStatement();
  const { id } = await found('again 1');
  assert.equal((await signed(world.operator, ownPath, await ownForm('cents'))).status, 303);
  assert.match(await world.page(`/operator/suspense/${id}`), /our own money.*Why cents/);
  const moved = await changes(async () => {
    bank.correct(present(entries[1], 'the second'));
    await world.bringStatement();
  });
  assert.deepEqual(moved, { suspense: 0n, equity: -1n });
  assert.match(await broughtLast(), /Taken back by the bank 1 −€0\.01/);
  assert.ok((await findUnmatched(gateway.db, id))?.reversedAt, 'of all that are alike, the one that says the same');
});

test('once two move money another one approves it, and meanwhile each can still find its owner', async (t) => {
  const { gateway, operator, bank } = world;
  const vic = await world.world.staff('treasury', 'vic@operator.example');
  gateway.clock.advance({ hours: 25 }); // Who is new approves nothing for a day.
  await gateway.runUntilIdle();
  for (const each of [operator, vic]) await each.signInWithPasskey();
  const [wrong = ''] = flood(4, 'more');
  bank.pay({ units: 50n, from: ada, text: 'Bestellung 4712' });
  await world.bringStatement();
  const shop = await world.paidShop(50_000n);
  const { id: checkout } = await shop.open('0.50 EUR', 'SEPA');
  await told();
  const asked = await changes(async () => {
    const answer = await signed(vic, ownPath, await ownForm('strangers', vic));
    assert.equal(answer.location, '/operator/suspense?did=small-own-waiting', answer.text);
  });
  assert.deepEqual(asked, { suspense: 0n, equity: 0n });
  assert.match(await told(), /asks to take 5 small payments by SEPA, 0\.54 EUR in all, which nobody asked for, as/);
  assert.match(
    await world.page('/operator/needs-you'),
    /Taking 0\.54 EUR as our own waits.*5 small payments: strangers/,
  );
  for (const path of ['/operator/suspense', await crumbsPath()])
    assert.match(
      await world.page(path),
      /Take 5 small payments by SEPA as our own, 0\.54 EUR in all strangers Asked for/,
    );
  const twice = await signed(operator, ownPath, { ...(await ownForm('ours')), network: 'SEPA' });
  assert.equal(twice.status, 400, 'one order at a time');

  const { id } = await found('Bestellung 4712');
  assert.equal((await signed(operator, `/operator/suspense/${id}/assign`, { checkout })).status, 303);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout), 'COMPLETED');
  bank.correct(wrong);
  flood(2, 'later');
  await world.bringStatement();
  const single = await found('more 3');

  const [order] = await gateway.db<{ id: string }>`select id from crumb_adoption where state = 'AWAITING_APPROVAL'`;
  const deed = (what: string): string => `/operator/suspense/crumbs/adoptions/${order?.id}/${what}`;
  assert.match((await signed(vic, deed('approve'), {})).text, /You asked for this: somebody else/);
  assert.equal((await operator.post(deed('approve'))).status, 403, 'nobody signed that');
  const proofOf = async (who: Visitor, path: string, form: Form = {}): Promise<Form> => ({
    ...form,
    proof: who.device.answer((await who.post(path, form, { 'x-ask': 'passkey' })).json),
  });
  const singlePath = `/operator/suspense/${single.id}/own`;
  const alone = await proofOf(vic, singlePath, { reason: 'mine alone' });
  const all = await proofOf(operator, deed('approve'));
  const approved = await changes(async () => {
    const answers = await meetAt(
      gateway.db,
      (tx) => tx`select from unmatched_payment where id = ${single.id} for update`,
      [() => vic.post(singlePath, alone), () => operator.post(deed('approve'), all)],
    );
    assert.deepEqual(
      answers.map(({ location }) => location),
      ['/operator/suspense?did=own-waiting', '/operator/suspense?did=small-own'],
    );
  });
  assert.deepEqual(approved, { suspense: -2n, equity: 2n }, 'not what found its owner, was taken back or is asked for');
  assert.match(
    await told(),
    /2 small payments by SEPA, 0\.02 EUR in all, .* are the operator's own now\. .* approved it/,
  );
  assert.equal((await signed(operator, deed('approve'), {})).status, 409, 'it is decided');
  assert.ok(await found('later 1'), 'what came after it was asked for waits on');
  await gateway.count();

  // A command is nobody of the staff: any of them refuses it.
  t.mock.timers.enable({ apis: ['Date'], now: gateway.clock.now() });
  const said: string[] = [];
  const paper = { log: (text: string) => said.push(text), error: (text: unknown) => said.push(String(text)) };
  const command = (...words: string[]) =>
    runCommandLine(['suspense', 'own-small', ...words], { ...process.env, DATABASE_URL: gateway.databaseUrl }, paper);
  assert.equal(await command('--network', 'SEPA'), 2);
  assert.equal(await command('--network', 'SEPA', '--reason', 'cents'), 0);
  assert.match(said.join('\n'), /2 small payments by SEPA, 0\.02\d* EUR in all, are the operator's own once one of/);
  assert.equal(await command('--network', 'SEPA', '--reason', 'cents'), 1);
  assert.match(said.at(-1) ?? '', /waits for a second signature: refuse that first/);
  const [next] = await gateway.db<{ id: string }>`select id from crumb_adoption where state = 'AWAITING_APPROVAL'`;
  const refused = await world.press(`/operator/suspense/crumbs/adoptions/${next?.id}/refuse`);
  assert.equal(refused.location, '/operator/suspense?did=small-own-refused', refused.text);
  assert.ok(await found('later 1'));
});
