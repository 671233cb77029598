/** A customer pays on the hosted page, with a browser that knows no JavaScript. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { atLeastOne } from './at-least-one.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());
// The story before may have moved the clock: what the networks said last is old then.
beforeEach(() => gateway.runUntilIdle());

const settings = {
  returnUrl: 'https://shop.example/thanks?order=7#top',
  cancelUrl: 'https://shop.example/cart',
  shopName: 'Tom & <b>Jerry</b>',
};

const origin = (): string => new URL(gateway.url).origin;
const browse = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin()}${path}`, { redirect: 'manual', headers });
const read = async (path: string, headers?: Record<string, string>): Promise<string> =>
  (await browse(path, headers)).text();
const choose = (path: string, form: Record<string, string>): Promise<Response> =>
  fetch(`${origin()}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });

async function open(price: string, more: Record<string, unknown> = {}): Promise<{ id: string; path: string }> {
  const body = aCharge(price, { checkoutLanguage: 'en', pageSettings: settings, ...more });
  const { id, url } = await gateway.post('/checkout/hosted', body);
  return { id, path: new URL(url).pathname };
}

/** Follows the customer to Bitcoin and reads where to pay from the page itself. */
async function toBitcoin(path: string): Promise<{ address: string; amount: string }> {
  const committed = await choose(`${path}/commit`, { network: 'BITCOIN' });
  assert.deepEqual([committed.status, committed.headers.get('location')], [303, path]);
  return payTo(await read(path));
}

function payTo(page: string): { address: string; amount: string } {
  const link = /href="bitcoin:(?<address>[a-z0-9]+)\?amount=(?<amount>[\d.]+)"/.exec(page)?.groups;
  assert.ok(link, 'the page has a payment link');
  return { address: link['address'] ?? '', amount: link['amount'] ?? '' };
}

test('a customer chooses, pays, watches the confirmations and goes back to the shop', async () => {
  const { id, path } = await open('25.00 USD');
  const created = await read(path);
  assert.match(created, /How would you like to pay\?/);
  assert.match(created, /<span class="unit">\$<\/span>25\.00/);
  assert.match(created, /Tom &amp; &lt;b&gt;Jerry&lt;\/b&gt;/);
  assert.doesNotMatch(created, /http-equiv="refresh"/);
  assert.match(created, new RegExp(`<form method="post" action="${path}/commit">`));
  const offered = Array.from(created.matchAll(/name="way-\w+" value="(\w+) /g), ([, network]) => network);
  assert.deepEqual(offered, ['BITCOIN', 'LITECOIN']);

  const pay = await toBitcoin(path);
  const pending = await read(path);
  assert.match(pending, new RegExp(`${pay.amount}\u00a0<span class="unit">BTC`));
  assert.doesNotMatch(pending, />Bitcoin on the Bitcoin network/, 'a network of the same name need not be said');
  assert.match(pending, />60:00<\/time>[^]*Pay by <time[^>]*>13:00\sUTC<\/time>/);
  assert.match(pending, new RegExp(`<noscript><meta http-equiv="refresh" content="10;url=${path}"></noscript>`));
  assert.match(pending, new RegExp(`<noscript><p class="small"><a href="${path}">Check now</a></p></noscript>`));
  assert.match(pending, /<dt>Rate from<\/dt><dd>fixed rate for tests<\/dd>/);
  assert.ok(pending.replaceAll(/<[^>]*>/g, '').includes(pay.address), 'the address can be copied without spaces');

  gateway.bitcoin.pay(pay);
  await gateway.runUntilIdle();
  assert.match(await read(path), /0 of \d confirmation/);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.match(await read(path), /1 of \d confirmation|Thank you/);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();

  const completed = await read(path);
  assert.match(completed, /Paid. Thank you!/);
  assert.doesNotMatch(completed, /http-equiv="refresh"|bitcoin:/);
  const [, back] = /href="(\/en\/return-from-hosted-checkout\/\w+)"/.exec(completed) ?? [];
  const returned = await browse(back ?? '');
  assert.equal(returned.status, 302);
  assert.equal(returned.headers.get('location'), `https://shop.example/thanks?order=7&checkoutId=${id}#top`);
});

test('what a shop gives no name is named in the language of the checkout, and can be paid', async () => {
  const items = {
    discountItems: [{ description: null, netAmount: 1 }],
    shippingCostItems: [{ description: '', netAmount: null }],
  };
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: 26 }], ...items };
  const words: Record<string, string[]> = {
    auto: ['Discount', 'Shipping'],
    en: ['Discount', 'Shipping'],
    de: ['Rabatt', 'Versand'],
    pt: ['Desconto', 'Frete'],
    es: ['Descuento', 'Envío'],
    it: ['Sconto', 'Spedizione'],
    tr: ['İndirim', 'Kargo'],
    pl: ['Rabat', 'Wysyłka'],
    fr: ['Remise', 'Livraison'],
  };
  for (const [checkoutLanguage, expected] of Object.entries(words)) {
    const { id, path } = await open('', { charge, checkoutLanguage });
    const page = await read(path);
    const rows = Array.from(page.matchAll(/<tr><th scope="row">(.*?)<\/th>/g), ([, label]) => label);
    assert.deepEqual(rows.slice(1, 3), expected, checkoutLanguage);
    assert.deepEqual((await gateway.get(`/checkout?id=${id}`)).checkout.payload.charge, charge, 'echoed as posted');
    if (checkoutLanguage !== 'de') continue;
    gateway.bitcoin.pay(await toBitcoin(path));
    gateway.bitcoin.mine(7);
    await gateway.runUntilIdle();
    assert.equal(await gateway.state(id), 'COMPLETED');
  }
});

