/** GET /checkouts page by page, whose is whose, and asking twice with one Idempotency-Key. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { pageBytes } from '../src/http/page-cursor.ts';
import { newId } from '../src/lib/ids.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

const idsOf = (page: { checkouts: { id: string }[] }) => page.checkouts.map(({ id }) => id);

async function createMany(shop: Shop, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await shop.create('60.00 USD'));
  return ids;
}

test('pages follow each other without gaps or repeats while new checkouts are created', async () => {
  const shop = await openShop(gateway);
  const before = await createMany(shop, 8); // all in one moment of our clock
  gateway.clock.advance({ seconds: 1 });
  before.push(...(await createMany(shop, 4)));

  const seen: string[] = [];
  let next: string | null = null;
  do {
    const page: any = await shop.get(`/checkouts?limit=5${next === null ? '' : `&cursor=${next}`}`);
    seen.push(...idsOf(page));
    next = page.next;
    gateway.clock.advance({ seconds: 1 });
    await shop.create('60.00 USD');
  } while (next !== null);
  assert.equal(new Set(seen).size, seen.length, 'no repeats');
  assert.deepEqual(seen.toSorted(), before.toSorted(), 'no gaps, and nothing that is newer than the first page');
  assert.deepEqual(seen.slice(0, 4).toSorted(), before.slice(8).toSorted(), 'newest first');
});

test('a page that holds the last checkouts exactly has no next', async () => {
  const shop = await openShop(gateway);
  assert.deepEqual(await shop.get('/checkouts'), { checkouts: [], next: null });
  await createMany(shop, 3);
  assert.equal((await shop.get('/checkouts?limit=3')).next, null);
  const page = await shop.get('/checkouts?limit=2');
  assert.equal(page.checkouts.length, 2);
  assert.equal((await shop.get(`/checkouts?limit=2&cursor=${page.next}`)).checkouts.length, 1);
});

test('checkouts are filtered by state, customer and time', async () => {
  const shop = await openShop(gateway);
  const { customerId } = await shop.post('/customer', { customer: { email: 'a@b.test' } });
  const start = gateway.clock.now();
  const [plain] = await createMany(shop, 1);
  gateway.clock.advance({ minutes: 1 });
  await gateway.runUntilIdle();
  const linked = (
    await shop.post('/checkout', {
      charge: { customerId, billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] },
    })
  ).id;
  await shop.commit(linked, 'BITCOIN');

  const find = async (query: string) => idsOf(await shop.get(`/checkouts?${query}`));
  assert.deepEqual(await find('state=PENDING'), [linked]);
  assert.deepEqual(await find('state=CREATED'), [plain]);
  assert.deepEqual(await find('state=COMPLETED'), []);
  assert.deepEqual(await find(`customerId=${customerId}`), [linked]);
  assert.deepEqual(await find('customerId=unknown12345'), []);
  const later = encodeURIComponent(new Date(start.getTime() + 30_000).toISOString());
  assert.deepEqual(await find(`from=${later}`), [linked]);
  assert.deepEqual(await find(`to=${later}`), [plain]);
  assert.deepEqual(await find(`from=${later}&state=CREATED`), []);
  const exactly = encodeURIComponent(start.toISOString());
  assert.deepEqual(await find(`from=${exactly}&to=${later}`), [plain], 'from includes its moment');
  assert.deepEqual(await find(`to=${exactly}`), [], 'to does not');
});

test('a query that makes no sense is refused with a sentence', async () => {
  const shop = await openShop(gateway);
  for (const [query, sentence] of [
    ['limit=0', /^limit must be a whole number of at least 1, but is "0"/],
    ['limit=-1', /^limit/],
    ['limit=2.5', /^limit/],
    ['limit=1e3', /^limit/],
    ['limit=ten', /^limit/],
    ['state=PAID', /^state must be one of/],
    ['cursor=nonsense', /^cursor must be/],
    ['cursor=zzzzzzzzzzz.abcdefghijkl', /^cursor must be/],
    ['from=yesterday', /^from must be a timestamp/],
    ['to=2026-13-45', /^to must be a timestamp/],
  ] as const) {
    const [first] = await shop.refused(400, 'GET', `/checkouts?${query}`);
    assert.match(first as string, sentence, query);
  }
  assert.equal((await shop.get('/checkouts?')).next, null, 'a bare question mark is nothing');
});

test('a limit beyond ours is ours, on every list', async () => {
  const shop = await openShop(gateway);
  const lists = (Object.values(endpoints) as Endpoint[]).filter(
    ({ query, path }) =>
      query &&
      'properties' in query &&
      Object.hasOwn(query.properties as object, 'limit') &&
      !path.startsWith('/reports/'), // Of closed days, which a new account has none of: account-reports.sampled.test.ts.
  );
  assert.ok(lists.length >= 7, `${lists.length} lists`);
  const { paymentLink } = await shop.post('/payment-link', { description: 'Tea', currency: 'EUR', amount: '2.50' });
  for (const { path } of lists)
    for (const limit of ['101', '250', '9'.repeat(30)]) {
      const whose = path === endpoints.listPaymentLinkCheckouts.path ? `&id=${paymentLink.id}` : '';
      assert.ok(await shop.get(`${path}?limit=${limit}${whose}`));
    }

  await createMany(shop, 101);
  assert.equal((await shop.get('/checkouts?limit=250')).checkouts.length, 100);
});

test('another merchant’s checkout is answered like one that never existed', async () => {
  const [owner, stranger] = [await openShop(gateway), await openShop(gateway)];
  const id = await owner.create('60.00 USD');
  const never = 'abcdefghijkl';
  for (const [method, path, bodyOf] of [
    ['GET', '/checkout?id=ID', undefined],
    ['GET', '/checkout/timeline?id=ID', undefined],
    ['POST', '/checkout/commit', (checkoutId: string) => ({ checkoutId, network: 'BITCOIN' })],
    ['POST', '/checkout/cancel', (checkoutId: string) => ({ checkoutId })],
    ['POST', '/checkout/accept-underpayment', (checkoutId: string) => ({ checkoutId })],
  ] as const) {
    const ask = (which: string) => stranger.refused(404, method, path.replace('ID', which), bodyOf?.(which));
    assert.deepEqual(
      (await ask(id)).map((sentence) => sentence.replaceAll(id, never)),
      await ask(never),
      `${method} ${path}`,
    );
  }
  assert.deepEqual(await stranger.get('/checkouts'), { checkouts: [], next: null });
  assert.equal(await owner.state(id), 'CREATED');

  const { customerId } = await owner.post('/customer', { customer: { email: 'a@b.test' } });
  const charge = { customerId, billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
  const [sentence] = await stranger.refused(400, 'POST', '/checkout', { charge });
  assert.match(sentence as string, /^charge\.customerId/);
  await owner.post('/checkout', { charge });
});

test('an id in any form is simply unknown', async () => {
  const shop = await openShop(gateway);
  for (const id of ['x', 'ABCDEFGHIJKL', "'; drop table checkout; --", '漢字', '%25', '../../etc'])
    await shop.refused(404, 'GET', `/checkout?id=${encodeURIComponent(id)}`);
  assert.match((await shop.refused(400, 'GET', '/checkout'))[0] as string, /^id is missing/);
  assert.match((await shop.refused(400, 'GET', `/checkout?id=${'x'.repeat(101)}`))[0] as string, /^id must be at most/);
  await shop.refused(400, 'GET', '/checkout?id=a&id=b');
});

test('a request sent again with its Idempotency-Key makes one checkout', async () => {
  const shop = await openShop(gateway);
  const options = { headers: { 'idempotency-key': 'order-1' } };
  const body = aCharge('60.00 USD');
  const first = await shop.request('POST', '/checkout', body, options);
  const again = await shop.request('POST', '/checkout', body, options);
  assert.equal(first.status, 200);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await shop.get('/checkouts')).checkouts.length, 1);

  const other = await shop.request('POST', '/checkout', aCharge('61.00 USD'), options);
  assert.equal(other.status, 422);
  assert.match(other.body.errors[0], /another request/);
  const elsewhere = await openShop(gateway);
  assert.equal(
    (await elsewhere.request('POST', '/checkout', body, options)).status,
    200,
    'a key is the merchant’s own',
  );

  gateway.clock.advance({ hours: 24 });
  await gateway.runUntilIdle();
  const dayLater = await shop.request('POST', '/checkout', body, options);
  assert.notEqual(dayLater.body.id, first.body.id, 'forgotten after a day');
});

test('requests with one Idempotency-Key at the same moment make one checkout', async () => {
  const shop = await openShop(gateway);
  const options = { headers: { 'idempotency-key': 'at-once' } };
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => shop.request('POST', '/checkout', aCharge('60.00 USD'), options)),
  );
  const statuses = new Set(replies.map(({ status }) => status));
  assert.ok(
    [...statuses].every((status) => status === 200 || status === 409),
    [...statuses].join(),
  );
  const made = replies.filter(({ status }) => status === 200).map(({ body }) => body.id);
  assert.equal(new Set(made).size, 1);
  assert.equal((await shop.get('/checkouts')).checkouts.length, 1);
});

/** Lists whose rows have what somebody posted, at its largest. */
const longLists: Record<string, (meta: { text: string }) => readonly [path: string, body: object]> = {
  checkouts: (meta) => ['/checkout', withRows(meta.text.length)],
  customers: (meta) => ['/customer', { customer: { email: `${newId()}@example.com`, meta } }],
  beneficiaries: (meta) => ['/beneficiary', { beneficiary: { type: 'COMPANY', company: 'Acme', meta } }],
  'payment-links': (meta) => ['/payment-link', { description: 'Tea', currency: 'USD', amount: '5', meta }],
  deposits: (meta) => ['/deposit-address', { asset: 'BTC', network: 'BITCOIN', meta }],
};

