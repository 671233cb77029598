/** Guessing passwords and codes, asking who has an account, forged forms, and ways out of the account. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { Secret } from '../src/lib/secret.ts';
import { countedFailures, mostFromElsewhere, takeAttempt, waitMs } from '../src/people/guessing.ts';
import { totpCode } from '../src/people/totp.ts';
import {
  type AccountWorld,
  goodPassword,
  type PageAnswer,
  sessionCookie,
  startAccounts,
  type Visitor,
} from './account-world.ts';
import { type MailServer, mailUser, startMailServer } from './mail-server.ts';

let world: AccountWorld;
let mail: MailServer;
let ada: Visitor;
before(async () => {
  mail = await startMailServer();
  const { user, pass } = mailUser;
  const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(pass)}@127.0.0.1:${mail.port}`;
  world = await startAccounts({ env: { SMTP_URL: url, MAIL_FROM: 'Quittance <account@pay.test>' } });
  ada = await world.member('owner', 'ada@example.com');
});
after(async () => {
  await world.gateway.stop();
  await mail.stop();
});

const later = (seconds: number): void => world.gateway.clock.advance({ seconds });
const day = 24 * 3600;
const wrong = 'a quiet evening in june';
/** Another one for each attempt, as somebody with many machines has them. */
let machines = 0;
const anyAddress = (): string => {
  machines += 1;
  return `2001:db8:${machines.toString(16)}::1`;
};
const guess = (email: string, password: string, address = anyAddress()) =>
  world.visitor({ address }).signInWithPassword(email, password);
const statuses = async (times: number, attempt: () => Promise<{ status: number }>): Promise<number[]> => {
  const seen = [];
  for (let each = 0; each < times; each += 1) seen.push((await attempt()).status);
  return seen;
};
/** The code that the app shows now. */
const codeNow = (secret: string, steps = 0n): string =>
  totpCode(new Secret(secret), BigInt(Math.floor(world.gateway.clock.now().getTime() / 30_000)) + steps);

async function withApp(
  email: string,
  role: 'owner' | 'viewer' = 'viewer',
): Promise<{ visitor: Visitor; secret: string }> {
  const visitor = await world.memberWithPassword(role, email);
  const page = await visitor.get('/account/my-sign-in/totp');
  const secret = /name="secret" readonly value="(\w+)"/.exec(page.text)?.[1] ?? '';
  const form = { secret, 'new-code': codeNow(secret) };
  const set = await visitor.post('/account/my-sign-in/totp', form);
  assert.equal(set.status, 303, set.text);
  later(30);
  return { visitor, secret };
}

test('from the fifth failure on, every further one waits twice as long, up to a quarter of an hour', () => {
  assert.deepEqual(
    [0, 4, 5, 6, 7].map((failures) => waitMs(failures, 4)),
    [0, 0, 1000, 2000, 4000],
  );
  assert.equal(waitMs(14, 4), 512_000);
  assert.equal(waitMs(15, 4), 900_000);
  assert.equal(waitMs(100_000, 4), 900_000);
});

test('an IPv6 address counts with its network of 64 bits, and where a shop says that it saw it only there', async () => {
  const { db, clock } = world.gateway;
  const attempt = (address: string, at: number) => takeAttempt(db, { subject: `guess ${at}`, address }, clock.now());
  for (let at = 0; at < 50; at += 1) await attempt(`2001:db8:0:1::${at} at 4cq0zr1lbdk9`, at);
  await assert.rejects(attempt('2001:db8:0:1:aaaa::1 at 4cq0zr1lbdk9', 51), { code: 'sign_in_wait' });
  await attempt('2001:db8:0:1:aaaa::1', 52);
});

test('a failure counts until a day is over, and not a moment longer', () => {
  const lastAt = new Date('2026-03-01T12:00:00.000Z');
  const after = (ms: number) => countedFailures({ failures: 7, lastAt }, new Date(lastAt.getTime() + ms));
  assert.deepEqual([after(0), after(15 * 60_000), after(day * 1000 - 1), after(day * 1000)], [7, 7, 7, 0]);
});

