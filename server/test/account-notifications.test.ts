/** What waits for people comes to them by e-mail: each thing once, at once or in the morning, to who may see it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { notifyPeople } from '../src/finding/notify-people.ts';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { newId } from '../src/lib/ids.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import type { Role } from '../src/people/roles.ts';
import { insertWithdrawal } from '../src/wallets/withdrawal-store.ts';
import { type AccountWorld, accountsAt, signed, type Visitor, words } from './account-world.ts';
import { testIssuer, withoutLitecoin } from './gateway.ts';
import { type MailServer, mailUser, type ReceivedMail, startMailServer } from './mail-server.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let mail: MailServer;
let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  mail = await startMailServer();
  const smtp = `smtp://${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.pass)}@127.0.0.1:${mail.port}`;
  const env = {
    ...withoutLitecoin,
    SMTP_URL: smtp,
    MAIL_FROM: 'Quittance <account@pay.test>',
    SUPPORT_CONTACT: 'help@pay.test',
  };
  world = await startRefundWorld({ env, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(async () => {
  await world?.gateway.stop();
  await mail?.stop();
});

const page = '/account/settings/notifications';
const operator = { issuerAccount: testIssuer, issuerName: 'x', issuerDomain: 'x', issuerAddress: 'x' };
const assets = createAssetCatalog(operator);
const member = (shop: Shop, role: Role, name: string): Promise<Visitor> =>
  accounts.member(role, `${name}@example.com`, shop.merchant.merchantId);
/** Without what tells who else approves there now, and what opens a sign-in (`account-recovery`). */
const mailsTo = (name: string): ReceivedMail[] =>
  mail.received.filter(
    ({ to, text }) => to.includes(`${name}@example.com`) && !/\/account\/(?:people|my-sign-in)\s/.test(text),
  );
const subjects = (name: string): string[] => mailsTo(name).map(({ headers }) => headers.get('subject') ?? '');

async function waitingTransfer(shop: Shop): Promise<string> {
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address: aBitcoinAddress() };
  return (await shop.post('/transfer', order)).transfer.id;
}
/** A shop of Berlin in which every transfer waits; it is noon in Greenwich when the stories begin. */
async function limitedShop(): Promise<Shop> {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  await world.mine(6);
  const settings = { name: 'Nord', transferApprovalAbove: '0', pageSettings: { timeZone: 'Europe/Berlin' } };
  await changeSettings(world.gateway, shop.merchant.merchantId, settings, 'operator');
  return shop;
}

test('an approval is told at once, once, to who approves, and leads there through the sign-in', async () => {
  const shop = await limitedShop();
  await member(shop, 'owner', 'nora');
  const otto = await member(shop, 'admin', 'otto');
  await otto.post('/account/my-sign-in/profile', { name: 'Otto', language: 'de' });
  for (const role of ['support', 'accountant', 'developer', 'viewer'] as const)
    await member(shop, role, `nobody-${role}`);
  await world.pass({ minutes: 2 });
  assert.deepEqual([subjects('nora'), subjects('otto')], [[], []], 'nothing waits');

  const id = await waitingTransfer(shop);
  await world.pass({ minutes: 2 });
  assert.deepEqual(subjects('nora'), ['Nord: something needs you']);
  assert.deepEqual(subjects('otto'), ['Nord: Etwas wartet auf Sie']);
  for (const minutes of [2, 60]) await world.pass({ minutes });
  assert.equal(mailsTo('nora').length, 1, 'once');
  for (const role of ['support', 'accountant', 'developer', 'viewer']) assert.deepEqual(subjects(`nobody-${role}`), []);
  const [told] = mailsTo('nora');
  assert.match(told?.text ?? '', /A transfer waits for approval/);
  assert.doesNotMatch(told?.text ?? '', /0\.0001|bcrt1/, 'what and where to is for who signs in');
  assert.match(told?.text ?? '', /\/account\/settings\/notifications/);
  assert.match(told?.html ?? '', /<html lang="en" dir="ltr">/);

  const link = /http\S+needs-you\S*/.exec(told?.text ?? '')?.[0] ?? '';
  const path = link.replace(accounts.accountUrl, '');
  const { merchantId } = shop.merchant;
  assert.equal(path, `/account/needs-you?open=transferToApprove.${id}&account=${merchantId}`);
  const { location } = await accounts.visitor().get(path);
  assert.equal(location, `/account/sign-in?next=${encodeURIComponent(path)}`);
  assert.match(words(await otto.get(path)), /bcrt1/);
  const other = await world.shop();
  const token = await accounts.invitation('otto@example.com', 'viewer', other.merchant.merchantId);
  await otto.post('/account/welcome/join', { token });
  assert.match(words(await otto.get(path)), /Ihr Link betrifft Nord/);
  await otto.post('/account/choose', { merchant: merchantId });
  assert.doesNotMatch(words(await otto.get(path)), /Ihr Link betrifft/);

  // What is gone and comes up again is told again, and what two processes notice at once is told once.
  await shop.post('/transfer/cancel', { id });
  await world.pass({ minutes: 2 });
  await waitingTransfer(shop);
  const { db, clock } = world.gateway;
  await Promise.all([1, 2].map(() => notifyPeople({ db, clock, assets, sendsEmail: true }, shop.merchant.merchantId)));
  await world.pass({ minutes: 2 });
  assert.equal(mailsTo('nora').length, 2);
});

