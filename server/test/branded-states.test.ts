/** Shops with no eye for colours: their pages can be read all the same, measured in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { createEncryption } from '../src/lib/encryption.ts';
import { changeBrandFile } from '../src/merchants/change-brand.ts';
import { createPreviewToken } from '../src/merchants/preview-token.ts';
import { sampleStates } from '../src/pages/sample-checkouts.ts';
import {
  assertAccessible,
  assertFits,
  desk,
  findChromium,
  launchChromium,
  phone,
  type WatchedBrowser,
} from './chromium.ts';
import { type Gateway, startGateway } from './gateway.ts';

const program = findChromium();

const uglyShops = [
  { accentColour: '#ffff00', pageColour: '#ff00ff', textColour: '#00ff00', font: 'slab' },
  { accentColour: '#777777', pageColour: '#777777', textColour: '#777777', font: 'mono' },
  { accentColour: '#000000', pageColour: '#000000', textColour: '#000000', font: 'serif' },
  { accentColour: '#ffffff', pageColour: '#0000ff', textColour: '#ff0000', font: 'rounded' },
];
/** One for each shop: together they show everything that a page can hold. */
const states = ['created', 'partial', 'completed', 'underpaid'];

if (program === undefined) {
  test('NOT RUN: branded pages in a browser, because chromium is missing (apt-get install chromium)', () => {
    assert.notEqual(process.env['CI'], 'true', 'chromium must be installed where CI=true');
  });
} else {
  void describe('ugly shops', { concurrency: 1 }, () => tellStories(program));
}

function tellStories(chromium: string): void {
  let gateway: Gateway;
  let browser: WatchedBrowser;
  let token: string;
  before(async () => {
    [gateway, browser] = await Promise.all([startGateway(), launchChromium(chromium)]);
    const create = { width: 600, height: 400, channels: 3, background: '#888888' } as const;
    const picture = await sharp({ create }).png().toBuffer();
    const { merchantId } = gateway.merchant;
    for (const kind of ['logo', 'background'] as const)
      await changeBrandFile(gateway, merchantId, kind, picture, 'test');
    const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
    token = createPreviewToken(encryption, merchantId, gateway.clock.now());
  });
  after(async () => {
    await browser.close();
    await gateway.stop();
  });

  const preview = (path: string, shop: Record<string, string> = {}): string =>
    `${new URL(gateway.url).origin}/en/checkout/preview${path}?${new URLSearchParams({ brand: token, ...shop }).toString()}`;

  for (const [position, shop] of uglyShops.entries()) {
    const colorScheme = position % 2 === 0 ? 'light' : 'dark';
    const viewport = position < 2 ? phone : desk;
    test(`${JSON.stringify(Object.values(shop))} can be read, ${colorScheme}, ${viewport.width} pixels wide`, async () => {
      const page = await browser.open({ viewport, colorScheme });
      for (const other of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: other });
        for (const state of other === colorScheme ? states.slice(position, position + 1) : ['pending']) {
          await page.goto(preview(`/${state}`, shop));
          await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
          await assertAccessible(page, `${state}, ${other}`);
          await assertFits(page, `${state}, ${viewport.width}`);
        }
      }
      await page.context().close();
    });
  }

  test('a shop sees all states on one page, and tries a colour out', async () => {
    const page = await browser.open({ viewport: desk });
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
