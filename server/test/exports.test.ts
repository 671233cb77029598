/**
 * Long lists become files that are made in steps, are seen growing, and are fetched by who asked for them and nobody else.
 * Months are announced when they are over.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeExport } from '../src/account/exports/make-export.ts';
import { newFormName } from '../src/account/frame/send-once.ts';
import { RunLater } from '../src/jobs/job-runner.ts';
import { present } from '../src/lib/assert.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { revokeKey } from '../src/merchants/revoke-key.ts';
import { changeByOperator } from '../src/people/change-member.ts';
import type { Role } from '../src/people/roles.ts';
import { rebuildDays } from '../src/reports/fold-days.ts';
import { type AccountWorld, startAccounts, type Visitor, words } from './account-world.ts';
import { type Gateway, type Reply, type RequestOptions, type TestMerchant, withoutLitecoin } from './gateway.ts';
import { type MailServer, mailUser, type ReceivedMail, startMailServer } from './mail-server.ts';
import { meetAt } from './meet-at.ts';
import { assets } from './statement-world.ts';

let mail: MailServer;
let world: AccountWorld;
let gateway: Gateway;
before(async () => {
  mail = await startMailServer();
  const smtp = `smtp://${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.pass)}@127.0.0.1:${mail.port}`;
  const env = { ...withoutLitecoin, SMTP_URL: smtp, MAIL_FROM: 'Quittance <account@pay.test>' };
  world = await startAccounts({ env });
  gateway = world.gateway;
});
after(async () => {
  await gateway?.stop();
  await mail?.stop();
});

const exportsPath = '/account/reports/exports';
let people = 0;

type Somebody = Visitor & { readonly email: string };

async function member(merchant: TestMerchant, role: Role): Promise<Somebody> {
  const email = `${role}-${(people += 1)}@example.com`;
  return Object.assign(await world.member(role, email, merchant.merchantId), { email });
}

const personOf = async ({ email }: Somebody): Promise<string> =>
  present((await gateway.db<{ id: string }>`select id from person where email = ${email}`)[0], email).id;

const mailsTo = ({ email }: Somebody): ReceivedMail[] => mail.received.filter(({ to }) => to.includes(email));

/** So many customers that their list is long; two of them at each second. */
async function longShop(customers = 10_001): Promise<TestMerchant> {
  const merchant = await gateway.createMerchant('Nord');
  await addCustomers(merchant, 1, customers);
  return merchant;
}

async function addCustomers({ merchantId }: TestMerchant, from: number, to: number): Promise<void> {
  const at = gateway.clock.now();
  await gateway.db`
    insert into customer (merchant_id, id, email, fields, updated_at, created_at)
    select ${merchantId}, 'aaaa' || lpad(n::text, 8, '0'), n || '@example.com', '{}', ${at},
           ${at}::timestamptz - make_interval(days => 30) + make_interval(secs => n / 2)
      from generate_series(${from}::integer, ${to}::integer) as n`;
}

const idsIn = (file: string): number[] =>
  file
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.slice(4, 12)));

const hidden = (page: string, name: string): string =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '').replaceAll('&amp;', '&');

/** Presses the button of the page that is shown instead of a long list. */
async function ask(who: Visitor, list: string): Promise<string> {
  const { text } = await who.get(list);
  const wish = { list: hidden(text, 'list'), format: hidden(text, 'format'), asked: hidden(text, 'asked') };
  const answer = await who.post(exportsPath, wish);
  assert.equal(answer.status, 303, answer.text);
  return answer.location;
}

/** Any list can be asked for so, a short one too. */
const wish = { list: 'customers', format: 'csv', asked: '' };

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

/** One step of the job, which the frozen clock leaves for later. */
async function step({ merchantId }: TestMerchant, exportId: string): Promise<void> {
  const { db, clock, log } = gateway;
  await makeExport({ db, clock, log, assets }, { merchantId, exportId }, { attempt: 1 }).catch((error: unknown) => {
    if (!(error instanceof RunLater)) throw error;
  });
}

