/**
 * A merchant with a good key asks for what belongs to another one, at every endpoint and page and with ids of every
 * kind. What it gets is what it would get for an id that never was, and nothing changes for anybody.
 *
 * The endpoints are read from the contract and the pages from the code: one that is missing in a table here fails.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import { newId } from '../src/lib/ids.ts';
import { deepTest } from './depth.ts';
import { aCharge, type Reply } from './gateway.ts';
import { aBitcoinAddress } from './refund-world.ts';
import type { Shop } from './shop.ts';
import {
  changedTables,
  digestsWithout,
  type Kind,
  ownerEmail,
  ownerLabel,
  startTenants,
  type Tenants,
} from './tenant-world.ts';

let tenants: Tenants;
before(async () => {
  tenants = await startTenants();
});
after(() => tenants.world.gateway.stop());

type Field = {
  /** What it is the id of; with which the owner is answered. */
  readonly of: Kind;
  /** The rest of a request that is good. */
  readonly more?: object;
  /** What an id that never was is answered with, and what the owner is. */
  readonly unknown?: number;
  readonly owned?: number;
};

const bitcoinOrder = { network: 'BITCOIN', asset: 'BTC', amount: '0.001' };
const { network: _, ...anyOrder } = bitcoinOrder;

/** Every field by which a request names something. In this order the owner asks, so what ends something comes last. */
const fields: Readonly<Record<string, Field>> = {
  'GET /checkout id': { of: 'checkout' },
  'GET /checkout/timeline id': { of: 'checkout' },
  'GET /checkouts customerId': { of: 'customer', unknown: 200 },
  'GET /refund id': { of: 'refund' },
  'GET /refunds checkoutId': { of: 'settled' },
  'GET /customer id': { of: 'customer' },
  'GET /swap id': { of: 'swap' },
  'GET /deposit id': { of: 'deposit' },
  'GET /paper id': { of: 'paper' },
  'GET /papers checkoutId': { of: 'invoiced', unknown: 200 },
  'GET /papers customerId': { of: 'customer', unknown: 200 },
  'GET /payment-link id': { of: 'paymentLink' },
  'GET /payment-link/checkouts id': { of: 'paymentLink' },
  'GET /payment-link/secret id': { of: 'paymentLink' },
  'GET /beneficiary id': { of: 'beneficiary' },
  'GET /target-account id': { of: 'targetAccount' },
  'GET /transfer id': { of: 'transfer' },
  'GET /transfer/estimate targetAccount': { of: 'targetAccount', more: anyOrder, unknown: 400 },
  'GET /reports/exports id': { of: 'export' },
  'GET /reports/exports/file id': { of: 'export' },
  'DELETE /reports/exports id': { of: 'export' },
  'GET /webhook-deliveries checkoutId': { of: 'settled', unknown: 200 },
  'POST /checkout charge.customerId': { of: 'customer', more: aCharge('60.00 USD'), unknown: 400 },
  'POST /checkout/hosted charge.customerId': { of: 'customer', more: aCharge('60.00 USD'), unknown: 400 },
  'POST /customer customer.id': { of: 'customer', more: { customer: { lastname: 'L' } } },
  'PUT /customer customer.id': { of: 'customer', more: { customer: { lastname: 'M' } } },
  'POST /beneficiary beneficiary.id': { of: 'beneficiary', more: { beneficiary: { townName: 'Rome' } } },
  'PUT /beneficiary beneficiary.id': { of: 'beneficiary', more: { beneficiary: { townName: 'Paris' } } },
  'POST /target-account id': { of: 'targetAccount', more: { beneficiaryId: '' } },
  'POST /target-account beneficiaryId': {
    of: 'beneficiary',
    unknown: 400,
    more: { label: 'Another', network: 'BITCOIN', address: aBitcoinAddress() },
  },
  'POST /webhook-deliveries/redeliver deliveryId': { of: 'delivery' },
  'POST /checkout/commit checkoutId': { of: 'checkout', more: { network: 'LITECOIN' } },
  'POST /checkout/accept-excess checkoutId': { of: 'settled', owned: 409 },
  'POST /refund checkoutId': { of: 'underpaid', more: { amount: '0.0001', address: aBitcoinAddress() } },
  'POST /checkout/accept-underpayment checkoutId': { of: 'underpaid' },
  'POST /checkout/cancel checkoutId': { of: 'checkout' },
  'POST /transfer targetAccount': { of: 'targetAccount', more: anyOrder, unknown: 400 },
  'POST /transfer/approve id': { of: 'transfer', owned: 403 },
  'POST /transfer/cancel id': { of: 'transfer' },
  'POST /refund/approve id': { of: 'refund', owned: 403 },
  'POST /refund/cancel id': { of: 'refund' },
  'POST /swap quoteId': { of: 'swapQuote' },
  'POST /deposit/close id': { of: 'deposit' },
  'POST /payment-link/close id': { of: 'paymentLink' },
  'POST /credit-note paperId': { of: 'paper' },
  'POST /paper/send id': { of: 'paper', owned: 409 }, // No mail server is set up here.
  'DELETE /target-account id': { of: 'targetAccount' },
  'DELETE /beneficiary id': { of: 'beneficiary', owned: 409 }, // A target account names it.
  'DELETE /customer id': { of: 'customer' },
};