test('people are written to in the language that they chose, and in its direction', async () => {
  const shop = await limitedShop();
  const amal = await member(shop, 'owner', 'amal');
  await amal.post('/account/my-sign-in/profile', { name: 'Amal', language: 'ar' });
  await waitingTransfer(shop);
  await world.pass({ minutes: 2 });
  await accounts.visitor().post('/account/sign-in/send-link', { email: 'amal@example.com' });
  await world.pass({ minutes: 1 });
  assert.deepEqual(subjects('amal'), ['\u2068Nord\u2069: هناك ما ينتظرك', 'رابط تسجيل الدخول']);
  for (const { headers, html } of mailsTo('amal')) {
    assert.equal(headers.get('content-language'), 'ar');
    assert.match(html, /<html lang="ar" dir="rtl">/);
    assert.match(html, /<a href="[^"]*" dir="ltr">/, 'addresses keep their own');
  }
});

test('whoever is at their wits’ end is told whom to ask: in every message, in the help, and before the door', async () => {
  const shop = await limitedShop();
  const hugo = await member(shop, 'owner', 'hugo');
  await waitingTransfer(shop);
  await world.pass({ minutes: 2 });
  const visitor = accounts.visitor();
  await visitor.post('/account/sign-in/send-link', { email: 'hugo@example.com' });
  await world.pass({ minutes: 1 });
  assert.equal(mailsTo('hugo').length, 2);
  for (const { text, html } of mailsTo('hugo')) {
    assert.match(
      text.replaceAll(/[\u2068\u2069]/g, ''),
      /Questions\? Ask whoever runs this service: help@pay\.test\s*$/,
    );
    assert.match(html, /<a href="mailto:help@pay\.test" dir="ltr">help@pay\.test<\/a>/);
  }
  for (const { text } of [await hugo.get('/account'), await visitor.get('/account/sign-in')])
    assert.match(text, /Ask the operator.*<a href="mailto:help@pay\.test">/s);
});

test('who asked for a transfer is not told to approve it', async () => {
  const shop = await limitedShop();
  const quinn = await member(shop, 'owner', 'quinn');
  await member(shop, 'admin', 'rosa');
  const order = {
    to: 'other',
    network: 'BITCOIN',
    address: aBitcoinAddress(),
    asset: 'BTC',
    amount: '0.0001',
    fee: '1',
  };
  assert.match((await signed(quinn, '/account/transfers/new', order)).location, /did=created/);
  await world.pass({ minutes: 2 });
  assert.deepEqual([subjects('quinn'), subjects('rosa')], [[], ['Nord: something needs you']]);
});

