/** What stands between a stolen key and the money: addresses, signatures, a second key, and time. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { keyActor } from '../src/http/actor.ts';
import { changeSettings, disallowAddress } from '../src/merchants/change-settings.ts';
import { decimal, formatDecimal, plus } from '../src/money/decimal.ts';
import { deepTest } from './depth.ts';
import { digestHeaders, type Gateway, startGateway } from './gateway.ts';
import { litecoinCoin } from './networks/utxo-coins.ts';
import { freshAddress, mine, openSender, receivedAt, somewhere } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

const elsewhere = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
const orderOf = (amount: string, more = {}) => ({
  network: 'BITCOIN',
  asset: 'BTC',
  amount,
  address: somewhere,
  ...more,
});

test('money leaves only at the word of a listed address, even where the list is not enforced', async () => {
  const shop = await openSender(gateway, '0.001');
  const { merchantId } = shop.merchant;
  await disallowAddress(gateway, merchantId, '127.0.0.1', 'operator');
  gateway.clock.advance({ seconds: 1 }); // Credentials are remembered for a second.
  for (const [path, body] of [
    ['/transfer', orderOf('0.0005')],
    ['/transfer/approve', { id: 'nobody' }],
    ['/transfer/cancel', { id: 'nobody' }],
  ] as const)
    assert.match((await shop.refused(403, 'POST', path, body))[0] ?? '', /not on the account's list/);
  assert.deepEqual((await shop.get('/transfers')).transfers, [], 'reading is no withdrawal');
});

test('basic authentication never moves money', async () => {
  const shop = await openSender(gateway, '0.001');
  const { apiKey, apiSecret } = shop.merchant;
  const basic = createHash('sha256').update(`${apiKey}:${apiSecret}`).digest('hex');
  const options = { unsigned: true, headers: { 'x-basic': basic } };
  for (const path of ['/transfer', '/transfer/approve', '/transfer/cancel']) {
    const { status, body } = await shop.request('POST', path, orderOf('0.0005', { id: 'x' }), options);
    assert.deepEqual([status, body.errors], [403, ['This endpoint needs digest authentication.']]);
  }
  assert.equal((await shop.request('GET', '/transfers', undefined, options)).status, 200);
});

test('a captured order is worth nothing, and one with a key is repeated safely', async () => {
  const shop = await openSender(gateway, '0.01');
  const tooMuch = orderOf('5');
  const refusals = await Promise.all([1, 2, 3].map(() => shop.refused(422, 'POST', '/transfer', tooMuch)));
  for (const [reason] of [...refusals, await shop.refused(422, 'POST', '/transfer', tooMuch)])
    assert.match(
      reason ?? '',
      /available/,
      'what was refused has not used up its signature: the retry reads the reason',
    );

  const body = orderOf('0.001');
  const first = await shop.request('POST', '/transfer', body);
  assert.equal(first.status, 200);
  const replayed = await shop.request('POST', '/transfer', body);
  assert.equal(replayed.status, 409);
  const withKey = { headers: { 'idempotency-key': 'pay-rent' } };
  assert.equal((await shop.request('POST', '/transfer', body, withKey)).status, 409, 'a key does not help a replay');

  gateway.clock.advance({ seconds: 1 });
  const second = await shop.request('POST', '/transfer', body, withKey);
  assert.equal(second.status, 200);
  assert.notEqual(second.body.id, first.body.id);
  for (const seconds of [0, 1, 3_600]) {
    gateway.clock.advance({ seconds });
    const again = await shop.request('POST', '/transfer', body, withKey);
    assert.deepEqual([again.status, again.body.id], [200, second.body.id]);
  }
  assert.equal((await shop.get('/transfers')).transfers.length, 2);
});

test('an order of the previous release whose answer was lost with its process is not carried out twice', async () => {
  const shop = await openSender(gateway, '0.01');
  await shop.post('/target-account', { label: 'Rent', network: 'BITCOIN', address: somewhere });
  const body = { asset: 'BTC', amount: '0.001', targetAccount: 'Rent' };
  const withKey = { headers: { 'idempotency-key': 'lost' } };
  const first = await shop.request('POST', '/transfer', body, withKey);
  // It would be refused today, but it was taken.
  await shop.request('DELETE', '/target-account', { label: 'Rent' });
  // It kept the key with the order, and died between that and the answer.
  await gateway.db`update transfer set idempotency_key = 'lost' where id = ${first.body.id}`;
  await gateway.db`update idempotency_key set status = null, body = null, sealed_body = null where key = 'lost'`;
  gateway.clock.advance({ seconds: 61 });
  const again = await shop.request('POST', '/transfer', body, withKey);
  assert.deepEqual([again.status, again.body.id], [200, first.body.id]);
  assert.equal((await shop.get('/transfers')).transfers.length, 1);
});

test('nor one that it answered with a failure, because it did not learn that its commit had succeeded', async () => {
  const shop = await openSender(gateway, '0.01');
  const body = { network: 'BITCOIN', asset: 'BTC', amount: '0.001', address: somewhere };
  const withKey = { headers: { 'idempotency-key': 'failed' } };
  const first = await shop.request('POST', '/transfer', body, withKey);
  await gateway.db`update transfer set idempotency_key = 'failed' where id = ${first.body.id}`;
  await gateway.db`update idempotency_key set status = 503, body = null, sealed_body = null where key = 'failed'`;
  gateway.clock.advance({ seconds: 1 });
  const again = await shop.request('POST', '/transfer', body, withKey);
  assert.deepEqual([again.status, again.body.id], [200, first.body.id]);
  assert.equal((await shop.get('/transfers')).transfers.length, 1);
});

test('above an amount another key must approve', async () => {
  // The sandbox's bitcoin costs 60,000 dollars.
  const shop = await openSender(gateway, '0.1', { transferApprovalAbove: '60' });
  const queued = await shop.send({ amount: '0.001', address: somewhere });
  assert.equal(queued.state, 'QUEUED');
  const barely = await shop.send({ amount: '0.00100001', address: somewhere });
  assert.equal(barely.state, 'AWAITING_APPROVAL');
  await shop.post('/transfer/cancel', { id: barely.id });
  const { needsApproval } = await shop.get(
    `/transfer/estimate?network=BITCOIN&asset=BTC&amount=0.05&address=${somewhere}`,
  );
  assert.equal(needsApproval, true);
  const { id, state, total } = await shop.send({ amount: '0.05', address: elsewhere });
  assert.equal(state, 'AWAITING_APPROVAL');
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(id)).state, 'AWAITING_APPROVAL', 'nobody sends it meanwhile');
  assert.equal(
    (await shop.get('/wallet?assetCode=BTC')).wallet.reserved,
    formatDecimal(plus(decimal(total), decimal(queued.total))),
    'but it is set aside',
  );

  const withKey = { headers: { 'idempotency-key': 'approve' } };
  const own = await shop.request('POST', '/transfer/approve', { id }, withKey);
  assert.deepEqual(
    [own.status, own.body.errors],
    [
      403,
      [
        'A transfer must be approved with another API key than the one that asked for it, and with one that somebody else made.',
      ],
    ],
  );
  const chief = await gateway.createKey(shop.merchant);
  const stranger = await gateway.createMerchant('A stranger');
  const foreign = await gateway.request('POST', '/transfer/approve', { id }, { as: stranger });
  assert.equal(foreign.status, 403, 'a stranger has no list');
  const approved = await shop.request('POST', '/transfer/approve', { id }, { as: chief, ...withKey });
  assert.equal(approved.status, 200, `who asks is not part of the request: ${JSON.stringify(approved.body)}`);
  assert.deepEqual([approved.body.transfer.state, approved.body.transfer.approvedBy], ['QUEUED', chief.apiKey]);
  gateway.clock.advance({ seconds: 1 });
  const twice = await shop.request('POST', '/transfer/approve', { id }, { as: chief });
  assert.equal(twice.status, 409);
  await mine(gateway, 6); // The change of the first transfer must confirm before it can be spent.
  await mine(gateway, 6);
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  assert.equal(await receivedAt(gateway, elsewhere), 5_000_000n);

  const unwanted = await shop.send({ amount: '0.03', address: elsewhere });
  assert.equal(unwanted.state, 'AWAITING_APPROVAL');
  assert.equal((await shop.post('/transfer/cancel', { id: unwanted.id })).transfer.state, 'CANCELED');
  const audit = await gateway.db<{ actor: string; action: string }>`
    select actor, action from audit_log where merchant_id = ${shop.merchant.merchantId} and detail ->> 'id' = ${id} order by id`;
  assert.deepEqual(audit, [
    { actor: keyActor(shop.merchant.apiKey), action: 'transfer.created' },
    { actor: keyActor(chief.apiKey), action: 'transfer.approved' },
  ]);
});

test('ten small orders are one large one: the limit counts a day, by every key', async () => {
  const shop = await openSender(gateway, '0.1', { transferApprovalAbove: '100' });
  const second = await gateway.createKey(shop.merchant);
  const states: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const as = index % 2 === 0 ? shop.merchant : second;
    const { body } = await shop.order({ amount: '0.0005', address: somewhere }, { as }); // 30 dollars
    states.push(body.transfer.state);
    assert.equal(body.approvalLimit.remaining, String(100 - 30 * Math.min(index + 1, 3)));
  }
  assert.deepEqual(states, ['QUEUED', 'QUEUED', 'QUEUED', 'AWAITING_APPROVAL', 'AWAITING_APPROVAL']);
  const query = `network=BITCOIN&asset=BTC&address=${somewhere}`;
  const { needsApproval, approvalLimit } = await shop.get(`/transfer/estimate?${query}&amount=0.0002`);
  assert.deepEqual([needsApproval, approvalLimit], [true, { limit: '100', remaining: '10', currency: 'USD' }]);

  const { transfers } = await shop.get('/transfers');
  const queued = transfers.find(({ state }: any) => state === 'QUEUED');
  await shop.post('/transfer/cancel', { id: queued.id });
  assert.equal((await shop.send({ amount: '0.0005', address: somewhere })).state, 'QUEUED', 'it came back');
  const awaiting = transfers.filter(({ state }: any) => state === 'AWAITING_APPROVAL');
  for (const { id, createdBy } of awaiting) {
    const as = createdBy === second.apiKey ? shop.merchant : second;
    assert.equal((await shop.request('POST', '/transfer/approve', { id }, { as })).status, 200);
  }
  const left = async () => (await shop.get(`/transfer/estimate?${query}&amount=0.0002`)).approvalLimit.remaining;
  assert.equal(await left(), '10', 'what was approved does not count');
  gateway.clock.advance({ hours: 24, seconds: -0.001 });
  await gateway.app.pollRates();
  assert.equal(await left(), '10', 'until the last millisecond of the day');
  gateway.clock.advance({ seconds: 0.001 });
  assert.equal(await left(), '100');
});

test('two orders at the same moment do not pass the limit together, also not in two assets', async () => {
  const shop = await openSender(gateway, '0.1', { transferApprovalAbove: '100' });
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'LITECOIN' });
  gateway.litecoin.pay({ address: depositInstructions.address, amount: '5' });
  gateway.litecoin.mine(12);
  await gateway.runUntilIdle();
  const litecoins = { network: 'LITECOIN', asset: 'LTC', address: freshAddress(litecoinCoin) };
  const replies = await Promise.all([
    shop.order({ amount: '0.0012', address: somewhere }),
    shop.order({ ...litecoins, amount: '0.9' }),
    shop.order({ amount: '0.0012', address: elsewhere }),
  ]);
  assert.deepEqual(
    replies
      .map(({ status, body }) => [status, body.transfer?.state])
      .map(String)
      .sort((a, b) => (a < b ? -1 : 1)),
    ['200,AWAITING_APPROVAL', '200,AWAITING_APPROVAL', '200,QUEUED'],
    JSON.stringify(replies.map(({ body }) => body.errors)),
  );
});

/** Paid with 60 dollars each. */
async function paidCheckouts(shop: Awaited<ReturnType<typeof openSender>>, count: number): Promise<string[]> {
  const open = await Promise.all(Array.from({ length: count }, () => shop.open('60.00 USD', 'BITCOIN')));
  for (const { address, amount } of open) gateway.bitcoin.pay({ address, amount });
  await mine(gateway, 2);
  return open.map(({ id }) => id);
}