test('a language that we do not speak leads to one that we do, with all that the link says', async () => {
  const { id } = await open('25.00 USD');
  const leadsTo = async (path: string, accept: string) =>
    (await browse(path, { 'accept-language': accept })).headers.get('location');
  assert.equal(await leadsTo(`/pt-br/checkout/${id}?pay=x&language=en`, 'de'), `/pt/checkout/${id}?pay=x&language=en`);
  assert.equal(await leadsTo(`/xx/checkout/${id}/methods`, 'nl, tr;q=0.5'), `/tr/checkout/${id}/methods`);
  assert.equal(await leadsTo(`/zz/invoice/${id}`, ''), `/en/invoice/${id}`);
  assert.equal(await leadsTo(`/de/checkout/${id}`, 'fr'), null);
});

test('the page speaks Arabic from right to left, and offers it beside the other languages', async () => {
  const { id, path } = await open('25.00 USD');
  const page = await read(`/ar/checkout/${id}`);
  assert.match(page, /<html lang="ar" dir="rtl">[^]*كيف تود أن تدفع؟/);
  assert.match(page, /25\.00/);
  assert.match(await read(path), /<html lang="en" dir="ltr">[^]*hreflang="ar">العربية</);
});

test('who comes back after an hour chooses among the prices of now, and no clock runs before the choice', async () => {
  const { id, path } = await open('25.00 USD');
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  const page = await read(path);
  assert.match(page, /0\.0\d+\u00a0BTC[^]*0\.\d+\u00a0LTC/);
  assert.equal(await gateway.state(id), 'CREATED');
});

test('who sends too little is shown what arrived and asked for the rest, and the rest completes the payment', async () => {
  const { path } = await open('25.00 USD');
  const first = await toBitcoin(path);
  gateway.bitcoin.pay({ address: first.address, amount: '0.0001' });
  await gateway.runUntilIdle();

  const partial = await read(path);
  assert.match(partial, /Part of your payment has arrived/);
  assert.match(partial, /0\.0001\u00a0BTC/);
  const rest = payTo(partial);
  assert.equal(rest.address, first.address);
  gateway.bitcoin.pay(rest);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.match(await read(path), /Paid. Thank you!/);
});

