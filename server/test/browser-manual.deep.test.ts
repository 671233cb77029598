/** The manual in a browser: on a phone and a desk, light and dark, by keyboard, without a script, on paper, and trying it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertAccessible, assertFits, desk, phone } from './chromium.ts';
import { withoutLitecoin } from './gateway.ts';

browserStories('the manual', { env: withoutLitecoin, hasAccount: true }, tellStories);

const paths = [
  ...['/docs', '/docs/quick-start', '/docs/life-of-a-checkout', '/docs/sdks', '/docs/operations'],
  ...['/docs/shops/woocommerce', '/docs/api', '/docs/api/createHostedCheckout'],
  ...['/docs/api/events', '/docs/errors', '/docs/search?q=webhook'],
];

const hosted = '/docs/api/createHostedCheckout';

function tellStories(stage: BrowserStage): void {
  for (const [size, viewport] of Object.entries({ phone, desk }))
    for (const colorScheme of ['light', 'dark'] as const)
      test(`it can be read on a ${size} in the ${colorScheme}`, async () => {
        const page = await stage.browser.open({ viewport, colorScheme });
        for (const path of paths) {
          await page.goto(`${stage.origin}${path}`);
          await assertAccessible(page, `${path} on a ${size} in the ${colorScheme}`);
          await assertFits(page, `${path} on a ${size}`);
        }
      });

  test('a language is chosen once, code is copied, and a phone has the contents in a menu', async () => {
    const page = await stage.browser.open({ viewport: phone, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${stage.origin}${hosted}`);
    await page.getByText('Ruby', { exact: true }).click();
    const code = page.locator('.snippet:visible').first();
    assert.match((await code.locator('code').textContent()) ?? '', /Quittance::Client\.new/);
    await code.getByRole('button').click();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^require 'quittance'/);
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.locator('#menu').getByText('Refunds', { exact: true }).click();
    await page.locator('#menu').getByRole('link', { name: 'Read a refund' }).click();
    await page.getByRole('heading', { name: 'Read a refund' }).waitFor();
    assert.match((await page.locator('.snippet:visible code').first().textContent()) ?? '', /client\.refunds\.get/);
  });

  test('without a script everything is there, and on paper every language', async () => {
    const page = await stage.browser.open({ viewport: desk, javaScriptEnabled: false });
    await page.goto(`${stage.origin}${hosted}`);
    await page.getByText('PHP', { exact: true }).click();
    assert.equal(await page.getByText('$client->checkouts->createHosted').isVisible(), true);
    assert.equal(await page.locator('[data-copy-code]').first().isVisible(), false);
    await page.emulateMedia({ media: 'print' });
    for (const code of ['client.checkouts.create_hosted', 'openssl dgst', '$client->checkouts->createHosted'])
      assert.equal(await page.locator('code', { hasText: code }).first().isVisible(), true, code);
    assert.equal(await page.locator('#menu').isVisible(), false);
  });

  test('somebody signed in sends a request from the page, and signs one that moves money', async () => {
    const { owner, accountUrl } = peopleAt(stage);
    const page = await owner();
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}${hosted}`);
    await page.getByRole('button', { name: 'Send POST /checkout/hosted' }).click();
    const answer = page.locator('#tried');
    await answer.waitFor();
    assert.match(await answer.innerText(), /^Answered 200/);
    await assertAccessible(page, 'an answer', '#main');
    await page.goto(`${accountUrl()}/docs/api/createSwap`);
    await page.getByLabel('Body').fill('{"sourceAsset":"BTC","targetAsset":"USDC","sourceAmount":"0.5"}');
    await page.getByRole('button', { name: 'Send POST /swap' }).click();
    await page.getByText(/Answered 4\d\d/).waitFor();
    await page.goto(`${accountUrl()}/account/developers/keys`);
    await page.getByRole('link', { name: 'Manual' }).first().click();
    await page.getByRole('heading', { name: 'The manual' }).waitFor();
  });
}
