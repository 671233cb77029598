/** Refunds that one person asks for and another approves, each with a passkey. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret } from '../src/lib/secret.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { totpCode } from '../src/people/totp.ts';
import { type AccountWorld, accountsAt, signed, type Visitor, words } from './account-world.ts';
import { withoutLitecoin } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

let people = 0;
const member = (shop: Shop, role: Parameters<AccountWorld['member']>[0]): Promise<Visitor> =>
  accounts.member(role, `${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);

const excess = { context: 'OVERPAID_CHECKOUT', asset: 'BTC', network: 'BITCOIN', fee: 'customer', amount: '0.0005' };

/** A shop whose refunds above 10 USD need two people; a checkout of it that was paid too much; what one asks for. */
async function asked(form = excess) {
  const shop = await world.shop({ refundApprovalAbove: '10.00' });
  const [ada, ben] = [await member(shop, 'owner'), await member(shop, 'admin')];
  const { id } = await world.paid(shop, '0.0015');
  const page = `/account/checkouts/${id}`;
  const answer = await signed(ada, `${page}/refund`, form);
  const [refund] = (await shop.checkout(id)).refunds;
  return { shop, ada, ben, id, page, answer, refund, path: `${page}/refunds/${refund?.id}` };
}
const stateOf = async (shop: Shop, id: string): Promise<string> => (await shop.get(`/refund?id=${id}`)).refund.state;

test('what one person asks for above the limit waits until another signs this very refund', async () => {
  const address = aBitcoinAddress();
  const { shop, ada, ben, page, path, answer, refund } = await asked({ ...excess, address } as typeof excess);
  assert.deepEqual([answer.status, answer.location], [303, `${page}?did=Ask`], answer.text);
  assert.equal(refund.state, 'AWAITING_APPROVAL');
  await world.send();
  assert.equal(await received(world.gateway, address), 0n, 'nobody sends it meanwhile');

  assert.match(words(await ada.get(page)), /refund of 0\.0005 BTC waits for approval.*You asked for it.*Take it back/);
  const own = await signed(ada, `${path}/approve`, {});
  assert.deepEqual([own.status, /Nobody approves what they asked for themselves/.test(own.text)], [403, true]);
  const shown = words(await ben.get(page));
  assert.match(shown, /The owner asked for it\. It goes to bcrt1/);
  assert.ok(shown.includes(address));
  assert.equal((await ben.post(`${path}/approve`)).status, 403, 'a fresh sign-in signs nothing');
  const other = await asked();
  assert.equal((await ben.post(`${path}/approve`, { proof: 'x' })).status, 400);
  assert.equal((await signed(other.ben, `${path}/approve`, {})).status, 404, 'of another account');
  for (const role of ['accountant', 'support', 'developer', 'viewer'] as const)
    assert.equal((await signed(await member(shop, role), `${path}/approve`, {})).status, 403, role);
  assert.equal(await stateOf(shop, refund.id), 'AWAITING_APPROVAL');

  const approved = await signed(ben, `${path}/approve`, {});
  assert.deepEqual([approved.status, approved.location], [303, `${page}?did=Approve`], approved.text);
  await world.send();
  assert.ok((await received(world.gateway, address)) > 30_000n);
  assert.equal((await signed(ben, `${path}/approve`, {})).status, 409, 'once');
  const rows = await world.gateway.db<{ action: string; actor: string; proof: string }>`
    select action, actor, proof from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action in ('refund.requested', 'refund.approved') order by at, id`;
  assert.deepEqual(
    rows.map(({ action, actor }) => [action, actor.replace(/:.*/, '')]),
    [
      ['refund.requested', 'person'],
      ['refund.approved', 'person'],
    ],
  );
  assert.notEqual(rows[0]?.actor, rows[1]?.actor);
  const { merchantId } = shop.merchant;
  const order = `signed: approve refund ${refund.id}: 0\\.0005 .* on BITCOIN to ${address}, .*asked for by ${rows[0]?.actor}, in the account ${merchantId} `;
  assert.match(String(rows[1]?.proof), new RegExp(order));
  assert.match(String(rows[0]?.proof), new RegExp(`signed: refund 0\\.0005 .* in the account ${merchantId} `));
});

