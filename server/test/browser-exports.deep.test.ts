/** Somebody takes a long list along: asks for its file, sees it grow, and downloads it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeExport } from '../src/account/exports/make-export.ts';
import { RunLater } from '../src/jobs/job-runner.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { withoutLitecoin } from './gateway.ts';
import { assets } from './statement-world.ts';
import { turns } from './until.ts';

browserStories('files of long lists', { hasAccount: true, env: withoutLitecoin }, tell);

function tell(stage: BrowserStage): void {
  const { accountUrl, owner } = peopleAt(stage);
  let page: Page;
  before(async () => {
    const { db, merchant } = stage.gateway;
    await db`
      insert into customer (merchant_id, id, email, fields, updated_at, created_at)
      select ${merchant.merchantId}, 'aaaa' || lpad(n::text, 8, '0'), n || '@example.com', '{"lastname": "Quill"}',
             '2026-01-01', '2026-01-01'::timestamptz + make_interval(secs => n)
        from generate_series(1, 10001) as n`;
    page = await owner();
  });

  async function look(name: string): Promise<void> {
    for (const [kind, viewport] of Object.entries({ phone, desk })) {
      await page.setViewportSize(viewport);
      await assertUsable(page, `${name}, ${kind}`);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        const path = `${process.env['PICTURES'] ?? ''}/export-${name}-${kind}-${colorScheme}.png`;
        if (process.env['PICTURES']) await page.screenshot({ path, fullPage: true });
      }
    }
  }

  async function step(exportId: string): Promise<void> {
    const { db, clock, log, merchant } = stage.gateway;
    const payload = { merchantId: merchant.merchantId, exportId };
    const made = makeExport({ db, clock, log, assets }, payload, { attempt: 1 });
    await made.catch((error: unknown) => assert.ok(error instanceof RunLater, String(error)));
  }

  test('a long list is asked for, grows before the eyes of who waits, and is downloaded', async () => {
    await page.goto(`${accountUrl()}/account/reports/exports`);
    await look('none');
    await page.goto(`${accountUrl()}/account/customers`);
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByRole('heading', { level: 1, name: 'A long list' }).waitFor();
    await look('offer');
    await page.getByRole('button', { name: 'Make the file' }).click();
    await page.getByText('It begins in a moment.').waitFor();
    const exportId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await look('waiting');
    await step(exportId);
    for (const _ of [1, 2]) await step(exportId);
    await page.getByText('4,000 of about 10,001').waitFor();
    await look('making');
    const isMade = async (): Promise<boolean> =>
      (await stage.gateway.db`select from export where id = ${exportId} and state = 'MAKING'`).length === 0;
    for (const _ of turns()) {
      if (await isMade()) break;
      await step(exportId);
    }
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor();
    await look('ready');
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.equal(download.suggestedFilename(), 'Test-shop-Customers-2026-03-01.csv');
    assert.equal((await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n').length, 10_002);
    await page.goto(`${accountUrl()}/account/reports/exports`);
    await look('list');
    await page.goto(`${accountUrl()}/account/settings/notifications`);
    await look('notifications');
  });
}
