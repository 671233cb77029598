/** What the operator's staff do with accounts: open, suspend and look at them, and who may be of the staff. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { accountRoutes } from '../src/account/account-routes.ts';
import type { AccountRoute } from '../src/account/frame/account-route.ts';
import type { Query } from '../src/db/database.ts';
import { houseNeeds } from '../src/finding/house-needs.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { addMs, hours } from '../src/lib/clock.ts';
import { insertAudit } from '../src/merchants/merchant-store.ts';
import { lockStaff } from '../src/people/staff-store.ts';
import { listHeldBack } from '../src/refunds/cancel-held-back.ts';
import { type AccountWorld, accountsAt, type PageAnswer, type Visitor } from './account-world.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { freshAddress, mine, openSender, receivedAt } from './transfer-story.ts';

let gateway: Gateway;
let world: AccountWorld;
let operator: Visitor;
before(async () => {
  gateway = await startGateway({ hasAccount: true, env: withoutLitecoin });
  world = accountsAt(gateway);
  operator = await world.staff('operator', 'ines@operator.example');
});
after(() => gateway.stop());

class RolledBack extends Error {}

const merchantPath = (id: string): string => `/operator/merchants/${id}`;
const actionsIn = async (merchantId: string): Promise<string[]> =>
  (
    await gateway.db<{ action: string }>`select action from audit_log where merchant_id = ${merchantId} order by id`
  ).map(({ action }) => action);
const personId = async (email: string): Promise<string> =>
  (await gateway.db<{ id: string }>`select id from person where email = ${email}`)[0]?.id ?? '';
const sentence = ({ text }: PageAnswer): string => /role="alert">.*?<span>(.*?)<\/span>/s.exec(text)?.[1] ?? '';

/** All that people of an account send; no handler of these is called. */
function formsOfAccounts(): AccountRoute[] {
  const { db, clock } = gateway;
  const unused = {} as Parameters<typeof accountRoutes>[0];
  const files = { stylesheet: '', script: '', styleguide: '' };
  const routes = accountRoutes({ ...unused, db, clock, accountUrl: world.accountUrl, files });
  return routes.filter(({ methods, access }) => methods.includes('POST') && typeof access === 'object');
}

