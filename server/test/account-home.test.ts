/** Home and its news: what waits, what came in, what there is, for who may see it. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { createAccountNews } from '../src/account/frame/account-news.ts';
import { createNetworkHealth } from '../src/deposits/network-health.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { saveMembership } from '../src/people/person-store.ts';
import type { Role } from '../src/people/roles.ts';
import { findHeldSessions } from '../src/people/session-store.ts';
import { rebuildDays } from '../src/reports/fold-days.ts';
import { type AccountWorld, accountsAt, type PageAnswer, sessionCookie, type Visitor, words } from './account-world.ts';
import { withoutLitecoin } from './gateway.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';
import { until } from './until.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

let people = 0;
const member = (shop: Shop, role: Role): Promise<Visitor> =>
  accounts.member(role, `home-${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);

/** Where a number leads, by what it is called. */
function statOf({ text }: PageAnswer, label: string): { value: string; path: string } {
  const stats = Array.from(
    text.matchAll(
      /<a class="stat" href="([^"]*)"><span class="label">(.*?)<\/span><span class="amount">(.*?)<\/span><\/a>/gs,
    ),
  );
  const [, path = '', , value = ''] = stats.find(([, , name]) => name === label) ?? [];
  return { value: value.replaceAll(/<[^>]+>/g, ''), path: path.replaceAll('&amp;', '&') };
}
const rows = ({ text }: PageAnswer): number =>
  (text.match(/<tr><th scope="row"><a href="\/account\/checkouts\//g) ?? []).length;
const partOf = ({ text }: PageAnswer, id: string): string =>
  new RegExp(`<section class="part" id="${id}".*?</section>`, 's').exec(text)?.[0] ?? '';
const badge = ({ text }: PageAnswer): string => /<span class="n"[^>]*>(.*?)<\/span>/.exec(text)?.[1] ?? '';
const strip = ({ text }: PageAnswer): string =>
  (/<section class="todo".*?<\/section>/s.exec(text)?.[0] ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('an empty account says what will be here, and offers the one action', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const page = await owner.get('/account');
  assert.equal(page.status, 200);
  assert.match(page.text, /<title>Home · Quittance/);
  assert.match(words(page), /Sunday, March 1/);
  assert.match(partOf(page, 'needs'), /Nothing waits for you/);
  assert.match(partOf(page, 'balances'), /Here will be what your account holds/);
  assert.match(partOf(page, 'days'), /Here will be what was credited/);
  assert.match(partOf(page, 'newest'), /Here will be every order.*href="\/account\/checkouts\/new"/s);
  assert.deepEqual(statOf(page, 'Credited').value, '$0.00');
  assert.equal(statOf(page, 'Completed').value, '–');
  assert.match(page.text, /<a href="\/account" data-go="h" aria-current="page">/);
  assert.equal(badge(page), '');
  assert.ok(!page.text.includes('payments are delayed'), 'all networks answer');
});

test('a page that nobody made is missing in the account, and the root of an area leads into it', async () => {
  const shop = await world.shop();
  const [owner, support] = [await member(shop, 'owner'), await member(shop, 'support')];
  const missing = await owner.get('/account/nowhere');
  assert.equal(missing.status, 404);
  assert.match(missing.text, /<title>This did not work · Quittance/);
  assert.match(words(missing), /This is not there/);
  assert.doesNotMatch(missing.text, /Have you already paid/);
  for (const [visitor, from, to] of [
    [owner, '/account/settings', '/account/settings/business'],
    [owner, '/account/settings/', '/account/settings/business'],
    [owner, '/account/reports', '/account/reports/statement'],
    [owner, '/account/developers', '/account/developers/keys'],
    [support, '/account/developers', '/account/developers/webhooks'],
    [accounts.visitor(), '/account/settings', '/account/sign-in?next=%2Faccount%2Fsettings'],
  ] as const) {
    const { status, location } = await visitor.get(from);
    assert.deepEqual([status, location], [303, to], from);
  }
  assert.equal((await support.get('/account/reports')).status, 404);
  for (const [referer, back] of [
    [`${accounts.accountUrl}/account/checkouts?tab=open`, '/account/checkouts?tab=open'],
    ['https://elsewhere.example/steal', '/account'],
    ['https://elsewhere.example//account/x', '/account'],
    [undefined, '/account'],
  ] as const) {
    const refused = await support.post(
      '/account/people/invite',
      { email: 'x@example.com', role: 'owner' },
      { referer },
    );
    assert.equal(refused.status, 403);
    assert.ok(refused.text.includes(`<a class="btn" href="${back}">`), `after ${referer}`);
  }
});

test('every number leads to the rows that make it up', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  for (const _ of [1, 2]) await world.paid(shop, '0.001');
  await shop.open('60.00 USD', 'BITCOIN');
  await shop.create('60.00 USD');
  const page = await owner.get('/account');
  const day = '2026-03-01';
  const expected: readonly [string, string, string, number][] = [
    ['Credited', '$119.40', `?credited=${day}`, 2],
    ['Paid', '2', `?tab=paid&credited=${day}`, 2],
    ['Open now', '1', '?tab=paying', 1],
    ['Completed', '2 of 3', `?period=${day}&network=ANY`, 3],
  ];
  for (const [label, value, query, count] of expected) {
    assert.deepEqual(statOf(page, label), { value, path: `/account/checkouts${query}` });
    assert.equal(rows(await owner.get(statOf(page, label).path)), count, label);
  }
  assert.equal(rows(page), 4, 'the newest');
  assert.match(
    partOf(page, 'days'),
    new RegExp(`<a href="/account/checkouts\\?credited=${day}" tabindex="-1"><g><title>Mar 1: \\$119.40</title>`),
  );
  assert.match(partOf(page, 'days'), /Mar 1, 2026<\/a><\/th><td class="n">2<\/td><td class="n">\$119.40<\/td>/);
  assert.match(partOf(page, 'balances'), /0\.00199\u00a0BTC<small>\$119\.40<\/small>/);
  assert.equal(rows(await owner.get('/account/checkouts?credited=2026-02-28')), 0);
  assert.equal(rows(await owner.get('/account/checkouts?period=2026-02-28')), 0);
  assert.match(words(await owner.get(`/account/checkouts?credited=${day}&period=${day}`)), /Credited on Mar 1, 2026/);
  assert.equal(
    rows(await owner.get('/account/checkouts?credited=yesterday&period=2026-99-99')),
    4,
    'nonsense is nothing',
  );
});

test('today is the day of the account, in its currency, and closed days stay', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  await world.paid(shop, '0.001');
  const { merchantId } = shop.merchant;
  const settings = { pageSettings: { timeZone: 'Pacific/Kiritimati' }, accountCurrency: 'EUR' };
  await changeSettings(world.gateway, merchantId, settings, 'operator');
  await world.gateway.runUntilIdle();
  const there = await owner.get('/account');
  assert.match(words(there), /Monday, March 2/);
  assert.equal(statOf(there, 'Paid').path, '/account/checkouts?tab=paid&credited=2026-03-02');
  const credited = statOf(there, 'Credited').value;
  assert.match(credited, /^€\d+\.\d\d$/);
  await world.pass({ hours: 24 });
  const later = await member(shop, 'viewer');
  const page = await later.get('/account');
  assert.match(words(page), /Tuesday, March 3/);
  assert.equal(statOf(page, 'Credited').value, '€0.00');
  assert.ok(partOf(page, 'days').includes(`<title>Mar 2: ${credited}</title>`), 'as it was when it was today');
  assert.match(partOf(page, 'days'), new RegExp(`\\${credited} in all`));
  const [kept] = await world.gateway.db<{ day: string; paid: number }>`
    select day::text, paid from checkout_day where merchant_id = ${merchantId}`;
  assert.deepEqual(kept, { day: '2026-03-02', paid: 1 });
  const back = { pageSettings: { timeZone: 'UTC' }, accountCurrency: 'USD' };
  await changeSettings(world.gateway, merchantId, back, 'operator');
  assert.match(words(await later.get('/account')), /still being counted/, 'never wrong, but missing');
  await world.gateway.runUntilIdle();
  assert.match(partOf(await later.get('/account'), 'days'), /<title>Mar 1: \$59\.70<\/title>/);
});