const piecesOf = async (exportId: string): Promise<number> =>
  (await gateway.db`select from export_piece where export_id = ${exportId}`).length;

const sentence = (text: string): string => /role="alert">.*?<span>(.*?)<\/span>/s.exec(text)?.[1] ?? '';

test('a long list is made in steps that are seen, has no row twice or torn, and is kept for seven days', async () => {
  const shop = await longShop();
  const owner = await member(shop, 'owner');
  const short = await owner.get('/account/customers/export?search=77@');
  assert.equal(short.headers['content-type'], 'text/csv; charset=utf-8', 'a short list comes at once');

  const offered = await owner.get('/account/customers/export');
  assert.match(words(offered), /This list has more than 10,000 rows\. Its file is made in the background/);
  const path = await ask(owner, '/account/customers/export');
  const page = async (): Promise<string> => words(await owner.get(path));
  assert.match(await page(), /Waiting It begins in a moment\./);
  const laterCustomer = async (id: string): Promise<void> => {
    gateway.clock.advance({ seconds: 1 });
    const at = gateway.clock.now();
    await gateway.db`
      insert into customer (merchant_id, id, email, fields, updated_at, created_at)
      values (${shop.merchantId}, ${id}, ${`${id}@example.com`}, '{}', ${at}, ${at})`;
  };
  await laterCustomer('bbbb00000001');
  const newsBefore = await owner.get(`/account/news?export=${idOf(path)}`);
  await step(shop, idOf(path));
  assert.match(await page(), /Being made .* Rows: 0 of about 10,001/, 'who came later is not counted');
  await step(shop, idOf(path));
  assert.match(await page(), /Rows: 2,000 of about 10,001/);
  assert.match((await owner.get(path)).text, /<progress class="meter" aria-label="Progress" value="2000" max="10001">/);
  assert.notEqual(
    (await owner.get(`/account/news?export=${idOf(path)}`)).text,
    newsBefore.text,
    'the page hears of it',
  );
  assert.equal((await owner.get(`${path}/file`)).status, 409);

  // Who comes now is not in it either; who changes is in it once.
  await laterCustomer('bbbb00000002');
  await gateway.db`
    update customer set fields = '{"lastname": "Changed"}', updated_at = ${gateway.clock.now()}
     where merchant_id = ${shop.merchantId} and id in ('aaaa00000001', 'aaaa00010001')`;
  await gateway.runUntilIdle();
  assert.match(await page(), /Ready The file is there\. Only you can download it\./);
  const file = await owner.get(`${path}/file`);
  assert.equal(file.status, 200);
  assert.match(file.headers['content-disposition'] ?? '', /filename="Nord-Customers-2026-03-01\.csv"/);
  assert.equal(Number(file.headers['content-length']), Buffer.byteLength(file.text));
  assert.deepEqual(
    idsIn(file.text),
    Array.from({ length: 10_001 }, (_, at) => 10_001 - at),
  );
  const [told, ...more] = mailsTo(owner);
  assert.deepEqual(more, []);
  assert.equal(told?.headers.get('subject'), 'Nord: your file is ready');
  assert.match(told?.text ?? '', new RegExp(`${exportsPath}/${idOf(path)}\\?account=${shop.merchantId}`));

  gateway.clock.advance({ hours: 7 * 24 });
  await owner.signInWithPasskey();
  assert.equal((await owner.get(`${path}/file`)).status, 404, 'by the clock, before anybody deletes it');
  await gateway.runUntilIdle();
  assert.match(await page(), /Deleted The file was deleted\..* Rows 10,001/);
  assert.equal(await piecesOf(idOf(path)), 0);
  const trail = await gateway.db<{ action: string }>`
    select action from audit_log where merchant_id = ${shop.merchantId} and action like 'export.%' order by id`;
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['export.customers', 'export.customers', 'export.fetched'],
  );
});

