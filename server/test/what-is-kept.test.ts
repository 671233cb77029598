/** How much of what merchants post is kept, and for how long. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countCreated } from '../src/checkouts/checkout-count-store.ts';
import { lockForgettable } from '../src/checkouts/unchosen-store.ts';
import type { Db, Tx } from '../src/db/database.ts';
import { storedBytesOf } from '../src/http/stored-bytes-store.ts';
import { forgetUnpaid } from '../src/payment-links/forget-unpaid.ts';
import { type AccountWorld, accountsAt, words } from './account-world.ts';
import { aCharge, type Gateway, type Reply, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop } from './shop.ts';
import { openSender, somewhere } from './transfer-story.ts';
import { until } from './until.ts';

let gateway: Gateway;
let world: AccountWorld;
before(async () => {
  gateway = await startGateway({ hasAccount: true, env: { ...withoutLitecoin, MERCHANT_STORED_MB: '1' } });
  world = accountsAt(gateway);
});
after(() => gateway.stop());

const rows = Array.from({ length: 400 }, () => ({ description: 'x'.repeat(200), netAmount: '60' }));
const longCharge = {
  charge: { billingCurrency: 'USD', lineItems: rows, shippingCostItems: rows },
  settlementAsset: 'ORIGIN',
};
const days = (count: number) => ({ hours: count * 24 });

test('a merchant keeps so much and no more, by whatever is posted, and nobody else is concerned', async () => {
  const [shop, neighbour] = [await openShop(gateway), await openShop(gateway)];
  const stored = () => storedBytesOf(gateway.db, shop.merchant.merchantId);
  assert.equal(await stored(), 0);
  let kept = 0;
  for (let answer = await shop.request('POST', '/checkout', longCharge); answer.status === 200; kept += 1)
    answer = await shop.request('POST', '/checkout', longCharge);
  assert.equal(kept, Math.floor((1024 * 1024) / JSON.stringify(longCharge).length));
  assert.equal(await stored(), kept * JSON.stringify(longCharge).length);

  const refusal = await shop.request('POST', '/checkout', longCharge);
  assert.equal(refusal.status, 422);
  assert.match(refusal.body.errors[0], /keeps 1 MB of checkouts.*ask the operator for more room/);
  const others = Math.ceil((1024 * 1024 - (await stored())) / 16_000);
  const customer = (at: number) => ({ customer: { email: `c${at}@example.com`, meta: { text: 'x'.repeat(16_000) } } });
  const answers: number[] = [];
  for (let at = 0; at < others; at += 1) answers.push((await shop.request('POST', '/customer', customer(at))).status);
  assert.deepEqual(
    answers.toSorted((one, other) => one - other),
    [...answers.slice(1).fill(200), 422],
    'customers take the rest, and no more',
  );
  assert.ok((await stored()) <= 1024 * 1024);
  assert.equal((await neighbour.request('POST', '/checkout', longCharge)).status, 200);
});

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

test('answers that are kept with what was posted count too, as long as they are kept', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const stored = () => storedBytesOf(gateway.db, merchantId);
  const { id: checkoutId } = await shop.post('/checkout', longCharge);
  const posted = await stored();
  const cancel = (key: string) => shop.request('POST', '/checkout/cancel', { checkoutId }, withKey(key));
  const first = await cancel('cancel-0');
  assert.equal(first.status, 200);
  let kept = 1;
  for (let answer = first; answer.status === 200 && kept < 20; kept += 1) answer = await cancel(`cancel-${kept}`);
  assert.ok(kept < 20, 'sixty bytes that are sent again and again store no megabytes');
  assert.ok((await stored()) > posted && (await stored()) <= 1024 * 1024, `${await stored()} bytes`);

  const refusal = await cancel('another');
  assert.equal(refusal.status, 422);
  assert.match(refusal.body.errors[0], /without an Idempotency-Key/);
  assert.equal((await shop.request('POST', '/checkout/cancel', { checkoutId })).status, 200);
  assert.deepEqual((await cancel('cancel-0')).body, first.body, 'what is kept is given again');

  gateway.clock.advance(days(1));
  await gateway.app.cleanUp();
  assert.equal(await stored(), posted, 'forgotten, and counted no more');
  const [row] = await gateway.db`select count(*)::int as kept from idempotency_key where merchant_id = ${merchantId}`;
  assert.equal(row?.['kept'], 0);
  gateway.clock.advance({ minutes: 1 });
  const again = await afterALook(() => cancel('cancel-0'), 422);
  assert.equal(again.status, 200, 'and the key is free');
});

test('what is written beside an order of money counts, and never stops the money', async () => {
  const sender = await openSender(gateway, '0.03', { transferApprovalAbove: '0' });
  const stored = () => storedBytesOf(gateway.db, sender.merchant.merchantId);
  const before = await stored();
  const meta = { text: 'x'.repeat(16_000) };
  let orders = 0;
  const send = (more: object) => {
    orders += 1;
    return sender.order({ address: somewhere, amount: `0.0001${orders}`, ...more });
  };
  const sizes: number[] = [];
  for (let at = 0; at < 3; at += 1) {
    const { status, body } = await send({ meta: { ...meta, at } });
    assert.equal(status, 200, JSON.stringify(body));
    await sender.post('/transfer/cancel', { transferId: body.transfer.id });
    sizes.push(JSON.stringify({ ...meta, at }).length);
  }
  assert.equal(
    (await stored()) - before,
    sizes.reduce((sum, size) => sum + size),
  );

  await gateway.db`
    insert into stored_bytes values (${sender.merchant.merchantId}, 99, ${1024 * 1024})`;
  gateway.clock.advance({ seconds: 5 });
  const { status, body } = await afterALook(() => send({ meta }), 200);
  assert.equal(status, 422);
  assert.match(body.errors[0], /orders of money without meta/);
  assert.equal((await send({ meta: undefined })).status, 200, 'the money goes on');
  assert.equal((await send({})).status, 200, 'with a few words, too');
});

/** A process asks how much is kept once in a second of the machine's clock, which a story cannot move. */
async function afterALook(ask: () => Promise<Reply>, before: number): Promise<Reply> {
  let answer = await ask();
  await until('the process has looked again', async () => {
    if (answer.status === before) answer = await ask();
    return answer.status !== before;
  });
  return answer;
}

