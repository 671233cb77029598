/** Somebody of an account has lost every way to sign in, and an owner or admin lets them in anew. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { newLink } from '../src/people/join-account.ts';
import { mailLink } from '../src/people/mail-link.ts';
import { makeRecoveryLink } from '../src/people/recover-sign-in.ts';
import {
  type AccountWorld,
  type Form,
  goodPassword,
  signed,
  startAccounts,
  type Visitor,
  words,
} from './account-world.ts';
import { atLeastOne } from './at-least-one.ts';
import { deepTest } from './depth.ts';
import { type MailServer, mailUser, startMailServer } from './mail-server.ts';
import { meetAt } from './meet-at.ts';

let mail: MailServer;
let mailing: AccountWorld;
let mailless: AccountWorld;
let owner: Visitor;
let admin: Visitor;

before(async () => {
  mail = await startMailServer();
  const { user, pass } = mailUser;
  const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(pass)}@127.0.0.1:${mail.port}`;
  mailing = await startAccounts({ env: { SMTP_URL: url, MAIL_FROM: 'Quittance <account@pay.test>' } });
  mailless = await startAccounts();
  owner = await mailing.member('owner', 'owner@example.com');
  admin = await mailing.member('admin', 'admin@example.com');
});
after(async () => {
  await mailing?.gateway.stop();
  await mailless?.gateway.stop();
  await mail?.stop();
});

const idOf = async ({ gateway }: AccountWorld, email: string): Promise<string> => {
  const [row] = await gateway.db`select id from person where email = ${email}`;
  return String(row?.['id']);
};
const use = async ({ visitor }: AccountWorld, token: string) =>
  (await visitor().post('/account/welcome/recover', { token })).status;

/** What is written when somebody is let in anew, by address. */
async function ask(by: Visitor, email: string): Promise<Map<string, string>> {
  await mailing.gateway.runUntilIdle(); // What other stories asked for is written by then.
  mail.received.length = 0;
  await by.prove();
  const asked = await by.post('/account/people/recover', { person: await idOf(mailing, email) });
  assert.equal(asked.location, `/account/people?recovering=${encodeURIComponent(email)}`, asked.text);
  await mailing.gateway.runUntilIdle();
  return new Map(mail.received.map(({ to, text }) => [to.join(), text]));
}
/** Where a third one approves, that one has to agree. */
async function agree(): Promise<void> {
  const [row] = await mailing.gateway.db<{ id: string }>`select id from policy_change where state = 'WAITING'`;
  await admin.signInWithPasskey();
  assert.equal((await signed(admin, `/account/settings/changes/${row?.id}/approve`, {})).status, 303);
}
const tokenIn = (text = ''): string => /welcome#([\w-]+)/.exec(text)?.[1] ?? '';

test('who may move no money has a link at once, at their own address only', async () => {
  await mailing.member('viewer', 'viewer@example.com');
  const written = await ask(admin, 'viewer@example.com');
  assert.deepEqual([...written.keys()], ['viewer@example.com']);
  assert.equal(await use(mailing, tokenIn(written.get('viewer@example.com'))), 303);
});

test('who may move money waits a day, and all who approve are told and can take it back', async () => {
  await mailing.member('accountant', 'books@example.com');
  const written = await ask(admin, 'books@example.com');
  assert.deepEqual([...written.keys()].sort(), ['admin@example.com', 'books@example.com', 'owner@example.com']);
  assert.match(written.get('owner@example.com') ?? '', /books@example\.com[^]*\/account\/people/);
  assert.ok(!(written.get('owner@example.com') ?? '').includes('#'), 'the link itself is for one person');
  const token = tokenIn(written.get('books@example.com'));
  assert.equal(await use(mailing, token), 410);
  const reading = await mailing.visitor().post('/account/welcome', { token });
  assert.deepEqual([reading.status, /cannot be used yet/.test(reading.text)], [409, true]);

  const page = await owner.get('/account/people');
  assert.match(page.text, /Links to sign in anew[^]*The accountant/);
  await owner.prove();
  const person = await idOf(mailing, 'books@example.com');
  assert.equal((await owner.post('/account/people/take-back-recovery', { person })).status, 303);
  mailing.gateway.clock.advance({ hours: 25 });
  assert.equal(await use(mailing, token), 410);
  assert.doesNotMatch((await owner.get('/account/people')).text, /Links to sign in anew/);

  await owner.signInWithPasskey();
  const again = tokenIn((await ask(owner, 'books@example.com')).get('books@example.com'));
  mailing.gateway.clock.advance({ hours: 24 });
  assert.equal(await use(mailing, again), 303);
});

