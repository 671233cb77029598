/** What a key may do: every endpoint × every scope, who gets which scopes, and who never approves whose orders. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { type Scope, scopes, scopesFor } from '@quittance/contract/permissions';
import { type Actor, keyActor, personActor } from '../src/http/actor.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { newId } from '../src/lib/ids.ts';
import { createKey } from '../src/merchants/create-key.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { isOwnOrder } from '../src/merchants/is-own-order.ts';
import { rotateKey } from '../src/merchants/rotate-key.ts';
import { recordEvent } from '../src/webhooks/record-event.ts';
import { atLeastOne } from './at-least-one.ts';
import { aCharge, type Gateway, startGateway, type TestMerchant } from './gateway.ts';
import { mine, openSender, type Sender, somewhere } from './transfer-story.ts';

let gateway: Gateway;
/** Every transfer of it waits for approval, and every refund. */
let shop: Sender;
const encryption = () => createEncryption(Buffer.from(gateway.env['MASTER_KEY'] as string, 'hex'));
const deps = () => ({ db: gateway.db, clock: gateway.clock, encryption: encryption() });
before(async () => {
  gateway = await startGateway();
  shop = await openSender(gateway, '0.5', { transferApprovalAbove: '0' });
});
after(() => gateway.stop());

/** Written down once more, so that nobody widens what a stolen key can do without saying so here. */
const expected: Readonly<Record<string, string>> = {
  authTest: 'any',
  getSettings: 'read',
  networks: 'any',
  assets: 'any',
  currencies: 'any',
  languages: 'any',
  createCheckout: 'charge',
  createHostedCheckout: 'charge',
  commitCheckout: 'charge',
  cancelCheckout: 'charge',
  validateCharge: 'charge',
  createDeposit: 'charge',
  closeDeposit: 'charge',
  listPapers: 'read',
  getPaper: 'read',
  createCreditNote: 'money',
  sendPaper: 'charge',
  createPaymentLink: 'charge',
  closePaymentLink: 'charge',
  getPaymentLinkSecret: 'charge',
  getPaymentLink: 'charge read',
  listPaymentLinks: 'charge read',
  listPaymentLinkCheckouts: 'charge read',
  getCheckout: 'charge read',
  listCheckouts: 'charge read',
  checkoutTimeline: 'charge read',
  getDeposit: 'charge read',
  listDeposits: 'charge read',
  acceptUnderpayment: 'money',
  acceptExcess: 'money',
  createCustomer: 'charge',
  changeCustomer: 'charge',
  deleteCustomer: 'charge',
  getCustomer: 'read',
  listCustomers: 'read',
  listWallets: 'read money',
  createExport: 'read',
  deleteExport: 'read',
  getExport: 'read',
  getExportFile: 'read',
  getStatement: 'read',
  getCheckoutLedger: 'read',
  listDisposals: 'read',
  getTaxReport: 'read',
  getFeeReport: 'read',
  getWallet: 'read money',
  listLedgerEntries: 'read money',
  getSwap: 'read money',
  listSwaps: 'read money',
  getRefund: 'read money approve',
  listRefunds: 'read money approve',
  getTransfer: 'read money approve',
  listTransfers: 'read money approve',
  getTargetAccount: 'read money approve',
  listTargetAccounts: 'read money approve',
  getBeneficiary: 'read money approve',
  listBeneficiaries: 'read money approve',
  createRefund: 'money',
  quoteSwap: 'money',
  createSwap: 'money',
  estimateTransfer: 'money',
  createTransfer: 'money',
  saveTargetAccount: 'money',
  deleteTargetAccount: 'money',
  createBeneficiary: 'money',
  changeBeneficiary: 'money',
  deleteBeneficiary: 'money',
  cancelRefund: 'money approve',
  cancelTransfer: 'money approve',
  approveRefund: 'approve',
  approveTransfer: 'approve',
  listWebhookDeliveries: 'charge read money',
  redeliverWebhook: 'charge money',
};
const guarded = (Object.values(endpoints) as Endpoint[]).flatMap((endpoint) => {
  const { id, method, path, access } = endpoint;
  return access === 'public' ? [] : [{ id, method, path, enough: scopesFor[access] as readonly Scope[] }];
});

