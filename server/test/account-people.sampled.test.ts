/** People come in, sign in again, invite others and lose what they may do, in a real browser with passkeys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertAccessible, assertFits, assertUsable, desk, phone } from './chromium.ts';
import { deepTest } from './depth.ts';

browserStories('people of an account', { hasAccount: true }, tellStories);

function tellStories(stage: BrowserStage): void {
  const { open, firstLink, accountUrl } = peopleAt(stage);
  let ada: Page;
  let link: string;

  test('the first person opens the link, names herself, makes a passkey and is in', async () => {
    link = await firstLink();
    ada = await open(link, { viewport: desk });
    assert.equal(new URL(ada.url()).hash, '', 'the token leaves the address bar');
    await assertUsable(ada, 'welcome');
    await ada.getByLabel('Your name').fill('Ada Lovelace');
    await ada.getByLabel('E-mail address').fill('Ada@Example.com');
    await ada.getByRole('button', { name: 'Go on to the passkey' }).click();
    await assertUsable(ada, 'first passkey');
    await ada.getByRole('button', { name: 'Create a passkey' }).click();
    await ada.getByRole('heading', { name: 'Today' }).waitFor();
    await ada.goto(`${accountUrl()}/account/people`);
    await ada.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await assertUsable(ada, 'people');
    await ada.getByRole('row', { name: /Ada Lovelace.*ada@example\.com.*owner/ }).waitFor();
  });

  test('the link is worth nothing any more, and no other is made', async () => {
    const page = await open(link);
    await page.getByRole('alert').getByText('This link was used already').waitFor();
    assert.match(await firstLink(), /#null$/);
    await page.context().close();
  });

  test('she signs out, and in again with her passkey', async () => {
    await ada.locator('details.own:not(.helping) > summary').first().click();
    await ada.getByRole('button', { name: 'Sign out' }).click();
    await ada.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await assertUsable(ada, 'sign in');
    await ada.goto(`${accountUrl()}/account/my-sign-in`);
    assert.match(ada.url(), /\/account\/sign-in\?next=/);
    await ada.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await ada.getByRole('heading', { name: 'My sign-in', level: 1 }).waitFor();
    await assertUsable(ada, 'my sign-in');
  });

  test('she invites somebody, who joins with a password and sees only what the role allows', async () => {
    await ada.goto(`${accountUrl()}/account/people`);
    await ada.getByLabel('E-mail address').fill('ben@example.com');
    await ada.getByRole('radio', { name: /^support/ }).check();
    await ada.getByRole('button', { name: 'Invite', exact: true }).click();
    const url = await ada.locator('[data-copy]').getAttribute('data-copy');
    const ben = await open(new URL(url ?? '').pathname + new URL(url ?? '').hash);
    await ben.getByText('You are invited to').waitFor();
    await ben.getByLabel('Your name').fill('Ben');
    await ben.getByRole('button', { name: 'Go on to the passkey' }).click();
    await ben.getByText('I cannot use passkeys').click();
    await ben.getByLabel('New password').fill('a quiet evening in may');
    await ben.getByRole('button', { name: 'Set the password' }).click();
    await ben.getByRole('heading', { name: 'My sign-in', level: 1 }).waitFor();
    const refused = await ben.goto(`${accountUrl()}/account/people`);
    assert.equal(refused?.status(), 403);
    await ben.getByRole('alert').getByText('Your role in this account does not allow this').waitFor();

    await ben.goto(`${accountUrl()}/account`);
    await ben.locator('details.own:not(.helping) > summary').first().click();
    await ben.getByRole('button', { name: 'Sign out' }).click();
    await ben.getByLabel('E-mail address').fill('ben@example.com');
    await ben.getByLabel('Password').fill('a quiet evening in june');
    await ben.getByRole('button', { name: 'Sign in with the password' }).click();
    await ben.getByRole('alert').getByText('do not belong together').waitFor();
    await ben.getByLabel('Password').fill('a quiet evening in may');
    await ben.getByRole('button', { name: 'Sign in with the password' }).click();
    await ben.locator('#menu').waitFor({ state: 'attached' });

    await ada.goto(`${accountUrl()}/account/people`);
    await ada.getByRole('row', { name: /Ben/ }).getByText('Change…').click();
    for (const viewport of [phone, desk]) {
      await ada.setViewportSize(viewport);
      await assertFits(ada, 'people, with what can be changed');
      const menu = await ada.locator('details[open] > .own-menu').boundingBox();
      const list = ada.locator('.scroll:has(details[open])');
      const isCut = await list.evaluate('(each) => getComputedStyle(each).overflowY !== "visible"');
      assert.ok(menu && !isCut, 'what can be done to somebody is not cut off by the list');
    }
    await ada.getByRole('button', { name: 'Remove from the account' }).click();
    await ada.getByRole('row', { name: /Ben/ }).waitFor({ state: 'detached' });
    await ben.goto(`${accountUrl()}/account/my-sign-in`);
    await ben.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await ben.context().close();
  });

  deepTest('every part that a page is made of is shown in light and dark, and can be used', async () => {
    for (const theme of ['light', 'dark']) {
      const page = await open(`/account/styleguide?theme=${theme}`, { viewport: desk });
      await assertAccessible(page, `styleguide, ${theme}`);
      const scheme = await page.evaluate('getComputedStyle(document.documentElement).colorScheme');
      assert.equal(scheme, theme);
      await page.context().close();
    }
  });

  test('who wants it dark has it dark from then on', async () => {
    await ada.goto(`${accountUrl()}/account/my-sign-in`);
    await ada.locator('details.own:not(.helping) > summary').first().click();
    await ada.getByRole('button', { name: 'Dark' }).click();
    await ada.goto(`${accountUrl()}/account/people`);
    assert.equal(await ada.locator('html').getAttribute('data-theme'), 'dark');
  });
}