test('an admin lets no owner in and takes back no owner’s link, and nobody does it for themselves', async () => {
  for (const each of [owner, admin]) await each.signInWithPasskey();
  const person = await idOf(mailing, 'owner@example.com');
  assert.equal((await admin.post('/account/people/recover', { person })).status, 403);
  assert.equal((await admin.post('/account/people/take-back-recovery', { person })).status, 403);
  assert.equal((await owner.post('/account/people/recover', { person })).status, 409);
  assert.equal((await admin.post('/account/people/recover', { person: 'nobody' })).status, 404);
});

test('a link of somebody who may invite no more is worth nothing', async () => {
  const other = await mailing.member('admin', 'other-admin@example.com');
  await mailing.member('support', 'support@example.com');
  const token = tokenIn((await ask(other, 'support@example.com')).get('support@example.com'));
  await owner.prove();
  const demoted = { person: await idOf(mailing, 'other-admin@example.com'), role: 'viewer' };
  assert.equal((await owner.post('/account/people/role', demoted)).status, 303);
  await agree();
  mailing.gateway.clock.advance({ hours: 24 });
  assert.equal(await use(mailing, token), 410);
});

deepTest('a message of a kind that only the next release writes is left to it', async () => {
  const { db, clock } = mailing.gateway;
  await db`insert into job (name, payload, run_at) values ('person.email', '{"kind": "made-up"}', ${clock.now()})`;
  await mailing.gateway.runUntilIdle();
  const jobs = await db<{ attempts: number; parked_reason: string | null }>`
    delete from job where payload->>'kind' = 'made-up' returning attempts, parked_reason`;
  assert.deepEqual(jobs, [{ attempts: 0, parked_reason: null }]);
});

deepTest('a message that is written after who asked for it was put out holds no link', async () => {
  for (const each of [owner, admin]) await each.signInWithPasskey();
  const late = await mailing.member('admin', 'late@example.com');
  await mailing.member('support', 'desk@example.com');
  await mailing.gateway.runUntilIdle();
  mail.received.length = 0;
  await late.post('/account/people/recover', { person: await idOf(mailing, 'desk@example.com') });
  await late.post('/account/people/invite', { email: 'friend@example.com', role: 'viewer' });
  await owner.post('/account/people/remove', { person: await idOf(mailing, 'late@example.com') });
  await agree();
  await mailing.gateway.runUntilIdle();
  const told = new Map(mail.received.map(({ to, text }) => [to.join(), text]));
  assert.ok(
    ['late@example.com', 'owner@example.com'].every((each) => told.has(each)),
    'who is out, and who owns it',
  );
  assert.ok(!told.has('desk@example.com') && !told.has('friend@example.com'));
  assert.match(told.get('late@example.com') ?? '', /removed you from(?!.*ignore it)/s);
  assert.match(told.get('owner@example.com') ?? '', /desk@example\.com(?!.*ignore it)/s, 'as soon as it was asked for');
  const links = await mailing.gateway.db`
    select from one_time_link where email in ('desk@example.com', 'friend@example.com') and used_at is null`;
  assert.equal(links.length, 0);
});

test('nobody is let in anew by one account who belongs to another, or joins it meanwhile', async () => {
  const { gateway } = mailing;
  const { merchantId } = await gateway.createMerchant('Second shop');
  const both = await mailing.member('viewer', 'both@example.com');
  const person = await idOf(mailing, 'both@example.com');
  await owner.signInWithPasskey();
  const before = tokenIn((await ask(owner, 'both@example.com')).get('both@example.com'));
  // Not by a sign-in, which would end it: what was mailed is of no use in an account that was joined since.
  const [session] = await gateway.db`select id from session where person_id = ${person}`;
  assert.ok(session);
  const second = await mailing.invitation('both@example.com', 'admin', merchantId);
  assert.equal((await both.post('/account/welcome/join', { token: second })).status, 303);
  assert.equal(await use(mailing, before), 410);
  await owner.prove();
  const refused = await owner.post('/account/people/recover', { person });
  assert.deepEqual([refused.status, /belongs to another account/.test(refused.text)], [409, true]);
});