test('refunds count too, and wait for another key', async () => {
  const shop = await openSender(gateway, '0.1', { transferApprovalAbove: '100' });
  const chief = await gateway.createKey(shop.merchant);
  const [first, second] = await paidCheckouts(shop, 2);

  const small = await shop.post('/refund', { checkoutId: first, address: freshAddress() });
  assert.deepEqual([small.refund.state, small.approvalLimit.remaining], ['SENDING', '40']);
  assert.equal((await shop.send({ amount: '0.0007', address: somewhere })).state, 'AWAITING_APPROVAL');

  const large = await shop.post('/refund', { checkoutId: second, address: freshAddress() });
  assert.deepEqual([large.refund.state, large.approvalLimit.remaining], ['AWAITING_APPROVAL', '40']);
  await gateway.runUntilIdle();
  assert.equal((await shop.get(`/refund?id=${large.refund.id}`)).refund.tx, null, 'nobody sends it meanwhile');
  assert.deepEqual(await shop.refused(403, 'POST', '/refund/approve', { id: large.refund.id }), [
    'A refund must be approved with another API key than the one that asked for it, and with one that somebody else made.',
  ]);
  const approve = (id: string) => shop.request('POST', '/refund/approve', { id }, { as: chief });
  assert.equal((await approve(large.refund.id)).body.refund.state, 'SENDING');
  const [logged] = await gateway.db<{ actor: string }>`
    select actor from audit_log where action = 'refund.approved' and detail ->> 'id' = ${large.refund.id}`;
  assert.equal(logged?.actor, keyActor(chief.apiKey));
  gateway.clock.advance({ seconds: 1 });
  assert.deepEqual((await approve(large.refund.id)).body.errors, [
    'This refund is SENDING: only one that is AWAITING_APPROVAL can be approved.',
  ]);
  await mine(gateway, 1);
  await mine(gateway, 1);
  assert.equal((await shop.get(`/refund?id=${large.refund.id}`)).refund.state, 'COMPLETED');
});