test('a suspended account charges and sends nothing, and is credited what arrives', async () => {
  const shop = await openSender(gateway, '0.01');
  const { merchantId } = shop.merchant;
  const owner = await world.member('owner', 'owner@suspended.example', merchantId);
  const body = aCharge('25.00 USD', { webhook: gateway.webhookUrl });
  const { id } = await shop.post('/checkout/hosted', body);
  const { address, amount } = await shop.commit(id, 'BITCOIN');
  const { id: unchosen } = await shop.post('/checkout/hosted', { ...body, meta: { order: 'unchosen' } });
  const goal = freshAddress();
  const asked = await shop.send({ amount: '0.001', address: goal });

  const suspended = await operator.post(`${merchantPath(merchantId)}/suspend`, { why: 'A key of yours was stolen.' });
  assert.equal(suspended.status, 303, suspended.text);
  assert.match((await operator.get(merchantPath(merchantId))).text, /Suspended since .*A key of yours was stolen\./s);

  const sentenceToKeys =
    'This account is suspended: A key of yours was stolen. It can be read, and nothing can be charged, sent or changed. Ask the operator.';
  for (const [path, wish] of [
    ['/checkout', aCharge('1.00 USD')],
    ['/checkout/commit', { checkoutId: unchosen, network: 'BITCOIN' }],
    ['/transfer', { network: 'BITCOIN', asset: 'BTC', amount: '0.001', address: goal }],
    ['/deposit-address', { network: 'BITCOIN' }],
  ] as const)
    assert.deepEqual(await shop.refused(403, 'POST', path, wish), [sentenceToKeys]);
  const leftToKeys: string[] = [];
  for (const { method, path, access } of Object.values<Endpoint>(endpoints)) {
    if (access === 'public') continue;
    const { status, body: answer } = await shop.request(method, path, method === 'GET' ? undefined : {});
    if (status !== 403 || answer.errors[0] !== sentenceToKeys) leftToKeys.push(`${method} ${path}`);
  }
  // Of all that the contract names: what would leave can be taken back, and webhooks can be sent again.
  assert.deepEqual(leftToKeys.filter((endpoint) => !endpoint.startsWith('GET ')).toSorted(), [
    'POST /refund/cancel',
    'POST /transfer/cancel',
    'POST /webhook-deliveries/redeliver',
  ]);
  assert.ok(leftToKeys.includes('GET /checkouts'));
  assert.equal(await shop.state(id), 'PENDING', 'what there is can be read');
  assert.match((await owner.get('/account')).text, /This account is suspended: A key of yours was stolen\./);
  const link = await owner.post('/account/checkouts/new', { amount: '10', currency: 'USD' });
  assert.deepEqual([link.status, /suspended: it can be looked at/.test(sentence(link))], [403, true], link.text);
  const protective: string[] = [];
  for (const { path, access } of formsOfAccounts()) {
    const answer = await owner.post(path.replace(/:id|:key/, 'c81k2mz09qal'));
    const isLeft = typeof access === 'object' && access.may !== 'webhooks' && !/is suspended/.test(sentence(answer));
    if (isLeft) protective.push(path);
  }
  assert.deepEqual(protective.toSorted(), [
    '/account/checkouts/:id/refunds/:refund/cancel',
    '/account/checkouts/:id/refunds/:refund/refuse',
    '/account/developers/keys/:key/revoke',
    '/account/people/sign-out',
    '/account/transfers/:id/cancel',
    '/account/transfers/:id/refuse',
  ]);
  const stolen = await gateway.createKey(shop.merchant);
  assert.equal((await owner.post(`/account/developers/keys/${stolen.apiKey}/revoke`)).status, 303);
  assert.equal((await gateway.request('GET', '/checkouts', undefined, { as: stolen })).status, 401);

  const page = async (checkout: string): Promise<string> =>
    (await fetch(new URL(`/en/checkout/${checkout}`, gateway.url))).text();
  for (const checkout of [id, unchosen]) {
    assert.match(await page(checkout), /This shop takes no payments at the moment/);
    assert.ok(!(await page(checkout)).includes(address), 'nobody is shown where to send money');
  }
  await fetch(new URL(`/en/checkout/${unchosen}/commit`, gateway.url), {
    method: 'POST',
    body: new URLSearchParams({ method: 'BITCOIN BTC' }),
    redirect: 'manual',
  });
  assert.equal(await shop.state(unchosen), 'CREATED', 'nor does a payer choose a way to pay');

  await gateway.runUntilIdle();
  gateway.bitcoin.pay({ address, amount });
  await mine(gateway, 6);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(shop.eventsOf(id).at(-1), 'CHECKOUT_COMPLETED COMPLETED', 'and the shop is told');
  assert.equal((await shop.transfer(asked.id)).state, 'QUEUED', 'what was asked for before waits');
  assert.equal(await receivedAt(gateway, goal), 0n);

  assert.equal((await operator.post(`${merchantPath(merchantId)}/resume`)).status, 303);
  assert.equal((await operator.post(`${merchantPath(merchantId)}/resume`)).status, 409);
  await gateway.runUntilIdle();
  await mine(gateway, 6);
  assert.equal((await shop.transfer(asked.id)).state, 'COMPLETED');
  assert.equal(await receivedAt(gateway, goal), 100_000n);
  const trails = await gateway.db`
    select from audit_log where merchant_id = ${merchantId} and action like 'merchant.%' and address is not null`;
  assert.equal(trails.length, 0, 'from where the staff did it is in their own log');
  assert.deepEqual(
    (await actionsIn(merchantId)).filter((action) => action.startsWith('merchant.')),
    ['merchant.created', 'merchant.suspended', 'merchant.resumed'],
  );
});