test('whoever comes back begins with nothing that opened before, as a new hand, and all who approve are told', async () => {
  const { gateway } = mailing;
  const lost = await mailing.member('admin', 'lost@example.com');
  const codes = await lost.post('/account/my-sign-in/codes');
  assert.equal(codes.status, 200);
  await lost.post('/account/my-sign-in/password', { password: goodPassword });
  await owner.signInWithPasskey();
  const token = tokenIn((await ask(owner, 'lost@example.com')).get('lost@example.com'));
  gateway.clock.advance({ hours: 24 });
  mail.received.length = 0;
  const thief = mailing.visitor();
  assert.equal((await thief.post('/account/welcome/recover', { token })).status, 303);
  assert.notEqual((await lost.signInWithPasskey()).status, 303, 'the passkey of before');
  assert.equal((await mailing.visitor().signInWithPassword('lost@example.com', goodPassword)).status, 401);
  const [left] = await gateway.db`
    select (select count(*)::int from passkey where person_id = person.id) as passkeys,
           (select count(*)::int from recovery_code where person_id = person.id) as codes,
           password is null and totp_secret is null as none, (select max(hand_since) from membership where person_id = person.id) as since
      from person where email = 'lost@example.com'`;
  assert.deepEqual(left, { passkeys: 0, codes: 0, none: true, since: gateway.clock.now() });
  await thief.addFirstPasskey();
  await gateway.runUntilIdle();
  const told = mail.received
    .filter(({ text }) => /was let in anew or added a passkey/.test(text))
    .map(({ to }) => to.join());
  assert.deepEqual(told.toSorted(), ['admin@example.com', 'owner@example.com']);
  const own = mail.received.filter(({ to }) => to.includes('lost@example.com')).map(({ text }) => text);
  assert.ok(own.some((text) => /added to your sign-in.*a passkey/.test(text)));
  await admin.signInWithPasskey();
  const home = words(await admin.get('/account'));
  assert.match(home, /The admin is new to approving here/);
  assert.doesNotMatch(home, /\b(?:false|undefined|null)\b/);
});

test('a link to sign in anew is worth nothing once this person signs in', async () => {
  const { gateway } = mailing;
  const here = await mailing.member('accountant', 'here@example.com');
  await owner.signInWithPasskey();
  const token = tokenIn((await ask(owner, 'here@example.com')).get('here@example.com'));
  await admin.signInWithPasskey();
  assert.match((await admin.get('/account')).text, /gets a link to sign in anew/);
  gateway.clock.advance({ hours: 20 });
  assert.equal((await here.signInWithPasskey()).status, 303);
  gateway.clock.advance({ hours: 5 });
  assert.equal(await use(mailing, token), 410);
});

test('without mail no link is shown to whoever asks: they would be this person', async () => {
  const boss = await mailless.member('owner', 'boss@example.com');
  await mailless.member('admin', 'deputy@example.com');
  const person = await idOf(mailless, 'deputy@example.com');
  const refused = await boss.post('/account/people/recover', { person });
  assert.deepEqual([refused.status, /goes by e-mail to a proven address/.test(refused.text)], [409, true]);
  const links = await mailless.gateway.db`select from one_time_link where purpose = 'recover'`;
  assert.equal(links.length, 0);
  assert.doesNotMatch((await boss.get('/account/people')).text, /action="\/account\/people\/recover"/);
});

