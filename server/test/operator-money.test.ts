/** The operator's own money leaves by two of the staff, once there are two; what nobody asked for is assigned or sent back. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enqueue } from '../src/jobs/enqueue.ts';
import { orderJob } from '../src/jobs/job-store.ts';
import { newId } from '../src/lib/ids.ts';
import { findPayout } from '../src/sending/payout-store.ts';
import { findWithdrawal, waitingWithdrawals } from '../src/wallets/withdrawal-store.ts';
import { type AccountWorld, accountsAt, type PageAnswer, signed, type Visitor, words } from './account-world.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { meetAt } from './meet-at.ts';
import { passkeyDevice } from './passkey-device.ts';
import { freshAddress, mine, receivedAt } from './transfer-story.ts';

let gateway: Gateway;
let world: AccountWorld;
let ines: Visitor;
let mail: MailServer;
before(async () => {
  mail = await startMailServer();
  gateway = await startGateway({ hasAccount: true, env: { ...withoutLitecoin, ...mailSettings(mail) } });
  world = accountsAt(gateway);
  ines = await world.staff('operator', 'ines@operator.example');
});
after(async () => {
  await gateway?.stop();
  await mail?.stop();
});

const sentence = ({ text }: PageAnswer): string => /role="alert">.*?<span>(.*?)<\/span>/s.exec(text)?.[1] ?? '';
const wish = (amount: string, address = freshAddress()) => ({ network: 'BITCOIN', asset: 'BTC', amount, address });
const withdraw = (who: Visitor, form: Record<string, string>) => signed(who, '/operator/money/withdraw', form);
const approve = (who: Visitor, id: string) => signed(who, `/operator/money/withdrawals/${id}/approve`, {});
/** What was asked for is sent, and is in blocks. */
async function settle(): Promise<void> {
  await gateway.runUntilIdle();
  await mine(gateway, 6);
}
async function ask(who: Visitor, amount: string, address?: string): Promise<string> {
  const before = (await waitingWithdrawals(gateway.db)).map(({ id }) => id);
  const asked = await withdraw(who, wish(amount, address));
  assert.equal(asked.location, '/operator/money?did=waiting', asked.text);
  const [made] = (await waitingWithdrawals(gateway.db)).filter(({ id }) => !before.includes(id));
  return made?.id ?? assert.fail('nothing waits');
}

test('money is brought in, and whoever is alone takes it out with a passkey that signs this very order', async () => {
  const brought = await ines.post('/operator/money/bring-in', { network: 'BITCOIN' });
  const [, address = ''] = /data-copy="([^"]+)"/.exec(brought.text) ?? [];
  gateway.bitcoin.pay({ address, amount: '0.01' });
  await settle();
  const page = (await ines.get('/operator/money')).text;
  assert.match(page, /<th scope="row">BTC.*?<td class="n">0\.01/s);

  const form = wish('0.001');
  assert.equal((await ines.post('/operator/money/withdraw', form)).status, 403, 'a fresh sign-in signs nothing');
  const other = await signed(ines, '/operator/money/withdraw', form, { ...form, address: freshAddress() });
  assert.equal(other.status, 409, 'a signature of another order');
  const tooMuch = await withdraw(ines, wish('0.02'));
  assert.deepEqual(
    [tooMuch.status, sentence(tooMuch)],
    [422, 'Only 0.01 BTC are the operator&#39;s own: the rest belongs to merchants or is promised to them.'],
  );
  const sent = await withdraw(ines, form);
  assert.equal(sent.location, '/operator/money?did=sent', sent.text);
  await settle();
  assert.equal(await receivedAt(gateway, form.address), 100_000n);
});

