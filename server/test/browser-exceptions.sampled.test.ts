/** Customers in a real browser whose payment goes another way than planned. 25.00 USD take one confirmation on Bitcoin. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLeastOne } from './at-least-one.ts';
import { customersAt, everyNetwork } from './browser-customer.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertAccessible, desk } from './chromium.ts';
import { deepTest } from './depth.ts';
import { aCharge } from './gateway.ts';
import { readPdf } from './pdf-text.ts';
import { until } from './until.ts';

// Nobody here pays on Ethereum, whose node is a large program.
browserStories('customers whose payment is no matter of course', { ...everyNetwork, withEthereum: false }, tellStories);

function tellStories(stage: BrowserStage): void {
  const { create, visit, pick, choose, sees, payNow, confirmNow, instructions } = customersAt(stage);

  deepTest(
    'a part leaves a fresh code for the rest, on this device and on another, and other methods keep it counted',
    async () => {
      const { id, url } = await create();
      const page = await visit(url);
      await choose(page, 'BITCOIN');
      const { address } = await instructions(page);
      stage.gateway.bitcoin.pay({ address, amount: '0.0001' });
      await stage.gateway.runUntilIdle();
      await sees(page, 'Part of your payment has arrived');
      const rest = await instructions(page);
      const href = await page.locator('#open-wallet').getAttribute('href');
      assert.equal(href, `bitcoin:${address}?amount=${rest.amount}`, 'without the invoice, which is over the whole');

      const elsewhere = await visit(url, { viewport: desk });
      assert.deepEqual(await instructions(elsewhere), rest);
      await elsewhere.getByRole('link', { name: 'Pay the rest another way' }).click();
      stage.gateway.clock.advance({ seconds: 1 });
      await pick(elsewhere, 'LITECOIN');
      await sees(elsewhere, 'Part of your payment has arrived');
      const choosing = await visit(`${url}/methods`);
      await choosing.getByRole('radio', { name: /^Stellar Lumens/ }).check();
      await payNow(elsewhere);
      await sees(choosing, 'Your payment was seen');
      assert.equal(choosing.url(), page.url(), 'who was about to choose has nothing to choose any more');
      await choosing.context().close();
      await sees(page, 'Your payment was seen');
      await confirmNow(elsewhere);
      await sees(elsewhere, 'Thank you');
      await sees(page, 'Thank you');
      assert.equal(await stage.gateway.state(id), 'COMPLETED');
      await Promise.all([page.context().close(), elsewhere.context().close()]);
    },
  );

  deepTest('an expired page offers a new quote, and money that comes late turns it by itself', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    const first = await instructions(page);
    stage.gateway.clock.advance({ minutes: 61 });
    await stage.gateway.runUntilIdle();
    await sees(page, 'This price is no longer valid');
    await page.getByText(/It is not lost and still counts/).waitFor();
    await page.getByRole('button', { name: 'Get a new price' }).click();
    await page.getByText('Waiting for your payment').waitFor();
    assert.notEqual((await instructions(page)).address, first.address);
    stage.gateway.clock.advance({ minutes: 61 });
    await stage.gateway.runUntilIdle();
    await sees(page, 'This price is no longer valid');

    stage.gateway.bitcoin.pay(first);
    await stage.gateway.runUntilIdle();
    await sees(page, 'Your payment was seen');
    stage.gateway.bitcoin.mine(6);
    await stage.gateway.runUntilIdle();
    await sees(page, 'Thank you');
    await sees(page, /after the time to pay was over/);
    assert.equal(await stage.gateway.state(id), 'DELAYED_COMPLETED');
    await page.context().close();
  });

  for (const isCanceled of [false, true])
    deepTest(
      `who pays in parts after the order was ${isCanceled ? 'cancelled' : 'over'} is told the truth at each moment`,
      async () => {
        const { id, url } = await create();
        const page = await visit(url);
        // Both ways of the coin are on the page, and the invoice is over the whole.
        await choose(page, 'LIGHTNING');
        const { address: invoice } = await instructions(page);
        await page.locator('.seg label', { hasText: 'Bitcoin network' }).click();
        const whole = await instructions(page);
        const asked: string[] = [];
        const holds = async (text: string): Promise<void> => {
          await sees(page, text);
          const code = await page.content();
          assert.equal(code.toLowerCase().includes(invoice.slice(0, 40)), false, `${text}: no invoice over the whole`);
          assert.equal(await page.locator('#way-changed').isVisible(), false, `${text}: nobody has chosen anything`);
          if (await page.locator('#open-wallet').isVisible()) asked.push((await instructions(page)).amount);
          else asked.push('nothing');
        };
        if (isCanceled) await stage.gateway.post('/checkout/cancel', { checkoutId: id });
        stage.gateway.clock.advance({ minutes: isCanceled ? 1 : 61 });
        await stage.gateway.runUntilIdle();
        await holds(isCanceled ? 'This payment was cancelled' : 'This price is no longer valid');
        stage.gateway.bitcoin.pay({ ...whole, amount: '0.0001' });
        await stage.gateway.runUntilIdle();
        await holds('Less than the full amount has arrived');
        assert.equal(await page.title(), '$19.00 still missing · Test shop');
        await assertAccessible(page, 'a part that came late');
        stage.gateway.bitcoin.mine(6);
        await stage.gateway.runUntilIdle();
        await page.getByText(/rather have your money back/).waitFor();
        await holds('Less than the full amount has arrived');
        stage.gateway.bitcoin.pay(await instructions(page));
        await stage.gateway.runUntilIdle();
        await holds('Your payment was seen');
        stage.gateway.bitcoin.mine(6);
        await stage.gateway.runUntilIdle();
        await holds('Thank you');
        assert.deepEqual(asked, ['nothing', '0.0003167', '0.0003167', 'nothing', 'nothing']);
        await page.context().close();
      },
    );

  deepTest('a transaction that is replaced or forgotten is explained', async () => {
    const { url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    const to = await instructions(page);
    const { chain } = stage.gateway.bitcoin;
    const txid = stage.gateway.bitcoin.pay({ ...to, amount: '0.0001' });
    await stage.gateway.runUntilIdle();
    const replacement = chain.replace(txid);
    await stage.gateway.runUntilIdle();
    await page.locator('#lost summary', { hasText: 'Transaction replaced' }).click();
    await sees(page, /You need not do anything: we follow the newer transaction/);
    chain.replace(replacement, [{ address: chain.faucetAddress, units: 5_000n }]);
    await stage.gateway.runUntilIdle();
    await sees(page, /replaced with one that does not pay this order/);
    await page.context().close();
  });

  test('who paid too much or too little is told what to do', async () => {
    const overpaid = await create();
    const page = await visit(overpaid.url);
    await choose(page, 'BITCOIN');
    const to = await instructions(page);
    stage.gateway.bitcoin.pay({ ...to, amount: '0.01' });
    stage.gateway.bitcoin.mine(6);
    await stage.gateway.runUntilIdle();
    await sees(page, /^You sent \$\d+\.\d\d too much$/);
    const rows = await page.locator('#sums tr').allInnerTexts();
    assert.equal(rows.length, 3);
    for (const row of atLeastOne(rows)) assert.match(row, /0\.0\d+\sBTC\s+\$\d/, 'in coin and in money');
    assert.equal(await page.locator('#going-back').count(), 0, 'nobody is sent away');

    const underpaid = await create();
    await page.goto(underpaid.url);
    await choose(page, 'BITCOIN');
    stage.gateway.bitcoin.pay({ ...(await instructions(page)), amount: '0.0001' });
    stage.gateway.bitcoin.mine(6);
    stage.gateway.clock.advance({ minutes: 61 });
    await stage.gateway.runUntilIdle();
    await sees(page, 'Less than the full amount has arrived');
    await page.getByText(/rather have your money back/).waitFor();
    await payNow(page);
    await sees(page, 'Your payment was seen');
    await page.context().close();
  });

  deepTest('who left an address before paying too much has a link sent, and every device shows it', async () => {
    const { url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    await page.getByText('Receipt and refunds (optional)').click();
    await page.getByLabel('E-mail for the receipt').fill('ada@payer.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The receipt goes to a…@payer.example.').waitFor();
    stage.gateway.bitcoin.pay({ ...(await instructions(page)), amount: '0.01' });
    stage.gateway.bitcoin.mine(6);
    await stage.gateway.runUntilIdle();
    await sees(page, /too much$/);
    const elsewhere = await visit(url, { viewport: desk });
    const offer = elsewhere.getByText('We can send a link to a…@payer.example.');
    await offer.waitFor();
    await assertAccessible(page, 'the offer of a link');
    await page.getByRole('button', { name: 'Send me the link' }).click();
    for (const each of [page, elsewhere]) await each.getByText('A link is on its way to a…@payer.example.').waitFor();
    assert.equal(await offer.count(), 0);
    await assertAccessible(page, 'a link that is on its way');
    await page.reload();
    await page.getByText('A link is on its way').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send' }).count(), 0);
    await Promise.all([page.context().close(), elsewhere.context().close()]);
  });

  deepTest('the language changes and the state stays', async () => {
    const { url } = await create();
    const page = await visit(url);
    await choose(page, 'LITECOIN');
    const before = await instructions(page);
    await page.locator('.lang summary').click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByText('Wir warten auf Ihre Zahlung').waitFor();
    assert.equal(
      await page.getByRole('button', { name: 'Kopieren: Adresse' }).getAttribute('data-copy'),
      before.address,
    );
    assert.match(await page.locator('h1').innerText(), /25,00\s\$/);
    await page.context().close();
  });

  deepTest('where streams do not come through, the page asks; where nothing does, it says so', async () => {
    const { url } = await create();
    const page = await stage.browser.open();
    await page.route('**/events*', (route) => route.abort());
    await page.goto(url);
    await choose(page, 'LITECOIN');
    stage.gateway.litecoin.pay(await instructions(page));
    await stage.gateway.runUntilIdle();
    await sees(page, 'Your payment was seen');
    await page.context().setOffline(true);
    await page.getByText('No connection.').first().waitFor();
    await page.context().setOffline(false);
    await page.locator('#offline').waitFor({ state: 'detached' });
    await page.context().close();
  });

  deepTest(
    'who is about to copy is told, in words and in sight, that another device has changed the way to pay',
    async () => {
      const { url } = await create();
      const page = await visit(url);
      const choosing = await visit(url);
      await choose(page, 'BITCOIN');
      const note = page.locator('#way-changed');
      await choosing.locator('#way-changed').getByText('The way to pay was chosen in another window').waitFor();
      assert.deepEqual(await instructions(choosing), await instructions(page), 'who was still choosing follows');
      await choosing.context().close();
      const before = await instructions(page);
      const copy = page.getByRole('button', { name: 'Copy: Address', exact: true });
      await copy.focus();
      await page.getByRole('img', { name: /^QR code to pay/ }).click();
      const elsewhere = await visit(`${url}/methods`, { viewport: desk });
      stage.gateway.clock.advance({ seconds: 1 });
      await pick(elsewhere, 'LITECOIN');
      await sees(elsewhere, 'Waiting for your payment');
      assert.equal(await elsewhere.locator('#way-changed').isVisible(), false, 'whoever pressed knows it');

      await note.getByText('The way to pay was chosen in another window').waitFor();
      await page.locator('#announce').getByText('chosen in another window').waitFor({ state: 'attached' });
      assert.notEqual((await instructions(page)).address, before.address);
      assert.equal(await page.locator('.zoom > :checked').count(), 0, 'no large code lies over the words');
      const box = await note.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= 740, JSON.stringify(box));
      assert.equal(await page.evaluate('document.activeElement.id'), 'way-changed', 'the focus is not lost');
      await assertAccessible(page, 'another way');

      stage.gateway.clock.advance({ seconds: 1 });
      await page.getByRole('link', { name: 'Choose another way to pay' }).click();
      await choose(page, 'STELLAR XLM');
      assert.equal(await note.isVisible(), false);
      await elsewhere.locator('#way-changed').waitFor();
      await elsewhere.locator('#announce').getByText('chosen in another window').waitFor({ state: 'attached' });
      const stellar = await instructions(page);
      await elsewhere.getByRole('link', { name: 'Choose another way to pay' }).click();
      await choose(elsewhere, 'LITECOIN');
      await note.waitFor();
      assert.notEqual((await instructions(page)).address, stellar.address);
      assert.deepEqual(await instructions(page), await instructions(elsewhere), 'going back is followed too');
      await payNow(page);
      await sees(elsewhere, /Your payment was seen|Thank you/);
      assert.equal(await elsewhere.locator('#announce').textContent(), '', 'what is over is no longer said');
      await Promise.all([page.context().close(), elsewhere.context().close()]);
    },
  );

  deepTest(
    'who comes back when the time is over is told too that another device had changed the way to pay',
    async () => {
      const { id, url } = await create();
      const page = await visit(url);
      await choose(page, 'BITCOIN');
      const { address } = await instructions(page);
      stage.gateway.bitcoin.pay({ address, amount: '0.0001' });
      stage.gateway.bitcoin.mine(6);
      await stage.gateway.runUntilIdle();
      await sees(page, 'Part of your payment has arrived');
      const hide = (isHidden: boolean) =>
        page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
      await hide(true);
      stage.gateway.clock.advance({ seconds: 1 });
      await stage.gateway.post('/checkout/commit', { checkoutId: id, network: 'LITECOIN' });
      stage.gateway.clock.advance({ minutes: 62 });
      await stage.gateway.runUntilIdle();
      await hide(false);
      await sees(page, 'Less than the full amount has arrived');
      assert.notEqual((await instructions(page)).address, address);
      assert.equal(await page.locator('#way-changed').isVisible(), true);
      await page.context().close();
    },
  );

  deepTest('a page whose own form is on its way calls what it brings no choice of another device', async () => {
    const { url } = await create();
    const page = await visit(url);
    // While a browser waits for the answer to a form, nobody can ask its page anything: it tells by itself.
    const told: string[] = [];
    await page.exposeFunction('tell', (shown: string) => told.push(shown));
    await page.evaluate(`new MutationObserver(() => {
      const note = document.querySelector('#way-changed');
      if (note) window.tell(note.hidden ? 'the way to pay' : 'that it was chosen elsewhere');
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.route('**/*', async (route) => {
      if (route.request().method() === 'POST') await route.fetch({ maxRedirects: 0 });
      else await route.fallback();
    });
    await page.getByRole('button', { name: 'Pay with Bitcoin' }).click({ noWaitAfter: true });
    await until('the news have come', () => told.length > 0);
    assert.deepEqual([...new Set(told)], ['the way to pay']);
    await page.context().close();
  });

  deepTest('what is typed and where the focus is survive news', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    await page.getByText('Receipt and refunds (optional)').click();
    await page.getByLabel('E-mail for the receipt').fill('payer@exam');
    stage.gateway.clock.advance({ seconds: 1 });
    await stage.gateway.post('/checkout/commit', { checkoutId: id, network: 'STELLAR' });
    await page.getByText('With this memo').waitFor();
    await page.keyboard.type('ple.com');
    await page.keyboard.press('Enter');
    await page.getByText('The receipt goes to p…@example.com.').waitFor();
    assert.equal(await page.getByLabel('E-mail for the receipt').isVisible(), false, 'what is kept is not asked for');
    await page.getByText('Change or add').click();
    await page.getByLabel('E-mail for the receipt').fill('payer@nowhere');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Please check the e-mail address.').waitFor();
    await assertAccessible(page, 'a wrong e-mail address');
    await page.context().close();
  });

  deepTest('reload, the back button and the address typed again show the same state', async () => {
    const { url } = await create();
    const page = await visit(url);
    await choose(page, 'LITECOIN');
    const to = await instructions(page);
    await page.reload();
    assert.deepEqual(await instructions(page), to);
    await page.goBack(); // To the page where the method was chosen, which is the payment's page now.
    await sees(page, 'Waiting for your payment');
    assert.deepEqual(await instructions(page), to);
    stage.gateway.litecoin.pay(to);
    await stage.gateway.runUntilIdle();
    await sees(page, 'Your payment was seen');
    await page.goto(url);
    await sees(page, 'Your payment was seen');
    await page.context().close();
  });

  deepTest('what the shop cancels can be taken up again, and is no dead end', async () => {
    const { id, url } = await create();
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    await stage.gateway.post('/checkout/cancel', { checkoutId: id });
    await sees(page, 'This payment was cancelled');
    await page.getByText(/It is not lost and still counts/).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Back to the shop' }).isVisible(), true);
    await page.getByRole('button', { name: 'Get a new price' }).click();
    await sees(page, 'Waiting for your payment');
    assert.equal(await stage.gateway.state(id), 'PENDING');
    await page.context().close();
  });

  test('a link that leads nowhere says so, and speaks the language of its path', async () => {
    const page = await visit(`${stage.origin}/fr/checkout-invalid`);
    await page.getByRole('heading', { name: 'Ce paiement n’existe pas' }).waitFor();
    await page.context().close();
  });

  deepTest('an invoice is printed without buttons, and its PDF is one click away', async () => {
    const { customerId } = await stage.gateway.post('/customer', { customer: { email: 'ada@mail.example' } });
    const { charge } = aCharge('25.00 USD') as { charge: object };
    const { url } = await create({ charge: { ...charge, customerId } });
    const page = await visit(url);
    await choose(page, 'BITCOIN');
    stage.gateway.bitcoin.pay(await instructions(page));
    stage.gateway.bitcoin.mine(6);
    await stage.gateway.runUntilIdle();
    await sees(page, 'Thank you');
    await page.getByRole('link', { name: 'Invoice' }).click();
    await assertAccessible(page, 'an invoice without its buyer');
    await page.getByLabel('E-mail address with which the order was made').fill('ada@mail.example');
    await page.getByRole('button', { name: 'Show them' }).click();
    await page.getByText('Billed to').waitFor();
    const pdf = page.getByRole('link', { name: 'Invoice as PDF' });
    const file = await page.request.get(`${stage.origin}${await pdf.getAttribute('href')}`);
    const { text } = readPdf(await file.body());
    const shown = await page.locator('article :is(h1, dt, dd, th, td)').allInnerTexts();
    assert.ok(shown.length > 12, `${shown.length} texts`);
    const squeezed = (each: string): string => each.replaceAll(/\s/gu, '');
    for (const each of atLeastOne(shown)) assert.ok(squeezed(text).includes(squeezed(each)), `the PDF says ${each}`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await pdf.isVisible(), false);
    assert.equal(await page.locator('.lang').isVisible(), false);
    assert.equal(await page.getByText('Paid', { exact: true }).isVisible(), true);
    assert.equal(await page.getByText('ada@mail.example').isVisible(), true);
    assert.equal(await page.getByText('Sandbox: this is a test.').isVisible(), true, 'no test looks like real money');
    const colours = 'getComputedStyle(document.querySelector("article")).backgroundColor';
    assert.equal(await page.evaluate(colours), 'rgb(255, 255, 255)', 'dark screens print on white paper');
    const sums = 'getComputedStyle(document.querySelector("tfoot")).display';
    assert.equal(await page.evaluate(sums), 'table-row-group', 'a foot of a table would be repeated on every page');

    await page.emulateMedia({ media: 'screen' });
    const plain = await stage.browser.open({ javaScriptEnabled: false });
    for (const [paper, words] of [
      [page.url(), 'Print this invoice'],
      [`${url}/receipt`, 'Print this receipt'],
    ] as const) {
      await page.goto(paper);
      await page.evaluate('window.print = () => document.body.dataset.printed = "yes"');
      const button = page.getByRole('button', { name: words });
      await button.click();
      assert.equal(await page.evaluate('document.body.dataset.printed'), 'yes', words);
      await page.emulateMedia({ media: 'print' });
      assert.equal(await button.isVisible(), false, words);
      await page.emulateMedia({ media: 'screen' });
      await plain.goto(paper);
      assert.equal(await plain.getByText(words).isVisible(), false, `${words}: it could do nothing`);
    }
    await Promise.all([page.context().close(), plain.context().close()]);
  });
}