test('the rest may be paid by another method, whose amount is worked out from what arrived', async () => {
  const { id, path } = await open('25.00 USD');
  const first = await toBitcoin(path);
  gateway.bitcoin.pay({ address: first.address, amount: '0.0001' });
  await gateway.runUntilIdle();
  const methods = await read(`${path}/methods`);
  const [, told] = /([\d.]+)\u00a0LTC/.exec(methods) ?? [];
  const headOf = (page: string) => /<div class="due">([^]*?)<\/h1>/.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, '');
  const waiting = await read(path);
  assert.match(headOf(waiting) ?? '', /^\s*Still missing\s[^]*\$19\.00$/);
  assert.match(waiting, /Received: 0\.0001\u00a0BTC \(\$6\.00\)/);
  const onScreen = waiting.replace(/<dl class="kv paper-first"[^]*?<\/dl>/, '');
  assert.equal(onScreen.replaceAll(/<[^>]*>|"[^"]*"/g, '').split('$6.00').length, 2, 'what has come is said once');
  assert.match(headOf(methods) ?? '', /^\s*Still missing · \$6\.00 already received\s[^]*\$19\.00$/);
  assert.doesNotMatch(methods, /class="ground compact"/, 'no code needs the room there');
  gateway.clock.advance({ minutes: 1 });
  await choose(`${path}/commit`, { network: 'LITECOIN' });

  const [, address, amount] = /href="litecoin:([a-z0-9]+)\?amount=([\d.]+)"/.exec(await read(path)) ?? [];
  assert.equal(amount, told, 'the amount that the row said');
  gateway.litecoin.pay({ address: address ?? '', amount: amount ?? '' });
  gateway.litecoin.mine(12);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');
});