test('only who asked for a file gets it, as long as their role exports', async () => {
  const shop = await longShop();
  const owner = await member(shop, 'owner');
  const accountant = await member(shop, 'accountant');
  const path = await ask(accountant, '/account/customers/export');
  await gateway.runUntilIdle();
  assert.equal((await accountant.get(`${path}/file`)).status, 200);

  const support = await world.staff('support', `looks-${(people += 1)}@operator.example`);
  await support.post(`/operator/merchants/${shop.merchantId}/look`);
  const stranger = await member(await gateway.createMerchant('Another'), 'owner');
  for (const [who, status] of [
    [owner, 404],
    [stranger, 404],
    [support, 403],
  ] as const)
    for (const each of [path, `${path}/file`]) assert.equal((await who.get(each)).status, status, each);
  const another = await member(shop, 'accountant');
  for (const deed of ['cancel', 'delete']) {
    assert.equal((await another.post(`${path}/${deed}`)).status, 404);
    assert.equal((await stranger.post(`${path}/${deed}`)).status, 404);
    assert.equal((await support.post(`${path}/${deed}`)).status, 403);
  }
  assert.match(words(await owner.get(exportsPath)), /Lists with many rows become files here/);
  assert.match(words(await accountant.get(exportsPath)), /Files that you asked for .* Customers/);
  assert.doesNotMatch(words(await another.get(exportsPath)), /Files of others/);

  await changeByOperator(gateway, { merchantId: shop.merchantId, personId: await personOf(accountant) }, 'viewer');
  await accountant.signInWithPasskey();
  for (const each of [exportsPath, path, `${path}/file`]) assert.equal((await accountant.get(each)).status, 403, each);
  await gateway.runUntilIdle();
  assert.deepEqual(await stateOf(idOf(path)), ['DELETED', 0], 'what was ready goes with the role');
});

const stateOf = async (exportId: string): Promise<[string | undefined, number]> => [
  (await gateway.db<{ state: string }>`select state from export where id = ${exportId}`)[0]?.state,
  await piecesOf(exportId),
];

test('who takes care of an account makes room by deleting files of others, which they never read', async () => {
  const shop = await longShop(3);
  const [admin, accountant] = [await member(shop, 'admin'), await member(shop, 'accountant')];
  const reader = await gateway.createKey(shop, { scopes: ['read'] });
  const path = (await accountant.post(exportsPath, wish)).location;
  const asked = await gateway.request('POST', '/reports/exports', { list: 'customers' }, { as: reader });
  const ofKey = `${exportsPath}/${asked.body.export.id}`;
  const list = words(await admin.get(exportsPath));
  assert.match(list, /Files of others .*The key /);
  assert.equal(list.match(/Waiting .*?Stop making it/g)?.length, 2);
  const { location } = await admin.post(`${ofKey}/cancel`);
  assert.deepEqual([location, await stateOf(idOf(ofKey))], [exportsPath, ['CANCELED', 0]]);
  await gateway.runUntilIdle();
  assert.match(
    words(await admin.get(exportsPath)),
    /Files of others .*Ready .*Delete the file An account keeps ten files/,
  );
  assert.equal((await admin.get(`${path}/file`)).status, 404);
  for (const _ of ['once', 'twice']) assert.equal((await admin.post(`${path}/delete`)).location, exportsPath);
  assert.deepEqual(await stateOf(idOf(path)), ['DELETED', 0]);
  assert.doesNotMatch(words(await admin.get(exportsPath)), /Files of others/);
  const trail = await gateway.db<{ export: string; by: string }>`
    select detail ->> 'export' as export, detail ->> 'askedBy' as by from audit_log
     where merchant_id = ${shop.merchantId} and action = 'export.deleted' order by id`;
  assert.deepEqual(trail, [
    { export: idOf(ofKey), by: `key:${reader.apiKey}` },
    { export: idOf(path), by: `person:${await personOf(accountant)}` },
  ]);
  assert.match(words(await admin.get('/account/settings/audit')), /Deleted a file that somebody else had asked for/);
});