test('days are compared with those before only where all of them are known', async () => {
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  for (const days of [15, 31]) {
    await world.paid(shop, '0.001');
    await world.pass({ hours: days * 24 });
    await world.gateway.app.pollRates();
    await world.gateway.runUntilIdle();
  }
  await world.paid(shop, '0.001');
  const viewer = await member(shop, 'viewer');
  const compared = async () => {
    world.gateway.clock.advance({ seconds: 1 }); // What is changed by hand is no news: it is seen with the next look.
    return / in all(.*?)<\/span>/s.exec(partOf(await viewer.get('/account'), 'days'))?.[1] ?? 'none';
  };
  assert.match(await compared(), /50% less than before/);
  const { db } = world.gateway;
  await db`update day_position set folded_to = folded_to - 40, statement_to = statement_to - 40 where merchant_id = ${merchantId}`;
  assert.doesNotMatch(await compared(), /before/, 'some are being counted');
  await rebuildDays(db, merchantId);
  await world.gateway.runUntilIdle();
  await db`update checkout_day set is_valued = false where merchant_id = ${merchantId}`;
  assert.doesNotMatch(await compared(), /before/, 'the worth of some is not known');
  await rebuildDays(db, merchantId);
  await world.gateway.runUntilIdle();
  assert.match(await compared(), /50% less than before/);
});

