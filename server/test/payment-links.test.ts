/** A link is paid again and again, by strangers, without a request of the shop for each. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { findCheckout } from '../src/checkouts/checkout-store.ts';
import { Secret } from '../src/lib/secret.ts';
import { createBrandingKey, holdBrandDomain } from '../src/merchants/change-brand-domain.ts';
import { revokeKey } from '../src/merchants/revoke-key.ts';
import { resumeMerchant, suspendMerchant } from '../src/merchants/suspend-merchant.ts';
import { signAmount } from '../src/payment-links/payment-link-signature.ts';
import { takePlaces } from '../src/payment-links/take-places.ts';
import { withoutLitecoin } from './gateway.ts';
import { type Gate, meetAt } from './meet-at.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let shop: Shop;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
  shop = await world.shop();
});
after(() => world.gateway.stop());

type Link = { readonly id: string; readonly url: string } & Record<string, unknown>;

const cup = { description: 'A cup <of> tea', currency: 'USD', amount: '60.00' };
const donation = { description: 'For the roof', currency: 'USD', amountMin: '5', amountMax: '1000' };

const makeLink = async (wish: object, by: Shop = shop): Promise<Link> =>
  (await by.post('/payment-link', wish)).paymentLink;
const linkNow = async ({ id }: Link): Promise<Link> => (await shop.get(`/payment-link?id=${id}`)).paymentLink;

const origin = (): string => new URL(world.gateway.url).origin;
const pathOf = ({ id }: Link): string => `/en/checkout/pay/${id}`;
const browse = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin()}${path}`, { redirect: 'manual', headers });
const press = (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${origin()}${path}`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form) });

/** Whoever has decided without the lock of the link has done so when this opens. */
const atCheckouts: Gate = (tx) => tx`lock table checkout in share row exclusive mode`;

/** What stands on a page, without its markup. */
const words = async (page: Response): Promise<string> => (await page.text()).replace(/<[^>]*>|\s+/g, ' ');

const formOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
      name,
      (value ?? '').replaceAll('&amp;', '&'),
    ]),
  );

/** The checkout that a form led to. */
function checkoutIn(answer: Response): string {
  const [, id = ''] = /^\/\w\w\/checkout\/([a-z0-9]{12})(\?|$)/.exec(answer.headers.get('location') ?? '') ?? [];
  assert.deepEqual([answer.status, id === ''], [303, false], answer.headers.get('location') ?? 'no place to go to');
  return id;
}

async function payIn(answer: Response, amount: string): Promise<string> {
  const id = checkoutIn(answer);
  await world.pay(await shop.commit(id, 'BITCOIN'), amount);
  await world.mine(6);
  return id;
}

const madeOf = async ({ id }: Link): Promise<number> =>
  (await world.gateway.db`select from payment_link_checkout where payment_link_id = ${id}`).length;

test('a link with a price is opened, paid and credited, and the shop is told', async () => {
  const link = await makeLink({ ...cup, webhook: world.gateway.webhookUrl, meta: { product: 17 } });
  assert.equal(link.url, `https://pay.test/pay/${link.id}`);
  const entrance = await browse(`/pay/${link.id}`);
  assert.deepEqual([entrance.status, entrance.headers.get('location')], [302, pathOf(link)]);

  const page = await browse(pathOf(link), { 'accept-language': 'de' });
  const text = await page.text();
  assert.equal(page.status, 200);
  assert.match(text, /<html lang="de".*A cup &lt;of&gt; tea.*60,00.*Weiter zur Zahlung/s);
  assert.equal(await madeOf(link), 0, 'to look makes nothing');

  const id = await payIn(await press(pathOf(link), formOf(text)), '0.001');
  const checkout = await shop.checkout(id);
  assert.deepEqual(
    [checkout.state, checkout.type, checkout.origin, checkout.paymentLinkId, checkout.meta],
    ['COMPLETED', 'HOSTED', 'PAYMENT_LINK', link.id, { product: 17 }],
  );
  assert.equal(shop.eventsOf(id).at(-1), 'CHECKOUT_COMPLETED COMPLETED');
  assert.equal(shop.webhooksOf(id).at(-1)?.data.checkout.paymentLinkId, link.id);

  await press(`/pay/${link.id}`); // Somebody else begins to pay.
  const { checkoutsMade, checkoutsPaid, amountPaid } = await linkNow(link);
  assert.deepEqual([checkoutsMade, checkoutsPaid, amountPaid], [2, 1, '60']);
  const { checkouts, next } = await shop.get(`/payment-link/checkouts?id=${link.id}`);
  assert.deepEqual([checkouts.length, checkouts.some((each: { id: string }) => each.id === id), next], [2, true, null]);
});