test('a program makes room for its own files, and those of a key that is revoked are not kept', async () => {
  const shop = await longShop(3);
  const [reader, another] = [
    await gateway.createKey(shop, { scopes: ['read'] }),
    await gateway.createKey(shop, { scopes: ['read'] }),
  ];
  const ask = (method: string, body: unknown, as = reader): Promise<Reply> =>
    gateway.request(method, '/reports/exports', body, { as });
  const make = async (): Promise<string> => (await ask('POST', { list: 'customers' })).body.export.id;
  const first = await make();
  assert.equal((await ask('DELETE', { id: first }, another)).status, 404);
  assert.equal((await ask('DELETE', { id: first })).body.export.state, 'CANCELED', 'it was not ready yet');
  const [second, third] = [await make(), await make()];
  await gateway.runUntilIdle();
  for (const _ of ['once', 'twice'])
    assert.equal((await ask('DELETE', { exportId: second })).body.export.state, 'DELETED');
  assert.deepEqual(
    [await stateOf(second), await stateOf(third)],
    [
      ['DELETED', 0],
      ['READY', 1],
    ],
  );
  await revokeKey(gateway, shop.merchantId, reader.apiKey, 'operator');
  await gateway.runUntilIdle();
  assert.deepEqual(await stateOf(third), ['DELETED', 0]);
});

test('what is not wanted or not allowed any more is not made to its end, and leaves nothing behind', async () => {
  const shop = await longShop();
  const accountant = await member(shop, 'accountant');
  const [first, second] = [
    await ask(accountant, '/account/customers/export'),
    await ask(accountant, '/account/customers/export'),
  ];
  for (const path of [first, second]) for (const _ of ['begin', 'write']) await step(shop, idOf(path));
  assert.equal(await piecesOf(idOf(first)), 1);
  assert.equal((await accountant.post(`${first}/cancel`)).location, first);
  assert.match(words(await accountant.get(first)), /Stopped It was stopped, so there is no file\./);

  await changeByOperator(gateway, { merchantId: shop.merchantId, personId: await personOf(accountant) }, 'support');
  await gateway.runUntilIdle();
  const rows = await gateway.db<{ state: string }>`select state from export where merchant_id = ${shop.merchantId}`;
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['CANCELED', 'CANCELED'],
  );
  for (const path of [first, second]) assert.equal(await piecesOf(idOf(path)), 0);
  assert.deepEqual(mailsTo(accountant), []);
});

test('an export that cannot be made is given up, and says so', async () => {
  const shop = await longShop(1);
  const owner = await member(shop, 'owner');
  const path = (await owner.post(exportsPath, wish)).location;
  await step(shop, idOf(path));
  // An asset that this installation does not know any more.
  await gateway.db`update export set list = 'entries', asked = '{"asset": "GONE"}' where id = ${idOf(path)}`;
  const { db, clock, log } = gateway;
  const payload = { merchantId: shop.merchantId, exportId: idOf(path) };
  await assert.rejects(
    makeExport({ db, clock, log, assets }, payload, { attempt: 7 }),
    /There is no wallet with the id "GONE"/,
  );
  assert.match(words(await owner.get(path)), /Being made/);
  await makeExport({ db, clock, log, assets }, payload, { attempt: 8 });
  assert.match(words(await owner.get(path)), /Failed The file could not be made\./);
  await gateway.runUntilIdle();
});

