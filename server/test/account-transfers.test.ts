/** People send money: reviewed, signed as this very order, approved by another, sent once. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newFormName } from '../src/account/frame/send-once.ts';
import { newId } from '../src/lib/ids.ts';
import { Secret } from '../src/lib/secret.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import type { Role } from '../src/people/roles.ts';
import { totpCode } from '../src/people/totp.ts';
import { type AccountWorld, accountsAt, type Form, signed, type Visitor, words } from './account-world.ts';
import { withoutLitecoin } from './gateway.ts';
import { meetAt, nobodyWrites } from './meet-at.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

const [list, path, destinations] = [
  '/account/transfers',
  '/account/transfers/new',
  '/account/transfers/destinations',
] as const;
let people = 0;
const member = (shop: Shop, role: Role): Promise<Visitor> =>
  accounts.member(role, `transfers-${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);

/** A shop that was paid 0.001 BTC twice. */
async function richShop(settings: Parameters<typeof changeSettings>[2] = {}): Promise<Shop> {
  const shop = await world.shop(settings);
  for (const _ of [1, 2]) await world.paid(shop, '0.001');
  return shop;
}
const order = (more: Form = {}): Form => ({
  to: 'other',
  network: 'BITCOIN',
  address: aBitcoinAddress(),
  asset: 'BTC',
  amount: '0.0004',
  fee: '1',
  ...more,
});
const reviewOf = (visitor: Visitor, form: Form) =>
  visitor.get(`/account/transfers/review?${new URLSearchParams({ ...form }).toString()}`);
