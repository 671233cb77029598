/**
 * There is more to do than can be done at once: whoever asks for much waits or is told when to ask again, in words that fit who
 * reads them, and everybody else is served meanwhile. Nothing is timed: a lock in the database and a gate in the threads hold what
 * is being done until all have been seen to wait.
 */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { addressHash, createMailToken, stopMailsPath } from '../src/counterparties/mail-token.ts';
import { openDatabase } from '../src/db/database.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { type HeavyTask, usualHeavyOptions } from '../src/lib/heavy-work.ts';
import { onceMade } from '../src/lib/once-made.ts';
import { type AccountWorld, accountsAt, words } from './account-world.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import type * as samples from './heavy-samples.ts';
import { openShop, type Shop } from './shop.ts';
import { patience } from './test-database.ts';
import { until } from './until.ts';

let gateway: Gateway;
let world: AccountWorld;
before(async () => {
  gateway = await startGateway({ hasAccount: true, env: withoutLitecoin });
  world = accountsAt(gateway);
});
after(() => gateway.stop());

type Heard = { readonly status: number; readonly retryAfter: string; readonly type: string; readonly text: string };

/** From an address of this machine: each is a party of its own. */
function ask(from: string, method: string, path: string, body = ''): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      'sec-fetch-site': 'same-origin',
    };
    const { hostname, port } = new URL(gateway.url);
    const sent = request({ hostname, port, method, path, headers, localAddress: from, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (chunk: string) => {
        text += chunk;
      });
      reply.on('error', reject);
      reply.on('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          retryAfter: reply.headers['retry-after'] ?? '',
          type: reply.headers['content-type'] ?? '',
          text,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Whoever needs this table waits until it is let go: at the end of the story at the latest. */
async function hold(story: TestContext, table: 'checkout' | 'mail_address'): Promise<() => Promise<void>> {
  const db = openDatabase({ url: gateway.databaseUrl, poolSize: 1, ...patience });
  const letGo = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const held = db.begin(async (tx) => {
    await (table === 'checkout'
      ? tx`lock table checkout in access exclusive mode`
      : tx`lock table mail_address in access exclusive mode`);
    isHeld.resolve();
    await letGo.promise;
  });
  await isHeld.promise;
  const end = onceMade(async () => {
    letGo.resolve();
    await held;
    await db.close();
  });
  story.after(end);
  return end;
}

const hosted = async (shop: Shop): Promise<string> =>
  (await shop.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'de' }))).id;

test('one address that asks for much waits, then is told so by a page, and its neighbour is served meanwhile', async (story) => {
  const { merchantId } = (await openShop(gateway)).merchant;
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
  const token = createMailToken(encryption, { merchantId, addressHash: addressHash('ada@customer.example') });
  const letGo = await hold(story, 'mail_address');
  const large = 'a'.repeat(250_000);
  const sent = 80;
  const refused: Heard[] = [];
  const others: Promise<Heard>[] = Array.from({ length: sent }, async () => {
    const heard = await ask('127.0.0.1', 'POST', stopMailsPath('de', token), large);
    if (heard.status === 429) refused.push(heard);
    return heard;
  });
  // Two megabytes are at work at once, of which one party leaves as much free as it has; sixteen may wait.
  const [atWork, waiting] = [4, 67];
  await until('all are at work, wait, or are refused', () => refused.length === sent - atWork - waiting);
  for (const { status, retryAfter, type, text } of refused) {
    assert.deepEqual([status, retryAfter, type], [429, '1', 'text/html; charset=utf-8']);
    assert.match(text, /<html lang="de".*<h1 class="headline">Zu viele Anfragen von hier<\/h1>/s);
  }
  const neighbour = [
    await ask('127.0.0.2', 'GET', '/api/v1/status'),
    await ask('127.0.0.2', 'GET', '/docs'),
    await ask('127.0.0.2', 'GET', '/no/such/page'),
  ];
  assert.deepEqual(
    neighbour.map(({ status }) => status),
    [200, 200, 404],
  );
  assert.equal(refused.length, sent - atWork - waiting, 'and still nobody else was refused');
  await letGo();
  const answers = await Promise.all(others);
  assert.equal(answers.filter(({ status }) => status === 200).length, atWork + waiting, 'who waited is answered');
});

