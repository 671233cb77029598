/**
 * Every example of the manual is run as it is written: the requests against a real gateway, the receivers of webhooks as
 * processes that get genuine and forged events. What the tables say is held against the code.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkoutExceptions, checkoutStates } from '@quittance/contract/checkout';
import { events } from '@quittance/contract/events';
import { canMove } from '../src/checkouts/checkout-state.ts';
import { Secret } from '../src/lib/secret.ts';
import { signWebhook } from '../src/webhooks/sign-webhook.ts';
import { type Gateway, type ReceivedWebhook, startGateway, withoutLitecoin } from './gateway.ts';
import { type Block, blockUnder, readPage, type ShownLanguage, shownLanguages } from './manual-page.ts';
import { missing, openWorkbench, placeOf, type Sent, type Workbench } from './manual-programs.ts';
import { openShop, type Shop } from './shop.ts';
import { until } from './until.ts';

const pages = {
  'quick-start.md': readPage('quick-start.md'),
  'webhooks.md': readPage('webhooks.md'),
  'life-of-a-checkout.md': readPage('life-of-a-checkout.md'),
  'sdks.md': readPage('sdks.md'),
  'going-live.md': readPage('going-live.md'),
};
/** Typed into a real sandbox by scripts/testing-page.deep.test.ts, since that takes minutes. */
const testing = readPage('testing.md');

let gateway: Gateway;
let bench: Workbench;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
  bench = openWorkbench(gateway);
});
after(async () => {
  bench.clear();
  await gateway.stop();
});

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
  test(`the quick start leads to a paid order: ${language}`, { skip: missing[language] }, async () => {
    const shop = await openShop(gateway);
    const block = (heading: string): Block => blockUnder(quickStart, heading, language);
    const createAndPay = async (port: number): Promise<string> => {
      const said = await bench.told(block('5. Create a checkout'), { shop, port });
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
        return bench.told(block('4. Receive the webhook'), { shop, env });
      };
      assert.equal(await check(event.raw), 'genuine\n');
      assert.equal(await check(`${event.raw} `), 'forged\n');
    } else {
      id = '';
      await bench.whileReceiving(block('4. Receive the webhook'), shop, async ({ port, said, send }) => {
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
    assert.match(await bench.told(block('7. Read the checkout'), { shop, env }), /COMPLETED\b.*\b0\.\d+/);
  });
}

test('the quick start takes the secret from where the first start has put it', async () => {
  const shop = await openShop(gateway);
  mkdirSync(join(bench.folder, 'data'));
  writeFileSync(join(bench.folder, 'data/access.json'), JSON.stringify(shop.merchant));
  const found = blockUnder(quickStart, '2. Key and secret', 'sh');
  const shown = { ...found, code: `unset QUITTANCE_SECRET\n${found.code}echo "$QUITTANCE_SECRET"\n` };
  assert.equal(await bench.told(shown, { shop }), `${shop.merchant.apiSecret}\n`);
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
    skip: missing[language],
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
        return bench.told(block, { shop, env });
      };
      assert.equal(await check({ body, headers }), 'genuine\n');
      const two = `v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`;
      assert.equal(await check({ body, headers: { ...headers, 'webhook-signature': two } }), 'genuine\n');
      assert.equal(await check({ body: `${body} `, headers }), 'forged\n');
      assert.equal(await check({ body, headers: old }), 'old\n');
      return;
    }
    await bench.whileReceiving(block, shop, async ({ said, send }) => {
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

  test(`what was given up is sent again: ${language}`, { skip: missing[language] }, async () => {
    const shop = await openShop(gateway);
    gateway.webhookAnswers.push(410);
    const { id, address, amount } = await shop.open('20.00 USD', 'BITCOIN');
    gateway.bitcoin.pay({ address, amount });
    gateway.bitcoin.mine(1);
    await gateway.runUntilIdle();
    assert.deepEqual(shop.eventsOf(id), []);
    await bench.told(blockUnder(webhooks, 'When your server was away', language), { shop });
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
  test(`what the page about the SDKs shows runs: ${language}`, { skip: missing[language] }, async () => {
    const shop = await openShop(gateway);
    const headings = Object.keys(saidBySdks);
    const blocks = headings.map((heading) => blockUnder(pages['sdks.md'], heading, language));
    const said = await bench.toldInTurn(blocks, { shop });
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
  const withoutCommand = ['NO_MARKET', 'WRONG_ASSET', 'SWAP_FAILED'];
  for (const word of [...checkoutStates, ...checkoutExceptions, ...types]) {
    assert.ok(testing.text.includes(`\`${word}\``), `the page about testing names ${word}`);
    assert.equal(rowsOf(testing).has(word), !withoutCommand.includes(word), `a command brings about ${word}`);
  }
});

test('every block of code is in a language that is run here, in the order of the tabs, and was run', () => {
  for (const { blocks } of [...Object.values(pages), testing])
    for (const [at, block] of blocks.entries()) {
      const { language, isNext } = block;
      if (language === 'text') continue;
      const place = shownLanguages.findIndex((each) => each === language);
      assert.notEqual(place, -1, `${placeOf(block)} is in “${language}”: what cannot be run is text`);
      const before = shownLanguages.findIndex((each) => isNext && each === blocks[at - 1]?.language);
      assert.ok(before < place, `${placeOf(block)} comes before the one above`);
      const isRun = block.page === 'testing.md' || bench.ran.has(placeOf(block));
      assert.ok(isRun || missing[language as ShownLanguage] !== false, `${placeOf(block)} was run`);
    }
});
