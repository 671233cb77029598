/** The account quick under the hand: pages that are there at once, back from memory, found and opened by keys alone. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertAccessible, assertFits, assertUsable, desk, phone } from './chromium.ts';
import { deepTest, sampleOf } from './depth.ts';
import { withoutLitecoin } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';
import { until } from './until.ts';

browserStories('the account by keys', { hasAccount: true, isUncounted: true, env: withoutLitecoin }, tell);

function tell(stage: BrowserStage): void {
  const { owner, accountUrl } = peopleAt(stage);
  let shop: Shop;
  let page: Page;
  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
  const focused = () => page.evaluate('document.activeElement.textContent');
  const look = (name: string) => page.screenshot({ path: `${process.env['PICTURES']}/${name}.png` });
  /** Set in a window, and gone when the browser has loaded another page. */
  const mark = () => page.evaluate('window.wasNotReloaded = true');
  const wasNotReloaded = () => page.evaluate('window.wasNotReloaded === true');
  const requests: string[] = [];
  const askedFor = (path: string): number => requests.filter((each) => each === path).length;

  before(async () => {
    shop = await openShop(stage.gateway, {}, stage.gateway.merchant);
    for (let count = 1; count <= 30; count += 1) {
      await shop.create('12.50 USD', { pageSettings: { orderReference: `KN-${100 + count}` } });
      stage.gateway.clock.advance({ seconds: 1 });
    }
    await stage.gateway.runUntilIdle();
    page = await owner();
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      // What a page does about news is no visit.
      if (request.headers()['x-refresh'] === undefined) requests.push(`${request.method()} ${pathname}${search}`);
    });
    await page.setViewportSize(desk);
    // Half risen, a dialog has no colours that could be measured.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${accountUrl()}/account`);
  });

  /** By a finger, after which nothing is waited for: were it to be fetched, it would be by now. */
  async function touch(link: Locator): Promise<void> {
    await link.dispatchEvent('touchstart');
    await page.evaluate('new Promise((done) => setTimeout(done))');
  }

  test('a page that is pointed at is there when it is clicked, and the browser loads nothing anew', async () => {
    await mark();
    await touch(page.locator('.todo').getByRole('link', { name: 'Go on' }));
    const link = page.locator('#menu').getByRole('link', { name: 'Checkouts' });
    await link.hover();
    await until('the list is fetched', () => askedFor('GET /account/checkouts') === 1);
    assert.equal(askedFor('GET /account/set-up'), 0, 'nobody begins the set-up by passing over it');
    await link.click();
    await heading('Checkouts').waitFor();
    assert.equal(askedFor('GET /account/checkouts'), 1, 'what was fetched ahead is used');
    assert.equal(await wasNotReloaded(), true);
    assert.equal(await page.title(), 'Checkouts · Quittance');
    assert.equal(page.url(), `${accountUrl()}/account/checkouts`);
    assert.equal(await page.locator('#menu [aria-current=page]').innerText(), 'Checkouts');
    assert.equal(await focused(), 'Checkouts', 'reading goes on at the heading');
    assert.equal(await page.evaluate('document.activeElement.localName'), 'h1');
    assert.equal(await page.locator('#announce').innerText(), 'Checkouts');
    await touch(page.getByRole('link', { name: 'Export' }));
    await page.locator('#menu').getByRole('link', { name: 'Balances' }).hover();
    await until('balances are fetched', () => askedFor('GET /account/balances') === 1);
    assert.equal(askedFor('GET /account/checkouts/export'), 0, 'a file is made for who asks for it');
  });

  deepTest('news reach a page that took the place of another', async () => {
    await shop.create('12.50 USD', { pageSettings: { orderReference: 'KN-200' } });
    await page.getByRole('row', { name: /KN-200/ }).waitFor();
    assert.equal(await wasNotReloaded(), true);
  });

  test('back is where it was, with what was typed, and then as it is now', async () => {
    await page.locator('.filters summary', { hasText: 'Amount' }).click();
    await page.locator('#by-amount').fill('12.');
    const row = page.getByRole('link', { name: 'KN-101' });
    await row.scrollIntoViewIfNeeded();
    const top = await page.evaluate('scrollY');
    assert.ok(Number(top) > 100, 'the list is longer than the window');
    const menuTop = await page.evaluate('document.querySelector("#menu").getBoundingClientRect().top');
    assert.ok(Math.abs(Number(menuTop)) < 10, `the menu stays in sight, and is at ${Number(menuTop)}`);
    await row.click();
    await heading('Order KN-101').waitFor();
    assert.equal(await page.evaluate('scrollY'), 0);
    await page.goBack();
    await heading('Checkouts').waitFor();
    assert.equal(await page.evaluate('scrollY'), top);
    assert.equal(await page.locator('#by-amount').inputValue(), '12.');
    assert.equal(await focused(), 'KN-101');
    await page.goForward();
    await heading('Order KN-101').waitFor();
    await page.goBack();
    await shop.create('12.50 USD', { pageSettings: { orderReference: 'KN-201' } });
    await page.getByRole('row', { name: /KN-201/ }).waitFor();
    assert.equal(await wasNotReloaded(), true);
  });

  deepTest(
    'a form that asks for something is answered in place; what changes something is left to the browser',
    async () => {
      await page.locator('#by-amount').fill('12.50');
      await page.locator('#by-amount').press('Enter');
      await page.getByRole('link', { name: /12\.50/ }).waitFor();
      assert.equal(page.url(), `${accountUrl()}/account/checkouts?tab=all&amount=12.50`);
      assert.equal(await wasNotReloaded(), true);
      await page.goto(`${accountUrl()}/account/my-sign-in`);
      await mark();
      await page.getByRole('button', { name: 'Switch single keys off' }).click();
      await page.getByText('Single keys do nothing').waitFor();
      assert.equal(await wasNotReloaded(), false);
      await page.keyboard.press('?');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search' }).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 1, 'the single key did nothing');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Switch single keys on' }).click();
      await page.getByText('Single keys work').waitFor();
    },
  );

  deepTest('the answer to a form is not lost to a page that was on its way', async () => {
    await page.goto(`${accountUrl()}/account/my-sign-in`);
    let sent: () => void = () => undefined;
    const isSent = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const hasFailed = new Promise<void>((resolve) => {
      void page.exposeFunction('hasFailed', resolve);
    });
    // In a task of its own: what the page does about a failure, it has done by then.
    await page.evaluate(`const get = window.fetch;
      window.fetch = (...asked) => get(...asked).catch((error) => { setTimeout(window.hasFailed); throw error; })`);
    await page.route('**/account/customers', async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      await isSent;
      return route.abort();
    });
    await page.route('**/account/my-sign-in/**', async (route) => {
      sent();
      await hasFailed;
      await route.continue().catch(() => undefined); // It is gone, if another page is being opened instead.
    });
    // Nothing was fetched ahead, so it is fetched now.
    await page.locator('#menu').getByRole('link', { name: 'Customers' }).dispatchEvent('click');
    await page.getByRole('button', { name: 'Switch single keys off' }).click({ noWaitAfter: true });
    await page.getByText('Single keys do nothing').or(heading('Customers')).waitFor();
    assert.equal(await heading('Customers').count(), 0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Switch single keys on' }).click();
    await page.getByText('Single keys work').waitFor();
  });

  test('an order is found and opened by keys alone', async () => {
    const screens = sampleOf(Object.entries({ desk, phone }), ([name]) => name === 'phone');
    await page.goto(`${accountUrl()}/account`);
    await mark();
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('link', { name: 'New transfer' }).waitFor();
    if (process.env['PICTURES']) await look('palette-empty');
    await page.keyboard.type('KN-1');
    await dialog.getByRole('link', { name: /KN-130/ }).waitFor();
    for (const [name, viewport] of screens) {
      await page.setViewportSize(viewport);
      await assertAccessible(page, `the palette, ${name}`);
      if (process.env['PICTURES']) await look(`palette-${name}`);
    }
    await page.setViewportSize(desk);
    await page.keyboard.type('05');
    await page.keyboard.press('Enter');
    await heading('Order KN-105').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await wasNotReloaded(), true);

    await page.keyboard.press('/');
    await page.keyboard.type('people');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/people');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await heading('Checkouts').waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    const second = page.locator('.list tbody tr').nth(1).getByRole('link');
    const order = await second.innerText();
    assert.equal(await focused(), order);
    await page.keyboard.press('Enter');
    await heading(`Order ${order}`).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await assertAccessible(page, 'the list of keys');
    if (process.env['PICTURES']) await look('keys-desk');
    await page.keyboard.press('Escape');
    const help = page.locator('.top details.helping');
    const row = help.getByText('Next and previous row');
    await help.locator('summary').click();
    await row.waitFor();
    for (const [name, viewport] of screens) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        if (process.env['PICTURES']) await look(`help-${name}-${colorScheme}`);
        // Over a page, axe is not sure what a sentence of two lines stands on.
        await page.evaluate('document.querySelector("main").hidden = true');
        await assertAccessible(page, `the help, ${name}, ${colorScheme}`, '.helping');
        await page.evaluate('document.querySelector("main").hidden = false');
      }
      await assertFits(page, `the help, ${name}`);
      assert.equal(await row.isVisible(), viewport === desk, 'a phone has no keys');
    }
    await page.setViewportSize(desk);
    await page.locator('.top summary').last().click();
    await row.waitFor({ state: 'hidden' });
    await page.locator('.top summary').last().click();
    await page.keyboard.press('n');
    await heading('New payment link').waitFor();
    await page.getByLabel('What for').press('j');
    await page.getByLabel('What for').press('g');
    await page.getByLabel('What for').press('c');
    assert.equal(await page.getByLabel('What for').inputValue(), 'jgc', 'who types only types');
    assert.equal(await wasNotReloaded(), true);
  });

  deepTest('the search page does the same without its script, and is usable', async () => {
    await page.goto(`${accountUrl()}/account/search?q=KN-10`);
    await page
      .locator('#found')
      .getByRole('link', { name: /KN-105/ })
      .waitFor();
    for (const viewport of [phone, desk]) {
      await page.setViewportSize(viewport);
      await assertUsable(page, `search, ${viewport.width}`);
      if (process.env['PICTURES']) await look(`search-${viewport.width}`);
    }
    const plain = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    assert.ok(plain);
    await plain.addCookies(await page.context().cookies());
    const still = await plain.newPage();
    await still.goto(`${accountUrl()}/account`);
    await still.locator('a.find').click();
    await still.locator('#q').fill('KN-105');
    await still.locator('#q').press('Enter');
    await still
      .locator('#found')
      .getByRole('link', { name: /KN-105/ })
      .click();
    await still.getByRole('heading', { name: 'Order KN-105' }).waitFor();
    await plain.close();
  });

  test('what the first page loads is small', async () => {
    const fresh = await page.context().newPage();
    await fresh.goto(`${accountUrl()}/account`, { waitUntil: 'load' });
    const paths = "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)";
    const loaded: string[] = await fresh.evaluate(paths);
    await fresh.close();
    const sizeOf = async (path: string): Promise<number> =>
      gzipSync(await (await page.request.get(`${accountUrl()}${path}`)).body()).length;
    const sum = async (paths: readonly string[]): Promise<number> =>
      (await Promise.all(paths.map(sizeOf))).reduce((all, size) => all + size, 0);
    const names = loaded.filter((path) => path.startsWith('/js/'));
    assert.ok(names.includes('/js/account.mjs'), `loaded: ${names.join(', ')}`);
    const scripts = await sum(names);
    assert.ok(scripts <= 10_000, `the scripts have ${scripts} bytes`);
    const all = scripts + (await sum(['/account', '/css/account.css']));
    assert.ok(all <= 40_000, `the first page has ${all} bytes`);
  });

  deepTest('news that come while the page one goes back to is on its way do not put it into another one', async () => {
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}/account`);
    await mark();
    await page.locator('#menu').getByRole('link', { name: 'Checkouts' }).click();
    await heading('Checkouts').waitFor();
    // As after a sign-out in another window: what was remembered is gone.
    await page.evaluate("new BroadcastChannel('quittance-account').postMessage('forget')");
    const held = Promise.withResolvers<void>();
    const home = `${accountUrl()}/account`;
    await page.route(home, async (route) => {
      if (route.request().headers()['x-refresh'] === undefined) await held.promise;
      await route.continue();
    });
    await page.evaluate('history.back()');
    await page.waitForURL(home);
    const shown = () => page.locator('#menu [aria-current=page]').innerText();
    try {
      const told = page.waitForResponse((response) => response.request().headers()['x-refresh'] !== undefined);
      await shop.create('12.50 USD', { pageSettings: { orderReference: 'KN-202' } });
      await (await told).finished();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.deepEqual([await shown(), await page.locator('#h-today').count()], ['Checkouts', 0]);
    } finally {
      held.resolve();
    }
    await page.locator('#h-today').waitFor();
    assert.equal(await shown(), 'Home');
    await page.getByRole('link', { name: 'KN-202' }).waitFor();
    await page.unroute(home);
    await page.goForward();
    await heading('Checkouts').waitFor();
    assert.equal(await wasNotReloaded(), true);
  });

  deepTest('what is read first waits for the page itself and one stylesheet, and for nothing else', async () => {
    const window = await page.context().newPage();
    const held = new Set<string>();
    await window.route(
      /\.(mjs|svg|png|woff2)(\?|$)/,
      (route) => void held.add(new URL(route.request().url()).pathname),
    );
    const asked: string[] = [];
    window.on('request', (request) => void asked.push(request.resourceType()));
    await window.goto(`${accountUrl()}/account`, { waitUntil: 'commit' });
    const largest = await window.evaluate<string | null>(`new Promise((resolve) => new PerformanceObserver((list) =>
      resolve(list.getEntries().at(-1).element.closest('#main, .app')?.tagName ?? null))
      .observe({ type: 'largest-contentful-paint', buffered: true }))`);
    assert.notEqual(largest, null, 'what is largest is content');
    assert.ok(held.has('/js/account.mjs'), 'no script has arrived');
    assert.deepEqual(
      asked.filter((kind) => kind === 'document' || kind === 'stylesheet' || kind === 'font'),
      ['document', 'stylesheet'],
    );
    await window.close();
  });

  deepTest('who signed out in another window is shown nothing that was remembered', async () => {
    await page.goto(`${accountUrl()}/account/checkouts`);
    await page.getByRole('link', { name: 'KN-105' }).click();
    await heading('Order KN-105').waitFor();
    await stage.gateway.db`delete from session`;
    await page.goBack();
    await page.waitForURL('**/account/sign-in?next=*');
    await page.getByRole('button', { name: /passkey/i }).click();
    await page.waitForURL('**/account/checkouts');
    await page.getByRole('link', { name: 'KN-105' }).click();
    await heading('Order KN-105').waitFor();
    const window = await page.context().newPage();
    await window.goto(`${accountUrl()}/account`);
    await window.locator('details.own summary').last().click();
    await window.getByRole('button', { name: 'Sign out' }).click();
    await window.waitForURL('**/account/sign-in');
    await window.close();
    let sawList = false;
    await page.exposeFunction('sawList', () => {
      sawList = true;
    });
    await page.evaluate(`new MutationObserver(() => document.querySelector('h1')?.textContent === 'Checkouts' && window.sawList())
      .observe(document.body, { childList: true, subtree: true })`);
    await page.goBack();
    await page.waitForURL('**/account/sign-in?next=*');
    assert.equal(sawList, false);
  });
}