test('a merchant that asks for much is refused in JSON, and another one is not', async (story) => {
  const [shop, neighbour] = [await openShop(gateway), await openShop(gateway)];
  const id = await hosted(shop);
  const letGo = await hold(story, 'checkout');
  const sent = 80;
  const refused: unknown[] = [];
  const padded = { checkoutId: id, meta: 'x'.repeat(249_900) };
  const all = Array.from({ length: sent }, async () => {
    const reply = await shop.request('POST', '/checkout/cancel', padded);
    if (reply.status === 429) refused.push([reply.headers.get('retry-after'), reply.body.errors]);
    return reply;
  });
  await until('some are refused', () => refused.length === sent - 4 - 67);
  assert.deepEqual(refused[0], ['1', ['Too many requests. Please wait a moment and try again.']]);
  assert.equal((await neighbour.request('GET', '/customers')).status, 200);
  await letGo();
  assert.equal((await Promise.all(all)).filter(({ status }) => status === 429).length, refused.length);
});

/** All threads are busy for others, and the line of this merchant is full. */
function fillThreads(story: TestContext, party: string): { open(): Promise<void> } {
  const cells = new Int32Array(new SharedArrayBuffer(4));
  const task: HeavyTask<typeof samples.wait> = {
    name: 'wait',
    module: import.meta.resolve('./heavy-samples.ts'),
    run: 'wait',
    seconds: 600,
  };
  const { threadsMax, places } = usualHeavyOptions;
  const busy = Array.from({ length: threadsMax }, (_, at) => gateway.app.heavyWork.run(task, `busy ${at}`, cells, ''));
  const line = Array.from({ length: places.perParty }, () => gateway.app.heavyWork.run(task, party, cells, ''));
  const open = onceMade(async () => {
    Atomics.store(cells, 0, 1);
    Atomics.notify(cells, 0);
    await Promise.all([...busy, ...line]);
  });
  story.after(open);
  return { open };
}

async function paid(shop: Shop): Promise<string> {
  const id = await hosted(shop);
  const { depositInstructions } = await shop.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  return id;
}

test('a PDF that finds no place is a page that says when to come back, and of a neighbour it is made', async (story) => {
  const [shop, neighbour] = [await openShop(gateway), await openShop(gateway)];
  const [mine, theirs] = [await paid(shop), await paid(neighbour)];
  const pdf = (id: string) => ask('127.0.0.1', 'GET', `/de/checkout/${id}/receipt?format=pdf`);
  const threads = fillThreads(story, shop.merchant.merchantId);
  const refused = await pdf(mine);
  assert.deepEqual([refused.status, refused.retryAfter, refused.type], [503, '5', 'text/html; charset=utf-8']);
  assert.match(refused.text, /<html lang="de".*Bitte gleich noch einmal versuchen.*href="[^"]*\/receipt"/s);
  const made = pdf(theirs);
  await until('the neighbour waits for a thread', () => gateway.app.heavyWork.waiting() === 9);
  await threads.open();
  assert.deepEqual([(await made).status, (await made).type], [200, 'application/pdf']);
  assert.equal((await pdf(mine)).status, 200, 'and a moment later also this one');
});

test('a person whose picture finds no place reads so beside it, publishing and in the preview, and nothing is changed', async (story) => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const person = await world.member('owner', 'owner@busy.example', merchantId);
  await person.post('/account/my-sign-in/language', { language: 'en' });
  const size = { width: 300, height: 100, channels: 4 as const, background: '#123456' };
  const logo = await sharp({ create: size }).png().toBuffer();
  const send = async (path: string) => {
    const body = new FormData();
    body.set('account', merchantId);
    body.set('logo', new Blob([new Uint8Array(logo)]), 'logo.png');
    const cookie = `quittance-session=${person.cookie('quittance-session')}`;
    const answer = await fetch(`${new URL(gateway.url).origin}${path}`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  };
  const page = '/account/settings/payment-page';
  const threads = fillThreads(story, merchantId);
  const refused = [await send(page), await send(`${page}/preview`)];
  await threads.open();
  for (const { status, retryAfter, text } of refused) {
    assert.deepEqual([status, retryAfter], [503, '5']);
    assert.match(text, /Many documents and pictures are being made at the moment\. Try again in a few seconds\./);
  }
  assert.doesNotMatch(words(await person.get(page)), /Last published/);
  assert.equal((await send(page)).status, 303, 'a moment later it is published');
});
