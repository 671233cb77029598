/** What somebody tries with a stolen session, a used link, a forged form, an answer of a passkey to something else. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { makeRecoveryLink } from '../src/people/recover-sign-in.ts';
import { hashOf } from '../src/people/session.ts';
import { type AccountWorld, goodPassword, sessionCookie, startAccounts, type Visitor } from './account-world.ts';
import { passkeyDevice } from './passkey-device.ts';

let world: AccountWorld;
let ada: Visitor;
before(async () => {
  world = await startAccounts();
  ada = await world.member('owner', 'ada@example.com');
});
after(() => world.gateway.stop());

/** The same browser, as somebody has it who copied its cookie. */
function thiefOf(victim: Visitor): Visitor {
  const thief = world.visitor();
  thief.setCookie(sessionCookie, victim.cookie(sessionCookie) ?? '');
  return thief;
}
const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get('/account/my-sign-in')).status === 200;
const later = (minutes: number): void => world.gateway.clock.advance({ minutes });
const peopleNow = () => world.gateway.db`select email from person order by email`;

test('a cookie that somebody planted is not the one of the session that begins', async () => {
  const victim = world.visitor();
  victim.setCookie(sessionCookie, 'planted');
  await victim.signInWithPasskey(ada.device);
  assert.ok(await isIn(victim));
  const attacker = world.visitor();
  attacker.setCookie(sessionCookie, 'planted');
  assert.equal(await isIn(attacker), false);
});

test('two cookies of the name count as none', async () => {
  const own = ada.cookie(sessionCookie) ?? '';
  const answer = await world.visitor().get('/account/my-sign-in', {
    cookie: `${sessionCookie}=planted; ${sessionCookie}=${own}`,
  });
  assert.match(answer.location, /^\/account\/sign-in/);
});

test('whoever signs in in a browser ends the session that was there', async () => {
  const first = ada.cookie(sessionCookie) ?? '';
  const thief = thiefOf(ada);
  await ada.signInWithPasskey();
  assert.notEqual(ada.cookie(sessionCookie), first);
  assert.equal(await isIn(thief), false);
  assert.ok(await isIn(ada));
});

test('who joins by a link in a browser ends the session that was there', async () => {
  const borrowed = world.visitor();
  await borrowed.signInWithPasskey(ada.device);
  const before = thiefOf(borrowed);
  await borrowed.join(await world.invitation('guest@example.com', 'viewer'), 'Guest');
  assert.equal(await isIn(before), false);
});

test('a proof gives a new token: who copied the old one is out', async () => {
  const thief = thiefOf(ada);
  assert.ok(await isIn(thief));
  assert.equal((await ada.prove()).status, 200);
  assert.equal(await isIn(thief), false);
  assert.ok(await isIn(ada));
});

test('tokens, links and codes are nowhere in the database', async () => {
  const token = await world.invitation('stored@example.com', 'viewer');
  const secrets = [ada.cookie(sessionCookie) ?? '', token];
  const { db } = world.gateway;
  const stored = await Promise.all([
    db`select to_jsonb(t)::text from session t`,
    db`select to_jsonb(t)::text from one_time_link t`,
    db`select to_jsonb(t)::text from job t`,
    db`select to_jsonb(t)::text from audit_log t`,
  ]);
  for (const secret of secrets) assert.ok(!JSON.stringify(stored).includes(secret));
});

test('a session that is older than five minutes changes nothing that matters', async () => {
  later(6);
  const thief = thiefOf(ada);
  const device = passkeyDevice(world.accountUrl);
  const tries: [string, Record<string, string>][] = [
    ['/account/people/invite', { email: 'evil@example.com', role: 'owner' }],
    ['/account/my-sign-in/password', { password: goodPassword }],
    ['/account/my-sign-in/passkey-challenge', {}],
    ['/account/my-sign-in/codes', {}],
    ['/account/my-sign-in/passkey/remove', { passkey: ada.device.id }],
    ['/account/sign-in/first-passkey-challenge', {}],
  ];
  for (const [path, form] of tries) {
    const answer = await thief.post(path, form);
    assert.ok(answer.status === 403 || answer.status === 303, `${path}: ${answer.status}`);
    assert.equal(answer.json.challenge, '', path);
  }
  const smuggled = await thief.post('/account/people/invite', {
    email: 'evil@example.com',
    role: 'owner',
    proof: device.answer({ challenge: 'AAAA' }),
  });
  assert.equal(smuggled.status, 409);
  assert.ok(await isIn(ada), 'a wrong proof ends nothing');
});

test('who has an app or a password, and no passkey, cannot have one added by a thief', async () => {
  const ben = await world.memberWithPassword('support', 'ben@example.com');
  later(6);
  const thief = thiefOf(ben);
  const asked = await thief.post('/account/sign-in/first-passkey-challenge');
  assert.equal(asked.json.challenge, '', 'no challenge for a passkey of the thief');
  const proven = await ben.post('/account/sign-in/first-passkey-challenge', { 'current-password': goodPassword });
  assert.notEqual(proven.json.challenge, '', 'the owner of the password gets one');
});

