/**
 * What an inviter hands over proves nothing about an address, and what one account does is of that account alone. Each of these
 * was really done once.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { vouchForAddress } from '../src/people/prove-address.ts';
import { type AccountWorld, goodPassword, startAccounts, type Visitor, words } from './account-world.ts';
import { type MailServer, mailUser, startMailServer } from './mail-server.ts';

let mail: MailServer;
let mailing: AccountWorld;
let mailless: AccountWorld;
before(async () => {
  mail = await startMailServer();
  const { user, pass } = mailUser;
  const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(pass)}@127.0.0.1:${mail.port}`;
  mailing = await startAccounts({ env: { SMTP_URL: url, MAIL_FROM: 'Quittance <account@pay.test>' } });
  mailless = await startAccounts();
});
after(async () => {
  await mailing?.gateway.stop();
  await mailless?.gateway.stop();
  await mail?.stop();
});

const tokenIn = (text: string): string => /welcome#([\w-]+)/.exec(text)?.[1] ?? '';

/** An owner of a shop of their own, which nobody else runs. */
async function ownerOf(
  world: AccountWorld,
  email: string,
): Promise<{ readonly own: Visitor; readonly merchantId: string }> {
  const { merchantId } = await world.gateway.createMerchant(email);
  return { own: await world.member('owner', email, merchantId), merchantId };
}

/** What is shown to whoever invites, where no mail server is. */
async function handedOver(by: Visitor, email: string, role: string): Promise<string> {
  await by.signInWithPasskey();
  const shown = await by.post('/account/people/invite', { email, role });
  assert.equal(shown.status, 200, shown.text);
  return tokenIn(shown.text);
}

const peopleBy = async ({ gateway }: AccountWorld, email: string) =>
  gateway.db<{ id: string; name: string; email: string; is_proven: boolean }>`
    select id, name, email, proven_at is not null as is_proven from person
     where email = ${email} or address = ${email} order by created_at, id`;

test('who redeems a link for the address of somebody else is nobody where that address is invited later', async () => {
  const { gateway } = mailless;
  const [thief, shop] = [await ownerOf(mailless, 'thief@shop.test'), await ownerOf(mailless, 'honest@shop.test')];
  const victim = 'treasurer@bank.test';
  const squatter = mailless.visitor();
  await squatter.join(await handedOver(thief.own, victim, 'viewer'), 'The squatter');
  await squatter.addFirstPasskey();
  gateway.clock.advance({ hours: 1 });

  // The operator invites the address to the staff, and another shop invites it as admin.
  const real = mailless.visitor();
  assert.equal((await real.join(await mailless.invitation(victim, 'treasury', null), 'The treasurer')).status, 303);
  await real.addFirstPasskey();
  const admin = await handedOver(shop.own, victim, 'admin');
  assert.equal((await real.post('/account/welcome/join', { token: admin })).status, 303);
  const both = await peopleBy(mailless, victim);
  assert.deepEqual(
    both.map(({ name, is_proven }) => [name, is_proven]),
    [
      ['The squatter', false],
      ['The treasurer', true],
    ],
  );
  const staff = await gateway.db`select name from staff join person on person.id = person_id`;
  assert.deepEqual(staff, [{ name: 'The treasurer' }]);
  const roles = await gateway.db`
    select membership.merchant_id, role from membership join person on person.id = person_id
     where person.name = 'The squatter'`;
  assert.deepEqual(roles, [{ merchant_id: thief.merchantId, role: 'viewer' }]);
  assert.match(words(await thief.own.get('/account/people')), /The squatter.*address not proven/);
});

test('who proves an address signs in by it, and who only said so by a longer name', async () => {
  const { gateway } = mailless;
  const { own } = await ownerOf(mailless, 'namer@shop.test');
  const address = 'same@name.test';
  const first = mailless.visitor();
  await first.join(await handedOver(own, address, 'viewer'), 'First');
  await first.post('/account/my-sign-in/password', { password: goodPassword });
  const [{ id } = { id: '' }] = await peopleBy(mailless, address);
  assert.equal((await mailless.visitor().signInWithPassword(address, goodPassword)).status, 303);
  gateway.clock.advance({ minutes: 1 });
  const proven = await mailless.member('viewer', address);
  assert.deepEqual(
    (await peopleBy(mailless, address)).map((each) => [each.email, each.is_proven]),
    [
      [`${address} ${id.slice(0, 6)}`, false],
      [address, true],
    ],
  );
  assert.equal((await mailless.visitor().signInWithPassword(`${address} ${id.slice(0, 6)}`, goodPassword)).status, 303);
  const other = await mailless.visitor().signInWithPassword(address, goodPassword);
  assert.equal(other.status, 401, 'the address is somebody else’s by now');
  assert.match(words(await first.get('/account/my-sign-in')), /same@name\.test \w{6}.*is not proven/);
  assert.match(words(await proven.get('/account/my-sign-in')), /You sign in as same@name\.test\./);
  await assert.rejects(vouchForAddress(gateway, `${address} ${id.slice(0, 6)}`), { code: 'address_taken' });
});