test('who moves the money of the operator is told who else comes, goes or is let in anew', async () => {
  const { gateway } = mailing;
  let link = '';
  const told = async (): Promise<Record<string, string>> => {
    await gateway.runUntilIdle();
    const received = mail.received.splice(0);
    link = received.map(({ text }) => tokenIn(text)).join('');
    const mails = received.filter(({ text }) => text.includes('/operator/staff'));
    return Object.fromEntries(mails.map(({ to, text }) => [to.join(), text.split(/\r?\n/)[0] ?? '']));
  };
  const ines = await mailing.staff('operator', 'ines@house.example');
  const tom = await mailing.staff('treasury', 'tom@house.example');
  await mailing.staff('viewer', 'vera@house.example');
  await told();
  await ines.post('/operator/staff/invite', { email: 'new@house.example', role: 'operator' });
  const byInes = 'The operator (ines@house.example)';
  const text = `${byInes} invited new@house.example to the staff, as operator.`;
  assert.deepEqual(await told(), { 'ines@house.example': text, 'tom@house.example': text });
  await mailing.visitor().join(link, 'New');
  const joined = `new@house.example joined the staff, as operator. The invitation was made by ${byInes}.`;
  const three = ['ines@house.example', 'new@house.example', 'tom@house.example'];
  const toThree = (line: string) => Object.fromEntries(three.map((each) => [each, line]));
  assert.deepEqual(await told(), toThree(joined));
  await ines.post('/operator/staff/role', { person: await idOf(mailing, 'new@house.example'), role: 'viewer' });
  assert.deepEqual(await told(), toThree(`${byInes} gave new@house.example another role among the staff: viewer.`));
  await tom.post('/account/sign-out');
  await ines.post('/operator/staff/remove', { person: await idOf(mailing, 'new@house.example') });
  assert.deepEqual(await told(), toThree(`${byInes} removed new@house.example from the staff.`));

  // No account lets one of the staff in anew, to which they belong as well: it would give away what is the house's.
  const join = await mailing.invitation('tom@house.example', 'admin');
  await tom.signInWithPasskey();
  assert.equal((await tom.post('/account/welcome/join', { token: join })).status, 303);
  await owner.signInWithPasskey();
  await owner.prove();
  assert.equal(
    (await owner.post('/account/people/recover', { person: await idOf(mailing, 'tom@house.example') })).status,
    409,
  );
  await told();
  const token = await makeRecoveryLink(mailing.gateway, 'tom@house.example', 'operator');
  assert.match((await told())['ines@house.example'] ?? '', /lets tom@house\.example sign in anew/);
  assert.match((await ines.get('/operator/audit?kind=signIn')).text, /The treasury a new link to sign in/);
  gateway.clock.advance({ hours: 25 });
  assert.equal(await use(mailing, token), 303);
  assert.match((await told())['ines@house.example'] ?? '', /^tom@house\.example signed in with a link/);
  const [since] = await gateway.db<{ role_since: Date }>`
    select role_since from staff where person_id = ${await idOf(mailing, 'tom@house.example')}`;
  assert.deepEqual(since?.role_since, gateway.clock.now(), 'as new to the treasury as who has just joined');
});

test('accounts see who let whom in', async () => {
  const rows = await mailing.gateway.db`
    select distinct action from audit_log where action like 'person.recover%' order by action`;
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['person.recovered', 'person.recovery_asked', 'person.recovery_taken_back'],
  );
});

test('who is invited to the staff gets the link by e-mail, unless whoever invited them is gone by then', async () => {
  const { gateway } = mailing;
  const [ines, otto] = [
    await mailing.staff('operator', 'ines@operator.example'),
    await mailing.staff('operator', 'otto@operator.example'),
  ];
  const inviteFrom = async (who: Visitor, email: string): Promise<void> => {
    const asked = await who.post('/operator/staff/invite', { email, role: 'treasury' });
    assert.equal(asked.location, '/operator/staff?did=invited', asked.text);
    assert.ok(!asked.text.includes('welcome#'), 'nobody but the invited sees it');
  };
  mail.received.length = 0;
  await inviteFrom(ines, 'Tom@operator.example');
  await gateway.runUntilIdle();
  const [message, ...others] = mail.received.filter(({ text }) => text.includes('welcome#'));
  assert.deepEqual([message?.to.join(), others], ['tom@operator.example', []]);
  const tom = mailing.visitor();
  await tom.join(tokenIn(message?.text), 'Tom');
  await tom.addFirstPasskey();
  assert.equal((await tom.get('/operator/money/withdraw')).status, 200);

  mail.received.length = 0;
  await inviteFrom(otto, 'friend@operator.example');
  const person = await idOf(mailing, 'otto@operator.example');
  assert.equal((await ines.post('/operator/staff/remove', { person })).status, 303);
  await gateway.runUntilIdle();
  assert.deepEqual(
    mail.received.filter(({ text }) => text.includes('welcome#')),
    [],
  );
});

/** The person of this address, signed in anew, opens the link. */
async function join(who: Visitor, token: string): Promise<number> {
  await who.signInWithPasskey();
  return (await who.post('/account/welcome/join', { token })).status;
}
/** Of the last link that was mailed to this address. */
const mailedTo = (email: string): string =>
  tokenIn(mail.received.findLast(({ to, text }) => to.includes(email) && text.includes('welcome#'))?.text);