test('what a thief asked for is taken back while the account is suspended, by its people, its keys or the operator', async () => {
  const shop = await openSender(gateway, '0.01');
  const { merchantId } = shop.merchant;
  const owner = await world.member('owner', 'owner@robbed.example', merchantId);
  const goal = freshAddress();
  const send = async (): Promise<string> => (await shop.send({ amount: '0.001', address: goal })).id;
  const [byOwner, byKey, byStaff, byCommand, left] = [
    await send(),
    await send(),
    await send(),
    await send(),
    await send(),
  ];
  const cancel = `${merchantPath(merchantId)}/cancel`;
  const early = await operator.post(cancel, { order: byStaff });
  assert.deepEqual([early.status, /its own people decide/.test(early.text)], [409, true]);
  await operator.post(`${merchantPath(merchantId)}/suspend`, { why: 'A key of yours was stolen.' });

  assert.equal((await owner.post(`/account/transfers/${byOwner}/cancel`)).status, 303);
  await shop.post('/transfer/cancel', { id: byKey });
  const isStuckTold = async (tx: Query): Promise<boolean> => {
    const needs = await houseNeeds({ db: tx, clock: gateway.clock, networks: ['BITCOIN'] });
    return needs.some(({ name }) => name.includes('a-stuck-payout'));
  };
  await gateway.db
    .begin(async (tx) => {
      const [long, longer] = [addMs(gateway.clock.now(), -hours(1)), addMs(gateway.clock.now(), -hours(2))];
      await tx`
        insert into outgoing_transfer (id, network, asset, units, address, purpose, merchant_id, state, requested_at)
        select 'held-' || n, 'BITCOIN', 'BTC', 1, 'a', 'transfer', ${merchantId}, 'QUEUED', ${longer}::timestamptz
          from generate_series(1, 250) as n
         union all select 'a-stuck-payout', 'BITCOIN', 'BTC', 1, 'a', 'withdrawal', 'operator', 'QUEUED', ${long}::timestamptz`;
      assert.ok(await isStuckTold(tx), 'however much is held back');
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  assert.match((await operator.get(merchantPath(merchantId))).text, new RegExp(`Waits to leave.*${byStaff}`, 's'));
  assert.equal((await operator.post(cancel, { order: byStaff })).location, `${merchantPath(merchantId)}?did=canceled`);
  assert.equal((await operator.post(cancel, { order: byStaff })).status, 409, 'once');
  const payload = { merchantId, orderId: byCommand };
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'order.cancel', payload, runAt: gateway.clock.now() }]));
  await gateway.runUntilIdle();
  await operator.post(`${merchantPath(merchantId)}/resume`);
  await gateway.runUntilIdle();
  await mine(gateway, 6);
  for (const id of [byOwner, byKey, byStaff, byCommand]) assert.equal((await shop.transfer(id)).state, 'CANCELED');
  assert.equal((await shop.transfer(left)).state, 'COMPLETED');
  assert.equal(await receivedAt(gateway, goal), 100_000n);
  const told = await gateway.db<{ actor: string; address: string | null }>`
    select actor, address from audit_log where merchant_id = ${merchantId} and detail->>'id' = ${byStaff}
       and action = 'transfer.canceled'`;
  assert.deepEqual(told, [{ actor: 'operator', address: null }], 'its people see it, and not from where');
  assert.match((await operator.get('/operator/audit?kind=merchants')).text, new RegExp(`Took back ${byStaff}`));
});

