/** Settings in a real browser: every page usable, a limit that waits, and the other person's passkey that lets it through. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findMerchant } from '../src/merchants/merchant-store.ts';
import { invite } from '../src/people/join-account.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsableInBothSchemes, desk, phone } from './chromium.ts';
import { sampleOf } from './depth.ts';

browserStories('settings in the account', { hasAccount: true, isUncounted: true }, tellStories);

function tellStories(stage: BrowserStage): void {
  const { owner, open, join, accountUrl } = peopleAt(stage);
  let ada: Page;

  const go = (page: Page, path: string) => page.goto(`${accountUrl()}/account/settings/${path}`);
  async function look(page: Page, what: string): Promise<void> {
    for (const [size, viewport] of sampleOf(Object.entries({ desk, phone }), ([each]) => each === 'phone')) {
      await page.setViewportSize(viewport);
      await assertUsableInBothSchemes(page, `${what}, ${size}`);
    }
    await page.setViewportSize(desk);
  }

  test('every page of the settings can be used', async () => {
    ada = await owner();
    for (const path of ['business', 'api', 'settlement', 'limits', 'notifications', 'audit']) {
      await go(ada, path);
      await look(ada, path);
    }
  });

  test('the list is asked about once more, and a wrong address is told where it was typed', async () => {
    await go(ada, 'api');
    await ada.getByLabel('Add an address or a range').fill('home');
    await ada.getByRole('button', { name: 'Add', exact: true }).click();
    await ada.getByText('neither an IP address nor a CIDR range').waitFor();
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

  test('a limit waits for the other owner, whose passkey signs it', async () => {
    const { gateway } = stage;
    const { merchantId } = gateway.merchant;
    const role = { role: 'owner' as const, staffRole: null };
    const token = await invite(gateway, { email: 'ben@example.com', merchantId, ...role }, 'operator');
    const ben = await open(`/account/welcome#${token}`);
    await join(ben, 'Ben Nevis');
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
    await ben.locator('td').getByText('Signed with a passkey').first().waitFor();
  });
}