test('a day on which a chain took back more than came in is shown as it is, and said aloud as none', async () => {
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  await world.paid(shop, '0.001');
  await world.pass({ hours: 24 });
  world.gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  await world.gateway.runUntilIdle();
  const page = await (await member(shop, 'viewer')).get('/account');
  assert.deepEqual([statOf(page, 'Paid').value, statOf(page, 'Credited').value], ['−1', '−$59.70']);
  assert.match(page.text, /data-announce="0 orders paid today, −\$59\.70 credited\."/);
  assert.match(partOf(page, 'days'), /\$0\.00 in all/);
  await world.pass({ hours: 72 });
  // What was taken back may have been worth nothing that anybody knows.
  await world.gateway.db`
    update checkout_day set credited = 0, paid = least(paid, 0) where merchant_id = ${merchantId}`;
  const later = partOf(await (await member(shop, 'viewer')).get('/account'), 'days');
  assert.match(later, /<td class="n">−1<\/td><td class="n">\$0\.00<\/td>/);
});

test('rates that cannot be kept for reports keep nobody from paying', async () => {
  const { app, clock, db } = world.gateway;
  await db.script('alter table rate_hour add constraint poison check (false) not valid');
  clock.advance({ hours: 2 });
  await assert.doesNotReject(app.pollRates());
  await db.script('alter table rate_hour drop constraint poison');
  await world.gateway.runUntilIdle();
  const shop = await world.shop();
  await world.paid(shop, '0.001');
});

test('a role sees what it may, and the set-up that it can do', async () => {
  const shop = await world.shop();
  await world.underpaid(shop, '0.0006');
  const { customerId } = await shop.post('/customer', { customer: { email: 'ada@example.com', lastname: 'Lovelace' } });
  await shop.create('60.00 USD', {
    charge: { billingCurrency: 'USD', customerId, lineItems: [{ description: 'Cup', netAmount: '60.00' }] },
  });
  const pages = new Map<Role, PageAnswer>();
  for (const role of ['owner', 'accountant', 'support', 'developer', 'viewer'] as const)
    pages.set(role, await (await member(shop, role)).get('/account'));
  const seen = (isThere: (page: PageAnswer) => boolean): string =>
    Array.from(pages, ([role, page]) => (isThere(page) ? role : ''))
      .filter((role) => role !== '')
      .join(' ');
  assert.equal(
    seen((page) => partOf(page, 'balances') !== ''),
    'owner accountant viewer',
  );
  assert.equal(
    seen((page) => page.text.includes('Lovelace')),
    'owner accountant support',
  );
  assert.equal(
    seen((page) => partOf(page, 'needs').includes('too little')),
    'owner accountant support',
  );
  assert.equal(
    seen((page) => badge(page) === '1'),
    'owner accountant support',
  );
  assert.equal(
    seen((page) => strip(page).includes('a first payment')),
    'owner support',
  );
  assert.equal(
    seen((page) => strip(page).includes('a second owner')),
    'owner',
  );
  assert.equal(
    seen((page) => strip(page) !== ''),
    'owner support',
  );
});

test('the set-up goes away step by step, with what is done', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const left = async (): Promise<string> => strip(await owner.get('/account'));
  assert.match(await left(), /2 of 5 done\. Left: your time zone · a first payment · a second owner, or printed codes/);
  // Whoever calls the API is told of webhooks too.
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await world.gateway.app.writeUsedKeys();
  assert.match(
    await left(),
    /2 of 7 done\. Left: your time zone · a first payment · a webhook that was answered · a second owner/,
  );
  await world.pay(checkout, '0.001');
  await world.mine(1);
  assert.match(await left(), /4 of 7 done\. Left: your time zone · a second owner/);
  await member(shop, 'owner');
  assert.match(await left(), /5 of 7 done\. Left: your time zone · an address list for your keys/);
  const settings = { pageSettings: { timeZone: 'Europe/Berlin' }, isAddressListEnforced: true };
  await changeSettings(world.gateway, shop.merchant.merchantId, settings, 'operator');
  assert.equal(await left(), '');
});