test('a refund whose link a thief has, or that waits for a yes, is taken back while the account is suspended', async () => {
  const shop = await openSender(gateway, '0', { refundApprovalAbove: '50' });
  const { merchantId } = shop.merchant;
  const owner = await world.member('owner', 'owner@claims.example', merchantId);
  const ask = async () => {
    const { id, address } = await shop.open('60.00 USD', 'BITCOIN');
    gateway.bitcoin.pay({ address, amount: '0.0006' });
    await mine(gateway, 6);
    gateway.clock.advance({ minutes: 61 });
    await gateway.runUntilIdle();
    const { refund, claimUrl } = await shop.post('/refund', { checkoutId: id });
    return { id: refund.id as string, checkoutId: id, state: refund.state as string, claimUrl: String(claimUrl) };
  };
  const [first, second, third] = [await ask(), await ask(), await ask()];
  assert.deepEqual([first.state, second.state, third.state], ['CLAIMABLE', 'AWAITING_APPROVAL', 'AWAITING_APPROVAL']);
  await operator.signInWithPasskey();
  await operator.post(`${merchantPath(merchantId)}/suspend`, { why: 'A key of yours was stolen.' });
  const orders = async () => (await listHeldBack(gateway.db, merchantId)).map(({ id, waitsFor }) => [id, waitsFor]);
  assert.deepEqual(await orders(), [
    [first.id, 'payer'],
    [second.id, 'approval'],
    [third.id, 'approval'],
  ]);
  const waits = (await operator.get(merchantPath(merchantId))).text;
  for (const { id } of [first, second, third]) assert.match(waits, new RegExp(`Waits to leave.*${id}`, 's'));

  const page = `/account/checkouts/${first.checkoutId}`;
  const cancel = `${page}/refunds/${first.id}/cancel`;
  await owner.signInWithPasskey();
  assert.ok((await owner.get(page)).text.includes(`action="${cancel}"`));
  const viewer = await world.member('viewer', 'viewer@claims.example', merchantId);
  assert.equal((await viewer.post(cancel)).status, 403);
  assert.equal((await owner.post(cancel)).location, `${page}?did=Refuse`);
  assert.ok(!(await owner.get(page)).text.includes(`action="${cancel}"`), 'once');
  const took = await operator.post(`${merchantPath(merchantId)}/cancel`, { order: second.id });
  assert.equal(took.location, `${merchantPath(merchantId)}?did=canceled`);
  const payload = { merchantId, orderId: third.id };
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'order.cancel', payload, runAt: gateway.clock.now() }]));
  await gateway.runUntilIdle();
  assert.deepEqual(await orders(), []);
  await operator.post(`${merchantPath(merchantId)}/resume`);
  const claim = new URL(first.claimUrl);
  const form = new URLSearchParams({ token: claim.searchParams.get('token') ?? '', address: freshAddress() });
  const place = `${new URL(gateway.url).origin}${claim.pathname}`;
  await fetch(place, { method: 'POST', body: form, redirect: 'manual' });
  await gateway.runUntilIdle();
  for (const { id } of [first, second, third])
    assert.equal((await shop.get(`/refund?id=${id}`)).refund.state, 'CANCELED');
});

test('a refund that is queued is taken back by who may refund, and what waits for a yes by who may give it', async () => {
  const shop = await openSender(gateway, '0', { refundApprovalAbove: '50' });
  const { merchantId } = shop.merchant;
  const support = await world.member('support', 'support@queued.example', merchantId);
  const underpaid = await Promise.all([1, 2].map(() => shop.open('60.00 USD', 'BITCOIN')));
  for (const { address } of underpaid) gateway.bitcoin.pay({ address, amount: '0.0006' });
  await mine(gateway, 6);
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  const ask = async (checkoutId = '') => {
    const { refund } = await shop.post('/refund', { checkoutId, address: freshAddress() });
    return { id: refund.id as string, path: `/account/checkouts/${checkoutId}/refunds/${refund.id}/cancel` };
  };
  const [queued, waiting] = [await ask(underpaid[0]?.id), await ask(underpaid[1]?.id)];
  await support.signInWithPasskey();
  assert.equal((await support.post(waiting.path)).status, 409, 'it is refused, by who may approve it');
  assert.equal((await support.post(queued.path)).status, 303);
  assert.equal((await shop.get(`/refund?id=${queued.id}`)).refund.state, 'CANCELED');
  assert.equal((await shop.get(`/refund?id=${waiting.id}`)).refund.state, 'AWAITING_APPROVAL');
});

