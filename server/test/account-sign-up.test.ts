/** People ask for accounts of their own: they prove an address, wait for the operator's yes, and own what is opened. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { approveSignUp, refuseSignUp } from '../src/people/decide-sign-up.ts';
import { makeRecoveryLink } from '../src/people/recover-sign-in.ts';
import { type AccountWorld, goodPassword, startAccounts, type Visitor } from './account-world.ts';
import { type MailServer, mailUser, startMailServer } from './mail-server.ts';

let world: AccountWorld;
let mail: MailServer;
before(async () => {
  mail = await startMailServer();
  const { user, pass } = mailUser;
  const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(pass)}@127.0.0.1:${mail.port}`;
  const env = { SMTP_URL: url, MAIL_FROM: 'Quittance <account@pay.test>', SIGN_UP: 'open' };
  world = await startAccounts({ env });
});
after(async () => {
  await world?.gateway.stop();
  await mail?.stop();
});

let machines = 0;
const anyAddress = (): string => {
  machines += 1;
  return `2001:db8:${machines.toString(16)}::1`;
};
const ask = (email: string, business = 'Corner shop', address = anyAddress()) =>
  world.visitor({ address }).post('/account/sign-up', { email, business });

async function personCalled(email: string): Promise<string> {
  await world.member('viewer', email);
  const [{ id } = { id: '' }] = await world.gateway.db<{ id: string }>`select id from person where email = ${email}`;
  return id;
}

/** What is written from now on, once all of it is out. */
async function mailed(): Promise<{ to: string; subject: string; text: string }[]> {
  mail.received.length = 0;
  await world.gateway.runUntilIdle();
  return mail.received.map(({ to, headers, text }) => ({ to: to.join(), subject: headers.get('subject') ?? '', text }));
}
async function tokenFor(email: string): Promise<string> {
  const written = (await mailed()).filter(({ text }) => text.includes('/welcome#'));
  assert.deepEqual(
    written.map(({ to }) => to),
    [email],
  );
  return /welcome#([\w-]+)/.exec(written[0]?.text ?? '')?.[1] ?? '';
}

/** Somebody new who asked, opened the link and made a passkey. */
async function waiting(email: string, business?: string): Promise<Visitor> {
  assert.equal((await ask(email, business)).status, 200);
  const self = world.visitor();
  await self.join(await tokenFor(email), 'Ada');
  await self.addFirstPasskey();
  return self;
}

const idOf = async (email: string): Promise<string> => {
  const [row] = await world.gateway.db`select id from sign_up where email = ${email} order by asked_at desc limit 1`;
  return String(row?.['id']);
};
const stateOf = async (email: string): Promise<unknown> =>
  (await world.gateway.db`select state from sign_up where email = ${email}`)[0]?.['state'];
const deciding = () => {
  const { db, clock, env } = world.gateway;
  return { db, clock, encryption: createEncryption(Buffer.from(String(env['MASTER_KEY']), 'hex')) };
};

test('somebody asks, proves the address, waits and can do nothing else; with a yes the account is theirs', async () => {
  assert.match((await world.visitor().get('/account/sign-in')).text, /href="\/account\/sign-up"/);
  assert.match((await world.visitor().get('/account/sign-up')).text, /name="business"/);
  const sent = await ask(' Ada@Example.com', ' Ada’s  <b>shop</b> ');
  assert.match(sent.text, /Look into your mailbox/);
  const token = await tokenFor('ada@example.com');

  const ada = world.visitor();
  const opened = await ada.post('/account/welcome', { token });
  assert.match(opened.text, /You ask for the account Ada’s &lt;b&gt;shop&lt;\/b&gt;\./);
  assert.equal(await stateOf('ada@example.com'), 'ASKED', 'reading the link proves nothing');
  assert.equal((await ada.join(token, 'Ada')).location, '/account/sign-in/secure');
  await ada.addFirstPasskey();
  assert.equal((await world.visitor().join(token, 'Eve')).status, 410, 'the link is good once');

  assert.equal((await ada.get('/account')).location, '/account/no-account');
  assert.equal((await ada.get('/account/no-account')).location, '/account/sign-up/waiting');
  const page = await ada.get('/account/sign-up/waiting');
  assert.match(page.text, /Your account waits for the operator/);
  assert.match(page.text, /We write to ada@example\.com/);
  for (const path of ['/account/checkouts', '/account/people', '/account/developers/keys'])
    assert.equal((await ada.get(path)).location, '/account/no-account', path);
  const form = { email: 'x@example.com', role: 'owner' };
  assert.equal((await ada.post('/account/people/invite', form)).location, '/account/no-account');

  const { merchantId } = await approveSignUp(deciding(), await idOf('ada@example.com'), 'operator');
  const [told] = await mailed();
  assert.deepEqual([told?.to, told?.subject], ['ada@example.com', 'Ada’s <b>shop</b> is open']);
  ada.lookAt(merchantId);
  assert.equal((await ada.get('/account/sign-up/waiting')).location, '/account');
  assert.equal((await ada.get('/account/people')).status, 200);
  const { db } = world.gateway;
  const [merchant] = await db`
    select name, role from merchant join membership on merchant_id = merchant.id where merchant.id = ${merchantId}`;
  assert.deepEqual(merchant, { name: 'Ada’s <b>shop</b>', role: 'owner' });
  const written = await db`select actor, action from audit_log where merchant_id = ${merchantId} order by id`;
  assert.deepEqual(
    written.map(({ actor, action }) => [String(actor).split(':')[0], action]),
    [
      ['operator', 'merchant.created'],
      ['person', 'person.joined'],
    ],
  );
  assert.equal((await ada.get('/account/developers/keys')).status, 200, 'an account without a key');
});

