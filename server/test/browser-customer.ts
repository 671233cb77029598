/** What customers do on the payment page, in the words of the stories about them. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { BrowserStage } from './browser-stories.ts';
import { aCharge, type GatewayOptions } from './gateway.ts';

export const everyNetwork: GatewayOptions = {
  lightningSat: 10_000_000n,
  withEthereum: true,
  hasStellar: true,
  // Nobody answers there: it makes the page offer receipts.
  env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@shop.example' },
};

export function customersAt(stage: BrowserStage) {
  async function create(more: Record<string, unknown> = {}): Promise<{ id: string; url: string }> {
    const pageSettings = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
    const body = aCharge('25.00 USD', { checkoutLanguage: 'en', pageSettings, ...more });
    const { id, url } = await stage.gateway.post('/checkout/hosted', body);
    return { id, url: `${stage.origin}${new URL(url).pathname}` };
  }

  async function visit(url: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await stage.browser.open(options);
    await page.goto(url);
    return page;
  }

  async function choose(page: Page, method: string): Promise<void> {
    await page.locator(`input[name=method][value^="${method}"]`).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Waiting for your payment').waitFor();
  }

  const sees = (page: Page, text: string | RegExp): Promise<void> =>
    page.locator('#state').getByText(text).first().waitFor();

  async function payNow(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Pay now with test money' }).click();
    stage.gateway.stellar.close();
    await stage.gateway.runUntilIdle();
  }

  async function confirmNow(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Confirm the test payment' }).click();
    await page.waitForLoadState();
    await stage.gateway.runUntilIdle();
  }

  /** Where the page says to send money. */
  async function instructions(page: Page): Promise<{ address: string; amount: string }> {
    const valueOf = (name: string) => page.getByRole('button', { name: `Copy: ${name}` }).getAttribute('data-copy');
    return { address: (await valueOf('Address')) ?? '', amount: (await valueOf('Amount')) ?? '' };
  }

  return { create, visit, choose, sees, payNow, confirmNow, instructions };
}