test('whoever guesses waits, and the right password from elsewhere works meanwhile', async () => {
  const ben = await world.memberWithPassword('viewer', 'ben@example.com');
  const [thief, own] = [anyAddress(), anyAddress()];
  const seen = await statuses(6, () => guess('Ben@Example.com', wrong, thief));
  assert.deepEqual(seen, [401, 401, 401, 401, 401, 429]);
  const held = await guess('ben@example.com', goodPassword, thief);
  assert.deepEqual([held.status, held.headers['retry-after']], [429, '1']);
  assert.match(held.text, /Try again in 1 second/);
  assert.equal((await guess('ben@example.com', goodPassword, own)).status, 303);
  const asked = await ben.post('/account/sign-in/first-passkey-challenge');
  await ben.post('/account/sign-in/first-passkey', { answer: ben.device.register(asked.json) });
  assert.equal((await world.visitor({ address: thief }).signInWithPasskey(ben.device)).status, 303);
  later(1);
  assert.equal((await guess('ben@example.com', goodPassword, thief)).status, 303);
});

test('after fifty failures from everywhere only a known browser, a passkey or a link goes on, for a day', async () => {
  const { db, clock } = world.gateway;
  const own = await world.memberWithPassword('viewer', 'spread@example.com');
  await own.post('/account/sign-out');
  await own.get('/account/sign-in');
  const enter = () => own.signInWithPassword('spread@example.com', goodPassword);
  assert.equal((await enter()).status, 303, 'known from now on');
  const [person] = await db<{ id: string }>`select id from person where email = 'spread@example.com'`;
  const attempt = () => takeAttempt(db, { subject: `password ${person?.id}`, address: anyAddress() }, clock.now());
  for (let each = 1; each < mostFromElsewhere; each += 1) await attempt();
  assert.equal((await guess('spread@example.com', goodPassword)).status, 303, 'the last one that is taken');
  await attempt();
  const refused = await guess('spread@example.com', goodPassword);
  assert.deepEqual([refused.status, /came from elsewhere/.test(refused.text)], [429, true]);
  assert.equal((await enter()).status, 303, 'a browser that was in before');
  assert.deepEqual(await statuses(6, () => own.signInWithPassword('spread@example.com', wrong)), [
    ...[401, 401, 401, 401, 401, 429],
  ]);
  later(day - 1);
  assert.equal((await guess('spread@example.com', goodPassword)).status, 429);
  later(1);
  assert.equal((await guess('spread@example.com', goodPassword)).status, 303);
});

test('a thousand attempts at the same moment are not all the first one', async () => {
  const from = anyAddress();
  const many = await Promise.all(Array.from({ length: 20 }, () => guess('crowd@example.com', wrong, from)));
  assert.equal(many.filter(({ status }) => status === 401).length, 5);
});

test('one network that tries many accounts is held up, wherever in its /64 it is', async () => {
  const from = (host: number) => `2001:db8:ffff:1::${host.toString(16)}`;
  const seen = [];
  for (let each = 1; each <= 51; each += 1) {
    const form = { email: `somebody-${each}@example.com` };
    seen.push((await world.visitor({ address: from(each) }).post('/account/sign-in/send-link', form)).status);
  }
  assert.deepEqual([seen.indexOf(429), seen.length], [50, 51]);
  assert.equal((await guess('another@example.com', wrong, from(99))).status, 429);
  assert.equal((await guess('another@example.com', 'wrong', '2001:db8:ffff:2::1')).status, 401, 'its neighbour is not');
});

test('who has an account is not told: the same sentence for the same work', async (t) => {
  await world.memberWithPassword('viewer', 'known@example.com');
  const asked = t.mock.method(pg.Client.prototype, 'query');
  const revealed = t.mock.method(Secret.prototype, 'reveal');
  const told = async (email: string, ask: () => Promise<PageAnswer>) => {
    asked.mock.resetCalls();
    revealed.mock.resetCalls();
    const { status, text } = await ask();
    const sentence = text.replaceAll(email, '').replaceAll(/nonce="[^"]*"/g, '');
    const statements = asked.mock.calls.map((call) => {
      const [query] = call.arguments as unknown as [string | { text: string }];
      return typeof query === 'string' ? query : query.text;
    });
    // A password is revealed to be hashed. What keeps connections alive asks by its own clock.
    const hashes = revealed.mock.calls.filter(({ result }) => result === wrong).length;
    return { status, sentence, statements: statements.filter((each) => each !== 'select 1'), hashes };
  };
  const withPassword = (email: string) => told(email, () => guess(email, wrong));
  const known = await withPassword('known@example.com');
  assert.deepEqual(await withPassword('never-seen@example.com'), known);
  assert.deepEqual([known.statements.length > 0, known.hashes], [true, 1], 'something was counted');
  const byLink = (email: string) =>
    told(email, () => world.visitor({ address: anyAddress() }).post('/account/sign-in/send-link', { email }));
  assert.deepEqual(await byLink('never-seen@example.com'), await byLink('known@example.com'));
  mail.received.length = 0;
  await world.gateway.runUntilIdle();
  assert.deepEqual(
    mail.received.filter(({ text }) => text.includes('sign-in/link#')).map(({ to }) => to.join()),
    ['known@example.com'],
  );
});

