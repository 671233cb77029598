/** A destination at a bank, in a browser: the form asks what a bank asks as soon as one is chosen, on a phone and in German too. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk } from './chromium.ts';
import { withoutLitecoin } from './gateway.ts';
import { ourIban } from './networks/statement-bank.ts';

const env = { ...withoutLitecoin, SEPA_IBAN: ourIban, SEPA_ACCOUNT_NAME: 'Teehandlung Nordwind GmbH & Co. KG' };
const narrow = { width: 390, height: 844 };

browserStories('a destination at a bank', { hasAccount: true, env }, tell);

function tell(stage: BrowserStage): void {
  const { accountUrl, owner } = peopleAt(stage);
  let page: Page;

  /** In both schemes; with PICTURES=folder, to be looked at. */
  async function look(name: string): Promise<void> {
    for (const [screen, viewport] of Object.entries({ narrow, desk })) {
      await page.setViewportSize(viewport);
      await assertUsable(page, `${name}, ${screen}`);
      const folder = process.env['PICTURES'];
      if (folder) await page.screenshot({ path: `${folder}/destination-${name}-${screen}.png`, fullPage: true });
    }
  }

  before(async () => {
    page = await owner();
  });

  test('its fields follow the choice of the bank, and what it becomes is shown in groups', async () => {
    await page.goto(`${accountUrl()}/account/transfers/destinations/new`);
    const [memo, bic, company] = [page.getByLabel(/^Memo/), page.getByLabel(/^BIC/), page.getByLabel('Company')];
    assert.deepEqual([await memo.isVisible(), await bic.isVisible(), await company.isVisible()], [true, false, false]);
    await page.getByLabel('Network').selectOption('SEPA');
    assert.deepEqual([await memo.isVisible(), await bic.isVisible(), await company.isVisible()], [false, true, true]);
    assert.ok(await page.locator('#town').isVisible(), 'where the holder lives, which some banks ask for');
    await look('form');
    await page.locator('#label').fill('House bank');
    await page.locator('#address').fill('DE02 1203 0000 0000 2020 51');
    await company.fill('Teehandlung Nordwind Verwaltungsgesellschaft mbH');
    await page.getByRole('button', { name: 'Add the destination' }).click();
    await page.getByText('Added. It can be used').waitFor();
    await page.getByText('Teehandlung Nordwind Verwaltungsgesellschaft mbH').first().waitFor();
    await look('list');
  });

  test('its pages are usable in German too', async () => {
    await page.goto(`${accountUrl()}/account/my-sign-in`);
    await page.locator('select[name="language"]').selectOption('de');
    await page.locator('form:has(select[name="language"]) button.btn').first().click();
    for (const [name, path] of [
      ['german-form', 'destinations/new?network=SEPA'],
      ['german-list', 'destinations'],
      ['german-transfer', 'new'],
    ] as const) {
      await page.goto(`${accountUrl()}/account/transfers/${path}`);
      await look(name);
    }
  });
}
