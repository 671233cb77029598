/** What the operator's staff see and do: whether all is well, what waits, jobs, networks, rates, settings. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import type { Query } from '../src/db/database.ts';
import { findMerchants, listHouseMerchants } from '../src/finding/merchant-search-store.ts';
import { searchHouse } from '../src/finding/search-house.ts';
import { sampleQueue } from '../src/jobs/sample-queue.ts';
import { creditedToOn } from '../src/ledger/credited-store.ts';
import { findHouse } from '../src/operator/house-facts.ts';
import { createHouseNews } from '../src/operator/house-news.ts';
import { operatorMenu } from '../src/operator/operator-menu.ts';
import { findHeldSessions } from '../src/people/session-store.ts';
import { createRateBook } from '../src/pricing/rate-book.ts';
import { type AccountWorld, accountsAt, type PageAnswer, sessionCookie, type Visitor, words } from './account-world.ts';
import { aCharge, startGateway, testIssuer } from './gateway.ts';
import { until } from './until.ts';

let world: AccountWorld;
let operator: Visitor;
let support: Visitor;
let viewer: Visitor;
before(async () => {
  world = accountsAt(await startGateway({ hasAccount: true }));
  operator = await world.staff('operator', 'operator@house.example');
  support = await world.staff('support', 'support@house.example');
  viewer = await world.staff('viewer', 'viewer@house.example');
});
after(() => world.gateway.stop());

const partOf = ({ text }: PageAnswer, id: string): string =>
  (new RegExp(`<section class="part" id="${id}".*?</section>`, 's').exec(text)?.[0] ?? '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ');
const statOf = ({ text }: PageAnswer, label: string): string =>
  new RegExp(`<span class="label">${label}</span><span class="amount">(.*?)</span></(?:a|span)>`, 's')
    .exec(text)?.[1]
    ?.replaceAll(/<[^>]+>/g, '') ?? '';
const sentence = (page: PageAnswer): string =>
  /<h1 class="good[^>]*>.*?<span>(.*?)<\/span>/s.exec(page.text)?.[1] ?? '';

async function park(reason: string, name = 'books.reconcile'): Promise<string> {
  const { db, clock } = world.gateway;
  const [job] = await db<{ id: string }>`
    insert into job (name, payload, run_at, attempts, last_error, parked_reason)
    values (${name}, '{"network": "BITCOIN", "email": "ada@example.com"}', ${clock.now()}, 20, ${reason}, ${reason})
    returning id`;
  return job?.id ?? '';
}
const isParked = async (id: string): Promise<boolean> =>
  (await world.gateway.db`select from job where id = ${id} and parked_reason is not null`).length > 0;

test('all is well, and what was paid is in the numbers of today', async () => {
  const { gateway } = world;
  assert.equal(sentence(await operator.get('/operator')), 'All is well.');
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  const open = await operator.get('/operator');
  assert.equal(statOf(open, 'Checkouts open'), '1');
  assert.match(partOf(open, 'networks'), /Bitcoin well [\d,]+ 0 1 0 0/);

  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  await sampleQueue(gateway.db, gateway.clock.now());
  const paid = await viewer.get('/operator');
  assert.equal(statOf(paid, 'Credited today'), '$59');
  assert.equal(statOf(paid, 'Checkouts open'), '0');
  assert.match(partOf(paid, 'merchants'), /today \$59\.70 ?$/);
  assert.match(partOf(paid, 'books'), /BTC 0\.001 held 0\.000995 owed/);
  assert.match(partOf(paid, 'queue'), /peak 0 at 12:00 UTC/);
});

/** Where an index of just what is asked for is used; all others are of tables that stay small, or are asked by key. */
const narrow: Readonly<Record<string, readonly string[]>> = {
  checkout: ['checkout_open'],
  commitment: ['commitment_pkey'],
  delivery: ['delivery_oldest', 'delivery_waiting'],
  email: ['email_refused'],
  job: ['job_due', 'job_parked'],
  ledger_entry: ['ledger_entry_credited', 'ledger_entry_pkey'],
  ledger_line: ['ledger_line_pkey'],
  outgoing_transfer: ['outgoing_transfer_waiting', 'outgoing_transfer_pkey', 'outgoing_transfer_bridge'],
  outgoing_transaction: ['outgoing_transaction_pkey'],
  payment: ['payment_unconfirmed'],
  unmatched_payment: ['unmatched_payment_open', 'unmatched_payment_pkey'],
};

type Plan = { readonly 'Relation Name'?: string; readonly 'Index Name'?: string; readonly Plans?: readonly Plan[] };
const withChildren = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(withChildren)];
/** A bitmap names its table and its index at two steps. */
const indexesOf = (plan: Plan): string[] => {
  const named = (plan['Index Name'] ? [plan] : withChildren(plan)).flatMap((each) => each['Index Name'] ?? []);
  return named.length === 0 ? ['no index'] : named;
};

