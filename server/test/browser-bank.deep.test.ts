/** Who pays by bank sees all that a banking app asks for, on a phone and at a desk, and copies it field by field. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { aCharge, withoutLitecoin } from './gateway.ts';
import { ourIban } from './networks/statement-bank.ts';

const sepa = { SEPA_IBAN: ourIban, SEPA_BIC: 'HELADEF1822', SEPA_ACCOUNT_NAME: 'Teehandlung Nordwind GmbH & Co. KG' };

browserStories('paying by bank', { env: { ...withoutLitecoin, ...sepa }, hasAccount: true }, tellStories);

function tellStories(stage: BrowserStage): void {
  /** With PICTURES=folder, to be looked at. */
  const look = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['PICTURES'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  let id = '';
  before(async () => {
    const { body } = await stage.gateway.request('POST', '/checkout/hosted', aCharge('1249.90 EUR'));
    id = body.id;
    await stage.gateway.request('POST', '/checkout/commit', { checkoutId: id, network: 'SEPA' });
  });

  for (const language of ['en', 'de'])
    for (const [screen, viewport] of Object.entries({ phone, desk }))
      test(`a transfer, ${language}, at a ${screen}`, async () => {
        const page = await stage.browser.open({ viewport });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.goto(`${stage.origin}/${language}/checkout/${id}`);
          await look(page, `pay-${language}-${screen}-${colorScheme}`);
        }
        await assertUsable(page, `${language}, ${screen}`);
        const copied = await page
          .locator('.values [data-copy]')
          .evaluateAll((all) => all.map((each) => each.getAttribute('data-copy')));
        assert.deepEqual(copied, [sepa.SEPA_ACCOUNT_NAME, ourIban, sepa.SEPA_BIC, rfReference(id), '1249.90']);
      });

  test('the page of a deposit shows the account in the same way', async () => {
    const people = peopleAt(stage);
    const page = await people.owner();
    await page.goto(`${people.accountUrl()}/account/balances/deposit`);
    await page.locator('#rail').selectOption({ label: 'EUR on SEPA' });
    await page.getByRole('button', { name: 'Make the address' }).click();
    await page.locator('.copyfield').first().waitFor();
    const shown = await page.locator('.copyfield .value').allTextContents();
    assert.deepEqual(shown.slice(0, 3), [sepa.SEPA_ACCOUNT_NAME, ourIban, sepa.SEPA_BIC]);
    assert.match(shown[3] ?? '', /^RF\d\d[A-Z0-9]{12}$/);
    await look(page, 'deposit-phone');
    await page.setViewportSize(desk);
    await look(page, 'deposit-desk');
  });
}
