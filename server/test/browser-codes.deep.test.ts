/** The codes of every network can be scanned in bad light: a foreign decoder reads them from half a picture, blurred. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { memoSample } from '../src/networks/sample-payments.ts';
import { customersAt, everyNetwork } from './browser-customer.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertCodesAreClear, desk, phone } from './chromium.ts';
import { decodeForeign, hasForeignDecoder } from './foreign-decoder.ts';

if (hasForeignDecoder()) browserStories('codes for wallets', { ...everyNetwork, withBase: true }, tellStories);
else
  test('NOT RUN: codes are not read, because zbarimg is missing (apt-get install zbar-tools)', () => {
    assert.notEqual(process.env['CI'], 'true', 'zbar-tools must be installed where CI=true');
  });

function tellStories(stage: BrowserStage): void {
  const { create, visit, choose, instructions } = customersAt(stage);

  async function read(page: Page): Promise<string> {
    const code = page.locator('.qr:visible svg');
    const width = (await code.boundingBox())?.width ?? 0;
    const modules = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
    assert.ok(width / modules >= 3, `${width} px for ${modules} modules`);
    const shot = sharp(await code.screenshot());
    return decodeForeign(
      await shot
        .resize(Math.round(width / 2))
        .blur(0.6)
        .png()
        .toBuffer(),
    );
  }

  /** With the notice of the sandbox above. */
  async function assertOnFirstScreen(page: Page, what: string): Promise<void> {
    await page.evaluate('scrollTo(0, 0)');
    const ends = await page
      .locator('#pay :is(.qr, .copies .btn, .dock .btn):visible')
      .evaluateAll((all: { getBoundingClientRect(): { bottom: number } }[]) =>
        all.map((each) => each.getBoundingClientRect().bottom),
      );
    assert.ok(ends.length > 3 && Math.max(...ends) <= phone.height, `${what}: they end at ${ends.join(', ')}`);
  }

  test('the densest code that there can be: a coin of an issuer on a test network, with a memo and signed', async () => {
    const page = await stage.browser.open({ viewport: phone });
    await page.goto(`${stage.origin}/en/checkout/preview/memo`);
    const code = page.locator('.qr:visible svg');
    const modules = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
    assert.deepEqual([modules, (await code.boundingBox())?.width], [89, 4 * 89], 'whole pixels for each module');
    assert.equal(await read(page), memoSample.instructions.link.qrText);
    await page.context().close();
  });

  const coins = ['BITCOIN', 'LIGHTNING', 'LITECOIN', 'ETHEREUM ETH', 'BASE ETH', 'STELLAR XLM'];
  const networks = [...coins, 'ETHEREUM USDC', 'BASE USDC', 'STELLAR USDC'];
  for (const method of networks) {
    test(`${method}, in every segment`, async () => {
      const { url } = await create();
      const page = await visit(url, { viewport: phone });
      await choose(page, method);
      const segments = await page.locator('.seg label').allInnerTexts();
      for (const segment of segments.length > 0 ? segments : [null]) {
        if (segment !== null) await page.locator('.seg').getByText(segment).click();
        const said = await read(page);
        await assertOnFirstScreen(page, `${method}, ${segment}`);
        for (const viewport of [desk, { width: 1280, height: 800 }, phone]) {
          await page.setViewportSize(viewport);
          await assertCodesAreClear(page, `${method}, ${segment}, ${viewport.width}`);
        }
        const { address, amount } = await instructions(page);
        // Also on Stellar, where the address alone is another one, which holds the memo: money to the short one is lost.
        assert.ok(
          said.toLowerCase().includes(address.toLowerCase()),
          `${method}, ${segment}: ${said} of ${await page.locator('.qr:visible svg').getAttribute('viewBox')}`,
        );
        if (segment === 'Address only')
          assert.ok((await page.locator('#pay').innerText()).replaceAll(/\s/g, '').includes(said));
        else if (/^(bitcoin|litecoin|web\+stellar):/i.test(said))
          assert.equal(new URLSearchParams(said.split('?')[1]).get('amount'), amount);
        // It is the longest of all, and not shortened for the camera: a wallet that scans it checks who asks.
        if (said.startsWith('web+stellar:')) assert.match(said, /&origin_domain=[\w.]+&signature=.{86}/);
      }
      await page.context().close();
    });
  }
}