/** The fields of the form that a review leads to. */
const formIn = (text: string): Form =>
  Object.fromEntries(
    Array.from(text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g), ([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  );
const idOf = (location: string): string => /^\/account\/transfers\/([a-z0-9]{12})/.exec(location)?.[1] ?? '';
const transfersOf = async (shop: Shop): Promise<any[]> => (await shop.get('/transfers')).transfers;
const stateOf = async (shop: Shop, id: string): Promise<string> =>
  (await shop.get(`/transfer?id=${id}`)).transfer.state;
const formName = (): string => newFormName(world.gateway.clock.now());

test('an order is reviewed with its fee and what is left, signed, sent, and arrives', async () => {
  const shop = await richShop();
  const owner = await member(shop, 'owner');
  assert.match(words(await owner.get(list)), /Nothing has been sent yet/);
  assert.match(words(await owner.get(path)), /Where to.*Another address.*BTC, 0\.00199 BTC available/);
  const address = aBitcoinAddress();
  const asked = order({ address, amount: '0,0004' });
  const review = await reviewOf(owner, asked);
  assert.match(words(review), /Send 0\.0004 BTC\?.*It leaves at once.*Available 0\.00199 BTC.*Left, BTC 0\.00\d+ BTC/);
  assert.match(words(review), /Arrives 0\.0004 BTC Worth now \$24\.00 Network fee/);
  assert.ok(review.text.includes(address));
  // Outside of tests time passes while a page is made.
  const { clock } = world.gateway;
  const { now } = clock;
  clock.now = () => {
    clock.advance({ seconds: 0.001 });
    return now();
  };
  assert.match(words(await reviewOf(owner, asked)), /It leaves at once/);
  clock.now = now;
  const form = formIn(review.text);
  const sent = await signed(owner, path, form);
  const id = idOf(sent.location);
  assert.deepEqual([sent.status, sent.location], [303, `${list}/${id}?did=created`], sent.text);

  const { transfer } = await shop.get(`/transfer?id=${id}`);
  assert.match(transfer.createdBy, /^person:[a-z0-9]{12}$/);
  const [audit] = await world.gateway.db<{ actor: string; proof: string }>`
    select actor, proof from audit_log where action = 'transfer.created' and detail ->> 'id' = ${id}`;
  assert.equal(audit?.actor, transfer.createdBy);
  assert.match(
    String(audit?.proof),
    new RegExp(`^passkey \\S+ signed: transfer 0\\.0004 BTC:\\w+ on BITCOIN to ${address}, for a fee of at most 0\\.0`),
  );
  assert.match(words(await owner.get(`${list}/${id}`)), /Transfer of 0\.0004 BTC.*The owner asked for it/);
  await world.send();
  assert.equal(await received(world.gateway, address), 40_000n);
  await world.mine(6);
  assert.match(words(await owner.get(`${list}/${id}`)), /Arrived.*Signed and sent.*The owner asked for it/);
  assert.match(words(await owner.get(`${list}?tab=over`)), /bcrt1.*0\.0004 BTC.* Arrived The owner/);
});

test('why a transfer cannot be made is said in the language of who asks', async () => {
  const owner = await member(await richShop(), 'owner');
  await owner.post('/account/my-sign-in/profile', { name: 'Ada', language: 'de' });
  for (const [form, sentence] of [
    [order({ amount: 'viel' }), /Das ist kein Betrag/],
    [order({ amount: '0' }), /Der Betrag muss größer als null sein/],
    [order({ amount: '0,00000001' }), /Auf Bitcoin muss der Betrag mindestens 0\.\d+ BTC sein/],
    [order({ address: 'bcrt1nowhere' }), /Dorthin lässt sich auf Bitcoin nichts senden/],
  ] as const)
    assert.match(words(await reviewOf(owner, form)).replaceAll(/[\u2068\u2069]/g, ''), sentence);
});

test('one form makes one transfer, however often it is sent, and another content is refused', async () => {
  const shop = await richShop();
  const owner = await member(shop, 'owner');
  const form = order({ form: formName() });
  const first = await signed(owner, path, form);
  assert.equal(first.status, 303, first.text);
  const again = await signed(owner, path, form);
  assert.deepEqual([again.status, again.location], [303, first.location]);
  const reloaded = await owner.post(path, { ...form, proof: '{"id":"used"}' });
  assert.deepEqual([reloaded.status, reloaded.location], [303, first.location], 'a reload has only a used proof');
  const other = await signed(owner, path, { ...form, amount: '0.0005' });
  assert.equal(other.status, 422);
  assert.match(other.text, /sent before with something else in it/);
  // Two at once: both have decided before one of them is stored, and there is enough for one of them only.
  const accountant = await member(shop, 'accountant');
  const racing = order({ form: formName(), amount: '0.001' });
  const send = () => accountant.post(path, racing);
  const outcomes = await meetAt(world.gateway.db, nobodyWrites.transfers, [send, send]);
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set([303]), outcomes[1]?.text);
  assert.equal(outcomes[0]?.location, outcomes[1]?.location);
  assert.equal((await transfersOf(shop)).length, 2);

  await world.pass({ hours: 25 });
  await owner.signInWithPasskey();
  const old = await owner.post(path, form, { 'x-ask': 'passkey' });
  assert.deepEqual([old.status, /more than a day old/.test(old.text)], [409, true]);
  assert.equal((await owner.post(path, { ...order(), form: 'x' })).status, 400);
  assert.equal((await transfersOf(shop)).length, 2);
});

test('a proof of another order sends nothing, nor does one of a destination that was changed since', async () => {
  const shop = await richShop();
  const owner = await member(shop, 'owner');
  const { targetAccountId: to } = await shop.post('/target-account', {
    label: 'Vault',
    network: 'BITCOIN',
    address: aBitcoinAddress(),
  });
  assert.equal((await owner.post(path, order())).status, 403, 'a fresh sign-in signs nothing');
  const good = order();
  for (const changed of [{ amount: '0.0005' }, { address: aBitcoinAddress() }, { fee: '2' }, { to }])
    assert.equal((await signed(owner, path, good, { ...good, ...changed })).status, 409, JSON.stringify(changed));
  const shown = formIn((await reviewOf(owner, order({ to, network: '', address: '' }))).text);
  const asked = await owner.post(path, shown, { 'x-ask': 'passkey' });
  const proof = owner.device.answer(asked.json);
  await shop.post('/target-account', { id: to, address: aBitcoinAddress() });
  assert.equal((await owner.post(path, { ...shown, proof })).status, 409);
  const again = await owner.post(path, shown, { 'x-ask': 'passkey' });
  assert.equal(again.status, 409, 'not even asked for: the page shows another address');
  const used = await owner.post(path, good, { 'x-ask': 'passkey' });
  const once = owner.device.answer(used.json);
  assert.equal((await owner.post(path, { ...good, proof: once })).status, 303);
  assert.equal((await owner.post(path, { ...good, proof: once })).status, 409, 'a proof is good once');
  assert.equal((await transfersOf(shop)).length, 1);
});

test('a destination that is called like another one does not take its place', async () => {
  const shop = await richShop();
  const owner = await member(shop, 'owner');
  const target = (label: string) =>
    shop.post('/target-account', { label, network: 'BITCOIN', address: aBitcoinAddress() });
  const { targetAccountId: to } = await target('Vault');
  const review = await reviewOf(owner, order({ to, network: '', address: '' }));
  await target(to);
  const refused = await signed(owner, path, formIn(review.text));
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.text, /not the one that you were shown/);
  assert.deepEqual(await transfersOf(shop), []);
});

