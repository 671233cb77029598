/**
 * Every route of the account, asked by everybody: who is not signed in, who is halfway in, every role with a fresh and
 * with an old proof, and a member of another account. What is expected is worked out from the table of roles; what each
 * route is asked with is in a table here, and a route that is in none fails.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountRoutes } from '../src/account/account-routes.ts';
import { menu, menuActions } from '../src/account/frame/account-menu.ts';
import type { AccountRoute } from '../src/account/frame/account-route.ts';
import { sayInAccount } from '../src/account/texts/account-texts.ts';
import { grantOf, type Role, roles } from '../src/people/roles.ts';
import { type AccountWorld, type Form, type PageAnswer, signed, startAccounts, type Visitor } from './account-world.ts';
import { deepTest, sampleOf } from './depth.ts';

/** What a form of this route is sent with: something that is wrong or unknown, so that nothing changes for the others. */
const forms: Readonly<Record<string, Form>> = {
  'GET /account': {},
  'GET /account/news': {},
  'GET /account/days/export': {},
  'GET /account/checkouts/export': {},
  'GET /account/customers/export': {},
  'GET /account/balances/asset/:asset/export': {},
  'GET /account/transfers/export': {},
  'GET /account/set-up': {},
  'GET /account/set-up/after/:step': {},
  'POST /account/set-up/leave': {},
  'GET /account/set-up/business': {},
  'POST /account/set-up/business': { name: '', currency: 'EUR', 'time-zone': 'UTC', asset: 'ORIGIN' },
  'GET /account/search': {},
  'GET /account/styleguide': {},
  'POST /account/theme': { theme: 'auto' },
  'GET /account/sign-in': {},
  'POST /account/sign-in': { email: 'nobody@example.com', password: 'x' },
  'POST /account/sign-in/passkey-challenge': {},
  'POST /account/sign-in/passkey': { answer: '{}' },
  'POST /account/sign-in/send-link': { email: 'nobody@example.com' },
  'GET /account/sign-in/link': {},
  'POST /account/sign-in/link': { token: 'x' },
  'GET /account/sign-in/code': {},
  'POST /account/sign-in/code': { code: '000000' },
  'POST /account/sign-in/prove-challenge': {},
  'POST /account/sign-in/prove': { answer: '{}' },
  'GET /account/sign-in/secure': {},
  'POST /account/sign-in/first-passkey-challenge': {},
  'POST /account/sign-in/first-passkey': { answer: '{}' },
  'GET /account/no-account': {},
  'GET /account/sign-up': {},
  'POST /account/sign-up': { business: '', email: 'nobody@example.com' },
  'GET /account/sign-up/waiting': {},
  'GET /account/welcome': {},
  'POST /account/welcome': { token: 'x' },
  'POST /account/welcome/name': { token: 'x', name: 'X' },
  'POST /account/welcome/recover': { token: 'x' },
  'POST /account/welcome/join': { token: 'x' },
  'GET /account/my-sign-in': {},
  'POST /account/my-sign-in/profile': { name: 'Somebody', language: 'en' },
  'POST /account/my-sign-in/keys': { keys: 'on' },
  'POST /account/my-sign-in/passkey-challenge': {},
  'POST /account/my-sign-in/passkey': { answer: '{}' },
  'POST /account/my-sign-in/passkey/remove': { passkey: 'x' },
  'POST /account/my-sign-in/password': { password: 'short' },
  'GET /account/my-sign-in/totp': {},
  'POST /account/my-sign-in/totp': { secret: 'x', 'new-code': '000000' },
  'POST /account/my-sign-in/totp/remove': {},
  'POST /account/my-sign-in/codes': {},
  'POST /account/my-sign-in/session/end': { session: 'x' },
  'POST /account/my-sign-in/prove-address': {},
  'POST /account/my-sign-in/leave': { leave: 'x' },
  'POST /account/choose': { merchant: 'x' },
  'GET /account/needs-you': {},
  'POST /account/needs-you/hide': { item: 'x' },
  'POST /account/transfers/:id/approve': {},
  'POST /account/transfers/:id/refuse': {},
  'GET /account/checkouts': {},
  'GET /account/checkouts/:id': {},
  'GET /account/checkouts/:id/decision': {},
  'GET /account/checkouts/:id/invoice': {},
  'GET /account/checkouts/new': {},
  'POST /account/checkouts/new': { amount: 'much', currency: 'USD', description: 'A cup' },
  'GET /account/checkouts/:id/link': {},
  'GET /account/payment-links': {},
  'GET /account/payment-links/new': {},
  'POST /account/payment-links/new': { description: 'A cup', currency: 'USD', asks: 'fixed', amount: 'much' },
  'GET /account/payment-links/:id': {},
  'POST /account/payment-links/:id/close': {},
  'GET /account/payment-links/:id/code.svg': {},
  'GET /account/payment-links/:id/code.png': {},
  'GET /account/payment-links/:id/print': {},
  'POST /account/checkouts/:id/accept': {},
  'POST /account/checkouts/:id/keep': {},
  'GET /account/checkouts/:id/refund': {},
  'POST /account/checkouts/:id/refund': { amount: '1', asset: 'BTC', network: 'BITCOIN', fee: 'customer' },
  'POST /account/checkouts/:id/cancel': {},
  'POST /account/checkouts/:id/refunds/:refund/approve': {},
  'POST /account/checkouts/:id/refunds/:refund/refuse': {},
  'POST /account/checkouts/:id/refunds/:refund/cancel': {},
  'POST /account/checkouts/:id/receipt': {},
  'POST /account/checkouts/:id/resend': { delivery: 'x' },
  'GET /account/refunds/:id': {},
  'GET /account/papers': {},
  'GET /account/papers/export': {},
  'GET /account/papers/:id': {},
  'GET /account/papers/:id/open': {},
  'POST /account/papers/:id/send': {},
  'GET /account/papers/:id/credit': {},
  'POST /account/papers/:id/credit': { amount: 'much' },
  'GET /account/settings/papers': {},
  'POST /account/settings/papers': { invoice: '7', receipt: 'R-', creditNote: 'C-' },
  'GET /account/customers': {},
  'GET /account/customers/:id': {},
  'POST /account/customers/:id': { email: 'nobody@example.com' },
  'POST /account/customers/:id/delete': {},
  'POST /account/customers/:id/mails': {},
  'GET /account/balances': {},
  'GET /account/balances/asset/:asset': {},
  'GET /account/balances/swap': {},
  'GET /account/balances/swap/quote': {},
  'POST /account/balances/swap': { quote: 'x' },
  'GET /account/balances/swap/:id': {},
  'GET /account/balances/deposit': {},
  'POST /account/balances/deposit': { rail: 'NOWHERE BTC' },
  'GET /account/balances/deposit/:id': {},
  'POST /account/balances/deposit/:id/close': {},
  'GET /account/transfers': {},
  'GET /account/transfers/:id': {},
  'POST /account/transfers/:id/cancel': {},
  'GET /account/transfers/new': {},
  'GET /account/transfers/review': {},
  'POST /account/transfers/new': { to: 'other', network: 'NOWHERE', address: 'x', asset: 'BTC', amount: '1', fee: '0' },
  'GET /account/transfers/destinations': {},
  'GET /account/transfers/destinations/new': {},
  'POST /account/transfers/destinations': { label: 'Vault', network: 'NOWHERE', address: 'x' },
  'POST /account/transfers/destinations/:id/remove': {},
  'GET /account/reports/statement': {},
  'GET /account/reports/statement/export': {},
  'GET /account/reports/checkouts': {},
  'GET /account/reports/checkouts/export': {},
  'GET /account/reports/tax': {},
  'GET /account/reports/tax/export': {},
  'GET /account/reports/disposals': {},
  'GET /account/reports/disposals/export': {},
  'GET /account/reports/fees': {},
  'GET /account/reports/fees/export': {},
  'GET /account/reports/daily': {},
  'GET /account/reports/daily/export': {},
  'GET /account/reports/exports': {},
  'POST /account/reports/exports': { list: 'customers', format: 'csv', asked: '' },
  'GET /account/reports/exports/:id': {},
  'GET /account/reports/exports/:id/file': {},
  'POST /account/reports/exports/:id/cancel': {},
  'POST /account/reports/exports/:id/delete': {},
  'GET /account/developers/keys': {},
  'GET /account/developers/keys/new': {},
  'POST /account/developers/keys': { label: 'A shop', scope: 'nonsense' },
  'GET /account/developers/keys/:key': {},
  'POST /account/developers/keys/:key/rotate': {},
  'POST /account/developers/keys/:key/revoke': {},
  'GET /account/developers/webhooks': {},
  'POST /account/developers/webhooks/resend': { since: 'never' },
  'POST /account/developers/webhooks/test': { url: 'nowhere', key: 'x' },
  'POST /account/developers/webhooks/secret': { 'at-once': 'yes' },
  'GET /account/developers/webhooks/:delivery': {},
  'POST /account/developers/webhooks/:delivery/resend': {},
  'GET /account/developers/requests': {},
  'GET /account/developers/try-it': {},
  'GET /account/settings/business': {},
  'POST /account/settings/business': { name: '', currency: 'EUR', 'time-zone': 'UTC' },
  'GET /account/settings/api': {},
  'POST /account/settings/api/allow': { range: 'nowhere' },
  'POST /account/settings/api/disallow': { range: 'nowhere' },
  'POST /account/settings/api/from': { from: 'any' },
  'POST /account/settings/api/auth': { preferred: 'digest' },
  'GET /account/settings/settlement': {},
  'POST /account/settings/settlement': { asset: 'MOON' },
  'GET /account/settings/payment-page': {},
  'POST /account/settings/payment-page': { accent: 'reddish' },
  'GET /account/settings/payment-page/preview': {},
  'POST /account/settings/payment-page/preview': { accent: 'reddish' },
  'POST /account/settings/payment-page/domain': { domain: 'nowhere' },
  'POST /account/settings/payment-page/domain/behaviour': { behaviour: 'both' },
  'POST /account/settings/payment-page/domain/check': {},
  'POST /account/settings/payment-page/domain/revoke': { key: 'x' },
  'POST /account/settings/payment-page/domain/remove': {},
  'GET /account/settings/mails': {},
  'POST /account/settings/mails': { paid: 'on' },
  'GET /account/settings/limits': {},
  'POST /account/settings/limits': { 'approval-above': 'much' },
  'POST /account/settings/changes/:id/approve': {},
  'POST /account/settings/changes/:id/refuse': {},
  'GET /account/settings/notifications': {},
  'POST /account/settings/notifications': { underpaid: 'sometimes' },
  'GET /account/settings/audit': {},
  'GET /account/people': {},
  'POST /account/people/invite': { email: 'wrong', role: 'viewer' },
  'POST /account/people/take-back': { invitation: '00' },
  'POST /account/people/role': { person: 'x', role: 'viewer' },
  'POST /account/people/remove': { person: 'x' },
  'POST /account/people/sign-out': { person: 'x' },
  'POST /account/people/recover': { person: 'x' },
  'POST /account/people/take-back-recovery': { person: 'x' },
};
/** Ends the session, so it is asked last. */
const signOut = 'POST /account/sign-out';