test('the five oldest that wait are here, and how many there are beside the menu of every page', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  for (let order = 1; order <= 6; order += 1) {
    await world.paid(shop, '0.0015', { pageSettings: { orderReference: `KN-${order}` } });
    world.gateway.clock.advance({ seconds: 1 });
  }
  const home = await owner.get('/account');
  const titles = Array.from(partOf(home, 'needs').matchAll(/>(KN-\d)/g), ([, name]) => name);
  assert.deepEqual(titles, ['KN-1', 'KN-2', 'KN-3', 'KN-4', 'KN-5']);
  assert.match(partOf(home, 'needs'), /<a href="\/account\/needs-you">All 6<\/a>/);
  const [, link = ''] = /<a class="btn" href="(\/account\/needs-you\?open=[^"#]+)/.exec(partOf(home, 'needs')) ?? [];
  assert.match((await owner.get(link)).text, /action="\/account\/checkouts\/\w+\/keep"/, 'where it is decided');
  assert.equal(badge(home), '6');
  assert.equal(badge(await owner.get('/account/developers/keys')), '6');
  // Nobody else decides here: the count of all pages may be some seconds old. Who decides sees it at once.
  const [, action = ''] = /action="(\/account\/checkouts\/\w+\/keep)"/.exec((await owner.get(link)).text) ?? [];
  assert.equal((await owner.post(action)).status, 303);
  assert.equal(badge(await owner.get('/account/developers/keys')), '5');
  await world.paid(shop, '0.0015');
  world.gateway.clock.advance({ seconds: 16 });
  assert.equal(badge(await owner.get('/account/developers/keys')), '6');
});

test('a strip says so when a network is away', async () => {
  const shop = await world.shop();
  const viewer = await member(shop, 'viewer');
  world.gateway.clock.advance({ minutes: 11 });
  assert.match(words(await viewer.get('/account')), /Bitcoin payments are delayed\. Nothing is lost/);
  await world.gateway.runUntilIdle();
  assert.ok(!(await viewer.get('/account')).text.includes('delayed'));
});

/** An open page's ear. */
async function listen(
  visitor: Visitor,
  query = '',
): Promise<{ heard: string[]; status: number; isOver(): boolean; stop(): void }> {
  const heard: string[] = [];
  let isOver = false;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `${new URL(world.gateway.url).origin}/account/news${query}`;
    const headers = {
      accept: 'text/event-stream',
      host: new URL(accounts.accountUrl).host,
      cookie: `${sessionCookie}=${visitor.cookie(sessionCookie)}`,
    };
    get(url, { headers }, resolve).on('error', reject);
  });
  response.setEncoding('utf8').on('data', (chunk: string) => {
    heard.push(...Array.from(chunk.matchAll(/^data: (.*)$/gm), ([, data]) => data ?? ''));
  });
  response.on('close', () => {
    isOver = true;
  });
  return { heard, status: response.statusCode ?? 0, isOver: () => isOver, stop: () => response.destroy() };
}

const versionOf = ({ text }: PageAnswer): string => /data-version="([^"]*)"/.exec(text)?.[1] ?? '';