test('a customer who goes back to an earlier method sees that method again, on every device', async () => {
  const { path } = await open('25.00 USD');
  const bitcoin = await toBitcoin(path);
  gateway.clock.advance({ minutes: 1 });
  await choose(`${path}/commit`, { network: 'LITECOIN' });
  assert.match(await read(path), /href="litecoin:/);
  await choose(`${path}/commit`, { network: 'BITCOIN' });
  assert.deepEqual(payTo(await read(path)), bitcoin, 'in every window, not only in the one where it was chosen');
  await choose(`${path}/commit`, { network: 'LITECOIN' });
  assert.match(await read(path), /href="litecoin:/);
  await choose(`${path}/commit`, { network: 'BITCOIN' });
  gateway.clock.advance({ minutes: 60 });
  assert.doesNotMatch(await read(path), /href="bitcoin:/);
});

test('an expired checkout is not a dead end: a new quote opens it again', async () => {
  const { id, path } = await open('25.00 USD');
  const before = await toBitcoin(path);
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();

  const expired = await read(path);
  assert.match(expired, /This price is no longer valid/);
  assert.match(expired, /It is not lost and still counts/);
  assert.match(expired, /Get a new price/);
  const again = await toBitcoin(path);
  assert.notEqual(again.address, before.address);
  assert.equal(await gateway.state(id), 'PENDING');
});

test('a late part leaves the page with the rest to pay', async () => {
  const { path } = await open('25.00 USD');
  const { address } = await toBitcoin(path);
  gateway.bitcoin.pay({ address, amount: '0.0001' });
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  const underpaid = await read(path);
  assert.match(underpaid, /Less than the full amount has arrived/);
  assert.equal(payTo(underpaid).address, address);
  const refused = await choose(`${path}/commit`, { network: 'LITECOIN' });
  assert.equal(refused.status, 303);
});

/** The networks have told what they saw, and nobody has decided about it yet. */
async function seeOnly(): Promise<void> {
  for (const watcher of gateway.app.watchers) await watcher.tick();
}

for (const isCanceled of [false, true])
  test(`who pays in parts after the order was ${isCanceled ? 'cancelled' : 'over'} is asked for the rest once, and then for nothing`, async () => {
    const { id, path } = await open('25.00 USD');
    const { address } = await toBitcoin(path);
    if (isCanceled) await gateway.post('/checkout/cancel', { checkoutId: id });
    else gateway.clock.advance({ minutes: 61 });
    await gateway.runUntilIdle();
    assert.match(await read(path), isCanceled ? /This payment was cancelled/ : /This price is no longer valid/);

    gateway.bitcoin.pay({ address, amount: '0.0001' });
    for (const happens of [seeOnly, gateway.runUntilIdle, async () => gateway.bitcoin.mine(6), gateway.runUntilIdle]) {
      await happens();
      const part = await read(path);
      assert.match(part, /Less than the full amount has arrived[^]*What you have sent is safe/);
      assert.doesNotMatch(part, /Get a new price|Pay after all|no longer valid|was cancelled|Send exactly/);
      assert.deepEqual(payTo(part), { address, amount: '0.0003167' }, 'the rest, to where the part went');
    }
    assert.equal(await gateway.state(id), 'UNDERPAID');

    gateway.bitcoin.pay(payTo(await read(path)));
    for (const happens of [seeOnly, gateway.runUntilIdle]) {
      await happens();
      const seen = await read(path);
      assert.match(seen, /Your payment was seen/);
      assert.doesNotMatch(
        seen,
        /href="bitcoin:|Less than the full|Still missing|Send the rest|Pay now with test money/,
      );
      assert.equal((await browse(`${path}/methods`)).status, 303, 'nobody chooses another way for it');
    }
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.match(await read(path), /Paid. Thank you![^]*arrived after the time to pay was over/);
    assert.equal(await gateway.state(id), 'DELAYED_COMPLETED');
  });

test('what is missing within the shop’s tolerance is never asked for, neither in time nor late', async () => {
  for (const minutes of [1, 61]) {
    const { id, path } = await open('60.00 USD');
    const { address, amount } = await toBitcoin(path);
    assert.equal(amount, '0.001');
    gateway.clock.advance({ minutes });
    await gateway.runUntilIdle();
    gateway.bitcoin.pay({ address, amount: '0.000997' });
    for (const happens of [seeOnly, gateway.runUntilIdle]) {
      await happens();
      const seen = await read(path);
      assert.match(seen, /Your payment was seen/, `after ${minutes} minutes`);
      assert.doesNotMatch(seen, /href="bitcoin:|Less than|Part of your|Still missing|Pay now with test money/);
    }
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.equal(await gateway.state(id), minutes > 60 ? 'DELAYED_COMPLETED' : 'COMPLETED');
    assert.match(await read(path), /Paid. Thank you!/);
  }
});

test('a method that is not offered is explained on the page', async () => {
  const { path } = await open('25.00 USD');
  const refused = await choose(`${path}/commit`, { network: 'ETHEREUM', asset: 'ETH' });
  assert.equal(refused.status, 422);
  const page = await refused.text();
  assert.match(page, /role="alert">[^]*?<span>This way to pay is not available at the moment/);
  assert.match(page, /How would you like to pay\?/);
  assert.equal((await choose(`${path}/commit`, {})).status, 422);
});

test('the address of a form, opened from the history, leads to the page that the form is on', async () => {
  const { id, path } = await open('25.00 USD');
  await toBitcoin(path);
  for (const form of ['commit', 'contact', 'sandbox', 'ask-back']) {
    const reply = await browse(`${path}/${form}`);
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, path], form);
    assert.equal((await browse(`/en/checkout/aaaaaaaaaaaa/${form}`)).status, 404);
  }
  const refused = await choose(`${path}/contact`, { network: 'BITCOIN', refundAddress: 'nonsense' });
  assert.match(await refused.text(), new RegExp(`data-page="/en/checkout/${id}"`));
});

test('the way back leads to the shop, cancels nothing and does not say that it would', async () => {
  const { id, path } = await open('25.00 USD');
  const link = new RegExp(`href="/en/cancel-hosted-checkout/${id}">Back to the shop without paying</a>`);
  assert.match(await read(path), link);
  const left = await browse(`/en/cancel-hosted-checkout/${id}`);
  assert.deepEqual([left.status, left.headers.get('location')], [302, `https://shop.example/cart?checkoutId=${id}`]);
  assert.equal(await gateway.state(id), 'CREATED');

  const { id: withoutLinks } = await open('25.00 USD', { pageSettings: null });
  const plain = await browse(`/de/cancel-hosted-checkout/${withoutLinks}`);
  assert.equal(plain.status, 200);
  assert.match(await plain.text(), /Sie können diese Seite schließen/);

  const { id: older } = await open('25.00 USD', {
    pageSettings: null,
    links: { cancelUrl: 'http://old.example/?a=b' },
  });
  const old = await browse(`/en/cancel-hosted-checkout/${older}`);
  assert.equal(old.headers.get('location'), `http://old.example/?a=b&checkoutId=${older}`);
});

test('an unknown, malformed or self-hosted checkout has no page, and all are answered alike', async () => {
  const { id: selfHosted } = await gateway.post('/checkout', aCharge('25.00 USD'));
  const answers: string[] = [];
  for (const id of ['aaaaaaaaaaaa', 'nonsense', '%00', '..%2f..%2fetc', selfHosted]) {
    for (const path of ['checkout', 'cancel-hosted-checkout', 'return-from-hosted-checkout']) {
      const reply = await browse(`/en/${path}/${id}`);
      assert.equal(reply.status, 404, `${path} ${id}`);
      answers.push((await reply.text()).replaceAll(/nonce="[^"]+"/g, ''));
    }
    assert.equal((await choose(`/en/checkout/${id}/commit`, { network: 'BITCOIN' })).status, 404);
  }
  assert.equal(new Set(answers).size, 1);
  assert.equal((await browse('/fr/checkout-invalid')).status, 404);
  const dead = await read('/fr/checkout-invalid');
  assert.match(dead, /Ce paiement n’existe pas/);
  assert.match(dead, /Vous avez déjà payé\s\?<\/b> Un paiement envoyé compte/);
  assert.match(dead, /href="\/de\/checkout-invalid" lang="de"/);
  const nowhere = await read('/de/nowhere/at/all', { 'accept-language': 'fr' });
  assert.match(nowhere, /Diese Seite gibt es nicht[^]*Haben Sie schon bezahlt\?[^]*Senden Sie sie nicht noch einmal/);
  assert.match(nowhere, /href="\/fr\/nowhere\/at\/all" lang="fr"/);
  assert.match(await read('/robots', { 'accept-language': 'fr' }), /<html lang="fr"[^]*href="\/de\/page-not-found"/);
});

test('the language is that of the path, or of the browser where the shop left it open', async () => {
  const { path } = await open('25.00 USD', { checkoutLanguage: 'pl' });
  assert.match(await read(path, { 'accept-language': 'de' }), /<html lang="pl" dir="ltr">[^]*Jak chcesz zapłacić\?/);

  const { id, path: auto } = await open('25.00 USD', { checkoutLanguage: 'auto' });
  const german = await read(auto, { 'accept-language': 'de-AT,en;q=0.5' });
  assert.match(german, /<html lang="de" /);
  assert.match(german, new RegExp(`action="/de/checkout/${id}/commit"`));
  assert.match(german, new RegExp(`href="/en/checkout/${id}\\?language=en"`));
  assert.match(await read(`${auto}?language=en`, { 'accept-language': 'de' }), /<html lang="en" /);
  const committed = await fetch(`${origin()}/en/checkout/${id}/commit`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'accept-language': 'de' },
    body: new URLSearchParams({ network: 'BITCOIN' }),
  });
  assert.equal(committed.headers.get('location'), `/en/checkout/${id}?language=en`);
});

test('a page allows only its own script, no referrer, no cache and no index, and says that it is a sandbox', async () => {
  const { path } = await open('25.00 USD');
  const { headers } = await browse(path);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'nonce-[\w-]{22}';/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  const again = (await browse(path)).headers.get('content-security-policy');
  assert.notEqual(again, policy, 'every reply has a nonce of its own');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow');
  await toBitcoin(path);
  for (const page of [path, `${path}/methods`, '/en/checkout-invalid', '/'])
    assert.match(await read(page), /Sandbox: this is a test/, page);
  assert.doesNotMatch(await read(path), /<script(?![^>]* nonce="[^>]* src="\/js\/)|<style|style=|\son\w+=/);
});

test('every URL of a page lies on the list that the brand container forwards, and is relative', async () => {
  const { path } = await open('25.00 USD');
  await toBitcoin(path);
  const forwarded =
    /^(\/[a-z]{2}\/(checkout\/[a-z0-9]+.*|checkout-invalid|(cancel|return-from)-hosted-checkout\/[a-z0-9]+)|\/(css|js|images|ajax)\/.+|\/manifest\.json)$/;
  for (const page of [await read(path), await read(`${path}/methods`)]) {
    for (const [, url] of atLeastOne(page.matchAll(/(?:href|src|action|data-events|data-poll)="([^"]+)"/g)))
      if (!/^(bitcoin:|#\w+$)/.test(url ?? '')) assert.match(url ?? '', forwarded);
  }
});

test('the page knows nothing of the webhook, the meta data and the customer', async () => {
  const { customerId } = await gateway.post('/customer', { customer: { email: 'eve@secret.example' } });
  const { charge } = aCharge('25.00 USD') as { charge: object };
  const { path } = await open('25.00 USD', {
    charge: { ...charge, customerId },
    webhook: 'https://secret.example/hook',
    meta: { note: 'secret note' },
  });
  await toBitcoin(path);
  const page = await read(path);
  for (const secret of ['secret', customerId, gateway.merchant.apiKey, gateway.merchant.merchantId, 'settlement'])
    assert.ok(!page.includes(secret), secret);
});
