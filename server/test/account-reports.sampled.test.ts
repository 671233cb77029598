/** Reports of an account, on their pages and in files. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { writeAccess } from '../src/lib/data-folder.ts';
import { Secret } from '../src/lib/secret.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import type { Role } from '../src/people/roles.ts';
import { rebuildDays } from '../src/reports/fold-days.ts';
import { type AccountWorld, accountsAt, type PageAnswer, sessionCookie, type Visitor, words } from './account-world.ts';
import { atLeastOne } from './at-least-one.ts';
import { camtProblems, readCamt } from './camt-reader.ts';
import { deepTest } from './depth.ts';
import { withoutLitecoin } from './gateway.ts';
import { readPdf } from './pdf-text.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

const statement = '/account/reports/statement';
let people = 0;
const member = (shop: Shop, role: Role): Promise<Visitor> =>
  accounts.member(role, `reports-${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);
const today = (): string => world.gateway.clock.now().toISOString().slice(0, 10);
const fileLinks = ({ text }: PageAnswer): string[] =>
  Array.from(text.matchAll(/href="([^"]*\/export[^"]*)" data-plain/g), ([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  );

async function dayLater(): Promise<void> {
  world.gateway.clock.advance({ hours: 24 });
  await world.gateway.runUntilIdle();
}

test('a report is about closed days of a period that stands in its address, and files are for who may export', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  await world.gateway.runUntilIdle();
  assert.match(words(await owner.get(statement)), /No day of this period is closed yet/);
  const day = today();
  await world.paid(shop, '0.0015');
  await dayLater();
  await owner.signInWithPasskey();

  const page = await owner.get(statement);
  assert.equal(page.status, 200);
  assert.match(page.text, /<a href="\/account\/reports\/statement" data-go="r" aria-current="page">/);
  assert.match(
    words(page),
    /Day Month Quarter Year March 2026 It adds up .* Opening \$ 0\.00 In \$ 60\.00 Out \$ 0\.30/,
  );
  assert.match(
    words(page),
    /Credits 0\.00100000 60\.00 Fees −0\.00000500 −0\.30 .*Closing, Mar 1, 2026 0\.00099500 59\.70/,
  );
  assert.match(columnWords(page), /Not at hand .*For a decision BTC 0\.00000000 0\.00050000/);
  assert.match(words(page), /This period is not over: it is covered up to Mar 1, 2026/);
  const year = await owner.get(`${statement}?period=2026`);
  assert.match(year.text, /aria-current="true">Year<\/a>/);
  assert.match(words(await owner.get(`${statement}?period=2026-Q1`)), /Q1 2026/);
  assert.doesNotMatch(words(await owner.get(`${statement}?period=${day}`)), /not over/);
  for (const [period, status] of [
    ['2027', 404],
    [today(), 404],
    ['soon', 400],
    ['2026-13', 400],
  ])
    assert.equal((await owner.get(`${statement}?period=${period}`)).status, status, String(period));

  const links = fileLinks(page);
  assert.equal(links.length, 4);
  for (const link of links) {
    const file = await owner.get(link);
    assert.equal(file.status, 200, link);
    assert.match(file.headers['content-disposition'] ?? '', /Statement-2026-03\.\w+"$/);
  }
  assert.equal((await owner.get(`${statement}/export?format=xls`)).status, 404);
  const viewer = await member(shop, 'viewer');
  const seen = await viewer.get(statement);
  assert.match(words(seen), /0\.00099500/);
  assert.deepEqual(fileLinks(seen), []);
  assert.equal((await viewer.get(links[0] ?? '')).status, 403);
  assert.equal((await (await member(shop, 'support')).get(statement)).status, 403);
  const stranger = await member(await world.shop(), 'owner');
  assert.doesNotMatch(words(await stranger.get(statement)), /0\.000995/);
  const trail = await world.gateway.db<{ detail: unknown }>`
    select detail from audit_log where merchant_id = ${shop.merchant.merchantId} and action = 'export.report' order by id`;
  assert.equal(trail.length, links.length, 'what was refused is not in it');
  assert.deepEqual(trail.at(-1)?.detail, { report: 'statement', period: '2026-03', format: 'pdf' });
});

/** The words of a page without those that tell, below the first column, what a small screen has no column for. */
const columnWords = (page: PageAnswer): string =>
  words({ ...page, text: page.text.replaceAll(/<span class="sub[^>]*>[^<]*<\/span>/g, '') });

/** The rows of a file by the names of its columns; nothing in these files needs quotes but for commas. */
function rowsOf({ text }: PageAnswer): Record<string, string>[] {
  const [names = [], ...rows] = text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      Array.from(line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g), ([, cell = '']) => cell.replaceAll('"', '')),
    );
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

test('every file says what the screen says: CSV, PDF, JSON as by the API, and camt.053 that comes out even', async () => {
  const shop = await world.shop({ name: '=Röst & <Söhne>' });
  await world.paid(shop, '0.0015');
  world.gateway.clock.advance({ minutes: 5 });
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0003', address: aBitcoinAddress() };
  await shop.post('/transfer', order);
  await dayLater();
  const owner = await member(shop, 'owner');
  const period = new Date(world.gateway.clock.now().getTime() - 24 * 3_600_000).toISOString().slice(0, 10);
  const file = async (format: string): Promise<PageAnswer> => {
    const answer = await owner.get(`${statement}/export?period=${period}&format=${format}`);
    assert.equal(answer.status, 200, `${format}: ${answer.text}`);
    return answer;
  };
  const page = words(await owner.get(`${statement}?period=${period}`));

  const rows = rowsOf(await file('csv'));
  for (const { Amount: amount = '', Value: value = '' } of rows)
    for (const number of [amount, value].filter((each) => each !== ''))
      assert.ok(page.includes(number.replace('-', '−')), `${number} is on the screen: ${page}`);
  const btc = rows.filter(
    ({ Asset: asset, Line: line = '' }) => asset === 'BTC' && !line.startsWith('For') && !line.startsWith('Res'),
  );
  const sum = (name: string, some: readonly Record<string, string>[]): number =>
    some.reduce((all, row) => all + Math.round(Number(row[name] || '0') * 1e8), 0);
  const closing = btc.filter(({ Line: line = '' }) => line.startsWith('Closing'));
  const others = btc.filter(({ Line: line = '' }) => !line.startsWith('Closing'));
  assert.equal(closing.length, 1);
  for (const name of ['Amount', 'Value']) assert.equal(sum(name, others), sum(name, closing), name);

  const json = JSON.parse((await file('json')).text);
  assert.deepEqual(json, await shop.get(`/reports/statement?period=${period}`));
  assert.equal(json.statement.addsUp, true);
  assert.match((await shop.refused(400, 'GET', '/reports/statement?period=soon'))[0] as string, /2026-Q4/);

  const cookie = `${sessionCookie}=${owner.cookie(sessionCookie)}`;
  const pdfPath = `${accounts.accountUrl}${statement}/export?period=${period}&format=pdf`;
  const pdf = readPdf(Buffer.from(await (await fetch(pdfPath, { headers: { cookie } })).arrayBuffer()));
  for (const { Amount: amount = '', Value: value = '' } of rows)
    for (const number of [amount, value])
      assert.ok(pdf.text.includes(number.replace('-', '−')), `${number} is on paper`);
  assert.match(pdf.text, /It adds up/);

  const camt = (await file('camt')).text;
  assert.deepEqual(camtProblems(camt), []);
  const [read, ...more] = readCamt(camt);
  assert.deepEqual(more, []);
  const [asset] = json.statement.assets;
  assert.deepEqual([read?.owner, read?.currency], ['=Röst & <Söhne>', json.statement.accountCurrency]);
  assert.deepEqual([read?.opening, read?.closing], [asset.value.opening, asset.value.closing]);
  const cents = (text: string): number => Math.round(Number(text) * 100);
  const moved = read?.entries.reduce((all, entry) => all + cents(entry.amount), 0) ?? 0;
  assert.equal(cents(asset.value.opening) + moved, cents(asset.value.closing));
  const amounts = asset.lines.map(({ line, amount }: any) => [line.toUpperCase(), `${amount} BTC`]);
  const texts = read?.entries.filter(({ code }) => code !== 'REVALUATION').map(({ code, text }) => [code, text]);
  assert.deepEqual(Object.fromEntries(texts ?? []), Object.fromEntries(amounts));
  assert.equal(camtProblems(camt.replace('<Ccy>', '<Nm>x</Nm><Ccy>')).length > 0, true, 'another order is noticed');
  assert.equal(camtProblems(camt.replace(/<Sts>.*?<\/Sts>/, '')).length > 0, true, 'and what is missing');
});

test('each closed day is listed with its digest, and its file proves itself by the published keys', async () => {
  const shop = await world.shop();
  const day = today();
  await world.paid(shop, '0.001');
  await dayLater();
  await dayLater();
  const owner = await member(shop, 'owner');
  const page = await owner.get('/account/reports/daily');
  assert.equal(page.text.match(/signed, chained/g)?.length, 2);
  const path = `/account/reports/daily/export?period=${day}&format=json`;
  assert.ok(page.text.includes(path.replace('&', '&amp;')));
  const [envelope, ...others] = JSON.parse((await owner.get(path)).text);
  assert.deepEqual(others, []);
  const published = await fetch(`${new URL(world.gateway.url).origin}/.well-known/quittance-statement-keys.json`);
  const { keys } = (await published.json()) as { keys: { id: string; publicKey: string }[] };
  const { publicKey = '' } = keys.find(({ id }) => id === envelope.keyId) ?? {};
  assert.ok(verify(null, Buffer.from(envelope.statement), publicKey, Buffer.from(envelope.signature, 'base64')));
  const said = JSON.parse(envelope.statement);
  assert.deepEqual([said.account, said.day, said.previous], [shop.merchant.merchantId, day, null]);
  const { entries } = await shop.get('/ledger-entries?limit=100');
  assert.equal(said.entries.count, entries.length);
  assert.doesNotMatch((await (await member(shop, 'viewer')).get('/account/reports/daily')).text, /\/export/);

  // Somebody changes the first one in the database: neither it nor the one that names it is called signed and chained.
  const { db } = world.gateway;
  const put = async (body: string): Promise<void> => {
    await db.script('alter table daily_statement disable trigger all');
    await db`update daily_statement set body = ${body} where merchant_id = ${shop.merchant.merchantId} and number = 1`;
    await db.script('alter table daily_statement enable trigger all');
  };
  await put(envelope.statement.replace('"moved":"', '"moved":"1'));
  const changed = await owner.get('/account/reports/daily');
  assert.deepEqual([changed.text.match(/not proven/g)?.length, /signed, chained/.test(changed.text)], [2, false]);
  await put(envelope.statement);

  // Nobody was there to sign for three days: what was signed then is not called the same as what was signed at once.
  world.gateway.clock.advance({ hours: 72 });
  await world.gateway.runUntilIdle();
  const late = (await (await member(shop, 'admin')).get(`/account/reports/daily?period=${day.slice(0, 4)}`)).text;
  assert.deepEqual([late.match(/signed, chained/g)?.length, late.match(/signed later, chained/g)?.length], [2, 2]);
  assert.match(late, /Compare it with a file of that day that you kept/);
});

const ledger = '/account/reports/checkouts';

test('the checkout ledger says who paid what at which rate, on its pages and in its files; names only to who may see them', async () => {
  const shop = await world.shop();
  const meta = { order: '=A-17' };
  const customer = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Quill', countrycode: 'PT' };
  const { customerId } = await shop.post('/customer', { customer });
  const charge = { billingCurrency: 'USD', customerId, lineItems: [{ description: 'Cup', netAmount: '60.00' }] };
  const paid = await world.paid(shop, '0.001', { meta, charge });
  world.gateway.clock.advance({ minutes: 5 });
  const address = aBitcoinAddress();
  await shop.post('/refund', { checkoutId: paid.id, amount: '0.0002', address, feePaidBy: 'customer' });
  await world.send();
  const period = today();
  await dayLater();
  const owner = await member(shop, 'owner');
  const page = await owner.get(`${ledger}?period=${period}`);
  assert.equal(page.status, 200);
  assert.match(
    columnWords(page),
    /Totals .*Credits BTC 0\.001 60\.00 Fees BTC −0\.000005 −0\.30 Refunds BTC −0\.0002 −12\.00 .*=A-17 Ada Quill 0\.001 BTC 60\.00/,
  );
  const viewer = await member(shop, 'viewer');
  assert.match(
    words(page),
    /Order: =A-17 Customer: Ada Quill Country: PT Price: 60\.00 Currency: USD Paid: 0\.001 Paid in: BTC .*Fee: 0\.000005/,
  );
  const seen = await viewer.get(`${ledger}?period=${period}`);
  assert.match(columnWords(seen), /=A-17 0\.001 BTC/);
  assert.doesNotMatch(words(seen), /Ada|PT/);
  assert.equal((await viewer.get(`${ledger}/export?period=${period}&format=csv`)).status, 403);

  const file = (format: string): Promise<PageAnswer> => owner.get(`${ledger}/export?period=${period}&format=${format}`);
  const [credit, refund, ...more] = rowsOf(await file('csv'));
  assert.deepEqual(more, []);
  assert.equal(credit?.['Order'], "'=A-17");
  assert.deepEqual(
    [credit?.['Credited'], credit?.['Fee'], credit?.['Rate'], credit?.['Checkout id'], credit?.['Value, USD']],
    ['0.001', '0.000005', '60000', paid.id, '60.00'],
  );
  assert.match(credit?.['Source of the rate'] ?? '', /^as offered, /);
  assert.match(credit?.['Transaction'] ?? '', /^[0-9a-f]{64}$/);
  assert.deepEqual([refund?.['Credited'], refund?.['Value, USD']], ['-0.0002', '-12.00']);
  assert.match(refund?.['Transaction'] ?? '', /^[0-9a-f]{64}$/);

  const whole = JSON.parse((await file('json')).text);
  const { next, ...first } = await shop.get(`/reports/checkouts?period=${period}&limit=1`);
  const second = await shop.get(`/reports/checkouts?period=${period}&limit=1&cursor=${next}`);
  assert.deepEqual([first.rows.length, second.totals, second.next], [1, null, null]);
  assert.deepEqual(whole, { ...first, rows: [...first.rows, ...second.rows], next: null });
  assert.equal(whole.rows[0].country, 'PT');
  assert.deepEqual(
    (await shop.get(`/reports/checkouts?period=${period}&limit=999`)).rows,
    whole.rows,
    'a limit beyond ours is ours',
  );
  await shop.refused(400, 'GET', `/reports/checkouts?period=${period}&cursor=elsewhere!`);

  // Made to be fetched later it is the same, to the letter.
  for (const format of ['csv', 'json']) {
    const { export: made } = await shop.post('/reports/exports', { list: 'checkoutLedger', period, format });
    await world.gateway.runUntilIdle();
    const later = await shop.get(`/reports/exports/file?id=${made.id}`);
    assert.equal(later, (await file(format)).text.replace(/^\uFEFF/, ''), format);
  }
  for (const list of ['checkouts', 'transfers', 'entries', 'customers']) {
    const { export: made } = await shop.post('/reports/exports', { list, ...(list === 'entries' && { asset: 'BTC' }) });
    await world.gateway.runUntilIdle();
    const [path = list] = list === 'entries' ? ['balances/asset/BTC'] : [];
    const now = (await owner.get(`/account/${path}/export`)).text.replace(/^\uFEFF/, '');
    assert.equal(await shop.get(`/reports/exports/file?id=${made.id}`), now, list);
  }
  const { text } = await owner.get(`${ledger}?period=${period}&cursor=${next}`);
  assert.match(text, /First page/);
  assert.doesNotMatch(text, /=A-17 Ada Quill.*=A-17 Ada Quill/s);

  const cookie = `${sessionCookie}=${owner.cookie(sessionCookie)}`;
  const pdfPath = `${accounts.accountUrl}${ledger}/export?period=${period}&format=pdf`;
  const pdf = readPdf(Buffer.from(await (await fetch(pdfPath, { headers: { cookie } })).arrayBuffer()));
  assert.match(pdf.text.replaceAll(/\s+/g, ' '), /=A-17.*Ada Quill.*60\.00/);
});

const taxes = '/account/reports/tax';

test('taxes are what was credited less what was refunded, in proportion, by country and rate; what was given back in full is gone', async () => {
  const shop = await world.shop();
  const customer = { email: 'tax@example.com', lastname: 'Quill', countrycode: 'PT' };
  const { customerId } = await shop.post('/customer', { customer });
  const lines = (netAmount: string) => ({ billingCurrency: 'USD', lineItems: [{ description: 'Cup', netAmount }] });
  const taxItems = [{ name: '=VAT', percent: '0.2' }];
  const whole = await world.paid(shop, '0.001', { charge: { ...lines('50'), customerId, taxItems } });
  const tooMuch = await world.paid(shop, '0.0015', { charge: lines('60') });
  await shop.post('/checkout/accept-excess', { checkoutId: tooMuch.id });
  const two = [
    { name: 'City', percent: '0.25' },
    { name: 'State', percent: '0.25' },
  ];
  const half = await world.paid(shop, '0.0006', { charge: { ...lines('40'), taxItems: two } });
  await world.pass({ minutes: 61 });
  await shop.post('/checkout/accept-underpayment', { checkoutId: half.id });
  const order = { checkoutId: whole.id, feePaidBy: 'customer' };
  await shop.post('/refund', { ...order, amount: '0.0002', address: aBitcoinAddress() });
  await world.send();
  const period = today();
  await dayLater();

  const owner = await member(shop, 'owner');
  const page = await owner.get(`${taxes}?period=${period}`);
  assert.match(columnWords(page), /Totals .*USD 154\.00 20\.00 174\.00 154\.00 20\.00 174\.00/);
  assert.match(
    columnWords(page),
    /PT =VAT 20 USD 40\.00 8\.00 40\.00 8\.00 unknown City 25 USD 24\.00 6\.00 24\.00 6\.00 unknown State 25 USD 24\.00 6\.00 .*unknown without tax – USD 90\.00 0\.00/,
  );
  const file = (format: string): Promise<PageAnswer> => owner.get(`${taxes}/export?period=${period}&format=${format}`);
  const [vat] = rowsOf(await file('csv'));
  assert.deepEqual(
    [vat?.['Country'], vat?.['Tax'], vat?.['Rate, %'], vat?.['Tax amount']],
    ['PT', "'=VAT", '20', '8.00'],
  );
  const json = JSON.parse((await file('json')).text);
  assert.deepEqual(json, await shop.get(`/reports/tax?period=${period}`));
  assert.deepEqual(json.rows.at(-1), {
    ...{ country: null, taxName: null, rate: null, billingCurrency: 'USD', base: '90.00', tax: '0.00' },
    ...{ baseValue: '90.00', taxValue: '0.00', entries: 2 },
  });
  assert.match(
    (await pdfOf(owner, `${taxes}/export?period=${period}&format=pdf`)).text,
    /=VAT.*174\.00|174\.00.*=VAT/s,
  );

  // A customer who moves changes no day that is closed, also if it is made again; nor where a later refund belongs.
  await shop.request('PUT', '/customer', { customer: { id: customerId, countrycode: 'ES' } });
  const sold = await world.paid(shop, '0.001', { charge: { ...lines('60'), customerId } });
  await shop.post('/refund', { ...order, address: aBitcoinAddress() });
  await world.send();
  const later = today();
  await dayLater();
  const rowOf = ({ rows }: any, taxName: string | null) => rows.find((row: any) => row.taxName === taxName);
  const gone = await shop.get(`/reports/tax?period=${later}`);
  const countries = ({ rows }: any) => rows.map(({ country, taxName }: any) => [country, taxName]);
  assert.deepEqual(countries(gone), [
    ['ES', null],
    ['PT', '=VAT'],
  ]);
  assert.deepEqual(
    [rowOf(gone, '=VAT').base, rowOf(gone, '=VAT').tax, gone.totals[0].gross],
    ['-40.00', '-8.00', '12.00'],
  );
  assert.deepEqual(await shop.get(`/reports/tax?period=${period}`), json);
  const listed = await shop.get(`/reports/checkouts?period=${later}`);
  const countryOf = (id: string): string => listed.rows.find((row: any) => row.checkoutId === id).country;
  assert.deepEqual([countryOf(whole.id), countryOf(sold.id)], ['PT', 'ES']);
  const year = await shop.get(`/reports/tax?period=${later.slice(0, 4)}`);
  assert.deepEqual([year.totals[0].net, year.totals[0].tax], ['174.00', '12.00']);

  // What an earlier release made has the customer's country of the present, until it is kept: the one known then.
  const { db } = world.gateway;
  const fill = async (name: string): Promise<void> =>
    db.script(await readFile(new URL(`../src/db/migrations/${name}.sql`, import.meta.url), 'utf8'));
  const again = async (): Promise<unknown> => {
    await rebuildDays(db, shop.merchant.merchantId);
    await world.gateway.runUntilIdle();
    return countries(await shop.get(`/reports/tax?period=${period}`))[0];
  };
  await db`update checkout set customer_country = null where id = ${whole.id}`;
  assert.deepEqual(await again(), ['ES', '=VAT']);
  for (const name of ['0107_country_of_ended_checkouts', '0108_country_of_other_checkouts']) await fill(name);
  await shop.request('PUT', '/customer', { customer: { id: customerId, countrycode: 'FR' } });
  assert.deepEqual(await again(), ['ES', '=VAT']);
  await dayLater();
  await owner.signInWithPasskey();
  const last = `period=${addDay(later)}`;
  assert.match(words(await owner.get(`${taxes}?${last}`)), /Nothing of this is in this period/);

  // More rows than a page shows: it says so, and the file has them all.
  await world.gateway.db`
    insert into tax_day (merchant_id, day, country, tax, rate, currency, entries, base, counted_base, amount, base_value,
                         counted_base_value, amount_value)
    select ${shop.merchant.merchantId}, ${addDay(later)}::date, 'PT', 'T' || n, '0.1', 'USD', 1, 100, 100, 10, 100, 100, 10
      from generate_series(1, 2001) as n`;
  const long = (await owner.get(`${taxes}?${last}`)).text;
  assert.match(long, /These are the first 2,000 rows\. The CSV has all of them\./);
  assert.equal(rowsOf(await owner.get(`${taxes}/export?${last}&format=csv`)).length, 2001);
});

/** 60 dollars, 10 of them tax, in an account that counts in euros. */
const taxedCharge = {
  ...{ billingCurrency: 'USD', lineItems: [{ description: 'Cup', netAmount: '50' }] },
  taxItems: [{ name: 'VAT', percent: '0.2' }],
};

/** What taxes were on each of these days, if a euro was worth so many dollars on them. */
async function taxesIfEuroWas(shop: Shop, dollars: readonly (readonly [day: string, usd: string])[]) {
  const { db } = world.gateway;
  for (const [day, usd] of dollars)
    await db`
      insert into rate_hour (code, hour, usd) select 'EUR', ${day}::date + make_interval(hours => n), ${usd} from generate_series(0, 23) as n
          on conflict (code, hour) do update set usd = excluded.usd`;
  await rebuildDays(db, shop.merchant.merchantId);
  await dayLater();
  const told: string[][] = [];
  for (const [day] of dollars) {
    const [{ gross, tax, grossValue, taxValue }] = (await shop.get(`/reports/tax?period=${day}`)).totals;
    told.push([gross, tax, grossValue, taxValue]);
  }
  return told;
}

deepTest(
  'the tax of a credit that a chain took back is taken back at the worth that it had, and so is that of a kept excess',
  async () => {
    const { bitcoin } = world.gateway;
    const shop = await world.shop({ accountCurrency: 'EUR' });
    const { id } = await world.paid(shop, '0.0015', { charge: taxedCharge });
    await shop.post('/checkout/accept-excess', { checkoutId: id });
    const credited = today();
    await dayLater();
    bitcoin.chain.reorganise(1);
    await world.gateway.runUntilIdle();
    const vanished = today();
    await dayLater();
    await world.mine(1);
    const dollars = [
      [credited, '1.25'],
      [vanished, '2'],
      [today(), '4'],
    ] as const;
    // The price is credited anew, and is worth what it is then; the excess is the one that was kept before.
    assert.deepEqual(await taxesIfEuroWas(shop, dollars), [
      ['90.00', '15.00', '72.00', '12.00'],
      ['-90.00', '-15.00', '-72.00', '-12.00'],
      ['90.00', '15.00', '39.00', '6.50'],
    ]);
  },
);

deepTest('the tax of a refund that came back is back at the worth at which it left', async () => {
  const shop = await world.shop({ accountCurrency: 'EUR' });
  const { id } = await world.paid(shop, '0.001', { charge: taxedCharge });
  const credited = today();
  await dayLater();
  const { refund } = await shop.post('/refund', { checkoutId: id, amount: '0.0005' });
  const held = today();
  await dayLater();
  await shop.post('/refund/cancel', { id: refund.id });
  const dollars = [
    [credited, '1.25'],
    [held, '2'],
    [today(), '4'],
  ] as const;
  assert.deepEqual(await taxesIfEuroWas(shop, dollars), [
    ['60.00', '10.00', '48.00', '8.00'],
    ['-30.00', '-5.00', '-15.00', '-2.50'],
    ['30.00', '5.00', '15.00', '2.50'],
  ]);
});

const addDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

async function pdfOf(visitor: Visitor, path: string) {
  const cookie = `${sessionCookie}=${visitor.cookie(sessionCookie)}`;
  const file = await fetch(`${accounts.accountUrl}${path}`, { headers: { cookie } });
  return readPdf(Buffer.from(await file.arrayBuffer()));
}

const disposals = '/account/reports/disposals';

const textOf = ({ text }: PageAnswer): string => text.replace(/^\uFEFF/, '');

deepTest(
  'what left is listed with where it went and what it was worth then, and fees by what they were for',
  async () => {
    const shop = await world.shop();
    const tooMuch = await world.paid(shop, '0.0015', { meta: { order: '=B-1' } });
    await world.paid(shop, '0.001');
    const inDollars = await shop.open('60.00 USD', 'BITCOIN', { settlementAsset: 'USDC' });
    await world.pay(inDollars, inDollars.amount);
    await world.mine(1);
    const { beneficiaryId } = await shop.post('/beneficiary', { beneficiary: { company: '+Engines' } });
    const target = { label: '-Bank', network: 'BITCOIN', address: aBitcoinAddress(), beneficiaryId };
    const { targetAccountId: to } = await shop.post('/target-account', target);
    await world.pass({ minutes: 5 });
    const { transfer } = await shop.post('/transfer', { asset: 'BTC', amount: '0.0003', targetAccountId: to });
    const tooHasty = { asset: 'BTC', amount: '0.0001', targetAccountId: to };
    const { transfer: stopped } = await shop.post('/transfer', tooHasty);
    await shop.post('/transfer/cancel', { id: stopped.id });
    const { swap: swapped } = await shop.post('/swap', {
      sourceAsset: 'BTC',
      targetAsset: 'USDC',
      sourceAmount: '0.0002',
    });
    const address = aBitcoinAddress();
    const back = { checkoutId: tooMuch.id, address, feePaidBy: 'customer' };
    await shop.post('/refund', { ...back, context: 'OVERPAID_CHECKOUT' });
    await world.send();
    await shop.post('/refund', { ...back, context: 'COMPLETED_CHECKOUT', amount: '0.0002' });
    await world.send();
    const period = today();
    await dayLater();

    const owner = await member(shop, 'owner');
    const shown = await owner.get(`${disposals}?period=${period}`);
    assert.match(words(shown), /Network: Bitcoin/);
    const page = columnWords(shown);
    assert.match(
      page,
      /Totals .*Transfer BTC 0\.0003 18\.00 Refund BTC .* Sent back, never credited BTC .* Swap BTC 0\.0002 12\.00 Credited in another asset BTC/,
    );
    assert.match(page, /Credited in another asset .*? 0\.00\d+ BTC 6\d\.\d\d 60 USDC 0\.3 USDC/);
    const file = (format: string): Promise<PageAnswer> =>
      owner.get(`${disposals}/export?period=${period}&format=${format}`);
    const rows = rowsOf(await file('csv'));
    const sent = rows.find(({ What: what }) => what === 'Transfer');
    assert.deepEqual(
      [
        sent?.['For'],
        sent?.['Destination'],
        sent?.['Beneficiary'],
        sent?.['Amount'],
        sent?.['Value, USD'],
        sent?.['Address'],
      ],
      ["'-Bank", "'-Bank", "'+Engines", '0.0003', '18.00', target.address],
    );
    assert.match(sent?.['Transaction'] ?? '', /^[0-9a-f]{64}$/);
    assert.equal(rows.find(({ What: what }) => what === 'Refund')?.['Order'], "'=B-1");
    const all = JSON.parse((await file('json')).text);
    const { next, ...first } = await shop.get(`/reports/disposals?period=${period}&limit=2`);
    const second = await shop.get(`/reports/disposals?period=${period}&limit=2&cursor=${next}`);
    const third = await shop.get(`/reports/disposals?period=${period}&limit=2&cursor=${second.next}`);
    assert.deepEqual(all, { ...first, rows: [...first.rows, ...second.rows, ...third.rows], next: null });
    assert.deepEqual([all.rows.length, third.totals, third.next], [5, null, null]);
    // A transfer that was stopped before it was sent has cost nothing, and is none of them.
    const kinds = ['conversion', 'refund', 'return', 'swap', 'transfer'];
    assert.deepEqual(all.rows.map(({ kind }: any) => kind).toSorted(), kinds);
    const swapRow = all.rows.find(({ kind }: any) => kind === 'swap');
    assert.deepEqual(
      [swapRow.subjectId, swapRow.assetCode, swapRow.amount, swapRow.value],
      [swapped.id, 'BTC', '0.0002', '12.00'],
    );
    assert.equal(swapRow.received.assetCode, 'USDC');
    const credited = Number(swapRow.received.amount) - Number(swapRow.fee.amount);
    assert.equal(credited.toFixed(4), Number(swapped.targetAmount).toFixed(4));
    assert.match((await pdfOf(owner, `${disposals}/export?period=${period}&format=pdf`)).text, /-Bank/);
    // Made to be fetched later it is the same, to the letter; so are the entries of an asset in those days.
    const madeLater = async (wish: object): Promise<string> => {
      const { export: made } = await shop.post('/reports/exports', { ...wish, period });
      await world.gateway.runUntilIdle();
      return shop.get(`/reports/exports/file?id=${made.id}`);
    };
    for (const format of ['csv', 'json'])
      assert.equal(await madeLater({ list: 'disposals', format }), textOf(await file(format)), format);
    const entriesOf = (days: string): Promise<PageAnswer> => owner.get(`/account/balances/asset/BTC/export${days}`);
    assert.equal(await madeLater({ list: 'entries', asset: 'BTC' }), textOf(await entriesOf(`?period=${period}`)));

    const fees = await shop.get(`/reports/fees?period=${period}`);
    const { statement: told } = await shop.get(`/reports/statement?period=${period}`);
    for (const { assetCode, lines } of told.assets) {
      const line = lines.find((each: any) => each.line === 'fees');
      const total = fees.totals.find((each: any) => each.assetCode === assetCode);
      assert.deepEqual([`-${total.amount}`, `-${total.value}`], [line.amount, line.value], assetCode);
    }
    const amounts = Object.fromEntries(
      fees.rows.map(({ kind, assetCode, amount }: any) => [`${kind} ${assetCode}`, amount]),
    );
    assert.deepEqual(amounts, {
      'settlement BTC': '0.00001',
      'settlement USDC': '0.3',
      'swap USDC': swapped.fee,
      'network BTC': transfer.networkFee,
      ...(Number(transfer.serviceFee) > 0 && { 'transfer BTC': transfer.serviceFee }),
    });
    const feesPage = await owner.get(`/account/reports/fees?period=${period}`);
    assert.match(
      columnWords(feesPage),
      /Totals .*BTC .*USDC 0\.36 0\.36 .*Settlement BTC 0\.00001 0\.60 .*Swap USDC 0\.06 0\.06 .*Network BTC/,
    );
    const paper = `/account/reports/fees/export?period=${period}`;
    assert.deepEqual(JSON.parse((await owner.get(`${paper}&format=json`)).text), fees);
    assert.equal(rowsOf(await owner.get(`${paper}&format=csv`)).length, fees.rows.length);
    // Every number of the statement leads to the rows that make it up.
    const sheet = await owner.get(`${statement}?period=${period}`);
    const behind = [
      ...new Set(Array.from(sheet.text.matchAll(/<td class="n[^"]*"><a href="([^"]*)"/g), ([, path = '']) => path)),
    ];
    const pageBehind = (path: string): Promise<PageAnswer> => owner.get(path.replaceAll('&amp;', '&'));
    for (const path of atLeastOne(behind)) assert.equal((await pageBehind(path)).status, 200, path);
    const leading = (...parts: string[]): string =>
      behind.find((path) => parts.every((part) => path.includes(part))) ?? assert.fail(parts.join());
    const inUsdc = await pageBehind(leading('/checkouts?', 'asset=USDC', 'line=credits'));
    assert.match(columnWords(inUsdc), /Totals .*Credits USDC 60 60\.00 Checkout ledger .* 60 USDC 60\.00/);
    assert.match(words(inUsdc), /Fee: 0\.3/);
    assert.doesNotMatch(words(inUsdc), /Credits BTC|0\.3 BTC/);
    assert.match(fileLinks(inUsdc).join(), /asset=USDC&line=credits&format=csv/);
    const csvBehind = rowsOf(await owner.get(fileLinks(inUsdc).find((link) => link.endsWith('csv')) ?? ''));
    assert.deepEqual(
      csvBehind.map((row) => row['Asset']),
      ['USDC'],
    );
    const wish = { list: 'checkoutLedger', format: 'csv', asked: `period=${period}&asset=USDC&line=credits` };
    const { location } = await owner.post('/account/reports/exports', wish);
    await world.gateway.runUntilIdle();
    assert.deepEqual(rowsOf(await owner.get(`${location}/file`)), csvBehind);
    assert.doesNotMatch(words(await pageBehind(leading('/fees?', 'asset=USDC'))), /BTC/);
    const moved = await pageBehind(leading('/balances/asset/BTC', `period=${period}`));
    assert.match(words(moved), /Transfer/);
    assert.equal((await owner.get(`${ledger}?period=${period}&asset=NONE`)).status, 404);

    const viewer = await member(shop, 'viewer');
    for (const name of ['tax', 'disposals', 'fees']) {
      const seen = await viewer.get(`/account/reports/${name}?period=${period}`);
      assert.deepEqual([seen.status, fileLinks(seen)], [200, []], name);
      assert.equal((await viewer.get(`/account/reports/${name}/export?period=${period}&format=csv`)).status, 403, name);
    }
  },
);

deepTest(
  'a report that is made later is of the days and in the currency in which it was asked for, whatever is set meanwhile',
  async () => {
    const shop = await world.shop();
    const { gateway } = world;
    const { merchantId } = shop.merchant;
    await world.paid(shop, '0.001');
    await world.pass({ minutes: 5 });
    await shop.post('/transfer', { network: 'BITCOIN', asset: 'BTC', amount: '0.0003', address: aBitcoinAddress() });
    await world.send();
    const period = today();
    await dayLater();
    for (const list of ['checkoutLedger', 'disposals']) {
      const page = await shop.get(`/reports/${list === 'disposals' ? list : 'checkouts'}?period=${period}`);
      const { export: made } = await shop.post('/reports/exports', { list, format: 'json', period });
      await changeSettings(gateway, merchantId, { accountCurrency: 'CHF' }, 'operator');
      await gateway.runUntilIdle();
      const { body } = await gateway.request('GET', `/reports/exports/file?id=${made.id}`, undefined, {
        as: shop.merchant,
      });
      assert.equal(page.rows.length, 1);
      assert.deepEqual(typeof body === 'string' ? JSON.parse(body) : body, page, list);
      await changeSettings(gateway, merchantId, { accountCurrency: page.report.accountCurrency }, 'operator');
      await gateway.runUntilIdle();
    }
  },
);

deepTest(
  'commands tell the same reports and fetch the same files, and answer what makes no sense with a sentence',
  async (t) => {
    const shop = await world.shop();
    const taxItems = [{ name: 'VAT', percent: '0.2' }];
    const lineItems = [{ description: 'Cup', netAmount: '50' }];
    await world.paid(shop, '0.001', {
      charge: { billingCurrency: 'USD', lineItems, taxItems },
      meta: { order: 'C-1' },
    });
    await world.pass({ minutes: 5 });
    await shop.post('/transfer', { network: 'BITCOIN', asset: 'BTC', amount: '0.0003', address: aBitcoinAddress() });
    await world.send();
    const period = today();
    await dayLater();
    // Requests of the commands are signed at the time of this machine, which is that of the story.
    t.mock.timers.enable({ apis: ['Date'], now: world.gateway.clock.now() });
    const folder = await mkdtemp(join(tmpdir(), 'report-commands-'));
    const { apiKey, apiSecret } = shop.merchant;
    await writeAccess(folder, { baseUrl: world.gateway.url, apiKey, apiSecret: new Secret(apiSecret) });
    const quittance = async (line: string): Promise<{ code: number; out: string; err: string }> => {
      const said: { out: string[]; err: string[] } = { out: [], err: [] };
      const paper = {
        log: (text: string) => said.out.push(text),
        error: (text: unknown) => said.err.push(String(text)),
      };
      const code = await runCommandLine(line.split(' '), { ...process.env, DATA_DIR: folder }, paper);
      return { code, out: said.out.join('\n'), err: said.err.join('\n') };
    };
    const told = async (line: string): Promise<string> => {
      const { code, out, err } = await quittance(line);
      assert.equal(code, 0, `${line}: ${err}`);
      return out;
    };
    try {
      const reports: readonly (readonly [string, RegExp])[] = [
        ['tax', /^- +VAT +0\.2 +USD +50\.00 +10\.00 +50\.00 +10\.00$[^]*TOTALS[^]*USD +50\.00 +10\.00 +60\.00/m],
        ['disposals', / transfer +\w+ +0\.0003 +BTC +18\.00 [^]*TOTALS[^]*transfer +BTC +0\.0003 +18\.00$/m],
        ['fees', new RegExp(`^${period.slice(0, 7)} +settlement +BTC +0\\.000005 +0\\.30$[^]*TOTALS[^]*BTC `, 'm')],
        ['checkouts', / settlement +C-1 +60\.00 +USD +0\.001 +0\.000005 +BTC +60\.00$/m],
      ];
      for (const [name, form] of reports) {
        const text = await told(`report ${name} ${period}`);
        assert.match(text, form);
        assert.ok(text.startsWith(`${period} to ${period}, UTC.\n`), text);
        const json = JSON.parse(await told(`report ${name} ${period} --json`));
        assert.deepEqual(json, await shop.get(`/reports/${name}?period=${period}`), name);
        assert.ok((await told(`report ${name}`)).startsWith(`${period.slice(0, 7)}-01 to ${period}, UTC.`), name);
      }
      const first = JSON.parse(await told(`report disposals ${period} --limit 1 --json`));
      assert.equal(first.rows.length, 1);

      const made = JSON.parse(await told(`export create disposals --period ${period} --format json --json`));
      assert.match((await quittance(`export fetch ${made.id} ${join(folder, 'early')}`)).err, /still being made/);
      await world.gateway.runUntilIdle();
      assert.match(
        await told(`export show ${made.id}`),
        new RegExp(`^${made.id} +disposals +READY +1 +1 +\\d+ +2026-`, 'm'),
      );
      const file = join(folder, 'disposals.json');
      assert.match(await told(`export fetch ${made.id} ${file}`), /disposals\.json: \d+ bytes\.$/);
      const read = JSON.parse(await readFile(file, 'utf8'));
      assert.deepEqual(read, await shop.get(`/reports/disposals?period=${period}`));

      const wrong: readonly (readonly [string, number, RegExp])[] = [
        ['report tax soon', 1, /must be a day, month, quarter or year .*"soon"/],
        ['report fees 2026-13', 1, /must be a day, month, quarter or year/],
        ['report disposals 2027', 1, /No day of this period is closed/],
        ['report disposals 2026 --cursor elsewhere!', 1, /cursor/],
        ['report disposals 2026 --limit none', 1, /limit/],
        ['report tax 2026 2027', 2, /"2027" is one word too many/],
        ['report fees --year 2026', 2, /Unknown option '--year'/],
        ['export create', 2, /<list> is missing/],
        ['export create everything', 1, /list/],
        ['export create checkouts --format pdf', 1, /format/],
        ['export create checkouts --format json', 1, /json/i],
        ['export create disposals --period soon', 1, /must be a day, month, quarter or year/],
        ['export create entries', 1, /asset/],
        ['export create entries --asset NONE', 1, /NONE/],
        ['export show abcdefabcdef', 1, /no export with the id "abcdefabcdef"/],
        ['export fetch abcdefabcdef', 2, /<file> is missing/],
        [`export fetch abcdefabcdef ${file}2`, 1, /no export with the id "abcdefabcdef"/],
        [`export fetch ${made.id} ${file}`, 1, /disposals\.json cannot be written/],
      ];
      for (const [line, code, sentence] of wrong) {
        const answer = await quittance(line);
        assert.deepEqual([answer.code, answer.out], [code, ''], `${line}: ${answer.err}`);
        assert.match(answer.err, sentence, line);
      }
      assert.deepEqual(await readdir(folder), ['access.json', 'disposals.json'], 'what was refused wrote nothing');
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