test('many are forgotten among many that must stay, and what must stay is looked at once', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const { id } = await shop.post('/checkout', aCharge('60.00 USD'));
  const columns =
    'type, origin, exceptions, billing_currency, total, settlement_asset, language, tolerance, late_tolerance';
  // As if one had been made every second, five at a time, and the shop had been told of every second one.
  await gateway.db.script(`
    insert into checkout (merchant_id, id, state, created_at, updated_at, quoted_at, ${columns}, extra_confirmations,
                          payload, quotes, settlements)
    select merchant_id, 'many' || lpad(at::text, 8, '0'), state, made, made, made, ${columns}, extra_confirmations,
           payload, quotes, settlements
      from checkout cross join generate_series(1, 260) as at
     cross join lateral (select created_at + at / 5 * interval '1 second' as made) as moment
     where merchant_id = '${merchantId}' and id = '${id}';
    insert into event (merchant_id, id, type, subject, body, created_at)
    select merchant_id, 'told' || substr(id, 5), 'CHECKOUT_COMPLETED', id, '{}', created_at
      from checkout where merchant_id = '${merchantId}' and id like 'many%' and substr(id, 12)::integer % 2 = 0`);
  gateway.clock.advance(days(91));
  await gateway.runUntilIdle();
  const before = gateway.clock.now();
  const all = await gateway.db.begin((tx) => lockForgettable(tx, { from: new Date(0), before }, 1_000));
  const mine = all.filter((each) => each.merchantId === merchantId);
  assert.equal(mine.length, 131);
  const { createdAt: from } = mine[70] as { createdAt: Date };
  const rest = await gateway.db.begin((tx) => lockForgettable(tx, { from, before }, 1_000));
  assert.ok(rest.length < all.length && rest.every(({ createdAt }) => createdAt >= from), 'it goes on from there');

  const looked: number[] = [];
  const watched = (tx: Tx): Tx =>
    Object.assign((text: TemplateStringsArray, ...values: unknown[]) => {
      if (text.join('').includes('window_ends_at is null')) looked.push((values[0] as Date).getTime());
      return tx(text, ...values);
    }, tx);
  const begin: Db['begin'] = (work) => gateway.db.begin((tx) => work(watched(tx)));
  await forgetUnpaid({ begin }, before);
  assert.deepEqual(
    looked,
    [...new Set(looked)].sort((one, other) => one - other),
    'each look begins where one ended',
  );
  assert.ok(looked.length >= 3);
  const left = await gateway.db<{ id: string }>`select id from checkout where merchant_id = ${merchantId} order by id`;
  assert.deepEqual(
    left.map((row) => row.id),
    Array.from({ length: 130 }, (_, at) => `many${String(2 * at + 2).padStart(8, '0')}`),
  );
  await gateway.db`delete from event where merchant_id = ${merchantId}`;
});