test('the rest is told in the morning of the account, in one message, and what was chosen otherwise is not', async () => {
  const shop = await limitedShop();
  const ines = await member(shop, 'owner', 'ines');
  const paul = await member(shop, 'support', 'paul');
  await member(shop, 'viewer', 'vera');
  await world.pass({ minutes: 2 });
  await world.underpaid(shop, '0.0006');
  await world.underpaid(shop, '0.0005');
  const shown = await paul.get(page);
  assert.match(
    shown.text,
    /id="underpaid"[^>]*><option value="atOnce">At once<\/option><option value="daily" selected>/,
  );
  assert.doesNotMatch(shown.text, /id="transferToApprove"/, 'a role chooses only about what it sees');
  assert.equal((await ines.post(page, { underpaid: 'never', surplus: 'sometimes' })).location, `${page}?did=saved`);
  assert.match((await ines.get(page)).text, /id="underpaid".*?<option value="never" selected>/s);
  await world.pass({ minutes: 2 });
  assert.deepEqual(subjects('paul'), []);

  // Until shortly before eight in Berlin, which is an hour ahead in winter.
  const now = world.gateway.clock.now();
  const morning = new Date(now);
  morning.setUTCHours(7, 0, 0, 0);
  if (morning <= now) morning.setUTCDate(morning.getUTCDate() + 1);
  await world.pass({ minutes: (morning.getTime() - now.getTime()) / 60_000 - 2 });
  assert.deepEqual(subjects('paul'), []);
  await world.pass({ minutes: 3 });
  assert.deepEqual(subjects('paul'), ['Nord: what waits for you today']);
  assert.equal(mailsTo('paul')[0]?.text.match(/An order is underpaid/g)?.length, 2);
  assert.deepEqual([subjects('ines'), subjects('vera')], [[], []]);
  await world.pass({ hours: 24 });
  assert.equal(mailsTo('paul').length, 1, 'nothing new, no message');
});

test('what was decided before the message is written is not in it', async () => {
  const shop = await limitedShop();
  await member(shop, 'owner', 'zoe');
  const id = await waitingTransfer(shop);
  const { db, clock } = world.gateway;
  await notifyPeople({ db, clock, assets, sendsEmail: true }, shop.merchant.merchantId);
  await shop.post('/transfer/cancel', { id });
  await world.pass({ minutes: 2 });
  assert.deepEqual(subjects('zoe'), []);
});

test('who joins or chooses to be told at once is told of what begins then; what has waited is in one summary', async () => {
  const shop = await limitedShop();
  const name = 'Lindt $& $1 $$ Co';
  await changeSettings(world.gateway, shop.merchant.merchantId, { name }, 'operator');
  await waitingTransfer(shop);
  await world.pass({ minutes: 2 });
  const lena = await member(shop, 'owner', 'lena');
  await world.pass({ minutes: 2 });
  assert.deepEqual(subjects('lena'), [`${name}: what waits for you today`]);
  assert.match(mailsTo('lena')[0]?.text ?? '', /A transfer waits for approval/);

  await lena.post(page, { underpaid: 'never' });
  await world.underpaid(shop, '0.0006');
  await world.underpaid(shop, '0.0005');
  await world.pass({ minutes: 2 });
  await lena.post(page, { underpaid: 'atOnce' });
  await world.pass({ minutes: 2 });
  assert.equal(mailsTo('lena').length, 1, 'what has waited is not told at once');
  await world.underpaid(shop, '0.0004');
  await lena.post(page, { underpaid: 'atOnce' }); // Saved again, which changes nothing.
  await world.pass({ minutes: 2 });
  assert.deepEqual(subjects('lena').slice(1), [`${name}: something needs you`]);
  const inMail = (at: number): number => mailsTo('lena')[at]?.text.match(/An order is underpaid/g)?.length ?? 0;
  assert.equal(inMail(1), 1, 'what begins then is');
  await world.pass({ hours: 24 });
  assert.deepEqual(subjects('lena').slice(2), [`${name}: what waits for you today`]);
  assert.equal(inMail(2), 2);
});