/** Fields that are called like ids and name nothing of ours. */
const notNaming: readonly string[] = [
  'POST /checkout charge.lineItems.productId',
  'POST /checkout/hosted charge.lineItems.productId',
  'POST /checkout/validate-checkout-charge charge.lineItems.productId',
  'POST /checkout/validate-checkout-charge charge.customerId', // Only totalled.
  'POST /target-account label', // Every merchant has labels of its own.
  'GET /target-account label',
  'DELETE /target-account label',
];

/** Endpoints that tell of everything there is of a kind. */
const lists: Readonly<Record<string, Kind>> = {
  'GET /checkouts': 'settled',
  'GET /customers': 'customer',
  'GET /swaps': 'swap',
  'GET /deposits': 'deposit',
  'GET /papers': 'paper',
  'GET /payment-links': 'paymentLink',
  'GET /beneficiaries': 'beneficiary',
  'GET /target-accounts': 'targetAccount',
  'GET /transfers': 'transfer',
  'GET /refunds': 'refund',
  'GET /ledger-entries': 'settled',
  'GET /webhook-deliveries': 'delivery',
};

/** What is the same for everybody, the caller's own, or made anew. */
const withoutIds: readonly string[] = [
  ...['GET /time', 'GET /auth-test', 'GET /settings', 'GET /health', 'GET /status'],
  ...['GET /networks', 'GET /assets', 'GET /currencies', 'GET /languages'],
  ...['POST /checkout/validate-checkout-charge', 'GET /wallets', 'GET /wallet', 'GET /swap/quote'],
  'GET /reports/statement',
  'GET /reports/checkouts',
  'POST /reports/exports',
  ...['GET /reports/disposals', 'GET /reports/tax', 'GET /reports/fees'],
  'POST /deposit-address',
  'POST /payment-link',
];

type Schema = { readonly properties?: Record<string, Schema>; readonly anyOf?: Schema[]; readonly items?: Schema };

function namesIn(schema: Schema | undefined, path: readonly string[] = []): string[] {
  if (!schema) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((each) => namesIn(each, path));
  if (schema.items) return namesIn(schema.items, path);
  if (!schema.properties) return [path.join('.')];
  return Object.entries(schema.properties).flatMap(([name, each]) => namesIn(each, [...path, name]));
}

const isNaming = (field: string): boolean => /(^|\.)(id|\w+Id|targetAccount|label)$/.test(field);

