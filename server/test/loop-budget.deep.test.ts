/**
 * Work has a budget: no request of anybody, at any size that the contract allows, holds the event loop for long. Every
 * endpoint is sent the largest and the worst that it could be sent, and everything that can be opened without signing in
 * is opened for orders of the largest charge. What that is measured by: `held-loop`.
 *
 * The endpoints are read from the contract and the pages from the code: one that is missing in a table here fails.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { accountRoutes } from '../src/account/account-routes.ts';
import type { AccountRoute } from '../src/account/frame/account-route.ts';
import { newFormName } from '../src/account/frame/send-once.ts';
import { usualBodyBytes } from '../src/http/read-body.ts';
import { giveWay } from '../src/lib/give-way.ts';
import type { Asked, AskedAnswer } from './asking-thread.ts';
import { atLeastOne } from './at-least-one.ts';
import { digestHeaders } from './gateway.ts';
import { createAsker, heldAtMost, knownWork } from './held-loop.ts';
import {
  type Filling,
  fillings,
  hostileBodies,
  hostileForms,
  largestBody,
  largestOf,
  wrongAtTheEnd,
} from './largest-requests.ts';
import {
  type LargestWorld,
  largestCharge,
  largestCustomer,
  makeCustomer,
  makeLink,
  makeOrder,
  makeOrders,
  type Orders,
  openDoor,
  signInOwner,
  startLargestWorld,
  tokensOf,
} from './largest-world.ts';
import { aBitcoinAddress } from './refund-world.ts';
import { startServiceProcess } from './service-process.ts';

const asker = createAsker();
const allFillings = Object.keys(fillings) as Filling[];
/** Each of what is shown is written anew for HTML, and five times as long there. */
const worst: Filling = 'markup';

let largest: LargestWorld;
let orders: Orders;
let claim: string;
let tokens: ReturnType<typeof tokensOf>;
let door: Record<string, string>;
let linkId: string;
let customerId: string;
before(async () => {
  largest = await startLargestWorld();
  const { shop } = largest;
  customerId = await makeCustomer(shop, worst, 'ada@shop.example');
  ({ orders, claim } = await makeOrders(largest, worst, customerId));
  linkId = await makeLink(shop, worst);
  tokens = tokensOf(largest);
  door = await openDoor(largest);
});
after(async () => {
  await asker.end();
  await largest.stop();
});

/** What held the loop for too long, each with for how long, in known works. */
const tooLong: string[] = [];
async function isHeldShortly(name: string, asked: () => Asked): Promise<AskedAnswer> {
  const { works, answer } = await asker.held(asked);
  if (works > heldAtMost) tooLong.push(`${works.toFixed(0)} of ${heldAtMost}: ${name}`);
  assert.ok(answer.status < 500 || answer.status === 503, `${name}: ${answer.status} ${answer.beginning}`);
  return answer;
}
const nothingWasTooLong = (): void => assert.deepEqual(tooLong.splice(0), []);

/** Rates and the health of networks are old after some minutes of the story's clock. */
async function keepUp(): Promise<void> {
  await largest.gateway.app.pollRates();
  await largest.gateway.runUntilIdle();
}

const origin = (): string => new URL(largest.gateway.url).origin;

/** Where money leaves, a signature is good for one request: another try is signed a second later. */
const usedUp = new Set(Object.values(endpoints).flatMap((each) => ('isSignatureUsedUp' in each ? [each.path] : [])));

function callApi(method: string, path: string, body = ''): Promise<AskedAnswer> {
  return isHeldShortly(`${method} ${path.slice(0, 80)} ${body.slice(0, 60)}`, () => {
    const { gateway, shop } = largest;
    if (usedUp.has(path as never)) gateway.clock.advance({ seconds: 1 });
    const signed = digestHeaders(shop.merchant, method, path, body, gateway.clock.now());
    const headers = { 'content-type': 'application/json', ...signed };
    return { url: `${gateway.url}${path}`, method, headers, ...(method === 'GET' ? {} : { body }) };
  });
}

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

