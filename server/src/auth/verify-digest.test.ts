import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../lib/secret.ts';
import { isSignatureGood, timestampProblem } from './verify-digest.ts';

const secret = new Secret('k3y9-aaaa-bbbb-cccc-dddd-eeee');
const timestamp = '1772366400';
const signed = (text: string): string => createHmac('sha256', secret.reveal()).update(text).digest('hex');

/** Whether a request with this signature is believed. */
const isGood = (signature: string, request: { method?: string; path?: string; search?: string; body?: string } = {}) =>
  isSignatureGood(
    {
      method: request.method ?? 'GET',
      path: request.path ?? '/wallets',
      search: request.search ?? '',
      rawBody: Buffer.from(request.body ?? ''),
    },
    timestamp,
    signature,
    secret,
  );

test('path, time, method and body are signed, one after the other', () => {
  assert.ok(isGood(signed(`/wallets${timestamp}GET`)));
  assert.ok(isGood(signed(`/x${timestamp}POST{"a":1}`), { method: 'post', path: '/x', body: '{"a":1}' }));
  assert.ok(!isGood(signed(`/wallets${timestamp}get`)));
  assert.ok(!isGood(signed(`/wallets${timestamp}POST`)));
  assert.ok(!isGood(signed(`/x${timestamp}POST`), { method: 'POST', path: '/x', body: '{"a":1}' }));
});

test('a signature is 64 hexadecimal digits, in small or capital letters', () => {
  const good = signed(`/wallets${timestamp}GET`);
  assert.ok(isGood(good.toUpperCase()));
  for (const bad of ['', good.slice(1), `${good}0`, `0${good}`, good.replace(/.$/, 'g'), ` ${good.slice(1)}`])
    assert.ok(!isGood(bad), bad);
});

test('a path may be signed in lower case, and with its query', () => {
  const request = { path: '/Wallets', search: '?Asset=BTC' };
  for (const path of ['/Wallets', '/wallets', '/Wallets?Asset=BTC', '/wallets?asset=btc'])
    assert.ok(isGood(signed(`${path}${timestamp}GET`), request), path);
  for (const path of ['/WALLETS', '/wallets?Asset=BTC', '/Wallets?asset=btc', '/Wallets?'])
    assert.ok(!isGood(signed(`${path}${timestamp}GET`), request), path);
});

test('an empty list or object of no parameters may be signed as nothing, and nothing else may', () => {
  for (const body of ['[]', '{}']) {
    assert.ok(isGood(signed(`/wallets${timestamp}GET`), { body }), body);
    assert.ok(isGood(signed(`/wallets${timestamp}GET${body}`), { body }), body);
  }
  for (const body of ['()', '12', '[ ]', '{} ', 'x'])
    assert.ok(!isGood(signed(`/wallets${timestamp}GET`), { body }), body);
});

test('whatever else is changed in a request, its signature is good no more', () => {
  const body = fc.string({ minLength: 1 }).filter((text) => text !== '[]' && text !== '{}');
  fc.assert(
    fc.property(body, body, (one, other) => {
      const signature = signed(`/wallets${timestamp}POST${one}`);
      assert.equal(isGood(signature, { method: 'POST', body: other }), one === other);
    }),
  );
});

test('a timestamp is whole seconds, less than thirty away in both directions', () => {
  const now = new Date(1_772_366_400_999);
  for (const offset of [0, -29, 29]) assert.equal(timestampProblem(String(1_772_366_400 + offset), now), undefined);
  assert.match(timestampProblem('1772366370', now) ?? '', /is 30 seconds old; less than 30 are allowed/);
  assert.match(timestampProblem('1772366430', now) ?? '', /is 30 seconds ahead of our clock/);
  assert.equal(timestampProblem('000000000005', new Date(5_000)), undefined);
  for (const text of ['', 'soon', '-5', '1772366400.5', '1772366400 ', 'a1772366400', '0'.repeat(13)])
    assert.match(timestampProblem(text, now) ?? '', /whole seconds/, text);
});