test('so many are made and kept at once, and who wants more is told in a sentence', async () => {
  const shop = await longShop(1);
  const owner = await member(shop, 'owner');
  const paths = [(await owner.post(exportsPath, wish)).location, (await owner.post(exportsPath, wish)).location];
  const third = await owner.post(exportsPath, wish);
  assert.equal(third.status, 409);
  assert.match(sentence(third.text), /2 files of this account are being made already\./);
  await gateway.runUntilIdle();

  // A form that is sent twice is one wish.
  const form = { ...wish, form: newFormName(gateway.clock.now()) };
  const once = await owner.post(exportsPath, form);
  assert.equal((await owner.post(exportsPath, form)).location, once.location);
  await gateway.runUntilIdle();
  await gateway.db`
    insert into export (merchant_id, id, requested_by, list, format, asked, frame, file_name, state, requested_at, ended_at, kept_until)
    select merchant_id, id || n, requested_by, list, format, asked, frame, file_name, state, requested_at, ended_at, kept_until
      from export, generate_series(1, 7) as n where id = ${idOf(once.location)}`;
  const eleventh = await owner.post(exportsPath, wish);
  assert.equal(eleventh.status, 409);
  assert.match(sentence(eleventh.text), /This account keeps 10 files already\./);
  assert.equal((await owner.post(`${paths[0]}/delete`)).location, paths[0]);
  assert.match(words(await owner.get(paths[0] ?? '')), /Deleted/);
  assert.equal(await piecesOf(idOf(paths[0] ?? '')), 0);
  assert.equal((await owner.post(exportsPath, wish)).status, 303);
  await gateway.runUntilIdle();

  const busy = await gateway.createMerchant('Busy');
  await gateway.db`
    insert into export (merchant_id, id, requested_by, list, format, asked, frame, file_name, state, requested_at)
    select ${busy.merchantId}, 'busy' || n, 'operator', list, format, asked, frame, file_name, 'WAITING', requested_at
      from export, generate_series(1, 20) as n where id = ${idOf(once.location)}`;
  const other = await longShop(1);
  const refused = await gateway.request('POST', '/reports/exports', { list: 'customers' }, { as: other });
  assert.deepEqual(
    [refused.status, refused.headers.get('retry-after'), refused.body.errors],
    [503, '60', ['Many exports are being made at the moment. Ask again in a minute.']],
  );
  await gateway.db`delete from export where merchant_id = ${busy.merchantId}`;
});

test('of two who ask at once for the last place one gets it', async () => {
  const shop = await longShop(1);
  const ask = () => gateway.request('POST', '/reports/exports', { list: 'customers' }, { as: shop });
  assert.equal((await ask()).status, 200);
  const replies = await meetAt(gateway.db, (tx) => tx`lock table export in share row exclusive mode`, [ask, ask]);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 409],
  );
  await gateway.runUntilIdle();
});

test('programs ask for files with a key that reads, and only that key gets them', async () => {
  const shop = await longShop(3);
  const [reader, another] = [
    await gateway.createKey(shop, { scopes: ['read'] }),
    await gateway.createKey(shop, { scopes: ['read'] }),
  ];
  const ask = (method: string, path: string, body?: unknown, as: RequestOptions['as'] = reader): Promise<Reply> =>
    gateway.request(method, `/reports/exports${path}`, body, { as });
  const { export: made } = (await ask('POST', '', { list: 'customers' })).body;
  assert.deepEqual([made.state, made.rowsDone, made.rowsExpected, made.format], ['WAITING', 0, null, 'csv']);
  assert.equal((await ask('GET', `/file?id=${made.id}`)).status, 409);
  await gateway.runUntilIdle();
  const { export: ready } = (await ask('GET', `?id=${made.id}`)).body;
  assert.deepEqual([ready.state, ready.rowsDone, ready.rowsExpected], ['READY', 3, 3]);
  const file = await ask('GET', `/file?exportId=${made.id}`);
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.deepEqual(idsIn(file.body), [3, 2, 1]);
  assert.equal(file.headers.get('content-length'), String(ready.bytes));

  const owner = await member(shop, 'owner');
  assert.equal((await owner.get(`${exportsPath}/${made.id}/file`)).status, 404);
  const stranger = await gateway.createMerchant('Another');
  const charging = await gateway.createKey(shop, { scopes: ['charge'] });
  for (const [as, status] of [
    [another, 404],
    [stranger, 404],
    [charging, 403],
  ] as const)
    for (const path of [`?id=${made.id}`, `/file?id=${made.id}`])
      assert.equal((await ask('GET', path, undefined, as)).status, status, path);
  for (const [body, problem] of [
    [{ list: 'entries' }, 'asset is needed for the entries of an asset.'],
    [{ list: 'entries', asset: 'NONE' }, 'asset must be the id or code of an asset, see GET /assets, but is "NONE".'],
    [{ list: 'customers', format: 'json' }, 'json is not for customers.'],
    [{ list: 'customers', period: '2026' }, 'period is not for customers.'],
    [{ list: 'customers', asset: 'BTC' }, 'asset is only for entries.'],
  ] as const)
    assert.deepEqual((await ask('POST', '', body)).body.errors, [problem]);
  for (const body of [{ list: 'entries', asset: 'BTC' }, { list: 'transfers' }]) {
    const { export: empty } = (await ask('POST', '', body)).body;
    await gateway.runUntilIdle();
    assert.match((await ask('GET', `/file?id=${empty.id}`)).body, /^(Time|Asked)[^\n]*\r\n$/);
  }
});