test('a link that is handed over may be taken by who signs in already; one that was mailed only by whose address it is', async () => {
  const { gateway } = mailing;
  const { own, merchantId } = await ownerOf(mailing, 'boss@two.test');
  const [guest, stranger] = [
    await mailing.member('viewer', 'guest@two.test'),
    await mailing.member('viewer', 'stranger@two.test'),
  ];
  await own.signInWithPasskey();
  await own.post('/account/people/invite', { email: 'guest@two.test', role: 'viewer' });
  await gateway.runUntilIdle();
  const token = tokenIn(
    mail.received.findLast(({ to, text }) => to.includes('guest@two.test') && text.includes('welcome#'))?.text ?? '',
  );
  assert.equal((await stranger.post('/account/welcome/join', { token })).status, 410);
  const asNew = await mailing.visitor().join(token, 'Somebody');
  assert.equal(asNew.status, 409, asNew.text);
  assert.equal((await guest.post('/account/welcome/join', { token })).status, 303);
  const handed = await handedOver((await ownerOf(mailless, 'boss@hand.test')).own, 'whoever@hand.test', 'viewer');
  const known = await mailless.member('viewer', 'known@hand.test');
  assert.match(words(await known.post('/account/welcome', { token: handed })), /You sign in as known@hand\.test/);
  assert.equal((await known.post('/account/welcome/join', { token: handed })).status, 303);
  assert.ok(merchantId);
});

test('somebody proves their address by what is mailed there, in their own session and no other', async () => {
  const { gateway } = mailing;
  const late = await mailing.member('viewer', 'late@proof.test');
  const other = await mailing.member('viewer', 'other@proof.test');
  await gateway.db`update person set proven_at = null where email = 'late@proof.test'`;
  mail.received.length = 0;
  await late.signInWithPasskey();
  assert.equal((await late.post('/account/my-sign-in/prove-address')).location, '/account/my-sign-in?did=proving');
  await gateway.runUntilIdle();
  const sent = mail.received.find(({ to, text }) => to.includes('late@proof.test') && text.includes('welcome#'));
  const token = tokenIn(sent?.text ?? '');
  assert.equal((await other.post('/account/welcome/join', { token })).status, 410);
  assert.equal((await mailing.visitor().join(token, 'Thief')).status, 410);
  assert.equal((await late.post('/account/welcome/join', { token })).location, '/account/my-sign-in');
  assert.deepEqual(
    (await peopleBy(mailing, 'late@proof.test')).map(({ is_proven }) => is_proven),
    [true],
  );
  // Who has proven nothing gets no link to sign in: whoever reads it would be in what somebody else made.
  await gateway.db`update person set proven_at = null where email = 'late@proof.test'`;
  mail.received.length = 0;
  await mailing.visitor().post('/account/sign-in/send-link', { email: 'late@proof.test' });
  await gateway.runUntilIdle();
  assert.deepEqual(
    mail.received.filter(({ text }) => text.includes('sign-in/link#')),
    [],
  );
});

test('who is signed out of one account, put out or given another role goes on in the others', async () => {
  const { gateway } = mailless;
  const { own, merchantId } = await ownerOf(mailless, 'host@guests.test');
  const guest = await mailless.member('viewer', 'guest@guests.test');
  const join = await mailless.invitation('guest@guests.test', 'viewer', merchantId);
  assert.equal((await guest.post('/account/welcome/join', { token: join })).status, 303);
  const [row] = await gateway.db<{ id: string }>`select id from person where email = 'guest@guests.test'`;
  const person = row?.id ?? '';
  const home = gateway.merchant.merchantId;
  const sees = async (id: string): Promise<boolean> => {
    const chosen = await guest.post('/account/choose', { merchant: id });
    return chosen.status === 303 && (await guest.get('/account')).status === 200;
  };
  for (const [path, form] of [
    ['sign-out', { person }],
    ['role', { person, role: 'developer' }],
    ['remove', { person }],
  ] as const) {
    await guest.signInWithPasskey();
    assert.deepEqual([await sees(home), await sees(merchantId)], [true, true], path);
    await own.signInWithPasskey();
    own.lookAt(merchantId);
    assert.equal((await own.post(`/account/people/${path}`, form)).status, 303, path);
    assert.deepEqual([await sees(merchantId), await sees(home)], [false, true], path);
  }
});

test('everybody leaves an account by themselves, but its last owner, who is told what would be right', async () => {
  const { gateway } = mailless;
  const { own, merchantId } = await ownerOf(mailless, 'stays@leave.test');
  const admin = await mailless.member('admin', 'goes@leave.test', merchantId);
  const elsewhere = await mailless.invitation('goes@leave.test', 'viewer');
  assert.equal((await admin.post('/account/welcome/join', { token: elsewhere })).status, 303);
  const refused = await own.post('/account/my-sign-in/leave', { leave: merchantId });
  assert.deepEqual([refused.status, /make somebody else an owner first/.test(refused.text)], [409, true]);
  const left = await admin.post('/account/my-sign-in/leave', { leave: merchantId });
  assert.equal(left.status, 303, left.text);
  const places = await gateway.db`
    select merchant_id from membership join person on person.id = person_id where person.email = 'goes@leave.test'`;
  assert.deepEqual(places, [{ merchant_id: gateway.merchant.merchantId }]);
  assert.equal((await admin.get('/account')).status, 200, 'and goes on where they are');
  const lost = await gateway.db`select from lost_approver where merchant_id = ${merchantId}`;
  assert.equal(lost.length, 1, 'who is alone now waits as if somebody had been put out');
  assert.equal((await admin.post('/account/my-sign-in/leave', { leave: merchantId })).status, 404);
});
