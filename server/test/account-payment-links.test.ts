/** A person makes a payment link: one hosted checkout, paid like any other. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newFormName } from '../src/account/frame/send-once.ts';
import { findContact } from '../src/checkouts/contact-store.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { type AccountWorld, accountsAt, signed, type Visitor, words } from './account-world.ts';
import { withoutLitecoin } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
let shop: Shop;
let support: Visitor;
before(async () => {
  // Nobody answers there: it makes links keep addresses for receipts.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@shop.example' };
  world = await startRefundWorld({ env: { ...withoutLitecoin, ...mail }, hasAccount: true });
  accounts = accountsAt(world.gateway);
  shop = await world.shop();
  support = await accounts.member('support', 'support@example.com', shop.merchant.merchantId);
});
after(() => world.gateway.stop());

const path = '/account/checkouts/new';
const cup = { amount: '60,00', currency: 'USD', description: 'A cup' };
const checkoutsOf = async (): Promise<number> => (await shop.get('/checkouts')).checkouts.length;

test('a link is made, shown with its code, paid, and credited without a key', async () => {
  assert.match(words(await support.get('/account/checkouts')), /New payment link/);
  assert.match((await support.get(path)).text, /<option value="USD" selected>/);
  const made = await support.post(path, { ...cup, reference: 'KN-77', email: 'marta@example.com' });
  const [, id = ''] = /^\/account\/checkouts\/([a-z0-9]{12})\/link$/.exec(made.location) ?? [];
  assert.notEqual(id, '', made.text);
  const shown = await support.get(made.location);
  const { checkout } = await shop.get(`/checkout?id=${id}`);
  assert.deepEqual([checkout.type, checkout.origin, checkout.state], ['HOSTED', 'ACCOUNT', 'CREATED']);
  assert.ok(shown.text.includes(`data-copy="${checkout.hostedCheckoutUrl}"`));
  assert.match(shown.text, /<svg[^>]* aria-label="Code of the payment link"/);
  assert.match(shown.text, /mailto:marta%40example\.com/);
  assert.match(words(shown), /can pay \$60\.00, once/);
  const { customer } = await shop.get(`/customer?id=${checkout.payload.charge.customerId}`);
  assert.equal(customer.email, 'marta@example.com');

  const { depositInstructions } = await shop.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  await world.pay(depositInstructions, '0.001');
  await world.mine(6);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.match(
    words(await support.get(`/account/checkouts/${id}`)),
    /KN-77.*credited.*Payment link made in the account/,
  );
  assert.deepEqual((await shop.get(`/webhook-deliveries?checkoutId=${id}`)).deliveries, []);
  const [row] = await world.gateway.db<{ email: string }>`
    select email from audit_log join person on 'person:' || person.id = actor
     where action = 'checkout.created' and detail ->> 'checkoutId' = ${id}`;
  assert.equal(row?.email, 'support@example.com');
});

test('a shop that sends no receipts keeps no address for them', async () => {
  const { merchantId } = shop.merchant;
  const kept = async (email: string): Promise<string | null> => {
    const { location } = await support.post(path, { ...cup, email });
    const [, id = ''] = /checkouts\/(\w+)\/link/.exec(location) ?? [];
    return (await findContact(world.gateway.db, { merchantId, id }))?.email ?? null;
  };
  assert.equal(await kept('with@example.com'), 'with@example.com');
  const send = (sendReceipts: boolean | null) =>
    changeSettings(world.gateway, merchantId, { pageSettings: { sendReceipts } }, 'operator');
  await send(false);
  assert.equal(await kept('without@example.com'), null);
  await send(null);
});

test('who sets up an account sends the own first payment back, with everything filled in', async () => {
  const own = await world.shop();
  const owner = await accounts.member('owner', 'first@example.com', own.merchant.merchantId);
  const pay = async (id: string): Promise<void> => {
    await world.pay(await own.commit(id, 'BITCOIN'), '0.001');
    await world.mine(6);
  };
  const { location } = await owner.post(path, cup);
  const [, id = ''] = /checkouts\/([a-z0-9]{12})\/link$/.exec(location) ?? [];
  await pay(id);
  const here = `/account/checkouts/${id}`;
  assert.doesNotMatch((await owner.get(here)).text, /id="send-back"/, 'only on the walk');
  const walk = (await owner.get('/account/set-up')).text;
  const { text } = await owner.get(here);
  const back = new RegExp(`href="(${here}\\?refund=open)#refund">Send it back`);
  assert.match(walk, back);
  const [, form = ''] = back.exec(/<p class="notice paid" id="send-back">.*?<\/p>/s.exec(text)?.[0] ?? '') ?? [];
  const opened = (await owner.get(form)).text;
  assert.match(opened, /<details class="fold" id="refund" open>.*name="amount"[^>]* value="0\.00\d+"/s);
  assert.doesNotMatch(opened, /id="send-back"/);
  const asked = { context: 'COMPLETED_CHECKOUT', asset: 'BTC', network: 'BITCOIN', amount: '0.0005', fee: 'customer' };
  const claim = await signed(owner, `${here}/refund`, asked);
  assert.match(claim.text, /<a class="btn" href="[^"]*\/refund\?token=[^"]*" target="_blank"/, 'who paid opens it');
  assert.doesNotMatch((await owner.get(here)).text, /id="send-back"/, 'what is on its way back is not sent back again');

  // What a customer of the shop has paid is not offered to be sent back.
  const sold = await own.create('60.00 USD');
  await pay(sold);
  assert.doesNotMatch((await owner.get(`/account/checkouts/${sold}`)).text, /id="send-back"/);
  assert.doesNotMatch((await owner.get('/account/set-up')).text, /refund=open/);
});

test('a form that is sent twice makes one link, also at once', async () => {
  const before = await checkoutsOf();
  const form = { ...cup, form: newFormName(world.gateway.clock.now()) };
  const [first, second] = await meetAt(world.gateway.db, (tx) => tx`lock table checkout in share row exclusive mode`, [
    () => support.post(path, form),
    () => support.post(path, form),
  ]);
  const third = await support.post(path, form);
  assert.equal(first?.status, 303, first?.text);
  assert.deepEqual([second?.location, third.location], [first?.location, first?.location]);
  assert.equal((await support.post(path, { ...form, amount: '70' })).status, 422);
  assert.equal(await checkoutsOf(), before + 1);
  assert.notEqual((await support.post(path, cup)).location, first?.location, 'another form makes another one');
});

test('what makes no sense is told with a sentence, and nothing is made', async () => {
  const before = await checkoutsOf();
  for (const [form, sentence] of [
    [{ ...cup, amount: 'much' }, /This is no amount/],
    [{ ...cup, amount: '1.234,50' }, /This is no amount/],
    [{ ...cup, amount: '1,234' }, /at most 2 decimals/],
    [{ ...cup, amount: '0' }, /greater than zero/],
    [{ ...cup, amount: '-5' }, /greater than zero/],
    [{ ...cup, currency: 'XXX' }, /billing currency/],
    [{ ...cup, description: '' }, /what the payment is for/],
    [{ ...cup, email: 'nobody' }, /not an e-mail address/],
  ] as const) {
    const answer = await support.post(path, { reference: 'KN-78', ...form });
    assert.equal(answer.status, 400, JSON.stringify(form));
    assert.match(words(answer), sentence);
    assert.match(answer.text, /name="reference"[^>]* value="KN-78"/, 'what was typed is still there');
    assert.match(answer.text, /name="reference" maxlength="30"/, 'no longer than it may be');
  }
  assert.equal(await checkoutsOf(), before);
});

test('why nothing can take an amount is said in the language of who asks', async () => {
  const marta = await accounts.member('support', 'marta@example.com', shop.merchant.merchantId);
  await marta.post('/account/my-sign-in/profile', { name: 'Marta', language: 'de' });
  const tooLittle = await marta.post(path, { ...cup, amount: '0,01' });
  assert.equal(tooLittle.status, 422, tooLittle.text);
  assert.match(words(tooLittle), /Diesen Betrag kann im Moment nichts annehmen\. .*auf .*Die kleinste Zahlung ist/);
  assert.doesNotMatch(words(tooLittle), /smallest|There is/);
  assert.match(words(await marta.post(path, { ...cup, amount: 'viel' })), /Das ist kein Betrag/);
});

test('who may not charge makes none, and of another account there is none to see', async () => {
  for (const role of ['accountant', 'developer', 'viewer'] as const) {
    const visitor = await accounts.member(role, `${role}@example.com`, shop.merchant.merchantId);
    assert.doesNotMatch(words(await visitor.get('/account/checkouts')), /New payment link/, role);
    assert.equal((await visitor.post(path, cup)).status, 403, role);
  }
  const { location } = await support.post(path, cup);
  const other = await world.shop();
  const stranger = await accounts.member('owner', 'stranger@example.com', other.merchant.merchantId);
  assert.equal((await stranger.get(location)).status, 404);
});

test('no checkout without a key promises a webhook that nobody could sign', async () => {
  await assert.rejects(
    world.gateway.db`update checkout set webhook = 'https://shop.example/hook' where api_key is null`,
    /checkout_webhook_is_signed/,
  );
});

const linksPath = '/account/payment-links';
const tea = { description: 'Tea & <cake>', currency: 'USD', asks: 'fixed', amount: '12,50' };

/** Makes one and gives its page. */
async function lasting(form: Record<string, string>): Promise<string> {
  const made = await support.post(`${linksPath}/new`, { amountMin: '', amountMax: '', paymentsMax: '', ...form });
  assert.match(made.location, /^\/account\/payment-links\/[a-z0-9]{12}$/, made.text);
  return made.location;
}