test('a link is good once, in order and at the same moment', async () => {
  const token = await world.invitation('once@example.com', 'viewer');
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => world.visitor().join(token, name)));
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['303', '410', '410']);
  assert.equal((await world.visitor().join(token, 'Four')).status, 410);
});

test('a link is over after its time', async () => {
  const token = await world.invitation('late@example.com', 'viewer');
  later(7 * 24 * 60);
  assert.equal((await world.visitor().join(token, 'Late')).status, 410);
  assert.equal((await world.visitor().post('/account/welcome', { token })).status, 410);
  await ada.signInWithPasskey();
});

test('an invitation makes nobody else a member than the one it is for', async () => {
  const token = await world.invitation('for-me@example.com', 'admin');
  const other = world.visitor();
  await other.join(token, 'Other', 'evil@example.com');
  const emails = (await peopleNow()).map(({ email }) => email);
  assert.ok(emails.includes('for-me@example.com') && !emails.includes('evil@example.com'));

  const forKnown = await world.invitation('ada@example.com', 'viewer', (await newMerchant()).merchantId);
  const stranger = await world.member('viewer', 'stranger@example.com');
  assert.equal((await stranger.post('/account/welcome/join', { token: forKnown })).status, 410);
  assert.equal((await world.visitor().join(forKnown, 'Not Ada')).status, 409, 'her address is taken');
  assert.equal((await ada.post('/account/welcome/join', { token: forKnown })).status, 303, 'and she still can');
});

test('a form of another tab, in which another account was looked at, changes nothing', async () => {
  const { merchantId } = world.gateway.merchant;
  const invited = await ada.post('/account/people/invite', { email: 'tab@example.com', role: 'viewer' });
  assert.equal(invited.status, 409);
  const unsaid = await ada.post('/account/people/invite', { email: 'tab@example.com', role: 'viewer', account: '' });
  assert.equal(unsaid.status, 409);
  assert.equal((await ada.post('/account/choose', { merchant: 'ffffffffffff' })).status, 404);
  assert.equal((await ada.post('/account/choose', { merchant: merchantId })).status, 303);
  assert.equal((await world.gateway.db`select from one_time_link where email = 'tab@example.com'`).length, 0);
});

const newMerchant = () => world.gateway.createMerchant('Another shop');

test('an invitation changes no role of who is a member already', async () => {
  const token = await world.invitation('ada@example.com', 'viewer');
  assert.equal((await ada.post('/account/welcome/join', { token })).status, 409);
  const [row] = await world.gateway.db`
    select role from membership join person on person.id = person_id
     where email = 'ada@example.com' and merchant_id = ${world.gateway.merchant.merchantId}`;
  assert.equal(row?.['role'], 'owner');
});

test('who may not do it any more has no invitation left open', async () => {
  const eve = await world.member('admin', 'eve@example.com');
  const made = await eve.post('/account/people/invite', { email: 'eve2@example.com', role: 'admin' });
  const token = /welcome#([\w-]+)/.exec(made.text)?.[1] ?? '';
  const [row] = await world.gateway.db`select id from person where email = 'eve@example.com'`;
  await ada.prove();
  assert.equal((await ada.post('/account/people/remove', { person: String(row?.['id']) })).status, 303);
  assert.equal((await world.visitor().join(token, 'Eve again')).status, 410);
  assert.equal(await isIn(eve), false, 'and she is out');
});

test('who was given less is out, and has less after signing in again', async () => {
  const max = await world.member('admin', 'max@example.com');
  assert.equal((await max.get('/account/people')).status, 200);
  const [row] = await world.gateway.db`select id from person where email = 'max@example.com'`;
  await ada.post('/account/people/role', { person: String(row?.['id']), role: 'viewer' });
  assert.equal(await isIn(max), false);
  await max.signInWithPasskey();
  assert.equal((await max.get('/account/people')).status, 403);
});

test('an answer of a passkey is good once', async () => {
  const browser = world.visitor();
  const asked = await browser.post('/account/sign-in/passkey-challenge');
  const answer = ada.device.answer(asked.json);
  assert.equal((await browser.post('/account/sign-in/passkey', { answer })).status, 303);
  assert.equal((await world.visitor().post('/account/sign-in/passkey', { answer })).status, 409);
});