test('a no is told, and whoever decides a second time changes nothing', async () => {
  const bob = await waiting('bob@example.com', 'Bob & sons');
  const id = await idOf('bob@example.com');
  await refuseSignUp(deciding(), id);
  const [told] = await mailed();
  assert.deepEqual([told?.to, told?.subject], ['bob@example.com', 'Bob & sons was not opened']);
  assert.match((await bob.get('/account/sign-up/waiting')).text, /has decided not to open Bob &amp; sons/);
  assert.equal((await bob.get('/account')).location, '/account/no-account');
  const merchants = await world.gateway.db`select id from merchant`;
  await assert.rejects(approveSignUp(deciding(), id, 'operator'), /this one is REFUSED/);
  await assert.rejects(refuseSignUp(deciding(), id), /this one is REFUSED/);
  await ask('unproven@example.com');
  await assert.rejects(approveSignUp(deciding(), await idOf('unproven@example.com'), 'operator'), /is ASKED/);
  assert.deepEqual(await world.gateway.db`select id from merchant`, merchants);
  await mailed();
});

test('two who say yes at once open one account', async () => {
  await waiting('twice@example.com', 'Only one');
  const id = await idOf('twice@example.com');
  const answers = await Promise.allSettled([1, 2].map(() => approveSignUp(deciding(), id, 'operator')));
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await world.gateway.db`select from merchant where name = 'Only one'`).length, 1);
  assert.equal((await mailed()).length, 1);
});

test('who signs in already asks for a second account, and no way back in of before leads there', async () => {
  const known = await world.member('owner', 'known@example.com');
  await ask('known@example.com', 'Second shop');
  const token = await tokenFor('known@example.com');
  assert.equal((await world.visitor().join(token, 'Eve')).status, 409, 'nobody else has this address');
  assert.match((await known.post('/account/welcome', { token })).text, /You ask for the account Second shop/);
  const joined = await known.post('/account/welcome/join', { token });
  assert.equal(joined.location, '/account/sign-up/waiting');
  assert.match((await known.get('/account/sign-up/waiting')).text, /To your other account/);
  assert.equal((await known.get('/account/people')).status, 200);
  const { db } = world.gateway;
  const way = await makeRecoveryLink(world.gateway, 'known@example.com', 'operator');
  await approveSignUp(deciding(), await idOf('known@example.com'), 'operator');
  assert.equal((await world.visitor().post('/account/welcome/recover', { token: way })).status, 410);
  const [row] = await db`select count(*)::int as accounts from membership join person on person.id = person_id
                          where email = 'known@example.com'`;
  assert.equal(row?.['accounts'], 2);
  await mailed();
});