let world: AccountWorld;
let routes: AccountRoute[];
const visitors = new Map<Role, Visitor>();
before(async () => {
  world = await startAccounts();
  const unused = undefined as never;
  const files = { stylesheet: '', script: '', styleguide: '' };
  const places = { accountUrl: world.accountUrl, sandboxUrl: null };
  const { db, clock } = world.gateway;
  const account = { db, clock, encryption: unused, files, ...places, isSandbox: true, sendsEmail: false };
  // No handler is called here: the world's gateway has routes of its own.
  routes = accountRoutes({ ...(unused as object as Parameters<typeof accountRoutes>[0]), ...account });
  for (const role of roles) visitors.set(role, await world.member(role, `${role}@example.com`));
});
after(() => world.gateway.stop());

const nameOf = (route: AccountRoute): string => `${route.methods.join()} ${route.path}`;
const ask = (visitor: Visitor, route: AccountRoute): Promise<PageAnswer> =>
  route.methods[0] === 'GET' ? visitor.get(route.path) : visitor.post(route.path, forms[nameOf(route)]);

type Outcome = 'sign in' | 'second step' | 'not yours' | 'proof needed' | 'other account' | 'let in';
function outcomeOf({ status, location, text }: PageAnswer): Outcome {
  // News are asked for by a script, which is told so without a page.
  if ((status === 401 && text === '') || (status === 303 && /^\/account\/sign-in(\?|$)/.test(location)))
    return 'sign in';
  if (status === 303 && location === '/account/sign-in/code') return 'second step';
  if (status === 403 && text.includes('does not allow this')) return 'not yours';
  if (status === 403 && text.includes('Prove that it is you')) return 'proof needed';
  if (status === 409 && text.includes('you chose another account')) return 'other account';
  assert.ok(status < 500, `${status}: ${text}`);
  return 'let in';
}