test('a form that is sent twice leads to one checkout, also at once; one that is shown anew to another', async () => {
  const link = await makeLink(cup);
  const form = formOf(await (await browse(pathOf(link))).text());
  const send = () => press(pathOf(link), form);
  const answers = await meetAt(world.gateway.db, atCheckouts, [send, send]);
  const [first, second] = answers.map(checkoutIn);
  assert.deepEqual([second, checkoutIn(await send())], [first, first]);
  assert.equal(await madeOf(link), 1);
  const other = formOf(await (await browse(pathOf(link))).text());
  assert.notEqual(checkoutIn(await press(pathOf(link), other)), first);
});

test('a button on a page of somebody else goes straight to the checkout, with no cookie at all', async () => {
  const link = await makeLink(cup);
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example', cookie: 'session=somebody' };
  const answer = await press(`/pay/${link.id}`, {}, foreign);
  checkoutIn(answer);
  assert.equal(answer.headers.get('set-cookie'), null);
});

test('who gives says how much, within the limits of the link', async () => {
  const link = await makeLink(donation);
  const page = await (await browse(pathOf(link))).text();
  assert.match(page, /Amount in USD.*Between \$5\.00 and \$1,000\.00/s);
  const form = formOf(page);
  for (const [amount, sentence] of [
    ['4.99', /At least \$5\.00/],
    ['1000.01', /At most \$1,000\.00/],
    ['much', /Enter an amount such as 12\.50/],
    ['1.234', /Enter an amount such as 12\.50/],
    ['-7', /Enter an amount such as 12\.50/],
    ['0', /Enter an amount such as 12\.50/],
  ] as const) {
    const answer = await press(pathOf(link), { ...form, amount });
    assert.equal(answer.status, 400, amount);
    const again = await answer.text();
    assert.match(again, sentence);
    assert.match(again, new RegExp(`name="amount"[^>]* value="${amount}"`), 'what was typed is still there');
  }
  assert.equal(
    (await press(pathOf(link))).headers.get('location'),
    `${pathOf(link)}?language=en`,
    'a button without one',
  );
  const id = await payIn(await press(pathOf(link), { ...form, amount: '60,00' }), '0.001');
  assert.equal(await shop.state(id), 'COMPLETED');
  const more = checkoutIn(await press(pathOf(link), { ...form, amount: '70' }));
  assert.notEqual(more, id, 'who went back and says another amount gets another checkout');
});

test('an amount that is signed is paid as it was signed, and a reference once', async () => {
  const link = await makeLink({ description: 'Order', currency: 'USD', signedOnly: true });
  const { secret } = await shop.get(`/payment-link/secret?id=${link.id}`);
  const signed = (amount: string, reference: string): Record<string, string> => ({
    amount,
    reference,
    signature: signAmount(new Secret(secret), link.id, { amount, reference }),
  });
  const addressOf = (query: Record<string, string>): string =>
    `/pay/${link.id}?${new URLSearchParams(query).toString()}`;
  const opened = async (query: Record<string, string>): Promise<Response> =>
    browse((await browse(addressOf(query))).headers.get('location') ?? '');

  const order = signed('60.00', 'Ä & 1001');
  const page = await opened(order);
  assert.equal(page.status, 200);
  const text = await page.text();
  assert.match(text, /Ä &amp; 1001/);
  const id = await payIn(await press(pathOf(link), formOf(text)), '0.001');
  const { payload, state } = await shop.checkout(id);
  assert.deepEqual([payload.pageSettings.orderReference, state], ['Ä & 1001', 'COMPLETED']);
  assert.equal(checkoutIn(await press(addressOf(order))), id, 'paid already: its page says so');

  const changed = [
    { ...order, amount: '6.00' },
    { ...order, reference: '1002' },
    { ...order, signature: 'f'.repeat(64) },
    { ...order, signature: 'garbage' },
    { ...order, signature: '' },
    { ...signed('60.00', 'two\nlines') },
  ];
  for (const query of changed) {
    assert.match(await words(await opened(query)), /This address was changed/, JSON.stringify(query));
    assert.equal((await press(addressOf(query))).status, 403, JSON.stringify(query));
  }
  const dearer = await press(addressOf(signed('70.00', 'Ä & 1001')));
  assert.equal(dearer.status, 409);
  assert.match(await words(dearer), /This order has another amount/);
  const ofAnother = await makeLink({ description: 'Order', currency: 'USD', signedOnly: true });
  assert.equal((await press(`/pay/${ofAnother.id}?${new URLSearchParams(order).toString()}`)).status, 403);

  const twice = signed('8', '1003');
  const send = () => press(addressOf(twice));
  const [first, second] = (await meetAt(world.gateway.db, atCheckouts, [send, send])).map(checkoutIn);
  assert.equal(first, second);
});

