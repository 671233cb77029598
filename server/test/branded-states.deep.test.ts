/** Shops with no eye for colours: every state of their pages can be read all the same, measured in a real browser. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createEncryption } from '../src/lib/encryption.ts';
import { changeBrandFile } from '../src/merchants/change-brand.ts';
import { createPreviewToken } from '../src/merchants/preview-token.ts';
import { sampleStates } from '../src/payment-page/sample-checkouts.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertFits, assertUsable, assertWordsAreWhole, desk, phone } from './chromium.ts';
import { aCharge } from './gateway.ts';
import { hangLogo, hangPictures, nameOf, uglyShops } from './ugly-shops.ts';

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
        // Every state and every shop is seen on both screens, though not every state of every shop.
        const viewport = (at + position) % 2 === 0 ? phone : desk;
        await page.setViewportSize(viewport);
        await page.goto(preview(`/${state}`, shop));
        await assertUsable(page, `${state}, ${viewport.width}`);
      }
      await page.context().close();
    });
  }

  test('a logo stands on the shop’s colour, also where the page celebrates in another one', async () => {
    const page = await stage.browser.open();
    const colourOf = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    await page.goto(preview('/completed', { pageColour: '#fdf6e3', accentColour: '#fdf6e3' }));
    assert.equal(await colourOf('#head'), 'rgb(253, 246, 227)', 'whose page it is');
    assert.equal(await colourOf('#state'), 'rgb(12, 90, 57)', 'that it is paid');
    assert.equal(await colourOf('.backing'), 'rgb(253, 246, 227)');
    await page.context().close();
  });

  test('a black logo on a dark plane stands on white, a white one on a light plane on black, and others as they are', async () => {
    const { gateway } = stage;
    const page = await stage.browser.open();
    const logoOf = async (fill: string, pageColour: string): Promise<string[]> => {
      await hangLogo(gateway, gateway.merchant.merchantId, fill);
      await page.goto(preview('/pending', { pageColour, accentColour: pageColour }));
      await page.locator(`.shop img.logo.${fill === '#ffffff' ? 'is-light' : 'is-dark'}`).waitFor();
      return page.evaluate<string[]>(`(() => {
        const { backgroundColor, filter } = getComputedStyle(document.querySelector('.shop img.logo'));
        return [backgroundColor, filter === 'none' ? 'none' : 'lit'];
      })()`);
    };
    assert.deepEqual(await logoOf('#111111', '#14213d'), ['rgb(255, 255, 255)', 'none']);
    assert.deepEqual(await logoOf('#ffffff', '#14213d'), ['rgba(0, 0, 0, 0)', 'none'], 'an edge would blur it');
    assert.deepEqual(await logoOf('#111111', '#fdf6e3'), ['rgba(0, 0, 0, 0)', 'none']);
    assert.deepEqual(await logoOf('#ffffff', '#fdf6e3'), ['rgb(27, 26, 23)', 'none']);
    await page.context().close();
  });

  test('in the dark the logo that was made for it stands on the dimmed plane as it is', async () => {
    const { gateway } = stage;
    const { merchantId } = gateway.merchant;
    await hangLogo(gateway, merchantId, '#7c2d12');
    await hangLogo(gateway, merchantId, '#ffffff', { kind: 'logoDark' });
    const page = await stage.browser.open({ colorScheme: 'dark' });
    await page.goto(preview('/pending', { pageColour: '#fdf6e3', accentColour: '#7c2d12' }));
    await page.locator('.shop img.logo.is-light').waitFor();
    const styleOf = (selector: string, name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    assert.equal(await styleOf('.shop img.logo', 'backgroundColor'), 'rgba(0, 0, 0, 0)', 'no plate on a dark plane');
    assert.equal(await styleOf('.shop img.logo', 'filter'), 'none');
    assert.notEqual(await styleOf('#head', 'backgroundColor'), 'rgb(253, 246, 227)', 'the plane is dimmed');
    await changeBrandFile(gateway, merchantId, 'logoDark', null, 'operator');
    await page.context().close();
  });

  test('beside a wide logo a long name is whole, and the head stays small', async () => {
    const { gateway } = stage;
    const page = await stage.browser.open();
    await hangLogo(gateway, gateway.merchant.merchantId, '#ffffff', { width: 400 });
    const pageSettings = { shopName: 'Werkstatt Nachtschicht Hamburg-Altona' };
    const { id } = await gateway.post(
      '/checkout/hosted',
      aCharge('25.00 USD', { checkoutLanguage: 'en', pageSettings }),
    );
    await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
    for (const width of [360, 390, 320]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto(`${stage.origin}/en/checkout/${id}`);
      await page.locator('.shop img.logo.is-light').waitFor();
      await assertFits(page, `a wide logo, ${width}`);
      const [height, hidden, rows] = await page.evaluate<number[]>(`(() => {
        const name = document.querySelector('.shop b');
        const domain = document.querySelector('.shop .domain');
        return [
          document.querySelector('#head').getBoundingClientRect().height,
          name.scrollHeight - name.clientHeight,
          domain.getBoundingClientRect().height / parseFloat(getComputedStyle(domain).lineHeight),
        ];
      })()`);
      assert.ok(hidden !== undefined && hidden <= 1, `${width}: ${hidden} px of the name are cut`);
      assert.ok(rows !== undefined && rows < 1.5, `${width}: the domain has ${rows} lines`);
      assert.ok(height !== undefined && height < 135, `${width}: the head is ${height} px high`);
      await assertWordsAreWhole(page, `a wide logo, ${width}`);
    }
    await page.context().close();
  });

  test('a shop sees all states on one page, and tries a colour out', async () => {
    const page = await stage.browser.open({ viewport: desk });
    await page.goto(preview(''));
    assert.equal(await page.locator('iframe').count(), sampleStates.length);
    const first = page.frameLocator('iframe').first();
    await first.getByText('How would you like to pay?').first().waitFor();
    await page.locator('[data-picks=pageColour]').fill('#abcdef');
    assert.equal(await page.getByLabel('Page colour').inputValue(), '#abcdef');
    await page.getByRole('button', { name: 'Try it out' }).click();
    await first.getByText('How would you like to pay?').first().waitFor();
    assert.match(await first.locator('head style').first().innerHTML(), /--brand:#abcdef/);
    await page.context().close();
  });
}
