/** What a customer must not miss, in a real browser: the moment of success, and whatever goes wrong meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { addMs } from '../src/lib/clock.ts';
import { customersAt, everyNetwork } from './browser-customer.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertAccessible, assertFits, desk, phone } from './chromium.ts';
import { deepTest, sampleOf } from './depth.ts';

browserStories('moments of a payment', everyNetwork, tellStories);

async function assertInSight(page: Page, selector: string, what: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  const height = await page.evaluate<number>('innerHeight');
  assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${what}: ${JSON.stringify(box)} of ${height}`);
}

async function assertAtItsAddress(page: Page, url: string): Promise<void> {
  assert.equal(page.url(), url);
  assert.equal((await page.request.get(url)).status(), 200);
}

function tellStories(stage: BrowserStage): void {
  const { create, visit, choose, sees, instructions } = customersAt(stage);

  const screens = [phone, desk, { width: 320, height: 568 }];
  const places = ['0', 'document.body.scrollHeight / 2', 'document.body.scrollHeight'];
  const scrolled = screens.flatMap((viewport) => places.map((place) => ({ viewport, place })));
  // A phone at its end, a desk in the middle.
  for (const { viewport, place } of sampleOf(scrolled, (_, at) => at === 2 || at === 4)) {
    test(`success is in sight on ${viewport.width} pixels for who was at ${place}`, async () => {
      const { url } = await create();
      const page = await visit(url, { viewport });
      await choose(page, 'LITECOIN');
      assert.equal(await page.title(), 'Waiting for the payment · Test shop');
      await page.evaluate(`scrollTo(0, ${place})`);
      stage.gateway.litecoin.pay(await instructions(page));
      await stage.gateway.runUntilIdle();
      await sees(page, 'Your payment was seen');
      assert.equal(await page.title(), 'Payment seen · Test shop');
      await assertInSight(page, '#state h2', 'seen');
      assert.equal(await page.evaluate('document.activeElement.id'), 'state');
      await page.evaluate(`scrollTo(0, ${place})`);
      stage.gateway.litecoin.mine(12);
      await stage.gateway.runUntilIdle();
      await sees(page, 'Paid. Thank you!');
      for (const part of ['#done', '#state .amount']) await assertInSight(page, part, part);
      assert.equal(await page.title(), '✓ Paid · Test shop');
      assert.equal(await page.evaluate('document.activeElement.id'), 'state');
      await page.context().close();
    });
  }

  test('a copy that fails is seen: the value is there, and selected', async () => {
    const { url } = await create();
    const page = await stage.browser.open();
    await page.addInitScript(`
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } });
      document.execCommand = () => false;`);
    await page.goto(url);
    await choose(page, 'LITECOIN');
    assert.equal(await page.locator('#copy-failed').isVisible(), false);
    const link = await page.locator('#open-wallet').getAttribute('href');
    for (const [name, value] of [
      ['Address', (await instructions(page)).address],
      ['Link', link ?? ''],
    ] as const) {
      await page.getByRole('button', { name: `Copy: ${name}`, exact: true }).click();
      await page.locator('#copy-failed').getByText('Copying did not work').waitFor();
      assert.equal(await page.evaluate('getSelection().toString()'), value);
    }
    await assertAccessible(page, 'a copy that failed');
    await page.context().close();
  });

  deepTest('a copy that works is seen too, and takes the earlier complaint away', async () => {
    const { url } = await create();
    const page = await visit(url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await choose(page, 'LITECOIN');
    await page.getByRole('button', { name: 'Copy: Amount' }).click();
    await page.locator('.btn.copied[data-done="✓ Copied"]', { hasText: 'Amount' }).waitFor();
    assert.equal(await page.locator('#copy-failed').isVisible(), false);
    await page.context().close();
  });

  test('what a wallet in the browser asks for and refuses is seen beside the button', async () => {
    const { url } = await create();
    const page = await stage.browser.open();
    await page.addInitScript(`
      window.ethereum = { request: () => new Promise((_, reject) => { window.refuse = () => reject(new Error()); }) };`);
    await page.goto(url);
    await choose(page, 'ETHEREUM ETH');
    await page.getByRole('button', { name: 'Pay with the wallet in this browser' }).click();
    await page.locator('#wallet-says').getByText('Please confirm in your wallet.').waitFor();
    await page.evaluate('window.refuse()');
    await page.locator('#wallet-says').getByText('The wallet has not sent the payment.').waitFor();
    await page.context().close();
  });

  deepTest('a wallet in the browser that lacks the chain adds it, or says in plain words what to do', async () => {
    const { url } = await create();
    const page = await stage.browser.open();
    await page.addInitScript(`
      window.asked = [];
      window.chains = [];
      window.ethereum = { request: async ({ method, params }) => {
        window.asked.push(method);
        if (method === 'eth_requestAccounts') return ['0x00000000000000000000000000000000000000aa'];
        if (method === 'wallet_addEthereumChain') window.chains.push(params[0]);
        const isKnown = window.chains.some(({ chainId }) => chainId === params[0].chainId);
        if (method === 'wallet_switchEthereumChain' && !isKnown)
          throw Object.assign(new Error(), { code: 4902 });
        return null;
      } };`);
    await page.goto(url);
    await choose(page, 'ETHEREUM ETH');
    const button = page.getByRole('button', { name: 'Pay with the wallet in this browser' });
    // As it is where the operator has named no public node.
    await page.evaluate(`
      window.button = document.querySelector('[data-chain]');
      window.added = button.dataset.add;
      delete button.dataset.add;`);
    await button.click();
    const said = 'Your wallet does not know Ethereum yet. Add Ethereum to your wallet, then press the button again.';
    await page.locator('#wallet-says').getByText(said).waitFor();
    const asked = () => page.evaluate<string[]>('window.asked.splice(0)');
    assert.deepEqual(await asked(), ['eth_requestAccounts', 'wallet_switchEthereumChain']);

    await page.evaluate('window.button.dataset.add = window.added');
    await button.click();
    await page.waitForFunction('window.asked.includes("eth_sendTransaction")');
    assert.deepEqual((await asked()).slice(1), [
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
      'eth_sendTransaction',
    ]);
    const [chain] = await page.evaluate<{ chainName: string; rpcUrls: string[] }[]>('window.chains');
    assert.deepEqual(chain?.rpcUrls, ['https://public-node.example']);
    await page.context().close();
  });

  deepTest('where no wallet app answers the link, a sheet says how to go on', async () => {
    const { url } = await create();
    const page = await visit(url, { reducedMotion: 'reduce' });
    await choose(page, 'LITECOIN');
    const sheet = page.getByRole('dialog', { name: 'No wallet app has answered' });
    // Nothing here knows such links, and a real click would only be refused by the browser.
    await page.evaluate(
      'document.addEventListener("click", (event) => event.target.closest("a") && event.preventDefault())',
    );
    await page.clock.install({ time: stage.gateway.clock.now() });
    // From now on it only moves when it is told to, however slow the machine is.
    await page.clock.pauseAt(addMs(stage.gateway.clock.now(), 60_000));
    await page.locator('#open-wallet').click();
    await page.evaluate('dispatchEvent(new Event("blur"))');
    await page.clock.runFor(5_000);
    assert.equal(await sheet.isVisible(), false, 'an app came to the front');
    await page.locator('#open-wallet').click();
    await page.clock.runFor(1_900);
    assert.equal(await sheet.isVisible(), false, 'it has two seconds');
    await page.clock.runFor(200);
    await sheet.waitFor();
    await page.clock.resume(); // Axe waits now and then.
    // Axe sees what lies behind the sheet as if it shone through: it is put away for that moment.
    const showRest = (isShown: boolean): Promise<unknown> =>
      page.evaluate(`for (const each of document.querySelectorAll('#live *'))
        each.style.visibility = ${isShown} || each.closest('dialog') ? 'visible' : 'hidden'`);
    await showRest(false);
    await assertAccessible(page, 'no wallet');
    await showRest(true);
    assert.equal(await sheet.getByRole('button', { name: 'Copy: Link' }).isVisible(), true);
    await sheet.getByRole('button', { name: 'Close' }).click();
    assert.equal(await sheet.isVisible(), false);
    await page.context().close();
  });

  deepTest('a button that was pressed is seen to be at work, and at rest again for who comes back', async () => {
    const { url } = await create();
    const page = await visit(url);
    await page.evaluate('document.addEventListener("submit", (event) => event.preventDefault())');
    const button = page.getByRole('button', { name: 'Pay with Bitcoin' });
    await button.click();
    assert.equal(await button.getAttribute('aria-busy'), 'true');
    await page.evaluate('dispatchEvent(new Event("pageshow"))');
    assert.equal(await button.getAttribute('aria-busy'), null);
    await page.context().close();
  });

  deepTest(
    'a tap makes the code as large as the screen, and another one small again, without a script too',
    async () => {
      const { url } = await create();
      for (const javaScriptEnabled of [true, false]) {
        const page = await visit(url, { javaScriptEnabled });
        if (javaScriptEnabled) await choose(page, 'LITECOIN');
        const code = page.getByRole('img', { name: /^QR code to pay/ });
        const width = async () => (await code.boundingBox())?.width ?? 0;
        const before = await width();
        assert.ok(before >= 298, `${before}`);
        await code.click();
        assert.ok((await width()) >= 358, `${await width()}`);
        await (javaScriptEnabled ? page.keyboard.press('Escape') : code.click());
        assert.equal(await width(), before);
        await page.context().close();
      }
    },
  );

  deepTest('on a desk the code stays in view beside forty things that were bought', async () => {
    const lineItems = Array.from({ length: 40 }, (_, at) => ({ description: `Thing ${at}`, netAmount: 1 }));
    const { url } = await create({ charge: { billingCurrency: 'USD', lineItems } });
    const page = await visit(url, { viewport: desk });
    await choose(page, 'LITECOIN');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByText('Thing 39').waitFor();
    await assertInSight(page, '#pay .qr', 'the code');
    await page.context().close();
  });

  deepTest('names and prices of any length fit on the smallest phone', async () => {
    const shopName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Söhne';
    const lineItems = [{ description: 'W'.repeat(120), netAmount: '123456789.12' }];
    const { url } = await create({ charge: { billingCurrency: 'IDR', lineItems }, pageSettings: { shopName } });
    const page = await visit(url, { viewport: { width: 320, height: 568 } });
    await assertFits(page, 'choosing');
    await choose(page, 'LITECOIN');
    await assertFits(page, 'waiting');
    const [price, code] = [
      await page.locator('#head h1').boundingBox(),
      await page.locator('#order-code').boundingBox(),
    ];
    assert.ok(price && code);
    const areApart = price.y + price.height <= code.y || price.x + price.width <= code.x;
    assert.ok(areApart, `the price ${JSON.stringify(price)} lies on the order code ${JSON.stringify(code)}`);
    await assertAccessible(page, 'long names');
    await page.context().close();
  });

  deepTest(
    'a mistake in the form for refunds is said beside the field, which has the focus and what was typed',
    async () => {
      const { url } = await create();
      const page = await visit(url);
      await choose(page, 'LITECOIN');
      await page.getByText('Receipt and refunds (optional)').click();
      await page.getByLabel('Refund address on Litecoin').fill('nonsense');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('not an address on').waitFor();
      // A browser gives what is marked for it the focus only after it has drawn the page.
      assert.equal(await page.locator('#refund-address:focus').inputValue(), 'nonsense');
      await assertInSight(page, '#refund-address', 'the field');
      assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0, 'nothing takes it away');
      await assertAtItsAddress(page, url);
      stage.gateway.litecoin.pay({ ...(await instructions(page)), amount: '0.01' });
      await stage.gateway.runUntilIdle();
      await sees(page, 'Part of your payment has arrived');
      assert.equal(await page.locator('#offline').count(), 0, 'the page is still told of news');
      await page.context().close();
    },
  );

  deepTest('whatever form was refused, the address in the bar is that of a page that can be opened again', async () => {
    const { url } = await create();
    const page = await visit(url);
    await page.evaluate('document.querySelector("[name=coin]").value = "nothing"');
    await page.getByRole('button', { name: /^Pay with / }).click();
    await page.getByRole('alert').getByText('This way to pay is not available').waitFor();
    await assertAtItsAddress(page, `${url}/methods`);
    await page.reload();
    await page.getByText('How would you like to pay?').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, 'a reload sends nothing again');
    await page.context().close();
  });

  deepTest('without JavaScript nothing that is half typed is lost to a reload', async () => {
    const { url } = await create();
    const page = await visit(url, { javaScriptEnabled: false });
    await choose(page, 'LITECOIN');
    await page.getByRole('link', { name: 'Address only' }).click();
    await page.getByRole('link', { name: 'New to this?' }).click();
    assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 1);
    await page.reload();
    await assertInSight(page, '#new-here .in li', 'what is being read, after a reload');
    assert.equal(await page.getByLabel('E-mail for the receipt').isVisible(), false);
    await page.getByRole('link', { name: 'Receipt and refunds (optional)' }).click();
    await assertInSight(page, '#email', 'the field');
    await page.getByLabel('E-mail for the receipt').fill('payer@example.com');
    assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The receipt goes to p…@example.com.').waitFor();
    assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 1);
    assert.equal(await page.getByRole('img', { name: 'QR code of the address only' }).isVisible(), true);
    assert.equal(
      await page.getByLabel('E-mail for the receipt').isVisible(),
      false,
      'nothing to type where it reloads',
    );
    await page.getByRole('link', { name: 'Change' }).click();
    assert.equal(await page.getByLabel('E-mail for the receipt').isVisible(), true);
    await page.context().close();
  });
}
