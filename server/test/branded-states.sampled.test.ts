/** Shops with no eye for colours: every state of their pages can be read all the same, measured in a real browser. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createEncryption } from '../src/lib/encryption.ts';
import { createPreviewToken } from '../src/merchants/preview-token.ts';
import { sampleStates } from '../src/payment-page/sample-checkouts.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsableInBothSchemes, desk, phone } from './chromium.ts';
import { isSample } from './depth.ts';
import { hangPictures, nameOf, uglyShops } from './ugly-shops.ts';

browserStories('the pages of ugly shops', {}, tellStories);

function tellStories(stage: BrowserStage): void {
  let token: string;
  before(async () => {
    const { gateway } = stage;
    const { merchantId } = gateway.merchant;
    await hangPictures(gateway, merchantId);
    const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
    token = createPreviewToken(encryption, merchantId, gateway.clock.now());
  });

  const preview = (path: string, shop: Record<string, string> = {}): string =>
    `${stage.origin}/en/checkout/preview${path}?${new URLSearchParams({ brand: token, ...shop }).toString()}`;

  for (const [at, shop] of uglyShops.entries()) {
    test(`every state can be read with ${nameOf(shop)}, light and dark`, async () => {
      const page = await stage.browser.open();
      for (const [position, state] of sampleStates.entries()) {
        if (isSample() && position % uglyShops.length !== at) continue;
        // Every state and every shop is seen on both screens, though not every state of every shop.
        const viewport = (at + position) % 2 === 0 ? phone : desk;
        await page.setViewportSize(viewport);
        await page.goto(preview(`/${state}`, shop));
        await assertUsableInBothSchemes(page, `${state}, ${viewport.width}`);
      }
      await page.context().close();
    });
  }

  test('a shop sees all states on one page, and tries a colour out', async () => {
    const page = await stage.browser.open({ viewport: desk });
    await page.goto(preview(''));
    assert.equal(await page.locator('iframe').count(), sampleStates.length);
    const first = page.frameLocator('iframe').first();
    await first.getByText('How would you like to pay?').first().waitFor();
    await page.getByLabel('page colour').fill('#abcdef');
    await page.getByRole('button', { name: 'Try' }).click();
    await first.getByText('How would you like to pay?').first().waitFor();
    assert.match(await first.locator('head style').first().innerHTML(), /--page:#abcdef/);
    await page.context().close();
  });
}