function expectedFor({ access, needsProof, methods, isOrder }: AccountRoute, role: Role, isFresh: boolean): Outcome {
  const isChange = methods.includes('POST');
  const grant = typeof access === 'object' ? grantOf(access.may, role) : 'yes';
  if (grant === 'no') return 'not yours';
  const needs = isChange && (needsProof !== false || ['proof', 'smallProof', 'second'].includes(grant));
  // An order is signed each time, however fresh the last proof is.
  return needs && (isOrder || !isFresh) ? 'proof needed' : 'let in';
}

const asked = (): AccountRoute[] => routes.filter((route) => nameOf(route) !== signOut);

test('every route is in the table, and the table has no others', () => {
  assert.deepEqual([...Object.keys(forms), signOut].toSorted(), routes.map(nameOf).toSorted());
});

test('every page in the menu is a page for those who see it there', () => {
  const pages = routes.filter(({ methods }) => methods.includes('GET'));
  for (const { path, may } of [...menu.flatMap((area) => area.pages), ...menuActions]) {
    const access = pages.find((page) => page.path === path)?.access;
    assert.deepEqual(access, may === null ? 'person' : { may }, path);
  }
  const keys = menu.map(({ key }) => key);
  assert.deepEqual([...new Set(keys)], keys, 'after g every letter leads to one area');
});

