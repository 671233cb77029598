/** What the account holds, swaps, deposit addresses and customers, on their pages and in files. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newFormName } from '../src/account/frame/send-once.ts';
import { newId } from '../src/lib/ids.ts';
import type { Role } from '../src/people/roles.ts';
import { type AccountWorld, accountsAt, type PageAnswer, signed, type Visitor, words } from './account-world.ts';
import { deepTest } from './depth.ts';
import { withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  // What merchants are credited in USDC, the operator has elsewhere.
  const env = { ...withoutLitecoin, TREASURY_LIMITS: 'USDC=-100000,*=0' };
  world = await startRefundWorld({ env, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

const [balances, swap, deposit, customers] = [
  '/account/balances',
  '/account/balances/swap',
  '/account/balances/deposit',
  '/account/customers',
] as const;
let people = 0;
const member = (shop: Shop, role: Role): Promise<Visitor> =>
  accounts.member(role, `balances-${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);
const formName = (): string => newFormName(world.gateway.clock.now());
/** Where the first link leads whose text has this in it. */
const linkTo = ({ text }: PageAnswer, part: string): string =>
  new RegExp(`<a href="([^"]+)"[^>]*>${part}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('every balance is shown with its worth, and each leads to what happened', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  assert.match(words(await owner.get(balances)), /Nothing is here yet/);
  const paid = await world.paid(shop, '0.0015');
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0003', address: aBitcoinAddress() };
  const { transfer } = await shop.post('/transfer', order);
  const page = await owner.get(balances);
  const { wallets } = await shop.get('/wallets');
  const [btc] = wallets.filter(({ available }: any) => available !== '0');
  assert.match(words(page), /Worth now \$ 59\.70/);
  assert.match(words(page), /Asset Available.*For a decision Reserved Value now BTC/);
  assert.ok(words(page).includes(` ${btc.available} `) && words(page).includes(` ${btc.reserved} `), words(page));
  assert.ok(words(page).includes(' 0.0005 '), 'what waits for a decision');

  const one = await owner.get(linkTo(page, 'BTC'));
  const told = words(one);
  assert.match(told, /Set aside for a transfer .*?−0\.0003\d* Reserved \+0\.0003\d*/);
  assert.match(told, /Checkout credited .*?\+0\.000995 Pending −0\.0015, For a decision \+0\.0005/);
  assert.equal(linkTo(one, 'Set aside for a transfer'), `/account/transfers/${transfer.id}`);
  assert.equal(linkTo(one, 'Checkout credited'), `/account/checkouts/${paid.id}`);
  assert.equal((await owner.get(`/account/transfers/${transfer.id}`)).status, 200);
  assert.equal((await owner.get(`${balances}/asset/NONSENSE`)).status, 404);
  assert.equal((await owner.get(`${balances}/asset/BTC?cursor=x`)).status, 400);

  const viewer = await member(shop, 'viewer');
  assert.doesNotMatch(words(await viewer.get(balances)), /New transfer|Swap/);
  assert.equal((await (await member(shop, 'support')).get(balances)).status, 403);
  const stranger = await member(await world.shop(), 'owner');
  assert.doesNotMatch(words(await stranger.get(`${balances}/asset/BTC`)), /credited/);
});

deepTest('older entries follow page by page, each once', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  await world.paid(shop, '0.001');
  for (let count = 0; count < 26; count += 1) {
    world.gateway.clock.advance({ seconds: 1 });
    const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address: aBitcoinAddress() };
    const { id } = await shop.post('/transfer', order);
    world.gateway.clock.advance({ seconds: 1 });
    await shop.post('/transfer/cancel', { id });
  }
  const seen: string[] = [];
  let next = `${balances}/asset/BTC`;
  for (let pages = 0; next !== '' && pages < 9; pages += 1) {
    const page = await owner.get(next);
    seen.push(...Array.from(page.text.matchAll(/<tr title="Reference ([^"]+)"/g), ([, reference = '']) => reference));
    next = /<a class="btn" href="([^"]+)" rel="next"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  const { entries } = await shop.get('/ledger-entries?asset=BTC&limit=100');
  assert.ok(seen.length > 50, 'more than a page');
  assert.deepEqual(
    seen,
    entries.map(({ reference }: any) => reference),
  );
});

/** An owner of a shop with something to swap, and the page with a price. */
async function quoted(amount = '0.0005') {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  const owner = await member(shop, 'owner');
  const wish = new URLSearchParams({ from: 'BTC', to: 'USDC', amount, of: 'given' }).toString();
  const page = await owner.get(`${swap}/quote?${wish}`);
  const quote = /name="quote" value="(\w+)"/.exec(page.text)?.[1] ?? '';
  return { shop, owner, page, quote, wish };
}
const swapsOf = async (shop: Shop): Promise<any[]> => (await shop.get('/swaps')).swaps;

test('a price holds for a minute, is signed as it is shown, and swaps once', async () => {
  const { shop, owner, page, quote } = await quoted();
  assert.match(words(await owner.get(swap)), /You give BTC, 0\.000995 BTC available.*USDC/);
  assert.match(words(page), /0\.0005 BTC → 29\.\d+ USDC This price holds until \d+:\d\d:\d\d/);
  assert.equal((await owner.post(swap, { quote })).status, 403, 'nothing was signed');
  const other = await owner.get(`${swap}/quote?from=BTC&to=USDC&amount=0.0006`);
  const dearer = /name="quote" value="(\w+)"/.exec(other.text)?.[1] ?? '';
  assert.equal((await signed(owner, swap, { quote }, { quote: dearer })).status, 409, 'another price was signed');
  const form = { quote, form: formName() };
  const done = await signed(owner, swap, form);
  assert.equal(done.status, 303, done.text);
  assert.equal((await signed(owner, swap, form)).location, done.location, 'sent again');
  assert.equal((await signed(owner, swap, { quote })).status, 409, 'a quote is good once');
  const [made, ...others] = await swapsOf(shop);
  assert.deepEqual(others, []);
  assert.match(made.createdBy, /^person:[a-z0-9]{12}$/);
  const [audit] = await world.gateway.db<{ actor: string; proof: string }>`
    select actor, proof from audit_log where action = 'swap.created' and detail ->> 'id' = ${made.id}`;
  assert.equal(audit?.actor, made.createdBy);
  assert.match(String(audit?.proof), /signed: swap 0\.0005 BTC:\w+ for 29\.\d+ USDC:\w+ by the quote /);
  assert.match(words(await owner.get(done.location)), /Done\. 29\.\d+ USDC is available.*The owner/);
  assert.match(words(await owner.get(swap)), /Swaps so far.*0\.0005 BTC.*Done/);
  await world.gateway.runUntilIdle();
  assert.deepEqual((await shop.get(`/webhook-deliveries?swapId=${made.id}`)).deliveries, [], 'nobody could sign one');
});

test('after the minute nothing is swapped: there is a new price', async () => {
  const { shop, owner, quote } = await quoted();
  world.gateway.clock.advance({ seconds: 60 });
  const late = await signed(owner, swap, { quote });
  assert.match(late.location, /^\/account\/balances\/swap\/quote\?.*over=yes/);
  assert.match(words(await owner.get(late.location)), /The minute was over, and nothing was swapped.*0\.0005 BTC →/);
  assert.deepEqual(await swapsOf(shop), []);
  for (const [wrong, sentence] of [
    ['from=BTC&to=USDC&amount=much', /Amount/i],
    ['from=BTC&to=BTC&amount=1', /two different assets/],
    ['from=BTC&to=NOTHING&amount=1', /targetAsset/],
    ['from=BTC&to=USDC&amount=0', /greater than zero/],
  ] as const) {
    const answer = await owner.get(`${swap}/quote?${wrong}`);
    assert.equal(answer.status, 400, wrong);
    assert.match(words(answer), sentence);
  }
  assert.match(words(await owner.get(`${swap}/quote?from=BTC&to=USDC&amount=1`)), /too little for this: 0\.000995 BTC/);
});

test("another account's quote and swap are nobody's, and who only prepares cannot swap", async () => {
  const { shop, quote, owner, wish } = await quoted();
  const other = await quoted();
  assert.equal((await signed(other.owner, swap, { quote })).status, 404);
  const done = await signed(owner, swap, { quote });
  assert.equal((await other.owner.get(done.location)).status, 404);
  assert.deepEqual(await swapsOf(other.shop), []);
  const accountant = await member(shop, 'accountant');
  assert.match(words(await accountant.get(swap)), /Your role cannot swap/);
  assert.equal((await accountant.get(`${swap}/quote?${wish}`)).status, 403);
  assert.equal((await accountant.post(swap, { quote })).status, 403);
  assert.equal((await (await member(shop, 'viewer')).post(swap, { quote })).status, 403);
});

test('a deposit address is made once, shown with its code, paid and credited, and closed', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const page = await owner.get(deposit);
  assert.match(words(page), /No address is open/);
  const rail = /<option value="(BITCOIN BTC:\w+)"/.exec(page.text)?.[1] ?? '';
  const form = { rail, use: 'many', amount: '', form: formName() };
  const made = await owner.post(deposit, form);
  assert.equal(made.status, 303, made.text);
  assert.equal((await owner.post(deposit, form)).location, made.location);
  const { deposits } = await shop.get('/deposits');
  assert.equal(deposits.length, 1);
  const shown = await owner.get(made.location);
  const [, address = ''] = /data-copy="(bcrt1\w+)"/.exec(shown.text) ?? [];
  assert.match(words(shown), /Send only BTC and only on Bitcoin/);
  assert.match(shown.text, /<svg[^>]* aria-label="Code of the address"/);
  assert.match(words(await owner.get(deposit)), /BTC on Bitcoin.*Again and again Nothing yet/);

  await world.pay({ address }, '0.001');
  await world.mine(6);
  assert.match(words(await owner.get(made.location)), /0\.001 BTC.*credited 0\.000\d+ BTC/);
  assert.match(words(await owner.get(`${balances}/asset/BTC`)), /Deposit credited/);
  assert.equal(linkTo(await owner.get(`${balances}/asset/BTC`), 'Deposit credited'), made.location);
  const closed = await owner.post(`${made.location}/close`);
  assert.equal(closed.location, `${made.location}?did=closed`);
  assert.match(words(await owner.get(deposit)), /No address is open/);
  const trail = await world.gateway.db<{ action: string; actor: string }>`
    select action, actor from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action like 'deposit.%' order by id`;
  assert.deepEqual(
    trail.map(({ action, actor }) => `${action} ${actor.replace(/:.*/, '')}`),
    ['deposit.created person', 'deposit.closed person'],
  );

  const wrong = await owner.post(deposit, { rail: 'NOWHERE BTC', use: 'once', amount: '5' });
  assert.deepEqual([wrong.status, /network must be one of/.test(wrong.text)], [400, true]);
  assert.match(wrong.text, /name="amount"[^>]*value="5"/, 'what was typed is still there');
  await owner.post('/account/my-sign-in/profile', { name: 'Ada', language: 'de' });
  for (const [amount, sentence] of [
    ['viel', /Das ist kein Betrag/],
    ['0', /Der Betrag muss größer als null sein/],
    ['0,000000001', /Auf Bitcoin hat ein Betrag höchstens 8 Nachkommastellen/],
    ['0,00000001', /Auf Bitcoin muss der Betrag mindestens 0[.,]\d+ BTC sein/],
  ] as const) {
    const answer = await owner.post(deposit, { rail, use: 'once', amount });
    assert.equal(answer.status, 400, amount);
    assert.match(words(answer).replaceAll(/[\u2068\u2069]/g, ''), sentence);
  }
  const stranger = await member(await world.shop(), 'owner');
  for (const id of [made.location.split('/').at(-1) ?? '', newId()]) {
    assert.equal((await stranger.get(`${deposit}/${id}`)).status, 404);
    assert.equal((await stranger.post(`${deposit}/${id}/close`)).status, 404);
  }
  assert.equal((await (await member(shop, 'viewer')).post(deposit, form)).status, 403);
});

test('customers are listed, found by the beginning of a name, changed and deleted; invoices stay', async () => {
  const shop = await world.shop();
  const support = await member(shop, 'support');
  assert.match(words(await support.get(customers)), /No customer yet/);
  const save = async (customer: Record<string, string>): Promise<string> => {
    world.gateway.clock.advance({ seconds: 1 });
    return (await shop.post('/customer', { customer })).customerId;
  };
  const marta = await save({ email: 'marta@example.com', firstname: 'Marta', lastname: 'Nowak', countrycode: 'PL' });
  await save({ email: 'Order@Nord.example', company: 'Nord <b>GmbH</b>', city: 'Kiel' });
  await save({ email: 'zed@example.com', lastname: 'Nowotny' });
  const all = await support.get(customers);
  assert.match(words(all), /Nowotny .* Nord .*GmbH.* Marta Nowak .* Poland/);
  assert.doesNotMatch(all.text, /<b>GmbH/, 'a name is text');
  const found = async (search: string): Promise<string[]> => {
    const answer = await support.get(`${customers}?search=${encodeURIComponent(search)}`);
    return Array.from(answer.text.matchAll(/<th scope="row"><a[^>]*>(.*?)<\/a>/g), ([, name = '']) => name);
  };
  assert.deepEqual(await found('now'), ['Marta Nowak', 'Nowotny']);
  assert.deepEqual(await found('Marta NOWA'), ['Marta Nowak']);
  assert.deepEqual(await found('order@NORD'), ['Nord &lt;b&gt;GmbH&lt;/b&gt;']);
  assert.deepEqual(await found('nord'), ['Nord &lt;b&gt;GmbH&lt;/b&gt;']);
  assert.deepEqual(await found(marta), ['Marta Nowak']);
  assert.deepEqual(await found('%'), []);
  assert.match(words(await support.get(`${customers}?search=nobody`)), /Nobody is found by this/);

  const charge = {
    billingCurrency: 'USD',
    lineItems: [{ description: 'Cup', netAmount: '60.00' }],
    customerId: marta,
  };
  const { id } = await shop.post('/checkout/hosted', { charge });
  const { depositInstructions } = await shop.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  await world.pay(depositInstructions, '0.001');
  await world.mine(6);
  const page = await support.get(`${customers}/${marta}`);
  assert.match(words(page), /Marta Nowak.*\$60\.00 Invoice · Receipt/);
  const invoice = new URL((await support.get(linkTo(page, 'Invoice'))).location);
  assert.equal(invoice.pathname, `/en/invoice/${id}`);

  // The link to a refund goes to this address: whoever changes it must be able to give the money away in any case.
  for (const each of [`${customers}/${marta}`, `${customers}/${marta}/delete`])
    assert.equal((await support.post(each, { email: 'support@example.com' })).status, 403, each);
  assert.doesNotMatch(page.text, /<form[^>]*method="post"[^>]*customers/);
  const owner = await member(shop, 'owner');
  const saved = await owner.post(`${customers}/${marta}`, { email: 'm@example.com', city: 'Gdańsk', lastname: '' });
  assert.equal(saved.location, `${customers}/${marta}?did=saved`, saved.text);
  const { customer } = await shop.get(`/customer?id=${marta}`);
  assert.deepEqual(
    [customer.email, customer.city, customer.firstname, customer.lastname],
    ['m@example.com', 'Gdańsk', 'Marta', null],
  );
  const taken = await owner.post(`${customers}/${marta}`, { email: 'ZED@example.com', city: 'Posen' });
  assert.deepEqual([taken.status, /Somebody else has this e-mail/.test(taken.text)], [409, true]);
  assert.match(taken.text, /value="Posen"/);
  assert.equal((await owner.post(`${customers}/${marta}`, { countrycode: 'XX' })).status, 400);

  const stranger = await member(await world.shop(), 'owner');
  for (const each of [marta, newId()]) {
    assert.equal((await stranger.get(`${customers}/${each}`)).status, 404);
    assert.equal((await stranger.post(`${customers}/${each}`, { city: 'X' })).status, 404);
    assert.equal((await stranger.post(`${customers}/${each}/delete`)).status, 404);
  }
  assert.match(words(await stranger.get(`${customers}?search=now`)), /Nobody is found/);
  for (const role of ['developer', 'viewer'] as const)
    assert.equal((await (await member(shop, role)).get(`${customers}/${marta}`)).status, 403, role);

  assert.equal((await owner.post(`${customers}/${marta}/delete`)).location, `${customers}?did=deleted`);
  assert.doesNotMatch((await support.get(`${customers}/${marta}`)).text, /Marta|m@example/, 'deleted, not erased yet');
  await world.gateway.runUntilIdle();
  assert.equal((await support.get(`${customers}/${marta}`)).status, 404);
  assert.deepEqual(await found('m@ex'), []);
  const paper = await fetch(`${new URL(world.gateway.url).origin}${invoice.pathname}${invoice.search}`);
  assert.deepEqual([paper.status, /m@example\.com|Marta/.test(await paper.text())], [200, true], 'the invoice stays');
  const trail = await world.gateway.db<{ action: string; detail: { fields?: string[] } }>`
    select action, detail from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action like 'customer.%' order by id`;
  assert.deepEqual(
    trail.map(({ action, detail }) => [action, detail.fields ?? []]),
    [
      ['customer.changed', ['email', 'lastname', 'city']],
      ['customer.deleted', []],
    ],
  );
});

/** The rows of a file, as a spreadsheet reads it: by the names of its columns. */
function rowsOf({ text }: PageAnswer): Record<string, string>[] {
  assert.ok(text.startsWith('\uFEFF') && text.endsWith('\r\n'), text);
  const cells = Array.from(text.slice(1).matchAll(/("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/g));
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of cells) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? 'missing'])));
}
const fileName = ({ headers }: PageAnswer): string =>
  /filename="(.*)"$/.exec(headers['content-disposition'] ?? '')?.[1] ?? '';

test('what is seen is exported: the lists with their filters, amounts as numbers, moments with their offset', async () => {
  const shop = await world.shop({ name: 'Café & Söhne', pageSettings: { timeZone: 'Europe/Berlin' } });
  const owner = await member(shop, 'owner');
  assert.doesNotMatch((await owner.get('/account/checkouts')).text, /checkouts\/export/, 'there is nothing yet');
  const customer = { email: 'marta@example.com', company: '=HYPERLINK("http://x")', lastname: 'Hoff' };
  const { customerId } = await shop.post('/customer', { customer });
  const lineItems = [{ description: 'Cup', netAmount: '60.00' }];
  const paid = await world.paid(shop, '0.0015', {
    charge: { billingCurrency: 'USD', customerId, lineItems },
    pageSettings: { orderReference: '+49, "KN-1"' },
  });
  world.gateway.clock.advance({ seconds: 1 });
  const open = await shop.create('12.50 USD');
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0003', address: aBitcoinAddress() };
  const { transfer } = await shop.post('/transfer', order);
  const exported = async (page: string): Promise<PageAnswer> => {
    const path = /href="([^"]*\/export[^"]*)" data-plain/.exec((await owner.get(page)).text)?.[1] ?? '';
    const file = await owner.get(path.replaceAll('&amp;', '&'));
    assert.deepEqual([file.status, file.headers['content-type']], [200, 'text/csv; charset=utf-8'], `${page}: ${path}`);
    return file;
  };

  const all = await exported('/account/checkouts');
  assert.match(fileName(all), /^Cafe-Sohne-Checkouts-2026-03-01\.csv$/);
  const [second, first] = rowsOf(all);
  assert.deepEqual([second?.['Checkout id'], second?.['Paid'], second?.['Network']], [open, '', '']);
  const { Time: time = '', ...told } = first ?? {};
  assert.match(time, /^2026-03-01T\d\d:\d\d:\d\d\+01:00$/);
  assert.deepEqual(told, {
    Order: `'+49, "KN-1"`,
    'Checkout id': paid.id,
    State: 'Paid too much',
    Price: '60.00',
    Currency: 'USD',
    Paid: '0.0015',
    'Paid in': 'BTC',
    'Also paid': '',
    Network: 'Bitcoin',
    Customer: `'=HYPERLINK("http://x")`,
    'E-mail address': 'marta@example.com',
  });
  const filtered = await exported('/account/checkouts?tab=odd&period=30&amount=60');
  assert.equal(fileName(filtered), 'Cafe-Sohne-Checkouts-2026-01-30-2026-03-01.csv');
  assert.deepEqual(
    rowsOf(filtered).map((row) => row['Checkout id']),
    [paid.id],
  );
  assert.equal(rowsOf(await owner.get('/account/checkouts/export?amount=much')).length, 0, 'only the names of columns');

  const [known] = rowsOf(await exported(`${customers}?search=hoff`));
  assert.deepEqual([known?.['Id'], known?.['Company'], known?.['City']], [customerId, `'=HYPERLINK("http://x")`, '']);
  const entries = rowsOf(await exported(`${balances}/asset/BTC`));
  const set = entries.find((row) => row['Id of what it is about'] === transfer.id);
  assert.match(`${set?.['Available']} ${set?.['Reserved']} ${set?.['Asset']}`, /^-0\.0003\d* 0\.0003\d* BTC$/);
  const sent = rowsOf(await exported('/account/transfers'));
  assert.deepEqual(
    sent.map((row) => [row['Transfer id'], row['Amount'], row['Asset'], row['Address']]),
    [[transfer.id, '0.0003', 'BTC', order.address]],
  );
  const days = await exported('/account');
  assert.equal(fileName(days), 'Cafe-Sohne-days-2026-01-31-2026-03-01.csv');
  assert.deepEqual(rowsOf(days).at(-1), { Day: '2026-03-01', Paid: '1', Credited: '59.70', Currency: 'USD', Note: '' });

  await owner.post('/account/my-sign-in/profile', { name: 'Ada', language: 'de' });
  assert.match((await exported('/account/checkouts')).text, /^\uFEFFZeit,Bestellung,Checkout-ID,Stand,Preis,Währung,/);
  const trail = await world.gateway.db<{ action: string; detail: Record<string, string> }>`
    select action, detail from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action like 'export.%' order by id`;
  assert.deepEqual(
    trail.slice(0, 5).map(({ action, detail }) => [action, detail]),
    [
      ['export.checkouts', { tab: 'all' }],
      ['export.checkouts', { tab: 'odd', period: '30', amount: '60' }],
      ['export.checkouts', { tab: 'all', amount: 'much' }],
      ['export.customers', { search: 'hoff' }],
      ['export.entries', { asset: 'BTC' }],
    ],
  );

  const stranger = await member(await world.shop(), 'owner');
  for (const path of ['/account/checkouts/export', `${customers}/export`, `${balances}/asset/BTC/export`])
    assert.equal(rowsOf(await stranger.get(path)).length, 0, path);
  assert.equal((await owner.get(`${balances}/asset/NONSENSE/export`)).status, 404);
  for (const role of ['support', 'developer', 'viewer'] as const) {
    const visitor = await member(shop, role);
    for (const page of ['/account', '/account/checkouts'])
      assert.doesNotMatch((await visitor.get(page)).text, /\/export/, role);
    assert.equal((await visitor.get('/account/checkouts/export')).status, 403, role);
  }
});