const open = (path: string, headers: Record<string, string> = {}): Promise<AskedAnswer> =>
  isHeldShortly(`GET ${path.slice(0, 120)}`, () => ({ url: `${origin()}${path}`, method: 'GET', headers }));

const send = (path: string, name: string, body: string, headers: Record<string, string> = {}): Promise<AskedAnswer> =>
  isHeldShortly(`POST ${path.slice(0, 120)} ${name}`, () => ({
    url: `${origin()}${path}`,
    method: 'POST',
    headers: { ...formHeaders, ...headers },
    body,
  }));

test('a handler that takes too long is noticed, and one that gives way is not', async () => {
  const works = (count: number): void => {
    for (let done = 0; done < count; done += 1) knownWork();
  };
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === '/at-once') works(2 * heldAtMost);
      else for (let part = 0; part < 10; part += 1) await giveWay().then(() => works(heldAtMost / 5));
      response.end();
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const heldBy = async (path: string): Promise<number> =>
    (await asker.held(() => ({ url: `${url}${path}`, method: 'GET', headers: {} }), { tries: 2 })).works;
  try {
    const [atOnce, inParts] = [await heldBy('/at-once'), await heldBy('/in-parts')];
    assert.ok(atOnce > heldAtMost, `${atOnce}`);
    assert.ok(inParts <= heldAtMost, `${inParts}`);
  } finally {
    server.close();
  }
});

type Schema = { readonly properties?: Readonly<Record<string, Schema>> };
type Fields = Record<string, unknown>;

/** What of the largest body of an endpoint must be something else for it to be done; null: it is refused. */
const done: Readonly<Record<string, (() => Fields) | null>> = {
  'POST /checkout': () => ({}),
  'POST /checkout/hosted': () => ({}),
  'POST /checkout/validate-checkout-charge': () => ({}),
  'POST /checkout/commit': () => ({ checkoutId: orders.created, network: 'BITCOIN', asset: null }),
  'POST /checkout/cancel': null,
  'POST /checkout/accept-underpayment': null,
  'POST /checkout/accept-excess': null,
  'POST /refund': null,
  'POST /refund/approve': null,
  'POST /refund/cancel': null,
  'POST /customer': () => largestCustomer(worst, 'bob@shop.example'),
  'PUT /customer': () => ({ customer: { ...largestCustomer(worst, 'ada@shop.example').customer, id: customerId } }),
  'DELETE /customer': null,
  'POST /payment-link': () => ({
    ...{ currency: 'USD', amount: null, amountMin: null, amountMax: null, signedOnly: false },
    ...{ settlementAsset: null, webhook: largest.gateway.webhookUrl },
  }),
  'POST /payment-link/close': null,
  'POST /credit-note': null,
  'POST /paper/send': null,
  'POST /reports/exports': null,
  'DELETE /reports/exports': null,
  'POST /swap': null,
  'POST /deposit-address': () => ({
    network: 'BITCOIN',
    asset: null,
    amount: null,
    webhook: largest.gateway.webhookUrl,
  }),
  'POST /deposit/close': null,
  'POST /target-account': null,
  'DELETE /target-account': null,
  'POST /beneficiary': null,
  'PUT /beneficiary': null,
  'DELETE /beneficiary': null,
  'POST /transfer': null,
  'POST /transfer/approve': null,
  'POST /transfer/cancel': null,
  'POST /webhook-deliveries/redeliver': null,
};