test('who looks at an account sees it and changes nothing, whatever they send, and its people see who looked', async () => {
  const shop = await gateway.createMerchant('Looked at');
  const { merchantId } = shop;
  const owner = await world.member('owner', 'owner@looked.example', merchantId);
  const support = await world.staff('support', 'sam@operator.example');
  assert.equal((await support.get('/account')).location, '/operator', 'staff belong to no account');
  const treasurer = await world.staff('treasury', 'tom@operator.example');
  assert.equal((await treasurer.post(`${merchantPath(merchantId)}/look`)).status, 403);

  assert.equal((await support.post(`${merchantPath(merchantId)}/look`)).location, '/account');
  support.lookAt(merchantId);
  const home = await support.get('/account');
  assert.match(home.text, /You look at Looked at as staff of the operator\./);
  for (const path of ['/account/checkouts', '/account/customers', '/account/balances', '/account/settings/audit'])
    assert.equal((await support.get(path)).status, 200, path);
  for (const path of [
    '/account/developers/keys',
    '/account/people',
    '/account/settings/limits',
    '/account/transfers/new',
    '/account/checkouts/c81k2mz09qal/invoice',
  ])
    assert.equal((await support.get(path)).status, 403, path);

  const before = await actionsIn(merchantId);
  const { db } = gateway;
  const forms = formsOfAccounts();
  assert.ok(forms.length > 40);
  for (const { path } of forms) {
    const answer = await support.post(path.replace(':id', 'c81k2mz09qal'));
    assert.equal(answer.status, 403, path);
    assert.match(sentence(answer), /You only look at this account/, path);
  }
  assert.deepEqual(await actionsIn(merchantId), before);
  assert.equal(before.at(-1), 'staff.looked');
  assert.match(
    (await owner.get('/account/settings/audit')).text,
    /Looked at the account as staff of the operator.*?The support/s,
  );

  assert.equal((await support.post('/operator/stop-looking')).location, merchantPath(merchantId));
  assert.equal((await support.get('/account')).location, '/operator');
  await support.post(`${merchantPath(merchantId)}/look`);
  gateway.clock.advance({ minutes: 40 });
  assert.equal((await support.get('/account')).status, 200);
  gateway.clock.advance({ minutes: 21 });
  assert.equal((await support.get('/account')).location, '/operator', 'it ends by itself');
  await support.post(`${merchantPath(merchantId)}/look`);
  await db`update staff set role = 'viewer' where person_id = ${await personId('sam@operator.example')}`;
  assert.equal((await support.get('/account')).location, '/operator', 'and with the right to look');
});

test('who is signed out by somebody of the account is out everywhere, also while it is suspended', async () => {
  const { merchantId } = await gateway.createMerchant('Robbed');
  const [owner, admin, viewer] = [
    await world.member('owner', 'owner@laptop.example', merchantId),
    await world.member('admin', 'admin@laptop.example', merchantId),
    await world.member('viewer', 'viewer@laptop.example', merchantId),
  ];
  const signOut = async (by: Visitor, email: string) =>
    by.post('/account/people/sign-out', { person: await personId(email) });
  await operator.signInWithPasskey();
  await operator.post(`${merchantPath(merchantId)}/suspend`, { why: 'A laptop was stolen.' });
  assert.equal((await signOut(viewer, 'admin@laptop.example')).status, 403);
  assert.equal((await signOut(admin, 'owner@laptop.example')).status, 403, 'admins leave owners alone');
  assert.equal((await signOut(admin, 'admin@laptop.example')).status, 409, 'one’s own are under My sign-in');
  assert.equal((await signOut(owner, 'ines@operator.example')).status, 404, 'somebody of elsewhere');
  assert.equal((await signOut(owner, 'admin@laptop.example')).status, 303);
  assert.match((await admin.get('/account')).location, /sign-in/);
  assert.equal((await viewer.get('/account')).status, 200);
  assert.equal((await actionsIn(merchantId)).at(-1), 'person.signed_out');
  await admin.signInWithPasskey();
  assert.equal((await admin.get('/account/people')).status, 200, 'who can, comes back');
});