test('a long list is exported whole, each row once, also what a search finds', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  await world.gateway.db`
    insert into customer (merchant_id, id, email, fields, updated_at, created_at)
    select ${shop.merchant.merchantId}, 'aaaa' || lpad(n::text, 8, '0'), n || '@example.com',
           jsonb_build_object('lastname', case when n % 2 = 0 then 'Even' else 'Odd' end), '2026-02-01',
           '2026-01-01'::timestamptz + make_interval(secs => n / 2)
      from generate_series(1, 1203) as n`;
  const ids = async (query: string): Promise<number[]> =>
    rowsOf(await owner.get(`${customers}/export${query}`)).map((row) => Number(row['Id']?.slice(4)));
  const newestFirst = Array.from({ length: 1203 }, (_, at) => 1203 - at);
  assert.deepEqual(await ids(''), newestFirst);
  assert.deepEqual(
    await ids('?search=Somebody+EVEN'),
    newestFirst.filter((n) => n % 2 === 0),
  );
});

deepTest('a search that finds more than a page ever shows is exported whole, with the other filters', async () => {
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  const owner = await member(shop, 'owner');
  const { db } = world.gateway;
  await db`
    insert into checkout (merchant_id, id, api_key, type, origin, state, billing_currency, total, settlement_asset, language,
                          tolerance, late_tolerance, extra_confirmations, payload, quotes, quoted_at, created_at, updated_at)
    select ${merchantId}, 'aaaa' || lpad(n::text, 8, '0'), 'key', 'API', 'API',
           case when n % 100 = 0 then 'CREATED' else 'EXPIRED' end, case when n % 100 = 0 then 'EUR' else 'USD' end, 7,
           'ORIGIN', 'en', 0, 0, 0, '{}', '[]', at, at, at
      from (select n, '2026-01-01'::timestamptz + make_interval(secs => n / 2) as at from generate_series(1, 2203) as n) _`;
  // A third has the word itself, the others one that begins so, and some have both.
  await db`
    insert into checkout_term (merchant_id, term, created_at, checkout_id)
    select merchant_id, term, created_at, id from checkout
     cross join lateral (values ('lot'), ('lot-' || right(id, 4)), ('lot-b')) as of (term)
     where merchant_id = ${merchantId}
       and (case when right(id, 4)::integer % 3 = 0 then term = 'lot' else term <> 'lot' end)`;
  const ids = async (query: string): Promise<number[]> =>
    rowsOf(await owner.get(`/account/checkouts/export?${query}`)).map((row) => Number(row['Checkout id']?.slice(4)));
  const newestFirst = Array.from({ length: 2203 }, (_, at) => 2203 - at);
  const hundreds = newestFirst.filter((n) => n % 100 === 0);
  assert.deepEqual(await ids('search=lot'), newestFirst);
  assert.deepEqual(await ids('search=lot&tab=open'), hundreds, 'however rare what fits is');
  assert.deepEqual(await ids('search=7+EUR'), hundreds);
  assert.deepEqual(await ids('search=lot&credited=2026-01-01'), []);
  const saysSo = async (query: string): Promise<boolean> =>
    /A search shows at most 500 checkouts/.test((await owner.get(`/account/checkouts?${query}`)).text);
  const told = await Promise.all(['search=lot', 'search=7+EUR', 'search=lot-1', 'search=lot-00', ''].map(saysSo));
  assert.deepEqual(told, [true, true, true, false, false], 'a page says that more may fit, where that is so');
});

deepTest('every page speaks German', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  const owner = await member(shop, 'owner');
  await owner.post('/account/my-sign-in/profile', { name: 'Ada', language: 'de' });
  for (const [path, sentence] of [
    [balances, /Jetzt wert .* Verfügbar/],
    [`${balances}/asset/BTC`, /Checkout gutgeschrieben/],
    [swap, /Ein Preis gilt eine Minute/],
    [deposit, /Keine Adresse ist offen/],
    ['/account/transfers', /Noch wurde nichts gesendet/],
    ['/account/transfers/new', /Eine andere Adresse/],
    ['/account/transfers/destinations', /Noch kein Ziel/],
    [customers, /Noch kein Kunde/],
  ] as const)
    assert.match(words(await owner.get(path)), sentence, path);
});