const month = 'period=2026-03';
const all = 'limit=100';
/** How everything else is asked. */
const reads: Readonly<Record<string, () => string>> = {
  'GET /time': () => '',
  'GET /auth-test': () => '',
  'GET /settings': () => '',
  'GET /health': () => '',
  'GET /status': () => '',
  'GET /networks': () => '',
  'GET /assets': () => '',
  'GET /currencies': () => '',
  'GET /languages': () => '',
  'GET /refund': () => 'id=aaaaaaaaaaaa',
  'GET /refunds': () => all,
  'GET /checkout': () => `id=${orders.refunded}`,
  'GET /checkouts': () => all,
  'GET /checkout/timeline': () => `id=${orders.refunded}`,
  'GET /customer': () => `id=${customerId}`,
  'GET /customers': () => all,
  'GET /payment-link': () => `id=${linkId}`,
  'GET /payment-links': () => all,
  'GET /payment-link/checkouts': () => `id=${linkId}`,
  'GET /payment-link/secret': () => `id=${linkId}`,
  'GET /papers': () => all,
  'GET /paper': () => 'id=aaaaaaaaaaaa',
  'GET /wallets': () => '',
  'GET /wallet': () => 'assetCode=BTC',
  'GET /ledger-entries': () => all,
  'GET /reports/statement': () => month,
  'GET /reports/checkouts': () => `${month}&${all}`,
  'GET /reports/exports': () => 'id=aaaaaaaaaaaa',
  'GET /reports/exports/file': () => 'id=aaaaaaaaaaaa',
  'GET /reports/disposals': () => `${month}&${all}`,
  'GET /reports/tax': () => month,
  'GET /reports/fees': () => month,
  'GET /swap/quote': () => 'sourceAsset=BTC&targetAsset=LTC&sourceAmount=0.0001',
  'GET /swap': () => 'id=aaaaaaaaaaaa',
  'GET /swaps': () => all,
  'GET /deposit': () => 'id=aaaaaaaaaaaa',
  'GET /deposits': () => all,
  'GET /target-account': () => 'id=aaaaaaaaaaaa',
  'GET /target-accounts': () => all,
  'GET /beneficiary': () => 'id=aaaaaaaaaaaa',
  'GET /beneficiaries': () => all,
  'GET /transfer/estimate': () => `network=BITCOIN&asset=BTC&amount=0.0001&address=${aBitcoinAddress()}`,
  'GET /transfer': () => 'id=aaaaaaaaaaaa',
  'GET /transfers': () => all,
  'GET /webhook-deliveries': () => all,
};

const contract: readonly Endpoint[] = Object.values(endpoints);
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const withBody = contract.filter(({ body }) => body !== undefined);

test('every endpoint is in the tables of this test', () => {
  assert.deepEqual(Object.keys(done).toSorted(), withBody.map(nameOf).toSorted());
  const others = contract.filter(({ body }) => body === undefined);
  assert.deepEqual(Object.keys(reads).toSorted(), others.map(nameOf).toSorted());
});

/** Names that an endpoint reads, and those of the first thing that is inside its body. */
function namesOf({ body }: Endpoint): {
  readonly outer: readonly string[];
  readonly inside: [string, string[]] | null;
} {
  const { properties = {} } = body as Schema;
  const inside = Object.entries(properties).find(([, each]) => each.properties);
  return {
    outer: Object.keys(properties),
    inside: inside ? [inside[0], Object.keys(inside[1].properties ?? {})] : null,
  };
}

/** To be made when it is their turn: making them takes longer than answering them. */
function bodiesFor(endpoint: Endpoint): readonly (() => string)[] {
  const schema = endpoint.body as object;
  const isCharge = (schema as Schema).properties?.['charge'] !== undefined;
  const make =
    (filling: Filling) =>
    (share: number): object =>
      isCharge
        ? largestCharge(filling)(share)
        : { ...(largestOf(schema, filling, share) as Fields), ...done[nameOf(endpoint)]?.() };
  const { outer, inside } = namesOf(endpoint);
  const deeper = Object.entries(inside ? hostileBodies(inside[1]) : {})
    .filter(([name]) => name.includes('everywhere'))
    .map(([, body]) => `{"${inside?.[0]}":${body}}`);
  const wrong = ['markup', 'pictures'] as const;
  return [
    ...allFillings.map((filling) => () => largestBody(make(filling))),
    ...wrong.map((filling) => () => largestBody((share) => wrongAtTheEnd(make(filling)(share)))),
    () => largestBody((share) => largestOf(schema, 'almost', share)),
    ...[...Object.values(hostileBodies(outer)), ...deeper].map((body) => () => body.slice(0, usualBodyBytes)),
  ];
}