/** What asking would read otherwise than by these indexes, and how many questions it takes. Nothing is asked in earnest. */
async function widePlans(
  allowed: Readonly<Record<string, readonly string[]>>,
  ask: (query: Query) => Promise<unknown>,
): Promise<{ wrong: string[]; asked: number }> {
  const wrong: string[] = [];
  let asked = 0;
  await world.gateway.db.begin(async (tx) => {
    // In a table of three rows a scan is the best plan; what it would be among millions is asked for.
    await tx`set local enable_seqscan = off`;
    await ask(async (strings, ...values) => {
      const [first = '', ...rest] = strings;
      const texts = Object.assign([`explain (format json) ${first}`, ...rest], { raw: [] });
      const [row] = await tx<{ 'QUERY PLAN': string }>(texts, ...values);
      const [{ Plan: plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: Plan }];
      asked += 1;
      for (const each of withChildren(plan)) {
        const indexes = allowed[each['Relation Name'] ?? ''];
        if (!indexes || indexesOf(each).every((index) => indexes.includes(index))) continue;
        wrong.push(`${each['Relation Name']} by ${indexesOf(each).join()}: ${first.trim().slice(0, 60)}`);
      }
      return [];
    });
  });
  return { wrong, asked };
}

test('nothing that the overview asks grows with the number of checkouts', async () => {
  const { clock } = world.gateway;
  const assets = createAssetCatalog({
    issuerAccount: testIssuer,
    issuerName: 'x',
    issuerDomain: 'x',
    issuerAddress: 'x',
  });
  const rates = createRateBook({ sources: [], currencies: [], clock });
  const { wrong, asked } = await widePlans(narrow, (db) =>
    findHouse({ db, clock, rates, assets, connectors: new Map() }),
  );
  assert.ok(asked > 20, String(asked));
  assert.deepEqual(wrong, []);
});

/** By what was typed; the key of a table where its rows are known by then. */
const named: Readonly<Record<string, readonly string[]>> = {
  api_key: ['api_key_key_key'],
  checkout: ['checkout_public'],
  checkout_term: ['checkout_term_of_anybody'],
  deposit: ['deposit_public'],
  deposit_target: ['deposit_target_any'],
  ledger_entry: ['ledger_entry_listed'],
  ledger_line: ['ledger_line_pkey'],
  membership: ['membership_of_person', 'membership_pkey'],
  merchant: ['merchant_words', 'merchant_pkey', 'merchant_newest'],
  outgoing_transaction: ['outgoing_transaction_network_tx_hash_key'],
  outgoing_transfer: ['outgoing_transfer_to', 'outgoing_transfer_transaction'],
  payment: ['payment_once'],
  person: ['person_words', 'person_pkey'],
  refund: ['refund_id_key'],
  swap: ['swap_id_key'],
  transfer: ['transfer_id_key', 'transfer_to'],
  unmatched_payment: [
    'unmatched_payment_pkey',
    'unmatched_payment_return_id_key',
    'unmatched_payment_network_tx_hash_tx_index_key',
    'unmatched_payment_from',
    'unmatched_payment_named',
  ],
  withdrawal: ['withdrawal_pkey', 'withdrawal_to'],
};

test('whatever is searched for, and every page of the accounts, is found by an index', async () => {
  const { wrong, asked } = await widePlans(named, async (db) => {
    for (const text of ['c81k2mz09qal', 'ab'.repeat(32), 'bcrt1qsomewhere', 'ada@example.com', 'A-10045'])
      await searchHouse(db, text, { may: () => true, limit: 8 });
    await listHouseMerchants(db, { before: { createdAt: new Date(0), id: 'c81k2mz09qal' }, limit: 51 });
    await findMerchants(db, 'north light', { before: null, limit: 51 });
    await creditedToOn(db, ['c81k2mz09qal'], { day: '2026-01-01', from: new Date(0) });
  });
  assert.ok(asked > 20, String(asked));
  assert.deepEqual(wrong, []);
});