test('a fee above what was shown is asked about anew, and what is not there cannot be sent', async () => {
  const shop = await richShop();
  const owner = await member(shop, 'owner');
  const cheap = await signed(owner, path, order({ fee: '0.00000001' }));
  assert.deepEqual([cheap.status, /fee has risen/.test(cheap.text)], [409, true]);
  assert.equal((await signed(owner, path, order({ fee: 'nothing' }))).status, 409);
  assert.match(words(await reviewOf(owner, order({ amount: '5' }))), /There is too little for this/);
  assert.equal((await signed(owner, path, order({ amount: '5' }))).status, 422);
  for (const [wrong, sentence] of [
    [{ amount: 'much' }, /amount/],
    [{ amount: '0' }, /greater than zero/],
    [{ address: 'nowhere' }, /address/i],
    [{ network: 'NOWHERE' }, /network must be one of/],
    [{ asset: 'XXX' }, /cannot be sent on Bitcoin, only BTC/],
  ] as const) {
    const answer = await reviewOf(owner, order(wrong));
    assert.equal(answer.status, 400, JSON.stringify(wrong));
    assert.match(words(answer), sentence);
  }
  assert.deepEqual(await transfersOf(shop), []);
});

test('above the limit another person must approve; who says so beforehand, and parts count together', async () => {
  const shop = await richShop({ transferApprovalAbove: '40.00' });
  const ada = await member(shop, 'owner');
  assert.match(words(await reviewOf(ada, order({ amount: '0.0007' }))), /nobody can: invite a second owner/);
  // Of the shop's own key, which the operator made, nobody knows that it is not hers. This one is somebody else's.
  await world.gateway.createKey(shop.merchant, { maker: `person:${newId()}` });
  assert.match(words(await reviewOf(ada, order({ amount: '0.0007' }))), /Only a key that may approve can do it/);
  const ben = await member(shop, 'admin');
  const accountant = await member(shop, 'accountant');
  assert.match(
    words(await reviewOf(ada, order({ amount: '0.0007' }))),
    /The admin will have to approve\. Above \$40\.00 in 24 hours.*It leaves as soon as it is approved/,
  );
  const small = await reviewOf(ada, order({ amount: '0.0004' }));
  assert.doesNotMatch(words(small), /have to approve/);
  assert.equal((await signed(ada, path, order({ amount: '0.0004' }))).status, 303);
  // The second part is small too, but both together are not.
  assert.match(words(await reviewOf(ada, order({ amount: '0.0004' }))), /The admin will have to approve/);
  const split = await signed(ada, path, order({ amount: '0.0004' }));
  const id = idOf(split.location);
  assert.equal(await stateOf(shop, id), 'AWAITING_APPROVAL');
  assert.match(words(await ada.get(`${list}/${id}`)), /You asked for it, so somebody else has to approve it/);
  assert.equal((await signed(ada, `${list}/${id}/approve`, {})).status, 403);
  assert.equal((await signed(accountant, `${list}/${id}/approve`, {})).status, 403);
  assert.match(words(await ben.get(list)), /Waits for approval The owner/);
  assert.equal((await signed(ben, `${list}/${id}/approve`, {})).status, 303);
  assert.match(words(await ada.get(`${list}/${id}`)), /The admin approved it.*The owner asked for it/);
  const [row] = await world.gateway.db<{ is_own: boolean }>`
    select approved_by = requested_by as is_own from transfer where id = ${id}`;
  assert.equal(row?.is_own, false);
});