deepTest('who is put out does not come back by an invitation that was open', async () => {
  const ines = await mailing.staff('operator', 'ines@removal.example');
  const bob = await mailing.staff('treasury', 'bob@removal.example');
  await ines.post('/operator/staff/invite', { email: 'bob@removal.example', role: 'operator' });
  const ann = await mailing.member('viewer', 'ann@removal.example');
  await owner.signInWithPasskey();
  await owner.post('/account/people/invite', { email: 'ann@removal.example', role: 'developer' });
  await mailing.gateway.runUntilIdle();
  const [staff, member] = [mailedTo('bob@removal.example'), mailedTo('ann@removal.example')];
  assert.ok(staff !== '' && member !== '');
  await ines.post('/operator/staff/remove', { person: await idOf(mailing, 'bob@removal.example') });
  await owner.post('/account/people/remove', { person: await idOf(mailing, 'ann@removal.example') });
  assert.deepEqual([await join(bob, staff), await join(ann, member)], [410, 410]);
  assert.equal((await bob.get('/operator')).status, 404);
});

test('a link to sign in anew that was made for a small role is worth nothing in a larger one', async () => {
  await mailing.member('viewer', 'rising@example.com');
  await owner.signInWithPasskey();
  const token = tokenIn((await ask(owner, 'rising@example.com')).get('rising@example.com'));
  const person = await idOf(mailing, 'rising@example.com');
  assert.equal((await owner.post('/account/people/role', { person, role: 'developer' })).status, 303);
  assert.equal(await use(mailing, token), 410);

  const ines = await mailing.staff('operator', 'ines@rising.example');
  await mailing.staff('viewer', 'vera@rising.example');
  const link = await makeRecoveryLink(mailing.gateway, 'vera@rising.example', 'operator');
  const vera = await idOf(mailing, 'vera@rising.example');
  assert.equal((await ines.post('/operator/staff/role', { person: vera, role: 'treasury' })).status, 303);
  assert.equal(await use(mailing, link), 410);
});

deepTest('who is put out in the moment in which they invite has invited nobody and let nobody in', async () => {
  await mailing.member('viewer', 'quick@example.com');
  const person = await idOf(mailing, 'quick@example.com');
  const forms: (readonly [string, Form])[] = [
    ['invite', { email: 'guest@moment.example', role: 'viewer' }],
    ['invite', { email: 'guest@moment.example', role: 'admin' }],
    ['recover', { person }],
  ];
  await mailing.gateway.runUntilIdle();
  mail.received.length = 0;
  for (const [path, form] of forms) {
    const email = `gone-${forms.findIndex((each) => each[1] === form)}@moment.example`;
    const gone = await mailing.member('admin', email);
    const out = await idOf(mailing, email);
    await meetAt(mailing.gateway.db, (tx) => tx`delete from session where person_id = ${out}`, [
      () => gone.post(`/account/people/${path}`, form),
    ]);
  }
  await mailing.gateway.runUntilIdle();
  assert.deepEqual(
    mail.received.filter(({ text }) => text.includes('welcome#')).map(({ to }) => to.join()),
    [],
  );
  const open = await mailing.gateway.db`
    select from one_time_link where email in ('guest@moment.example', 'quick@example.com') and used_at is null`;
  assert.equal(open.length, 0);
});

/** The next try of every message that failed. */
async function tryAgain(): Promise<void> {
  mailing.gateway.clock.advance({ hours: 1 });
  await mailing.gateway.runUntilIdle();
}
const linksTo = (email: string): string[] =>
  mail.received.filter(({ to, text }) => to.includes(email) && text.includes('welcome#')).map(({ text }) => text);