deepTest('refunds may have a limit of their own, and who claims one has a month from its approval on', async () => {
  const shop = await openSender(gateway, '0.1', { transferApprovalAbove: '100' });
  const chief = await gateway.createKey(shop.merchant);
  const approve = (id: string) => shop.request('POST', '/refund/approve', { id }, { as: chief });
  const [first, second, third] = await paidCheckouts(shop, 3);
  // Nobody has approved this one, so it counts.
  assert.equal((await shop.post('/refund', { checkoutId: first, address: freshAddress() })).refund.state, 'SENDING');
  await mine(gateway, 2);
  const claim = await shop.post('/refund', { checkoutId: second });
  assert.deepEqual([claim.refund.state, claim.claimUrl], ['AWAITING_APPROVAL', undefined]);
  const claimable = (await approve(claim.refund.id)).body;
  assert.equal(claimable.refund.state, 'CLAIMABLE');
  assert.match(claimable.claimUrl, /refund\?token=/, 'whoever approves gets the link');

  await changeSettings(gateway, shop.merchant.merchantId, { refundApprovalAbove: '50' }, 'operator');
  gateway.clock.advance({ seconds: 1 }); // Credentials are remembered for a second.
  const other = await shop.post('/refund', { checkoutId: third, amount: '0.0001', address: freshAddress() });
  assert.deepEqual(
    [other.refund.state, other.approvalLimit],
    ['AWAITING_APPROVAL', { limit: '50', remaining: '0', currency: 'USD' }],
  );
  assert.equal((await shop.post('/refund/cancel', { id: other.refund.id })).refund.state, 'CANCELED');
  const { approvalLimit } = await shop.get(
    `/transfer/estimate?network=BITCOIN&asset=BTC&address=${somewhere}&amount=0.001`,
  );
  assert.equal(approvalLimit.remaining, '100', 'transfers have theirs for themselves');

  const unhurried = await shop.post('/refund', { checkoutId: third });
  const stateOf = async () => (await shop.get(`/refund?id=${unhurried.refund.id}`)).refund.state;
  gateway.clock.advance({ hours: 24 * 31 });
  await gateway.runUntilIdle();
  assert.equal((await approve(unhurried.refund.id)).body.refund.state, 'CLAIMABLE');
  gateway.clock.advance({ hours: 24 * 29 });
  await gateway.runUntilIdle();
  assert.equal(await stateOf(), 'CLAIMABLE', 'the customer has a month from the approval on');
  gateway.clock.advance({ hours: 25 });
  await gateway.runUntilIdle();
  assert.equal(await stateOf(), 'EXPIRED');
  await gateway.app.pollRates();
});