test('a link for many payments is made, shown with its button and codes, printed, paid and closed', async () => {
  const page = await lasting({ ...tea, paymentsMax: '3' });
  const { text } = await support.get(page);
  const id = page.slice(-12);
  assert.match(text, new RegExp(`data-copy="https://pay.test/pay/${id}"`));
  assert.match(text, /data-copy="&lt;a href=&quot;https:\/\/pay\.test\/pay\/.*Pay \$12\.50&lt;\/a&gt;"/);
  assert.match(text, /data-copy="&lt;form action=&quot;[^"]*&quot; method=&quot;post&quot;&gt;/);
  assert.match(text, /at most 3 payments/);

  const svg = await support.get(`${page}/code.svg`);
  assert.match(svg.text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.equal((await support.get(`${page}/code.png`)).status, 200);
  const printed = await support.get(`${page}/print`);
  assert.match(printed.text, /Tea &amp; &lt;cake&gt;.*12\.50.*Scan the code to pay.*pay\.test\/pay\//s);

  const pressed = await fetch(`${new URL(world.gateway.url).origin}/pay/${id}`, { method: 'POST', redirect: 'manual' });
  const [, checkoutId = ''] = /checkout\/(\w{12})/.exec(pressed.headers.get('location') ?? '') ?? [];
  assert.match(words(await support.get(`/account/checkouts/${checkoutId}`)), /Begun from a payment link/);
  assert.match((await support.get(page)).text, new RegExp(`href="/account/checkouts/${checkoutId}"`));
  assert.match(words(await support.get(linksPath)), /Tea &amp; &lt;cake&gt;.*0 payments/);

  const closed = await support.post(`${page}/close`, {});
  assert.match(words(await support.get(closed.location)), /The link is closed/);
  assert.doesNotMatch((await support.get(page)).text, /action="[^"]*\/close"/);
});

test('who gives says how much, and a page of the shop signs: each is asked for in the account', async () => {
  const open = words(await support.get(await lasting({ ...tea, asks: 'open', amount: '', amountMin: '5' })));
  assert.match(open, /The payer says.*Button for your page/);
  const signedPage = await lasting({ ...tea, asks: 'signed', amount: '' });
  assert.match((await support.get(signedPage)).text, /data-copy="[0-9a-f]{64}"/);
  const viewer = await accounts.member('viewer', 'link-viewer@example.com', shop.merchant.merchantId);
  const seen = await viewer.get(signedPage);
  assert.doesNotMatch(seen.text, /data-copy="[0-9a-f]{64}"|\/close"/, 'who may not charge sees no secret');
  for (const [form, sentence] of [
    [{ ...tea, amount: '' }, /greater than zero/],
    [{ ...tea, amount: 'much' }, /no amount/],
    [{ ...tea, asks: 'open', amountMin: '9', amountMax: '8' }, /must not be less/],
  ] as const) {
    const answer = await support.post(`${linksPath}/new`, form);
    assert.equal(answer.status, 400, JSON.stringify(form));
    assert.match(words(answer), sentence);
    assert.match(
      answer.text,
      /name="description"[^>]* value="Tea &amp; &lt;cake&gt;"/,
      'what was typed is still there',
    );
  }
  const other = await world.shop();
  const stranger = await accounts.member('owner', 'link-stranger@example.com', other.merchant.merchantId);
  for (const path of ['', '/code.svg', '/print'])
    assert.equal((await stranger.get(`${signedPage}${path}`)).status, 404);
});