test('the table of endpoints and scopes is the one that we meant', () => {
  const table = guarded.map(({ id, enough }) => [id, enough.length === scopes.length ? 'any' : enough.join(' ')]);
  assert.deepEqual(Object.fromEntries(table), expected);
  const open = (Object.values(endpoints) as Endpoint[]).filter(({ access }) => access === 'public');
  assert.deepEqual(open.map(({ id }) => id).toSorted(), ['health', 'status', 'time']);
});

for (const scope of scopes)
  test(`a key with the scope ${scope} is answered where that is enough, and elsewhere told which one it lacks`, async () => {
    const as = await gateway.createKey(shop.merchant, { scopes: [scope] });
    for (const { id, method, path, enough } of atLeastOne(guarded)) {
      const { status, body } = await gateway.request(method, path, method === 'GET' ? undefined : {}, { as });
      const [error = ''] = body.errors ?? [];
      const lacks = `This API key lacks the scope ${enough.join(' or ')}; it has ${scope}.`;
      assert.equal(status === 403 && error.startsWith(lacks), !enough.includes(scope), `${id}: ${status} ${error}`);
      assert.notEqual(status, 401, id);
      if (enough.includes(scope)) assert.notEqual(status, 403, `${id}: ${error}`);
    }
  });

test('what was refused for its scope has changed nothing, and its Idempotency-Key and signature are unused', async () => {
  const reader = await gateway.createKey(shop.merchant, { scopes: ['read'] });
  const body = { network: 'BITCOIN', asset: 'BTC', amount: '0.001', address: somewhere };
  const { transfers: before } = await shop.get('/transfers');
  const options = { headers: { 'idempotency-key': 'scope' } };
  const refused = await shop.request('POST', '/transfer', body, { ...options, as: reader });
  assert.deepEqual([refused.status, refused.body.errors.length], [403, 1]);
  assert.deepEqual((await shop.get('/transfers')).transfers, before);
  const done = await shop.request('POST', '/transfer', body, options);
  assert.deepEqual([done.status, done.body.transfer.state], [200, 'AWAITING_APPROVAL']);
  const replayed = await shop.request('POST', '/transfer', body, { ...options, as: reader });
  assert.equal(replayed.status, 403, 'nor is the answer that is kept for somebody else');
});

test('a key that may not read transfers and swaps does not find them in the log of webhooks either', async () => {
  const { id: transferId } = await shop.send({ amount: '0.001', address: somewhere });
  const webhook = gateway.webhookUrl;
  const { id: checkoutId } = await shop.post('/checkout', aCharge('60.00 USD', { webhook }));
  const subjects = { [transferId]: 'TRANSFER_FAILED', swap00000001: 'SWAP_FAILED', [checkoutId]: 'CHECKOUT_COMPLETED' };
  for (const [subject, type] of Object.entries(subjects)) {
    const { merchantId, apiKey } = shop.merchant;
    const nowhere = 'http://127.0.0.1:1/';
    const event = { merchantId, subject, type, data: {}, webhook: nowhere, apiKey, at: gateway.clock.now() };
    await gateway.db.begin((tx) => recordEvent(tx, event));
  }
  const seen: Record<string, string[]> = {};
  for (const scope of ['charge', 'read', 'money'] as const) {
    const as = await gateway.createKey(shop.merchant, { scopes: [scope] });
    for (const [subject, type] of Object.entries(subjects)) {
      const { body } = await shop.request('GET', `/webhook-deliveries?id=${subject}`, undefined, { as });
      if (body.deliveries.length > 0) seen[scope] = [...(seen[scope] ?? []), type];
    }
  }
  const all = Object.values(subjects);
  assert.deepEqual(seen, { charge: ['CHECKOUT_COMPLETED'], read: all, money: all });
});

test('a new key charges and does nothing else, unless it is asked to, and so does the first one of a merchant', async () => {
  const made = await createKey(deps(), shop.merchant.merchantId, 'operator');
  const merchant = await createMerchant(deps(), { name: 'New' }, 'operator');
  for (const { apiKey, apiSecret } of [made, merchant]) {
    const as: TestMerchant = { ...shop.merchant, apiKey, apiSecret: apiSecret.reveal() };
    assert.equal((await gateway.request('POST', '/checkout', aCharge('60.00 USD'), { as })).status, 200);
    for (const path of ['/customers', '/wallets', '/transfers'])
      assert.equal((await gateway.request('GET', path, undefined, { as })).status, 403, path);
  }
});