test('what cannot be valued is approved by somebody', async () => {
  const shop = await openSender(gateway, '0.01', { transferApprovalAbove: '1000000', accountCurrency: 'XXX' });
  assert.equal((await shop.send({ amount: '0.001', address: somewhere })).state, 'AWAITING_APPROVAL');
});

test('a new destination waits, and then the money goes by itself', async () => {
  const shop = await openSender(gateway, '0.01', { destinationWaitMinutes: 60 });
  const fresh = await shop.send({ amount: '0.001', address: somewhere });
  assert.equal(fresh.state, 'WAITING');
  await shop.post('/target-account', { label: 'Bank', network: 'BITCOIN', address: elsewhere });
  gateway.clock.advance({ minutes: 30 });
  const labelled = await shop.send({ amount: '0.001', targetAccount: 'Bank' });
  assert.deepEqual([labelled.state, labelled.usableFrom], ['WAITING', fresh.usableFrom]);
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(fresh.id)).state, 'WAITING');
  gateway.clock.advance({ minutes: 30 });
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(fresh.id)).state, 'SENT');
  assert.equal((await shop.transfer(labelled.id)).state, 'SENT');
  await mine(gateway, 1);
  assert.equal((await shop.transfer(fresh.id)).state, 'COMPLETED');
  assert.equal((await shop.send({ amount: '0.001', address: somewhere })).state, 'QUEUED', 'it is known by now');
});

