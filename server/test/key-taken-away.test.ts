/** A key is taken away while its request is under way: either the request was first, or it does not happen. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Db, Tx } from '../src/db/database.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { createKey } from '../src/merchants/create-key.ts';
import { revokeKey } from '../src/merchants/revoke-key.ts';
import { rotateKey } from '../src/merchants/rotate-key.ts';
import { type Gateway, type Reply, startGateway, type TestMerchant } from './gateway.ts';
import { type Gate, meetAt, nobodyWrites } from './meet-at.ts';
import { openSender, type Sender, somewhere } from './transfer-story.ts';

let gateway: Gateway;
let shop: Sender;
before(async () => {
  gateway = await startGateway();
  shop = await openSender(gateway, '0.5');
});
after(() => gateway.stop());

const deps = (db: Db = gateway.db) => ({
  db,
  clock: gateway.clock,
  encryption: createEncryption(Buffer.from(gateway.env['MASTER_KEY'] as string, 'hex')),
});
const revoke = ({ merchantId, apiKey }: TestMerchant): Promise<void> =>
  revokeKey(deps(), merchantId, apiKey, 'operator');
const exchangeAtOnce = ({ merchantId, apiKey }: TestMerchant): Promise<unknown> =>
  rotateKey(deps(), merchantId, apiKey, 'operator', { isAtOnce: true });

const someKey = (): Promise<TestMerchant> => gateway.createKey(shop.merchant, { scopes: ['money', 'approve'] });
const order = (number: number) => ({
  network: 'BITCOIN',
  asset: 'BTC',
  amount: '0.001',
  address: somewhere,
  meta: { number },
});

/** Whoever moves money was let in, and has not begun. */
const letIn: Gate = (tx) => tx`lock table used_signature in access exclusive mode`;

/** What is answered to a request if the key is taken away after it was let in. */
async function takenAway(gate: Gate, request: () => Promise<Reply>, take: () => Promise<unknown>): Promise<Reply> {
  const [reply] = await meetAt<unknown>(gateway.db, gate, [request, take]);
  return reply as Reply;
}

const taken = 'The API key is unknown or the signature in X-Digest-Signature does not match the request.';

for (const [how, take] of [
  ['revoked', revoke],
  ['given another secret at once', exchangeAtOnce],
] as const)
  test(`a key that is ${how} sends nothing any more, and its Idempotency-Key is left for another one`, async () => {
    const thief = await someKey();
    const before = [await shop.balances(), (await shop.get('/transfers')).transfers];
    const options = { headers: { 'idempotency-key': how.replaceAll(' ', '-') } };
    const ask = (as: TestMerchant) => shop.request('POST', '/transfer', order(1), { ...options, as });
    const { status, body } = await takenAway(
      letIn,
      () => ask(thief),
      () => take(thief),
    );
    assert.deepEqual([status, body.errors], [401, [taken]]);
    assert.deepEqual([await shop.balances(), (await shop.get('/transfers')).transfers], before);
    const owner = await ask(await someKey());
    assert.deepEqual([owner.status, owner.headers.get('idempotency-replayed')], [200, null]);
  });

test('a key that is revoked approves nothing any more, and notes no destination', async () => {
  const careful = await openSender(gateway, '0.5', { transferApprovalAbove: '0' });
  const chief = () => gateway.createKey(careful.merchant);
  const { id } = await careful.send({ amount: '0.001', address: somewhere });
  const [approver, clerk] = [await chief(), await chief()];
  const approved = await takenAway(
    letIn,
    () => careful.request('POST', '/transfer/approve', { id }, { as: approver }),
    () => revoke(approver),
  );
  assert.deepEqual([approved.status, (await careful.transfer(id)).state], [401, 'AWAITING_APPROVAL']);

  const account = { label: 'Rent', network: 'BITCOIN', address: somewhere };
  const noted = await takenAway(
    (tx) => tx`lock table deposit_target in access exclusive mode`,
    () => careful.request('POST', '/target-account', account, { as: clerk }),
    () => revoke(clerk),
  );
  assert.deepEqual([noted.status, (await careful.get('/target-accounts')).targetAccounts], [401, []]);
});

test('whoever revokes a key waits for what is being done with it, and nothing is done with it afterwards', async () => {
  const clerk = await someKey();
  const { status } = await takenAway(
    nobodyWrites.transfers,
    () => shop.request('POST', '/transfer', order(2), { as: clerk }),
    () => revoke(clerk),
  );
  assert.equal(status, 200);
  const audit = await gateway.db<{ action: string }>`
    select action from audit_log where merchant_id = ${shop.merchant.merchantId} order by id desc limit 2`;
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['key.revoked', 'transfer.created'],
  );
});

test('a thief who always has a request under way does not keep the key by that', async () => {
  const thief = await someKey();
  const ask = (number: number) => shop.request('POST', '/transfer', order(number), { as: thief });
  const [first, , last] = await meetAt<unknown>(gateway.db, nobodyWrites.transfers, [
    () => ask(4),
    () => revoke(thief),
    () => ask(5),
  ]);
  assert.deepEqual([(first as Reply).status, (last as Reply).status], [200, 401]);
});

test('checkouts that are being made, however many, keep nobody from changing the account or making another key', async () => {
  const { merchantId } = shop.merchant;
  // As a row does that names its merchant.
  const isNamed: Gate = (tx) => tx`select from merchant where id = ${merchantId} for key share`;
  for (const change of [
    () => changeSettings(deps(), merchantId, { tolerancePercent: '1' }, 'operator'),
    () => createKey(deps(), merchantId, 'operator'),
  ]) {
    let isDone = false;
    const [, wasDone] = await meetAt<unknown>(gateway.db, isNamed, [
      async () => {
        await change();
        isDone = true;
      },
      async () => isDone,
    ]);
    assert.equal(wasDone, true, 'before the checkout was there');
  }
});

test('a rotation that leaves the old secret its day keeps no request from what it does', async () => {
  const clerk = await someKey();
  const rotating = (tx: Tx): Promise<unknown> => {
    const inTheGate = { begin: (work: (tx: Tx) => Promise<unknown>) => work(tx) } as unknown as Db;
    return rotateKey(deps(inTheGate), clerk.merchantId, clerk.apiKey, 'operator');
  };
  const [reply] = await meetAt(gateway.db, rotating, [
    () => shop.request('POST', '/transfer', order(3), { as: clerk }),
  ]);
  assert.deepEqual([reply?.status, reply?.body.errors], [200, undefined]);
});