test('every endpoint, and every field that names something, is in the tables of this test', () => {
  const all = Object.values(endpoints);
  const naming = all.flatMap(({ method, path, ...schemas }) => {
    const { query, body } = schemas as { query?: Schema; body?: Schema };
    return [...new Set([...namesIn(query), ...namesIn(body)])].filter(isNaming).map((f) => `${method} ${path} ${f}`);
  });
  assert.deepEqual([...Object.keys(fields), ...notNaming].toSorted(), naming.toSorted());
  const known = new Set([
    ...Object.keys(fields).map((each) => each.replace(/ \S+$/, '')),
    ...Object.keys(lists),
    ...withoutIds,
  ]);
  assert.deepEqual(
    all.map(({ method, path }) => `${method} ${path}`).filter((each) => !known.has(each)),
    [],
  );
});

/** The request of a field, naming this id. */
function ask(shop: Shop, field: string, id: string): Promise<Reply> {
  const [method = '', path = '', name = ''] = field.split(' ');
  const request = structuredClone(fields[field]?.more ?? {}) as Record<string, any>;
  const [first = '', second] = name.split('.');
  if (second === undefined) request[first] = id;
  else request[first] = { ...request[first], [second]: id };
  if (method === 'GET') return shop.request(method, `${path}?${new URLSearchParams(request).toString()}`);
  return shop.request(method, path, request);
}

const answerOf = ({ status, body }: Reply, id: string) => ({
  status,
  body: JSON.stringify(body).replaceAll(id, 'the id'),
});

const everythingElse = () => digestsWithout(tenants.world.gateway.db, tenants.stranger.merchant.merchantId);
const changedSince = async (before: ReadonlyMap<string, string>): Promise<string[]> =>
  changedTables(before, await everythingElse());

deepTest("whatever a stranger's request names, it is answered like what never was, and changes nothing", async () => {
  const { stranger, ids } = tenants;
  const before = await everythingElse();
  for (const [field, { unknown = 404 }] of Object.entries(fields)) {
    const nobodys = newId();
    const expected = answerOf(await ask(stranger, field, nobodys), nobodys);
    assert.equal(expected.status, unknown, `${field}: ${expected.body}`);
    for (const [kind, id] of Object.entries(ids))
      assert.deepEqual(answerOf(await ask(stranger, field, id), id), expected, `${field} with the id of a ${kind}`);
    assert.deepEqual(await changedSince(before), [], `${field} changed something`);
  }
});

test("a target account is found by its label, but not a stranger's", async () => {
  const { owner, stranger } = tenants;
  const before = await everythingElse();
  const name = new URLSearchParams({ label: ownerLabel }).toString();
  await stranger.refused(404, 'GET', `/target-account?${name}`);
  await stranger.refused(404, 'DELETE', '/target-account', { label: ownerLabel });
  await stranger.refused(400, 'POST', '/transfer', { ...anyOrder, targetAccount: ownerLabel });
  assert.deepEqual(await changedSince(before), []);
  assert.equal((await owner.get(`/target-account?${name}`)).targetAccountId, tenants.ids.targetAccount);
});

test('no list and no balance shows anything of another merchant', async () => {
  const { owner, stranger, ids } = tenants;
  for (const [list, kind] of Object.entries(lists)) {
    const path = list.replace('GET ', '');
    assert.ok(JSON.stringify(await owner.get(path)).includes(ids[kind]), `${list} of the owner`);
    const shown = JSON.stringify(await stranger.get(path));
    for (const [other, id] of Object.entries(ids)) assert.ok(!shown.includes(id), `${list} shows the ${other}`);
  }
  assert.deepEqual((await stranger.get(`/customers?email=${ownerEmail}`)).customers, []);
  assert.equal((await owner.get(`/customers?email=${ownerEmail}`)).customers.length, 1);
  const available = async (shop: Shop) => (await shop.get('/wallet?assetCode=LTC')).wallet.available;
  assert.notEqual(await available(owner), '0');
  assert.equal(await available(stranger), '0');
});

