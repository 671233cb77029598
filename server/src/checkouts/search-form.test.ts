import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDecimal } from '../money/decimal.ts';
import { searchForm } from './search-form.ts';

const prices = (text: string): string => {
  const { prices: found, currency } = searchForm(text);
  return [...found.map(formatDecimal), ...(currency === null ? [] : [currency])].join(' ');
};

test('a price has decimals or a currency, however its separators are written', () => {
  for (const [text, found] of [
    ['12.50', '12.5'],
    ['12,50 EUR', '12.5 EUR'],
    ['eur 12', '12 EUR'],
    ['EUR12', '12 EUR'],
    ['12EUR', '12 EUR'],
    ['1.234,50', '1234.5'],
    ['1,234.50 usd', '1234.5 USD'],
    ["1'234.50", '1234.5'],
    ['1 234,50', '1234.5'],
    ['1,234', '1.234 1234'],
    ['0.00012345 BTC', '0.00012345 BTC'],
    ['1234', ''],
    ['1234-5', ''],
    ['-5.00', ''],
    ['EUR 5 USD', ''],
    ['12.50 of', ''],
    ['..', ''],
    ['5.', ''],
    ['', ''],
  ] as const)
    assert.equal(prices(text), found, text);
});

test('what a bank prints leads to whose it is: a reference, and what a payment of ours is called', () => {
  for (const text of ['RF16K3X9AB72MQ0Z', 'rf16 k3x9 ab72 mq0z', 'K3X9AB72MQ0Z-0QQ278I5Q5TA'])
    assert.equal(searchForm(text).id, 'k3x9ab72mq0z', text);
  for (const text of ['RF17K3X9AB72MQ0Z', 'RF18 5390 0754 703', 'K3X9AB72MQ0Z-0QQ'])
    assert.equal(searchForm(text).id, null, text);
});

test('twelve letters and digits are an id, and perhaps an order’s number', () => {
  const form = searchForm(' 8FK2m1x0c3ab ');
  assert.equal(form.id, '8fk2m1x0c3ab');
  assert.equal(form.term, '8fk2m1x0c3ab');
  for (const text of ['8fk2m1x0c3a', '8fk2m1x0c3abc', '8fk2m1x0-3ab']) assert.equal(searchForm(text).id, null, text);
});

test('64 hexadecimal digits are a transaction, with 0x or without', () => {
  const hash = 'Ab'.repeat(32);
  for (const text of [hash, `0x${hash}`, ` 0X${hash} `])
    assert.deepEqual(searchForm(text).transactions, [hash.toLowerCase(), `0x${hash.toLowerCase()}`], text);
  for (const text of [hash.slice(1), `${hash}0`, hash.replace('A', 'g')])
    assert.deepEqual(searchForm(text).transactions, [], text);
});

test('an address is one word, as it was written and in lower case', () => {
  const address = '0xAbCdef0123456789abcdef0123456789abcdef01';
  assert.deepEqual(searchForm(address).addresses, [address, address.toLowerCase()]);
  assert.deepEqual(searchForm('bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh').addresses.length, 1);
  assert.deepEqual(searchForm('two words of it').addresses, []);
});

test('an e-mail address has one @ between two parts', () => {
  assert.equal(searchForm('Maria@Example.com').email, 'maria@example.com');
  for (const text of ['@example.com', 'maria@', 'a@b@c', 'a b@c']) assert.equal(searchForm(text).email, null, text);
});

test('a text of any length is looked at up to a limit', () => {
  assert.equal(searchForm('x'.repeat(100_000)).term.length, 64);
});