test('signatures are those that the SDKs make', async () => {
  const file = await readFile(new URL('../../sdk/vectors/payment-links.json', import.meta.url), 'utf8');
  const { signatures } = JSON.parse(file) as { signatures: Record<string, string>[] };
  assert.ok(signatures.length > 2);
  for (const { name, secret = '', linkId = '', amount = '', reference = '', signature } of signatures)
    assert.equal(signAmount(new Secret(secret), linkId, { amount, reference }), signature, name);
});

test('of two who choose a way to pay for the last place at once, one gets it; who does not pay gives it back', async () => {
  const link = await makeLink({ ...cup, description: 'A painting', paymentsMax: 1 });
  const begin = () => press(`/pay/${link.id}`);
  const [one, two, three] = [checkoutIn(await begin()), checkoutIn(await begin()), checkoutIn(await begin())];
  const choose = (id: string) => press(`/en/checkout/${id}/commit`, { network: 'BITCOIN' });
  const atCommitments: Gate = (tx) => tx`lock table commitment in share row exclusive mode`;
  const answers = await meetAt(world.gateway.db, atCommitments, [() => choose(one), () => choose(two)]);
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['303', '409']);
  const [winner, loser] = answers[0]?.status === 303 ? [one, two] : [two, one];
  const refused = await choose(loser);
  assert.equal(refused.status, 409);
  assert.match(await words(refused), /Nothing is left to be paid here/);
  assert.match(await words(await browse(pathOf(link))), /Nothing is left to be paid here/);
  assert.equal((await begin()).status, 409);
  const commit = { checkoutId: three, network: 'BITCOIN' };
  assert.match((await shop.refused(409, 'POST', '/checkout/commit', commit)).join(), /paid as often as it can be/);
  assert.equal((await choose(winner)).status, 303, 'who has a place may choose again');

  await world.pass({ minutes: 61 });
  await world.pay(await shop.commit(three, 'BITCOIN'), '0.001');
  await world.mine(6);
  assert.equal(await shop.state(three), 'COMPLETED');
  for (const late of [winner, loser]) assert.equal((await choose(late)).status, 409, 'old ones come too late');
  await world.pass({ hours: 48 });
  assert.equal((await begin()).status, 409, 'it is sold for good');
});

test('who presses without choosing takes no place; several who choose in one batch get as many as there are', async () => {
  const link = await makeLink({ ...cup, paymentsMax: 2 });
  const ids: string[] = [];
  for (let times = 0; times < 5; times += 1) ids.push(checkoutIn(await press(`/pay/${link.id}`)));
  const { merchantId } = shop.merchant;
  const { db } = world.gateway;
  const found = await Promise.all(ids.map((id) => findCheckout(db, merchantId, id)));
  const checkouts = found.filter((checkout) => checkout !== undefined);
  const refused = await db.begin((tx) => takePlaces(tx, checkouts, world.gateway.clock.now()));
  assert.equal(refused.size, 3);
  await shop.commit(ids[4] ?? '', 'BITCOIN');
  assert.equal((await db.begin((tx) => takePlaces(tx, checkouts, world.gateway.clock.now()))).size, 4);
});

test('what nobody chose a way to pay for is swept away after a day, and stays counted', async () => {
  const link = await makeLink({ description: 'Order', currency: 'USD', signedOnly: true });
  const { secret } = await shop.get(`/payment-link/secret?id=${link.id}`);
  const order = { amount: '60.00', reference: 'swept' };
  const signature = signAmount(new Secret(secret), link.id, order);
  const open = async () => checkoutIn(await press(`/pay/${link.id}`, { ...order, signature }));
  const unchosen = await open();
  const other = { amount: '60.00', reference: 'chosen' };
  const chosen = checkoutIn(
    await press(`/pay/${link.id}`, { ...other, signature: signAmount(new Secret(secret), link.id, other) }),
  );
  await shop.commit(chosen, 'BITCOIN');
  const own = await shop.create('60.00 USD');
  const sweep = async (time: { minutes?: number; hours?: number }) => {
    await world.pass(time);
    await world.gateway.app.cleanUp();
  };
  await sweep({ hours: 23, minutes: 59 });
  assert.equal(await open(), unchosen, 'the same order leads to the same checkout');
  await sweep({ minutes: 2 });
  await shop.refused(404, 'GET', `/checkout?id=${unchosen}`);
  assert.equal((await browse(`/en/checkout/${unchosen}`)).status, 404);
  assert.deepEqual([await shop.state(chosen), await shop.state(own)], ['EXPIRED', 'CREATED']);
  const left = await world.gateway.db`
    select checkout_id from timeline where checkout_id = ${unchosen}
    union all select checkout_id from checkout_term where checkout_id = ${unchosen}`;
  assert.deepEqual(left, []);
  assert.notEqual(await open(), unchosen, 'the order can be paid all the same');
  const { checkoutsMade, checkoutsPaid } = await linkNow(link);
  assert.deepEqual([checkoutsMade, checkoutsPaid], [3, 0]);
});

