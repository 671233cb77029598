/** Payers who get back what they paid too much or too little, without asking anybody. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { type PayerWorld, startPayerWorld } from './payer-world.ts';
import { aBitcoinAddress, received } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: PayerWorld;
before(async () => {
  world = await startPayerWorld();
});
after(() => world.stop());
beforeEach(() => void world.mail.received.splice(0));

const refundsOf = async (shop: Shop, id: string): Promise<any[]> =>
  (await shop.get(`/refunds?checkoutId=${id}`)).refunds;
const available = { 'available/BTC': '99500' };

test('who paid too much presses a button, gets a link by e-mail, and has the money back', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  assert.equal(await shop.state(id), 'COMPLETED OVERPAID');
  assert.deepEqual(await shop.balances(), { ...available, 'suspense/BTC': '50000' });
  const offered = await world.page(id);
  assert.match(offered.words, /We can send a link to a…@payer\.example\. With it you say where the money should go\./);
  assert.match(offered.text, new RegExp(`<form method="post" action="/en/checkout/${id}/ask-back"><button`));
  assert.doesNotMatch(offered.text, /going-back|http-equiv="refresh"/, 'nobody is sent away before having read it');

  assert.equal(await world.press(id), `/en/checkout/${id}#way-back`);
  const [link, ...more] = world.links(id);
  assert.ok(link && more.length === 0, `${world.links(id).length} links`);
  assert.deepEqual(link.to, ['ada@payer.example']);
  assert.equal(link.mail.headers.get('subject'), 'What you paid too much at A shop');
  assert.equal(link.mail.headers.get('auto-submitted'), 'auto-generated');
  for (const form of [link.mail.text, link.mail.html]) {
    assert.match(form, /0\.0005\u00a0BTC \(\$30\.00\) of it is yours[^]*The link is good until March 31, 2026/);
    assert.ok(form.includes(id) && form.includes('A shop') && form.includes(link.url), form);
  }
  assert.doesNotMatch(link.mail.html, /<img|src=|url\(|<link|<script/);
  const asked = await world.page(id);
  assert.match(asked.words, /A link is on its way to a…@payer\.example\. It is good until March 31, 2026/);
  assert.doesNotMatch(asked.text, /<button[^>]*>[^]*(?:Send me the link|Send it again)/);
  assert.doesNotMatch(asked.text, /token=/, 'whoever has the page does not have the link');
  assert.deepEqual(await shop.balances(), { ...available, 'reserved/BTC': '50000' });

  const claim = await world.open(link.url);
  assert.match(
    claim.text,
    /The shop sends 0\.0005\u00a0BTC \(\$\d+\.\d\d\) back to you[^]*The network takes about [\d.]+\u00a0BTC of it\./,
  );
  const address = aBitcoinAddress();
  assert.equal(await world.enter(link.url, address), 303);
  assert.match((await world.page(id)).text, /It is being sent back to you/);
  await world.send();
  const [refund] = await refundsOf(shop, id);
  assert.deepEqual([refund.state, refund.context, refund.feePaidBy], ['COMPLETED', 'OVERPAID_CHECKOUT', 'customer']);
  assert.equal(await received(world.gateway, address), toUnits(decimal(refund.amountSent), 8, 'down'));
  assert.ok(Number(refund.amountSent) < 0.0005, 'the fee comes out of the excess');
  assert.deepEqual(await shop.balances(), available, 'nothing is in suspense, and the shop has paid nothing');
  assert.equal(await shop.state(id), 'COMPLETED OVERPAID');
  const back = await world.page(id);
  assert.match(back.words, /\$2\d\.\d\d was sent back[^]*Your order is paid\.[^]*The network took 0\.0000\d+\sBTC/);
  assert.doesNotMatch(back.words, /You sent \S+ too much|how to get it back/, 'what is no longer true');
  assert.ok(back.words.replaceAll(' ', '').includes(address) && back.words.includes(refund.tx), back.words);

  assert.equal(await world.enter(link.url, aBitcoinAddress()), 303, 'a token that was used before');
  await world.send();
  assert.deepEqual(await shop.balances(), available);
});

test('mail and page of a claim name the order as the shop does, before our code', async () => {
  const shop = await world.shop();
  const settings = { pageSettings: { orderReference: 'A-1007' } };
  const { id } = await world.overpaid(shop, undefined, settings);
  assert.match((await world.page(id)).words, new RegExp(`Order A-1007[^]*Payment ID: ${id}`));
  await world.press(id);
  const [link] = world.links(id);
  assert.ok(link);
  assert.match(link.mail.text, new RegExp(`Order A-1007\r?\nPayment ID: ${id}\r?\n`));
  assert.match((await world.open(link.url)).words, /Order A-1007/);
});

test('the audit log and the timeline say that the payer asked, and not a key', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  await world.press(id);
  const [refund] = await refundsOf(shop, id);
  const audit = await world.gateway.db<{ actor: string; detail: any }>`
    select actor, detail from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action = 'refund.requested'`;
  assert.deepEqual(
    audit.map(({ actor, detail }) => [actor, detail.refund]),
    [['payer', refund.id]],
  );
  const { timeline } = await shop.get(`/checkout/timeline?id=${id}`);
  const note = timeline.find(({ what }: any) => what === 'refund_requested');
  assert.deepEqual([note.why.refund, note.why.by], [refund.id, 'payer']);

  // 30 dollars that were never the shop's are no part of the 35 that may leave it in a day.
  await world.mine(6);
  await changeSettings(world.gateway, shop.merchant.merchantId, { dailyLimit: '35' }, 'operator');
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0005', address: aBitcoinAddress() };
  await shop.post('/transfer', order);
  const [sentence] = await shop.refused(409, 'POST', '/transfer', { ...order, amount: '0.0002' });
  assert.match(sentence ?? '', /No more than 35 USD leaves this account/, 'but what it orders itself is');
});

test('who paid too little has it back after the time, instead of paying the rest', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaidOnPage(shop);
  const before = await world.page(id);
  assert.match(before.words, /Rather have your money back\? We can send a link to a…@payer\.example/);
  assert.match(before.text, /id="arrived"/, 'and the rest can still be paid');
  await world.press(id);
  const [link] = world.links(id);
  assert.equal(link?.mail.headers.get('subject'), 'Your money back from A shop');
  assert.match(link.mail.text, /Less than the amount due has arrived[^]*0\.0006\u00a0BTC \(\$36\.00\) are yours/);
  const during = await world.page(id);
  assert.match(during.words, /Your refund[^]*A link is on its way to a…@payer\.example/);
  assert.doesNotMatch(during.text, /id="arrived"|bitcoin:/, 'nobody is asked to pay a rest of what goes back');
  assert.equal(await world.enter(link.url, aBitcoinAddress()), 303);
  await world.send();
  assert.equal(await shop.state(id), 'REFUNDED PARTIAL');
  assert.deepEqual(await shop.balances(), {});
});

test('what comes after everything was sent back can be asked for in the same way', async () => {
  const shop = await world.shop();
  const checkout = await world.underpaidOnPage(shop);
  const { id } = checkout;
  await world.press(id);
  await world.enter(world.links(id)[0]?.url ?? '', aBitcoinAddress());
  await world.send();
  const over = await world.page(id);
  assert.match(over.words, /Your payment was refunded/);
  assert.doesNotMatch(over.text, /id="way-back"|id="more-came"/, 'nothing is left to ask for');

  await world.pay(checkout, '0.001');
  await world.mine(1);
  assert.equal(await shop.state(id), 'REFUNDED DUPLICATE PARTIAL');
  const more = await world.page(id);
  assert.match(more.words, /You sent \$60\.00 too much[^]*We can send a link to a…@payer\.example/);
  assert.equal(await world.press(id), `/en/checkout/${id}#way-back`);
  const link = world.links(id)[1];
  assert.ok(link);
  assert.match((await world.page(id)).words, /A link is on its way to a…@payer\.example/);
  assert.equal(await world.enter(link.url, aBitcoinAddress()), 303);
  await world.send();
  assert.deepEqual(await shop.balances(), {});
  assert.doesNotMatch((await world.page(id)).text, /ask-back/);
});

test('while the time to pay runs there is nothing to ask for, and a press changes nothing', async () => {
  const shop = await world.shop();
  const checkout = await world.hosted(shop);
  await world.pay(checkout, '0.0006');
  await world.mine(1);
  assert.doesNotMatch((await world.page(checkout.id)).text, /ask-back/);
  await world.press(checkout.id);
  assert.deepEqual([await refundsOf(shop, checkout.id), world.links(checkout.id)], [[], []]);
});

test('the address of a customer whom the shop named counts before one that was typed in', async () => {
  const shop = await world.shop();
  const { customerId } = await shop.post('/customer', { customer: { email: 'grace@customer.example' } });
  const checkout = await world.hosted(shop, 'eve@elsewhere.example', { customerId });
  await world.pay(checkout, '0.0015');
  await world.mine(1);
  assert.match((await world.page(checkout.id)).words, /We can send a link to g…@customer\.example/);
  await world.press(checkout.id);
  assert.deepEqual(
    world.links(checkout.id).map(({ to }) => to),
    [['grace@customer.example']],
  );
});

test('above the limit of the shop somebody there agrees first, and the link goes to the payer all the same', async () => {
  const shop = await world.shop({ refundApprovalAbove: '20' });
  const { id } = await world.overpaid(shop); // 30 USD too much
  await world.press(id);
  assert.match(
    (await world.page(id)).words,
    /The shop has to agree first\. As soon as it does, a link goes to a…@payer/,
  );
  assert.equal(world.links(id).length, 0);
  await world.press(id);
  const [refund, ...more] = await refundsOf(shop, id);
  assert.deepEqual([refund.state, more.length], ['AWAITING_APPROVAL', 0]);
  const approved = await shop.post('/refund/approve', { id: refund.id });
  assert.deepEqual([approved.refund.state, 'claimUrl' in approved], ['CLAIMABLE', false]);
  await world.gateway.runUntilIdle();
  const [link] = world.links(id);
  assert.deepEqual(link?.to, ['ada@payer.example']);
  assert.equal(await world.enter(link.url, aBitcoinAddress()), 303);
  await world.send();
  assert.deepEqual(await shop.balances(), available);
});

test('a claim that nobody makes use of goes back to suspense, and may be asked for again', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  await world.press(id);
  await world.pass({ hours: 24 * 30 });
  assert.deepEqual(await shop.balances(), { ...available, 'suspense/BTC': '50000' });
  assert.match((await world.page(id)).text, /We can send a link to/);
  await world.press(id);
  const [first, second] = world.links(id);
  assert.ok(first && second);
  assert.equal((await world.open(first.url)).status, 410);
  assert.equal((await world.open(second.url)).status, 200);
});

test('what was lost is sent again, and then only the newer link works', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  await world.press(id);
  await world.pass({ minutes: 10 });
  assert.match((await world.page(id)).text, /A link is on its way[^]*Send it again/);
  await world.press(id);
  const [first, second, ...more] = world.links(id);
  assert.ok(first && second && more.length === 0);
  assert.notEqual(first.mail.headers.get('message-id'), second.mail.headers.get('message-id'));
  assert.equal((await world.open(first.url)).status, 404);
  assert.equal(await world.enter(first.url, aBitcoinAddress()), 404);
  assert.equal((await world.open(second.url)).status, 200);
  assert.equal((await refundsOf(shop, id)).length, 1);
});

test('an excess that sending would use up is not offered, and a press says so', async () => {
  const shop = await world.shop();
  const checkout = await world.hosted(shop);
  await world.pay(checkout, '0.00105001'); // 5,001 satoshi too much: the network carries 5,000 and more
  await world.mine(1);
  const { text } = await world.page(checkout.id);
  assert.match(text, /It is less than the network takes for sending it back\. Ask the shop/);
  assert.doesNotMatch(text, /ask-back/);
  assert.equal(await world.press(checkout.id), `/en/checkout/${checkout.id}?back=little#way-back`);
  assert.deepEqual(await refundsOf(shop, checkout.id), []);
});

test('an address that nobody can be reached at gives the money free again, and the page says to ask the shop', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop, 'nobody@payer.example');
  await world.press(id);
  assert.deepEqual(await shop.balances(), { ...available, 'suspense/BTC': '50000' });
  assert.deepEqual(
    (await refundsOf(shop, id)).map(({ state }) => state),
    ['CANCELED'],
  );
  const { text } = await world.page(id);
  assert.match(text, new RegExp(`ask the shop to send it back\\.[^]*give the order code [^.]*${id}`));
  assert.doesNotMatch(text, /ask-back/);
  const conversations = world.mail.conversations();
  assert.equal(await world.press(id), `/en/checkout/${id}?back=shop#way-back`);
  assert.equal(world.mail.conversations(), conversations, 'the address is not tried again');
  await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
});

test('while the node is away the page says to try again, and nothing is set aside', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  world.gateway.bitcoin.chain.goAway();
  const { headers } = await world.pressAlone(id);
  world.gateway.bitcoin.chain.comeBack();
  assert.equal(headers.get('location'), `/en/checkout/${id}?back=later#way-back`);
  assert.match((await world.page(id, '?back=later')).text, /That cannot be done at the moment[^]*Send me the link/);
  assert.deepEqual(await refundsOf(shop, id), []);
  await world.press(id);
  assert.equal(world.links(id).length, 1);
});

test('what the shop accepted is what was paid, on the page, in the mail and on the receipt, also after it was given back', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaidOnPage(shop);
  await shop.post('/checkout/accept-underpayment', { checkoutId: id });
  await world.gateway.runUntilIdle();
  const sentence = 'The shop has accepted \\$36\\.00 for this order of \\$60\\.00\\.';
  const { words } = await world.page(id);
  assert.match(words, new RegExp(`Paid\\. Thank you!\\s*\\$36\\.00\\s*paid to A shop\\s*${sentence}`));
  assert.match(words, /Order\$60\.00\s*Paid\$36\.00/);
  const [mail, ...others] = world.mail.received;
  assert.ok(mail && others.length === 0, 'the receipt');
  assert.match(
    mail.text,
    new RegExp(
      `${sentence}[^]*Price reduction: −\\$24\\.00\\s*Total: \\$36\\.00\\s*Bitcoin: 0\\.0006\\sBTC \\(\\$36\\.00\\)`,
    ),
  );
  const onReceipt = new RegExp(
    `Price reduction−\\$24\\.00\\s*Total\\$36\\.00\\s*${sentence}[^]*0\\.0006\\sBTC \\(\\$36\\.00\\)`,
  );
  assert.match((await world.page(id, '/receipt')).words, onReceipt);

  await world.overpaid(shop, null); // Our fee for what is given back is the shop's.
  await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.send();
  assert.equal(await shop.state(id), 'REFUNDED PARTIAL');
  assert.match((await world.page(id, '/receipt')).words, onReceipt);
});