test('once two move money one asks and another approves, never oneself, nor who is new, nor who may not', async () => {
  gateway.clock.advance({ hours: 25 }); // Nothing is approved that somebody asked for who is new.
  await ines.signInWithPasskey();
  const tom = await world.staff('treasury', 'tom@operator.example');
  const sam = await world.staff('support', 'sam@operator.example');
  assert.equal((await sam.post('/operator/money/withdraw', wish('0.001'))).status, 403);
  const goal = freshAddress();
  const id = await ask(ines, '0.001', goal);
  assert.equal(await findPayout(gateway.db, id), undefined);
  const asked = /Asked for by The operator \(ines@operator\.example\), who counts as one of the two since Mar 1, 2026/;
  assert.match(words(await tom.get('/operator/money')), asked, 'who asks is no name that anybody may take');
  const own = await approve(ines, id);
  assert.deepEqual([own.status, sentence(own)], [403, 'You asked for this: somebody else of the staff approves it.']);
  assert.match(
    sentence(await approve(tom, id)),
    /new to approving here, or has a new key or passkey, approves nothing for a day/,
  );
  assert.equal((await sam.post(`/operator/money/withdrawals/${id}/approve`)).status, 403);

  gateway.clock.advance({ hours: 25 });
  for (const each of [ines, tom, sam]) await each.signInWithPasskey();
  const another = await ask(ines, '0.002');
  const challenge = await tom.post(`/operator/money/withdrawals/${another}/approve`, {}, { 'x-ask': 'passkey' });
  const proof = tom.device.answer(challenge.json);
  assert.equal((await tom.post(`/operator/money/withdrawals/${id}/approve`, { proof })).status, 409);
  assert.equal((await tom.post(`/operator/money/withdrawals/${another}/refuse`)).status, 303);
  const late = await approve(tom, another);
  assert.deepEqual([late.status, sentence(late)], [409, 'This withdrawal waits for nobody: it is refused by now.']);
  assert.equal((await approve(tom, id)).location, '/operator/money?did=approved');
  await settle();
  assert.equal(await receivedAt(gateway, goal), 100_000n);
  assert.match((await ines.get('/operator/audit?kind=money')).text, /Approved the withdrawal of 0\.001/);
});

test('of what is split the sum counts, two approvals at once are one, and a command waits like everybody', async () => {
  const eve = await world.staff('treasury', 'eve@operator.example');
  gateway.clock.advance({ hours: 25 });
  for (const [each, device] of [
    [ines, ines.device],
    [eve, eve.device],
  ] as const)
    await each.signInWithPasskey(device);
  const parts = [await ask(ines, '0.005'), await ask(ines, '0.005')];
  const first = await approve(eve, parts[0] ?? '');
  assert.equal(first.status, 303, first.text);
  const second = await approve(eve, parts[1] ?? '');
  assert.match(sentence(second), /^Only 0\.002\d* BTC are the operator/);
  assert.equal((await findWithdrawal(gateway.db, parts[1] ?? ''))?.state, 'AWAITING_APPROVAL', 'nothing of it stays');
  await settle();

  const transferId = newId();
  const goal = freshAddress();
  const order = { transferId, ...wish('0.0005', goal), memo: null, memoType: null };
  const job = { name: 'withdrawal.request' as const, payload: order, runAt: gateway.clock.now() };
  await gateway.db.begin((tx) => enqueue(tx, [job]));
  await gateway.runUntilIdle();
  assert.equal(await orderJob(gateway.db, 'withdrawal.request', transferId), null);
  assert.equal((await findWithdrawal(gateway.db, transferId))?.state, 'AWAITING_APPROVAL');
  const path = `/operator/money/withdrawals/${transferId}/approve`;
  const proofs = await Promise.all(
    [ines, eve].map(async (who) => who.device.answer((await who.post(path, {}, { 'x-ask': 'passkey' })).json)),
  );
  const answers = await meetAt(
    gateway.db,
    (tx) => tx`select from withdrawal where id = ${transferId} for update`,
    [ines, eve].map((who, at) => () => who.post(path, { proof: proofs[at] ?? '' })),
  );
  assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([303, 409]));
  await settle();
  assert.equal(await receivedAt(gateway, goal), 50_000n);
});

test('who is put out asks and approves no more, and nobody becomes alone by that', async () => {
  const idOf = async (name: string): Promise<string> =>
    (await gateway.db<{ id: string }>`select id from person where email = ${`${name}@operator.example`}`)[0]?.id ?? '';
  const ed = await world.staff('treasury', 'ed@operator.example');
  const id = await ask(ed, '0.0001');
  for (const name of ['ed', 'tom', 'eve'])
    assert.equal((await ines.post('/operator/staff/remove', { person: await idOf(name) })).status, 303);
  assert.match((await ed.post(`/operator/money/withdrawals/${id}/refuse`)).location, /sign-in/);
  const orphan = await approve(ines, id);
  assert.match(sentence(orphan), /Whoever asked for this may not ask for it any more/);
  await ask(ines, '0.0001');
  gateway.clock.advance({ hours: 24 * 7 + 1 });
  await ines.signInWithPasskey();
  assert.equal((await withdraw(ines, wish('0.0001'))).location, '/operator/money?did=sent');
  await settle();
});

