/** Which accounts may be reached how, and from where. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { scopes } from '@quittance/contract/permissions';
import Type from 'typebox';
import { route } from '../src/http/route.ts';
import { allowAddress, changeSettings, disallowAddress } from '../src/merchants/change-settings.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { rotateKey } from '../src/merchants/rotate-key.ts';
import { webhookSecretsOf } from '../src/merchants/webhook-secrets.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const payOut = route({
  endpoint: {
    id: 'payOut',
    method: 'POST',
    path: '/pay-out',
    tag: 'Test',
    summary: '',
    description: '',
    access: 'orderMoney',
    isMoneyMoving: true,
    needsAllowedAddress: true,
    reply: Type.Object({ merchantId: Type.String() }),
  },
  handle: ({ merchant }) => ({ merchantId: merchant.id }),
});

const basicOf = ({ apiKey, apiSecret }: TestApi['account']) =>
  createHash('sha256').update(`${apiKey}:${apiSecret.reveal()}`).digest('hex');

/** Longer than a process remembers credentials. */
const forgotten = (api: TestApi): void => api.advanceMs(1_000);

test('credentials have the form that the settings of shop plugins demand', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  assert.match(api.account.apiKey, /^[a-z0-9]{12}$/);
  assert.match(api.account.apiSecret.reveal(), /^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/);
  assert.match(api.account.webhookSecret.reveal(), /^whsec_[A-Za-z0-9+/]{43}=$/);
  const [row] = await api.db`select secret from api_key where key = ${api.account.apiKey}`;
  assert.ok(!String(row?.['secret']).includes(api.account.apiSecret.reveal()));
  const secrets = await webhookSecretsOf(api.merchantDeps, api.account.merchantId, api.account.apiKey);
  assert.equal(secrets.apiSecret.reveal(), api.account.apiSecret.reveal());
  assert.deepEqual(
    secrets.webhookSecrets.map((secret) => secret.reveal()),
    [api.account.webhookSecret.reveal()],
  );
});

test('basic authentication works until it is switched off, and never for payouts', async (t) => {
  const api = await startTestApi([payOut]);
  t.after(() => api.close());
  const headers = { 'X-Basic': basicOf(api.account) };
  const authTest = { path: '/api/v1/auth-test', headers };
  assert.deepEqual((await api.send(authTest)).json, { authenticated: true, method: 'basic' });
  assert.equal((await api.send({ ...authTest, headers: { 'X-Basic': 'f'.repeat(64) } })).status, 401);
  assert.equal((await api.send({ ...authTest, headers: { 'X-Basic': "' or 1=1" } })).status, 401);
  const refused = await api.send({ method: 'POST', path: '/api/v1/pay-out', headers });
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.json, { errors: ['This endpoint needs digest authentication.'] });

  await changeSettings(api.merchantDeps, api.account.merchantId, { isBasicAllowed: false }, 'operator');
  forgotten(api);
  assert.equal((await api.send(authTest)).status, 403);
  assert.equal((await api.sendSigned({ path: '/auth-test' })).status, 200);
});

test('an enforced address list keeps everybody else out, and payouts always need it', async (t) => {
  const api = await startTestApi([payOut], { trustedProxies: ['127.0.0.0/8'] });
  t.after(() => api.close());
  const { merchantDeps, account } = api;
  const from = (address: string, sent: { path: string; method?: string }) =>
    api.sendSigned({ ...sent, headers: { 'X-Forwarded-For': address } }).then(({ status }) => status);
  const authTest = { path: '/auth-test' };
  const toPayOut = { path: '/pay-out', method: 'POST' };

  assert.equal(await from('203.0.113.9', authTest), 200);
  assert.equal(await from('203.0.113.9', toPayOut), 403);
  await assert.rejects(
    changeSettings(merchantDeps, account.merchantId, { isAddressListEnforced: true }, 'operator'),
    /Add an address/,
  );

  await allowAddress(merchantDeps, account.merchantId, { range: '203.0.113.77/24', note: 'shop' }, 'operator');
  await allowAddress(merchantDeps, account.merchantId, { range: '2001:db8::1' }, 'operator');
  await changeSettings(merchantDeps, account.merchantId, { isAddressListEnforced: true }, 'operator');
  forgotten(api);
  assert.equal(await from('203.0.113.9', authTest), 200);
  assert.equal(await from('::ffff:203.0.113.9', toPayOut), 200);
  assert.equal(await from('2001:db8:0::1', toPayOut), 200);
  assert.equal(await from('198.51.100.1', authTest), 403);
  assert.equal(await from('198.51.100.1, 203.0.113.9', authTest), 200, 'only the last hop was seen by our proxy');
  assert.equal(await from('203.0.113.9, 198.51.100.1', authTest), 403, 'what a client says is not believed');

  await disallowAddress(merchantDeps, account.merchantId, '2001:db8::1', 'operator');
  assert.equal(await from('2001:db8::1', toPayOut), 403, 'at once where money leaves, whatever was remembered');
  await assert.rejects(disallowAddress(merchantDeps, account.merchantId, '203.0.113.0/24', 'operator'), /last address/);
  await assert.rejects(allowAddress(merchantDeps, account.merchantId, { range: '300.1.1.1' }, 'operator'), /neither/);
  const audit = await api.db<{ action: string }>`
    select action from audit_log where merchant_id = ${account.merchantId} order by id`;
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['merchant.created', 'address.allowed', 'address.allowed', 'settings.changed', 'address.disallowed'],
  );
});

test('settings outside their limits are refused, all at once', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  const change = (settings: Parameters<typeof changeSettings>[2]) =>
    changeSettings(api.merchantDeps, api.account.merchantId, settings, 'operator');
  const wrong = { tolerancePercent: '5.1', lateTolerancePercent: '101' };
  await assert.rejects(change({ ...wrong, extraConfirmations: 101, accountCurrency: 'euro' }), {
    problems: [
      'The account currency must be a currency code such as EUR.',
      'The tolerance must be from 0 to 5 percent.',
      'The late tolerance must be from 0 to 100 percent; 100 credits late payments whatever they are worth.',
      'Extra confirmations must be a whole number from 0 to 100.',
    ],
  });
  const settings = {
    tolerancePercent: '1.5',
    toleranceAbsolute: '2',
    accountCurrency: 'EUR',
    highRiskAssets: ['USDT'],
  };
  const changed = await change({ ...settings, isWebhookHttpsRequired: true, extraConfirmations: 3 });
  assert.equal(changed.tolerancePercent, '1.5');
  assert.deepEqual(changed.highRiskAssets, ['USDT']);
});

test('a request is answered for the merchant whose key signed it', async (t) => {
  const api = await startTestApi([payOut]);
  t.after(() => api.close());
  const other = await createMerchant(api.merchantDeps, { name: 'Other', scopes }, 'operator');
  for (const account of [api.account, other]) {
    await allowAddress(api.merchantDeps, account.merchantId, { range: '127.0.0.1' }, 'operator');
    const reply = await api.sendSigned({ method: 'POST', path: '/pay-out' }, account);
    assert.deepEqual(reply.json, { merchantId: account.merchantId });
  }
  const fresh = await rotateKey(api.merchantDeps, other.merchantId, other.apiKey, 'operator', {
    isAtOnce: true,
  });
  const [old, current] = await Promise.all(
    [other, fresh].map((account) => api.sendSigned({ method: 'POST', path: '/pay-out' }, account)),
  );
  assert.deepEqual([old?.status, current?.status], [401, 200], 'a secret that was exchanged moves no money any more');
});
