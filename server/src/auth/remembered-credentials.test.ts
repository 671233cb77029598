/** How long a process believes what it has read about a key, by a clock that the test moves. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { IncomingRequest } from '../http/caller.ts';
import { addMs } from '../lib/clock.ts';
import { createEncryption } from '../lib/encryption.ts';
import { newId } from '../lib/ids.ts';
import { type ApiCredentials, basicValue } from '../merchants/api-credentials.ts';
import { allowAddress, changeSettings, disallowAddress } from '../merchants/change-settings.ts';
import { createKey } from '../merchants/create-key.ts';
import { createMerchant, type MerchantDeps } from '../merchants/create-merchant.ts';
import { revokeKey } from '../merchants/revoke-key.ts';
import { rotateKey } from '../merchants/rotate-key.ts';
import { createAuthenticate } from './authenticate.ts';
import { rememberCredentials } from './remembered-credentials.ts';
import { createUsedKeys, type UsedKeys } from './used-keys.ts';

let database: TestDatabase;
let deps: MerchantDeps & { usedKeys: UsedKeys };
let now = new Date('2026-03-01T12:00:00Z');
const clock = { now: () => now };
before(async () => {
  database = await createTestDatabase();
  const encryption = createEncryption(randomBytes(32));
  deps = { db: database.db, clock, encryption, usedKeys: createUsedKeys() };
});
after(() => database.drop());

/** A request as the owner of these credentials signs it. */
function signed({ apiKey, apiSecret }: ApiCredentials, about: Partial<IncomingRequest> = {}): IncomingRequest {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const request = { method: 'GET', path: '/wallets', search: '', rawBody: Buffer.alloc(0), address: '203.0.113.9' };
  const permission = 'useCatalogue' as const;
  const signature = createHmac('sha256', apiSecret.reveal()).update(`/wallets${timestamp}GET`).digest('hex');
  const headers = { 'x-digest-key': apiKey, 'x-digest-signature': signature, 'x-digest-timestamp': timestamp };
  return { ...request, headers, permission, isMoneyMoving: false, needsAllowedAddress: false, ...about };
}

const refused = { code: 'not_authenticated' };

/** The same without a signature. */
const basic = (credentials: ApiCredentials): IncomingRequest => ({
  ...signed(credentials),
  headers: { 'x-basic': basicValue(credentials) },
});

test('a setting is remembered for less than a second, and where money leaves not at all', async () => {
  let nowMs = 0;
  const authenticate = createAuthenticate(deps, () => nowMs);
  const { merchantId, ...shop } = await createMerchant(deps, { name: 'Shop' }, 'operator');
  await authenticate(signed(shop));
  await allowAddress(deps, merchantId, { range: '198.51.100.7' }, 'operator');
  await changeSettings(deps, merchantId, { isAddressListEnforced: true }, 'operator');
  nowMs = 999;
  await authenticate(signed(shop));
  nowMs = 1_000;
  await assert.rejects(authenticate(signed(shop)), { code: 'not_allowed' });

  await allowAddress(deps, merchantId, { range: '203.0.113.9' }, 'operator');
  for (const about of [{ isMoneyMoving: true }, { needsAllowedAddress: true }]) {
    await authenticate(signed(shop, about));
    await disallowAddress(deps, merchantId, '203.0.113.9', 'operator');
    await assert.rejects(authenticate(signed(shop, about)), { code: 'not_allowed' }, JSON.stringify(about));
    await allowAddress(deps, merchantId, { range: '203.0.113.9' }, 'operator');
  }
});

test('a key that was revoked is refused at once by whoever remembers it', async () => {
  const authenticate = createAuthenticate(deps, () => 0);
  const { merchantId, ...first } = await createMerchant(deps, { name: 'Shop' }, 'operator');
  const second = await rotateKey(deps, merchantId, first.apiKey, 'operator');
  const requests = [signed(first), signed(second), basic(first), basic(second)];
  for (const request of requests) await authenticate(request);
  await revokeKey(deps, merchantId, first.apiKey, 'operator');
  for (const request of requests) await assert.rejects(authenticate(request), refused);
});

test('a secret that was exchanged at once is forgotten by whoever remembers it, and the new one is known', async () => {
  const authenticate = createAuthenticate(deps, () => 0);
  const { merchantId, ...first } = await createMerchant(deps, { name: 'Shop' }, 'operator');
  await authenticate(signed(first));
  await authenticate(basic(first));
  const second = await rotateKey(deps, merchantId, first.apiKey, 'operator', { isAtOnce: true });
  await assert.rejects(authenticate(signed(first)), refused);
  await assert.rejects(authenticate(basic(first)), refused);
  await authenticate(signed(second));
  await authenticate(basic(second));
});

test('a former secret ends in its very moment, also for whoever remembers it', async () => {
  const authenticate = createAuthenticate(deps, () => 0);
  const { merchantId, ...first } = await createMerchant(deps, { name: 'Shop' }, 'operator');
  const { formerUntil, ...second } = await rotateKey(deps, merchantId, first.apiKey, 'operator');
  assert.ok(formerUntil);
  const start = now;
  now = addMs(formerUntil, -1);
  for (const request of [signed(first), signed(second), basic(first), basic(second)]) await authenticate(request);
  now = formerUntil;
  for (const request of [signed(first), basic(first)]) await assert.rejects(authenticate(request), refused);
  for (const request of [signed(second), basic(second)]) await authenticate(request);
  now = start;
});

test('a key works from the moment it is made, also for whoever asked before', async () => {
  const remembered = rememberCredentials(deps, () => 0);
  const { merchantId } = await createMerchant(deps, { name: 'Shop' }, 'operator');
  const { apiKey } = await createKey(deps, merchantId, 'operator');
  const key = newId();
  assert.equal(await remembered.byKey(key), undefined);
  // The secret is sealed for the key that it was made with, so it is made for both.
  const sealed = deps.encryption.encrypt(
    (await createKey(deps, merchantId, 'operator')).apiSecret,
    `api-secret:${key}`,
  );
  await database.db`
    insert into api_key (merchant_id, key, secret, basic_digest, created_at)
    select merchant_id, ${key}, ${sealed}, ${randomBytes(32)}, created_at from api_key where key = ${apiKey}`;
  assert.equal((await remembered.byKey(key))?.merchant.id, merchantId);
});
