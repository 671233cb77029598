/** How long a session lasts, what its cookie is like, and what is written down of what was done in it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cookieNames, setCookie } from '../src/account/frame/account-cookies.ts';
import { personActor } from '../src/http/actor.ts';
import { Secret } from '../src/lib/secret.ts';
import { totpCode } from '../src/people/totp.ts';
import { type AccountWorld, goodPassword, sessionCookie, startAccounts, type Visitor } from './account-world.ts';
import { turns } from './until.ts';

let world: AccountWorld;
before(async () => {
  world = await startAccounts();
});
after(() => world.gateway.stop());

const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get('/account/my-sign-in')).status === 200;
const later = (minutes: number): void => world.gateway.clock.advance({ minutes });

/** Looks every `minutes`, until it is out. Gives for how many hours it was in. */
async function hoursIn(visitor: Visitor, minutes: number): Promise<number> {
  for (const looks of turns(200)) {
    if (!(await isIn(visitor))) return (looks * minutes) / 60;
    later(minutes);
  }
  return Number.POSITIVE_INFINITY;
}

test('a member is out after twelve hours without a look, and after thirty days', async () => {
  const idle = await world.member('viewer', 'idle@example.com');
  later(12 * 60 - 1);
  assert.ok(await isIn(idle));
  later(12 * 60);
  assert.equal(await isIn(idle), false);
  const busy = await world.member('viewer', 'busy@example.com');
  assert.equal(await hoursIn(busy, 11 * 60), 66 * 11, 'the first look after thirty days');
});

test('staff are out after an hour without a look, and after twelve hours', async () => {
  const token = await world.invitation('staff@example.com', 'operator', null);
  const staff = world.visitor();
  await staff.join(token, 'Staff');
  await staff.addFirstPasskey();
  later(59);
  assert.ok(await isIn(staff));
  later(60);
  assert.equal(await isIn(staff), false);
  await staff.signInWithPasskey();
  assert.equal(await hoursIn(staff, 30), 12);
});

test('what is over is deleted, whoever looks', async () => {
  const gone = await world.member('viewer', 'gone@example.com');
  later(31 * 24 * 60);
  await world.gateway.app.cleanUp();
  const { db } = world.gateway;
  assert.deepEqual(await db`select from session`, []);
  assert.deepEqual(await db`select from challenge`, []);
  assert.equal(await isIn(gone), false);
});

test('owners and staff do nothing before they have a second factor, others may', async () => {
  for (const role of ['owner', 'admin'] as const) {
    const visitor = world.visitor();
    await visitor.join(await world.invitation(`new-${role}@example.com`, role), 'New');
    assert.equal((await visitor.get('/account/people')).location, '/account/sign-in/secure', role);
    const form = { email: 'x@example.com', role: 'owner' };
    assert.equal((await visitor.post('/account/people/invite', form)).location, '/account/sign-in/secure', role);
  }
  const viewer = world.visitor();
  await viewer.join(await world.invitation('new-viewer@example.com', 'viewer'), 'New');
  assert.ok(await isIn(viewer));
});

test('who waits long before the first passkey still gets one', async () => {
  const slow = world.visitor();
  await slow.join(await world.invitation('slow@example.com', 'owner'), 'Slow');
  later(30);
  await slow.addFirstPasskey();
  assert.equal((await slow.get('/account/people')).status, 200);
});

test('the last second factor of an owner stays, and the last owner', async () => {
  const { merchantId } = await world.gateway.createMerchant('One owner');
  const owner = await world.member('owner', 'only@example.com', merchantId);
  const removed = await owner.post('/account/my-sign-in/passkey/remove', { passkey: owner.device.id });
  assert.equal(removed.status, 409);
  assert.match(removed.text, /your only second step/);
  const [row] = await world.gateway.db`select id from person where email = 'only@example.com'`;
  const self = await owner.post('/account/people/remove', { person: String(row?.['id']) });
  assert.equal(self.status, 409);
  const admin = await world.member('admin', 'admin@example.com', merchantId);
  const byAdmin = await admin.post('/account/people/role', { person: String(row?.['id']), role: 'viewer' });
  assert.equal(byAdmin.status, 403);
  assert.equal((await admin.post('/account/people/invite', { email: 'o@example.com', role: 'owner' })).status, 403);
});

