/** How long a process believes what it has read about a key, by a clock that the test moves. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { IncomingRequest } from '../http/caller.ts';
import { createEncryption } from '../lib/encryption.ts';
import { newId } from '../lib/ids.ts';
import type { ApiCredentials } from '../merchants/api-credentials.ts';
import { allowAddress } from '../merchants/change-settings.ts';
import { createKey } from '../merchants/create-key.ts';
import { createMerchant, type MerchantDeps } from '../merchants/create-merchant.ts';
import { rotateKey } from '../merchants/rotate-key.ts';
import { createAuthenticate } from './authenticate.ts';
import { rememberCredentials } from './remembered-credentials.ts';

let database: TestDatabase;
let deps: MerchantDeps;
const clock = { now: () => new Date('2026-03-01T12:00:00Z') };
before(async () => {
  database = await createTestDatabase();
  deps = { db: database.db, clock, encryption: createEncryption(randomBytes(32)) };
});
after(() => database.drop());

/** A request as the owner of these credentials signs it. */
function signed({ apiKey, apiSecret }: ApiCredentials, about: Partial<IncomingRequest> = {}): IncomingRequest {
  const timestamp = String(clock.now().getTime() / 1000);
  const request = { method: 'GET', path: '/wallets', search: '', rawBody: Buffer.alloc(0), address: '203.0.113.9' };
  const signature = createHmac('sha256', apiSecret.reveal()).update(`/wallets${timestamp}GET`).digest('hex');
  const headers = { 'x-digest-key': apiKey, 'x-digest-signature': signature, 'x-digest-timestamp': timestamp };
  return { ...request, headers, isMoneyMoving: false, needsAllowedAddress: false, ...about };
}

const refused = { code: 'not_authenticated' };

test('a secret that was taken away reads for less than a second, and the new one works at once', async () => {
  let nowMs = 0;
  const authenticate = createAuthenticate(deps, () => nowMs);
  const { merchantId, ...first } = await createMerchant(deps, { name: 'Shop' }, 'test');
  await authenticate(signed(first));
  const second = await rotateKey(deps, merchantId, first.apiKey, 'test');
  nowMs = 999;
  await authenticate(signed(first));
  nowMs = 1_000;
  await assert.rejects(authenticate(signed(first)), refused);

  await authenticate(signed(second));
  const third = await rotateKey(deps, merchantId, first.apiKey, 'test');
  await authenticate(signed(third));
  await assert.rejects(authenticate(signed(second)), refused, 'whoever has seen the new one has forgotten the old one');
});

test('where money leaves, a secret that was taken away is of no use any more', async () => {
  const authenticate = createAuthenticate(deps, () => 0);
  const { merchantId, ...first } = await createMerchant(deps, { name: 'Shop' }, 'test');
  await allowAddress(deps, merchantId, { range: '203.0.113.9' }, 'test');
  for (const about of [{ isMoneyMoving: true }, { needsAllowedAddress: true }]) {
    const old = await createKey(deps, merchantId, 'test');
    await authenticate(signed(old, about));
    await rotateKey(deps, merchantId, old.apiKey, 'test');
    await assert.rejects(authenticate(signed(old, about)), refused, JSON.stringify(about));
  }
  assert.ok(await authenticate(signed(first, { isMoneyMoving: true, needsAllowedAddress: true })));
});

test('a key works from the moment it is made, also for whoever asked before', async () => {
  const remembered = rememberCredentials(deps, () => 0);
  const { merchantId } = await createMerchant(deps, { name: 'Shop' }, 'test');
  const { apiKey } = await createKey(deps, merchantId, 'test');
  const key = newId();
  assert.equal((await remembered.byKey(key)).credentials, undefined);
  // The secret is sealed for the key that it was made with, so it is made for both.
  const sealed = deps.encryption.encrypt((await createKey(deps, merchantId, 'test')).apiSecret, `api-secret:${key}`);
  await database.db`
    insert into api_key (merchant_id, key, secret, basic_digest, created_at)
    select merchant_id, ${key}, ${sealed}, ${randomBytes(32)}, created_at from api_key where key = ${apiKey}`;
  assert.equal((await remembered.byKey(key)).credentials?.merchant.id, merchantId);
});
