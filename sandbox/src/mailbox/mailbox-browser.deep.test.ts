/** The mailbox in a real browser: what a hostile message tries, how the pages look, and that links lead out of the frame. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assertUsable, desk, findChromium, openChromium, phone } from '@quittance/server/test/chromium';
import { createTransport } from 'nodemailer';
import { startMailbox } from './mailbox.ts';

const program = findChromium();
const folder = await mkdtemp(join(tmpdir(), 'quittance-mailbox-'));
const mailbox = await startMailbox({ folder, password: 'secret', pageSecret: 'f'.repeat(32) });
const asked: string[] = [];
const outside = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Outside</title>');
});
await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
after(async () => {
  outside.close();
  outside.closeAllConnections();
  await mailbox.stop();
  await rm(folder, { recursive: true, force: true });
});

const elsewhere = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
const transport = createTransport(mailbox.smtpUrl);
const from = { name: 'Corner shop', address: 'pay@shop.test' };

test('a hostile message stays in its frame and reaches nobody; its links open beside it', {
  skip: !program,
}, async () => {
  const browser = await openChromium(program ?? '');
  const page = await browser.open({ viewport: desk });
  await page.goto(mailbox.pageUrl);
  await assertUsable(page, 'the empty mailbox');
  const html = `<!doctype html><html><head><base href="${elsewhere}/"><meta http-equiv="refresh" content="0;url=${elsewhere}/refreshed">
<style>@import url("${elsewhere}/style.css"); p { background: url("${elsewhere}/picture.png") }</style></head>
<body onload="top.location='${elsewhere}/loaded'"><p>Hello</p><script>fetch('${elsewhere}/script')</script>
<img src="${elsewhere}/pixel.png" alt=""><iframe src="${elsewhere}/frame"></iframe><object data="${elsewhere}/object"></object>
<form action="${elsewhere}/form"><button id="send">Send</button></form>
<a id="top" target="_top" href="${elsewhere}/top">Top</a> <a id="self" target="_self" href="${elsewhere}/self">Self</a>
<a id="out" href="${elsewhere}/out">Out</a></body></html>`;
  await transport.sendMail({ from, to: 'ada@example.com', subject: 'Sign in', text: 'Hello', html });
  await page.getByText('Sign in').click(); // The open list has shown it by itself.
  const frame = page.frameLocator('iframe');
  await frame.getByText('Hello').waitFor();
  await frame.locator('#send').click();
  await frame.locator('#top').click();
  const [opened] = await Promise.all([page.waitForEvent('popup'), frame.locator('#out').click()]);
  assert.equal(await opened.title(), 'Outside');
  assert.equal(await opened.evaluate('opener'), null);
  await opened.close();
  assert.deepEqual(
    asked.filter((path) => path !== '/favicon.ico'),
    ['/out'],
  );
  await Promise.all([page.waitForEvent('console'), frame.locator('#self').click()]); // It says what it refused.
  assert.deepEqual(
    asked.filter((path) => path !== '/favicon.ico'),
    ['/out'],
    'nor does the frame show another page',
  );
  // The browser says what it refused; that is what was wanted.
  await browser.close().catch((error: Error) => assert.match(error.message, /console: /));
});

test('its pages are for every screen', { skip: !program }, async () => {
  const browser = await openChromium(program ?? '');
  const attachments = [{ filename: 'invoice-of-a-rather-long-name-2026-00017.pdf', content: Buffer.alloc(3_000) }];
  const text = `Somebody wants to sign in.\n\n${elsewhere}/account/sign-in#${'x'.repeat(90)}`;
  const html = `<h1>Your receipt</h1><p>${'Thank you for your order. '.repeat(30)}</p>`;
  const subject = 'Your receipt for order 2026-00017 from the corner shop with a long name';
  await transport.sendMail({
    from,
    to: 'a-customer-with-a-long-name@mail.example.com',
    subject,
    text,
    html,
    attachments,
  });
  for (const viewport of [phone, desk]) {
    const page = await browser.open({ viewport });
    await page.goto(mailbox.pageUrl);
    await assertUsable(page, `the list at ${viewport.width}`);
    await page.getByText(subject).click();
    await assertUsable(page, `a message at ${viewport.width}`);
    for (const form of ['Text', 'Source']) {
      await page.getByRole('link', { name: form, exact: true }).click();
      await assertUsable(page, `${form} at ${viewport.width}`);
    }
  }
  await browser.close();
});