test('a wrong form after a good proof signs nobody out', async () => {
  const owner = await world.member('owner', 'proof@example.com');
  later(6);
  const asked = await owner.post('/account/people/remove', { person: 'x' }, { 'x-ask': 'passkey' });
  const proof = owner.device.answer(asked.json);
  assert.equal((await owner.post('/account/people/remove', { person: 'x', proof })).status, 404);
  assert.ok(await isIn(owner));
});

test('the audit log says who, in which session, from where and with which proof; and is only ever added to', async () => {
  const owner = await world.member('owner', 'audit@example.com');
  later(6);
  const form = { email: 'invited@example.com', role: 'viewer' };
  const asked = await owner.post('/account/people/invite', form, { 'x-ask': 'passkey' });
  await owner.post('/account/people/invite', { ...form, proof: owner.device.answer(asked.json) });
  const { db } = world.gateway;
  const [row] = await db`
    select actor, session_id, address, proof from audit_log
     where action = 'person.invited' and detail ->> 'email' = 'invited@example.com'`;
  const [session] = await db`
    select session.id, person_id from session join person on person.id = person_id where email = 'audit@example.com'`;
  assert.deepEqual(row, {
    actor: personActor(String(session?.['person_id'])),
    session_id: session?.['id'],
    address: '127.0.0.1',
    proof: `passkey ${owner.device.id}`,
  });
  await assert.rejects(async () => db`delete from audit_log`, /only ever added to/);
  await assert.rejects(async () => db`update audit_log set actor = 'operator'`, /only ever added to/);
});

test('an owner sees in the audit log what members changed about their sign-in', async () => {
  const sue = await world.memberWithPassword('viewer', 'sue@example.com');
  await sue.addFirstPasskey();
  await sue.post('/account/my-sign-in/codes');
  const empty = { secret: '', 'new-code': totpCode(new Secret(''), stepNow()) };
  assert.equal((await sue.post('/account/my-sign-in/totp', empty)).status, 401, 'a secret that is none');
  const rows = await world.gateway.db<{ action: string }>`
    select action from audit_log join person on actor = 'person:' || person.id
     where email = 'sue@example.com' and merchant_id = ${world.gateway.merchant.merchantId} order by audit_log.id`;
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['person.joined', 'person.password_changed', 'person.passkey_added', 'person.codes_printed'],
  );
});
const stepNow = (): bigint => BigInt(Math.floor(world.gateway.clock.now().getTime() / 30_000));

test('the cookie cannot be read by scripts or planted by other hosts; pages hold no secret and are not kept', async () => {
  const cookie = setCookie('https://account.example', cookieNames('https://account.example').session, 'x');
  assert.deepEqual(cookie, { 'set-cookie': '__Host-quittance-session=x; Path=/; HttpOnly; SameSite=Lax; Secure' });
  const tom = await world.memberWithPassword('viewer', 'tom@example.com');
  const page = await tom.get('/account/my-sign-in');
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
  for (const secret of [tom.cookie(sessionCookie) ?? '-', goodPassword, 'argon2id'])
    assert.ok(!page.text.includes(secret));
});

test('where accounts are by invitation nobody asks for one', async () => {
  assert.doesNotMatch((await world.visitor().get('/account/sign-in')).text, /sign-up/);
  const page = await world.visitor().get('/account/sign-up');
  assert.equal(page.status, 404);
  assert.match(page.text, /Accounts are by invitation here/);
  const form = { business: 'A shop', email: 'somebody@example.com' };
  assert.equal((await world.visitor().post('/account/sign-up', form)).status, 404);
  assert.deepEqual(await world.gateway.db`select from sign_up`, []);
});
