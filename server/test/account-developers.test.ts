/** Keys and webhooks in the hands of people over plain HTTP: what a role cannot give, and what an attacker tries. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { personActor } from '../src/http/actor.ts';
import { findKey, findKnownTo, listKeys } from '../src/merchants/api-key-store.ts';
import { type AccountWorld, type Form, type PageAnswer, startAccounts, type Visitor, words } from './account-world.ts';
import type { TestMerchant } from './gateway.ts';
import { until } from './until.ts';

const keys = '/account/developers/keys';
const webhooks = '/account/developers/webhooks';

let world: AccountWorld;
let owner: Visitor;
let admin: Visitor;
let developer: Visitor;
let merchantId: string;
before(async () => {
  world = await startAccounts();
  ({ merchantId } = world.gateway.merchant);
  owner = await world.member('owner', 'owner@example.com');
  admin = await world.member('admin', 'admin@example.com');
  developer = await world.member('developer', 'dev@example.com');
});
after(() => world.gateway.stop());

const copied = ({ text }: PageAnswer): string[] =>
  Array.from(text.matchAll(/data-copy="([^"]*)"/g), ([, value]) => value ?? '');

const scoped = (label: string, scope = ''): Form => ({ label, ...(scope && { scope }) });

async function makeKey(visitor: Visitor, label: string, scope: string): Promise<TestMerchant & { status: number }> {
  const answer = await visitor.post(keys, scoped(label, scope));
  const [apiKey = '', apiSecret = ''] = copied(answer);
  return { ...world.gateway.merchant, apiKey, apiSecret, status: answer.status };
}
const callsWith = async (as: TestMerchant): Promise<number> =>
  (await world.gateway.request('GET', '/auth-test', undefined, { as })).status;

test('a key that a person made works at once, has their name, and counts as theirs', async () => {
  const made = await makeKey(owner, 'shop-live', 'charge');
  assert.equal(await callsWith(made), 200);
  const [person] = await world.gateway.db`select id from person where email = 'owner@example.com'`;
  const actor = personActor(String(person?.['id']));
  const key = await findKey(world.gateway.db, merchantId, made.apiKey);
  assert.deepEqual([key?.label, key?.scopes, key?.madeBy], ['shop-live', ['charge'], actor]);
  assert.deepEqual(await findKnownTo(world.gateway.db, merchantId, made.apiKey), [actor]);
  const page = await developer.get(keys);
  assert.ok(page.text.includes('shop-live') && page.text.includes('The owner'));
  assert.ok(!page.text.includes(made.apiSecret), 'the secret is shown once');
});

test('nobody gives a key a right that their role cannot give', async () => {
  const may: [string, Visitor, string, number][] = [
    ['developer', developer, 'charge', 200],
    ['developer', developer, 'read', 403],
    ['developer', developer, 'money', 403],
    ['developer', developer, 'approve', 403],
    ['admin', admin, 'money', 200],
    ['admin', admin, 'read', 200],
    ['admin', admin, 'approve', 403],
    ['owner', owner, 'approve', 200],
  ];
  for (const [role, visitor, scope, status] of may) {
    const before = (await listKeys(world.gateway.db, merchantId)).length;
    assert.equal((await makeKey(visitor, 'a key', scope)).status, status, `${role}: ${scope}`);
    const made = (await listKeys(world.gateway.db, merchantId)).length - before;
    assert.equal(made, status === 200 ? 1 : 0, `${role}: ${scope}`);
  }
  for (const form of [scoped('x'), scoped('x', 'everything'), scoped('', 'charge'), scoped('y'.repeat(61), 'charge')])
    assert.ok((await owner.post(keys, form)).status >= 400, JSON.stringify(form));
});

test('a key for money is rotated and revoked by who could make it, and by no developer', async () => {
  const rights = [
    [developer, 'money', 403],
    [developer, 'approve', 403],
    [admin, 'approve', 403],
    [admin, 'money', 200],
    [developer, 'charge', 200],
    [owner, 'approve', 200],
  ] as const;
  for (const [visitor, scope, status] of rights) {
    const key = await makeKey(owner, `for ${scope}`, scope);
    const answer = await visitor.post(`${keys}/${key.apiKey}/rotate`);
    assert.equal(answer.status, status, scope);
    assert.equal(copied(answer).length, status === 200 ? 3 : 0, 'the key, its secret, and where the API is');
    assert.equal(await callsWith(key), 200, 'the former secret still works');
  }
  const stolen = await makeKey(owner, 'stolen', 'money');
  assert.equal((await developer.post(`${keys}/${stolen.apiKey}/revoke`)).status, 403);
  assert.doesNotMatch((await developer.get(`${keys}/${stolen.apiKey}`)).text, /\/revoke/);
  assert.ok(
    !(await developer.get(keys)).text.includes(`${stolen.apiKey}#revoke`),
    'what cannot be done is not offered',
  );
  assert.equal(await callsWith(stolen), 200);
  assert.equal((await admin.post(`${keys}/${stolen.apiKey}/revoke`)).location, `${keys}?revoked=yes`);
  assert.equal(await callsWith(stolen), 401);
  assert.equal((await owner.post(`${keys}/${stolen.apiKey}/rotate`)).status, 404, 'what is revoked stays so');
});

test('a former secret can be ended with the exchange, because somebody else knows it', async () => {
  const key = await makeKey(owner, 'leaked', 'charge');
  const answer = await owner.post(`${keys}/${key.apiKey}/rotate`, { 'at-once': 'yes' });
  assert.equal(await callsWith(key), 401);
  assert.equal(await callsWith({ ...key, apiSecret: copied(answer)[1] ?? '' }), 200);
});

test('who rotates a key is told that it approves nothing for a day, and how to go on without that', async () => {
  const [till, sender] = [await makeKey(owner, 'till', 'charge'), await makeKey(owner, 'sender', 'money')];
  const pause = /For a day this key approves nothing.*make a second key, use it from tomorrow on/;
  assert.match(words(await owner.get(`${keys}/${sender.apiKey}`)), pause);
  assert.doesNotMatch(words(await owner.get(`${keys}/${till.apiKey}`)), pause);
});

test("another account's keys and deliveries look like ones that never existed", async () => {
  const other = await world.gateway.createMerchant('Another shop');
  const stranger = await world.member('owner', 'stranger@example.com', other.merchantId);
  await owner.post(`${webhooks}/test`, { url: world.gateway.webhookUrl, key: world.gateway.merchant.apiKey });
  await world.gateway.runUntilIdle();
  const [row] = await world.gateway.db`select id from delivery where merchant_id = ${merchantId}`;
  const named: [string, string][] = [
    [`${keys}/ID/rotate`, world.gateway.merchant.apiKey],
    [`${keys}/ID/revoke`, world.gateway.merchant.apiKey],
    [`${webhooks}/ID/resend`, String(row?.['id'])],
  ];
  const plain = ({ status, text }: PageAnswer, id: string) => [
    status,
    text.replaceAll(/nonce="[^"]*"/g, '').replaceAll(id, 'ID'),
  ];
  const unknown = 'unknown00000';
  for (const [path, id] of named) {
    const theirs = await stranger.post(path.replace('ID', id));
    assert.deepEqual(plain(theirs, id), plain(await stranger.post(path.replace('ID', unknown)), unknown), path);
    const page = path.replace(/ID.*/, '');
    assert.deepEqual(
      plain(await stranger.get(`${page}${id}`), id),
      plain(await stranger.get(`${page}${unknown}`), unknown),
      page,
    );
  }
  const foreign = { url: world.gateway.webhookUrl, key: world.gateway.merchant.apiKey };
  assert.equal((await stranger.post(`${webhooks}/test`, foreign)).status, 404, 'signs with no foreign secret');
  assert.equal(await callsWith(world.gateway.merchant), 200);
});