test('a month is announced to who wants it when its last day is closed there, once, in their language', async () => {
  const { clock, db } = gateway;
  const shop = await gateway.createMerchant('Nord');
  await changeSettings(gateway, shop.merchantId, { pageSettings: { timeZone: 'Europe/Berlin' } }, 'operator');
  const [owner, viewer, late, support] = [
    await member(shop, 'owner'),
    await member(shop, 'viewer'),
    await member(shop, 'accountant'),
    await member(shop, 'support'),
  ];
  const choices = '/account/settings/notifications';
  await owner.post('/account/my-sign-in/profile', { name: 'Olga', language: 'de' });
  assert.match((await owner.get(choices)).text, /<option value="never" selected>/, 'nobody is told unasked');
  assert.doesNotMatch((await support.get(choices)).text, /monthlyStatement/);
  for (const who of [owner, viewer, support])
    assert.equal((await who.post(choices, { monthlyStatement: 'atOnce' })).status, 303);
  await gateway.runUntilIdle();
  // They are told of who is new to the account, too.
  const monthsTold = (who: Somebody): ReceivedMail[] =>
    mailsTo(who).filter(({ text }) => text.includes('/account/reports/'));

  // Days are closed ten minutes after midnight: in Berlin that is 22:10 in Greenwich, in summer.
  const monthEnd = Date.UTC(2026, clock.now().getUTCMonth() + 1, 0, 22, 9);
  clock.advance({ seconds: (monthEnd - clock.now().getTime()) / 1000 });
  await gateway.runUntilIdle();
  assert.deepEqual(monthsTold(owner), []);
  clock.advance({ minutes: 1 });
  await gateway.runUntilIdle();
  assert.deepEqual(
    [owner, viewer, late, support].map((who) => monthsTold(who).length),
    [1, 1, 0, 0],
  );
  const [told] = monthsTold(owner);
  assert.equal(told?.headers.get('subject'), 'Nord: Kontoauszug für März 2026');
  const link = /http\S+\/account\/reports\/statement\?period=2026-03&account=\w+/.exec(told?.text ?? '')?.[0] ?? '';
  await owner.signInWithPasskey();
  assert.equal((await owner.get(new URL(link).pathname + new URL(link).search)).status, 200);
  assert.match(monthsTold(viewer)[0]?.headers.get('subject') ?? '', /Nord: statement for March 2026/);

  await late.signInWithPasskey();
  await late.post(choices, { monthlyStatement: 'atOnce' });
  await rebuildDays(db, shop.merchantId);
  await gateway.runUntilIdle();
  clock.advance({ hours: 24 });
  await gateway.runUntilIdle();
  assert.deepEqual(
    [owner, viewer, late].map((who) => monthsTold(who).length),
    [1, 1, 0],
    'days that are made anew announce nothing again, and nothing to who chose so later',
  );
});

test('a link from a mail leads to its account, also through another one', async () => {
  const [here, there] = [await longShop(1), await gateway.createMerchant('There')];
  const owner = await member(here, 'owner');
  const personId = await personOf(owner);
  await gateway.db`
    insert into membership (merchant_id, person_id, role, created_at)
    values (${there.merchantId}, ${personId}, 'owner', ${gateway.clock.now()})`;
  const path = `/account/reports/statement?period=2026-02&account=${there.merchantId}`;
  const page = await owner.get(path);
  assert.match(words(page), /The link you followed is about There, and you are looking at another account\./);
  const chosen = await owner.post('/account/choose', { merchant: there.merchantId, next: hidden(page.text, 'next') });
  assert.equal(chosen.location, path);
  assert.doesNotMatch(words(await owner.get(path)), /another account/);
});