test('a parked job is told with its reason, and runs again for who may run jobs', async () => {
  const reason = 'The rate of ETH is missing.';
  const id = await park(reason);
  for (const path of ['/operator', '/operator/needs-you', '/operator/jobs']) {
    const page = await support.get(path);
    assert.ok(page.text.includes(`/operator/jobs/${id}/retry`), path);
    assert.match(words(page), /Compare the books with the networks.*The rate of ETH is missing\./, path);
    assert.ok(!page.text.includes('ada@example.com'), 'what a job carries beside ids is nobody’s business');
  }
  const seen = await viewer.get('/operator/jobs');
  assert.ok(seen.text.includes(reason) && !seen.text.includes('/retry'));
  assert.equal(sentence(await viewer.get('/operator')), 'All is well, but a job is parked.');

  const retry = `/operator/jobs/${id}/retry`;
  assert.equal((await viewer.post(retry)).status, 403);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
  ])
    assert.equal((await support.post(retry, {}, headers)).status, 403, JSON.stringify(headers));
  assert.ok(await isParked(id));
  assert.equal((await support.post(retry, { back: 'https://evil.example/' })).location, '/operator/jobs?did=retry');
  assert.ok(!(await isParked(id)));
  assert.equal((await support.post(retry)).status, 404, 'it is not parked any more');
  const rows = await world.gateway.db`
    select actor, detail from audit_log where merchant_id = 'operator' and action = 'job.retried'`;
  assert.equal(rows.length, 1);
  assert.match(String(rows[0]?.['actor']), /^person:/);
  await world.gateway.runUntilIdle();
});

test('what somebody asked for on another day is not sent by running its job again, and can be dropped', async () => {
  const [withdrawal, count] = [await park('Too little.', 'withdrawal.request'), await park('Again.')];
  const page = (await support.get('/operator/jobs')).text;
  assert.ok(!page.includes(`/operator/jobs/${withdrawal}/retry`) && page.includes(`/operator/jobs/${withdrawal}/drop`));
  assert.ok(page.includes(`/operator/jobs/${count}/retry`) && !page.includes(`/operator/jobs/${count}/drop`));
  assert.equal((await support.post(`/operator/jobs/${withdrawal}/retry`)).status, 404);
  assert.equal((await support.post(`/operator/jobs/${count}/drop`)).status, 404, 'others wait for what it does');
  assert.equal((await viewer.post(`/operator/jobs/${withdrawal}/drop`)).status, 403);
  assert.equal((await support.post(`/operator/jobs/${withdrawal}/drop`)).location, '/operator/jobs?did=drop');
  assert.ok(!(await isParked(withdrawal)) && (await isParked(count)));
  const rows = await world.gateway.db`select detail from audit_log where action = 'job.dropped'`;
  assert.deepEqual(rows, [{ detail: { id: withdrawal, name: 'withdrawal.request' } }]);
  await support.post(`/operator/jobs/${count}/retry`);
  await world.gateway.runUntilIdle();
});

test('a network that is silent is in the first sentence, with since when', async () => {
  const { db, clock } = world.gateway;
  const since = new Date(clock.now().getTime() - 4 * 60_000);
  await db`update network_cursor set failing_since = ${since}, last_error = 'connection refused' where network = 'BITCOIN'`;
  const page = await operator.get('/operator');
  assert.equal(sentence(page), 'All is well, but Bitcoin has been silent for 4 minutes.');
  assert.match(words(await operator.get('/operator/needs-you')), /Bitcoin is silent connection refused/);
  assert.match(
    words(await viewer.get('/operator/needs-you')),
    /Nothing waits for you/,
    'who cannot do anything is not asked to',
  );
  assert.match(partOf(await viewer.get('/operator/networks'), 'networks'), /Bitcoin silent for 4 minutes/);
  await db`update network_cursor set failing_since = null, last_error = null where network = 'BITCOIN'`;
});

test('what is on its way out is shown by how far it is, and why it does not go on', async () => {
  const { db, clock, merchant } = world.gateway;
  const asked = new Date(clock.now().getTime() - 11 * 60_000);
  await db`
    insert into outgoing_transfer (id, network, asset, units, address, purpose, merchant_id, state, requested_at)
    select 'stuckpayout1', 'BITCOIN', asset, 1000, 'bcrt1qsomewhere', 'transfer', ${merchant.merchantId}, 'QUEUED', ${asked}
      from ledger_account where id like 'operator/wallet-BITCOIN/%'`;
  const page = await viewer.get('/operator/sending');
  assert.match(partOf(page, 'stuck'), /0\.00001 BTC Transfer.*Bitcoin Too few coins that can be spent/);
  assert.match(words(await operator.get('/operator/needs-you')), /0\.00001 BTC do not leave/);
  assert.ok(!page.text.includes('bcrt1qsomewhere'), 'to where, is for who may look at the account');
  assert.ok((await support.get('/operator/sending')).text.includes('bcrt1qsomewhere'));
  await db`delete from outgoing_transfer where id = 'stuckpayout1'`;
  assert.match(partOf(await viewer.get('/operator/sending'), 'stuck'), /Nothing is stuck/);
});

test('the addresses of people of an account are shown to who may look there', async () => {
  const { merchantId } = world.gateway.merchant;
  await world.member('owner', 'owner@private.example');
  await world.gateway.db`update merchant set email = 'shop@private.example' where id = ${merchantId}`;
  const place = `/operator/merchants/${merchantId}`;
  assert.match((await support.get(place)).text, /shop@private\.example.*owner@private\.example/s);
  const seen = await viewer.get(place);
  assert.match(partOf(seen, 'people'), /The owner/);
  assert.ok(!seen.text.includes('@private.example'));
});