test('a refund of an amount that nobody named is not signed', async () => {
  const { shop, id, answer } = await asked({ ...excess, amount: '' });
  assert.deepEqual([answer.status, /nothing is filled in here/.test(answer.text)], [400, true], answer.text);
  assert.deepEqual((await shop.checkout(id)).refunds, []);
});

test('a proof for one refund approves no other', async () => {
  const first = await asked();
  const { id } = await world.paid(first.shop, '0.0015');
  await signed(first.ada, `/account/checkouts/${id}/refund`, excess);
  const [second] = (await first.shop.checkout(id)).refunds;
  const challenge = await first.ben.post(`${first.path}/approve`, {}, { 'x-ask': 'passkey' });
  const proof = first.ben.device.answer(challenge.json);
  const path = `/account/checkouts/${id}/refunds/${second.id}/approve`;
  assert.match((await first.ben.post(path, { proof })).text, /answered already/);
  const astray = `${first.page}/refunds/${second.id}/approve`;
  assert.equal((await signed(first.ben, astray, {})).status, 404, 'a refund of another checkout');
  assert.equal(await stateOf(first.shop, second.id), 'AWAITING_APPROVAL');
  const offered = await signed(first.ben, path, {});
  assert.match(offered.text, new RegExp(`data-copy="[^"]*/en/checkout/${id}/refund\\?token=`), 'the link is shown now');
});

test('a key that its maker holds approves nothing that the maker asked for, and the other way round', async () => {
  const { shop, ada, ben, id, refund } = await asked();
  const [maker] = await world.gateway.db<{ actor: `person:${string}` }>`
    select actor from audit_log where merchant_id = ${shop.merchant.merchantId} and action = 'refund.requested'`;
  const as = await world.gateway.createKey(shop.merchant, { maker: maker?.actor ?? 'operator' });
  const refused = await shop.request('POST', '/refund/approve', { id: refund.id }, { as });
  assert.equal(refused.status, 403, JSON.stringify(refused.body));

  await ada.post(`/account/checkouts/${id}/refunds/${refund.id}/refuse`);
  const byKey = await shop.request('POST', '/refund', { checkoutId: id, address: aBitcoinAddress() }, { as });
  assert.equal(byKey.body.refund.state, 'AWAITING_APPROVAL');
  const path = `/account/checkouts/${id}/refunds/${byKey.body.refund.id}/approve`;
  assert.equal((await signed(ada, path, {})).status, 403);
  const soon = await signed(ben, path, {});
  assert.deepEqual([soon.status, /nothing of theirs is approved for a day/.test(soon.text)], [409, true], 'a new key');
  await world.gateway.db`update api_key set created_at = created_at - interval '1 day' where key = ${as.apiKey}`;
  assert.equal((await signed(ben, path, {})).status, 303);
});

test('nothing is approved by who is new here, or was asked for by such a one, until a day is over', async () => {
  const { shop, ben, path } = await asked();
  const people = await world.gateway.db<{ id: string; role: string }>`
    select person_id as id, role from membership where merchant_id = ${shop.merchant.merchantId}`;
  const bens = people.find(({ role }) => role === 'admin')?.id ?? '';
  const adas = people.find(({ role }) => role === 'owner')?.id ?? '';
  const since = (person: string, ms: number) =>
    world.gateway.db`
      update membership set hand_since = ${new Date(world.gateway.clock.now().getTime() - ms)}
       where person_id = ${person} and merchant_id = ${shop.merchant.merchantId}`;
  const day = 24 * 3_600_000;
  for (const [person, code] of [
    [bens, /approves nothing for a day/],
    [adas, /nothing of theirs is approved for a day/],
  ] as const) {
    await since(person, day - 1);
    const refused = await signed(ben, `${path}/approve`, {});
    assert.deepEqual([refused.status, code.test(refused.text)], [409, true], refused.text);
    await since(person, day);
  }
  assert.equal((await signed(ben, `${path}/approve`, {})).status, 200, 'the link is shown');
});

