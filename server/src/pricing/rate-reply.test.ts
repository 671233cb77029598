import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Decimal, decimal, formatDecimal } from '../money/decimal.ts';
import { member, parseReply, readInverse, readMiddle, readPrice, readUnixTime } from './rate-reply.ts';

const text = (value: Decimal | undefined): string | undefined => value && formatDecimal(value);

test('numbers of a reply arrive as the source wrote them, and everything else as it is', () => {
  assert.deepEqual(parseReply('{"a":0.10,"b":[1e3,true,null],"c":"0.1"}'), {
    a: '0.10',
    b: ['1e3', true, null],
    c: '0.1',
  });
});

test('a member that is not there is undefined, whatever the reply is', () => {
  assert.equal(member({ price: '1' }, 'price'), '1');
  assert.equal(member(['a', 'b'], 1), 'b');
  for (const reply of [undefined, null, 'price', 7, {}, []]) assert.equal(member(reply, 'price'), undefined);
  assert.equal(member({}, 'toString'), undefined);
  assert.equal(member('price', 'length'), undefined);
});

test('a price is a positive decimal between a trillionth and a billion dollars', () => {
  assert.equal(text(readPrice('97123.45')), '97123.45');
  assert.equal(text(readPrice('1000000000')), '1000000000');
  assert.equal(text(readPrice('0.000000000001')), '0.000000000001');
  for (const broken of ['1000000000.01', '0.0000000000009', '0', '-1', '', 'n/a', 5, null, undefined, {}])
    assert.equal(readPrice(broken), undefined, JSON.stringify(broken));
});

test('the middle of a book is half way between bid and ask', () => {
  assert.equal(text(readMiddle('99', '101')), '100');
  assert.equal(text(readMiddle('100', '100')), '100');
});

test('a book that is crossed, too wide or half empty has no middle', () => {
  assert.equal(readMiddle('101', '100'), undefined);
  assert.equal(text(readMiddle('100', '105')), '102.5'); // exactly 5 %
  assert.equal(readMiddle('100', '105.01'), undefined);
  assert.equal(readMiddle('100', '0'), undefined);
  assert.equal(readMiddle(undefined, '100'), undefined);
  assert.equal(readMiddle('100', undefined), undefined);
});

test('so many units for a dollar are a price of its inverse', () => {
  assert.equal(text(readInverse('4', decimal(1))), '0.25');
  assert.equal(text(readInverse('0.5', decimal('1.1'))), '2.2');
  assert.equal(text(readInverse('3', decimal(2))), '0.666666666666666666666667');
});

test('an inverse of nothing, of less than nothing or of what is out of all proportion is none', () => {
  for (const broken of ['0', '-1', 'x', 4, undefined, '1e13', '1e-10'])
    assert.equal(readInverse(broken, decimal(1)), undefined);
});

test('a time is whole seconds since 1970, as text', () => {
  assert.deepEqual(readUnixTime('1767225600'), new Date('2026-01-01T00:00:00Z'));
  assert.deepEqual(readUnixTime('999999999'), new Date('2001-09-09T01:46:39Z'));
  for (const broken of [
    1767225600,
    '17672256',
    '176722560000',
    '1767225600.5',
    'x1767225600',
    '1767225600x',
    undefined,
  ])
    assert.equal(readUnixTime(broken), undefined, String(broken));
});