test('codes cannot be guessed by showing the right password in between', async () => {
  await withApp('codes@example.com');
  const seen = [];
  const address = anyAddress();
  for (let round = 0; round < 4; round += 1) {
    const thief = world.visitor({ address });
    seen.push((await thief.signInWithPassword('codes@example.com', goodPassword)).status);
    seen.push((await thief.post('/account/sign-in/code', { code: '000000' })).status);
    seen.push((await thief.post('/account/sign-in/code', { code: '000001' })).status);
  }
  assert.ok(seen.includes(429), seen.join());
});

test('a password opens nothing where there is a second factor, and a code is good once', async () => {
  const { secret } = await withApp('app@example.com', 'owner');
  const browser = world.visitor();
  await browser.signInWithPassword('app@example.com', goodPassword);
  const halfway = browser.cookie(sessionCookie);
  for (const path of ['/account', '/account/people', '/account/my-sign-in', '/account/my-sign-in/totp'])
    assert.equal((await browser.get(path)).location, '/account/sign-in/code', path);
  const changes: [string, Record<string, string>][] = [
    ['/account/people/invite', { email: 'x@example.com', role: 'owner' }],
    ['/account/my-sign-in/password', { password: 'another evening in may' }],
    ['/account/my-sign-in/totp', { secret, 'new-code': codeNow(secret) }],
    ['/account/my-sign-in/totp/remove', {}],
    ['/account/my-sign-in/codes', {}],
    ['/account/sign-in/first-passkey-challenge', {}],
  ];
  for (const [path, form] of changes)
    assert.equal((await browser.post(path, form)).location, '/account/sign-in/code', path);
  const code = codeNow(secret);
  assert.equal((await browser.post('/account/sign-in/code', { code })).status, 303);
  assert.notEqual(browser.cookie(sessionCookie), halfway, 'a new token');
  assert.equal((await browser.get('/account/people')).status, 200);

  const second = world.visitor();
  await second.signInWithPassword('app@example.com', goodPassword);
  assert.equal((await second.post('/account/sign-in/code', { code })).status, 401, 'the same code again');
  assert.equal(
    (await second.post('/account/sign-in/code', { code: codeNow(secret, -1n) })).status,
    401,
    'an older one',
  );
  later(30);
  assert.equal((await second.post('/account/sign-in/code', { code: codeNow(secret) })).status, 303);
});

test('two browsers with one code at the same moment: one is in', async () => {
  const { secret } = await withApp('race@example.com');
  const browsers = [world.visitor(), world.visitor()];
  for (const browser of browsers) await browser.signInWithPassword('race@example.com', goodPassword);
  const code = codeNow(secret);
  const answers = await Promise.all(browsers.map((browser) => browser.post('/account/sign-in/code', { code })));
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['303', '401']);
});