test('no body holds the loop for long', async () => {
  for (const endpoint of withBody) {
    await keepUp();
    for (const body of bodiesFor(endpoint)) {
      const { status, beginning } = await callApi(endpoint.method, endpoint.path, body());
      assert.ok(status < 500, `${nameOf(endpoint)}: ${beginning}`);
    }
  }
  nothingWasTooLong();
});

test('what the tables say is done of the largest is done', async () => {
  await keepUp();
  for (const endpoint of atLeastOne(withBody.filter((each) => done[nameOf(each)]))) {
    const [largestOfAll] = bodiesFor(endpoint);
    const { status, beginning } = await callApi(endpoint.method, endpoint.path, largestOfAll?.());
    assert.equal(status, 200, `${nameOf(endpoint)}: ${beginning}`);
  }
  nothingWasTooLong();
});

test('no list and nothing else that is read does, however large what is in it', async () => {
  const { shop } = largest;
  await keepUp();
  for (let more = 0; more < 25; more += 1) {
    await makeCustomer(shop, 'pictures', `customer${more}@shop.example`);
    await makeLink(shop, 'markup');
  }
  for (const [name, query] of Object.entries(reads)) {
    const path = `${name.replace('GET ', '')}?${query()}`;
    const { status, beginning } = await callApi('GET', path);
    assert.ok([200, 404].includes(status), `${name}: ${status} ${beginning}`);
    const long = `&search=${'a.'.repeat(3_000)}&cursor=${'A'.repeat(3_000)}`;
    await callApi('GET', `${path}${long}`);
  }
  nothingWasTooLong();
});

type Page = {
  /** In which states, or for what else; left out: all orders. */
  readonly of?: () => readonly string[];
  readonly search?: () => readonly string[];
  /** What its form reads; null: it has none. */
  readonly fields: readonly string[] | null;
};

const someOrders = (): string[] => Object.values(orders);
const papers = ['', '?format=pdf', '?format=ubl', '?format=cii'];

/** Every page for payers, by the path that it has in the code. */
const pages: Readonly<Record<string, Page>> = {
  '/:lang/checkout/:id': { fields: null },
  '/:lang/checkout/:id/methods': { fields: null },
  '/:lang/checkout/:id/commit': { of: someOrders, fields: ['method'] },
  '/:lang/checkout/:id/contact': { of: someOrders, fields: ['email', 'network', 'refundAddress'] },
  '/:lang/checkout/:id/ask-back': { of: someOrders, fields: ['any'] },
  '/:lang/checkout/:id/sandbox': { of: someOrders, fields: ['any'] },
  '/:lang/checkout/:id/refund': {
    of: () => [orders.underpaid],
    search: () => [`?token=${claim}`, '?token=x'],
    fields: ['token', 'address', 'network'],
  },
  '/:lang/checkout-invalid': { of: () => [''], fields: null },
  '/:lang/cancel-hosted-checkout/:id': { of: someOrders, fields: null },
  '/:lang/return-from-hosted-checkout/:id': { of: someOrders, fields: null },
  '/:lang/invoice/:id': { search: () => papers, fields: ['number', 'email'] },
  '/:lang/checkout/:id/receipt': { search: () => papers, fields: null },
  '/ajax/checkout/:id/version': { of: someOrders, fields: null },
  '/ajax/checkout/:id/events': { of: someOrders, fields: null },
  '/ajax/checkout/:id/:network': { of: () => [orders.pending], fields: ['account', 'signed'] },
  '/:lang/checkout/pay/:id': {
    of: () => [linkId],
    search: () => ['', `?amount=${'9'.repeat(9_000)}&reference=${'x'.repeat(3_000)}`],
    fields: ['amount', 'reference', 'signature', 'form'],
  },
  '/pay/:id': { of: () => [linkId], fields: ['amount', 'reference', 'signature', 'form'] },
  '/:lang/checkout/mails/:token': { of: () => [tokens.mails], fields: ['mails', 'List-Unsubscribe'] },
  '/:lang/checkout/preview': { of: () => [''], search: () => ['', `?brand=${tokens.preview}`], fields: null },
  '/:lang/checkout/preview/:state': {
    of: () => ['created', 'overpaid'],
    search: () => [`?brand=${tokens.preview}&accentColour=${'%23'.repeat(3_000)}`],
    fields: null,
  },
};