test('where all room is taken, people read so beside their form; the operator gives one merchant more, and takes it again', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const [person, operator] = [
    await world.member('owner', 'owner@full.example', merchantId),
    await world.staff('operator', 'ines@full.example'),
  ];
  const fill = async (): Promise<void> => {
    const tiny = {
      ...longCharge,
      charge: { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: '60' }] },
    };
    for (const charge of [longCharge, { ...tiny, meta: { text: 'x'.repeat(15_000) } }, tiny])
      for (let refused = ''; refused === ''; ) {
        const { status, body } = await shop.request('POST', '/checkout', charge);
        if (status !== 200) refused = body.errors.join(' ');
        assert.match(refused, /^$|ask the operator for more room/);
      }
  };
  const link = { amount: '60', currency: 'USD', description: 'x'.repeat(200) };
  const lasting = { ...link, asks: 'fixed' };
  const forms = [
    ['/account/checkouts/new', link],
    ['/account/payment-links/new', lasting],
  ] as const;
  await fill();
  for (const [path, form] of forms) {
    const refused = await person.post(path, form);
    assert.equal(refused.status, 422, path);
    assert.match(words(refused), /This account keeps 1 MB of .*, which is as much as it may\. Ask the operator/);
    assert.ok(refused.text.includes(link.description), 'what was typed is still there');
  }
  const here = `/operator/merchants/${merchantId}`;
  assert.match(words(await operator.get(here)), /1 of 1 MB: give it more room below/);
  for (const megabytes of ['none', '0', '1.5', '10000001'])
    assert.equal((await operator.post(`${here}/room`, { megabytes })).status, 400, megabytes);

  const given = await operator.post(`${here}/room`, { megabytes: '2' });
  assert.equal(given.status, 303, given.text);
  assert.match(words(await operator.get(given.location)), /How much it may keep is changed.*1 of 2 MB/);
  gateway.clock.advance({ seconds: 2 });
  for (const [path, form] of forms) assert.equal((await person.post(path, form)).status, 303, path);
  await fill();
  const stored = await storedBytesOf(gateway.db, merchantId);
  assert.ok(stored > 1024 * 1024 && stored <= 2 * 1024 * 1024, `${stored}`);

  assert.equal((await operator.post(`${here}/room`, { megabytes: '' })).status, 303);
  gateway.clock.advance({ seconds: 2 });
  assert.match((await shop.refused(422, 'POST', '/checkout', aCharge('1.00 USD')))[0] ?? '', /keeps 1 MB/);
  const audit = await gateway.db<{ merchantId: string; action: string; detail: Record<string, unknown> }>`
    select merchant_id as "merchantId", action, detail from audit_log
     where detail::text like '%storedMegabytesMax%' order by id`;
  assert.deepEqual(audit.map(({ action }) => action).toSorted(), [
    'merchant.room_changed',
    'merchant.room_changed',
    'settings.changed',
    'settings.changed',
  ]);
});

test('a checkout for which nobody chose a way to pay is forgotten after ninety days, and still counted', async () => {
  const shop = await openShop(gateway);
  const make = async (): Promise<string> => (await shop.post('/checkout', aCharge('60.00 USD'))).id;
  const [unpaid, canceled, committed, told] = [await make(), await make(), await make(), await make()];
  await shop.post('/checkout/cancel', { checkoutId: canceled });
  await shop.post('/checkout/commit', { checkoutId: committed, network: 'BITCOIN' });
  await gateway.db`
    insert into event (merchant_id, id, type, subject, body, created_at)
    values (${shop.merchant.merchantId}, 'event0000001', 'CHECKOUT_COMPLETED', ${told}, '{}', ${gateway.clock.now()})`;
  const span = { from: new Date(0), to: new Date('2999-01-01') };
  const created = () => countCreated(gateway.db, shop.merchant.merchantId, [{ ...span, day: '2026-01-01' }]);
  const before = await created();
  const bytes = await storedBytesOf(gateway.db, shop.merchant.merchantId);

  gateway.clock.advance(days(90));
  await gateway.runUntilIdle();
  const young = await make();
  gateway.clock.advance({ minutes: -1 });
  await gateway.app.cleanUp();
  const isThere = async (id: string) => (await shop.request('GET', `/checkout?id=${id}`)).status;
  assert.equal(await isThere(unpaid), 200, 'not a minute too early');

  gateway.clock.advance({ minutes: 2 });
  await gateway.app.cleanUp();
  assert.equal(await isThere(unpaid), 404);
  assert.equal(await isThere(canceled), 200, 'somebody decided about it');
  assert.equal(await isThere(committed), 200, 'an address was shown: what comes late is credited');
  assert.equal(await isThere(told), 200, 'the shop was told of it');
  assert.equal(await isThere(young), 200);
  assert.equal(
    (await created()).get('2026-01-01'),
    (before.get('2026-01-01') ?? 0) + 1,
    'days count them all the same',
  );
  const now = await storedBytesOf(gateway.db, shop.merchant.merchantId);
  assert.equal(now, bytes, 'as much room was made as the young one takes');
  await gateway.db`delete from event where id = 'event0000001'`;
});
