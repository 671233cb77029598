/** Digest signatures as existing clients make them, computed by openssl: an implementation that is not ours. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { isSignatureGood, timestampProblem } from '../src/auth/verify-digest.ts';
import { Secret } from '../src/lib/secret.ts';
import { rotateKey } from '../src/merchants/rotate-key.ts';
import { startTestApi } from './test-api.ts';

const secret = new Secret('k3y9-aaaa-bbbb-cccc-dddd-eeee');
const timestamp = '1772366400';

function opensslHmac(message: string | Buffer): string {
  const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret.reveal(), '-hex'], { input: message });
  return output.toString().trim().split(' ').at(-1) ?? '';
}

const vectors = [
  { what: 'a GET', method: 'GET', path: '/auth-test', search: '', body: '', signs: '/auth-test1772366400GET' },
  {
    what: 'a POST with raw UTF-8',
    method: 'POST',
    path: '/checkout',
    search: '',
    body: '{"meta":{"name":"Grüße 😀"}}',
    signs: '/checkout1772366400POST{"meta":{"name":"Grüße 😀"}}',
  },
  {
    what: 'a POST with the escapes of PHP',
    method: 'POST',
    path: '/checkout',
    search: '',
    body: '{"webhook":"https:\\/\\/shop.example\\/\\u00fc"}',
    signs: '/checkout1772366400POST{"webhook":"https:\\/\\/shop.example\\/\\u00fc"}',
  },
  { what: "PHP's empty []", method: 'GET', path: '/wallets', search: '', body: '[]', signs: '/wallets1772366400GET' },
  { what: "Ruby's empty {}", method: 'GET', path: '/wallets', search: '', body: '{}', signs: '/wallets1772366400GET' },
  { what: 'a signed []', method: 'POST', path: '/x', search: '', body: '[]', signs: '/x1772366400POST[]' },
  {
    what: 'the path as called',
    method: 'GET',
    path: '/Auth-Test',
    search: '',
    body: '',
    signs: '/Auth-Test1772366400GET',
  },
  {
    what: 'the path in lower case',
    method: 'GET',
    path: '/Auth-Test',
    search: '',
    body: '',
    signs: '/auth-test1772366400GET',
  },
  {
    what: 'a query left out',
    method: 'GET',
    path: '/checkout',
    search: '?id=Ab',
    body: '',
    signs: '/checkout1772366400GET',
  },
  {
    what: 'a query signed',
    method: 'GET',
    path: '/checkout',
    search: '?id=Ab',
    body: '',
    signs: '/checkout?id=Ab1772366400GET',
  },
  {
    what: 'a bare question mark',
    method: 'GET',
    path: '/assets',
    search: '?',
    body: '',
    signs: '/assets1772366400GET',
  },
  {
    what: 'a DELETE',
    method: 'DELETE',
    path: '/customer',
    search: '',
    body: '{"id":"a"}',
    signs: '/customer1772366400DELETE{"id":"a"}',
  },
];

for (const { what, method, path, search, body, signs } of vectors)
  test(`a good signature is accepted: ${what}`, () => {
    const request = { method, path, search, rawBody: Buffer.from(body) };
    const signature = opensslHmac(signs);
    assert.ok(isSignatureGood(request, timestamp, signature, secret));
    assert.ok(!isSignatureGood({ ...request, method: 'PUT' }, timestamp, signature, secret));
    assert.ok(!isSignatureGood({ ...request, path: '/other' }, timestamp, signature, secret));
    assert.ok(!isSignatureGood({ ...request, rawBody: Buffer.from(`${body} `) }, timestamp, signature, secret));
    assert.ok(!isSignatureGood(request, '1772366401', signature, secret));
    assert.ok(!isSignatureGood(request, timestamp, signature, new Secret('another')));
    assert.ok(!isSignatureGood(request, timestamp, signature.slice(2), secret));
    assert.ok(!isSignatureGood(request, timestamp, '', secret));
  });

test('only an empty list or object may be signed as nothing', () => {
  const request = { method: 'POST', path: '/checkout', search: '' };
  const signature = opensslHmac('/checkout1772366400POST');
  const isGood = (body: string): boolean =>
    isSignatureGood({ ...request, rawBody: Buffer.from(body) }, timestamp, signature, secret);
  for (const body of ['', '[]', '{}']) assert.ok(isGood(body), body);
  for (const body of ['12', '""', '[}', '{]', ' ', '[ ]', '[1]']) assert.ok(!isGood(body), body);
});

test('a timestamp may be less than thirty seconds away, in both directions', () => {
  const now = new Date(1_772_366_400_500);
  for (const offset of [0, -29, 29]) assert.equal(timestampProblem(String(1_772_366_400 + offset), now), undefined);
  assert.match(timestampProblem('1772366370', now) ?? '', /30 seconds old.*GET \/time/);
  assert.match(timestampProblem('1772366430', now) ?? '', /30 seconds ahead/);
  for (const text of ['', 'soon', '17723664e2', '-5', '1772366400.5', '9'.repeat(40)])
    assert.match(timestampProblem(text, now) ?? '', /whole seconds/);
});

test('the server answers to signed requests and says what is wrong with others', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  const errorOf = async (reply: ReturnType<typeof api.send>) => {
    const { status, json } = await reply;
    return `${status} ${(json as { errors: string[] }).errors.join(' ')}`;
  };
  const path = '/auth-test';

  const good = await api.sendSigned({ path });
  assert.equal(good.status, 200);
  assert.deepEqual(good.json, { authenticated: true, method: 'digest' });
  assert.equal((await api.sendSigned({ path: '/AUTH-TEST/', signed: { path: '/auth-test/' } })).status, 200);
  assert.equal((await api.sendSigned({ path, body: '[]', signed: { body: '' } })).status, 200);
  assert.equal((await api.sendSigned({ path: '/auth-test?' })).status, 200);

  assert.match(await errorOf(api.send({ path: '/api/v1/auth-test' })), /^401 This endpoint needs authentication/);
  assert.match(
    await errorOf(api.sendSigned({ path, headers: { 'X-Digest-Timestamp': '' } })),
    /^401 The header X-Digest-Timestamp is missing/,
  );
  const old = Math.floor(api.clock.now().getTime() / 1000) - 30;
  assert.match(await errorOf(api.sendSigned({ path, signed: { timestamp: old } })), /^401 The timestamp .* GET \/time/);
  const wrongSignature = await errorOf(api.sendSigned({ path, signed: { path: '/other' } }));
  const unknownKey = await errorOf(api.sendSigned({ path, headers: { 'X-Digest-Key': 'abcdefghijkl' } }));
  assert.match(wrongSignature, /^401 The API key is unknown or the signature/);
  assert.equal(unknownKey, wrongSignature);
});

test('rotated at once, the new secret works from then on, and the old one does not', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  assert.equal((await api.sendSigned({ path: '/auth-test' })).status, 200);
  const { apiKey, merchantId } = api.account;
  const rotated = await rotateKey(api.merchantDeps, merchantId, apiKey, 'operator', { isAtOnce: true });
  assert.equal((await api.sendSigned({ path: '/auth-test' })).status, 401);
  assert.equal((await api.sendSigned({ path: '/auth-test' }, rotated)).status, 200);
  const audit = await api.db`select actor, action from audit_log where merchant_id = ${merchantId} order by id`;
  assert.deepEqual(audit.at(-1), { actor: 'operator', action: 'key.rotated' });
  await assert.rejects(rotateKey(api.merchantDeps, 'anotherone00', apiKey, 'operator'), /There is no API key/);
});

test('the time is public', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  assert.deepEqual((await api.send({ path: '/api/v1/time' })).json, {
    time: Math.floor(api.clock.now().getTime() / 1000),
  });
  assert.equal((await api.send({ path: '/api/v1/time?', headers: { 'X-Digest-Key': 'nonsense' } })).status, 200);
});
