/**
 * What customers meet beside the states of the payment page: refused forms, the sandbox's buttons, the receipt and the
 * invoice, the page where they claim a refund, links that lead nowhere, and their mails. In plain looks and in those of
 * ugly shops.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { claimMessage } from '../src/emails/claim-message.ts';
import { findMailLook, type MailLook } from '../src/emails/find-mail-look.ts';
import { receiptEmail } from '../src/emails/receipt-email.ts';
import type { MailImage } from '../src/emails/send-email.ts';
import { createHeavyWork } from '../src/lib/heavy-work.ts';
import { changeLook, type LookChange } from '../src/merchants/change-brand.ts';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { createPictureWork } from '../src/merchants/picture-work.ts';
import { sampleCheckout } from '../src/payment-page/sample-checkouts.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { aCharge } from './gateway.ts';
import { aBitcoinAddress } from './refund-world.ts';
import { openShop, type Shop } from './shop.ts';
import { hangPictures, nameOf, uglyShops } from './ugly-shops.ts';

const pictureWork = createPictureWork(createHeavyWork());

const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@shop.example' };

const plainLook: LookChange = {};

browserStories('the other pages of a shop', { env: mail }, tellStories);

type Open = (page: Page) => Promise<unknown>;

function tellStories(stage: BrowserStage): void {
  let shop: Shop;
  const pages = new Map<string, Open>();

  async function hosted(more: Record<string, unknown> = {}): Promise<{ id: string; to: { address: string } }> {
    const { id } = await shop.post('/checkout/hosted', { ...aCharge('60.00 USD'), checkoutLanguage: 'en', ...more });
    const { depositInstructions } = await shop.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
    return { id, to: depositInstructions };
  }

  async function payAndConfirm(address: string, amount: string): Promise<void> {
    stage.gateway.bitcoin.pay({ address, amount });
    stage.gateway.bitcoin.mine(6);
    await stage.gateway.runUntilIdle();
  }

  /** A link where the customer of an underpaid checkout enters an address. */
  async function claimable(): Promise<{ refundId: string; path: string }> {
    const { id, to } = await hosted();
    await payAndConfirm(to.address, '0.0006');
    stage.gateway.clock.advance({ minutes: 61 });
    await stage.gateway.runUntilIdle();
    const { refund, claimUrl } = await shop.post('/refund', { checkoutId: id });
    const { pathname, search } = new URL(claimUrl);
    return { refundId: refund.id, path: `${pathname}${search}` };
  }

  const at =
    (path: string, status = 200): Open =>
    async (page) =>
      assert.equal((await page.goto(`${stage.origin}${path}`))?.status(), status, path);

  /** As a mail program shows it which knows all that a browser knows. */
  const mailed =
    (write: (look: MailLook) => { html: string; images?: readonly MailImage[] }): Open =>
    async (page) => {
      const { html, images = [] } = write(
        await findMailLook({ db: stage.gateway.db, pictures: pictureWork }, shop.merchant.merchantId),
      );
      const pictures = images.map(({ cid, png }) => [`cid:${cid}`, `data:image/png;base64,${png.toString('base64')}`]);
      await page.goto('about:blank');
      await page.setContent(pictures.reduce((text, [cid = '', data = '']) => text.replaceAll(cid, data), html));
      assert.equal(await page.locator('img').count(), images.length);
    };

  /** Fills the form in and sends it off, past what the browser itself would refuse. */
  const sent =
    (path: string, form: string, fields: Record<string, string>, alert: RegExp): Open =>
    async (page) => {
      await at(path)(page);
      await page.locator(form).evaluate((chosen: any, values) => {
        for (const [name, value] of Object.entries(values)) {
          const field = chosen.querySelector(`[name="${name}"]`);
          field.type = 'text';
          field.value = value;
          field.checked = true;
        }
        chosen.submit();
      }, fields);
      await page.getByRole('alert').getByText(alert).waitFor();
    };

  before(async () => {
    const { gateway } = stage;
    shop = await openShop(gateway, { email: 'shop@seller.example', pageSettings: { displaySellerInfo: true } });
    await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
    const { customerId } = await shop.post('/customer', {
      customer: { email: 'ada@customer.example', firstname: 'Ada', lastname: 'Lovelace', city: 'London' },
    });
    const { charge } = aCharge('60.00 USD') as { charge: object };
    const [claim, claimed, ended] = [await claimable(), await claimable(), await claimable()];
    const paid = await hosted({ charge: { ...charge, customerId } });
    await payAndConfirm(paid.to.address, '0.001');
    const mempool = await hosted();
    gateway.bitcoin.pay({ address: mempool.to.address, amount: '0.001' });
    await gateway.runUntilIdle();
    await shop.post('/refund/cancel', { id: ended.refundId });
    const { id } = await hosted();
    const checkout = `/en/checkout/${id}`;

    pages.set('waiting, with the sandbox’s buttons', at(checkout));
    pages.set('seen, with the sandbox’s buttons', at(`/en/checkout/${mempool.id}`));
    pages.set('the sandbox has failed', at(`${checkout}?sandbox=failed`));
    pages.set('another method', at(`${checkout}/methods`));
    const unavailable = { coin: 'BTC', 'way-BTC': 'ETHEREUM ETH' };
    pages.set('unavailable method', sent(`${checkout}/methods`, '#choose form', unavailable, /not available/));
    pages.set('wrong e-mail', sent(checkout, '#contact form', { email: 'nobody' }, /check the e-mail/));
    const refundAddress = 'nonsense';
    pages.set('wrong refund address', sent(checkout, '#contact form', { refundAddress }, /not an address on/));
    pages.set('receipt', at(`/en/checkout/${paid.id}`));
    pages.set('receipt on paper', at(`/en/checkout/${paid.id}/receipt`));
    pages.set('receipt on paper, to the left', at(`/ar/checkout/${paid.id}/receipt`));
    pages.set('invoice', at(`/en/invoice/${paid.id}`));
    pages.set('claim', at(claim.path));
    pages.set('claim refused', sent(claim.path, 'main form', { address: 'nonsense' }, /cannot be used/));
    pages.set('claim ended', at(ended.path, 410));
    const settledAt = stage.gateway.clock.now();
    const sample = sampleCheckout('overpaid', settledAt, 'en');
    const urls = { receiptUrl: 'https://pay.test/receipt', pageUrl: 'https://pay.test/' };
    pages.set(
      'receipt by e-mail',
      mailed((looks) => receiptEmail('en', { checkout: sample, look: looks, settledAt, ...urls, isSandbox: true })),
    );
    const offered = { amount: '0.00009', assetCode: 'BTC', goodUntil: settledAt, claimUrl: 'https://pay.test/refund' };
    const claiming = {
      order: sample,
      shop: sample,
      worth: null,
      context: 'OVERPAID_CHECKOUT',
      ...offered,
      isSandbox: false,
    } as const;
    pages.set(
      'claim by e-mail, to the left',
      mailed((looks) => claimMessage('ar', { ...claiming, look: looks })),
    );
    pages.set('invalid', at('/en/checkout-invalid', 404));
    pages.set('left', at(`/en/return-from-hosted-checkout/${id}`));
    const token = new URLSearchParams(claimed.path.split('?')[1]).get('token') ?? '';
    const form = new URLSearchParams({ token, address: aBitcoinAddress() });
    await fetch(`${stage.origin}${claimed.path.split('?')[0]}`, { method: 'POST', body: form, redirect: 'manual' });
    pages.set('claimed', at(claimed.path));
  });

  const looks = [plainLook, ...uglyShops];
  for (const [position, look] of looks.entries()) {
    // Each page in plain looks, and in those of one of the ugly shops; branded-states shows the others in all.
    const isShown = (at: number): boolean => look === plainLook || at % uglyShops.length === position - 1;
    const which = look === plainLook ? 'each of them can be used with no brand' : `a quarter with ${nameOf(look)}`;
    test(`${which}, light and dark`, async () => {
      const { merchantId } = shop.merchant;
      await changeLook(stage.gateway, merchantId, look, 'operator');
      if (look !== plainLook) await hangPictures(stage.gateway, merchantId);
      const page = await stage.browser.open();
      for (const [at, [name, open]] of [...pages].entries()) {
        if (!isShown(at)) continue;
        const viewport = (Math.floor(at / uglyShops.length) + position) % 2 === 0 ? phone : desk;
        await page.setViewportSize(viewport);
        await open(page);
        await assertUsable(page, `${name}, ${viewport.width}`);
      }
      await page.context().close();
    });
  }
}