test('an accountant prepares without a passkey and approves nothing, and takes back only their own', async () => {
  const shop = await richShop();
  const accountant = await accounts.memberWithPassword('accountant', 'books@example.com', shop.merchant.merchantId);
  const owner = await member(shop, 'owner');
  const review = await reviewOf(accountant, order({ amount: '0.0001' }));
  assert.match(words(review), /The owner will have to approve\. Your role prepares transfers.*Ask to send 0\.0001 BTC/);
  const prepared = await accountant.post(path, { ...formIn(review.text), account: shop.merchant.merchantId });
  const id = idOf(prepared.location);
  assert.equal(await stateOf(shop, id), 'AWAITING_APPROVAL');
  assert.equal((await accountant.post(`${list}/${id}/approve`)).status, 403);
  const byOwner = idOf((await signed(owner, path, order({ amount: '0.0001' }))).location);
  assert.equal((await accountant.post(`${list}/${byOwner}/cancel`)).status, 403);
  assert.equal((await accountant.post(`${list}/${id}/cancel`)).location, `${list}/${id}?did=canceled`);
  assert.match(words(await owner.get(`${list}/${id}`)), /Cancelled.*The accountant cancelled it.*The accountant asked/);
  assert.equal((await accountant.post(`${list}/${id}/cancel`)).status, 409);

  const second = idOf((await accountant.post(path, order({ amount: '0.0001' }))).location);
  assert.equal((await signed(owner, `${list}/${second}/approve`, {})).status, 303);
  assert.equal(await stateOf(shop, second), 'QUEUED');
  const label = { label: 'Mine', network: 'BITCOIN', address: aBitcoinAddress() };
  const refused = await accountant.post(destinations, label);
  assert.deepEqual([refused.status, /only prepare transfers/.test(refused.text)], [403, true]);
});

test('what another approves in the same moment is not refused: that is decided under the lock', async () => {
  const shop = await richShop({ transferApprovalAbove: '0' });
  const [ada, ben, eve] = [await member(shop, 'owner'), await member(shop, 'admin'), await member(shop, 'admin')];
  const id = idOf((await signed(ada, path, order())).location);
  const asked = await ben.post(`${list}/${id}/approve`, {}, { 'x-ask': 'passkey' });
  const proof = ben.device.answer(asked.json);
  const [approved, refused] = await meetAt(
    world.gateway.db,
    (tx) => tx`select from transfer where id = ${id} for update`,
    [() => ben.post(`${list}/${id}/approve`, { proof }), () => eve.post(`${list}/${id}/refuse`)],
  );
  assert.deepEqual([approved?.status, refused?.status], [303, 409], refused?.text);
  assert.equal(await stateOf(shop, id), 'QUEUED');
});

test('what waits cannot be approved any more when who asked for it has left, nor when the key is revoked', async () => {
  const shop = await richShop({ transferApprovalAbove: '0' });
  const { merchantId } = shop.merchant;
  const [ada, ben] = [await member(shop, 'owner'), await member(shop, 'admin')];
  const [person] = await world.gateway.db<{ id: string }>`
    select person_id as id from membership where merchant_id = ${merchantId} and role = 'admin'`;
  const key = await ben.post('/account/developers/keys', { label: 'Till', scope: 'money' });
  const [apiKey = '', apiSecret = ''] = Array.from(key.text.matchAll(/data-copy="([^"]+)"/g), ([, each = '']) => each);
  const as = { ...shop.merchant, apiKey, apiSecret };
  const body = { network: 'BITCOIN', asset: 'BTC', amount: '0.0003', address: aBitcoinAddress() };
  const byKey = (await shop.request('POST', '/transfer', body, { as })).body.transfer;
  const byBen = idOf((await signed(ben, path, order())).location);
  assert.doesNotMatch(words(await ada.get('/account/people')), /Keys in the hands of others/);
  assert.equal((await ada.post('/account/people/remove', { person: person?.id ?? '' })).location, '/account/people');

  const gone = await signed(ada, `${list}/${byBen}/approve`, {});
  assert.deepEqual([gone.status, /may not ask for it any more/.test(gone.text)], [409, true], gone.text);
  assert.equal((await ada.post(`${list}/${byBen}/refuse`)).location, '/account/needs-you?did=refused');
  assert.equal(await stateOf(shop, byBen), 'CANCELED');
  // The shop may be running on the key: it goes on, and those who stay are told.
  const people = await ada.get('/account/people');
  assert.match(words(people), /Keys in the hands of others.*Till Known to The admin · money/);
  assert.equal((await ada.post(`/account/developers/keys/${apiKey}/rotate`, { 'at-once': 'yes' })).status, 200);
  assert.doesNotMatch(words(await ada.get('/account/people')), /Keys in the hands of others/);
  await member(shop, 'viewer');
  const eve = await member(shop, 'admin');
  await ada.post(`/account/developers/keys/${apiKey}/revoke`);
  assert.equal((await signed(eve, `${list}/${byKey.id}/approve`, {})).status, 409, 'nor what a stolen key asked for');
});

