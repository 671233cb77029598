/** What was paid by bank and goes back by bank, as the merchant, the staff and the customer see it, on a phone and at a desk. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { invite } from '../src/people/join-account.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { withoutLitecoin } from './gateway.ts';
import { type Booking, openStatementBank, ourIban, type StatementBank } from './networks/statement-bank.ts';
import { openShop, type Shop } from './shop.ts';

const account = {
  SEPA_IBAN: ourIban,
  SEPA_BIC: 'HELADEF1822',
  SEPA_ACCOUNT_NAME: 'Teehandlung Nordwind GmbH & Co. KG',
};

browserStories('money goes back by bank', { hasAccount: true, env: { ...withoutLitecoin, ...account } }, tell);

function tell(stage: BrowserStage): void {
  const people = peopleAt(stage);
  let bank: StatementBank;
  let shop: Shop;
  let page: Page;
  let orderId: string;
  let balance = 100_000n;

  /** On a phone and at a desk, in both schemes; with PICTURES=folder, to be looked at. */
  async function look(name: string, at: Page = page): Promise<void> {
    for (const [screen, viewport] of Object.entries({ phone, desk })) {
      await at.setViewportSize(viewport);
      await assertUsable(at, `${name}, ${screen}`);
      const folder = process.env['PICTURES'];
      for (const colorScheme of folder ? (['light', 'dark'] as const) : []) {
        await at.emulateMedia({ colorScheme });
        await at.screenshot({ path: `${folder}/refund-${name}-${screen}-${colorScheme}.png`, fullPage: true });
      }
    }
  }

  async function dayWith(...bookings: readonly Booking[]): Promise<void> {
    const { db, clock, env } = stage.gateway;
    const connectors = createConnectors(readConfig(env).networks, clock.now);
    const encryption = createEncryption(Buffer.alloc(32, 7));
    const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000, onChange: () => undefined };
    const bytes = bank.write('camt.053', bookings.map(bank.entryOf), balance);
    const file = { network: 'SEPA', fileName: 'statement.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
    await importBankFile(deps, { ...file, begin: db.begin });
    balance = bookings.reduce((sum, { cents }) => sum + cents, balance);
    await stage.gateway.runUntilIdle();
  }

  before(async () => {
    const { gateway } = stage;
    bank = openStatementBank({ now: gateway.clock.now });
    shop = await openShop(gateway, {}, gateway.merchant);
    await allowAddress(gateway, gateway.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
    const { id } = await shop.post('/checkout/hosted', {
      charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Darjeeling First Flush', netAmount: '1249.90' }] },
    });
    orderId = id;
    await shop.commit(id, 'SEPA');
    const payer = { name: 'Dr. Wilhelmine Freifrau von Hohenstein-Wittgenstein', endToEndId: 'ORDER-2026-03-77' };
    await dayWith({ cents: 124_990n, text: rfReference(id), servicerRef: '2026030112345678000', ...payer });
    page = await people.owner();
  });

  test('the merchant reads of a payment what the statement of the bank says, and no mark of ours', async () => {
    await page.goto(`${people.accountUrl()}/account/checkouts/${orderId}`);
    await page.getByText('Booked on').waitFor();
    const shown = await page.locator('.booking').first().innerText();
    for (const said of [
      /Mar 1, 2026|1 Mar 2026/,
      /Freifrau/,
      /DE22 2004/,
      /RF\d\d/,
      /2026030112345678000/,
      /ORDER-2026-03-77/,
    ])
      assert.match(shown, said);
    assert.doesNotMatch(await page.content(), /[0-9a-f]{64}/);
    await look('account-paid');
  });

  test('staff read the same of what matched nobody, with where it is told', async () => {
    await dayWith({ cents: 300n, text: 'für den Tee', name: 'Bob \u202eelbatpeccA' });
    const whom = { email: 'ines@house.example', merchantId: null, role: null, staffRole: 'operator' } as const;
    const staff = await people.open(`/account/welcome#${await invite(stage.gateway, whom, 'operator')}`);
    await people.join(staff, 'Ines Vogt');
    await staff.goto(`${people.accountUrl()}/operator/suspense`);
    await look('suspense', staff);
    await staff.getByRole('link', { name: '3.00 EUR' }).click();
    await staff.getByText('As it was told').waitFor();
    assert.doesNotMatch(await staff.content(), /[0-9a-f]{64}|\u202e/);
    await look('unmatched', staff);
    await staff.getByRole('link', { name: /^camt\.053/ }).click();
    await staff.getByRole('heading', { name: 'Bookings' }).waitFor();
  });

  test('a customer who comes back reads that a refund was ordered, in every language', async () => {
    const { refund } = await shop.post('/refund', { checkoutId: orderId, amount: '249.90' });
    await stage.gateway.runUntilIdle();
    const customer = await stage.browser.open();
    for (const language of ['en', 'de', 'ar']) {
      await customer.goto(`${stage.origin}/${language}/checkout/${orderId}`);
      await customer.locator('#refunds').waitFor();
      assert.equal(await customer.locator('.tick').count(), 0, 'nothing to celebrate');
      await look(`page-${language}`, customer);
    }
    await page.goto(`${people.accountUrl()}/account/checkouts/${orderId}`);
    await page.getByText('waits for the next payment file').waitFor();
    await look('account-ordered');
    assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'SENDING');
  });

  test('what came too much and goes back is said once, with where to', async () => {
    const { id } = await shop.post('/checkout/hosted', {
      charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Mug', netAmount: '10.00' }] },
    });
    await shop.commit(id, 'SEPA');
    await dayWith({ cents: 1_500n, text: rfReference(id) });
    await shop.post('/refund', { checkoutId: id, context: 'OVERPAID_CHECKOUT' });
    await stage.gateway.runUntilIdle();
    const customer = await stage.browser.open();
    await customer.goto(`${stage.origin}/en/checkout/${id}`);
    await customer.locator('#refunds').waitFor();
    assert.equal(await customer.locator('#way-back').count(), 0);
    await look('page-too-much', customer);
  });
}