test('with an old proof, from another site, or for another account nothing happens', async () => {
  const key = await makeKey(owner, 'wanted', 'money');
  const paths = [`${keys}/${key.apiKey}/rotate`, `${keys}/${key.apiKey}/revoke`, `${webhooks}/secret`, keys];
  const before = await listKeys(world.gateway.db, merchantId);
  for (const path of paths) {
    const form = scoped('x', 'charge');
    assert.equal((await owner.post(path, form, { 'sec-fetch-site': 'cross-site' })).status, 403, path);
    assert.equal((await owner.post(path, form, { 'sec-fetch-site': undefined })).status, 403, path);
    assert.equal((await owner.post(path, { ...form, account: 'another' })).status, 409, path);
  }
  world.gateway.clock.advance({ minutes: 6 });
  for (const path of paths) {
    const { status, text } = await owner.post(path, scoped('x', 'charge'));
    assert.deepEqual([status, text.includes('Prove that it is you')], [403, true], path);
  }
  assert.deepEqual(await listKeys(world.gateway.db, merchantId), before);
  await Promise.all([owner, admin, developer].map((each) => each.prove()));
});

test('secrets are in no other page, no log of changes and no table', async () => {
  const key = await makeKey(owner, 'quiet', 'charge');
  const secret = copied(await owner.post(`${webhooks}/secret`, { 'at-once': 'yes' }))[0] ?? '';
  assert.match(secret, /^whsec_/);
  const { gateway } = world;
  for (const path of [keys, `${keys}/${key.apiKey}`, webhooks, '/account/developers/try-it'])
    for (const hidden of [key.apiSecret, secret]) assert.ok(!(await owner.get(path)).text.includes(hidden), path);
  const rows = JSON.stringify([
    await gateway.db`select * from audit_log`,
    await gateway.db`select encode(secret, 'escape') as secret from api_key`,
    await gateway.db`select encode(webhook_secret, 'escape') as secret from merchant`,
  ]);
  for (const hidden of [key.apiSecret, secret]) assert.ok(!rows.includes(hidden));
});