test('a key of the previous release keeps all that it could do', async () => {
  const { apiKey, apiSecret } = await createKey(deps(), shop.merchant.merchantId, 'operator');
  const [columns] = await gateway.db<Record<'secret' | 'basic_digest', Buffer>>`
    delete from api_key where key = ${apiKey} returning secret, basic_digest`;
  await gateway.db`
    insert into api_key (merchant_id, key, secret, basic_digest, created_at)
    values (${shop.merchant.merchantId}, ${apiKey}, ${columns?.secret}, ${columns?.basic_digest}, ${gateway.clock.now()})`;
  const as: TestMerchant = { ...shop.merchant, apiKey, apiSecret: apiSecret.reveal() };
  for (const { id, method, path } of atLeastOne(guarded)) {
    const { body } = await gateway.request(method, path, method === 'GET' ? undefined : {}, { as });
    assert.doesNotMatch(body.errors?.[0] ?? '', /scope/, id);
  }
});

/** A transfer and a refund that wait, asked for with this key; and how another one is answered that approves them. */
async function waiting(as: TestMerchant) {
  const { id: checkoutId, address, amount } = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay({ address, amount });
  await mine(gateway, 6);
  const asked = [
    await shop.order({ amount: '0.001', address: somewhere }, { as }),
    await shop.request('POST', '/refund', { checkoutId, address: somewhere }, { as }),
  ];
  const [transfer, refund] = asked.map(({ status, body }) => {
    assert.equal(status, 200, JSON.stringify(body));
    return (body.transfer ?? body.refund).id as string;
  });
  return async (approver: TestMerchant): Promise<string[]> => {
    gateway.clock.advance({ seconds: 1 });
    const replies = [
      await shop.request('POST', '/transfer/approve', { id: transfer }, { as: approver }),
      await shop.request('POST', '/refund/approve', { id: refund }, { as: approver }),
    ];
    return replies.map(({ status, body }) => `${status} ${body.errors?.[0] ?? ''}`);
  };
}

const own = (noun: string) =>
  `403 A ${noun} must be approved with another API key than the one that asked for it, and with one that somebody else made.`;
const refusedAsOwn = [own('transfer'), own('refund')];

/** A key that moves money and approves. */
const keyOf = async (maker: Actor) => {
  const key = await gateway.createKey(shop.merchant, { scopes: ['money', 'approve'], maker });
  await beKnown(key);
  return key;
};

/** Whoever has it has had it for a day: what is new approves nothing. */
const beKnown = ({ apiKey }: { readonly apiKey: string }) =>
  gateway.db`
    update api_key set created_at = created_at - interval '1 day', rotated_at = rotated_at - interval '1 day'
     where key = ${apiKey}`;

test('nobody approves an order of their own, nor with a key that they made, nor with one that this one made', async () => {
  const asker = await keyOf('operator');
  const approve = await waiting(asker);
  assert.deepEqual(await approve(asker), refusedAsOwn);
  const made = await keyOf(keyActor(asker.apiKey));
  assert.deepEqual(await approve(made), refusedAsOwn);
  assert.deepEqual(await approve(await keyOf(keyActor(made.apiKey))), refusedAsOwn);
  const mover = await gateway.createKey(shop.merchant, { scopes: ['money'] });
  for (const answer of atLeastOne(await approve(mover)))
    assert.match(answer, /^403 This API key lacks the scope approve; it has money\./);
  const chief = await gateway.createKey(shop.merchant, { scopes: ['approve'] });
  assert.deepEqual(await approve(chief), ['200 ', '200 ']);
});

test('a key does not approve what its maker asked for, or what another key of its maker did', async () => {
  const maker = await keyOf('operator');
  const [one, other] = [await keyOf(keyActor(maker.apiKey)), await keyOf(keyActor(maker.apiKey))];
  const approve = await waiting(one);
  assert.deepEqual(await approve(other), refusedAsOwn);
  assert.deepEqual(await approve(maker), refusedAsOwn);
  assert.deepEqual(await approve(await keyOf('operator')), ['200 ', '200 ']);
});

test('two keys of one person are one pair of eyes, and those of two persons are two', async () => {
  const [person, somebodyElse] = [`person:${newId()}`, `person:${newId()}`] as const;
  const approve = await waiting(await keyOf(person));
  assert.deepEqual(await approve(await keyOf(person)), refusedAsOwn);
  assert.deepEqual(await approve(await keyOf(somebodyElse)), ['200 ', '200 ']);
});