test('the search says whose a thing is, to who may look there, and no more than that', async () => {
  const shop = await openSender(gateway, '0.01');
  const { merchantId, apiKey } = shop.merchant;
  await gateway.db`update merchant set name = 'Bäckerei Nordlicht & Söhne' where id = ${merchantId}`;
  await world.member('developer', 'dora.field@nordlicht.example', merchantId);
  const { id, address, amount } = await shop.open('25.00 USD', 'BITCOIN', { meta: { order: 'N-77123' } });
  const paid = gateway.bitcoin.pay({ address, amount });
  const goal = freshAddress();
  const sent = await shop.send({ amount: '0.001', address: goal });
  await mine(gateway, 6);
  await gateway.runUntilIdle();
  const carried = (await shop.transfer(sent.id)).txHash;
  const [support, treasurer] = [
    await world.staff('support', 'sue@operator.example'),
    await world.staff('treasury', 'theo@operator.example'),
  ];
  const linksFor = async (who: Visitor, text: string): Promise<string[]> => {
    const { text: page } = await who.get(`/operator/search?${new URLSearchParams({ q: text }).toString()}`);
    const found = /id="found".*?<\/main>/s.exec(page)?.[0] ?? '';
    return [...found.matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  };
  const own = merchantPath(merchantId);
  const at = (path: string): string => `${own}?${new URLSearchParams({ to: path }).toString()}`;
  for (const text of ['nordl', 'söhne BÄCK', apiKey, merchantId, 'dora.field@nordlicht.example', 'DORA'])
    for (const who of [support, treasurer]) assert.deepEqual(await linksFor(who, text), [own], text);
  const inside = {
    [id]: `/account/checkouts/${id}`,
    'n-77123': `/account/checkouts/${id}`,
    [address]: `/account/checkouts/${id}`,
    [paid]: `/account/checkouts/${id}`,
    [sent.id]: `/account/transfers/${sent.id}`,
    [goal]: `/account/transfers/${sent.id}`,
    [carried]: `/account/transfers/${sent.id}`,
  };
  for (const [text, path] of Object.entries(inside)) {
    assert.deepEqual(await linksFor(support, text), [at(path)], text);
    assert.deepEqual(await linksFor(treasurer, text), [], `${text}: who may not look learns nothing`);
  }
  for (const text of ['', ' ', "';:*&|!", 'ordlicht'])
    assert.deepEqual(
      (await linksFor(support, text)).filter((link) => link.startsWith(own)),
      [],
      text,
    );
  assert.deepEqual(await linksFor(support, 'suspense'), ['/operator/suspense'], 'pages by their names');

  const page = await support.get(at(`/account/checkouts/${id}`));
  assert.match(page.text, /What you looked for is in this account/);
  assert.ok(!(await actionsIn(merchantId)).includes('staff.looked'), 'a link is no look');
  assert.equal(
    (await support.post(`${own}/look`, { to: `/account/checkouts/${id}` })).location,
    `/account/checkouts/${id}`,
  );
  assert.equal((await actionsIn(merchantId)).at(-1), 'staff.looked');
  for (const to of ['https://evil.example/', '//evil.example', '/operator/staff', '/account/../operator'])
    assert.equal((await support.post(`${own}/look`, { to })).location, '/account', to);
});

test('many accounts are listed a page at a time, each of them once', async () => {
  await operator.signInWithPasskey();
  const first = new Date(gateway.clock.now().getTime() - 3_600_000);
  await gateway.db`
    insert into merchant (id, name, account_currency, webhook_secret, created_at)
    select 'listed' || lpad(number::text, 6, '0'), 'Kiosk ' || number, 'EUR', '', ${first}::timestamptz + number / 3 * interval '1 second'
      from generate_series(1, 120) as number`;
  for (const search of ['', 'kiosk']) {
    const seen: string[] = [];
    let path = `/operator/merchants?q=${search}`;
    for (let pages = 0; path !== '' && pages < 10; pages += 1) {
      const { text } = await operator.get(path);
      seen.push(...[...text.matchAll(/href="\/operator\/merchants\/(listed\d+)"/g)].map(([, id = '']) => id));
      path = (/href="([^"]+)" rel="next"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
    }
    assert.equal(seen.length, 120, search);
    assert.equal(new Set(seen).size, 120, search);
    assert.deepEqual(seen, seen.toSorted().toReversed(), 'the newest first');
  }
  await gateway.db`delete from merchant where id like 'listed%'`;
});