test('a character that no text can hold is refused, wherever a page is asked for it', async () => {
  const paths = ['search?q', 'merchants?q', 'merchants?cursor', 'audit?kind', 'jobs?did'];
  for (const path of paths) assert.equal((await operator.get(`/operator/${path}=%00`)).status, 400, path);
  assert.equal((await operator.get('/operator/merchants/%00')).status, 400);
  const owner = await world.member('owner', 'owner@nul.example');
  for (const path of [
    'search?q',
    'checkouts?q',
    'checkouts?cursor',
    'customers?q',
    'settings/audit?person',
    'transfers?cursor',
  ])
    assert.equal((await owner.get(`/account/${path}=%00`)).status, 400, path);
  assert.equal((await owner.get('/account/checkouts/%00')).status, 400);
  assert.equal((await world.visitor().get('/account/sign-in?next=%00')).status, 400);
});

test('every message that fails again and again is told, whatever it is about', async () => {
  const { db, clock } = world.gateway;
  const later = new Date(clock.now().getTime() + 60_000);
  const failed = ['export.mail', 'statement.mail', 'person.email'];
  await db`
    insert into job (name, payload, run_at, attempts, last_error)
    select name, '{}', ${later}, 3, 'no answer' from unnest(${failed}::text[]) as name`;
  assert.match(words(await support.get('/operator/needs-you')), /3 messages cannot be sent/);
  await db`delete from job where last_error = 'no answer'`;
});

test('a page leads only to pages that there are', async () => {
  const known = [
    '/operator',
    ...operatorMenu.map(({ path }) => path),
    '/operator/needs-you/notifications',
    '/operator/search',
  ];
  for (const path of known) {
    const links = [...(await operator.get(path)).text.matchAll(/href="(\/operator[^"?#]*)/g)].map(
      ([, link = '']) => link,
    );
    const lost = links.filter(
      (link) => !known.some((page) => link === page || (page !== '/operator' && link.startsWith(`${page}/`))),
    );
    assert.deepEqual(lost, [], path);
  }
});

test('settings are shown with their meaning, and of secrets only that they are set', async () => {
  const page = await viewer.get('/operator/configuration');
  assert.match(partOf(page, 'set'), /MASTER_KEY 64 hex digits[^.]*\. set/);
  assert.match(partOf(page, 'set'), /DATABASE_URL postgres:[^.]*\. set/);
  assert.match(partOf(page, 'usual'), /FEE_PERCENT Settlement fee in percent of the credit\. 0\.5/);
  assert.ok(!page.text.includes('postgres://postgres') && !/[0-9a-f]{64}/.test(page.text));
});

test('rates are shown with their sources, and what is missing is named', async () => {
  assert.match(
    words(await viewer.get('/operator/rates')),
    /Every currency has a rate.*fixed known.*BTC Bitcoin 60,000 fixed/,
  );
});

test('an open page hears of what happens, until whoever listens is not of the staff any more', async () => {
  const { db, clock, log } = world.gateway;
  const before = (await viewer.get('/operator/news')).text;
  const id = await park('Again.');
  assert.notEqual((await viewer.get('/operator/news')).text, before);
  await db`delete from job where id = ${id}`;
  assert.equal((await viewer.get('/operator/news')).text, before);

  const [row] = await db<{ id: string; person_id: string }>`
    select session.id, person_id from session join person on person.id = person_id where email = 'viewer@house.example'`;
  const [held] = await findHeldSessions(db, [{ sessionId: row?.id ?? '', merchantId: 'operator' }]);
  assert.ok(held);
  const news = createHouseNews({ db, clock, log, networks: ['BITCOIN'], lookEveryMs: 5 });
  const told: string[] = [];
  let isOver = false;
  const stop = news.listen({
    session: held.session,
    onVersion: (version) => void told.push(version),
    onEnd: () => {
      isOver = true;
    },
  });
  await until('the first version', () => told.length === 1);
  await db`delete from staff where person_id = ${row?.person_id ?? ''}`;
  await until('the end of the news', () => isOver);
  stop?.();
});

test('a stream of news is refused to who is signed out', async () => {
  const stream = (cookie: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { cookie, accept: 'text/event-stream', host: new URL(world.accountUrl).host };
      get(`${new URL(world.gateway.url).origin}/operator/news`, { headers }, resolve).on('error', reject);
    });
  const refused = await stream('');
  assert.equal(refused.statusCode, 401);
  refused.destroy();
  const open = await stream(`${sessionCookie}=${operator.cookie(sessionCookie)}`);
  assert.deepEqual([open.statusCode, open.headers['content-type']], [200, 'text/event-stream']);
  open.destroy();
});