test('an open page hears of what happens in its account, and of nothing else', async () => {
  const [shop, other] = [await world.shop(), await world.shop()];
  const [owner, stranger] = [await member(shop, 'owner'), await member(other, 'owner')];
  const [ear, otherEar] = [await listen(owner), await listen(stranger)];
  await until('both hear where they are', () => ear.heard.length === 1 && otherEar.heard.length === 1);
  assert.equal(ear.heard[0], versionOf(await owner.get('/account')), 'a page knows as of when it is');
  assert.equal((await owner.get('/account/news')).text, ear.heard[0], 'who cannot have a stream asks');

  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  // Heard in as many steps as there were looks at it meanwhile.
  const hearsItAll = async () => ear.heard.at(-1) === versionOf(await owner.get('/account'));
  await until('a checkout is made', async () => ear.heard.length > 1 && (await hearsItAll()));
  const made = ear.heard.length;
  await world.pay(checkout, '0.001');
  await until('it is paid', async () => ear.heard.length > made && (await hearsItAll()));
  const paid = ear.heard.length;
  await world.mine(1);
  await until('it is credited', async () => ear.heard.length > paid && (await hearsItAll()));
  assert.equal(new Set(ear.heard).size, ear.heard.length);
  assert.equal(otherEar.heard.length, 1, 'nobody hears of another account');

  const one = await listen(owner, `?checkout=${checkout.id}`);
  const ofOther = await listen(stranger, `?checkout=${checkout.id}`);
  await until('one checkout', () => one.heard.length === 1 && ofOther.heard.length === 1);
  await world.gateway.app.refresh();
  const quiet = ofOther.heard.length;
  await world.pay(checkout, '0.001');
  await until('something comes in twice', () => one.heard.length >= 2);
  assert.equal(ofOther.heard.length, quiet, 'a checkout of another account is an unknown one');
  for (const each of [ear, otherEar, one, ofOther]) each.stop();
});

test('who has pages of two accounts open is heard as who they are in each', async () => {
  const [shop, other] = [await world.shop(), await world.shop()];
  const owner = await member(shop, 'owner');
  const { db, clock, log } = world.gateway;
  const [found] = await db<{ id: string; person: string }>`
    select session.id, session.person_id as person from session join membership using (person_id)
     where membership.merchant_id = ${shop.merchant.merchantId}`;
  const [merchantId, second] = [shop.merchant.merchantId, other.merchant.merchantId];
  const [sessionId, personId] = [found?.id ?? '', found?.person ?? ''];
  await db.begin((tx) => saveMembership(tx, { merchantId: second, personId, role: 'viewer' }, clock.now()));
  assert.equal((await owner.post('/account/choose', { merchant: merchantId })).status, 303);
  const [held] = await findHeldSessions(db, [{ sessionId, merchantId }]);
  assert.ok(held);
  const limits = { viewersMax: 9, viewersPerAddressMax: 9 };
  const health = createNetworkHealth(clock);
  const news = createAccountNews({ db, clock, log, health, limits, onNews: () => undefined, lookEveryMs: 20 });
  const [heard, ended] = [[] as string[], [] as string[]];
  const leave = [[merchantId, 'owner'] as const, [second, 'viewer'] as const].map(([id, role]) =>
    news.listen({
      ...{ merchantId: id, checkout: null, exportId: null, session: held.session, role, address: '127.0.0.1' },
      onVersion: () => heard.push(role),
      onEnd: () => ended.push(role),
    }),
  );
  await until('both hear', () => heard.length + ended.length === 2);
  for (const each of leave) each?.();
  assert.deepEqual([heard, ended], [['owner', 'viewer'], []]);
});

test('who signs out, is put out or gets another role hears no more', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const leavers = await Promise.all([member(shop, 'viewer'), member(shop, 'support'), member(shop, 'accountant')]);
  const [signsOut, demoted, removed] = leavers;
  const ears = await Promise.all([owner, ...leavers].map((each) => listen(each)));
  await until('all hear', () => ears.every(({ heard }) => heard.length === 1));
  const personOf = async (role: string): Promise<string> => {
    const [row] = await world.gateway.db<{ id: string }>`
      select person_id as id from membership where merchant_id = ${shop.merchant.merchantId} and role = ${role}`;
    return row?.id ?? '';
  };
  await signsOut.post('/account/sign-out');
  assert.equal(
    (await owner.post('/account/people/role', { person: await personOf('support'), role: 'viewer' })).status,
    303,
  );
  assert.equal((await owner.post('/account/people/remove', { person: await personOf('accountant') })).status, 303);
  await until('their streams have ended', () => ears.slice(1).every(({ isOver }) => isOver()));
  assert.equal(ears[0]?.isOver(), false);
  assert.equal((await listen(signsOut)).status, 401);
  assert.notEqual((await listen(removed)).status, 200);
  assert.equal((await demoted.get('/account/news')).status === 200, false, 'another role signs in anew');
  world.gateway.clock.advance({ hours: 11 });
  assert.equal((await owner.get('/account', { 'x-refresh': 'news' })).status, 200);
  assert.equal((await owner.get('/account/news')).status, 200);
  world.gateway.clock.advance({ hours: 2 });
  await until('a session that nobody used is over, though its page was open', () => ears[0]?.isOver() === true);
  assert.equal((await owner.get('/account')).location, '/account/sign-in');
});