test('an account is opened for its owner, and from then on the operator invites nobody into it', async () => {
  await operator.signInWithPasskey();
  const opened = await operator.post('/operator/merchants', {
    name: 'Studio Lumen',
    email: 'Lena@lumen.example',
    currency: 'EUR',
  });
  const [, token = ''] = /\/account\/welcome#([\w-]+)/.exec(opened.text) ?? [];
  assert.equal(opened.status, 200, opened.text);
  const [row] = await gateway.db<{ id: string }>`select id from merchant where name = 'Studio Lumen'`;
  const id = row?.id ?? '';
  assert.match((await operator.get('/operator/merchants?q=lumen')).text, /Studio Lumen.*nobody owns it yet/s);
  const another = await operator.post(`${merchantPath(id)}/invite`, { email: 'puppet@operator.example' });
  const [, second = ''] = /\/account\/welcome#([\w-]+)/.exec(another.text) ?? [];
  assert.equal(another.status, 200, another.text);
  const lena = world.visitor();
  await lena.join(token, 'Lena');
  const late = await world.visitor().join(second, 'Puppet');
  assert.deepEqual([late.status, await personId('puppet@operator.example')], [410, ''], 'the first owner is the last');
  await lena.addFirstPasskey();
  assert.match((await lena.get('/account')).text, /Studio Lumen/);
  const again = await operator.post(`${merchantPath(id)}/invite`, { email: 'ines@operator.example' });
  assert.deepEqual([again.status, sentence(again)], [409, 'This account has an owner, who invites others.']);
  assert.equal((await operator.post(`${merchantPath(id)}/fees`, { percent: '0,9', minimum: '' })).status, 303);
  assert.equal((await operator.post(`${merchantPath(id)}/fees`, { percent: '90' })).status, 400);
  const [fees] = await gateway.db`select fee_percent, fee_minimum_usd from merchant where id = ${id}`;
  assert.deepEqual({ ...fees }, { fee_percent: '0.9', fee_minimum_usd: null });
  assert.match((await operator.get('/operator/audit?kind=merchants')).text, /Changed the fees of Studio Lumen/);
  const readLog = async (who: Visitor): Promise<string> =>
    `${(await who.get('/operator/audit?kind=merchants')).text}${(await who.get('/operator/audit/export?kind=merchants')).text}`;
  assert.match(await readLog(operator), /Invited puppet@operator\.example to own Studio Lumen[^]*"email/);
  for (const role of ['viewer', 'treasury'] as const) {
    const seen = await readLog(await world.staff(role, `${role}@lumen.example`));
    assert.match(seen, /Invited somebody to own Studio Lumen[^]*merchant\.owner_invited/, role);
    assert.ok(!seen.includes('puppet@operator.example'), `${role} reads no address of an account’s owner`);
  }
  const trails = await gateway.db`
    select action from audit_log where merchant_id = ${id} and address is not null and actor <> ${`person:${await personId('lena@lumen.example')}`}`;
  assert.deepEqual(trails, [], 'from where the staff did it is in their own log');
});

test('the log says with which memo money leaves, and of a goal without one nothing more', async () => {
  const actions = ['requested', 'approved', 'refused'].map((what) => `withdrawal.${what}`);
  actions.push(...['return_requested', 'return_refused', 'returned'].map((what) => `unmatched.${what}`));
  const at = gateway.clock.now();
  for (const action of actions)
    for (const memo of ['1042', null])
      await gateway.db.begin((tx) =>
        insertAudit(tx, {
          merchantId: 'operator',
          at,
          actor: 'operator',
          action,
          detail: { id: 'memoed', asset: 'BTC', units: '100000', address: `to-${action}`, memo },
        }),
      );
  const { text } = await operator.get('/operator/audit');
  for (const action of actions) {
    assert.equal(text.split(`to-${action}, memo 1042`).length, 2, action);
    assert.equal(text.split(`to-${action}`).length, 3, action);
    assert.equal(text.split(`to-${action}, memo`).length, 2, action);
  }
});

test('the staff invites, changes and removes others, nobody themselves, and never the last operator', async () => {
  const own = await personId('ines@operator.example');
  const invited = await operator.post('/operator/staff/invite', { email: 'otto@operator.example', role: 'operator' });
  const [, token = ''] = /\/account\/welcome#([\w-]+)/.exec(invited.text) ?? [];
  const otto = world.visitor();
  await otto.join(token, 'Otto');
  await otto.addFirstPasskey();
  assert.equal((await otto.get('/operator/staff')).status, 200);
  for (const path of ['/operator/staff/remove', '/operator/staff/role']) {
    const refused = await operator.post(path, { person: own, role: 'viewer' });
    assert.deepEqual([refused.status, sentence(refused)], [409, 'Nobody changes their own place among the staff.']);
  }
  const person = await personId('otto@operator.example');
  assert.equal((await operator.post('/operator/staff/sign-out', { person })).status, 303);
  assert.match((await otto.get('/operator')).location, /sign-in/);
  await otto.signInWithPasskey();
  // Each removes the other in the same moment: one of them stays, and is an operator.
  const [first, second] = await Promise.all([
    operator.post('/operator/staff/remove', { person }),
    otto.post('/operator/staff/remove', { person: own }),
  ]);
  const operators = await gateway.db<{ personId: string }>`
    select person_id as "personId" from staff where role = 'operator'`;
  assert.equal(operators.length, 1, `${first.status} ${second.status}`);
  // Not by the answers: whoever is out is sent to the sign-in, which is as much of a 303.
  const [gone, stays] = operators[0]?.personId === own ? [otto, operator] : [operator, otto];
  assert.equal((await gone.get('/operator')).status === 200, false);
  assert.equal((await stays.get('/operator/staff')).status, 200);
  const file = await stays.get('/operator/audit/export?kind=staff');
  assert.match(file.headers['content-type'] ?? '', /text\/csv/);
  assert.match(file.text, /staff\.removed/);
});

test('somebody joins by an invitation of whom another puts out at that moment, and neither waits for the other', async () => {
  const olga = await world.staff('operator', 'olga@operator.example');
  const ivan = await world.staff('operator', 'ivan@operator.example');
  const invited = await ivan.post('/operator/staff/invite', { email: 'friend@operator.example', role: 'viewer' });
  const [, token = ''] = /\/account\/welcome#([\w-]+)/.exec(invited.text) ?? [];
  const person = await personId('ivan@operator.example');
  const answers = await meetAt(gateway.db, (tx) => lockStaff(tx), [
    () => olga.post('/operator/staff/remove', { person }),
    () => world.visitor().join(token, 'A friend'),
  ]);
  assert.deepEqual(
    answers.map((answer) => answer?.status),
    [303, 410],
    'whoever was put out invited nobody',
  );
});