deepTest('an invitation is there while its e-mail waits, and is not mailed once it was taken back', async () => {
  const ines = await mailing.staff('operator', 'ines@waiting.example');
  await owner.signInWithPasskey();
  for (const email of ['typo@waiting.example', 'typo@shop.example']) mail.busy.add(email);
  await ines.post('/operator/staff/invite', { email: 'typo@waiting.example', role: 'operator' });
  await owner.post('/account/people/invite', { email: 'typo@shop.example', role: 'viewer' });
  const places: (readonly [Visitor, string, string])[] = [
    [ines, '/operator/staff', 'typo@waiting.example'],
    [owner, '/account/people', 'typo@shop.example'],
  ];
  for (const [who, path, email] of places) {
    const page = (await who.get(path)).text;
    assert.ok(page.includes(email), 'before anybody tried to mail it');
    const [, invitation = ''] = new RegExp(`${email}.*?name="invitation" value="([^"]+)"`, 's').exec(page) ?? [];
    await mailing.gateway.runUntilIdle();
    const why = await mailing.gateway.db<{ why: string }>`
      select last_error as why from job where name = 'person.email' and last_error is not null`;
    for (const each of atLeastOne(why)) assert.equal(each.why, 'the mail server answered 451 to RCPT TO');
    assert.equal((await who.post(`${path}/take-back`, { invitation })).status, 303, 'although it was tried since');
    assert.ok(!(await who.get(path)).text.includes(email));
  }
  mail.busy.clear();
  await tryAgain();
  assert.deepEqual([...linksTo('typo@waiting.example'), ...linksTo('typo@shop.example')], []);
});

deepTest('a message that is late does not put an older invitation in the place of a newer one', async () => {
  const ines = await mailing.staff('operator', 'ines@late.example');
  mail.busy.add('bob@late.example');
  await ines.post('/operator/staff/invite', { email: 'bob@late.example', role: 'operator' });
  await mailing.gateway.runUntilIdle();
  mail.busy.clear();
  await ines.post('/operator/staff/invite', { email: 'bob@late.example', role: 'viewer' });
  await mailing.gateway.runUntilIdle();
  await tryAgain();
  const [text, ...others] = linksTo('bob@late.example');
  assert.equal(others.length, 0, 'one message');
  await mailing.visitor().join(tokenIn(text), 'Bob');
  const staff = await mailing.gateway.db`
    select role from staff where person_id = ${await idOf(mailing, 'bob@late.example')}`;
  assert.deepEqual(staff, [{ role: 'viewer' }]);
});

deepTest(
  'who is let in anew is announced once, however often the e-mail is tried, and waits no longer for it',
  async () => {
    await mailing.member('accountant', 'slow@example.com');
    const person = await idOf(mailing, 'slow@example.com');
    await owner.signInWithPasskey();
    await mailing.gateway.runUntilIdle();
    mail.received.length = 0;
    mail.busy.add('slow@example.com');
    const asked = mailing.gateway.clock.now();
    await owner.post('/account/people/recover', { person });
    assert.match((await owner.get('/account/people')).text, /Links to sign in anew[^]*slow@example\.com/);
    await mailing.gateway.runUntilIdle();
    await tryAgain();
    await tryAgain();
    const toOwner = mail.received.filter(({ to }) => to.includes('owner@example.com'));
    assert.equal(toOwner.length, 1);
    const rows = await mailing.gateway.db`
    select from audit_log where action = 'person.recovery_asked' and detail->>'person' = ${person}`;
    assert.equal(rows.length, 1);
    const [link] = await mailing.gateway.db<{ good_from: Date }>`
    select good_from from one_time_link where email = 'slow@example.com' and purpose = 'recover' and used_at is null`;
    assert.equal(link?.good_from.getTime(), asked.getTime() + 24 * 3_600_000);
    mail.busy.clear();
    await tryAgain();
    mailing.gateway.clock.advance({ hours: 22 });
    assert.equal(await use(mailing, tokenIn(linksTo('slow@example.com').at(-1))), 303);
  },
);

deepTest('an e-mail that cannot be sent is given up, which is said where its invitation is listed', async () => {
  await owner.signInWithPasskey();
  mail.busy.add('away@example.com');
  await owner.post('/account/people/invite', { email: 'away@example.com', role: 'viewer' });
  await owner.post('/account/people/invite', { email: 'nobody@example.com', role: 'viewer' });
  await mailing.gateway.runUntilIdle();
  const failed = async (email: string): Promise<boolean> =>
    new RegExp(`${email}(?:(?!</tr>)[^])*The e-mail could not be sent`).test((await owner.get('/account/people')).text);
  assert.deepEqual([await failed('away@example.com'), await failed('nobody@example.com')], [false, true]);
  await mailing.gateway.db`update job set attempts = 99 where name = 'person.email' and last_error is not null`;
  await tryAgain();
  assert.ok(await failed('away@example.com'));
  mail.busy.clear();
  await tryAgain();
  assert.deepEqual(linksTo('away@example.com'), []);
  assert.equal((await mailing.gateway.db`select from job where name = 'person.email'`).length, 0);
});

