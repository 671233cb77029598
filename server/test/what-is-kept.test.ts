/** How much of what merchants post is kept, and for how long. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countCreated } from '../src/checkouts/checkout-count-store.ts';
import { storedBytesOf } from '../src/http/stored-bytes-store.ts';
import { type AccountWorld, accountsAt, words } from './account-world.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop } from './shop.ts';

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
