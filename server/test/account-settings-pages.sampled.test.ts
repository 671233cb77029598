/** Settings in a real browser: every page usable, a limit that waits, and the other person's passkey that lets it through. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { findMerchant } from '../src/merchants/merchant-store.ts';
import { sampleStates } from '../src/payment-page/sample-checkouts.ts';
import { invite } from '../src/people/join-account.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { deepTest, sampleOf } from './depth.ts';
import { aCharge } from './gateway.ts';
import { until } from './until.ts';

browserStories('settings in the account', { hasAccount: true, isUncounted: true }, tellStories);

function tellStories(stage: BrowserStage): void {
  const { owner, open, join, accountUrl } = peopleAt(stage);
  let ada: Page;

  const go = (page: Page, path: string) => page.goto(`${accountUrl()}/account/settings/${path}`);
  async function look(page: Page, what: string): Promise<void> {
    for (const [size, viewport] of sampleOf(Object.entries({ desk, phone }), ([each]) => each === 'phone')) {
      await page.setViewportSize(viewport);
      await assertUsable(page, `${what}, ${size}`);
    }
    await page.setViewportSize(desk);
  }

  before(async () => {
    ada = await owner();
  });

  deepTest('every page of the settings can be used', async () => {
    for (const path of ['business', 'api', 'settlement', 'payment-page', 'limits', 'notifications', 'audit']) {
      await go(ada, path);
      await look(ada, path);
    }
  });

  test('the list is asked about once more, and a wrong address is told where it was typed', async () => {
    await go(ada, 'api');
    await ada.getByLabel('Add an address or a range').fill('home');
    await ada.getByRole('button', { name: 'Add', exact: true }).click();
    await ada.getByText('neither an IP address nor a range').waitFor();
    assert.equal(await ada.getByLabel('Add an address or a range').inputValue(), 'home');
    await look(ada, 'a refused address');
    await ada.getByLabel('Add an address or a range').fill('127.0.0.1');
    await ada.getByRole('button', { name: 'Add', exact: true }).click();
    await ada.getByRole('rowheader').getByText('127.0.0.1/32').first().waitFor();
    await ada.getByText('Only from the list', { exact: true }).click();
    await ada.getByRole('button', { name: 'Save' }).first().click();
    await ada.getByText('everybody at another address is refused').waitFor();
    await look(ada, 'asked once more');
    await ada.getByRole('link', { name: 'Cancel' }).click();
    assert.equal(await ada.getByLabel('From any address').isChecked(), true);
  });

  deepTest('a designer sees a colour before it is published, and customers afterwards', async () => {
    const { gateway } = stage;
    const { url } = await gateway.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
    const payer = await stage.browser.open();
    const payersPage = `${stage.origin}${new URL(url).pathname}`;
    const accentOf = async (page: Page | Frame): Promise<string> =>
      page.evaluate('getComputedStyle(document.body).getPropertyValue("--accent").trim()');
    const preview = () => ada.frames().findLast((frame) => frame.url().endsWith('/preview')) ?? ada.mainFrame();

    // By a click, as people come here: the page has a script of its own, which must run then too.
    await go(ada, 'limits');
    await ada.getByRole('link', { name: 'Payment page', exact: true }).click();
    await ada.waitForURL('**/settings/payment-page'); // And its script listens.
    await ada.getByLabel('Your colour', { exact: true }).fill('#0f766e');
    await ada.getByLabel('Shop name').fill('Harbour');
    await until('the preview has the colour and the name', async () => {
      const hasColour = (await accentOf(preview())) === '#0f766e';
      return hasColour && (await preview().getByText('Harbour').count()) > 0;
    });
    await ada.getByText('Text on it: white, 5.5 : 1').waitFor();
    await payer.goto(payersPage);
    assert.notEqual(await accentOf(payer), '#0f766e', 'nobody else sees it');
    const seen = new Set<string>();
    const states = sampleOf(sampleStates, (_, at) => at % 4 === 0);
    for (const state of states) {
      const before = preview().name();
      await ada.getByLabel('State').first().selectOption(state);
      await until(`the preview shows ${state}`, () => preview().name() !== before);
      seen.add(await preview().locator('#sheet').innerText());
    }
    assert.equal(seen.size, states.length, 'each is another page');
    await ada.getByRole('radio', { name: 'Dark' }).check();
    await until('the preview is dark', async () =>
      preview().evaluate<boolean>('matchMedia("(prefers-color-scheme: dark)").matches'),
    );

    await ada.getByLabel('Your colour', { exact: true }).fill('greenish');
    await ada.getByText('A colour is written like #1d4ed8.').waitFor();
    const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
    await ada.getByLabel('For light grounds').setInputFiles(svg);
    await ada.getByText('SVG is not taken').waitFor();
    await ada.getByRole('button', { name: 'Publish' }).first().click();
    await ada.getByText('Nothing was published: 2 fields need another look.').waitFor();
    await look(ada, 'a refused brand');
    await payer.goto(payersPage);
    assert.notEqual(await accentOf(payer), '#0f766e');

    await ada.getByLabel('Your colour', { exact: true }).fill('#0f766e');
    await ada.getByRole('button', { name: 'Publish' }).first().click();
    await ada.getByText('Your customers see it from now on').waitFor();
    await payer.goto(payersPage);
    assert.equal(await accentOf(payer), '#0f766e');
    await payer.getByText('Harbour').first().waitFor();
    // Who leaves while a preview is asked for leaves all the same, however slowly the next page comes.
    const previewIsAsked = ada.waitForRequest('**/preview');
    const isPage = ({ pathname }: URL): boolean => pathname.endsWith('/settings/payment-page');
    await ada.route(isPage, async (route) => {
      await previewIsAsked;
      await route.continue();
    });
    await ada.getByLabel('Your colour', { exact: true }).fill('#000000');
    await ada.getByRole('link', { name: 'Discard' }).first().click();
    await until('the colour is back', async () => {
      return (await ada.getByLabel('Your colour', { exact: true }).inputValue()) === '#0f766e';
    });
    await ada.unroute(isPage);
  });

  deepTest('a domain is connected with a key that is shown once, and says how it is set up', async () => {
    await go(ada, 'payment-page');
    await ada.getByLabel('Domain', { exact: true }).fill('pay.harbour.example');
    await ada.getByText('Your domain only').click();
    await ada.getByRole('button', { name: 'Connect the domain' }).click();
    await ada.getByText('it is not shown again').waitFor();
    await look(ada, 'a branding key');
    await ada.getByText('I have stored it').click();
    await ada.getByRole('button', { name: 'Back to the payment page' }).click();
    await ada.getByText('Waits until a check finds your container').waitFor();
    assert.equal(await ada.getByLabel('Your domain only').isChecked(), true);
    await look(ada, 'a domain that waits');
  });

  deepTest('a limit waits for the other owner, whose passkey signs it', async () => {
    const { gateway } = stage;
    const { merchantId } = gateway.merchant;
    const role = { role: 'owner' as const, staffRole: null };
    const token = await invite(gateway, { email: 'ben@example.com', merchantId, ...role }, 'operator');
    const ben = await open(`/account/welcome#${token}`);
    await join(ben, 'Ben Nevis');
    // Both have been here for long: who is new approves nothing for a day.
    await gateway.db`update membership set hand_since = ${new Date(gateway.clock.now().getTime() - 48 * 3_600_000)}`;
    await go(ada, 'limits');
    await ada.getByLabel('At most in 24 hours').fill('500');
    await ada.getByRole('button', { name: 'Ask for this change' }).click();
    await ada.getByText('It takes effect once somebody else has approved it').waitFor();
    await look(ada, 'a limit that waits');
    assert.equal((await findMerchant(gateway.db, merchantId))?.dailyLimit, null);

    await ben.goto(`${accountUrl()}/account/needs-you`);
    await ben.getByRole('link', { name: 'Review' }).click();
    await ben.getByText('At most in 24 hours: no limit').waitFor();
    await look(ben, 'a limit to approve');
    await ben.getByRole('button', { name: 'Approve this change' }).click();
    await ben.getByText('The change is in effect').waitFor();
    assert.equal((await findMerchant(gateway.db, merchantId))?.dailyLimit, '500');
    await go(ben, 'audit');
    await ben.locator('tbody').getByText('Signed with a passkey').locator('visible=true').first().waitFor();
  });
}