test('a printed code opens once, however it is typed; new ones end the old', async () => {
  const { visitor } = await withApp('paper@example.com');
  const codesOf = async (): Promise<string[]> =>
    (await visitor.post('/account/my-sign-in/codes')).text.match(/[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/g) ?? [];
  const old = await codesOf();
  const codes = await codesOf();
  assert.equal(codes.length, 10);
  const tries = async (code = ''): Promise<number> => {
    const browser = world.visitor();
    await browser.signInWithPassword('paper@example.com', goodPassword);
    return (await browser.post('/account/sign-in/code', { code })).status;
  };
  assert.equal(await tries(old[0]), 401);
  assert.equal(await tries(codes[0]?.toUpperCase().replaceAll('-', ' ')), 303);
  assert.equal(await tries(codes[0]), 401);
  assert.ok((await visitor.get('/account/my-sign-in')).text.includes('9 codes are left'));
  assert.ok(!(await visitor.get('/account/my-sign-in')).text.includes(codes[1] ?? '-'), 'they are shown once');
});

test('a link by e-mail works once, in the browser that asked, for a quarter of an hour, and is no second factor', async () => {
  const { visitor: _ } = await withApp('mail@example.com');
  const ask = async () => {
    later(day);
    mail.received.length = 0;
    const browser = world.visitor({ address: anyAddress() });
    await browser.post('/account/sign-in/send-link', { email: 'mail@example.com' });
    await world.gateway.runUntilIdle();
    const texts = mail.received.map(({ text }) => text).join('\n');
    const token = /sign-in\/link#([\w-]+)/.exec(texts)?.[1] ?? '';
    assert.notEqual(token, '', `no link among: ${texts}`);
    return { browser, token };
  };
  const { browser, token } = await ask();
  const elsewhere = await world.visitor().post('/account/sign-in/link', { token });
  assert.equal(elsewhere.status, 410);
  const inOther = world.visitor();
  inOther.setCookie('quittance-browser', 'guessed');
  assert.equal((await inOther.post('/account/sign-in/link', { token })).status, 410);
  assert.equal((await browser.post('/account/sign-in/link', { token })).status, 303);
  assert.equal((await browser.get('/account/my-sign-in')).location, '/account/sign-in/code');
  assert.equal((await browser.post('/account/sign-in/link', { token })).status, 410);
  assert.equal((await browser.post('/account/welcome', { token })).status, 410, 'and is no invitation');

  const late = await ask();
  later(15 * 60);
  assert.equal((await late.browser.post('/account/sign-in/link', { token: late.token })).status, 410);
});

test('a form that another site sent changes nothing', async () => {
  const form = { name: 'Forged', language: 'de' };
  const forged: Record<string, string | undefined>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: world.accountUrl },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
    { 'sec-fetch-site': undefined, origin: `${world.accountUrl}.evil.example` },
    { 'sec-fetch-site': undefined },
    { 'sec-fetch-site': undefined, referer: `${world.accountUrl}/account` },
  ];
  await ada.signInWithPasskey();
  for (const headers of forged) {
    const answer = await ada.post('/account/my-sign-in/profile', form, headers);
    assert.equal(answer.status, 403, JSON.stringify(headers));
    const signIn = await world.visitor().post('/account/sign-in', { email: 'ada@example.com', password: 'x' }, headers);
    assert.equal(signIn.status, 403, 'nobody is signed in by another site');
  }
  assert.ok(!(await ada.get('/account/my-sign-in')).text.includes('Forged'));
  const older = { 'sec-fetch-site': undefined, origin: world.accountUrl };
  assert.equal((await ada.post('/account/my-sign-in/profile', { name: 'Ada', language: 'en' }, older)).status, 303);
});

test('after the sign-in it goes to a page of the account and nowhere else', async () => {
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '/account//evil.example',
    '/account/\\evil.example',
    'https://evil.example/account',
    'https:/account',
    'javascript:alert(1)',
    '/api/v1/checkouts',
    '/accounting',
    '/account/../',
    '/account/../api',
    '/account/%2e%2e/api',
    '/account/..%2f..%2fapi/..',
    '/account?x=\nset-cookie:a=b',
    '/account/my-sign-in\r\nx: y',
    ' /account',
    '/account#@evil.example',
  ];
  for (const next of elsewhere) {
    const browser = world.visitor();
    const asked = await browser.post('/account/sign-in/passkey-challenge');
    const answer = ada.device.answer(asked.json);
    const { location } = await browser.post('/account/sign-in/passkey', { answer, next });
    const reached = new URL(location, world.accountUrl);
    assert.equal(reached.origin, world.accountUrl, next);
    assert.match(reached.pathname, /^\/account(\/|$)/, next);
    const page = await world.visitor().get(`/account/sign-in?next=${encodeURIComponent(next)}`);
    assert.ok(!page.text.includes('evil'), next);
  }
  const browser = world.visitor();
  const wanted = await browser.get('/account/my-sign-in?tab=1');
  assert.equal(wanted.location, '/account/sign-in?next=%2Faccount%2Fmy-sign-in%3Ftab%3D1');
  const asked = await browser.post('/account/sign-in/passkey-challenge');
  const form = { answer: ada.device.answer(asked.json), next: '/account/my-sign-in?tab=1' };
  assert.equal((await browser.post('/account/sign-in/passkey', form)).location, '/account/my-sign-in?tab=1');
});