test('whoever approves lets nobody in alone who asks for what they approve, as support does too', async () => {
  const { shop, ada, ben, id } = await asked({ ...excess, amount: '0.0002' });
  await changeSettings(world.gateway, shop.merchant.merchantId, { supportLimit: '100' }, 'operator');
  const support = await member(shop, 'support');
  const sent = { ...excess, amount: '0.0003', address: aBitcoinAddress() };
  assert.equal((await signed(support, `/account/checkouts/${id}/refund`, sent)).status, 303);
  const { refunds } = await shop.checkout(id);
  const refund = refunds.find((each: { address: string | null }) => each.address === sent.address);
  assert.equal(refund?.state, 'AWAITING_APPROVAL', 'what is small for support may be too much for the account');

  const second = await ada.post('/account/people/invite', { email: 'second-name@example.com', role: 'support' });
  assert.deepEqual([second.status, second.location], [303, '/account/people?did=waiting'], words(second));
  const viewer = await member(shop, 'viewer');
  const [person] = await world.gateway.db<{ id: string }>`
    select person_id as id from membership where merchant_id = ${shop.merchant.merchantId} and role = 'viewer'`;
  const grown = await ada.post('/account/people/role', { person: person?.id ?? '', role: 'support' });
  assert.equal(grown.location, '/account/people?did=waiting');
  assert.equal((await signed(viewer, `/account/checkouts/${id}/refund`, sent)).status, 403);
  assert.equal((await signed(ben, `/account/checkouts/${id}/refunds/${refund.id}/approve`, {})).status, 303);
});

test('a refund that waits as the previous release stored it is approved by another key, not by its own', async () => {
  const { shop, ada, path, id } = await asked();
  await ada.post(`${path}/refuse`);
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.gateway.db`update refund set requested_by = null where id = ${refund.id}`;
  const chief = await world.gateway.createKey(shop.merchant);
  const approve = (as: typeof chief) => shop.request('POST', '/refund/approve', { id: refund.id }, { as });
  assert.equal((await approve(shop.merchant)).status, 403);
  assert.equal((await approve(chief)).body.refund.state, 'SENDING');
});

test('it is refused by who could approve it, or taken back by who asked, and by nobody else', async () => {
  const { shop, ada, ben, page, path, refund } = await asked();
  for (const role of ['accountant', 'support', 'developer', 'viewer'] as const)
    assert.equal((await (await member(shop, role)).post(`${path}/refuse`)).status, 403, role);
  assert.equal((await ada.post(`${path}/refuse`)).location, `${page}?did=Refuse`);
  assert.equal(await stateOf(shop, refund.id), 'CANCELED');
  assert.equal((await ben.post(`${path}/refuse`)).status, 409);
  assert.match(words(await ben.get(page)), /paid 0\.0005 BTC too much/, 'it waits for a decision again');
});

test('a refund is not approved when who prepared it may not prepare it any more', async () => {
  const shop = await world.shop();
  const [accountant, owner] = [await member(shop, 'accountant'), await member(shop, 'owner')];
  const { id } = await world.paid(shop, '0.0015');
  await accountant.post(`/account/checkouts/${id}/refund`, { ...excess, address: aBitcoinAddress() });
  const [refund] = (await shop.checkout(id)).refunds;
  const [person] = await world.gateway.db<{ id: string }>`
    select person_id as id from membership where merchant_id = ${shop.merchant.merchantId} and role = 'accountant'`;
  assert.equal((await owner.post('/account/people/role', { person: person?.id ?? '', role: 'viewer' })).status, 303);
  const path = `/account/checkouts/${id}/refunds/${refund.id}`;
  const gone = await signed(owner, `${path}/approve`, {});
  assert.deepEqual([gone.status, /may not ask for it any more/.test(gone.text)], [409, true], gone.text);
  assert.equal((await owner.post(`${path}/refuse`)).status, 303);
  assert.equal(await stateOf(shop, refund.id), 'CANCELED');
});