deepTest('what the previous release was asked to mail becomes an invitation of this one', async () => {
  const { db, clock } = mailing.gateway;
  const madeBy = `person:${await idOf(mailing, 'owner@example.com')}`;
  const { merchantId } = mailing.gateway.merchant;
  const ines = await mailing.staff('operator', 'ines@before.example');
  const viewer = { email: 'old@before.example', language: 'de', merchantId, role: 'viewer', madeBy };
  const staffed = `person:${await idOf(mailing, 'ines@before.example')}`;
  await mailing.member('viewer', 'lost@before.example');
  const lost = await idOf(mailing, 'lost@before.example');
  for (const payload of [
    { kind: 'invitation', ...viewer },
    { kind: 'staff-invitation', email: 'staff@before.example', role: 'viewer', madeBy: staffed },
    { kind: 'recovery', personId: lost, merchantId, madeBy },
  ])
    await db`insert into job (name, payload, run_at) values ('person.email', ${JSON.stringify(payload)}::json, ${clock.now()})`;
  await mailing.gateway.runUntilIdle();
  for (const email of ['old@before.example', 'staff@before.example', 'lost@before.example'])
    assert.equal(linksTo(email).length, 1, email);
  assert.ok((await ines.get('/operator/staff')).text.includes('staff@before.example'));
});

deepTest('what the previous release was asked to mail gives way to what stands by now', async () => {
  const { db, clock } = mailing.gateway;
  const { merchantId } = mailing.gateway.merchant;
  const madeBy = `person:${await idOf(mailing, 'owner@example.com')}`;
  const ines = await mailing.staff('operator', 'ines@newer.example');
  const staffed = `person:${await idOf(mailing, 'ines@newer.example')}`;
  await mailing.member('viewer', 'lost@newer.example');
  const lost = await idOf(mailing, 'lost@newer.example');
  await owner.signInWithPasskey();
  await owner.post('/account/people/invite', { email: 'both@newer.example', role: 'developer' });
  await owner.post('/account/people/invite', { email: 'same@newer.example', role: 'viewer' });
  await ines.post('/operator/staff/invite', { email: 'both@newer.example', role: 'operator' });
  await owner.post('/account/people/recover', { person: lost });
  await mailing.gateway.runUntilIdle();
  const standing = () => db`
    select id, email, role, staff_role, purpose, created_at from one_time_link
     where email like '%@newer.example' and used_at is null order by id`;
  const before = await standing();
  assert.equal(before.length, 4);
  mail.received.length = 0;
  clock.advance({ minutes: 5 });
  const late = { language: 'en', merchantId, role: 'viewer', madeBy };
  const of = `person:${await idOf(mailing, 'admin@example.com')}`;
  for (const payload of [
    { kind: 'invitation', email: 'both@newer.example', ...late },
    { kind: 'invitation', email: 'same@newer.example', ...late },
    { kind: 'staff-invitation', email: 'both@newer.example', role: 'viewer', madeBy: staffed },
    { kind: 'recovery', personId: lost, merchantId, madeBy: of },
  ])
    await db`insert into job (name, payload, run_at) values ('person.email', ${JSON.stringify(payload)}::json, ${clock.now()})`;
  await mailing.gateway.runUntilIdle();
  assert.deepEqual(await standing(), before);
  assert.deepEqual(
    mail.received.map(({ to }) => to.join()),
    ['same@newer.example'],
    'only what says the same: the previous release may have made it, and not have mailed it',
  );
});

deepTest('a link whose e-mail nobody writes, as mail was turned off since, is marked', async () => {
  const { gateway } = mailless;
  const { merchantId } = gateway.merchant;
  const boss = await mailless.member('owner', 'boss@off.example');
  const now = gateway.clock.now();
  const guest = { email: 'guest@off.example', merchantId, role: 'viewer' as const, staffRole: null };
  await gateway.db.begin((tx) => mailLink(tx, newLink(guest, 'join', 'operator', now), 'en'));
  await gateway.runUntilIdle();
  assert.match(
    (await boss.get('/account/people')).text,
    /guest@off\.example(?:(?!<\/tr>)[^])*The e-mail could not be sent/,
  );
});

