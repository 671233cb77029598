import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, countedAddress, isInRanges, isUnnamedProxy, parseRange } from './client-address.ts';

const proxies = ['10.0.0.0/8', '::1', 'fd00::/8'].map(parseRange);

test('without named proxies the connection says who calls', () => {
  assert.equal(clientAddress('203.0.113.9', '198.51.100.1', []), '203.0.113.9');
  assert.equal(clientAddress('::ffff:203.0.113.9', undefined, []), '203.0.113.9');
  assert.equal(clientAddress(undefined, '198.51.100.1', []), 'unknown');
});

test('a named proxy is believed about the hop before it, and no further', () => {
  assert.equal(clientAddress('10.1.2.3', '198.51.100.1', proxies), '198.51.100.1');
  assert.equal(clientAddress('10.1.2.3', '192.0.2.1, 198.51.100.1', proxies), '198.51.100.1');
  assert.equal(clientAddress('10.1.2.3', '192.0.2.1, 198.51.100.1, 10.9.9.9', proxies), '198.51.100.1');
  assert.equal(clientAddress('::1', ['192.0.2.1', '2001:DB8::5'], proxies), '2001:db8::5');
  assert.equal(clientAddress('203.0.113.9', '198.51.100.1', proxies), '203.0.113.9');
});

test('nonsense in the header does not help', () => {
  for (const forwarded of ['', 'unknown', '<script>', ',,,', '1.2.3.4.5', 'x'.repeat(9_000)])
    assert.equal(clientAddress('10.1.2.3', forwarded, proxies), '10.1.2.3');
});

test('ranges hold addresses of their own kind', () => {
  const ranges = ['203.0.113.0/24', '2001:db8::/32', '::ffff:198.51.100.0/120'].map(parseRange);
  for (const address of ['203.0.113.255', '::ffff:203.0.113.1', '2001:db8:1::', '198.51.100.7'])
    assert.ok(isInRanges(address, ranges), address);
  for (const address of ['203.0.114.0', '2001:db9::', 'unknown', '', '::1']) assert.ok(!isInRanges(address, ranges));
  for (const text of ['300.1.1.1', 'abc', '10.0.0.0/33', '']) assert.throws(() => parseRange(text));
});

test('a network of IPv6 counts as one address', () => {
  assert.equal(countedAddress('2001:db8:0:1::ffff'), '2001:db8:0:1::/64');
  assert.equal(countedAddress('2001:db8:0:1:9:9:9:9'), countedAddress('2001:db8:0:1::'));
  assert.notEqual(countedAddress('2001:db8:0:2::'), countedAddress('2001:db8:0:1::'));
  for (const asIs of ['203.0.113.9', 'unknown', '8.8.8.8 at pay.shop.example'])
    assert.equal(countedAddress(asIs), asIs);
});

test('a proxy that nobody has named is one on a private address that tells of somebody', () => {
  assert.equal(isUnnamedProxy('192.168.1.1', '8.8.8.8', proxies), true);
  assert.equal(isUnnamedProxy('192.168.1.1', undefined, proxies), false);
  assert.equal(isUnnamedProxy('10.1.2.3', '8.8.8.8', proxies), false, 'named');
  assert.equal(isUnnamedProxy('8.8.4.4', '8.8.8.8', proxies), false, 'anybody can say so');
});