test('nobody makes a second hand for one withdrawal, neither before nor after the other one is put out', async () => {
  const idOf = async (email: string): Promise<string> =>
    (await gateway.db<{ id: string }>`select id from person where email = ${email}`)[0]?.id ?? '';
  await world.staff('treasury', 'cora@operator.example');
  gateway.clock.advance({ hours: 24 * 8 });
  await ines.signInWithPasskey();
  const early = await world.staff('operator', 'early@operator.example');
  assert.equal(
    (await ines.post('/operator/staff/remove', { person: await idOf('cora@operator.example') })).status,
    303,
  );
  const late = await world.staff('operator', 'late@operator.example');
  gateway.clock.advance({ hours: 25 });
  for (const each of [ines, early, late]) await each.signInWithPasskey();
  const id = await ask(ines, '0.0001');
  for (const puppet of [early, late]) {
    const answer = await approve(puppet, id);
    assert.deepEqual(
      [answer.status, / new (?:here|to approving here), or has a new key or passkey/.test(sentence(answer))],
      [409, true],
      answer.text,
    );
  }
  assert.match((await ines.get('/operator/staff')).text, /new: approves from/);
  gateway.clock.advance({ hours: 24 * 6 });
  for (const each of [ines, early]) await each.signInWithPasskey();
  assert.equal((await approve(early, id)).location, '/operator/money?did=approved');
  await settle();
});

test('a second hand made for it asks for nothing that leaves before the others had a day, and all are told of both', async () => {
  await gateway.runUntilIdle();
  mail.received.length = 0;
  const puppet = await world.staff('treasury', 'puppet@operator.example');
  const goal = freshAddress();
  const id = await ask(puppet, '0.0001', goal);
  const soon = await approve(ines, id);
  assert.deepEqual(
    [soon.status, sentence(soon).split(':')[0]],
    [409, 'Whoever asked for this is new here, or has a new key or passkey'],
  );
  await gateway.runUntilIdle();
  const hands = ['early', 'ines', 'late', 'puppet'].map((name) => `${name}@operator.example`);
  /** To whom what was written about this order. */
  const told = (): string[] =>
    mail.received
      .filter(({ text }) => text.includes(goal))
      .map(({ to, text }) => `${to.join()}: ${text.split('\r\n')[0]}`)
      .sort();
  const asked = `The treasury (puppet@operator.example) asks to withdraw 0.0001 BTC on Bitcoin to ${goal}. It leaves once somebody else of the staff approves it.`;
  assert.deepEqual(
    told(),
    hands.map((to) => `${to}: ${asked}`),
  );

  mail.received.length = 0;
  gateway.clock.advance({ hours: 25 });
  await ines.signInWithPasskey();
  assert.equal((await approve(ines, id)).location, '/operator/money?did=approved');
  await settle();
  const left = `0.0001 BTC leave on Bitcoin to ${goal}. The treasury (puppet@operator.example) asked for it, The operator (ines@operator.example) approved it.`;
  assert.deepEqual(
    told(),
    hands.map((to) => `${to}: ${left}`),
  );
});

test('a passkey that is added to a hand is seen by all, and for a day nothing leaves by it', async () => {
  const fay = await world.staff('treasury', 'fay@operator.example');
  gateway.clock.advance({ hours: 25 });
  for (const each of [ines, fay]) await each.signInWithPasskey();
  await gateway.runUntilIdle();
  mail.received.length = 0;
  const strange = passkeyDevice(world.accountUrl);
  const asked = await fay.post('/account/my-sign-in/passkey-challenge');
  const added = await fay.post('/account/my-sign-in/passkey', { answer: strange.register(asked.json), label: '' });
  assert.equal(added.status, 200, added.text);
  await gateway.runUntilIdle();
  const news = mail.received.filter(({ text }) =>
    text.startsWith('The treasury (fay@operator.example) added a passkey'),
  );
  assert.deepEqual(
    news.map(({ to }) => to.join()).sort(),
    ['early', 'fay', 'ines', 'late', 'puppet'].map((name) => `${name}@operator.example`),
  );

  const thief = world.visitor();
  await thief.signInWithPasskey(strange);
  const sign = async (path: string, form: Record<string, string>): Promise<PageAnswer> =>
    thief.post(path, { ...form, proof: strange.answer((await thief.post(path, form, { 'x-ask': 'passkey' })).json) });
  const first = await ask(ines, '0.0001');
  assert.match(sentence(await sign(`/operator/money/withdrawals/${first}/approve`, {})), /new to approving here/);
  const second = wish('0.0001');
  assert.equal((await sign('/operator/money/withdraw', second)).location, '/operator/money?did=waiting');
  const made = (await waitingWithdrawals(gateway.db)).find(({ address }) => address === second.address);
  assert.match(sentence(await approve(ines, made?.id ?? '')), /^Whoever asked for this is new here/);

  gateway.clock.advance({ hours: 25 });
  await thief.signInWithPasskey(strange);
  assert.equal(
    (await sign(`/operator/money/withdrawals/${first}/approve`, {})).location,
    '/operator/money?did=approved',
    'whoever was told and said nothing agrees',
  );
  await settle();
});
