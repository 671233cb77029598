/** What people do in the account, in the words of the stories about them. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inviteFirstPerson } from '../src/people/join-account.ts';
import { beKnown } from './be-known.ts';
import type { BrowserStage } from './browser-stories.ts';

/** A phone or computer that makes passkeys and confirms them by itself. */
export async function withPasskeys(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

export function peopleAt(stage: BrowserStage) {
  const accountUrl = (): string => stage.origin.replace('127.0.0.1', 'localhost');

  async function open(path: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await stage.browser.open({ locale: 'en-US', ...options });
    await withPasskeys(page);
    // It would answer for its owner as soon as the page offers passkeys in the e-mail field.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(`${accountUrl()}${path}`);
    return page;
  }

  async function firstLink(): Promise<string> {
    const { gateway } = stage;
    return `/account/welcome#${await inviteFirstPerson(gateway, gateway.merchant.merchantId)}`;
  }

  /** Names themselves after a link, and makes a passkey. */
  async function join(page: Page, name: string, email?: string): Promise<void> {
    await page.getByLabel('Your name').fill(name);
    if (email !== undefined) await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Go on to the passkey' }).click();
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.locator('#menu').waitFor({ state: 'attached' });
  }

  /** Who has had the account for long. */
  async function owner(): Promise<Page> {
    const page = await open(await firstLink());
    await join(page, 'Ada Lovelace', 'ada@example.com');
    await beKnown(stage.gateway, 'ada@example.com');
    return page;
  }

  return { accountUrl, open, firstLink, join, owner };
}