test('a key of which nobody knows who has it is no second pair of eyes for a person', async () => {
  const person = `person:${newId()}` as const;
  const approve = await waiting(await keyOf(person));
  assert.deepEqual(
    await approve(await keyOf('operator')),
    refusedAsOwn,
    'the person may have asked the operator for it',
  );
  const given = (givenTo: Actor) =>
    createKey(deps(), shop.merchant.merchantId, 'operator', { scopes: ['money', 'approve'], givenTo: [givenTo] });
  const asTest = async ({ apiKey, apiSecret }: Awaited<ReturnType<typeof given>>) => ({
    ...shop.merchant,
    apiKey,
    apiSecret: apiSecret.reveal(),
  });
  assert.deepEqual(await approve(await asTest(await given(person))), refusedAsOwn);
  const others = await given(`person:${newId()}`);
  for (const answer of atLeastOne(await approve(await asTest(others))))
    assert.match(answer, /^409 Whoever is new to approving here/);
  await beKnown(others);
  assert.deepEqual(await approve(await asTest(others)), ['200 ', '200 ']);
});

test('who gives a key a new secret has it in hand as if they had made it; the operator has nothing in hand', async () => {
  const asker = await keyOf('operator');
  const approve = await waiting(asker);
  const { merchantId } = shop.merchant;
  const taken = await keyOf('operator');
  const rotated = await rotateKey(deps(), merchantId, taken.apiKey, keyActor(asker.apiKey));
  assert.deepEqual(await approve({ ...taken, apiSecret: rotated.apiSecret.reveal() }), refusedAsOwn);
  const again = await rotateKey(deps(), merchantId, taken.apiKey, 'operator');
  assert.deepEqual(
    await approve({ ...taken, apiSecret: again.apiSecret.reveal() }),
    refusedAsOwn,
    'the old one still works',
  );
  const chief = await keyOf('operator');
  const renewed = await rotateKey(deps(), merchantId, chief.apiKey, 'operator');
  assert.deepEqual(await approve({ ...chief, apiSecret: renewed.apiSecret.reveal() }), ['200 ', '200 ']);
});

test('a key that the operator gave a secret for nobody knows whom is no second pair of eyes for a person', async () => {
  const [ada, ben] = [personActor('ada'), personActor('ben')];
  const { merchantId } = shop.merchant;
  const key = await createKey(deps(), merchantId, 'operator', { scopes: ['approve'], givenTo: [ben] });
  const isOwn = () => isOwnOrder(gateway.db, merchantId, ada, keyActor(key.apiKey));
  assert.equal(await isOwn(), false);
  await rotateKey(deps(), merchantId, key.apiKey, 'operator', { givenTo: [ben] });
  assert.equal(await isOwn(), false);
  await rotateKey(deps(), merchantId, key.apiKey, 'operator');
  assert.equal(await isOwn(), true, 'ada may have asked the operator for it');
});

test('whoever approves sees the order, may refuse it, and is named beside it', async () => {
  const chief = await gateway.createKey(shop.merchant, { scopes: ['approve'] });
  const { id } = await shop.send({ amount: '0.001', address: somewhere });
  const { body } = await shop.request('GET', `/transfer?id=${id}`, undefined, { as: chief });
  assert.equal(body.transfer.state, 'AWAITING_APPROVAL');
  const refused = await shop.request('POST', '/transfer/cancel', { id }, { as: chief });
  assert.equal(refused.body.transfer.state, 'CANCELED');

  const { id: wanted } = await shop.send({ amount: '0.001', address: somewhere });
  const approved = await shop.request('POST', '/transfer/approve', { id: wanted }, { as: chief });
  const { createdBy, approvedBy } = approved.body.transfer;
  assert.deepEqual([createdBy, approvedBy], [shop.merchant.apiKey, chief.apiKey]);
  const audit = await gateway.db<{ actor: string; action: string }>`
    select actor, action from audit_log where detail ->> 'id' = ${wanted} order by id`;
  assert.deepEqual(
    audit.map(({ actor, action }) => [actor, action]),
    [
      [keyActor(shop.merchant.apiKey), 'transfer.created'],
      [keyActor(chief.apiKey), 'transfer.approved'],
    ],
  );
});