test('a transfer whose destination was given another label waits with it, and says until when', async () => {
  const shop = await openSender(gateway, '0.01', { destinationWaitMinutes: 60 });
  const { targetAccountId: id } = await shop.post('/target-account', {
    label: 'One',
    network: 'BITCOIN',
    address: elsewhere,
  });
  const waiting = await shop.send({ amount: '0.001', targetAccount: 'One' });
  gateway.clock.advance({ minutes: 30 });
  const { targetAccount } = await shop.post('/target-account', { id, label: 'Uno' });
  gateway.clock.advance({ minutes: 31 });
  await gateway.runUntilIdle();
  const { state, usableFrom } = await shop.transfer(waiting.id);
  assert.deepEqual([state, usableFrom], ['WAITING', targetAccount.usableFrom]);
  gateway.clock.advance({ minutes: 30 });
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(waiting.id)).state, 'SENT');
});

test('a destination that is deleted or changed while a transfer waits gets nothing', async () => {
  const shop = await openSender(gateway, '0.01', { destinationWaitMinutes: 60 });
  const account = await shop.post('/target-account', { label: 'One', network: 'BITCOIN', address: elsewhere });
  await shop.post('/target-account', { label: 'Two', network: 'BITCOIN', address: elsewhere });
  const changed = await shop.send({ amount: '0.001', targetAccount: 'One' });
  const deleted = await shop.send({ amount: '0.001', targetAccount: 'Two' });
  await shop.post('/target-account', { label: 'Three', network: 'BITCOIN', address: elsewhere });
  const narrowed = await shop.send({ amount: '0.001', targetAccount: 'Three' });
  await shop.post('/target-account', { id: account.targetAccountId, address: somewhere });
  assert.equal((await shop.request('DELETE', '/target-account', { label: 'Two' })).status, 200);
  // Bitcoin has one asset only; elsewhere a merchant may narrow an account to some.
  await gateway.db`update target_account set assets = '{"LTC:X"}' where label = 'Three'`;
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  for (const { id } of [changed, deleted, narrowed]) {
    const { state, failure } = await shop.transfer(id);
    assert.deepEqual([state, failure], ['FAILED', 'Its target account was changed or deleted before it was sent.']);
    assert.deepEqual(shop.eventsOf(id), ['TRANSFER_FAILED FAILED']);
  }
  assert.deepEqual(await shop.balances(), { 'available/BTC': '995000' });
});

test('approval and waiting time run side by side', async () => {
  const shop = await openSender(gateway, '0.1', { destinationWaitMinutes: 60, transferApprovalAbove: '1' });
  const chief = await gateway.createKey(shop.merchant);
  const { id, state } = await shop.send({ amount: '0.01', address: somewhere });
  assert.equal(state, 'AWAITING_APPROVAL');
  gateway.clock.advance({ minutes: 10 });
  const approved = await shop.request('POST', '/transfer/approve', { id }, { as: chief });
  assert.equal(approved.body.transfer.state, 'WAITING');
  const late = await shop.send({ amount: '0.02', address: somewhere });
  gateway.clock.advance({ minutes: 60 });
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(id)).state, 'SENT');
  assert.equal((await shop.transfer(late.id)).state, 'AWAITING_APPROVAL');
  assert.equal(
    (await shop.request('POST', '/transfer/approve', { id: late.id }, { as: chief })).body.transfer.state,
    'QUEUED',
  );
});

test('the signature of an order covers its body', async () => {
  const shop = await openSender(gateway, '0.01');
  const { merchant } = shop;
  const headers = digestHeaders(merchant, 'POST', '/transfer', JSON.stringify(orderOf('0.001')), gateway.clock.now());
  const tampered = await shop.request('POST', '/transfer', orderOf('0.009'), { unsigned: true, headers });
  assert.equal(tampered.status, 401);
});