test('an account whose people cannot be told keeps nobody else from being told', async () => {
  const [poisoned, sound] = [await limitedShop(), await limitedShop()];
  await member(poisoned, 'owner', 'pia');
  await member(sound, 'owner', 'sam');
  await world.pass({ minutes: 2 });
  for (const shop of [poisoned, sound]) await waitingTransfer(shop);
  const { db } = world.gateway;
  const { merchantId } = poisoned.merchant;
  // The one that fails is the next to be looked at, ever again.
  await db`update notification_look set looked_at = looked_at - interval '1 day' where merchant_id = ${merchantId}`;
  await db.script(`alter table notification add constraint poison check (merchant_id <> '${merchantId}') not valid`);
  for (const minutes of [2, 2]) await world.pass({ minutes });
  await db.script('alter table notification drop constraint poison');
  assert.deepEqual([subjects('pia'), subjects('sam')], [[], ['Nord: something needs you']]);
  await world.pass({ minutes: 2 });
  assert.deepEqual(subjects('pia'), ['Nord: something needs you']);
});

test('what is gone and comes again is another message, also to a mail program', async () => {
  const shop = await limitedShop();
  const { merchantId } = shop.merchant;
  const vic = await member(shop, 'owner', 'vic');
  const { id: checkoutId } = await world.paid(shop, '0.001');
  await vic.post(page, { balanceOwed: 'atOnce' });
  await world.pass({ minutes: 2 });
  const { db, clock } = world.gateway;
  const asset = assets.byIdOrCode.get('BTC')?.id ?? '';
  const owe = async (units: bigint): Promise<void> => {
    const lines = [
      { account: merchantAccount(merchantId, 'receivable', asset), units: -units },
      { account: operatorAccount('fx', asset), units },
    ];
    const subject = { kind: 'checkout', id: checkoutId } as const;
    const entry = { kind: 'settlement_reversed', reference: `owed:${newId()}`, merchantId, subject, lines } as const;
    await db.begin((tx) => postEntries(tx, [entry], clock.now()));
    await world.pass({ minutes: 2 });
  };
  for (const units of [70n, -70n, 70n, -70n]) await owe(units);
  const ids = mailsTo('vic').map(({ headers }) => headers.get('message-id'));
  assert.equal(ids.length, 2);
  assert.notEqual(ids[0], ids[1]);
});

test("the operator's staff are told what waits in the house, each as they chose, and only what they can do something about", async () => {
  const support = await accounts.staff('support', 'sue@example.com');
  await accounts.staff('viewer', 'val@example.com');
  const dan = await accounts.staff('operator', 'dan@example.com');
  await world.pass({ minutes: 2 });
  mail.received.length = 0;
  await dan.post('/operator/needs-you/notifications', { jobParked: 'daily', networkSilent: 'never' });
  assert.match((await dan.get('/operator/needs-you/notifications')).text, /value="daily" selected/);
  await world.pass({ minutes: 2 });
  const { db, clock } = world.gateway;
  await db`
    insert into job (name, payload, run_at, attempts, parked_reason)
    values ('books.reconcile', '{}', ${clock.now()}, 20, 'The node knows the secret.')`;
  for (const minutes of [2, 2]) await world.pass({ minutes });
  assert.deepEqual(subjects('sue'), ['Quittance: something needs you'], 'at once, once');
  assert.deepEqual([subjects('dan'), subjects('val')], [[], []]);
  const [told] = mailsTo('sue');
  assert.match(told?.text ?? '', /A job is parked\s+http:\S+\/operator\/needs-you\s/);
  assert.doesNotMatch(told?.text ?? '', /secret/, 'the rest is for who signs in');
  const withdrawal = { network: 'BITCOIN', asset: 'BTC', units: 5n, address: 'bcrt1q', memo: null, memoType: null };
  const asked = { requestedBy: 'operator' as const, requestedAt: clock.now(), decidedBy: null, decidedAt: null };
  await db.begin((tx) =>
    insertWithdrawal(tx, { id: 'a-withdrawal', ...withdrawal, state: 'AWAITING_APPROVAL', ...asked }),
  );
  await world.pass({ minutes: 2 });
  assert.deepEqual(
    [subjects('dan'), subjects('val')],
    [['Quittance: something needs you'], []],
    'who approves, at once',
  );
  mail.received.length = 0;
  await world.pass({ hours: 24 });
  assert.deepEqual(subjects('dan'), ['Quittance: what waits for you today']);
  await db`delete from staff`;
  await db`delete from job where parked_reason is not null`;
  await db`delete from withdrawal`;
  assert.equal((await support.get('/operator')).status, 303, 'an hour without a click ended the session');
});
