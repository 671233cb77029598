/** Who pays by bank sees all that a banking app asks for, on a phone and at a desk, and copies it field by field. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPixSandbox } from '@quittance/sandbox/pix/pix-sandbox';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { decodeForeign, hasForeignDecoder } from './foreign-decoder.ts';
import { aCharge, withoutLitecoin } from './gateway.ts';
import { ourIban } from './networks/statement-bank.ts';

const sepa = { SEPA_IBAN: ourIban, SEPA_BIC: 'HELADEF1822', SEPA_ACCOUNT_NAME: 'Teehandlung Nordwind GmbH & Co. KG' };

const swift = {
  SWIFT_IBAN: 'DE22200411110123456789',
  SWIFT_BIC: 'COBADEFFXXX',
  SWIFT_ACCOUNT_NAME: sepa.SEPA_ACCOUNT_NAME,
};

const bank = await startPixSandbox({ password: 'sandbox' });
after(() => bank.stop());
const pix = {
  PIX_URL: bank.baseUrl,
  PIX_CLIENT_ID: bank.clientId,
  PIX_CLIENT_SECRET: bank.clientSecret,
  PIX_CHAVE: bank.key,
};

browserStories(
  'paying by bank',
  { env: { ...withoutLitecoin, ...sepa, ...swift, ...pix }, hasAccount: true },
  tellStories,
);

function tellStories(stage: BrowserStage): void {
  /** With PICTURES=folder, to be looked at. */
  const look = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['PICTURES'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const ways = {
    SEPA: { price: '1249.90 EUR', account: [sepa.SEPA_ACCOUNT_NAME, ourIban, sepa.SEPA_BIC], id: '' },
    SWIFT: { price: '1249.90 USD', account: [swift.SWIFT_ACCOUNT_NAME, swift.SWIFT_IBAN, swift.SWIFT_BIC], id: '' },
  };
  before(async () => {
    for (const [network, way] of Object.entries(ways)) {
      const { body } = await stage.gateway.request('POST', '/checkout/hosted', aCharge(way.price));
      way.id = body.id;
      await stage.gateway.request('POST', '/checkout/commit', { checkoutId: way.id, network });
    }
  });

  for (const language of ['en', 'de'])
    for (const [screen, viewport] of Object.entries({ phone, desk }))
      for (const [network, way] of Object.entries(ways))
        test(`a transfer by ${network}, ${language}, at a ${screen}`, async () => {
          const page = await stage.browser.open({ viewport });
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await page.goto(`${stage.origin}/${language}/checkout/${way.id}`);
            await look(page, `pay-${network}-${language}-${screen}-${colorScheme}`);
          }
          await assertUsable(page, `${network}, ${language}, ${screen}`);
          const copied = await page
            .locator('.values [data-copy]')
            .evaluateAll((all) => all.map((each) => each.getAttribute('data-copy')));
          assert.deepEqual(copied, [...way.account, rfReference(way.id), '1249.90']);
        });

  const codes = {
    SEPA: {
      price: '1249.90 EUR',
      saysWhat: (_: string, id: string) =>
        `BCD\n002\n1\nSCT\n${sepa.SEPA_BIC}\n${sepa.SEPA_ACCOUNT_NAME}\n${ourIban}\nEUR1249.90\n\n\n${rfReference(id)}`,
    },
    PIX: { price: '1249.90 BRL', saysWhat: (address: string) => address },
  };
  for (const [network, { price, saysWhat }] of Object.entries(codes))
    test(`a camera reads the code of ${network} from half of a picture, blurred, in light and dark`, async (context) => {
      if (!hasForeignDecoder()) {
        assert.notEqual(process.env['CI'], 'true', 'zbar-tools must be installed where CI=true');
        return context.skip('codes are not read: apt-get install zbar-tools');
      }
      const { body: made } = await stage.gateway.request('POST', '/checkout/hosted', aCharge(price));
      const { body } = await stage.gateway.request('POST', '/checkout/commit', { checkoutId: made.id, network });
      const page = await stage.browser.open({ viewport: phone });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${stage.origin}/en/checkout/${made.id}`);
        const code = page.locator('.qr:visible svg');
        const width = (await code.boundingBox())?.width ?? 0;
        const shot = sharp(await code.screenshot()).resize(Math.round(width / 2));
        const said = decodeForeign(await shot.blur(0.6).png().toBuffer());
        assert.equal(said, saysWhat(body.depositInstructions.address, made.id), colorScheme);
      }
      return undefined;
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