test('who chooses a way to pay at the moment in which the checkout is swept away is told that it is gone', async () => {
  const link = await makeLink(cup);
  const id = checkoutIn(await press(`/pay/${link.id}`));
  const sweeping: Gate = async (tx) => {
    await tx`delete from payment_link_checkout where checkout_id = ${id}`;
    await tx`delete from timeline where checkout_id = ${id}`;
    await tx`delete from checkout where id = ${id}`;
  };
  const choose = () => shop.request('POST', '/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  const [answer] = await meetAt(world.gateway.db, sweeping, [choose]);
  assert.equal(answer?.status, 404);
});

test('a closed link says so and is not paid; what was begun before still is', async () => {
  const link = await makeLink(cup);
  const begun = await press(`/pay/${link.id}`);
  const { paymentLink } = await shop.post('/payment-link/close', { id: link.id });
  assert.deepEqual([paymentLink.state, paymentLink.checkoutsMade], ['CLOSED', 1]);
  const again = await shop.post('/payment-link/close', { id: link.id });
  assert.equal(again.paymentLink.closedTime, paymentLink.closedTime);
  for (const answer of [await browse(pathOf(link)), await press(`/pay/${link.id}`)]) {
    assert.equal(answer.status, 410);
    assert.match(await words(answer), /This payment link is closed/);
  }
  assert.equal(await shop.state(await payIn(begun, '0.001')), 'COMPLETED');
  const listed = async (state: string) =>
    (await shop.get(`/payment-links?limit=100&state=${state}`)).paymentLinks.map((each: Link) => each.id);
  assert.deepEqual(
    [(await listed('CLOSED')).includes(link.id), (await listed('ACTIVE')).includes(link.id)],
    [true, false],
  );
});

test('a link goes on when the key that made it is revoked, and so do its events', async () => {
  const key = await world.gateway.createKey(shop.merchant);
  const wish = { ...cup, webhook: world.gateway.webhookUrl };
  const { body } = await shop.request('POST', '/payment-link', wish, { as: key });
  await revokeKey(world.gateway, key.merchantId, key.apiKey, 'operator');
  const id = await payIn(await press(`/pay/${body.paymentLink.id}`), '0.001');
  assert.equal(await shop.state(id), 'COMPLETED');
  const told = shop.webhooksOf(id).at(-1);
  const authOf = (secret: string) =>
    createHash('sha256')
      .update(secret)
      .update(told?.raw ?? '')
      .digest('hex');
  assert.equal(told?.headers['x-webhook-auth'], authOf(key.apiSecret));
  assert.match(told?.headers['webhook-signature'] ?? '', /^v1,/);
});

test('a link of a shop that is suspended takes nothing', async () => {
  const own = await world.shop();
  const link = await makeLink(cup, own);
  const { merchantId } = own.merchant;
  await suspendMerchant(world.gateway, merchantId, 'A test.', { actor: 'operator' });
  assert.match(await words(await browse(pathOf(link))), /This shop takes no payments at the moment/);
  assert.equal((await press(`/pay/${link.id}`)).status, 409);
  await resumeMerchant(world.gateway, merchantId, { actor: 'operator' });
  checkoutIn(await press(`/pay/${link.id}`));
});

test('what makes no sense is told in sentences, and other accounts have no part in it', async () => {
  for (const [wish, sentence] of [
    [{ ...cup, currency: 'XXX' }, /currency must be a billing currency/],
    [{ ...cup, amount: '0' }, /amount must be greater than zero/],
    [{ ...cup, amount: '1.234' }, /at most 2 decimals/],
    [{ ...cup, amountMin: '1' }, /amount is fixed/],
    [{ ...cup, signedOnly: true }, /amount is fixed/],
    [{ ...donation, signedOnly: true }, /signedOnly lets the signature say/],
    [{ ...donation, amountMax: '4' }, /amountMax must not be less/],
    [{ ...cup, settlementAsset: 'NONE' }, /settlementAsset must be/],
    [{ ...cup, paymentsMax: 0 }, /paymentsMax/],
  ] as const) {
    const errors = await shop.refused(400, 'POST', '/payment-link', wish);
    assert.match(errors.join(' '), sentence, JSON.stringify(wish));
  }
  const link = await makeLink(cup);
  await shop.refused(404, 'GET', `/payment-link/secret?id=${link.id}`); // It has none.
  const stranger = await world.shop();
  await stranger.refused(404, 'GET', `/payment-link?id=${link.id}`);
  await stranger.refused(404, 'POST', '/payment-link/close', { id: link.id });
  assert.deepEqual((await stranger.get('/payment-links')).paymentLinks, []);
  assert.equal((await browse('/en/checkout/pay/abcdefghijkl')).status, 404);
  assert.equal((await press('/pay/nothing')).status, 404);
});

test('links are listed newest first, page by page', async () => {
  const own = await world.shop();
  for (const description of ['One', 'Two', 'Three']) {
    world.gateway.clock.advance({ seconds: 1 });
    await makeLink({ ...cup, description }, own);
  }
  const first = await own.get('/payment-links?limit=2');
  const rest = await own.get(`/payment-links?limit=2&cursor=${first.next}`);
  const names = [...first.paymentLinks, ...rest.paymentLinks].map((each: Link) => each['description']);
  assert.deepEqual([names, rest.next], [['Three', 'Two', 'One'], null]);
});

test('on a domain of the shop the page is the same, and no other shop is shown there', async () => {
  const [own, other] = [await world.shop(), await world.shop()];
  const [link, foreign] = [await makeLink(cup, own), await makeLink(cup, other)];
  const { merchantId } = own.merchant;
  const domain = 'pay.links.example';
  const wish = { domain, behaviour: 'redirect' as const, serviceUrl: 'https://pay.test' };
  const { key } = await createBrandingKey(world.gateway, merchantId, wish, 'operator');
  await holdBrandDomain(world.gateway, { merchantId, domain, origin: `https://${domain}` }, 'operator');
  await world.gateway.app.refresh();
  const through = {
    'x-ws-branding-key': key.reveal(),
    'x-forwarded-for-hostname': domain,
    'x-forwarded-for': '203.0.113.7',
  };
  assert.equal((await own.get(`/payment-link?id=${link.id}`)).paymentLink.url, `https://${domain}${pathOf(link)}`);
  const shown = await browse(pathOf(link), through);
  assert.equal(shown.status, 200);
  checkoutIn(await press(pathOf(link), formOf(await shown.text()), through));
  assert.equal((await browse(pathOf(foreign), through)).status, 404);
  assert.equal((await browse(pathOf(link))).headers.get('location'), `https://${domain}${pathOf(link)}`);
  checkoutIn(await press(`/pay/${link.id}`)); // A button that was made before there was a domain.
});

test('what is counted as it happens is what there is, also when it is added up', async () => {
  const { db, app } = world.gateway;
  const counted = () => db`
    select payment_link_id, state, sum(checkouts)::int as checkouts, sum(amount)::text as amount from payment_link_tally
     where state <> 'SWEPT' group by 1, 2 having sum(checkouts) <> 0 order by 1, 2`;
  const there = await db`
    select payment_link_id, state, count(*)::int as checkouts, sum(total)::text as amount
      from payment_link_checkout made join checkout on checkout.merchant_id = made.merchant_id and id = checkout_id
     group by 1, 2 order by 1, 2`;
  assert.deepEqual(await counted(), there);
  await Promise.all([app.addUpLinks(), app.addUpLinks()]);
  assert.deepEqual(await counted(), there);
  const rows = await db`select count(*)::int as many from payment_link_tally group by payment_link_id, state`;
  assert.ok(rows.length > 10 && rows.every(({ many }) => many === 1));

  // What was there before anything was counted.
  const migration = new URL('../src/db/migrations/0114_places_of_payment_links.sql', import.meta.url);
  await db.script(`begin; drop trigger tally_moved_checkout on checkout; drop function tally_moved_checkout;
    drop trigger tally_linked_checkout on payment_link_checkout; drop function tally_linked_checkout;
    drop table payment_link_tally; drop index checkout_unchosen;
    ${await readFile(migration, 'utf8')}; commit;`);
  assert.deepEqual(await counted(), there);
});
