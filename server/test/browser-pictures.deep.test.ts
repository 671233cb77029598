/** The pictures of the README: `npm run pictures` keeps what is seen here in docs/pictures. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inviteFirstPerson } from '../src/people/join-account.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { desk, holdClock, stillness } from './chromium.ts';
import type { TestMerchant } from './gateway.ts';

/** Who reads the README on a phone waits for them. */
const bytesMax = 60_000;
const folder = new URL('../../docs/pictures/', import.meta.url);

type Instructions = { readonly address: string; readonly amount: string };

browserStories('pictures', { hasAccount: true }, tellStories);

function tellStories(stage: BrowserStage): void {
  async function keep(page: Page, name: string): Promise<void> {
    await page.evaluate('document.fonts.ready');
    await stillness(page);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    const picture = Buffer.from(data, 'base64');
    assert.ok(picture.length < bytesMax, `${name} has ${picture.length} bytes`);
    if (process.env['WRITE_PICTURES'] !== '1') return;
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(`${name}.webp`, folder), picture);
  }

  const request = async (path: string, body: object): Promise<any> => {
    const reply = await stage.gateway.request('POST', path, body, { as: shop });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  };

  /** So many dollars for tea: the page where it is paid, and what to pay. */
  async function order(dollars: string, network: string): Promise<{ url: string; instructions: Instructions }> {
    orders += 1;
    const lineItems = [{ description: 'Green tea, first flush', netAmount: dollars }];
    const pageSettings = { shopName: 'The tea shop', orderReference: `2026-${1000 + orders}` };
    const charge = { billingCurrency: 'USD', lineItems };
    const { id, url } = await request('/checkout/hosted', { charge, pageSettings, settlementAsset: 'ORIGIN' });
    const { depositInstructions } = await request('/checkout/commit', { checkoutId: id, network });
    return { url, instructions: depositInstructions };
  }

  let orders = 0;
  let shop: TestMerchant;
  before(async () => {
    shop = await stage.gateway.createMerchant('The tea shop');
  });

  test('somebody pays', async () => {
    const { url } = await order('48.50', 'BITCOIN');
    const page = await stage.browser.open({ viewport: { width: 860, height: 750 }, locale: 'en-US' });
    await holdClock(page, stage.gateway.clock.now());
    await page.goto(`${stage.origin}${new URL(url).pathname}`);
    await keep(page, 'payment-page');
  });

  test('somebody looks at two good weeks', async () => {
    const { gateway } = stage;
    const days = [
      '120',
      '64.90',
      '310',
      '42',
      '188.40',
      '96',
      '240',
      '75.50',
      '130',
      '58',
      '205',
      '149.90',
      '310',
      '87',
    ];
    for (const [day, dollars] of days.entries()) {
      if (day > 0) gateway.clock.advance({ hours: 24 });
      await gateway.app.pollRates();
      await gateway.runUntilIdle();
      const isBitcoin = day % 3 !== 1;
      const { instructions } = await order(dollars, isBitcoin ? 'BITCOIN' : 'LITECOIN');
      const chain = isBitcoin ? gateway.bitcoin : gateway.litecoin;
      chain.pay(instructions);
      chain.mine(12);
      await gateway.runUntilIdle();
    }
    const people = peopleAt(stage);
    const token = await inviteFirstPerson(gateway, shop.merchantId);
    const page = await people.open(`/account/welcome#${token}`, { viewport: desk });
    await people.join(page, 'Ada Lovelace', 'ada@example.com');
    await page.goto(`${people.accountUrl()}/account`);
    await keep(page, 'account');
  });
}
