/**
 * The operator's day at a bank, in a browser: a statement is brought and read, a payment file made, downloaded, and downloaded again
 * only by who confirms it.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { invite } from '../src/people/join-account.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { withoutLitecoin } from './gateway.ts';
import { openStatementBank, ourIban } from './networks/statement-bank.ts';
import { landlord } from './payment-file-world.ts';
import { openSender } from './transfer-story.ts';

const account = {
  SEPA_IBAN: ourIban,
  SEPA_BIC: 'HELADEF1822',
  SEPA_ACCOUNT_NAME: 'Teehandlung Nordwind GmbH & Co. KG',
};

browserStories('the operator’s day at a bank', { hasAccount: true, env: { ...withoutLitecoin, ...account } }, tell);

function tell(stage: BrowserStage): void {
  const { accountUrl, open, join } = peopleAt(stage);
  const bank = openStatementBank();
  let page: Page;
  let checkoutId: string;

  /** On a phone and at a desk, in both schemes; with PICTURES=folder, to be looked at. */
  async function look(name: string): Promise<void> {
    for (const [screen, viewport] of Object.entries({ phone, desk })) {
      await page.setViewportSize(viewport);
      await assertUsable(page, `${name}, ${screen}`);
      const folder = process.env['PICTURES'];
      if (folder) await page.screenshot({ path: `${folder}/bank-${name}-${screen}.png`, fullPage: true });
    }
  }

  before(async () => {
    const { gateway } = stage;
    const whom = { email: 'ines@house.example', merchantId: null, role: null, staffRole: 'operator' } as const;
    page = await open(`/account/welcome#${await invite(gateway, whom, 'operator')}`);
    await join(page, 'Ines Vogt');
  });

  test('a statement is uploaded, and the page says what it brought, as soon as that is known', async () => {
    const { gateway } = stage;
    const shop = await openSender(gateway, '0', { destinationWaitMinutes: 0 });
    const { id, reply } = await shop.open('500.00 EUR', 'SEPA');
    checkoutId = id;
    const entries = [
      bank.entryOf({ cents: 50_000n, text: reply.depositInstructions.memo }),
      bank.entryOf({ cents: 300n, text: 'for the tea' }),
      bank.entryOf({ cents: -390n, text: 'Kontoführung', code: '808' }),
    ];
    const buffer = Buffer.from(bank.write('camt.053', entries, 100_000n));
    await page.goto(`${accountUrl()}/operator/bank`);
    await page.getByLabel('File').setInputFiles({ name: 'march.xml', mimeType: 'application/xml', buffer });
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { level: 1, name: 'What march.xml brought' }).waitFor();
    await gateway.runUntilIdle();
    gateway.clock.advance({ seconds: 1 });
    await gateway.runUntilIdle();
    await page.getByText('The books agree with the balance of the bank.').waitFor();
    await page.getByRole('link', { name: checkoutId }).waitFor();
    await page.getByRole('link', { name: 'Matched nobody' }).waitFor();
    await look('brought');
    await page.getByRole('link', { name: /^camt\.053/ }).click();
    await page.getByText('for the tea').waitFor();
    await look('document');

    const { iban: address, ...name } = landlord;
    const { beneficiaryId } = await shop.post('/beneficiary', { beneficiary: name });
    await shop.post('/target-account', { label: 'landlord', network: 'SEPA', address, beneficiaryId });
    await shop.send({ network: 'SEPA', asset: 'EUR', amount: '120.50', targetAccount: 'landlord' });
    await gateway.runUntilIdle();
  });

  test('one that is refused says why, and nothing has changed', async () => {
    await page.goto(`${accountUrl()}/operator/bank`);
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('alert').waitFor();
    await look('refused');
  });

  test('a payment file is made, downloaded, and given a second time only to who confirms it', async () => {
    await page.goto(`${accountUrl()}/operator/bank`);
    await look('to-be-paid');
    await page.getByRole('button', { name: 'Make a payment file' }).click();
    await page.getByText('The file is made.').waitFor();
    await look('payment-file');
    const [first] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const written = await readFile(await first.path(), 'utf8');
    assert.match(written, /<InstdAmt Ccy="EUR">120\.50<\/InstdAmt>/);
    assert.match(first.suggestedFilename(), /\.xml$/);
    await page.getByText('The file is downloaded.').waitFor();
    await page.getByText('It was downloaded before.').waitFor();
    await page.getByLabel('I declare that it was not signed').waitFor();
    assert.equal(await page.getByText('The file is made.').count(), 0);
    await look('downloaded');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Give it to me once more').check();
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(await readFile(await again.path(), 'utf8'), written, 'the same file');
    await page.getByText('and 1 time since').waitFor();
    assert.equal(
      await page.getByLabel('Give it to me once more').isChecked(),
      false,
      'who wants it again says so again',
    );
  });
}
