/**
 * Customers pay in a real browser, on every network, with the sandbox's own button. Nobody reloads: what a page shows
 * after a payment, it was told. 25.00 USD take one confirmation on Bitcoin.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { customersAt, everyNetwork } from './browser-customer.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertAccessible, desk, holdClock, phone } from './chromium.ts';
import { deepTest, isSample, sampleOf } from './depth.ts';
import { aCharge, startGateway, withoutLitecoin } from './gateway.ts';
import { until } from './until.ts';

browserStories('customers in a browser', { ...everyNetwork, withBase: !isSample() }, tellStories);

function tellStories(stage: BrowserStage): void {
  const { create, visit, choose, sees, payNow, confirmNow, instructions } = customersAt(stage);

  const networks = [
    { method: 'BITCOIN', link: /^bitcoin:bcrt1\w+\?amount=[\d.]+&lightning=lnbcrt\w+$/, viewport: phone },
    { method: 'LITECOIN', link: /^litecoin:rltc1\w+\?amount=[\d.]+$/, viewport: desk },
    { method: 'LIGHTNING', link: /^lightning:lnbcrt\w+$/, viewport: phone },
    { method: 'ETHEREUM ETH', link: /^ethereum:0x\w{40}@\d+\?value=\d+$/, viewport: desk },
    {
      method: 'ETHEREUM USDC',
      link: /^ethereum:0x\w{40}@\d+\/transfer\?address=0x\w{40}&uint256=\d+$/,
      viewport: phone,
    },
    { method: 'BASE ETH', link: /^ethereum:0x\w{40}@31338\?value=\d+$/, viewport: phone },
    {
      method: 'BASE USDC',
      link: /^ethereum:0x\w{40}@31338\/transfer\?address=0x\w{40}&uint256=\d+$/,
      viewport: desk,
    },
    { method: 'STELLAR XLM', link: /^web\+stellar:pay\?destination=G\w{55}&amount=[\d.]+&memo=\w+/, viewport: desk },
  ];
  for (const { method, link, viewport } of sampleOf(networks, (each) => each.method === 'BITCOIN')) {
    test(`a customer pays by ${method} and sees every step without a reload`, async () => {
      const { id, url } = await create();
      const page = await visit(url, { viewport });
      await choose(page, method);
      assert.match((await page.locator('#open-wallet').getAttribute('href')) ?? '', link);
      if (method === 'BITCOIN') await assertAccessible(page, 'waiting for bitcoin');
      await payNow(page);
      await sees(page, /Your payment was seen|Thank you/);
      if ((await stage.gateway.state(id)) === 'PROCESSING') {
        await sees(page, /^0 of \d confirmation/);
        await confirmNow(page);
      }
      await sees(page, 'Paid. Thank you!');
      assert.equal(await stage.gateway.state(id), 'COMPLETED');
      await page.context().close();
    });
  }

  deepTest('one code serves both kinds of wallets: the invoice in the bitcoin link pays the order too', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    const href = (await page.locator('#open-wallet').getAttribute('href')) ?? '';
    await stage.gateway.lightning.pay({ address: new URLSearchParams(href.split('?')[1]).get('lightning') ?? '' });
    await stage.gateway.runUntilIdle();
    await sees(page, 'Thank you');
    assert.equal(await stage.gateway.state(id), 'COMPLETED');
    await page.context().close();
  });

  test('a whole payment works with the keyboard alone', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab');
        // Past the last stop the focus is nowhere for a moment.
        if ((await page.evaluate<string>('document.activeElement.innerText')).trim() === name) return;
      }
      assert.fail(`${name} is not reached`);
    };
    // Not until the reply alone: the page that was left may show the news first, and takes the focus with it.
    const send = async (key: string): Promise<void> => {
      const loaded = page.waitForEvent('load');
      await page.keyboard.press(key);
      await loaded;
      await stage.gateway.runUntilIdle();
    };
    const focused = (attribute: string) =>
      page.evaluate<string | null>(`document.activeElement.getAttribute('${attribute}')`);
    // The coins are one stop and the ways inside one of them another; arrows go through them.
    for (let presses = 0; presses < 6 && (await focused('name')) !== 'coin'; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused('value'), 'LTC');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    assert.match((await focused('value')) ?? '', /^LIGHTNING/, 'the best way comes first');
    await page.keyboard.press('ArrowDown');
    assert.match((await focused('value')) ?? '', /^BITCOIN/);
    await tabTo('Pay with Bitcoin (Bitcoin network)');
    await send('Enter');
    await sees(page, 'Waiting for your payment');
    await tabTo('Pay now with test money');
    await send('Space');
    await sees(page, 'Your payment was seen');
    await tabTo('Confirm the test payment');
    await send('Enter');
    await sees(page, 'Thank you');
    await tabTo('Back to the shop');
    assert.equal(await page.getByText('You stay on this page.').first().isVisible(), true);
    assert.equal(await stage.gateway.state(id), 'COMPLETED');
    await page.context().close();
  });

  deepTest('whoever does anything on the page is not sent away, and sees that', async () => {
    const uses: Record<string, (page: Page) => Promise<unknown>> = {
      nothing: () => Promise.resolve(),
      'a key': (page) => page.keyboard.press('Tab'),
      'a fold': (page) => page.getByText('Details of the payment').click(),
      scrolling: (page) => page.evaluate('scrollBy(0, 200)'),
      'a selection': (page) => page.evaluate('getSelection().selectAllChildren(document.querySelector("#slip"))'),
      // Without the scrolling that comes before a real click: that alone would keep the page.
      'the button': (page) => page.getByRole('button', { name: 'Stay on this page' }).dispatchEvent('click'),
    };
    const { url } = await create();
    const payer = await visit(url);
    await choose(payer, 'LITECOIN');
    await payNow(payer);
    await confirmNow(payer);
    await sees(payer, 'Thank you');
    await payer.context().close();
    for (const [what, use] of Object.entries(uses)) {
      const page = await stage.browser.open();
      let left = 0;
      await page.route('**/return-from-hosted-checkout/**', (route) => {
        left += 1;
        return route.abort();
      });
      await holdClock(page, stage.gateway.clock.now());
      await page.goto(url);
      await page.clock.runFor(3_000);
      const line = page.locator('#going-back');
      assert.match(await line.innerText(), /in 12 seconds/, what);
      await use(page);
      if (what !== 'nothing') await line.getByText('You stay on this page.').waitFor();
      await page.clock.runFor(60_000);
      if (what === 'nothing') await until('the shop is asked for', () => left === 1);
      else assert.deepEqual([left, await line.innerText()], [0, 'You stay on this page.'], what);
      await page.context().close();
    }
  });

  test('a whole payment works without JavaScript', async () => {
    const { id, url } = await create();
    const page = await visit(url, { javaScriptEnabled: false });
    await choose(page, 'LITECOIN');
    assert.equal(await page.getByRole('img', { name: /^QR code to pay/ }).isVisible(), true);
    assert.equal(await page.locator('.copies').isVisible(), false, 'no button that does nothing');
    await page.getByRole('link', { name: 'Address only' }).click();
    const addressOnly = page.getByRole('img', { name: 'QR code of the address only' });
    assert.equal(await addressOnly.isVisible(), true);
    await page.reload();
    assert.equal(await addressOnly.isVisible(), true, 'after a reload too');
    assert.equal(await page.getByText('Address only', { exact: true }).filter({ visible: true }).count(), 1);
    assert.equal(await page.locator('noscript meta[http-equiv=refresh], head meta[http-equiv=refresh]').count(), 1);
    await payNow(page);
    await page.reload();
    await confirmNow(page);
    await page.reload();
    await sees(page, 'Thank you');
    assert.equal(await page.getByRole('link', { name: 'Back to the shop' }).isVisible(), true);
    assert.equal(await stage.gateway.state(id), 'COMPLETED');
    await page.context().close();
  });

  test('a wallet in the browser is asked to pay exactly what the page says', async () => {
    const { url } = await create();
    const page = await stage.browser.open();
    await page.addInitScript(`
      window.asked = [];
      window.ethereum = { request: async (request) => {
        window.asked.push(request);
        return request.method === 'eth_requestAccounts' ? ['0x00000000000000000000000000000000000000aa'] : null;
      } };`);
    await page.goto(url);
    await choose(page, 'ETHEREUM USDC');
    const { address, amount } = await instructions(page);
    await page.getByRole('button', { name: 'Pay with the wallet in this browser' }).click();
    await page.waitForFunction('window.asked.length === 3');
    const asked = (await page.evaluate('window.asked')) as {
      method: string;
      params?: { data: string; to: string }[];
    }[];
    assert.deepEqual(
      asked.map(({ method }) => method),
      ['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_sendTransaction'],
    );
    const { data = '', to } = asked[2]?.params?.[0] ?? {};
    assert.equal(to, stage.gateway.ethereum?.tokens.USDC);
    assert.equal(data.slice(0, 10), '0xa9059cbb');
    assert.equal(`0x${data.slice(34, 74)}`, address.toLowerCase());
    assert.equal(
      BigInt(`0x${data.slice(74)}`),
      BigInt(amount.replace(/^(\d+)(?:\.(\d+))?$/, (_, whole, part = '') => whole + part.padEnd(6, '0'))),
    );
    await page.context().close();
  });

  test('Freighter signs a payment that the server made, and the ledger has it', async () => {
    const { Keypair, TransactionBuilder } = await import('@stellar/stellar-sdk');
    const payer = Keypair.random();
    stage.gateway.stellar.openAccount(payer, '5000');
    const { id, url } = await create();
    const page = await stage.browser.open();
    await page.exposeFunction('sign', (xdr: string, passphrase: string) => {
      const transaction = TransactionBuilder.fromXDR(xdr, passphrase);
      transaction.sign(payer);
      return transaction.toXDR();
    });
    await page.addInitScript(`
      addEventListener('message', async ({ data }) => {
        if (data.source !== 'FREIGHTER_EXTERNAL_MSG_REQUEST') return;
        const answers = {
          REQUEST_CONNECTION_STATUS: async () => ({ isConnected: true }),
          REQUEST_ACCESS: async () => ({ publicKey: '${payer.publicKey()}' }),
          SUBMIT_TRANSACTION: async () =>
            ({ signedTransaction: await sign(data.transactionXdr, data.networkPassphrase) }),
        };
        const answer = await answers[data.type]();
        postMessage({ source: 'FREIGHTER_EXTERNAL_MSG_RESPONSE', messagedId: data.messageId, ...answer });
      });`);
    await page.goto(url);
    await choose(page, 'STELLAR XLM');
    const handedIn = page.waitForResponse(
      (response) => response.url().endsWith('/stellar') && response.request().postData()?.startsWith('signed') === true,
    );
    await page.getByRole('button', { name: 'Pay with the wallet in this browser' }).click();
    // Horizon answers when the ledger has closed.
    const closing = setInterval(() => stage.gateway.stellar.close(), 100);
    try {
      assert.equal((await handedIn).status(), 200);
    } finally {
      clearInterval(closing);
    }
    await stage.gateway.runUntilIdle();
    await sees(page, 'Thank you');
    assert.equal(await stage.gateway.state(id), 'COMPLETED');

    const stranger = `${new URL(url).origin}/ajax/checkout/${id}/stellar`;
    const foreign = stage.gateway.stellar.build(payer, []).toXDR();
    for (const form of [{ signed: foreign }, { signed: 'nonsense' }, { account: 'nonsense' }])
      assert.equal((await fetch(stranger, { method: 'POST', body: new URLSearchParams(form as {}) })).status, 422);
    await page.context().close();
  });

  deepTest('with a single method there is nothing to choose', async () => {
    const single = await startGateway({ env: withoutLitecoin });
    try {
      const { url } = await single.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
      const page = await stage.browser.open();
      await page.goto(`${new URL(single.url).origin}${new URL(url).pathname}`);
      await page.getByText('Waiting for your payment').waitFor();
      await page.context().close();
    } finally {
      await single.stop();
    }
  });

  test('all of it takes less than 60 KB, with both kinds of codes', async () => {
    const { url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    const fresh = await stage.browser.open();
    const sizes: Promise<number>[] = [];
    fresh.on('requestfinished', (request) => {
      if (!request.url().includes('/events'))
        sizes.push(
          request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
        );
    });
    await fresh.goto(page.url(), { waitUntil: 'load' });
    await until('page, style, script and icons have come', () => sizes.length >= 4);
    await fresh.waitForTimeout(500); // For what nobody expects.
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes < 60_000, `${bytes} bytes in ${sizes.length} replies`);
    console.log(`The payment page takes ${bytes} bytes in ${sizes.length} replies.`);
    await Promise.all([page.context().close(), fresh.context().close()]);
  });
}