test('while the webhook secret is exchanged, webhooks carry two signatures, and a third is refused', async () => {
  const { gateway } = world;
  const send = async (): Promise<string[]> => {
    const answering = owner.post(`${webhooks}/test`, { url: gateway.webhookUrl, key: gateway.merchant.apiKey });
    const before = gateway.webhooks.length;
    await until('it has arrived', async () => {
      await gateway.runUntilIdle();
      return gateway.webhooks.length > before;
    });
    await answering;
    return (gateway.webhooks.at(-1)?.headers['webhook-signature'] ?? '').split(' ');
  };
  assert.equal((await send()).length, 1);
  assert.equal((await owner.post(`${webhooks}/secret`)).status, 200);
  assert.equal((await send()).length, 2);
  assert.equal((await owner.post(`${webhooks}/secret`)).status, 409);
  gateway.clock.advance({ hours: 25 });
  await owner.signInWithPasskey();
  assert.equal((await send()).length, 1);
});

test('what is said about transfers is shown to nobody who may not see balances', async () => {
  const { gateway } = world;
  await owner.signInWithPasskey();
  await developer.signInWithPasskey();
  const at = gateway.clock.now();
  await gateway.db`
    insert into event (merchant_id, id, type, subject, body, created_at)
    values (${merchantId}, 'event0000001', 'TRANSFER_COMPLETED', 'subject', '{"data":{"amount":"7777"}}', ${at})`;
  await gateway.db`
    insert into delivery (merchant_id, id, event_id, subject, url, api_key, created_at, state)
    values (${merchantId}, 'delivery0001', 'event0000001', 'subject', 'https://x/', 'k', ${at}, 'DELIVERED')`;
  assert.ok((await owner.get(`${webhooks}/delivery0001`)).text.includes('7777'));
  const hidden = await developer.get(`${webhooks}/delivery0001`);
  assert.deepEqual([hidden.status, hidden.text.includes('7777')], [200, false]);
});

test('who sent a test, or something again, is in the audit log', async () => {
  const { gateway } = world;
  await developer.signInWithPasskey();
  const test = { url: 'http://127.0.0.1:9/webhook', key: gateway.merchant.apiKey };
  const { location } = await developer.post(`${webhooks}/test`, test);
  await developer.post(`${location}/resend`);
  await developer.post(`${webhooks}/resend`, { since: 'all' });
  const rows = await gateway.db<{ action: string; email: string }>`
    select action, email from audit_log join person on 'person:' || person.id = actor
     where merchant_id = ${merchantId} and email = 'dev@example.com' and action ~ '^webhooks?[.](test|redeliver)'
     order by audit_log.id`;
  assert.deepEqual(
    rows.map(({ action, email }) => `${action} ${email}`),
    ['webhook.tested dev@example.com', 'webhook.redelivered dev@example.com', 'webhooks.redelivered dev@example.com'],
  );
});

test('the links of plugins lead to the keys, through the sign-in for who is not in, in every language', async () => {
  for (const language of ['en', 'de', 'fr']) {
    const { status, location } = await world.visitor().get(`/${language}/api-settings`);
    assert.deepEqual([status, location], [303, `${world.accountUrl}${keys}`]);
  }
  assert.equal((await world.visitor().get(keys)).location, `/account/sign-in?next=${encodeURIComponent(keys)}`);
});

test('a signed example that is pasted into a terminal works', async () => {
  const { gateway } = world;
  const { text } = await owner.get(`/account/developers/try-it?key=${gateway.merchant.apiKey}`);
  const unescaped = (code: string) =>
    code.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&#96;', '`').replaceAll('&amp;', '&');
  await gateway.app.pollRates();
  const examples = copied({ text } as PageAnswer).map(unescaped);
  assert.equal(examples.length, 2);
  for (const [position, example] of examples.entries()) {
    const script = example
      .replace('$(date +%s)', String(Math.floor(gateway.clock.now().getTime() / 1000)))
      .replace('https://pay.test/api/v1', gateway.url);
    const running = promisify(execFile)('bash', ['-c', script]);
    running.child.stdin?.end(`${gateway.merchant.apiSecret}\n`);
    const { stdout } = await running;
    const answer = JSON.parse(stdout.slice(stdout.indexOf('{')));
    assert.ok(position === 0 ? answer.authenticated : answer.checkoutId, stdout);
  }
});