test('every page for payers is in the table of this test', async () => {
  const rooms = ['payment-page', 'invoices'].map((room) => new URL(`../src/${room}/`, import.meta.url));
  const files = (await Promise.all(rooms.map(async (room) => (await readdir(room)).map((name) => new URL(name, room)))))
    .flat()
    .filter(({ pathname }) => pathname.endsWith('-routes.ts'));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const paths = texts.flatMap((text) => [...text.matchAll(/path(?:: | = )'(\/.*?)'/g)].map(([, path = '']) => path));
  assert.deepEqual([...new Set(paths)].toSorted(), Object.keys(pages).toSorted());
});

const languages = ['en', 'ar', 'tr', 'pl'];
const pathOf = (path: string, lang: string, id: string): string =>
  path
    .replace(':lang', lang)
    .replace(/:(?:id|token|state)/, id)
    .replace(':network', 'bitcoin');

test('no page does, of an order of the largest charge in any state and language, nor at the door of a shop', async () => {
  for (const [path, { of = () => Object.values(orders), search = () => [''] }] of Object.entries(pages))
    for (const id of of())
      for (const query of search())
        for (const lang of languages) {
          const address = `${pathOf(path, lang, id)}${query}`;
          const { status } = await open(address, { 'accept-encoding': 'gzip', 'accept-language': lang });
          if (path === '/:lang/checkout/:id') assert.equal(status, 200, path);
          if (lang === 'en') await open(address, door);
        }
  for (const [state, format] of [
    ['paid', ''],
    ['paid', '?format=pdf'],
  ] as const)
    assert.equal((await open(`/en/invoice/${orders[state]}${format}`)).status, 200);
  nothingWasTooLong();
});

test('no form does that a payer can send', async () => {
  for (const [path, { of = () => Object.values(orders), fields }] of Object.entries(pages)) {
    if (fields === null) continue;
    const bodies = Object.entries(hostileForms(fields));
    for (const id of of()) for (const [name, body] of bodies) await send(pathOf(path, 'en', id), name, body);
  }
  nothingWasTooLong();
});

/** Pages of ours that are about no shop, and what belongs to them. */
const others = [
  ...['/', '/docs', '/docs.md', '/llms.txt', '/docs/api', '/docs/errors', '/docs/events', '/docs/quick-start'],
  ...[`/docs/search?q=${'checkout+'.repeat(1_500)}`, `/docs/search?q=${'a'.repeat(9_000)}`, '/docs/search?q=a+e+i+o+u'],
  ...['/api/v1/openapi.json', '/metrics', '/health', '/alive', '/.well-known/quittance-statement-keys.json'],
  ...[`/nowhere/${'x'.repeat(9_000)}`, `/en/${'%2e%2e/'.repeat(1_500)}`, `/${'a/'.repeat(4_000)}`],
];

test('none of our own pages does, nor a form of who is not signed in', async () => {
  for (const path of others) await open(path);
  const fields = ['email', 'token', 'name', 'password', 'business', 'answer', 'code', 'back'];
  const host = new URL(largest.accounts.accountUrl).host;
  const anybodys = routesOfAccount().filter(({ access }) => access === 'anybody');
  assert.ok(anybodys.some(({ path }) => path === '/account/sign-up'));
  for (const { methods, path } of anybodys) {
    if (methods[0] === 'GET') await open(`${path}?next=${'a/'.repeat(3_000)}&token=${'x'.repeat(3_000)}`, { host });
    else for (const [name, body] of Object.entries(hostileForms(fields))) await send(path, name, body, { host });
  }
  nothingWasTooLong();
});