test('an answer is worth nothing for another purpose, person, origin, or without a finger', async () => {
  const toSignIn = await world.visitor().post('/account/sign-in/passkey-challenge');
  const otherPurpose = await ada.post('/account/sign-in/prove', { answer: ada.device.answer(toSignIn.json) });
  assert.equal(otherPurpose.status, 409);

  const kim = await world.member('owner', 'kim@example.com');
  const forAda = await ada.post('/account/sign-in/prove-challenge');
  const byKim = await kim.post('/account/sign-in/prove', { answer: kim.device.answer(forAda.json) });
  assert.equal(byKim.status, 409, "another person's challenge");
  const withKims = await ada.post('/account/sign-in/prove', { answer: kim.device.answer(forAda.json) });
  assert.equal(withKims.status, 401, "another person's passkey");

  const again = await world.visitor().post('/account/sign-in/passkey-challenge');
  const fromElsewhere = await world
    .visitor()
    .post('/account/sign-in/passkey', { answer: ada.device.answer(again.json, 'https://evil.example') });
  assert.equal(fromElsewhere.status, 401);

  const lazy = world.visitor();
  await lazy.join(await world.invitation('lazy@example.com', 'viewer'), 'Lazy');
  const unverified = passkeyDevice(world.accountUrl, { isVerified: false });
  const toRegister = await lazy.post('/account/sign-in/first-passkey-challenge');
  const added = await lazy.post('/account/sign-in/first-passkey', { answer: unverified.register(toRegister.json) });
  assert.equal(added.status, 401);
});

test('a challenge is over after five minutes, and one that nobody asked never was', async () => {
  const asked = await world.visitor().post('/account/sign-in/passkey-challenge');
  later(5);
  const late = await world.visitor().post('/account/sign-in/passkey', { answer: ada.device.answer(asked.json) });
  assert.equal(late.status, 409);
  const own = Buffer.alloc(32, 1).toString('base64url');
  const made = await world
    .visitor()
    .post('/account/sign-in/passkey', { answer: ada.device.answer({ challenge: own }) });
  assert.equal(made.status, 409);
});

test('a passkey of one person is not taken over by another', async () => {
  const lou = world.visitor();
  await lou.join(await world.invitation('lou@example.com', 'viewer'), 'Lou');
  const asked = await lou.post('/account/sign-in/first-passkey-challenge');
  const answer = await lou.post('/account/sign-in/first-passkey', { answer: ada.device.register(asked.json) });
  assert.equal(answer.status, 401);
  await ada.signInWithPasskey();
  assert.match((await ada.get('/account/my-sign-in')).text, /ada@example\.com/);
});

test('nonsense is refused with a sentence, whatever is sent', async () => {
  const nonsense = [
    '',
    '{}',
    '[]',
    '"x"',
    '{"response":{"clientDataJSON":"####"}}',
    '{"id":{},"response":null}',
    '{"id":"x"}',
    '{"id":"x","response":{"clientDataJSON":"e30"}}',
  ];
  for (const answer of nonsense) {
    const { status } = await world.visitor().post('/account/sign-in/passkey', { answer });
    assert.ok(status >= 400 && status < 500, `${answer}: ${status}`);
  }
  const long = { email: `${randomBytes(10_000).toString('hex')}@example.com`, password: 'p' };
  assert.equal((await world.visitor().post('/account/sign-in', long)).status, 401);
  assert.equal((await world.visitor().post('/account/sign-in', { email: 'a\0b', password: 'p' })).status, 400);
});

test('a link of recovery is good once, ends all sessions, and the next one ends it', async () => {
  const first = await makeRecoveryLink(world.gateway, 'ada@example.com', 'operator');
  const second = await makeRecoveryLink(world.gateway, 'ada@example.com', 'operator');
  const newBrowser = world.visitor();
  assert.equal((await newBrowser.post('/account/welcome/recover', { token: first })).status, 410);
  assert.equal((await newBrowser.post('/account/welcome/recover', { token: second })).status, 303);
  assert.ok(await isIn(newBrowser));
  assert.equal(await isIn(ada), false);
  assert.equal((await world.visitor().post('/account/welcome/recover', { token: second })).status, 410);
  assert.equal((await world.visitor().join(second, 'Somebody')).status, 410, 'and invites nobody');
});

test('ended sessions: a password, a lost passkey, one by one', async () => {
  const tom = await world.member('viewer', 'tom@example.com');
  const elsewhere = world.visitor();
  await elsewhere.signInWithPasskey(tom.device);
  await tom.post('/account/my-sign-in/password', { password: goodPassword });
  assert.deepEqual([await isIn(elsewhere), await isIn(tom)], [false, true]);

  await elsewhere.signInWithPasskey(tom.device);
  const [other] = await world.gateway.db`
    select id from session where token_hash = ${hashOf(elsewhere.cookie(sessionCookie) ?? '')}`;
  const kim = await world.member('viewer', 'kit@example.com');
  const byOther = await kim.post('/account/my-sign-in/session/end', { session: String(other?.['id']) });
  assert.equal(byOther.status, 404, "another person's session looks like one that never was");
  assert.ok(await isIn(elsewhere));
  await tom.post('/account/my-sign-in/session/end', { session: String(other?.['id']) });
  assert.equal(await isIn(elsewhere), false);

  await elsewhere.signInWithPasskey(tom.device);
  await tom.post('/account/my-sign-in/passkey/remove', { passkey: tom.device.id });
  assert.deepEqual([await isIn(elsewhere), await isIn(tom)], [false, true]);
  assert.equal((await elsewhere.signInWithPasskey(tom.device)).status, 401);
});