test("another merchant's Idempotency-Key is as good as any", async () => {
  const { owner, stranger } = tenants;
  const headers = { 'idempotency-key': 'monday' };
  const create = (shop: Shop) => shop.request('POST', '/checkout', aCharge('25.00 USD'), { headers });
  const [first, foreign, again] = [await create(owner), await create(stranger), await create(owner)];
  assert.deepEqual([first.status, foreign.status, again.body.id], [200, 200, first.body.id]);
  assert.notEqual(foreign.body.id, first.body.id);
});

test('a token opens the claim of its own checkout and nothing else', async () => {
  const { claims, world, ids } = tenants;
  const [first, second] = claims;
  assert.ok(first && second);
  const origin = new URL(world.gateway.url).origin;
  const at = (checkoutId: string, token: string, init?: RequestInit) =>
    fetch(`${origin}/en/checkout/${checkoutId}/refund?token=${token}`, { redirect: 'manual', ...init });
  const claim = (token: string) => ({
    method: 'POST',
    body: new URLSearchParams({ token, address: aBitcoinAddress() }),
  });
  const before = await everythingElse();
  for (const [checkoutId, token] of [
    [first.checkoutId, second.token],
    [second.checkoutId, first.token],
    [ids.checkout, first.token],
    [ids.settled, second.token],
  ] as const) {
    assert.equal((await at(checkoutId, token)).status, 404);
    assert.equal((await at(checkoutId, token, claim(token))).status, 404);
  }
  assert.deepEqual(await changedSince(before), []);
  for (const { checkoutId, token } of claims) assert.equal((await at(checkoutId, token)).status, 200);
});

type Page = {
  readonly of: Kind;
  readonly form?: () => Record<string, string>;
  readonly search?: () => string;
  readonly owned?: number;
};
const claimToken = (): string => tenants.claims[0]?.token ?? '';

/** Every page about something of a merchant's, with what is answered to a container on the owner's own domain. */
const pages: Readonly<Record<string, Page>> = {
  'GET /:lang/checkout/:id': { of: 'checkout' },
  'GET /:lang/checkout/:id/methods': { of: 'checkout' },
  'GET /:lang/checkout/:id/commit': { of: 'checkout', owned: 303 },
  'GET /:lang/checkout/:id/contact': { of: 'checkout', owned: 303 },
  'GET /:lang/checkout/:id/ask-back': { of: 'checkout', owned: 303 },
  'GET /:lang/cancel-hosted-checkout/:id': { of: 'checkout' },
  'GET /:lang/return-from-hosted-checkout/:id': { of: 'checkout' },
  'GET /:lang/invoice/:id': { of: 'checkout', owned: 404 }, // Not paid yet.
  'GET /:lang/checkout/:id/receipt': { of: 'checkout', owned: 404 },
  'GET /ajax/checkout/:id/version': { of: 'checkout' },
  'GET /ajax/checkout/:id/events': { of: 'checkout' },
  // Without its signature it says that it was changed.
  'GET /:lang/checkout/pay/:id': { of: 'paymentLink', owned: 403 },
  'GET /:lang/checkout/:id/refund': { of: 'underpaid', search: () => `?token=${claimToken()}` },
  'POST /:lang/checkout/:id/contact': {
    of: 'checkout',
    form: () => ({ network: 'BITCOIN', refundAddress: aBitcoinAddress() }),
    owned: 303,
  },
  'POST /:lang/checkout/:id/commit': { of: 'checkout', form: () => ({ method: 'LITECOIN' }), owned: 303 },
  'POST /:lang/checkout/pay/:id': { of: 'paymentLink', form: () => ({}), owned: 403 },
  'POST /:lang/checkout/:id/ask-back': { of: 'checkout', form: () => ({}), owned: 303 },
  'POST /:lang/checkout/:id/refund': {
    of: 'underpaid',
    form: () => ({ token: claimToken(), address: aBitcoinAddress() }),
    owned: 303,
  },
};

