/**
 * Every example of the manual is run as it is written: the requests against a real gateway, the receivers of webhooks as
 * processes that get genuine and forged events. Only the key, the address and the port are others. What is not installed
 * here is skipped by name; see scripts/system-packages.ts.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkoutExceptions, checkoutStates } from '@quittance/contract/checkout';
import { events } from '@quittance/contract/events';
import { hasPhpCurl, hasRuby } from '../../sdk/test/programs.ts';
import { canMove } from '../src/checkouts/checkout-state.ts';
import { freePort } from '../src/lib/free-port.ts';
import { Secret } from '../src/lib/secret.ts';
import { signWebhook } from '../src/webhooks/sign-webhook.ts';
import { type Gateway, type ReceivedWebhook, startGateway, withoutLitecoin } from './gateway.ts';
import { type Block, blockUnder, readPage, type ShownLanguage, shownLanguages } from './manual-page.ts';
import { openShop, type Shop } from './shop.ts';
import { until } from './until.ts';

const pages = {
  'quick-start.md': readPage('quick-start.md'),
  'webhooks.md': readPage('webhooks.md'),
  'life-of-a-checkout.md': readPage('life-of-a-checkout.md'),
  'sdks.md': readPage('sdks.md'),
  'going-live.md': readPage('going-live.md'),
};
type PageName = keyof typeof pages;

const sdk = (path: string): string => fileURLToPath(new URL(`../../sdk/${path}`, import.meta.url));

let gateway: Gateway;
let folder: string;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
  folder = mkdtempSync(join(tmpdir(), 'quittance-manual-'));
  mkdirSync(join(folder, 'node_modules/@quittance'), { recursive: true });
  symlinkSync(sdk('node'), join(folder, 'node_modules/@quittance/sdk'));
  mkdirSync(join(folder, 'vendor'));
  writeFileSync(
    join(folder, 'vendor/autoload.php'),
    `<?php require ${JSON.stringify(sdk('php/tests/bootstrap.php'))};`,
  );
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway.stop();
});

const skipped: Record<ShownLanguage, string | false> = {
  sh: false,
  js: false,
  php: !hasPhpCurl() && 'NOT TESTED for want of PHP with curl',
  ruby: !hasRuby() && 'NOT TESTED for want of Ruby',
};

/** Which blocks were run, by page and line. */
const ran = new Set<string>();

type Spoken = { readonly shop: Shop; readonly port?: number; readonly env?: NodeJS.ProcessEnv };

/** The block as a program of this shop. The shell's clock is the gateway's: the others ask the server for the time. */
function programOf(page: PageName, block: Block, { shop, port = 3000 }: Spoken): { command: string; args: string[] } {
  ran.add(`${page}:${block.line}`);
  const code = block.code
    .replaceAll('YOUR_KEY', shop.merchant.apiKey)
    .replaceAll('http://127.0.0.1:8080/api/v1', gateway.url)
    .replaceAll(/\b3000\b/g, String(port));
  const file = (ending: string): string => {
    const path = join(folder, `${page}-${block.line}.${ending}`);
    writeFileSync(path, code);
    return path;
  };
  switch (block.language) {
    case 'sh':
      return { command: 'bash', args: ['-euo', 'pipefail', '-c', `date() { echo "$NOW"; }\n${code}`] };
    case 'js':
      return { command: process.execPath, args: ['--conditions=quittance-source', file('mjs')] };
    case 'php':
      return { command: 'php', args: [file('php')] };
    default:
      return { command: 'ruby', args: ['-w', file('rb')] };
  }
}

const environment = ({ shop, env }: Spoken): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  RUBYLIB: sdk('ruby/lib'),
  TMPDIR: folder,
  NOW: String(Math.floor(gateway.clock.now().getTime() / 1000)),
  QUITTANCE_SECRET: shop.merchant.apiSecret,
  QUITTANCE_WEBHOOK_SECRET: shop.merchant.webhookSecret,
  ...env,
});