test('a request of who is signed out or put out meanwhile does nothing', async () => {
  const shop = await richShop({ transferApprovalAbove: '0' });
  const { merchantId } = shop.merchant;
  const [accountant, support] = [await member(shop, 'accountant'), await member(shop, 'support')];
  const open = await shop.open('60.00 USD', 'BITCOIN');
  const before = (await transfersOf(shop)).length;
  const answers = await meetAt(
    world.gateway.db,
    (tx) =>
      tx`delete from session where person_id in (select person_id from membership where merchant_id = ${merchantId})`,
    [
      () => accountant.post(path, order()),
      () => support.post(`/account/checkouts/${open.id}/cancel`),
      () => support.post(`/account/checkouts/${open.id}/resend`, { delivery: 'x' }),
    ],
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403],
  );
  assert.equal((await transfersOf(shop)).length, before);
  assert.equal(await shop.state(open.id), 'PENDING');
});

test('no process of the previous release lets somebody approve their own', async () => {
  const shop = await richShop({ transferApprovalAbove: '0' });
  const id = idOf((await signed(await member(shop, 'owner'), path, order())).location);
  await assert.rejects(
    world.gateway.db`update transfer set approved_by = requested_by where id = ${id}`,
    /transfer_approved_by_another/,
  );
  await assert.rejects(
    world.gateway.db`update transfer set webhook = 'https://shop.example/hook' where id = ${id}`,
    /transfer_webhook_is_signed/,
  );
});

test('a code of an app sends what needs no approval, and nothing else', async () => {
  const shop = await richShop({ transferApprovalAbove: '30.00' });
  const owner = await accounts.memberWithPassword('owner', 'coded@example.com', shop.merchant.merchantId);
  const secret =
    /name="secret" readonly value="(\w+)"/.exec((await owner.get('/account/my-sign-in/totp')).text)?.[1] ?? '';
  const codeNow = (): string => {
    world.gateway.clock.advance({ seconds: 30 });
    return totpCode(new Secret(secret), BigInt(Math.floor(world.gateway.clock.now().getTime() / 30_000)));
  };
  assert.equal((await owner.post('/account/my-sign-in/totp', { secret, 'new-code': codeNow() })).status, 303);
  assert.match(words(await reviewOf(owner, order())), /a code from your app is enough/);
  assert.equal((await owner.post(path, order())).status, 403);
  const much = await owner.post(path, { ...order({ amount: '0.0008' }), code: codeNow() });
  assert.deepEqual([much.status, /only a passkey can ask for that/.test(much.text)], [409, true], much.text);
  assert.equal((await owner.post(path, { ...order(), code: codeNow() })).status, 303);
  const label = { label: 'Vault', network: 'BITCOIN', address: aBitcoinAddress() };
  assert.match(words(await owner.get(`${destinations}/new`)), /needs a passkey, never a code/);
  assert.equal((await owner.post(destinations, { ...label, code: codeNow() })).status, 403);
  assert.deepEqual((await shop.get('/target-accounts')).targetAccounts, []);
});

