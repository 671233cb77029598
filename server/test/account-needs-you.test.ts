/** What waits for a person, on its page: everything once, decided where it is read, by who may. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { personActor } from '../src/http/actor.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { deleteMembership, insertPerson, saveMembership } from '../src/people/person-store.ts';
import type { Role } from '../src/people/roles.ts';
import { type AccountWorld, accountsAt, type PageAnswer, signed, type Visitor, words } from './account-world.ts';
import { withoutLitecoin } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

const page = '/account/needs-you';
let people = 0;
const member = (shop: Shop, role: Role): Promise<Visitor> =>
  accounts.member(role, `needs-${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);

const titles = ({ text }: PageAnswer): string[] =>
  Array.from(text.matchAll(/<li class="[^"]*"[^>]*>.*?<b>(.*?)<\/b>/gs), ([, title = '']) =>
    title.replaceAll(/<[^>]+>/g, '').replaceAll('\u00a0', ' '),
  );
/** Where the item leads whose sentence has this in it. */
function linkTo({ text }: PageAnswer, part: string): string {
  const links = Array.from(text.matchAll(/<b><a href="([^"]+)">(.*?)<\/a><\/b>/gs));
  const [, path = ''] = links.find(([, , title = '']) => title.replaceAll('\u00a0', ' ').includes(part)) ?? [];
  return path.replaceAll('&amp;', '&').replace(/#.*/, '');
}

/** A transfer that waits for somebody else than the key that asked for it. */
async function waitingTransfer(shop: Shop, amount: string): Promise<string> {
  const order = { network: 'BITCOIN', asset: 'BTC', amount, address: aBitcoinAddress() };
  return (await shop.post('/transfer', order)).transfer.id;
}
async function limitedShop(): Promise<Shop> {
  const shop = await world.shop();
  for (const _ of [1, 2]) await world.paid(shop, '0.001');
  await world.mine(6);
  await changeSettings(world.gateway, shop.merchant.merchantId, { transferApprovalAbove: '0' }, 'operator');
  return shop;
}

test('nothing to do is said in a sentence, and what comes up goes away with its cause', async () => {
  const [shop, stranger] = [await world.shop(), await world.shop()];
  const owner = await member(shop, 'owner');
  const empty = await owner.get(page);
  assert.match(words(empty), /Nothing waits for you/);
  assert.deepEqual(titles(empty), []);

  const under = await world.paid(shop, '0.0006', { pageSettings: { orderReference: 'KN-7' } });
  await world.pass({ minutes: 61 });
  await world.paid(shop, '0.0015', { pageSettings: { orderReference: 'KN-8' } });
  const full = await owner.get(page);
  assert.match(full.text, /<title>\(2\) Needs you/);
  assert.match(words(full), /2 things wait for a person, worst first/);
  const [first = '', second = ''] = titles(full);
  assert.match(first, /^KN-7: .*0\.0006 BTC.*too little/);
  assert.match(second, /^KN-8: .*0\.0005 BTC too much/);
  assert.deepEqual(titles(await (await member(stranger, 'owner')).get(page)), []);

  const opened = await owner.get(linkTo(full, 'KN-7'));
  assert.match(opened.text, new RegExp(`action="/account/checkouts/${under.id}/accept"`));
  assert.equal((await owner.post(`/account/checkouts/${under.id}/accept`)).status, 303);
  assert.deepEqual(titles(await owner.get(page)), [second]);
  // A link to what was decided meanwhile, or that somebody made up, is the list.
  for (const open of [`underpaid.${under.id}`, 'x', '<b>']) {
    const answer = await owner.get(`${page}?open=${encodeURIComponent(open)}&group=x&did=x`);
    assert.deepEqual([answer.status, titles(answer)], [200, [second]]);
  }
  assert.deepEqual(titles(await owner.get(`${page}?group=payments`)), [second]);
  assert.match(words(await owner.get(`${page}?group=approvals`)), /Nothing of this kind waits/);
});

test('a transfer is approved by a passkey that signs this very one, by somebody who may', async () => {
  const shop = await limitedShop();
  const one = await waitingTransfer(shop, '0.0004');
  world.gateway.clock.advance({ seconds: 1 });
  const other = await waitingTransfer(shop, '0.0005');
  const owner = await member(shop, 'owner');
  const list = await owner.get(page);
  assert.deepEqual(titles(list), [
    'A transfer of 0.0004 BTC waits for approval',
    'A transfer of 0.0005 BTC waits for approval',
  ]);
  const opened = await owner.get(linkTo(list, '0.0004'));
  const path = `/account/transfers/${one}`;
  assert.match(opened.text, new RegExp(`action="${path}/approve" data-sign`));

  const stateOf = async (id: string): Promise<string> => (await shop.get(`/transfer?id=${id}`)).transfer.state;
  for (const role of ['accountant', 'support', 'developer', 'viewer'] as const) {
    const visitor = await member(shop, role);
    assert.deepEqual(titles(await visitor.get(page)), [], role);
    assert.equal((await visitor.post(`${path}/approve`)).status, 403, role);
    assert.equal((await visitor.post(`${path}/refuse`)).status, 403, role);
  }
  assert.equal((await owner.post(`${path}/approve`)).status, 403, 'nothing was signed');
  const ofOther = await owner.post(`/account/transfers/${other}/approve`, {}, { 'x-ask': 'passkey' });
  assert.equal((await owner.post(`${path}/approve`, { proof: owner.device.answer(ofOther.json) })).status, 409);
  const stranger = await member(await world.shop(), 'owner');
  assert.equal((await signed(stranger, `${path}/approve`, {})).status, 404);
  assert.deepEqual([await stateOf(one), await stateOf(other)], ['AWAITING_APPROVAL', 'AWAITING_APPROVAL']);

  const approved = await signed(owner, `${path}/approve`, {});
  assert.deepEqual([approved.status, approved.location], [303, `${page}?did=approved`]);
  assert.match(words(await owner.get(approved.location)), /Approved\. The transfer is on its way/);
  assert.notEqual(await stateOf(one), 'AWAITING_APPROVAL');
  assert.equal((await signed(owner, `${path}/approve`, {})).status, 409, 'once');

  const refused = await owner.post(`/account/transfers/${other}/refuse`);
  assert.equal(refused.location, `${page}?did=refused`);
  assert.equal(await stateOf(other), 'CANCELED');
  assert.equal((await owner.post(`${path}/refuse`)).status, 409, 'what was approved is not refused here');
  const trail = await world.gateway.db<{ action: string; actor: string }>`
    select action, actor from audit_log where merchant_id = ${shop.merchant.merchantId} and actor like 'person:%' and action like 'transfer.%'
     order by at, action`;
  assert.deepEqual(
    trail.map(({ action, actor }) => `${action} ${actor.replace(/:.*/, '')}`),
    ['transfer.approved person', 'transfer.canceled person'],
  );
});

test('who approves sees and signs all that decides where money goes; who asked is not asked', async () => {
  const shop = await limitedShop();
  const { merchantId } = shop.merchant;
  const [owner, admin] = [await member(shop, 'owner'), await member(shop, 'admin')];
  const address = aBitcoinAddress();
  const order = { to: 'other', network: 'BITCOIN', address, asset: 'BTC', amount: '0.0004', fee: '1' };
  const made = await signed(owner, '/account/transfers/new', order);
  const id = /transfers\/(\w+)/.exec(made.location)?.[1] ?? '';
  await world.gateway.db`update transfer set memo = '4711', memo_type = 'text' where id = ${id}`;
  assert.match(words(await owner.get(page)), /Nothing waits for you/, 'it is for somebody else to decide');
  for (const place of ['/account', '/account/checkouts'])
    assert.doesNotMatch((await owner.get(place)).text, /transferToApprove|class="count"/, place);

  const shown = words(await admin.get(linkTo(await admin.get(page), '0.0004')));
  assert.ok(shown.includes(address));
  assert.match(shown, /0\.0004 BTC Network Bitcoin .*4711 \(text\).*Asked for by The owner Account/);
  assert.equal((await signed(admin, `/account/transfers/${id}/approve`, {})).status, 303);
  const [row] = await world.gateway.db<{ proof: string }>`
    select proof from audit_log where merchant_id = ${merchantId} and action = 'transfer.approved'`;
  const signedOrder = `0\\.0004 \\S+ on BITCOIN to ${address} with the memo 4711 \\(text\\), asked for by person:\\w+, in the account ${merchantId} `;
  assert.match(row?.proof ?? '', new RegExp(signedOrder));
});

test('whoever made the key that asked cannot approve with a passkey either', async () => {
  const shop = await limitedShop();
  const owner = await member(shop, 'owner');
  const { merchantId } = shop.merchant;
  const [person] = await world.gateway.db<{ id: string }>`
    select person_id as id from membership where merchant_id = ${merchantId}`;
  const as = await world.gateway.createKey(shop.merchant, { maker: personActor(person?.id ?? '') });
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0004', address: aBitcoinAddress() };
  const { id } = (await world.gateway.request('POST', '/transfer', order, { as })).body.transfer;
  const answer = await signed(owner, `/account/transfers/${id}/approve`, {});
  assert.equal(answer.status, 403);
  assert.equal((await shop.get(`/transfer?id=${id}`)).transfer.state, 'AWAITING_APPROVAL');
});

test('each role sees what it can do something about', async () => {
  const shop = await world.shop();
  await world.underpaid(shop, '0.0006');
  const { db, clock } = world.gateway;
  const long = new Date(clock.now().getTime() - 100 * 24 * 3_600_000);
  await db`update api_key set created_at = ${long} where merchant_id = ${shop.merchant.merchantId}`;
  await db`delete from api_key_use where key = ${shop.merchant.apiKey}`;
  const seen = async (role: Role): Promise<number[]> => {
    const answer = await (await member(shop, role)).get(page);
    const all = titles(answer);
    return [
      all.filter((title) => title.includes('too little')).length,
      all.filter((title) => title.includes('90 days')).length,
    ];
  };
  assert.deepEqual(await seen('owner'), [1, 1]);
  assert.deepEqual(await seen('support'), [1, 0]);
  assert.deepEqual(await seen('accountant'), [1, 0]);
  assert.deepEqual(await seen('developer'), [0, 1]);
  assert.deepEqual(await seen('viewer'), [0, 0]);
});

test('what costs nobody anything is hidden for 30 days by who has read it, and comes back', async () => {
  const shop = await world.shop();
  const [owner, admin] = [await member(shop, 'owner'), await member(shop, 'admin')];
  const alone = 'This account has only one owner';
  const inMenu = async (who: Visitor): Promise<string> =>
    /id="menu-waiting">(?:<span class="n"[^>]*>)?(\d*)/.exec((await who.get('/account/developers/keys')).text)?.[1] ??
    '';
  const shown = async (who: Visitor): Promise<string[]> => titles(await who.get(page));
  assert.deepEqual(await shown(owner), []);
  await world.pass({ hours: 24 * 7 });
  await Promise.all([owner.signInWithPasskey(), admin.signInWithPasskey()]);
  assert.deepEqual([await shown(owner), await shown(admin)], [[alone], [alone]]);
  assert.equal(await inMenu(owner), '1');
  const [, item = ''] = /name="item" value="([^"]+)"/.exec((await owner.get(page)).text) ?? [];
  const hidden = await owner.post(`${page}/hide`, { item });
  assert.equal(hidden.location, `${page}?did=hidden`);
  assert.match(words(await owner.get(hidden.location)), /Hidden for 30 days, for you alone/);
  assert.deepEqual([await shown(owner), await inMenu(owner)], [[], '']);
  assert.deepEqual([await shown(admin), await inMenu(admin)], [[alone], '1'], 'only for oneself');
  const { merchantId } = shop.merchant;
  const [late] = await meetAt(
    world.gateway.db,
    (tx) => tx`delete from session where person_id in (select person_id from membership
       where merchant_id = ${merchantId} and role = 'admin')`,
    [() => admin.post(`${page}/hide`, { item })],
  );
  assert.equal(late?.status, 403, 'nor by who is signed out meanwhile');
  await admin.signInWithPasskey();
  assert.deepEqual(await shown(admin), [alone]);

  // What somebody must decide cannot be hidden, nor what is not there.
  const { id } = await world.underpaid(shop, '0.0006');
  for (const name of [`underpaid.${id}`, 'onlyOneOwner.x', ''])
    assert.equal((await owner.post(`${page}/hide`, { item: name })).location, page, name);
  assert.equal((await shown(owner)).length, 1);
  await admin.post(`/account/checkouts/${id}/accept`);

  const personId = 'a-second-one';
  const owners = { merchantId: shop.merchant.merchantId, personId };
  await world.gateway.db.begin(async (tx) => {
    const now = world.gateway.clock.now();
    await insertPerson(
      tx,
      { id: personId, email: 'second@example.com', name: 'Second', language: 'en', isProven: true },
      now,
    );
    await saveMembership(tx, { ...owners, role: 'owner' }, now);
    await tx`update membership set hand_since = ${new Date(now.getTime() - 48 * 3_600_000)} where person_id = ${personId}`;
  });
  await world.pass({ minutes: 2 });
  assert.deepEqual(await shown(admin), []);
  await world.gateway.db.begin((tx) => deleteMembership(tx, owners.merchantId, personId));
  assert.deepEqual(await shown(owner), [alone], 'it was gone, and began anew');
  await owner.post(`${page}/hide`, { item });
  assert.deepEqual(await shown(owner), []);
  await world.pass({ hours: 24 * 30 });
  await owner.signInWithPasskey();
  assert.deepEqual(await shown(owner), [alone]);
});
