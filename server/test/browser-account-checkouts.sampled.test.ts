/** Somebody at a phone or a desk finds an order, understands it and does the one thing that is needed. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { allowAddress, changeSettings } from '../src/merchants/change-settings.ts';
import { peopleAt } from './account-browser.ts';
import { customersAt } from './browser-customer.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertFits, assertUsable, desk, phone, tablet } from './chromium.ts';
import { deepTest } from './depth.ts';
import { withoutLitecoin } from './gateway.ts';
import { readPage } from './manual-page.ts';
import { aBitcoinAddress, type RefundWorld, refundWorldAt, sendingKeys } from './refund-world.ts';
import { openShop, type Shop } from './shop.ts';

const longName = 'Donaudampfschifffahrtsgesellschaft Versandhandel GmbH & Co. KG';

browserStories('checkouts in the account', { hasAccount: true, env: { ...sendingKeys, ...withoutLitecoin } }, tell);

function tell(stage: BrowserStage): void {
  const { owner, accountUrl } = peopleAt(stage);
  let world: RefundWorld;
  let shop: Shop;
  let page: Page;
  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
  const look = (name: string) => page.screenshot({ path: `${process.env['PICTURES']}/${name}.png`, fullPage: true });

  before(async () => {
    world = await refundWorldAt(stage.gateway);
    shop = await openShop(stage.gateway, {}, stage.gateway.merchant);
    page = await owner();
  });

  /** An hour later, whoever runs the installation has to sign in again; it leads to where they wanted to go. */
  async function comeBack(path: string): Promise<void> {
    await page.goto(`${accountUrl()}${path}`);
    await page.getByRole('button', { name: /passkey|Passkey/ }).click();
    await page.waitForURL(`**${path}`);
  }

  test('an empty account says what will be here', async () => {
    await heading('Sunday, March 1').waitFor();
    await page.getByText('Nothing waits for you.').waitFor();
    await assertUsable(page, 'empty home');
    await page.goto(`${accountUrl()}/account/needs-you`);
    await heading('Needs you').waitFor();
    await page.getByText('Nothing waits for you.').waitFor();
    await assertUsable(page, 'nothing to do');
    await page.goto(`${accountUrl()}/account/checkouts`);
    await heading('Checkouts').waitFor();
    await page.getByText('Here will be every order').waitFor();
    await assertUsable(page, 'empty list');
  });

  test('a link for many is made, and who opens it goes on to a checkout, also without a script', async () => {
    await page.setViewportSize(phone);
    await page.goto(`${accountUrl()}/account/payment-links/new`);
    await page.getByLabel('What for').fill('For the roof of the church');
    await page.getByText('The payer says', { exact: true }).click();
    await page.getByLabel('At least').fill('5');
    await assertUsable(page, 'new link for many');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await heading('For the roof of the church').waitFor();
    await assertUsable(page, 'link for many');
    if (process.env['PICTURES']) await look('link-for-many');
    const url = new URL((await page.locator('.copyfield .value').first().innerText()).trim());
    await page.goto(`${accountUrl()}/account/payment-links`);
    await heading('Payment links').waitFor();
    await assertUsable(page, 'links for many');
    if (process.env['PICTURES']) await look('links-for-many');
    const looker = await stage.browser.open({ viewport: phone });
    await looker.goto(`${stage.origin}${url.pathname}`);
    await assertUsable(looker, 'page of a link');
    if (process.env['PICTURES'])
      await looker.screenshot({ path: `${process.env['PICTURES']}/pay-link.png`, fullPage: true });
    await looker.context().close();
    const payer = await stage.browser.open({ javaScriptEnabled: false });
    await payer.goto(`${stage.origin}${url.pathname}`);
    await payer.getByLabel('Amount in USD').fill('60');
    await payer.getByRole('button', { name: 'Continue to payment' }).click();
    await payer.getByRole('button', { name: 'Pay with Bitcoin' }).waitFor();
    assert.match(await payer.locator('body').innerText(), /For the roof of the church\s+\$60\.00/);

    // The button as the manual shows it, on a page of somebody else.
    const shown = readPage('payment-links.md').blocks.find(({ language }) => language === 'html')?.code ?? '';
    const [, id = ''] = /^\/pay\/([a-z0-9]{12})$/.exec(url.pathname) ?? [];
    const html = shown.replaceAll('http://127.0.0.1:8080', stage.origin).replaceAll('YOUR_LINK', id);
    for (const role of ['link', 'button'] as const) {
      await payer.goto('about:blank');
      await payer.setContent(html);
      await payer.getByRole(role, { name: 'Pay 2.50 €' }).click();
      await payer.getByLabel('Amount in USD').waitFor();
    }
    await payer.context().close();
  });

  test('a payment link is paid while Home is open, and Home shows the money without a reload', async () => {
    const { instructions } = customersAt(stage);
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}/account`);
    const paid = page.locator('.stat', { hasText: 'Paid' });
    assert.match(await paid.innerText(), /0$/);
    await page.evaluate('window.wasNotReloaded = true');

    const window = await page.context().newPage();
    await window.goto(`${accountUrl()}/account/checkouts/new`);
    await window.getByLabel('Amount').fill('60');
    await window.getByLabel('What for').fill('A cup');
    await window.getByLabel('Order number').fill('KN-1');
    await window.getByRole('button', { name: 'Make the link' }).click();
    await page.locator('#newest').getByRole('row', { name: /KN-1/ }).waitFor();
    const url = new URL((await window.locator('.copyfield .value').innerText()).trim());
    await window.close();
    const customer = await stage.browser.open();
    await customer.goto(`${stage.origin}${url.pathname}`);
    await customer.getByText('Waiting for your payment').waitFor();
    await page.locator('.stat', { hasText: /Open now\s*1/ }).waitFor();
    await world.pay(await instructions(customer), (await instructions(customer)).amount);
    await world.mine(1);
    await customer.context().close();

    await page.locator('.stat', { hasText: /Paid\s*1/ }).waitFor();
    await page.locator('#today').getByText('59.70').waitFor();
    await page
      .locator('#newest')
      .getByRole('row', { name: /KN-1.*Paid/ })
      .waitFor();
    await page.locator('#balances').getByText('0.000995 BTC').waitFor();
    await page.locator('#days title', { hasText: 'Mar 1: $59.70' }).waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('window.wasNotReloaded'), true);
    await assertUsable(page, 'home after a payment');
    await page.locator('#days-numbers summary').click();
    await page.setViewportSize(phone);
    await assertUsable(page, 'home on a phone, with its table');
    if (process.env['PICTURES']) await look('home-phone');
    await shop.create('12.50 USD', { pageSettings: { orderReference: 'KN-2' } });
    await page.locator('#newest').getByRole('row', { name: /KN-2/ }).waitFor();
    assert.equal(await page.locator('#days-numbers table').isVisible(), true, 'what was opened stays open');
  });

  deepTest('news never take away what somebody types or has opened', async () => {
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}/account/checkouts`);
    await page.locator('.filters summary', { hasText: 'Amount' }).click();
    const amount = page.locator('#by-amount');
    await amount.pressSequentially('12.');
    await shop.create('12.50 USD', { pageSettings: { orderReference: 'KN-3' } });
    await page.getByRole('row', { name: /KN-3/ }).waitFor();
    await amount.pressSequentially('50');
    assert.equal(await amount.inputValue(), '12.50', 'also the focus stays');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /12\.50/ }).waitFor();

    // Somebody reads an item and somebody else decides it: it stays until it is closed, and the number knows better.
    const { id } = await world.paid(shop, '0.0015', { pageSettings: { orderReference: 'KN-4' } });
    await page.goto(`${accountUrl()}/account/needs-you`);
    await page.getByRole('link', { name: /^KN-4: / }).click();
    await page.getByLabel('Keep it').check();
    assert.match(await page.locator('#menu-waiting').innerText(), /^1/);
    await shop.post('/checkout/accept-excess', { checkoutId: id });
    await stage.gateway.runUntilIdle();
    await page.locator('#menu-waiting .n').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Keep it').isChecked(), true);
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByText('Nothing waits for you.').waitFor();
  });

  test('a forgotten tab asks for nothing, so that its session ends', async () => {
    const tab = await page.context().newPage();
    await tab.clock.install();
    await tab.route('**/account/news*', () => undefined); // No answer: the page is about to ask now and then instead.
    await tab.goto(`${accountUrl()}/account`);
    await tab.evaluate(`Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
    const asked: string[] = [];
    tab.on('request', (request) => void asked.push(request.url()));
    await tab.clock.runFor(60_000);
    assert.deepEqual(asked, []);
    await tab.close();
  });

  deepTest('an underpaid order is found, understood and accepted on a phone', async () => {
    await world.underpaid(shop, '0.0006');
    const company = 'Bürobedarf Elbe GmbH & Co. Handels-KG';
    const { customerId } = await shop.post('/customer', { customer: { email: 'buero-elbe@example.com', company } });
    const lineItems = [{ description: 'Item', netAmount: '60.00' }];
    const charge = { customerId, billingCurrency: 'USD', lineItems };
    await world.paid(shop, '0.001', { charge, pageSettings: { orderReference: 'KN-20418' }, meta: { channel: 'web' } });
    await shop.create('12.50 USD', { meta: { order: '20419' } });
    await page.setViewportSize(phone);
    await comeBack('/account/checkouts');
    await assertUsable(page, 'list on a phone');
    await page.setViewportSize(tablet);
    await assertFits(page, 'list on a tablet');
    await page.setViewportSize(phone);
    if (process.env['PICTURES']) await look('list-phone');
    await page.getByRole('link', { name: 'Odd' }).click();
    await page
      .getByRole('row', { name: /Underpaid/ })
      .getByRole('link')
      .click();
    await page.getByText('paid 0.0006 BTC, which is too little').waitFor();
    await assertUsable(page, 'underpaid on a phone');
    if (process.env['PICTURES']) await look('underpaid-phone');
    await page.getByRole('button', { name: 'Accept 0.0006 BTC' }).click();
    await page.getByRole('status').getByText('Accepted.').waitFor();
    await page.getByText('Paid less, accepted').waitFor();
  });

  deepTest('what was paid too much is offered back at a desk, signed by a passkey', async () => {
    const { id } = await world.paid(shop, '0.0015', { meta: { order: 'KN-20397' } });
    await page.setViewportSize(desk);
    await page.goto(`${accountUrl()}/account/checkouts`);
    await assertUsable(page, 'list at a desk');
    if (process.env['PICTURES']) await look('list-desk');
    await page.getByRole('link', { name: 'KN-20397' }).click();
    await heading('Order KN-20397').waitFor();
    const cost = page.locator('.cost:visible');
    await cost.getByText(/Arrives/).waitFor(); // Before anything is touched.
    await assertUsable(page, 'overpaid at a desk');
    if (process.env['PICTURES']) await look('overpaid-desk');
    assert.equal(await page.getByRole('button', { name: 'Keep 0.0005 BTC' }).isVisible(), false);
    await page.getByLabel('Keep it').check();
    assert.equal(await page.getByRole('button', { name: 'Keep 0.0005 BTC' }).isVisible(), true);
    await page.getByLabel('Send it back').check();
    await cost.getByText(/Arrives/).waitFor();
    const [, all] = /Arrives\s+(\S+)/.exec(await cost.innerText()) ?? [];
    await page.getByLabel('How much, in BTC').fill('0.0004');
    await cost.getByText(all ?? '').waitFor({ state: 'detached' });
    await cost.getByText(/^0\.0003/).waitFor();
    if (process.env['PICTURES']) await look('refund-cost-desk');
    await page.setViewportSize(phone);
    await assertUsable(page, 'what a refund costs, on a phone');
    if (process.env['PICTURES']) await look('refund-cost-phone');
    await page.setViewportSize(desk);
    await page.getByLabel('How much, in BTC').fill('0.0005');
    await page.getByRole('button', { name: 'Send BTC back' }).click();
    await heading('The money is set aside').waitFor();
    await assertUsable(page, 'link to claim');
    assert.match(await page.locator('.copyfield .value').innerText(), new RegExp(`/en/checkout/${id}/refund\\?token=`));
    await page.getByRole('link', { name: 'Back to the checkout' }).click();
    await page.getByText('A refund of 0.0005 BTC waits for the customer').waitFor();
  });

  deepTest('a payment link is made on a phone, with its code', async () => {
    await page.setViewportSize(phone);
    await page.goto(`${accountUrl()}/account/checkouts`);
    await page.getByRole('link', { name: 'New payment link' }).click();
    await heading('New payment link').waitFor();
    await assertUsable(page, 'new link on a phone');
    if (process.env['PICTURES']) await look('new-link-phone');
    await page.getByLabel('Amount').fill('19.99');
    await page.getByLabel('What for').fill('A cup, blue');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await heading('The payment link is ready').waitFor();
    await assertUsable(page, 'link on a phone');
    if (process.env['PICTURES']) await look('link-phone');
    await page.setViewportSize(desk);
    await assertUsable(page, 'link at a desk');
    if (process.env['PICTURES']) await look('link-desk');
  });

  deepTest('a refund that waits for approval is approved with a passkey', async () => {
    const { gateway } = stage;
    await changeSettings(gateway, gateway.merchant.merchantId, { refundApprovalAbove: '0' }, 'operator');
    await allowAddress(gateway, gateway.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
    const { id } = await world.paid(shop, '0.0015');
    await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
    await page.goto(`${accountUrl()}/account/checkouts/${id}`);
    await page.getByRole('heading', { name: 'A refund of 0.0005 BTC waits for approval' }).waitFor();
    for (const [name, viewport] of Object.entries({ desk, phone })) {
      await page.setViewportSize(viewport);
      await assertUsable(page, `approval, ${name}`);
      if (process.env['PICTURES']) await look(`approval-${name}`);
    }
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').getByText('Approved.').waitFor();
  });

  deepTest('a transfer that waits is approved where it is read, with a passkey that signs it', async () => {
    const { merchantId } = shop.merchant;
    await allowAddress(stage.gateway, merchantId, { range: '127.0.0.1' }, 'operator');
    await changeSettings(stage.gateway, merchantId, { transferApprovalAbove: '0' }, 'operator');
    await world.mine(6);
    const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0004', address: aBitcoinAddress() };
    const { transfer } = await shop.post('/transfer', order);
    await world.underpaid(shop, '0.0007');
    await world.paid(shop, '0.0014', { pageSettings: { orderReference: 'KN-20500' } });
    await comeBack('/account/needs-you');
    for (const viewport of [phone, desk]) {
      await page.setViewportSize(viewport);
      if (process.env['PICTURES']) await look(`needs-you-${viewport.width}`);
      await assertUsable(page, `what waits, ${viewport.width}`);
    }
    await page.getByRole('link', { name: /^KN-20500: / }).click();
    await page.locator('#open').waitFor();
    await assertUsable(page, 'too much, opened');
    if (process.env['PICTURES']) await look('needs-you-surplus');
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'A transfer of 0.0004 BTC waits for approval' }).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await assertUsable(page, 'transfer, opened');
    if (process.env['PICTURES']) await look('needs-you-transfer');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').getByText('Approved. The transfer is on its way.').waitFor();
    assert.notEqual((await shop.get(`/transfer?id=${transfer.id}`)).transfer.state, 'AWAITING_APPROVAL');
  });

  deepTest('reports fit and are accessible on a phone, a tablet and at a desk, empty and full', async () => {
    const { customerId } = await shop.post('/customer', { customer: { email: 'vat@example.com', countrycode: 'PT' } });
    const lineItems = [{ description: 'Cup', netAmount: '50' }];
    const charge = { billingCurrency: 'USD', customerId, lineItems, taxItems: [{ name: 'VAT', percent: '0.2' }] };
    await world.paid(shop, '0.001', { charge });
    await world.send();
    const period = stage.gateway.clock.now().toISOString().slice(0, 10);
    await world.pass({ hours: 48 });
    await comeBack('/account/reports/statement');
    const names = ['statement', 'checkouts', 'tax', 'disposals', 'fees', 'daily'];
    for (const [width, viewport] of Object.entries({ phone, tablet, desk })) {
      await page.setViewportSize(viewport);
      for (const name of names) {
        await page.goto(`${accountUrl()}/account/reports/${name}?period=${period}`);
        await assertUsable(page, `${name}, ${width}`);
        if (process.env['PICTURES'])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await look(`report-${name}-${width}-${colorScheme}`);
          }
      }
    }
    const next = new Date(Date.parse(period) + 86_400_000).toISOString().slice(0, 10);
    for (const name of ['tax', 'disposals', 'fees']) {
      await page.goto(`${accountUrl()}/account/reports/${name}?period=${next}`);
      await page.getByText('Nothing of this is in this period').waitFor();
      await assertUsable(page, `${name}, empty`);
    }
  });

  deepTest('papers and what is set about them fit, in English and German, whatever names are on them', async () => {
    const customer = { email: 'a@long.example', firstname: 'A', lastname: 'Wörterbuchverlagsgesellschaft'.repeat(3) };
    const { customerId } = await shop.post('/customer', { customer });
    const charge = { billingCurrency: 'USD', customerId, lineItems: [{ description: 'Cup', netAmount: '60' }] };
    const order = { charge, pageSettings: { orderReference: 'RECHNUNG-2026-4711-NACHLIEF' } };
    await world.paid(shop, '0.001', order);
    await world.send();
    const [invoice] = (await shop.get('/papers?kind=INVOICE')).papers;
    const note = await shop.post('/credit-note', { id: invoice.id, amount: '10.00', reason: 'One of them was broken' });
    await world.pass({ hours: 48 });
    await comeBack('/account/papers');
    const papers = ['/papers', `/papers/${invoice.id}`, `/papers/${note.paper.id}`, `/papers/${invoice.id}/credit`];
    for (const language of ['en', 'de']) {
      await stage.gateway.db`update person set language = ${language}`;
      for (const [width, viewport] of Object.entries({ phone, tablet, desk })) {
        await page.setViewportSize(viewport);
        for (const path of [...papers, '/settings/papers', '/settings/mails']) {
          await page.goto(`${accountUrl()}/account${path}`);
          await assertUsable(page, `${path} in ${language}, ${width}`);
          if (process.env['PICTURES']) await look(`${path.replaceAll('/', '-').slice(1)}-${width}-${language}`);
        }
      }
    }
    await stage.gateway.db`update person set language = 'en'`;
  });

  deepTest('in German it fits as well', async () => {
    await stage.gateway.db`update person set language = 'de'`;
    const { id } = await world.underpaid(shop, '0.0005');
    await comeBack(`/account/checkouts/${id}`);
    const customer = { email: 'rechnungen-und-mahnungen@grosshandel-elbe-weser.example', company: longName };
    const { customerId } = await shop.post('/customer', { customer });
    await shop.create('98765432.10 EUR', { pageSettings: { orderReference: 'RECHNUNG-2026-4711-NACHLIEF' } });
    const ofOrders = ['/needs-you', '/checkouts', `/checkouts/${id}`, '/checkouts/new'];
    const others = ['/customers', `/customers/${customerId}`, '/balances', '/balances/asset/BTC', '/settings/audit'];
    for (const viewport of [phone, tablet, desk]) {
      await page.setViewportSize(viewport);
      for (const path of [...ofOrders, ...others]) {
        await page.goto(`${accountUrl()}/account${path}`);
        await assertUsable(page, `${path} in German, ${viewport.width}`);
      }
    }
    await page.goto(`${accountUrl()}/account/checkouts/${id}`);
    await page.getByText('Was geschieht mit 0,0005 BTC?').waitFor();
    if (process.env['PICTURES']) await look('underpaid-desk-de');
  });
}