/** A charge of about so many bytes. */
function withRows(bytes: number) {
  const rows = Array.from({ length: Math.ceil(bytes / 250) }, () => ({
    description: 'x'.repeat(200),
    netAmount: '60',
  }));
  const charge = { billingCurrency: 'USD', lineItems: rows.slice(0, 480), shippingCostItems: rows.slice(480) };
  return { charge, settlementAsset: 'ORIGIN', meta: { text: 'x'.repeat(Math.min(bytes, 9)) }, size: bytes };
}

for (const [list, body] of Object.entries(longLists))
  test(`a page of ${list} ends where it has enough, and the next ones have the rest`, async () => {
    const shop = await openShop(gateway);
    const long = [240_000, 9, 240_000, 240_000, 9, 40_000, 240_000, 240_000];
    const sizes = list === 'checkouts' ? long : Array<number>(34).fill(16_000);
    for (const size of sizes) {
      const [path, posted] = body({ text: 'x'.repeat(size) });
      await shop.post(path, posted);
    }
    const name = list === 'payment-links' ? 'paymentLinks' : list;
    const bySize = (one: number, other: number): number => one - other;
    const seen: number[] = [];
    const rows: number[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: any = await shop.get(`/${list}?limit=100${next && `&cursor=${next}`}`);
      const bytes = JSON.stringify(page).length;
      assert.ok(bytes < pageBytes + 10_000, `a page of ${bytes} bytes`);
      rows.push(page[name].length);
      seen.push(...page[name].map(({ meta, payload }: any) => payload?.size ?? meta.text.length));
      next = page.next;
    }
    assert.deepEqual(seen.toSorted(bySize), sizes.toSorted(bySize));
    assert.ok(rows.length > 1 && rows.length <= 5, `pages of ${rows.join()} rows`);
  });
