/** The first run of an account, and a developer's day, in a real browser: a key for the shop, its exchange while the shop runs, webhooks that fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newId } from '../src/lib/ids.ts';
import { revokeKey } from '../src/merchants/revoke-key.ts';
import { invite } from '../src/people/join-account.ts';
import { recordEvent } from '../src/webhooks/record-event.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { deepTest, sampleOf } from './depth.ts';
import { aCharge, type TestMerchant } from './gateway.ts';
import { until } from './until.ts';

const shots = process.env['SHOTS'];

const sizes = sampleOf(Object.entries({ desk, phone }), ([each]) => each === 'phone');

browserStories('developers in the account', { hasAccount: true, isUncounted: true }, tellStories);

function tellStories(stage: BrowserStage): void {
  const { owner, open, join, accountUrl } = peopleAt(stage);
  let ada: Page;
  let shop: TestMerchant;

  const go = (page: string) => ada.goto(`${accountUrl()}/account/developers/${page}`);
  async function look(what: string): Promise<void> {
    for (const [size, viewport] of sizes) {
      await ada.setViewportSize(viewport);
      await assertUsable(ada, `${what}, ${size}`);
      if (shots === undefined) continue;
      for (const colorScheme of ['light', 'dark'] as const) {
        await ada.emulateMedia({ colorScheme });
        await ada.screenshot({
          path: `${shots}/${what.replaceAll(' ', '-')}-${size}-${colorScheme}.png`,
          fullPage: true,
        });
      }
    }
    await ada.setViewportSize(desk);
  }
  const call = async (as: TestMerchant): Promise<number> =>
    (await stage.gateway.request('GET', '/auth-test', undefined, { as })).status;
  /** What is shown to be copied: the key and its secret. */
  const copied = async (): Promise<TestMerchant> => {
    const [apiKey = '', apiSecret = ''] = await ada.locator('.copyfield .value').allInnerTexts();
    return { ...stage.gateway.merchant, apiKey, apiSecret };
  };
  async function whileJobsRun(work: () => Promise<void>): Promise<void> {
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    while (!isDone) await stage.gateway.runUntilIdle();
    await done;
  }
  async function storeIt(): Promise<void> {
    await ada.getByLabel('I have stored it').check();
    await ada.getByRole('button', { name: 'Back to the keys' }).click();
    await ada.getByRole('heading', { name: 'Keys', level: 2 }).waitFor();
  }

  test('the first run is one walk, from the link to a paid payment, a webhook and what keeps the account safe', async () => {
    const { gateway } = stage;
    const { merchantId, apiKey } = await gateway.createMerchant('New shop');
    await revokeKey(gateway, merchantId, apiKey, 'operator');
    const token = await invite(gateway, { email: null, merchantId, role: 'owner', staffRole: null }, 'operator');
    const page = await open(`/account/welcome#${token}`, { viewport: desk, timezoneId: 'America/Sao_Paulo' });
    const next = () => page.locator('#walk').getByRole('link', { name: 'Next step' }).click();
    const shown = async (what: string): Promise<void> => {
      for (const [size, viewport] of sizes) {
        await page.setViewportSize(viewport);
        await assertUsable(page, `${what}, ${size}`);
        if (shots !== undefined) await page.screenshot({ path: `${shots}/walk-${what}-${size}.png`, fullPage: true });
      }
      await page.setViewportSize(desk);
    };
    await join(page, 'Grace Hopper', 'grace@example.com');
    await page.getByRole('region', { name: 'Setting up' }).getByRole('link', { name: 'Go on' }).click();
    await page.getByText('One step after another').waitFor();
    await shown('steps');
    await page.getByRole('link', { name: 'Do it: Your business' }).click();
    await page.getByLabel('Name').fill('Hopper & Co');
    await page.getByLabel('Account currency').selectOption('EUR');
    assert.equal(
      await page.getByLabel('Time zone').inputValue(),
      'America/Sao_Paulo',
      'that of the browser is proposed',
    );
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByLabel('Credit payments in').selectOption('ORIGIN');
    await shown('business');
    await page.getByRole('button', { name: 'Go on' }).click();

    await page.getByRole('heading', { name: 'New key', level: 1 }).waitFor();
    await page.getByLabel('Name').fill('shop');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText('The secret is shown only this once').waitFor();
    const [key = '', secret = '', address = ''] = await page.locator('.copyfield .value').allInnerTexts();
    assert.match(address, /\/api\/v1$/);
    const made = { ...gateway.merchant, merchantId, apiKey: key, apiSecret: secret };
    assert.equal(await call(made), 200);
    if (shots !== undefined) await shown('key');
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Next step' }).click();

    await page.getByText('Your first payment is filled in').waitFor();
    await shown('link');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByText('press the button that pays with test money').waitFor();
    const url = new URL((await page.locator('.copyfield .value').innerText()).trim());
    await page.getByRole('link', { name: 'Back to the checkout' }).click();
    await page.getByText('The customer has not chosen how to pay').first().waitFor();
    await page.evaluate('window.wasNotReloaded = true');
    const customer = await stage.browser.open();
    await customer.goto(`${stage.origin}${url.pathname}`);
    const waits = customer.getByText('Waiting for your payment');
    await customer.locator('#state, #choose').first().waitFor();
    if (!(await waits.isVisible())) await customer.getByRole('button', { name: /^Pay with / }).click();
    await waits.waitFor();
    await customer.getByRole('button', { name: 'Pay now with test money' }).click();
    await gateway.runUntilIdle();
    await page.getByText('is being confirmed').waitFor();
    await customer.getByRole('button', { name: 'Confirm the test payment' }).click();
    await customer.waitForLoadState();
    await gateway.runUntilIdle();
    await page.locator('.state.pill', { hasText: 'Paid' }).waitFor();
    assert.equal(await page.evaluate('window.wasNotReloaded'), true);
    await customer.context().close();
    if (shots !== undefined) await shown('paid');
    await next();

    await page.getByLabel('URL of your server').fill(gateway.webhookUrl);
    await whileJobsRun(async () => {
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page.getByText('Attempt 1: 200').waitFor();
    });
    await next();

    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Print codes instead' }).click();
    await page.getByRole('button', { name: 'Make ten new codes' }).click();
    await page.getByRole('link', { name: 'I have stored them' }).click();
    await next();
    await page.getByLabel('Add an address or a range').fill('127.0.0.1');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /127\.0\.0\.1/ }).waitFor();
    await page.getByRole('radio', { name: /^Only from the list/ }).check();
    await page.locator('form[action$="/from"]').getByRole('button').click();
    // Other servers would be shut out, so it is asked once more.
    await page.locator('form:has([name="sure"])').getByRole('button').click();
    await page.locator('input[value="list"]:checked').waitFor();
    await page.locator('#walk').getByRole('link', { name: 'All steps' }).click();
    await page.getByText('The account is ready').waitFor();
    await page.getByRole('link', { name: 'To Home' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    assert.equal(await page.locator('.todo').count(), 0);
    await page.context().close();
  });

  test('what will be on a page is said while there is nothing', async () => {
    ada = await owner();
    if (shots !== undefined) ada.setDefaultTimeout(20_000);
    await go('webhooks');
    await ada.getByText('Here will be what your server was told').waitFor();
    await look('webhooks empty');
    await go('requests');
    await ada.getByText('There was none in seven days').waitFor();
    await look('requests empty');
  });

  test('a key is made for the shop, and its secret is shown once', async () => {
    ada ??= await owner();
    await go('keys');
    await ada.getByRole('link', { name: 'New key' }).click();
    await ada.getByRole('button', { name: 'Make the key' }).waitFor();
    await look('new key');
    await ada.getByLabel('Name').fill('shop-live');
    await ada.getByRole('button', { name: 'Make the key' }).click();
    await ada.getByText('The secret is shown only this once').waitFor();
    shop = await copied();
    await look('key made');
    assert.equal(await call(shop), 200);
    await ada.getByRole('button', { name: 'Back to the keys' }).click();
    assert.equal(await ada.locator('.copyfield').count(), 3, 'not before it is stored');
    await storeIt();
    await stage.gateway.app.writeUsedKeys();
    await go('keys');
    await ada.getByRole('row', { name: /shop-live.*charge.*now.*Ada Lovelace/ }).waitFor();
    await look('keys');
  });

  test('it gets a new secret while the shop runs: both work, and after a day only the new one', async () => {
    await ada.getByRole('link', { name: 'Rotate shop-live' }).click();
    await ada.getByRole('button', { name: 'Make a new secret' }).waitFor();
    await look('one key');
    await ada.getByRole('button', { name: 'Make a new secret' }).click();
    await ada.getByText('the former one works until').waitFor();
    const renewed = await copied();
    assert.deepEqual([await call(shop), await call(renewed)], [200, 200]);
    await storeIt();
    stage.gateway.clock.advance({ hours: 25 });
    assert.deepEqual([await call(shop), await call(renewed)], [401, 200]);
    shop = renewed;
  });

  test('a request that fails is shown with the sentence that was answered', async () => {
    const { body } = await stage.gateway.request('POST', '/checkout/hosted', { nonsense: true }, { as: shop });
    await until('it is written down', async () => (await stage.gateway.db`select from failed_request`).length > 1);
    // After a day one signs in anew.
    await go('requests');
    await ada.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await ada.getByRole('row', { name: /POST \/checkout\/hosted.*400.*shop-live/ }).waitFor();
    await ada.getByRole('cell').getByText(body.errors[0]).first().waitFor();
    await look('requests');
  });

  test('a test event shows what the server answered', async () => {
    await go('webhooks');
    await ada.getByLabel('URL of your server').fill(stage.gateway.webhookUrl);
    await ada.getByLabel('Key whose secret signs').selectOption({ value: shop.apiKey });
    stage.gateway.webhookAnswers.push(503);
    await whileJobsRun(async () => {
      await ada.getByRole('button', { name: 'Send a test event' }).click();
      await ada.getByText('Attempt 1: 503').waitFor();
    });
    await look('test event');
  });

  deepTest('what was given up is sent again in one press', async () => {
    const { gateway } = stage;
    const { merchantId } = gateway.merchant;
    const { id } = await gateway.post('/checkout', aCharge('19.99 USD'));
    const { checkout } = await gateway.get(`/checkout?id=${id}`);
    gateway.webhookAnswers.push(...Array(200).fill(502));
    for (let count = 0; count < 3; count += 1)
      await gateway.db.begin((tx) =>
        recordEvent(tx, {
          merchantId,
          subject: newId(),
          type: 'CHECKOUT_COMPLETED',
          data: { checkout },
          webhook: gateway.webhookUrl,
          apiKey: shop.apiKey,
          at: gateway.clock.now(),
        }),
      );
    await gateway.runUntilIdle();
    await go('webhooks?state=waiting');
    await ada
      .getByRole('row', { name: /CHECKOUT_COMPLETED.*next try/ })
      .first()
      .waitFor();
    await look('webhooks waiting');
    // Three days of attempts are another story (webhooks.test.ts): here only the last one.
    await gateway.db`update delivery set attempts = 16`;
    gateway.clock.advance({ hours: 25 });
    await gateway.runUntilIdle();
    gateway.webhookAnswers.length = 0;
    await go('webhooks');
    await ada.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await ada.getByRole('link', { name: 'Failed 3' }).click();
    const givenUp = ada.getByRole('row', { name: /502, given up/ }).first();
    await givenUp.waitFor();
    await look('webhooks failed');
    await givenUp.getByRole('link').click();
    await ada.getByText('Attempt 17: 502').waitFor();
    await look('one delivery');
    await go('webhooks');
    await ada.getByRole('button', { name: 'Send 3 failed again' }).click();
    await ada.getByText('3 events are sent again.').waitFor();
    const arrived = gateway.webhooks.length;
    await gateway.runUntilIdle();
    assert.equal(gateway.webhooks.length, arrived + 3);
    await go('webhooks');
    await ada.getByRole('link', { name: 'Failed 0' }).waitFor();
    await look('webhooks');
  });

  test('the key is revoked, and the shop is let in no more', async () => {
    await go('keys');
    await ada.getByRole('link', { name: 'Revoke shop-live' }).click();
    await ada.getByRole('button', { name: 'Revoke the key' }).click();
    await ada.getByText('The key is revoked.').waitFor();
    assert.equal(await call(shop), 401);
    await ada.getByText('1 revoked key').waitFor();
  });

  test('there is an example to paste', async () => {
    await go('try-it');
    await ada.getByText('Does the key work?').waitFor();
    await look('try it');
  });

  deepTest('all of it is there in German and without JavaScript', async () => {
    await stage.gateway.db`update person set language = 'de'`;
    const german = await stage.browser.open({
      javaScriptEnabled: false,
      storageState: await ada.context().storageState(),
      viewport: phone,
    });
    for (const [page, heading] of Object.entries({
      keys: 'Schlüssel',
      webhooks: 'Zugestellte Webhooks',
      requests: 'Fehlgeschlagene Anfragen',
      'try-it': 'Funktioniert der Schlüssel?',
    })) {
      await german.goto(`${accountUrl()}/account/developers/${page}`);
      await german.getByRole('heading', { name: heading, level: 2 }).waitFor();
      if (shots !== undefined) await german.screenshot({ path: `${shots}/german-${page}.png`, fullPage: true });
    }
    await german.goto(`${accountUrl()}/account/developers/keys/new`);
    await german.getByLabel('Name').fill('Laden');
    await german.getByRole('button', { name: 'Schlüssel erstellen' }).click();
    await german.getByText('Das Geheimnis erscheint nur dieses Mal').waitFor();
    await german.context().close();
  });
}