test('the answer does not tell who is known, and nothing is mailed twice in ten minutes', async () => {
  await world.memberWithPassword('viewer', 'familiar@example.com');
  await waiting('waits@example.com', 'First name');
  const answerTo = async (email: string) => {
    const { status, text } = await ask(email, 'Another name');
    return [status, text.replaceAll(email, '…').replaceAll(/nonce="[^"]*"/g, '')];
  };
  const stranger = await answerTo('stranger@example.com');
  for (const email of ['familiar@example.com', 'waits@example.com', 'stranger@example.com'])
    assert.deepEqual(await answerTo(email), stranger, email);
  const first = await mailed();
  assert.deepEqual(first.map(({ to }) => to).sort(), ['familiar@example.com', 'stranger@example.com']);
  assert.ok(
    first.every(({ text, subject }) => !`${subject}${text}`.includes('Another name')),
    'nobody writes through us',
  );
  const businessOf = async (email: string): Promise<unknown> =>
    (await world.gateway.db`select business from sign_up where email = ${email}`)[0]?.['business'];
  assert.equal(await businessOf('waits@example.com'), 'First name', 'what was proven is not renamed');
  for (const _ of [1, 2, 3, 4]) assert.equal((await ask('familiar@example.com')).status, 200);
  const familiar = await world.visitor().signInWithPassword('familiar@example.com', goodPassword);
  assert.equal(familiar.status, 303, 'who is asked for in vain signs in as ever');
  world.gateway.clock.advance({ minutes: 9 });
  await ask('stranger@example.com');
  assert.deepEqual(await mailed(), []);
  assert.equal(await businessOf('stranger@example.com'), 'Another name', 'nor what a link was just sent for');
  world.gateway.clock.advance({ minutes: 1 });
  await ask('stranger@example.com', 'Latest name');
  const again = await tokenFor('stranger@example.com');
  const earlier = /welcome#([\w-]+)/.exec(first.find(({ to }) => to === 'stranger@example.com')?.text ?? '')?.[1] ?? '';
  assert.equal((await world.visitor().post('/account/welcome', { token: earlier })).status, 410);
  assert.match((await world.visitor().post('/account/welcome', { token: again })).text, /account Latest name/);
});

test('what is wrong is said in the form, and nothing is stored', async () => {
  const before = await world.gateway.db`select id from sign_up order by id`;
  const wrong: [string, string, RegExp][] = [
    ['new@example.com', '  ', /must be 1 to 100 characters/],
    ['new@example.com', 'x'.repeat(101), /must be 1 to 100 characters/],
    ['new@example.com', 'a\0b', /./],
    ['nonsense', 'My shop', /not an e-mail address/],
  ];
  for (const [email, business, sentence] of wrong) {
    const answer = await ask(email, business);
    assert.equal(answer.status, 400, business);
    assert.match(answer.text, sentence, business);
  }
  assert.match((await ask('nonsense', 'My shop')).text, /value="My shop"/, 'what was right is kept');
  assert.deepEqual(await world.gateway.db`select id from sign_up order by id`, before);
});

test('one network has five requests open, IPv6 by its /64, however many ask at once', async () => {
  const from = (host: number, email: string) => ask(email, 'Many shops', `2001:db8:ffff:1::${host}`);
  const asked = [1, 2, 3, 4, 5, 6, 7, 8].map((each) => from(each, `many-${each}@example.com`));
  const answers = await Promise.all(asked);
  assert.deepEqual(answers.map(({ status }) => String(status)).sort(), [
    '200',
    '200',
    '200',
    '200',
    '200',
    '429',
    '429',
    '429',
  ]);
  const refused = answers.findIndex(({ status }) => status === 429) + 1;
  const taken = answers.findIndex(({ status }) => status === 200) + 1;
  assert.match(answers[refused - 1]?.text ?? '', /Too many accounts were asked for from your network/);
  assert.equal(await stateOf(`many-${refused}@example.com`), undefined);
  assert.equal((await from(9, `many-${taken}@example.com`)).status, 200, 'one of these once more');
  assert.equal((await ask(`many-${refused}@example.com`)).status, 200, 'from elsewhere');
  // What is never proven is forgotten with its link.
  world.gateway.clock.advance({ minutes: 48 * 60 + 1 });
  await world.gateway.app.cleanUp();
  assert.equal((await from(10, 'many-10@example.com')).status, 200);
  await mailed();
});

test('the limit of a network does not tell which addresses have a request', async () => {
  await ask('has-one@example.com');
  const statuses = async (network: string, first: string) => {
    const seen = [];
    for (const email of [first, ...[1, 2, 3, 4, 5].map((each) => `${each}@${network}.example`)])
      seen.push((await ask(email, 'A shop', `2001:db8:ffff:${network}::1`)).status);
    return seen;
  };
  const unknown = await statuses('a', 'has-none@example.com');
  assert.deepEqual(unknown, [200, 200, 200, 200, 200, 429]);
  assert.deepEqual(await statuses('b', 'has-one@example.com'), unknown);
  await mailed();
});

test('who has many networks has a share of what may wait, and others still get in', async () => {
  const { db, clock } = world.gateway;
  const person = await personCalled('crowd@example.com');
  const crowd = (count: number, network: string) => db`
    insert into sign_up (id, email, business, network, state, person_id, asked_at)
    select 'crowd-' || ${network}::text || each, each || '@' || ${network}::text || '.example', 'Crowd',
           ${network}::text || to_hex(each) || '::/64', 'WAITING', ${person}, ${clock.now()}
      from generate_series(1, ${count}::int) as each`;
  const from = async (address: string, email: string) => (await ask(email, 'One more', address)).status;
  await crowd(20, '2001:db8:eeee:');
  assert.equal(await from('2001:db8:eeee:ffff::1', 'crowd-1@example.com'), 429, 'twenty of one /48');
  assert.equal(await from('2001:db8:eeef::1', 'crowd-2@example.com'), 200);
  assert.equal(await from('2001:db8:eeef::1', 'crowd-3@example.com'), 200);
  await crowd(80, '2001:db8:dddd:');
  assert.equal(await from('2001:db8:eeef::1', 'crowd-4@example.com'), 429, 'a hundred wait: a network has one');
  assert.equal(await from('203.0.113.7', 'crowd-5@example.com'), 200);
  for (const each of [6, 7, 8]) assert.equal(await from(`203.0.113.${each + 2}`, `crowd-${each}@example.com`), 200);
  assert.equal(await from('203.0.113.99', 'crowd-9@example.com'), 429, 'and a /24 has four');
  assert.equal(await from('203.0.114.99', 'crowd-9@example.com'), 200);
  await db`delete from sign_up where business in ('Crowd', 'One more')`;
  await mailed();
});

test('no more than 200 wait, and who has a link by then keeps it', async () => {
  const { db, clock } = world.gateway;
  await ask('late@example.com');
  const token = await tokenFor('late@example.com');
  const person = await personCalled('full@example.com');
  await db`
    insert into sign_up (id, email, business, network, state, person_id, asked_at)
    select 'full-' || each, each || '@full.example', 'Full', 'full', 'WAITING', ${person}, ${clock.now()}
      from generate_series(1, 200 - (select count(*)::int from sign_up where state = 'WAITING')) as each`;
  const full = await ask('later@example.com');
  assert.equal(full.status, 503);
  assert.match(full.text, /Too many people wait for an account already/);
  const refused = await world.visitor().join(token, 'Late');
  assert.equal(refused.status, 503);
  await db`delete from sign_up where network = 'full'`;
  assert.equal((await world.visitor().join(token, 'Late')).status, 303);
});

test('a request that nobody decides, and what was decided, is forgotten after thirty days', async () => {
  await waiting('forgotten@example.com');
  world.gateway.clock.advance({ minutes: 29 * 24 * 60 });
  await world.gateway.app.cleanUp();
  assert.equal(await stateOf('forgotten@example.com'), 'WAITING');
  world.gateway.clock.advance({ minutes: 25 * 60 });
  await world.gateway.app.cleanUp();
  assert.deepEqual(await world.gateway.db`select email from sign_up`, []);
});

test('the operator lists who waits, says yes and no', async () => {
  await waiting('list-1@example.com', 'First shop');
  world.gateway.clock.advance({ seconds: 1 });
  await waiting('list-2@example.com', 'Second shop');
  await ask('list-3@example.com', 'Not proven');
  const said: string[] = [];
  const paper = { log: (text: string) => void said.push(text), error: (text: unknown) => void said.push(String(text)) };
  const quittance = async (...words: string[]) => {
    said.length = 0;
    const code = await runCommandLine(words, { ...process.env, ...world.gateway.env }, paper);
    return { code, text: said.join('\n') };
  };
  const listed = await quittance('sign-up', 'list');
  assert.match(listed.text, /First shop +list-1@example\.com +Ada[^]*Second shop +list-2@example\.com/);
  assert.doesNotMatch(listed.text, /Not proven/);
  const [first, second] = [await idOf('list-1@example.com'), await idOf('list-2@example.com')];
  assert.match((await quittance('sign-up', 'approve', first)).text, /^First shop is open as \w+; list-1@.* owns it\.$/);
  assert.match((await quittance('sign-up', 'refuse', second)).text, /^Second shop is not opened; list-2@.* is told\.$/);
  assert.deepEqual([await stateOf('list-1@example.com'), await stateOf('list-2@example.com')], ['APPROVED', 'REFUSED']);
  assert.deepEqual(JSON.parse((await quittance('sign-up', 'list', '--json')).text), []);
  const twice = await quittance('sign-up', 'approve', second);
  assert.deepEqual([twice.code, /this one is REFUSED/.test(twice.text)], [1, true]);
  const unknown = await quittance('sign-up', 'refuse', 'x');
  assert.deepEqual([unknown.code, /There is no sign-up/.test(unknown.text)], [1, true]);
});
