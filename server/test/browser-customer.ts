/** What customers do on the payment page, in the words of the stories about them. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { BrowserStage } from './browser-stories.ts';
import { aCharge, type GatewayOptions } from './gateway.ts';

export const everyNetwork: GatewayOptions = {
  lightningSat: 10_000_000n,
  withEthereum: true,
  hasStellar: true,
  env: {
    // Nobody answers there: it makes the page offer receipts.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@shop.example',
    ETHEREUM_WALLET_NODE_URL: 'https://public-node.example',
  },
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

  /** What the customer has, and by which network it is sent: `ETHEREUM USDC`. */
  async function pick(page: Page, method: string): Promise<void> {
    const way = `[name^="way-"][value^="${method}"]`;
    await page
      .locator('.coin-row', { has: page.locator(way) })
      .locator('> label')
      .click();
    if ((await page.locator(way).getAttribute('type')) === 'radio') await page.locator(way).check();
    await page.getByRole('button', { name: /^Pay (with|by) / }).click();
  }

  async function choose(page: Page, method: string): Promise<void> {
    await pick(page, method);
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
    const valueOf = (name: string) =>
      page.getByRole('button', { name: `Copy: ${name}`, exact: true }).getAttribute('data-copy');
    const isInvoice = await page.getByRole('button', { name: 'Copy: Payment code' }).isVisible();
    const address = await valueOf(isInvoice ? 'Payment code' : 'Address');
    return { address: address ?? '', amount: (await valueOf('Amount')) ?? '' };
  }

  return { create, visit, pick, choose, sees, payNow, confirmNow, instructions };
}