deepTest('an account that nobody owns and programs use opens to an owner a day later, and all are told', async () => {
  const { gateway } = mailing;
  const [ines, otto] = [
    await mailing.staff('operator', 'ines@programs.example'),
    await mailing.staff('operator', 'otto@programs.example'),
  ];
  const { merchantId } = await gateway.createMerchant('Programs only');
  await gateway.db`update merchant set email = 'till@programs.example' where id = ${merchantId}`;
  const page = `/operator/merchants/${merchantId}`;
  const inviteBy = async (who: Visitor, email: string): Promise<string> => {
    await who.signInWithPasskey();
    await gateway.runUntilIdle();
    mail.received.length = 0;
    assert.equal((await who.post(`${page}/invite`, { email })).location, `${page}?did=invited`);
    await gateway.runUntilIdle();
    return mailedTo(email);
  };
  const join = async (token: string): Promise<number> => (await mailing.visitor().join(token, 'An owner')).status;

  const token = await inviteBy(ines, 'puppet@programs.example');
  const told = mail.received.filter(({ text }) => /puppet@programs\.example/.test(text)).flatMap(({ to }) => to);
  for (const email of ['till@programs.example', 'otto@programs.example']) assert.ok(told.includes(email), email);
  const textTo = (email: string): string => mail.received.find(({ to }) => to.includes(email))?.text ?? '';
  const written = textTo('puppet@programs.example');
  assert.match(written, /you can ignore it/);
  assert.match(
    textTo('till@programs.example'),
    /If this is not right, tell them(?!.*ignore it)/s,
    'a warning is not to be ignored',
  );
  const tomorrow = new Date(gateway.clock.now().getTime() + 24 * 3_600_000);
  const moment = tomorrow.toLocaleString('en', {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  assert.ok(written.replaceAll('\n', ' ').includes(`works once, from ${moment} UTC on, for seven days`), written);
  assert.equal(await join(token), 410, 'not yet');
  const [, invitation = ''] = /name="invitation" value="([^"]+)"/.exec((await otto.get(page)).text) ?? [];
  assert.equal((await otto.post(`${page}/take-back`, { invitation })).location, `${page}?did=taken-back`);
  const removed = await inviteBy(ines, 'friend@programs.example');
  await otto.post('/operator/staff/remove', { person: await idOf(mailing, 'ines@programs.example') });
  gateway.clock.advance({ hours: 25 });
  assert.deepEqual([await join(token), await join(removed)], [410, 410], 'taken back, and of who is gone');
  const good = await inviteBy(otto, 'lena@programs.example');
  gateway.clock.advance({ hours: 24 });
  assert.equal(await join(good), 303);
  assert.equal((await gateway.db`select from membership where merchant_id = ${merchantId}`).length, 1);
});

test('what commands do with the staff is in the operator’s log, as what the pages do', async () => {
  const { gateway } = mailing;
  const command = async (line: string): Promise<void> => {
    const said: unknown[] = [];
    const paper = { log: (text: string) => void said.push(text), error: (text: unknown) => void said.push(text) };
    const env = { ...process.env, ...gateway.env, ACCOUNT_URL: mailing.accountUrl };
    const code = await runCommandLine(line.split(' '), env, paper);
    assert.equal(code, 0, said.map(String).join(' '));
  };
  const vera = await mailing.staff('viewer', 'vera@command.example');
  const [before] = await gateway.db<{ id: string }>`select coalesce(max(id), 0)::text as id from audit_log`;
  await command('person invite new@command.example --staff --role viewer');
  await command('person take-back-invitation new@command.example --staff');
  await command('person sign-out vera@command.example --staff');
  assert.match((await vera.get('/operator')).location, /sign-in/);
  await command('person role vera@command.example support --staff');
  const rows = await gateway.db<{ actor: string; action: string }>`
    select actor, action from audit_log where merchant_id = 'operator' and id > ${before?.id ?? '0'}::bigint order by id`;
  assert.deepEqual(
    rows.map(({ actor, action }) => `${actor} ${action}`),
    ['invited', 'invitation_taken_back', 'signed_out', 'role_changed'].map((what) => `operator staff.${what}`),
  );
});
