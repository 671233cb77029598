/** Digest signatures as existing clients make them, computed by openssl: an implementation that is not ours. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSignatureGood, timestampProblem } from '../src/auth/verify-digest.ts';
import { Secret } from '../src/lib/secret.ts';
import { rotateKey } from '../src/merchants/rotate-key.ts';
import { startTestApi } from './test-api.ts';

type Signed = { name: string; method: string; path: string; query: string; body: string };
/** Shared with the SDKs, which must make the first of these signatures. */
const vectors = JSON.parse(readFileSync(new URL('../../sdk/vectors/digest.json', import.meta.url), 'utf8')) as {
  readonly secret: string;
  readonly timestamp: number;
  readonly clients: readonly (Signed & { signs: string; signature: string })[];
  readonly servers: readonly (Signed & { signs: string; signature: string })[];
  readonly refused: readonly (Signed & { signature: string })[];
  readonly timestamps: readonly { name: string; now: number; timestamp: string; problem: string | null }[];
};
const secret = new Secret(vectors.secret);
const timestamp = String(vectors.timestamp);

const requestOf = ({ method, path, query, body }: Signed) => ({
  method,
  path,
  search: query,
  rawBody: Buffer.from(body),
});

function opensslHmac(message: string | Buffer): string {
  const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret.reveal(), '-hex'], { input: message });
  return output.toString().trim().split(' ').at(-1) ?? '';
}

for (const vector of [...vectors.clients, ...vectors.servers])
  test(`a good signature is accepted: ${vector.name}`, () => {
    const { body, signs, signature } = vector;
    const request = requestOf(vector);
    assert.equal(signature.toLowerCase(), opensslHmac(signs));
    assert.ok(isSignatureGood(request, timestamp, signature, secret));
    assert.ok(!isSignatureGood({ ...request, method: 'PATCH' }, timestamp, signature, secret));
    assert.ok(!isSignatureGood({ ...request, path: '/other' }, timestamp, signature, secret));
    assert.ok(!isSignatureGood({ ...request, rawBody: Buffer.from(`${body} `) }, timestamp, signature, secret));
    assert.ok(!isSignatureGood(request, String(vectors.timestamp + 1), signature, secret));
    assert.ok(!isSignatureGood(request, timestamp, signature, new Secret('another')));
    assert.ok(!isSignatureGood(request, timestamp, signature.slice(2), secret));
    assert.ok(!isSignatureGood(request, timestamp, '', secret));
  });

test('a signature that does not belong to the request is refused', () => {
  for (const vector of vectors.refused)
    assert.ok(!isSignatureGood(requestOf(vector), timestamp, vector.signature, secret), vector.name);
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

test('a timestamp is judged as the SDKs expect', () => {
  const words = [
    ['old', /seconds old/],
    ['ahead', /seconds ahead/],
    ['unreadable', /whole seconds/],
  ] as const;
  for (const { name, now, timestamp: given, problem } of vectors.timestamps) {
    const told = timestampProblem(given, new Date(now * 1000)) ?? '';
    assert.equal(words.find(([, pattern]) => pattern.test(told))?.[0] ?? null, problem, name);
  }
});

test('what is said about a timestamp is what SDKs recognise a wrong clock by', () => {
  const { errors } = JSON.parse(readFileSync(new URL('../../sdk/vectors/errors.json', import.meta.url), 'utf8')) as {
    readonly errors: readonly { isClock: boolean; sentences: readonly string[] }[];
  };
  const now = new Date(vectors.timestamp * 1000);
  const told = [31, -3600].map((age) => timestampProblem(String(vectors.timestamp - age), now));
  assert.deepEqual(
    errors.flatMap(({ isClock, sentences }) => (isClock ? sentences : [])),
    told,
  );
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
