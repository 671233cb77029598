/** Somebody who runs the installation looks whether all is well, and runs a parked job again. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { operatorMenu } from '../src/operator/operator-menu.ts';
import { invite } from '../src/people/join-account.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { deepTest } from './depth.ts';
import { aCharge, withoutLitecoin } from './gateway.ts';

browserStories("the operator's area", { hasAccount: true, env: withoutLitecoin }, tell);

function tell(stage: BrowserStage): void {
  const { accountUrl, open, join } = peopleAt(stage);
  let page: Page;
  const look = (name: string) =>
    process.env['PICTURES'] && page.screenshot({ path: `${process.env['PICTURES']}/${name}.png`, fullPage: true });

  before(async () => {
    const { gateway } = stage;
    const whom = { email: 'ines@house.example', merchantId: null, role: null, staffRole: 'operator' } as const;
    page = await open(`/account/welcome#${await invite(gateway, whom, 'operator')}`);
    await join(page, 'Ines Vogt');
    const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
    const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
    gateway.bitcoin.pay(depositInstructions);
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    await gateway.db`
      insert into queue_sample (slot, waiting)
      select ${gateway.clock.now()}::timestamptz - make_interval(mins => 15 * step), 5 + step * (95 - step) / 40
        from generate_series(0, 95) as step where step not between 40 and 45`;
  });

  const park = () => stage.gateway.db`
    insert into job (name, payload, run_at, attempts, last_error, parked_reason)
    values ('books.reconcile', '{}', ${stage.gateway.clock.now()}, 3, 'No rate.', 'The rate of ETH is missing.')`;

  test('the first page says in one sentence whether all is well, and changes by itself', async () => {
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}/operator`);
    await page.getByRole('heading', { level: 1, name: 'All is well.' }).waitFor();
    await assertUsable(page, 'overview');
    await look('operator-overview-desk');
    await park();
    await page.getByRole('heading', { level: 1, name: 'All is well, but a job is parked.' }).waitFor();
    await page.setViewportSize(phone);
    await assertUsable(page, 'overview on a phone');
    await look('operator-overview-phone');
    await stage.gateway.db`delete from job where parked_reason is not null`;
  });

  test('a parked job is run again from where its reason is read', async () => {
    await park();
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}/operator`);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.locator('#parked').getByText('The rate of ETH is missing.').waitFor();
    await assertUsable(page, 'jobs');
    await look('operator-jobs-desk');
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('The job runs again now.').waitFor();
    await page.getByText('No job is parked.').waitFor();
    assert.equal((await stage.gateway.db`select from job where parked_reason is not null`).length, 0);
  });

  test('what somebody writes with is typed, and found: whose it is, and after a press of a button what', async () => {
    const { id } = await stage.gateway.post('/checkout', aCharge('60.00 USD', { meta: { order: 'K-4711' } }));
    await stage.gateway.runUntilIdle();
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}/operator`);
    await page.keyboard.press('/');
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('searchbox').fill('k-4711');
    await palette.getByRole('link', { name: /^Checkout of / }).waitFor();
    await assertUsable(page, 'the palette');
    await look('operator-palette-desk');
    await page.keyboard.press('Enter');
    await page.getByText('What you looked for is in this account.').waitFor();
    await assertUsable(page, 'the way into an account');
    await look('operator-wanted-desk');
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.getByText('as staff of the operator').waitFor();
    assert.equal(new URL(page.url()).pathname, `/account/checkouts/${id}`);
    await page.getByRole('button', { name: 'Stop looking' }).click();
    await page.getByRole('button', { name: 'Look at' }).waitFor();
  });

  deepTest('every page is usable, at every size, in light and in dark', async () => {
    await stage.gateway.post('/checkout', aCharge('60.00 USD', { meta: { order: 'K-4712' } }));
    await stage.gateway.runUntilIdle();
    await park();
    const paths = [
      ...operatorMenu.map(({ path }) => path),
      '/operator/needs-you/notifications',
      '/operator/search?q=k-4712',
    ];
    for (const size of [phone, { width: 768, height: 1024 }, { width: 1440, height: 900 }]) {
      await page.setViewportSize(size);
      for (const path of paths) {
        await page.goto(`${accountUrl()}${path}`);
        const name = `${path.slice(1).replaceAll(/[/?=]/g, '-')}-${size.width}`;
        await assertUsable(page, name);
        for (const colorScheme of process.env['PICTURES'] ? (['light', 'dark'] as const) : []) {
          await page.emulateMedia({ colorScheme });
          await look(`${name}-${colorScheme}`);
        }
      }
    }
    await stage.gateway.db`delete from job where parked_reason is not null`;
  });
}
