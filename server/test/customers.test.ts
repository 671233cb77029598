/** A shop keeps its customers: creating, finding again, changing, deleting and listing them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { customerRoutes } from '../src/counterparties/customer-routes.ts';
import { customerOfInvoice } from '../src/counterparties/customer-store.ts';
import { newId } from '../src/lib/ids.ts';
import { type Reply, startApi, type TestApi } from './start-api.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
let api: TestApi;
before(async () => {
  database = await createTestDatabase();
  let now = Date.parse('2026-03-01T12:00:00Z');
  const deps = { db: database.db, clock: { now: () => new Date(now++) } };
  api = await startApi({ ...deps, routes: customerRoutes(deps) });
});
after(async () => {
  await api.close();
  await database.drop();
});

async function startShop() {
  const { merchantId, call } = await api.addMerchant();
  async function create(customer: object): Promise<string> {
    const { status, body } = await call('POST', '/customer', { customer });
    assert.equal(status, 200, JSON.stringify(body));
    return body['customerId'] as string;
  }
  const read = async (id: string) =>
    (await call('GET', `/customer?id=${id}`)).body['customer'] as Record<string, unknown>;
  return { merchantId, call, create, read };
}

const ada = {
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: 'Analytical Engines',
  adr1: '1 St James’s Square',
  adr2: '',
  zip: 4711,
  city: 'London',
  countrycode: 'gb',
  phonenumber: null,
  taxid: 'GB123',
  meta: { reference: 'ABC-123' },
};

test('a customer needs only an e-mail address', async () => {
  const shop = await startShop();
  const id = await shop.create({ email: 'only@example.com' });
  assert.match(id, /^[a-z0-9]{12}$/);
  const { timestamp, ...customer } = await shop.read(id);
  assert.equal(timestamp, '2026-03-01T12:00:00+00:00');
  assert.deepEqual(customer, {
    id,
    email: 'only@example.com',
    firstname: null,
    lastname: null,
    company: null,
    adr1: null,
    adr2: null,
    zip: null,
    city: null,
    countrycode: null,
    phonenumber: null,
    taxid: null,
    meta: null,
  });
});

test('a customer is kept as it was posted, with the country in capitals', async () => {
  const shop = await startShop();
  const { timestamp: _, id: __, ...customer } = await shop.read(await shop.create(ada));
  assert.deepEqual(customer, { ...ada, adr2: null, zip: '4711', countrycode: 'GB' });
});

test('what cannot be on a paper is refused: a VAT id that its country never gives, and control characters', async () => {
  const shop = await startShop();
  const errorsOf = async (change: Record<string, unknown>) =>
    (await shop.call('POST', '/customer', { customer: { ...ada, ...change } })).body['errors'];
  assert.deepEqual(await errorsOf({ taxid: 'DE 12' }), [
    'The VAT id DE 12 cannot be right: those of DE have another form.',
  ]);
  assert.deepEqual(await errorsOf({ company: 'Nord\u0007 GmbH', city: 'Ham\nburg', adr1: 'Tab\there' }), [
    'customer.company must not contain control characters.',
    'customer.adr1 must not contain control characters.',
    'customer.city must not contain control characters.',
  ]);
  const { adr1, taxid } = await shop.read(await shop.create({ ...ada, adr1: 'Dock 7\nHafenstr. 1', taxid: '12-7' }));
  assert.deepEqual([adr1, taxid], ['Dock 7\nHafenstr. 1', '12-7'], 'an address has lines');
});

test('the same e-mail address again is the same customer, with the new fields over the old ones', async () => {
  const shop = await startShop();
  const id = await shop.create(ada);
  assert.equal(await shop.create({ email: 'ADA@example.com', city: 'Paris', countrycode: 'FR' }), id);
  const customer = await shop.read(id);
  assert.deepEqual(
    [customer['city'], customer['countrycode'], customer['lastname'], customer['email'], customer['meta']],
    ['Paris', 'FR', 'Lovelace', 'ADA@example.com', { reference: 'ABC-123' }],
  );
});

test('twenty orders of a new customer at the same time make one customer', async () => {
  const shop = await startShop();
  const ids = await Promise.all(Array.from({ length: 20 }, () => shop.create({ email: 'crowd@example.com' })));
  assert.equal(new Set(ids).size, 1);
});

test('a customer is changed by PUT, and by POST with its id', async () => {
  const shop = await startShop();
  const id = await shop.create(ada);
  const change = { firstname: 'Augusta', company: '', countrycode: '', taxid: null };
  const put = await shop.call('PUT', '/customer', { customer: { id, ...change } });
  assert.deepEqual(put, { status: 200, body: { customerId: id } });
  const post = await shop.call('POST', '/customer', { customer: { id, email: 'augusta@example.com' } });
  assert.deepEqual(post, { status: 200, body: { customerId: id } });
  const customer = await shop.read(id);
  assert.deepEqual(
    [customer['firstname'], customer['company'], customer['taxid'], customer['email'], customer['lastname']],
    ['Augusta', null, 'GB123', 'augusta@example.com', 'Lovelace'],
  );
  assert.equal(customer['countrycode'], null);
});

test('a customer cannot take the e-mail address of another', async () => {
  const shop = await startShop();
  const id = await shop.create(ada);
  await shop.create({ email: 'taken@example.com' });
  const reply = await shop.call('PUT', '/customer', { customer: { id, email: 'Taken@example.com' } });
  assert.deepEqual(reply, {
    status: 409,
    body: { errors: ['Another customer already has the e-mail address "Taken@example.com".'] },
  });
});

test('a deleted customer is gone, but stays on its invoices', async () => {
  const shop = await startShop();
  const first = await shop.create(ada);
  const second = await shop.create({ email: 'second@example.com' });
  assert.deepEqual((await shop.call('DELETE', '/customer', { id: first })).body, { customerId: first });
  assert.equal((await shop.call('DELETE', '/customer', { customer: { id: second } })).status, 200);

  assert.equal((await shop.call('GET', `/customer?id=${first}`)).status, 404);
  assert.equal((await shop.call('PUT', '/customer', { customer: { id: first, city: 'Rome' } })).status, 404);
  assert.equal((await shop.call('DELETE', '/customer', { id: first })).status, 404);
  assert.deepEqual((await shop.call('GET', '/customers')).body, { customers: [], next: null });
  assert.equal((await customerOfInvoice(database.db, shop.merchantId, first))?.fields.city, 'London');
  assert.notEqual(await shop.create(ada), first);
});

test('customers are listed newest first, page by page', async () => {
  const shop = await startShop();
  const ids: string[] = [];
  for (let number = 0; number < 5; number += 1) ids.unshift(await shop.create({ email: `${number}@example.com` }));
  const seen: unknown[] = [];
  let next: string | null = null;
  do {
    const page: Reply = await shop.call('GET', `/customers?limit=2${next === null ? '' : `&cursor=${next}`}`);
    const customers = page.body['customers'] as { id: string }[];
    assert.ok(customers.length <= 2);
    seen.push(...customers.map((customer) => customer.id));
    next = page.body['next'] as string | null;
    // A customer who comes in between is newer than every page to come and moves nothing.
    await shop.create({ email: `late${seen.length}@example.com` });
  } while (next !== null);
  assert.deepEqual(seen, ids);

  const byEmail = await shop.call('GET', '/customers?email=3%40EXAMPLE.com');
  assert.deepEqual(
    (byEmail.body['customers'] as { email: string }[]).map((customer) => customer.email),
    ['3@example.com'],
  );
  assert.equal((await shop.call('GET', '/customers?cursor=bogus')).status, 400);
});

test('another merchant’s customer is answered exactly like an unknown one', async () => {
  const [mine, other] = [await startShop(), await startShop()];
  const id = await mine.create(ada);
  const unknown = newId();
  const requests: [string, (customerId: string) => Promise<Reply>][] = [
    ['GET', (customerId) => other.call('GET', `/customer?id=${customerId}`)],
    ['PUT', (customerId) => other.call('PUT', '/customer', { customer: { id: customerId, city: 'X' } })],
    ['POST', (customerId) => other.call('POST', '/customer', { customer: { id: customerId, city: 'X' } })],
    ['DELETE', (customerId) => other.call('DELETE', '/customer', { id: customerId })],
  ];
  for (const [name, request] of requests) {
    const [foreign, missing] = [await request(id), await request(unknown)];
    assert.equal(foreign.status, 404, name);
    assert.equal(JSON.stringify(foreign).replace(id, ''), JSON.stringify(missing).replace(unknown, ''), name);
  }
  assert.equal((await mine.read(id))['city'], 'London');
  assert.notEqual(await other.create(ada), id);
});

test('everything that is wrong is said at once, and nothing is written', async () => {
  const shop = await startShop();
  const missing = await shop.call('POST', '/customer', { customer: { countrycode: 'UK' } });
  assert.deepEqual(missing, {
    status: 400,
    body: {
      errors: [
        'customer.email is missing.',
        'customer.countrycode must be a country of ISO 3166-1 such as DE or US, but is "UK".',
      ],
    },
  });
  const long = await shop.call('POST', '/customer', { customer: { email: 'nobody', city: 'x'.repeat(101) } });
  assert.equal(long.status, 400);
  assert.equal(long.body.errors?.length, 2);
  assert.equal((await shop.call('POST', '/customer', {})).status, 400);
  assert.deepEqual((await shop.call('GET', '/customers')).body['customers'], []);
});

test('meta is echoed digit by digit, and PHP’s empty array is an empty object', async () => {
  const shop = await startShop();
  const { db } = database;
  const text = '{"customer":{"email":"digits@example.com","meta":{"amount":10.00000000000000000001}}}';
  const id = (await shop.call('POST', '/customer', text)).body['customerId'] as string;
  const stored = await customerOfInvoice(db, shop.merchantId, id);
  assert.equal(JSON.stringify(stored?.meta), '{"amount":10.00000000000000000001}');
  const empty = await shop.create({ email: 'php@example.com', meta: [] });
  assert.deepEqual((await shop.read(empty))['meta'], {});
});