test('who is not signed in gets no further than the sign-in', async () => {
  for (const route of asked()) {
    const expected: Outcome = route.access === 'anybody' ? 'let in' : 'sign in';
    assert.equal(outcomeOf(await ask(world.visitor(), route)), expected, nameOf(route));
  }
});

test('every role does what the table of roles says, and with an old proof only what needs none', async () => {
  for (const isFresh of [true, false]) {
    if (!isFresh) world.gateway.clock.advance({ minutes: 6 });
    for (const [turn, [role, visitor]] of [...visitors].entries()) {
      // In a sample everybody is refused what is not theirs, and let in to all pages by turns; the owner to each.
      const isTold = (route: AccountRoute, at: number): boolean => {
        const [fresh, old] = [expectedFor(route, role, true), expectedFor(route, role, false)];
        return isFresh ? fresh !== 'let in' || role === 'owner' || at % 3 === turn % 3 : fresh !== old;
      };
      for (const route of sampleOf(asked(), isTold)) {
        const answer = outcomeOf(await ask(visitor, route));
        assert.equal(answer, expectedFor(route, role, isFresh), `${role}, ${isFresh}: ${nameOf(route)}`);
      }
    }
  }
});

/** Further things that a person can get wrong in a form which is in the table with another fault. */
const furtherFaults: readonly (readonly [path: string, wrong: Form])[] = [
  ['/account/checkouts/new', { amount: '1', currency: 'USD', description: '' }],
  ['/account/payment-links/new', { asks: 'fixed', amount: '', currency: 'USD', description: 'A cup' }],
  [
    '/account/payment-links/new',
    { asks: 'open', amountMin: '9', amountMax: '8', currency: 'USD', description: 'A cup' },
  ],
  [
    '/account/payment-links/new',
    { asks: 'fixed', amount: '1', currency: 'USD', description: 'A cup', paymentsMax: 'x' },
  ],
  ['/account/checkouts/new', { amount: '1.234', currency: 'USD', description: 'A cup' }],
  ['/account/checkouts/new', { amount: '1', currency: 'USD', description: 'x'.repeat(5000) }],
  ['/account/checkouts/new', { amount: '1'.repeat(25), currency: 'USD', description: 'A cup' }],
  ['/account/checkouts/new', { amount: '1', currency: 'USD', description: 'A cup', email: 'wrong' }],
  ['/account/checkouts/new', { amount: '1', currency: 'USD', description: 'A cup', reference: 'x'.repeat(500) }],
  ['/account/balances/deposit', { rail: 'BITCOIN BTC', use: 'once', amount: '0.000000001' }],
  ['/account/balances/deposit', { rail: 'BITCOIN BTC', use: 'once', amount: 'much' }],
  ['/account/developers/keys', { label: 'x'.repeat(61), scope: 'charge' }],
  ['/account/developers/keys', { label: '', scope: 'charge' }],
  ['/account/developers/keys', { label: 'A shop' }],
  ['/account/settings/business', { name: 'x'.repeat(101), currency: 'EUR', 'time-zone': 'UTC' }],
  [
    '/account/settings/business',
    { name: 'Shop', currency: 'EUR', 'time-zone': 'UTC', 'postal-address': 'x'.repeat(301) },
  ],
  ['/account/settings/business', { name: 'Shop', currency: 'EUR', 'time-zone': 'UTC', email: 'wrong' }],
  ['/account/settings/api/allow', { range: '203.0.113.7', note: 'x'.repeat(201) }],
  ['/account/settings/api/disallow', { range: '203.0.113.7' }],
  ['/account/settings/api/from', { from: 'list', sure: 'yes' }],
  ['/account/settings/settlement', { asset: 'ORIGIN', risk: 'LOW', tolerance: 'much' }],
  ['/account/settings/payment-page/domain', { domain: 'pay.shop.example/here', behaviour: 'both' }],
  ['/account/settings/payment-page/domain/behaviour', { behaviour: 'both', 'framed-by': 'ftp://nowhere' }],
  ['/account/settings/payment-page', { 'support-email': 'wrong', terms: 'nowhere' }],
  ['/account/my-sign-in/profile', { name: '', language: 'en' }],
  ['/account/my-sign-in/profile', { name: 'x'.repeat(101), language: 'en' }],
];