function routesOfAccount(): readonly AccountRoute[] {
  const unused = undefined as never;
  const { gateway, accounts } = largest;
  const files = { stylesheet: '', script: '', styleguide: '' };
  const places = { accountUrl: accounts.accountUrl, sandboxUrl: null };
  const settings = { ...places, isSandbox: true, sendsEmail: true, isSignUpOpen: true };
  const deps = { db: gateway.db, clock: gateway.clock, encryption: unused, files, ...settings };
  // No handler is called here: the gateway has routes of its own.
  return accountRoutes({ ...(unused as object as Parameters<typeof accountRoutes>[0]), ...deps });
}

test('no page and no form of the account does, for the owner of a shop that is full of the largest', async () => {
  const { gateway, accounts, shop } = largest;
  const cookie = await signInOwner(largest);
  for (let more = 0; more < 30; more += 1) await makeOrder(shop, worst, customerId);
  const [{ papers: issued }, { deliveries }] = [await shop.get('/papers'), await shop.get('/webhook-deliveries')];
  const ids: Readonly<Record<string, string>> = {
    checkouts: orders.paid,
    'payment-links': linkId,
    papers: issued[0].id,
    customers: customerId,
    webhooks: deliveries[0]?.id ?? 'x',
    asset: 'BTC',
  };
  const own = { cookie, host: new URL(accounts.accountUrl).host };
  for (const { methods, path } of routesOfAccount()) {
    if (path === '/account/news' || path === '/account/sign-out') continue;
    const address = path.replace(/([\w-]+)\/:\w+/, (_, room: string) => `${room}/${ids[room] ?? 'x'}`);
    if (methods[0] === 'GET') await open(address, own);
    else {
      const head = `account=${shop.merchant.merchantId}&form=${newFormName(gateway.clock.now())}&`;
      for (const name of ['many fields', 'texts everywhere'])
        await send(address, name, `${head}${hostileForms(['name', 'email'])[name]}`.slice(0, usualBodyBytes), own);
    }
  }
  nothingWasTooLong();
});

/** Each list is what a new process is asked for first. */
const firstRequests = (): readonly (readonly string[])[] => [
  [`/en/checkout/${orders.pending}`, '/docs/search?q=checkout'],
  [`/pl/checkout/${orders.underpaid}`],
  [`/en/invoice/${orders.paid}`],
  ['/docs'],
];

/** Another try needs another process. */
const processesMost = 4;

/** In known works, by path. */
async function heldAtFirst(paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const reporter = new URL('./held-reporter.ts', import.meta.url);
  const env = { ...largest.gateway.env, PUBLIC_URL: 'https://pay.test' };
  const service = await startServiceProcess(env, 'api', reporter);
  const tell = async (order: 'begin' | 'end'): Promise<{ works: number }> => {
    service.child.send(order);
    const [report] = await once(service.child, 'message');
    return report as { works: number };
  };
  try {
    const held = new Map<string, number>();
    for (const path of paths) {
      await tell('begin');
      const url = `${new URL(String(service.url)).origin}${path}`;
      const { status } = await asker.ask({ url, method: 'GET', headers: {} });
      assert.equal(status, 200, path);
      held.set(path, (await tell('end')).works);
    }
    return held;
  } finally {
    await service.kill();
  }
}

test('the first requests of a process do not either', async () => {
  for (const paths of firstRequests()) {
    const least = new Map(paths.map((path) => [path, Number.POSITIVE_INFINITY]));
    const isTooLong = ([, works]: readonly [string, number]): boolean => works > heldAtMost;
    for (let attempt = 0; attempt < processesMost && [...least].some(isTooLong); attempt += 1)
      for (const [path, works] of await heldAtFirst(paths)) least.set(path, Math.min(works, least.get(path) ?? works));
    assert.deepEqual([...least].filter(isTooLong), []);
  }
});
