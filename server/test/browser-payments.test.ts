/**
 * Customers pay in a real browser, on every network, with the sandbox's own button. Nobody reloads: what a page shows
 * after a payment, it was told. 25.00 USD take one confirmation on Bitcoin.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertAccessible, desk, phone } from './chromium.ts';
import { aCharge, startGateway } from './gateway.ts';

const everyNetwork = { lightningSat: 10_000_000n, withEthereum: true, hasStellar: true };
// Nobody answers there: it makes the page offer receipts.
const env = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@shop.example' };

browserStories('customers in a browser', { ...everyNetwork, env }, tellStories);

function tellStories(stage: BrowserStage): void {
  async function create(more: Record<string, unknown> = {}): Promise<{ id: string; url: string }> {
    const pageSettings = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
    const body = aCharge('25.00 USD', { checkoutLanguage: 'en', pageSettings, ...more });
    const { id, url } = await stage.gateway.post('/checkout/hosted', body);
    return { id, url: `${stage.origin}${new URL(url).pathname}` };
  }

  async function visit(url: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await stage.browser.open(options);
    await page.goto(url);
    return page;
  }

  async function choose(page: Page, method: string): Promise<void> {
    await page.locator(`input[name=method][value^="${method}"]`).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Waiting for your payment').waitFor();
  }

  const sees = (page: Page, text: string | RegExp): Promise<void> =>
    page.locator('#state').getByText(text).first().waitFor();

  async function payNow(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Pay now with test money' }).click();
    stage.gateway.stellar.close();
    await stage.gateway.runUntilIdle();
  }

  async function confirmNow(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Confirm the test payment' }).click();
    await page.waitForLoadState();
    await stage.gateway.runUntilIdle();
  }

  /** Where the page says to send money. */
  async function instructions(page: Page): Promise<{ address: string; amount: string }> {
    const valueOf = (name: string) => page.getByRole('button', { name: `Copy: ${name}` }).getAttribute('data-copy');
    return { address: (await valueOf('Address')) ?? '', amount: (await valueOf('Amount')) ?? '' };
  }

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
    { method: 'STELLAR XLM', link: /^web\+stellar:pay\?destination=G\w{55}&amount=[\d.]+&memo=\w+/, viewport: desk },
  ];
  for (const { method, link, viewport } of networks) {
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
      await sees(page, 'Thank you, your payment is complete');
      assert.equal(await stage.gateway.state(id), 'COMPLETED');
      await page.context().close();
    });
  }

  test('one code serves both kinds of wallets: the invoice in the bitcoin link pays the order too', async () => {
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

  test('a whole payment works without JavaScript', async () => {
    const { id, url } = await create();
    const page = await visit(url, { javaScriptEnabled: false });
    await choose(page, 'LITECOIN');
    assert.equal(await page.getByRole('img', { name: /^QR code to pay/ }).isVisible(), true);
    assert.equal(await page.locator('.copies').isVisible(), false, 'no button that does nothing');
    await page.locator('label[for=code-address]').click();
    assert.equal(await page.getByRole('img', { name: 'QR code of the address only' }).isVisible(), true);
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

  test('a part leaves a fresh code for the rest, on this device and on another, and other methods keep it counted', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    const { address } = await instructions(page);
    stage.gateway.bitcoin.pay({ address, amount: '0.0001' });
    await stage.gateway.runUntilIdle();
    await sees(page, 'Part of your payment has arrived');
    const rest = await instructions(page);
    const href = await page.locator('#open-wallet').getAttribute('href');
    assert.equal(href, `bitcoin:${address}?amount=${rest.amount}`, 'without the invoice, which is over the whole');

    const elsewhere = await visit(url, { viewport: desk });
    assert.deepEqual(await instructions(elsewhere), rest);
    await elsewhere.getByRole('link', { name: 'Choose another way to pay' }).click();
    stage.gateway.clock.advance({ seconds: 1 });
    await elsewhere.locator('input[name=method][value^="LITECOIN"]').check();
    await elsewhere.getByRole('button', { name: 'Continue' }).click();
    await sees(elsewhere, 'Part of your payment has arrived');
    await payNow(elsewhere);
    await sees(page, 'Your payment was seen');
    await confirmNow(elsewhere);
    await sees(elsewhere, 'Thank you');
    await sees(page, 'Thank you');
    assert.equal(await stage.gateway.state(id), 'COMPLETED');
    await Promise.all([page.context().close(), elsewhere.context().close()]);
  });

  test('an expired page offers a new quote, and money that comes late turns it by itself', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    const first = await instructions(page);
    stage.gateway.clock.advance({ minutes: 61 });
    await stage.gateway.runUntilIdle();
    await sees(page, 'The time to pay is over');
    await sees(page, /it will still be credited/);
    await page.getByRole('button', { name: 'Get a new quote' }).click();
    await page.getByText('Waiting for your payment').waitFor();
    assert.notEqual((await instructions(page)).address, first.address);
    stage.gateway.clock.advance({ minutes: 61 });
    await stage.gateway.runUntilIdle();
    await sees(page, 'The time to pay is over');

    stage.gateway.bitcoin.pay(first);
    await stage.gateway.runUntilIdle();
    await sees(page, 'Your payment was seen');
    stage.gateway.bitcoin.mine(6);
    await stage.gateway.runUntilIdle();
    await sees(page, 'Thank you');
    await sees(page, /after the time to pay was over/);
    assert.equal(await stage.gateway.state(id), 'DELAYED_COMPLETED');
    await page.context().close();
  });

  test('a transaction that is replaced or forgotten is explained', async () => {
    const { url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    const to = await instructions(page);
    const { chain } = stage.gateway.bitcoin;
    const txid = stage.gateway.bitcoin.pay({ ...to, amount: '0.0001' });
    await stage.gateway.runUntilIdle();
    const replacement = chain.replace(txid);
    await stage.gateway.runUntilIdle();
    await sees(page, /replaced a transaction by a newer one/);
    chain.replace(replacement, [{ address: chain.faucetAddress, units: 5_000n }]);
    await stage.gateway.runUntilIdle();
    await sees(page, /replaced by one that does not pay this order/);
    await page.context().close();
  });

  test('who paid too much or too little is told what to do', async () => {
    const overpaid = await create();
    const page = await visit(overpaid.url);
    await choose(page, 'BITCOIN');
    const to = await instructions(page);
    stage.gateway.bitcoin.pay({ ...to, amount: '0.01' });
    stage.gateway.bitcoin.mine(6);
    await stage.gateway.runUntilIdle();
    await sees(page, /The difference is kept for you/);

    const underpaid = await create();
    await page.goto(underpaid.url);
    await choose(page, 'BITCOIN');
    stage.gateway.bitcoin.pay({ ...(await instructions(page)), amount: '0.0001' });
    stage.gateway.bitcoin.mine(6);
    stage.gateway.clock.advance({ minutes: 61 });
    await stage.gateway.runUntilIdle();
    await sees(page, 'Less than the full amount has arrived');
    await sees(page, /rather have your money back/);
    await payNow(page);
    await sees(page, 'Your payment was seen');
    await page.context().close();
  });

  test('the language changes and the state stays', async () => {
    const { url } = await create();
    const page = await visit(url);
    await choose(page, 'LITECOIN');
    const before = await instructions(page);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByText('Wir warten auf Ihre Zahlung').waitFor();
    assert.equal(
      await page.getByRole('button', { name: 'Kopieren: Adresse' }).getAttribute('data-copy'),
      before.address,
    );
    assert.match(await page.locator('h1').innerText(), /25,00\sUSD/);
    await page.context().close();
  });

  test('where streams do not come through, the page asks; where nothing does, it says so', async () => {
    const { url } = await create();
    const page = await stage.browser.open();
    await page.route('**/events*', (route) => route.abort());
    await page.goto(url);
    await choose(page, 'LITECOIN');
    stage.gateway.litecoin.pay(await instructions(page));
    await stage.gateway.runUntilIdle();
    await sees(page, 'Your payment was seen');
    await page.context().setOffline(true);
    await page.getByText('No connection.').first().waitFor();
    await page.context().setOffline(false);
    await page.locator('#offline').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('what is typed and where the focus is survive news', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    await page.getByText('Receipt and refunds (optional)').click();
    await page.getByLabel('E-mail for the receipt').fill('payer@exam');
    stage.gateway.clock.advance({ seconds: 1 });
    await stage.gateway.post('/checkout/commit', { checkoutId: id, network: 'STELLAR' });
    await page.getByText('With this memo').waitFor();
    await page.keyboard.type('ple.com');
    await page.keyboard.press('Enter');
    await page.getByText('The receipt goes to p…@example.com.').waitFor();
    await page.getByLabel('E-mail for the receipt').fill('payer@nowhere');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Please check the e-mail address.').waitFor();
    await assertAccessible(page, 'a wrong e-mail address');
    await page.context().close();
  });

  test('a wallet in the browser is asked to pay exactly what the page says', async () => {
    const { url } = await create();
    const page = await stage.browser.open();
    await page.addInitScript(`
      globalThis.asked = [];
      globalThis.ethereum = { request: async (request) => {
        globalThis.asked.push(request);
        return request.method === 'eth_requestAccounts' ? ['0x00000000000000000000000000000000000000aa'] : null;
      } };`);
    await page.goto(url);
    await choose(page, 'ETHEREUM USDC');
    const { address, amount } = await instructions(page);
    await page.getByRole('button', { name: 'Pay with the wallet in this browser' }).click();
    await page.waitForFunction('globalThis.asked.length === 3');
    const asked = (await page.evaluate('globalThis.asked')) as {
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

  test('with a single method there is nothing to choose', async () => {
    const single = await startGateway({
      env: { LITECOIN_RPC_URL: undefined, LITECOIN_XPUB: undefined, LITECOIN_XPRV: undefined },
    });
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
    await fresh.waitForTimeout(500);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.length >= 4 && bytes < 60_000, `${bytes} bytes in ${sizes.length} replies`);
    console.log(`The payment page takes ${bytes} bytes in ${sizes.length} replies.`);
    await Promise.all([page.context().close(), fresh.context().close()]);
  });
}