/** What is wrong with a customer or a destination, where there is one or everything else is right. */
const faultsOf = (customerId: string): readonly (readonly [path: string, wrong: Form])[] => {
  const customer = `/account/customers/${customerId}`;
  const destination = { label: 'Vault', network: 'BITCOIN', address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' };
  const destinations = '/account/transfers/destinations';
  const order = { to: 'other', network: 'BITCOIN', address: destination.address, asset: 'BTC', amount: '1', fee: '0' };
  return [
    [customer, { countrycode: 'XX' }],
    [customer, { countrycode: '12' }],
    [customer, { email: 'wrong' }],
    [customer, { lastname: 'x'.repeat(101) }],
    [destinations, { ...destination, label: '' }],
    [destinations, { ...destination, label: 'x'.repeat(101) }],
    [destinations, { ...destination, address: '' }],
    [destinations, { ...destination, address: 'nowhere' }],
    [destinations, { ...destination, beneficiary: 'new', firstname: 'Ada' }],
    [destinations, { ...destination, beneficiary: 'new', company: 'x'.repeat(201) }],
    ['/account/transfers/new', { ...order, address: '' }],
    ['/account/transfers/new', { ...order, address: 'nowhere' }],
    ['/account/transfers/new', { ...order, amount: 'much' }],
    ['/account/transfers/new', { ...order, amount: '0' }],
    ['/account/transfers/new', { ...order, amount: '0.000000001' }],
    ['/account/transfers/new', { ...order, amount: '1'.repeat(25) }],
    ['/account/transfers/new', { ...order, asset: 'XLM' }],
  ];
};

/** Pages that are asked for with what somebody typed. */
const typedQueries = [
  '/account/balances/swap/quote?from=BTC&to=BTC&of=from&amount=1',
  '/account/balances/swap/quote?from=BTC&to=USDC&of=from&amount=0',
  '/account/balances/swap/quote?from=BTC&to=USDC&of=from&amount=much',
  '/account/balances/swap/quote?from=BTC&to=USDC&of=from&amount=0.0000000000001',
  '/account/transfers/review?to=other&network=BITCOIN&address=nowhere&asset=BTC&amount=1',
  '/account/transfers/review?to=other&network=BITCOIN&asset=BTC&amount=1',
];

deepTest('who reads German is told in German what is wrong with a form', async () => {
  const { gateway } = world;
  const { customerId } = await gateway.post('/customer', { customer: { email: 'ada@example.com' } });
  const readers: Visitor[] = [];
  for (const language of ['en', 'de']) {
    const reader = await world.member('owner', `reads-${language}@example.com`);
    await reader.post('/account/my-sign-in/profile', { name: 'A reader', language });
    readers.push(reader);
  }
  const unsaid = sayInAccount('de')('problemUnsaid');
  /** What of it is not said in German. `isForged`: no page has such a form, so one sentence for all of them will do. */
  const leftIn = async (ask: (reader: Visitor) => Promise<PageAnswer>, isForged = false): Promise<string[]> => {
    const [english = '', german = ''] = await Promise.all(readers.map(async (reader) => noticesOf(await ask(reader))));
    if (!isForged && english === '') return ['nothing is wrong'];
    return (german === english && english !== '') || (!isForged && german.includes(unsaid)) ? [german] : [];
  };
  const send = (path: string, form: Form) => async (reader: Visitor) => {
    const asked = await reader.post(path, form, { 'x-ask': 'passkey' });
    return asked.json.challenge === '' ? reader.post(path, form) : signed(reader, path, form);
  };
  const found: Record<string, string[]> = {};
  const faults = [...furtherFaults, ...faultsOf(customerId)];
  for (const [path, form] of faults)
    found[`${path} ${JSON.stringify(form).slice(0, 120)}`] = await leftIn(send(path, form));
  for (const path of typedQueries) found[path] = await leftIn((reader) => reader.get(path));
  const sent = asked().filter(({ methods, path }) => methods.includes('POST') && !path.endsWith('/profile'));
  for (const route of sampleOf(sent, (_, at) => at % 6 === 0))
    found[nameOf(route)] = await leftIn((reader) => ask(reader, route), true);
  assert.deepEqual(Object.fromEntries(Object.entries(found).filter(([, texts]) => texts.length > 0)), {});
});

/** What a page says went wrong. A template is said only by a script. */
const noticesOf = ({ text }: PageAnswer): string =>
  Array.from(
    text
      .replaceAll(/<template.*?<\/template>/gs, '')
      .matchAll(/<p class="notice fail"[^>]*>.*?<span>(.*?)<\/span>|<p class="error"[^>]*>(.*?)<\/p>/gs),
    ([, notice, error]) => (notice ?? error ?? '').replaceAll(/<[^>]+>/g, ''),
  ).join(' ');

test('who is halfway in comes to the second step', async () => {
  const visitor = world.visitor();
  const owner = visitors.get('owner') as Visitor;
  await owner.prove();
  await owner.post('/account/my-sign-in/password', { password: 'a quiet evening in may' });
  await visitor.signInWithPassword('owner@example.com', 'a quiet evening in may');
  for (const route of asked()) {
    const { status, location } = await ask(visitor, route);
    if (route.access === 'anybody' || nameOf(route).includes('/sign-in/code') || /prove/.test(route.path)) continue;
    if (nameOf(route) === 'GET /account/sign-in/secure') continue;
    assert.deepEqual([status, location], [303, '/account/sign-in/code'], nameOf(route));
  }
});

test("another account's owner cannot reach into this one", async () => {
  const { merchantId } = await world.gateway.createMerchant('Another shop');
  const stranger = await world.member('owner', 'stranger@example.com', merchantId);
  stranger.lookAt(world.gateway.merchant.merchantId);
  for (const route of asked()) {
    if (typeof route.access === 'string' || !route.methods.includes('POST')) continue;
    assert.equal(outcomeOf(await ask(stranger, route)), 'other account', nameOf(route));
  }
  stranger.lookAt(merchantId);
  const [viewer] = await world.gateway.db`select id from person where email = 'viewer@example.com'`;
  const token = await world.invitation('waiting@example.com', 'viewer');
  const [link] = await world.gateway.db`
    select id from one_time_link where email = 'waiting@example.com'`;
  const named: [string, Form, Form][] = [
    ['/account/people/role', { role: 'admin', person: String(viewer?.['id']) }, { role: 'admin', person: 'x' }],
    ['/account/people/remove', { person: String(viewer?.['id']) }, { person: 'x' }],
    ['/account/people/recover', { person: String(viewer?.['id']) }, { person: 'x' }],
    ['/account/people/take-back-recovery', { person: String(viewer?.['id']) }, { person: 'x' }],
    ['/account/people/take-back', { invitation: String(link?.['id']) }, { invitation: '00' }],
    ['/account/choose', { merchant: world.gateway.merchant.merchantId }, { merchant: 'x' }],
  ];
  const plain = ({ status, text }: PageAnswer) => [status, text.replaceAll(/nonce="[^"]*"/g, '')];
  for (const [path, theirs, nobodys] of named)
    assert.deepEqual(plain(await stranger.post(path, theirs)), plain(await stranger.post(path, nobodys)), path);
  assert.ok(!(await stranger.get('/account/people')).text.includes('viewer@example.com'));
  assert.equal((await world.visitor().join(token, 'Still good')).status, 303);
});

test('signing out ends the session for everybody who has its cookie', async () => {
  for (const [role, visitor] of visitors) {
    assert.equal((await visitor.post('/account/sign-out')).location, '/account/sign-in', role);
    assert.equal(outcomeOf(await visitor.get('/account/my-sign-in')), 'sign in', role);
  }
});
