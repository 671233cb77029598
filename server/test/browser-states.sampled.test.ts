/** Every state of the payment page in a real browser, from the previews that merchants see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sampleStates } from '../src/payment-page/sample-checkouts.ts';
import { isPageLanguage, pageLanguages } from '../src/web/texts/page-texts.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertFits, assertUsableInBothSchemes, assertWordsAreWhole, desk, openDrawers, phone } from './chromium.ts';
import { sampleOf } from './depth.ts';

browserStories('the payment page in every state', {}, tellStories);

function tellStories(stage: BrowserStage): void {
  const preview = (page: Page, state: string, language = 'en') =>
    page.goto(`${stage.origin}/${language}/checkout/preview/${state}`);

  for (const [screen, viewport] of [phone, desk].entries()) {
    test(`everybody can use it, in every state, light and dark, ${viewport.width} pixels wide`, async () => {
      const page = await stage.browser.open({ viewport });
      for (const state of sampleOf(sampleStates, (_, at) => at % 2 === screen)) {
        await preview(page, state);
        await assertUsableInBothSchemes(page, `${state}, ${viewport.width}`);
        assert.equal(await page.locator('#order-code').isVisible(), true, `${state} has an order code`);
      }
      await page.context().close();
    });
  }

  test('it fits and speaks in every language on the smallest phone, also with the texts enlarged', async () => {
    const page = await stage.browser.open({ viewport: { width: 320, height: 568 } });
    // German has the longest words.
    for (const language of sampleOf(Object.keys(pageLanguages), (each) => each === 'de')) {
      assert.ok(isPageLanguage(language));
      for (const state of sampleStates) {
        await preview(page, state, language);
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        await openDrawers(page);
        await assertFits(page, `${state} in ${language}`);
        await assertWordsAreWhole(page, `${state} in ${language}`);
      }
      await preview(page, 'underpaid', language);
      const button = page.getByRole('link', { name: pageLanguages[language].openWallet });
      assert.equal(await button.isVisible(), true, language);
      await page.evaluate('document.documentElement.style.fontSize = "150%"');
      await assertFits(page, `underpaid in ${language}, enlarged`);
    }
    await preview(page, 'pending', 'de');
    assert.match(await page.locator('h1').innerText(), /25,50\sEUR/);
    assert.match(await page.locator('#order').innerText(), /2 × 9,00/);
    await page.context().close();
  });

  test('code and copy buttons are in sight at once on a phone 320 pixels wide', async () => {
    const page = await stage.browser.open({ viewport: { width: 320, height: 640 } });
    for (const state of ['pending', 'memo']) {
      await preview(page, state);
      // The second notice is there in previews only.
      const notice = await page.locator('.notice').nth(1).boundingBox();
      const copies = await page.locator('.copies').boundingBox();
      assert.ok(notice && copies);
      const end = copies.y + copies.height - notice.height - 8;
      assert.ok(end <= 640, `${state}: they end at ${end}`);
    }
    await page.context().close();
  });

  test('each value is copied as it is typed into a wallet, and a screen reader hears of it', async () => {
    const page = await stage.browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await preview(page, 'memo');
    const clipboard = () => page.evaluate('navigator.clipboard.readText()');
    const expected = {
      Memo: ['sample123456', 'Memo copied'],
      Address: ['GSAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLES', 'Address copied'],
      Amount: ['102.0408164', 'Amount copied'],
    } as const;
    for (const [name, [value, said]] of Object.entries(expected)) {
      await page.getByRole('button', { name: `Copy: ${name}` }).click();
      await page.locator('#announce', { hasText: said }).waitFor({ state: 'attached' });
      assert.equal(await clipboard(), value);
    }
    await page.getByRole('button', { name: 'Copy: Link' }).click();
    await page.locator('#announce', { hasText: 'Payment link copied' }).waitFor({ state: 'attached' });
    assert.equal(await clipboard(), await page.locator('#open-wallet').getAttribute('href'));
    await page.context().close();
  });

  test('a memo stands before the address, with a warning, and with an address that needs none', async () => {
    const page = await stage.browser.open();
    await preview(page, 'memo');
    const terms = await page.locator('#pay dt').allInnerTexts();
    assert.deepEqual(terms, ['With this memo', 'To this address', 'Or, without a memo, to this address']);
    await page.locator('#pay .warning').getByText('Do not leave out the memo').waitFor();
    assert.match(await page.locator('#pay dd.mono').last().innerText(), /^MSAM\s?PLES/);
    await page.context().close();
  });

  test('it is ready for languages that are written from right to left', async () => {
    const page = await stage.browser.open();
    const leftOf = async (selector: string): Promise<number> =>
      (await page.locator(selector).first().boundingBox())?.x ?? Number.NaN;
    for (const viewport of [phone, desk]) {
      await page.setViewportSize(viewport);
      for (const state of ['created', 'memo', 'processing', 'underpaid']) {
        await preview(page, state);
        await page.evaluate('document.documentElement.dir = "rtl"');
        await assertFits(page, `${state}, ${viewport.width}`);
        if (state === 'created') assert.ok((await leftOf('.method input')) > (await leftOf('.method-text')));
        assert.ok((await leftOf('#order th')) > (await leftOf('#order td')), 'prices are on the other side');
      }
    }
    await page.context().close();
  });

  test('a keyboard is enough: the other code, the drawers and the buttons can be reached and used', async () => {
    const page = await stage.browser.open();
    await preview(page, 'pending');
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
    const reached: string[] = [];
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      const name = await focused();
      reached.push(name);
      if (name === 'code-link') {
        await page.keyboard.press('ArrowRight');
        assert.equal(await page.getByRole('img', { name: 'QR code of the address only' }).isVisible(), true);
        assert.equal(await page.getByRole('img', { name: /^QR code to pay/ }).isVisible(), false);
      }
      if (name === 'Rate and fees') {
        await page.keyboard.press('Enter');
        assert.equal(await page.getByText('1 BTC = 50,000.00 EUR').isVisible(), true);
      }
    }
    for (const each of ['code-link', 'Copy: Address', 'Copy: Amount', 'Copy: Link', 'open-wallet', 'Rate and fees'])
      assert.ok(reached.includes(each), `${each} is reached by the keyboard: ${reached.join(', ')}`);
    await page.context().close();
  });

  test('the clock is the server’s, and is said aloud at ten, five and one minutes only', async () => {
    const page = await stage.browser.open();
    // The device believes in another year.
    await page.clock.install({ time: '2031-01-01T00:00:00Z' });
    await preview(page, 'pending');
    assert.equal(await page.locator('.clock').innerText(), '59:00');
    await page.evaluate(`
      globalThis.said = [];
      new MutationObserver(() => {
        const text = document.querySelector('#announce').textContent;
        if (text) globalThis.said.push(text);
      }).observe(document.querySelector('#announce'), { childList: true });`);
    await page.clock.runFor('58:55');
    assert.equal(await page.locator('.clock').innerText(), '0:05');
    assert.deepEqual(await page.evaluate('globalThis.said'), ['10 minutes left', '5 minutes left', '1 minute left']);
    await page.context().close();
  });

  test('after success the page goes back to the shop with a visible countdown, unless asked to stay', async () => {
    const page = await stage.browser.open();
    await page.clock.install({ time: stage.gateway.clock.now() });
    await preview(page, 'completed');
    assert.match(await page.locator('#going-back').innerText(), /in 15 seconds/);
    await page.clock.runFor(3_000);
    assert.match(await page.locator('#going-back').innerText(), /in 12 seconds/);
    await page.getByRole('button', { name: 'Stay on this page' }).click();
    await page.clock.runFor(30_000);
    assert.match(page.url(), /preview\/completed$/);

    const other = await stage.browser.open();
    await other.clock.install({ time: stage.gateway.clock.now() });
    await preview(other, 'completed');
    const left = other.waitForRequest(/return-from-hosted-checkout/);
    await other.clock.runFor(16_000);
    await left;
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test('nothing moves for those who asked for stillness, and paper shows the receipt alone', async () => {
    const page = await stage.browser.open({ reducedMotion: 'reduce' });
    for (const state of ['created', 'pending', 'processing', 'completed']) {
      await preview(page, state);
      assert.equal(await page.evaluate('document.getAnimations().length'), 0, state);
    }
    await preview(page, 'completed');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.languages').isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Print this receipt' }).isVisible(), false);
    assert.equal(await page.getByText('Thank you, your payment is complete').isVisible(), true);
    await page.context().close();
  });
}