/** Who runs the installation sees what is anybody's, by right: operator-matrix.test.ts. */
const ofStaff: readonly string[] = [
  ...['${jobsPath}/:id/${what}', '${merchantsPath}/:id/cancel'],
  ...['${returnsPath}/:id/approve', '${returnsPath}/:id/refuse'],
  ...['${movementsPath}/:id', '${movementsPath}/:id/assign'],
  ...['${suspensePath}/:id/own', '${adoptionsPath}/:id/approve', '${adoptionsPath}/:id/refuse'],
];

/** Pages that show nothing of anybody's, or only in the sandbox or for a wallet that signs, found in the same way as the others. */
const otherPages: readonly string[] = [
  ...['/operator/bank/:network/:position', '${bankPath}/:network/files', '${bankPath}/:network/refuse'], // Of no merchant.
  '/operator/bank/:network/put-aside', // Nor this.
  ...ofStaff,
  ...['/:lang/checkout/preview', '/:lang/checkout/preview/:state', '/:lang/checkout-invalid'],
  '/:lang/checkout/mails/:token', // The token names the merchant: status-mails.sampled.test.ts.
  '/pay/:id', // Only at our own domain, and leads to the page above.
  ...['/ajax/checkout/:id/:network', '/:lang/checkout/:id/sandbox', '${brandFileFolder}/:name'],
];

test('every page with an id in its path is in the tables of this test', async () => {
  const rooms = ['payment-page', 'invoices', 'operator', 'site'].map(
    (room) => new URL(`../src/${room}/`, import.meta.url),
  );
  const inRoom = async (room: URL) => (await readdir(room)).map((name) => new URL(name, room));
  const files = (await Promise.all(rooms.map(inRoom))).flat().filter(({ pathname }) => pathname.endsWith('-routes.ts'));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const paths = texts.flatMap((text) =>
    [...text.matchAll(/path(?:: | = )(['`])(.*?)\1/g)].map(([, , path = '']) => path),
  );
  const known = [...Object.keys(pages).map((page) => page.replace(/^\w+ /, '')), ...otherPages];
  assert.ok(paths.length > 15, paths.join());
  assert.deepEqual([...new Set(paths.filter((path) => path.includes(':')))].toSorted(), [...new Set(known)].toSorted());
});

test("on a merchant's own domain nothing of another merchant's exists", async () => {
  const { doors, ids, world } = tenants;
  const { origin } = new URL(world.gateway.url);
  async function visit(page: string, headers: Record<string, string>, id: string) {
    const [method = '', path = ''] = page.split(' ');
    const { form, search } = pages[page] ?? {};
    const url = `${origin}${path.replace(':lang', 'en').replace(':id', id)}${search?.() ?? ''}`;
    const abort = new AbortController();
    const body = form && new URLSearchParams(form());
    const reply = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: abort.signal,
      ...(body && { body }),
    });
    const isStream = reply.headers.get('content-type') === 'text/event-stream';
    const text = isStream ? '' : await reply.text();
    if (isStream) abort.abort();
    return { status: reply.status, text: text.replaceAll(/nonce="[^"]+"|'nonce-[^']+'/g, '').replaceAll(id, 'the id') };
  }
  const before = await everythingElse();
  for (const [page, { of }] of Object.entries(pages)) {
    const expected = await visit(page, doors.stranger, newId());
    assert.equal(expected.status, 404, page);
    assert.deepEqual(await visit(page, doors.stranger, ids[of]), expected, page);
    assert.deepEqual(await changedSince(before), [], page);
  }
  for (const [page, { of, owned = 200 }] of Object.entries(pages))
    assert.equal((await visit(page, doors.owner, ids[of])).status, owned, page);
});

test('the owner is answered what a stranger is not', async () => {
  const { owner, ids, world } = tenants;
  for (const [field, { of, owned = 200 }] of Object.entries(fields)) {
    world.gateway.clock.advance({ seconds: 1 }); // Where money leaves, a signature is good for one request.
    const { status, body } = await ask(owner, field, ids[of]);
    assert.equal(status, owned, `${field}: ${JSON.stringify(body)}`);
    if (field.startsWith('GET')) assert.ok(JSON.stringify(body).length > 30, `${field} has something to tell`);
  }
});