function start(command: string, args: readonly string[], spoken: Spoken): { child: ChildProcess; said: () => string } {
  const child = spawn(command, args, { cwd: folder, env: environment(spoken), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return { child, said: () => text };
}

/** What an example says when it is run. */
async function told(page: PageName, block: Block, spoken: Spoken): Promise<string> {
  const { command, args } = programOf(page, block, spoken);
  return saidBy(command, args, spoken);
}

async function saidBy(command: string, args: readonly string[], spoken: Spoken): Promise<string> {
  const { child, said } = start(command, args, spoken);
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, `${args.join(' ')} says: ${said()}`);
  return said();
}

/** Runs the files that it is given one after the other, with a line of dashes after each. */
const inTurn = {
  js: [
    '--input-type=module',
    '-e',
    "for (const file of process.argv.slice(1)) { await import(file); console.log('---'); }",
  ],
  php: ['-r', 'foreach (array_slice($argv, 1) as $file) { (fn () => include $file)(); echo "---\\n"; }', '--'],
  ruby: ['-w', '-e', 'ARGV.each { |file| load file; puts "---" }'],
};

/** What each of several examples in a language says, all in one process: to start one takes longer than any of them. */
async function toldInTurn(page: PageName, blocks: readonly Block[], spoken: Spoken): Promise<string[]> {
  const language = blocks[0]?.language as keyof typeof inTurn;
  const programs = blocks.map((block) => programOf(page, block, spoken));
  const files = programs.map(({ args }) => args.at(-1) ?? '');
  const options = (programs[0]?.args ?? []).filter((argument) => argument.startsWith('--'));
  const said = await saidBy(programs[0]?.command ?? '', [...options, ...inTurn[language], ...files], spoken);
  return said.split('---\n').slice(0, -1);
}

type Sent = { readonly body: string; readonly headers?: Record<string, string> };
type Receiver = { readonly port: number; said(): string; send(sent: Sent): Promise<string> };

/** Runs an example that receives webhooks while the story goes on. */
async function whileReceiving(
  page: PageName,
  block: Block,
  shop: Shop,
  story: (receiver: Receiver) => Promise<void>,
): Promise<void> {
  const port = await freePort('127.0.0.1');
  const { command, args } = programOf(page, block, { shop, port });
  const served = block.language === 'php' ? ['-S', `127.0.0.1:${port}`, ...args] : args;
  const { child, said } = start(command, served, { shop });
  const send = async ({ body, headers = {} }: Sent): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body, headers });
    return `${answer.status} ${await answer.text()}`;
  };
  try {
    await until('the receiver listens', async () => {
      assert.equal(child.exitCode, null, said());
      return send({ body: '' }).then(
        () => true,
        () => false,
      );
    });
    await story({ port, said, send });
  } finally {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  }
}