test('what another approves in the same moment is not refused: that is decided under the lock', async () => {
  const { shop, ben, path, refund } = await asked({ ...excess, address: aBitcoinAddress() } as typeof excess);
  const eve = await member(shop, 'admin');
  const challenge = await ben.post(`${path}/approve`, {}, { 'x-ask': 'passkey' });
  const proof = ben.device.answer(challenge.json);
  const [approved, refused] = await meetAt(
    world.gateway.db,
    (tx) => tx`select from checkout where id = (select checkout_id from refund where id = ${refund.id}) for update`,
    [() => ben.post(`${path}/approve`, { proof }), () => eve.post(`${path}/refuse`)],
  );
  assert.deepEqual([approved?.status, refused?.status], [303, 409], refused?.text);
  assert.equal(await stateOf(shop, refund.id), 'SENDING');
});

test('a code of an app signs nothing, so it asks for no refund that others must approve', async () => {
  const shop = await world.shop({ refundApprovalAbove: '20.00' });
  const { merchantId } = shop.merchant;
  const owner = await accounts.memberWithPassword('owner', 'code@example.com', merchantId);
  const secret =
    /name="secret" readonly value="(\w+)"/.exec((await owner.get('/account/my-sign-in/totp')).text)?.[1] ?? '';
  const codeNow = (): string => {
    world.gateway.clock.advance({ seconds: 30 });
    return totpCode(new Secret(secret), BigInt(Math.floor(world.gateway.clock.now().getTime() / 30_000)));
  };
  assert.equal((await owner.post('/account/my-sign-in/totp', { secret, 'new-code': codeNow() })).status, 303);
  const { id } = await world.paid(shop, '0.0015');
  const path = `/account/checkouts/${id}/refund`;
  const refused = await owner.post(path, { ...excess, code: codeNow() });
  assert.deepEqual([refused.status, /only a passkey can ask for that/.test(refused.text)], [409, true], refused.text);
  assert.deepEqual((await shop.checkout(id)).refunds, []);
  assert.equal((await owner.post(path, { ...excess, amount: '0.0002', code: codeNow() })).status, 200);
  const [refund] = (await shop.checkout(id)).refunds;
  assert.equal(refund.state, 'CLAIMABLE', 'below the limit it may');

  const rest = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  assert.equal(rest.refund.state, 'AWAITING_APPROVAL');
  const approve = `/account/checkouts/${id}/refunds/${rest.refund.id}/approve`;
  assert.equal((await owner.post(approve, { code: codeNow() })).status, 403, 'nor does it approve');
  assert.match(words(await owner.get(`/account/checkouts/${id}`)), /Approving needs a passkey/);
});

test('an accountant prepares a refund, however small, and somebody else approves it', async () => {
  const shop = await world.shop();
  const [accountant, owner] = [await member(shop, 'accountant'), await member(shop, 'owner')];
  const { id } = await world.paid(shop, '0.0015');
  const page = `/account/checkouts/${id}`;
  assert.match(words(await accountant.get(page)), /Ask for BTC back An owner or an admin approves it/);
  assert.equal((await accountant.post(`${page}/refund`, excess)).location, `${page}?did=Ask`);
  const [refund] = (await shop.checkout(id)).refunds;
  assert.equal(refund.state, 'AWAITING_APPROVAL');
  const path = `${page}/refunds/${refund.id}`;
  assert.equal((await signed(accountant, `${path}/approve`, {})).status, 403);
  assert.match(words(await owner.get(page)), /The accountant asked for it\. It goes where the customer says/);
  assert.equal((await accountant.post(`${path}/refuse`)).location, `${page}?did=Refuse`, 'who asked takes it back');
  await accountant.post(`${page}/refund`, excess);
  const again = (await shop.checkout(id)).refunds.find(({ state }: { state: string }) => state !== 'CANCELED');
  assert.equal((await signed(owner, `${page}/refunds/${again.id}/approve`, {})).status, 200);
  assert.equal(await stateOf(shop, again.id), 'CLAIMABLE');
});