test('a destination is signed with its name and address, waits its time, is used and removed', async () => {
  const shop = await richShop({ destinationWaitMinutes: 1440 });
  const owner = await member(shop, 'owner');
  assert.match(words(await owner.get(destinations)), /No destination yet/);
  assert.match(words(await owner.get(`${destinations}/new`)), /New ones can be used after 24 hours/);
  const address = aBitcoinAddress();
  const form = { label: 'Vault', network: 'BITCOIN', address, beneficiary: 'new', company: 'Treuhand AG' };
  assert.equal((await owner.post(destinations, form)).status, 403, 'nothing was signed');
  for (const changed of [{ label: 'Other' }, { address: aBitcoinAddress() }, { company: 'Thief AG' }])
    assert.equal((await signed(owner, destinations, form, { ...form, ...changed })).status, 409);
  const named = { ...form, form: formName() };
  const added = await signed(owner, destinations, named);
  const again = await signed(owner, destinations, named);
  assert.deepEqual([again.status, again.location], [303, added.location]);
  assert.match(words(await owner.get(added.location)), /Added\. It can be used from .*Vault.*Treuhand AG/);
  const { targetAccounts } = await shop.get('/target-accounts');
  assert.deepEqual(
    targetAccounts.map(({ label, address: to }: any) => [label, to]),
    [['Vault', address]],
  );
  assert.equal((await shop.get('/beneficiaries')).beneficiaries.length, 1, 'one beneficiary, not one for each sending');
  const wrong = await signed(owner, destinations, { ...form, label: 'Wrong', address: 'nowhere', company: 'Lost AG' });
  assert.deepEqual([wrong.status, /value="Wrong"/.test(wrong.text)], [400, true], 'what was typed is still there');
  const turned = await signed(owner, destinations, { ...form, label: 'Turned', company: '\u202eGA dnahuerT' });
  assert.equal(turned.status, 400);
  assert.match(words(turned), /Company: this has characters that nobody can see\. Type it anew/);
  assert.equal((await shop.get('/beneficiaries')).beneficiaries.length, 1, 'both or none');

  const [{ id: to }] = targetAccounts;
  const review = await reviewOf(owner, order({ to }));
  assert.match(words(review), /Vault.*It leaves .*until then the destination is too new/);
  const sent = await signed(owner, path, formIn(review.text));
  assert.equal(await stateOf(shop, idOf(sent.location)), 'WAITING');
  assert.match(words(await owner.get(`${list}?tab=underWay`)), /Vault.*Destination too new/);
  const removed = await owner.post(`${destinations}/${to}/remove`);
  assert.equal(removed.location, `${destinations}?did=removed`);
  assert.equal((await owner.post(`${destinations}/${to}/remove`)).status, 404);
  await world.pass({ hours: 25 });
  assert.equal(await stateOf(shop, idOf(sent.location)), 'FAILED');
  const actions = await world.gateway.db<{ action: string; actor: string }>`
    select action, actor from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action ~ '^(target_account|beneficiary)' order by id`;
  assert.deepEqual(
    actions.map(({ action, actor }) => `${action} ${actor.replace(/:.*/, '')}`),
    ['beneficiary.created person', 'target_account.created person', 'target_account.deleted person'],
  );
});

test('what belongs to another account is as if it were not there, in every path and field', async () => {
  const [shop, other] = [await richShop(), await richShop()];
  const owner = await member(shop, 'owner');
  const stranger = await member(other, 'owner');
  const { targetAccountId: to } = await shop.post('/target-account', {
    label: 'Vault',
    network: 'BITCOIN',
    address: aBitcoinAddress(),
  });
  const { beneficiaryId: beneficiary } = await shop.post('/beneficiary', { beneficiary: { company: 'Ours' } });
  const id = idOf((await signed(owner, path, order())).location);
  const nobodys = newId();
  const statuses = async (ask: (mine: string) => Promise<{ status: number }>, mine: string): Promise<void> => {
    const [theirs, none] = [await ask(mine), await ask(nobodys)];
    assert.ok([400, 404].includes(theirs.status), String(theirs.status));
    assert.equal(theirs.status, none.status);
  };
  await statuses((each) => stranger.get(`${list}/${each}`), id);
  await statuses((each) => stranger.post(`${list}/${each}/cancel`), id);
  await statuses((each) => stranger.post(`${list}/${each}/refuse`), id);
  await statuses((each) => signed(stranger, `${list}/${each}/approve`, {}), id);
  await statuses((each) => reviewOf(stranger, order({ to: each })), to);
  await statuses((each) => signed(stranger, path, order({ to: each })), to);
  await statuses((each) => stranger.post(`${destinations}/${each}/remove`), to);
  const named = (each: string) => ({ label: 'X', network: 'BITCOIN', address: aBitcoinAddress(), beneficiary: each });
  await statuses((each) => signed(stranger, destinations, named(each)), beneficiary);
  assert.doesNotMatch((await stranger.get(`${destinations}?added=${to}`)).text, /Vault/);
  assert.doesNotMatch((await stranger.get(path)).text, /Vault/);
  assert.deepEqual([await transfersOf(other), await stateOf(shop, id)], [[], 'QUEUED']);
});