/** As the customer does on the payment page, with the buttons of the sandbox. */
async function payOnPage(shop: Shop, id: string): Promise<void> {
  await shop.commit(id, 'BITCOIN');
  const page = `${new URL(gateway.url).origin}/en/checkout/${id}`;
  for (const [button, action] of [
    ['Pay now with test money', 'pay'],
    ['Confirm the test payment', 'mine'],
  ] as const) {
    assert.match(await (await fetch(page)).text(), new RegExp(button));
    const pressed = await fetch(`${page}/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `action=${action}`,
      redirect: 'manual',
    });
    assert.equal(pressed.status, 303);
    assert.doesNotMatch(pressed.headers.get('location') ?? '', /failed/);
    await gateway.runUntilIdle();
  }
}

const quickStart = pages['quick-start.md'];

for (const language of shownLanguages) {
  test(`the quick start leads to a paid order: ${language}`, { skip: skipped[language] }, async () => {
    const shop = await openShop(gateway);
    const block = (heading: string): Block => blockUnder(quickStart, heading, language);
    const createAndPay = async (port: number): Promise<string> => {
      const said = await told('quick-start.md', block('5. Create a checkout'), { shop, port });
      const [, id = ''] = /\b([a-z0-9]{12})\b.*https:\/\/pay\.test\/en\/checkout\/\1/.exec(said) ?? [];
      assert.ok(id, said);
      await payOnPage(shop, id);
      return id;
    };
    let id: string;
    if (language === 'sh') {
      id = await createAndPay(Number(new URL(gateway.webhookUrl).port));
      const [event] = shop.webhooksOf(id);
      assert.ok(event);
      const check = (body: string): Promise<string> => {
        const env = { BODY: body, AUTH: event.headers['x-webhook-auth'] ?? '' };
        return told('quick-start.md', block('4. Receive the webhook'), { shop, env });
      };
      assert.equal(await check(event.raw), 'genuine\n');
      assert.equal(await check(`${event.raw} `), 'forged\n');
    } else {
      id = '';
      await whileReceiving('quick-start.md', block('4. Receive the webhook'), shop, async ({ port, said, send }) => {
        assert.match(await send({ body: '{}' }), /^401 unsigned$/);
        assert.match(
          await send({ body: '{}', headers: { 'x-webhook-auth': 'a'.repeat(64) } }),
          /^401 wrong.signature$/,
        );
        assert.doesNotMatch(said(), /Ship/);
        id = await createAndPay(port);
        await until('the receiver has said so', () => said().includes('Ship order 1001'));
      });
    }
    const env = { CHECKOUT_ID: id };
    assert.match(await told('quick-start.md', block('7. Read the checkout'), { shop, env }), /COMPLETED\b.*\b0\.\d+/);
  });
}

test('the quick start takes the secret from where the first start has put it', async () => {
  const shop = await openShop(gateway);
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/access.json'), JSON.stringify(shop.merchant));
  const found = blockUnder(quickStart, '2. Key and secret', 'sh');
  const shown = { ...found, code: `unset QUITTANCE_SECRET\n${found.code}echo "$QUITTANCE_SECRET"\n` };
  assert.equal(await told('quick-start.md', shown, { shop }), `${shop.merchant.apiSecret}\n`);
});

const webhooks = pages['webhooks.md'];

/** Pays an order of its own, and gives the event as the shop's server got it. */
async function paidEvent(shop: Shop): Promise<ReceivedWebhook> {
  const { id, address, amount } = await shop.open('20.00 USD', 'BITCOIN', { meta: { order: '1001' } });
  gateway.bitcoin.pay({ address, amount });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  const [event] = shop.webhooksOf(id);
  assert.ok(event);
  return event;
}

for (const language of shownLanguages) {
  test(`a receiver believes what is genuine, once, and nothing else: ${language}`, {
    skip: skipped[language],
  }, async () => {
    const shop = await openShop(gateway);
    const { raw: body, headers: old } = await paidEvent(shop);
    const { merchant } = shop;
    // The gateway lives in March: signed as it signs, but now, which is when receivers here look at it.
    const headers: Record<string, string> = signWebhook(
      { id: old['webhook-id'] ?? '', at: new Date(), body },
      { apiSecret: new Secret(merchant.apiSecret), webhookSecrets: [new Secret(merchant.webhookSecret)] },
    );
    const block = blockUnder(webhooks, 'Is it genuine?', language);
    if (language === 'sh') {
      const check = (sent: Sent): Promise<string> => {
        const [ID, TIME, SIGNATURES] = ['id', 'timestamp', 'signature'].map(
          (name) => sent.headers?.[`webhook-${name}`],
        );
        const env = { BODY: sent.body, ID, TIME, SIGNATURES, NOW: headers['webhook-timestamp'] };
        return told('webhooks.md', block, { shop, env });
      };
      assert.equal(await check({ body, headers }), 'genuine\n');
      const two = `v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`;
      assert.equal(await check({ body, headers: { ...headers, 'webhook-signature': two } }), 'genuine\n');
      assert.equal(await check({ body: `${body} `, headers }), 'forged\n');
      assert.equal(await check({ body, headers: old }), 'old\n');
      return;
    }
    await whileReceiving('webhooks.md', block, shop, async ({ said, send }) => {
      assert.match(await send({ body }), /^401 unsigned$/);
      assert.match(await send({ body: `${body} `, headers }), /^401 wrong.signature$/);
      assert.match(
        await send({ body, headers: { ...old, 'content-length': String(Buffer.byteLength(body)) } }),
        /^401 wrong.time$/,
      );
      assert.doesNotMatch(said(), /Ship/);
      assert.equal(await send({ body, headers }), '200 ok');
      assert.equal(await send({ body, headers }), '200 ok');
      await until('the receiver has said so', () => said().includes('Ship order 1001'));
      assert.equal(said().match(/Ship/g)?.length, 1);
    });
  });

  test(`what was given up is sent again: ${language}`, { skip: skipped[language] }, async () => {
    const shop = await openShop(gateway);
    gateway.webhookAnswers.push(410);
    const { id, address, amount } = await shop.open('20.00 USD', 'BITCOIN');
    gateway.bitcoin.pay({ address, amount });
    gateway.bitcoin.mine(1);
    await gateway.runUntilIdle();
    assert.deepEqual(shop.eventsOf(id), []);
    await told('webhooks.md', blockUnder(webhooks, 'When your server was away', language), { shop });
    await gateway.runUntilIdle();
    assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
  });
}

/** What each section of the page about the SDKs says when it is run. */
const saidBySdks: Readonly<Record<string, RegExp>> = {
  'Create a client': /^Bitcoin$/m,
  Errors: /^There is no checkout with the id "abcdefghijkl"\.\n$/,
  'Trying again, and doing nothing twice': /^true\n$/,
  Lists: /^[a-z0-9]{12}\n1\n$/,
  Decimals: /^71\.3643\n$/,
  'Coming from the earlier SDKs': /^200 1\n$/,
};

for (const language of ['js', 'php', 'ruby'] as const) {
  test(`what the page about the SDKs shows runs: ${language}`, { skip: skipped[language] }, async () => {
    const shop = await openShop(gateway);
    const headings = Object.keys(saidBySdks);
    const blocks = headings.map((heading) => blockUnder(pages['sdks.md'], heading, language));
    const said = await toldInTurn('sdks.md', blocks, { shop });
    for (const [at, heading] of headings.entries()) assert.match(said[at] ?? '', saidBySdks[heading] ?? /^$/, heading);
  });
}

/** The words in backticks of the first column of every table on a page, and the rest of their rows. */
const rowsOf = ({ text }: { readonly text: string }): Map<string, string> =>
  new Map(Array.from(text.matchAll(/^\| `([A-Z_]+)` \|(.*)$/gm), ([, word = '', rest = '']) => [word, rest]));

test('the pages name every state, exception, event and way of a checkout', () => {
  const life = pages['life-of-a-checkout.md'];
  const types = events.map(({ type }) => type);
  assert.deepEqual([...rowsOf(webhooks).keys()].toSorted(), types.toSorted());
  const aboutCheckouts = types.filter((type) => /CHECKOUT|UNDERPAID|REFUND/.test(type));
  for (const word of [...aboutCheckouts, ...checkoutExceptions])
    assert.ok(life.text.includes(`\`${word}\``), `the life of a checkout names ${word}`);
  const [states = '', ways = ''] = life.text.split('## Every way there is');
  for (const state of checkoutStates) {
    assert.ok(rowsOf({ text: states }).has(state), `the life of a checkout has a row for ${state}`);
    const row = rowsOf({ text: ways }).get(state) ?? '';
    for (const other of checkoutStates.filter((each) => each !== state))
      assert.equal(row.includes(`\`${other}\``), canMove(state, other), `${state} to ${other}`);
  }
  const tried = readPage('testing.md').text;
  for (const word of [...checkoutStates, ...checkoutExceptions, ...types])
    assert.ok(tried.includes(`\`${word}\``), `the page about testing names ${word}`);
});

test('every block of code is in a language that is run here, in the order of the tabs, and was run', () => {
  for (const [name, { blocks }] of Object.entries(pages)) {
    for (const [at, { language, line, isNext }] of blocks.entries()) {
      if (language === 'text') continue;
      const place = shownLanguages.findIndex((each) => each === language);
      assert.notEqual(place, -1, `${name}:${line} is in “${language}”: what cannot be run is text`);
      const before = shownLanguages.findIndex((each) => isNext && each === blocks[at - 1]?.language);
      assert.ok(before < place, `${name}:${line} comes before the one above`);
      const isSkipped = skipped[language as ShownLanguage] !== false;
      assert.ok(isSkipped || ran.has(`${name}:${line}`), `${name}:${line} was run`);
    }
  }
});
