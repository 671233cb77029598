import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal, formatDecimal, one } from '../money/decimal.ts';
import {
  freeUnits,
  limitOf,
  noStock,
  positionAccounts,
  promisableUnits,
  promisedUnits,
  type Stock,
  shortageOf,
  stockBeyond,
} from './treasury-stock.ts';

const btc = { assetCode: 'BTC', ledgerScale: 8 };
const half = decimal('0.5');
const stockOf = (units: bigint, promised: Readonly<Record<string, bigint>> = {}): Stock => ({
  units,
  promised: new Map(Object.entries(promised)),
});

test('the position is what the operator has of its own, earned, exchanged and paid for networks', () => {
  assert.deepEqual(positionAccounts('BTC:G'), [
    'operator/costs/BTC:G',
    'operator/equity/BTC:G',
    'operator/fees/BTC:G',
    'operator/fx/BTC:G',
  ]);
});

test('a limit is for its asset, else for all others, else zero', () => {
  const limits = new Map([
    ['BTC', decimal('-2')],
    ['*', decimal('1')],
  ]);
  assert.equal(formatDecimal(limitOf(limits, btc)), '-2');
  assert.equal(formatDecimal(limitOf(limits, { assetCode: 'LTC' })), '1');
  assert.equal(formatDecimal(limitOf(new Map(), btc)), '0');
});

test('what may be given is what is beyond the limit, which rounds up', () => {
  assert.equal(stockBeyond(new Map([['BTC', decimal('0.5')]]), btc, 80_000_000n), 30_000_000n);
  assert.equal(stockBeyond(new Map([['BTC', decimal('-0.5')]]), btc, 0n), 50_000_000n);
  assert.equal(stockBeyond(new Map([['BTC', decimal('0.000000001')]]), btc, 10n), 9n);
  assert.equal(stockBeyond(new Map(), btc, -3n), -3n);
});

test('what is promised to some is free to none', () => {
  assert.equal(promisedUnits(stockOf(100n, { a: 30n, b: 50n })), 80n);
  assert.equal(freeUnits(stockOf(100n, { a: 30n, b: 50n })), 20n);
  assert.equal(freeUnits(stockOf(10n, { a: 30n })), -20n);
  assert.equal(freeUnits(noStock), 0n);
});

test('a merchant is promised its share of what the others leave, with what it has', () => {
  assert.equal(promisableUnits(stockOf(100n), 'a', half), 50n);
  assert.equal(promisableUnits(stockOf(100n, { b: 50n }), 'a', half), 25n);
  assert.equal(promisableUnits(stockOf(100n, { a: 30n }), 'a', half), 20n);
  assert.equal(promisableUnits(stockOf(100n, { a: 50n }), 'a', half), 0n);
  assert.equal(promisableUnits(stockOf(100n, { a: 70n }), 'a', half), 0n);
  assert.equal(promisableUnits(stockOf(101n), 'a', half), 50n);
});

test('who shares with nobody is promised everything, and never more than is there', () => {
  assert.equal(promisableUnits(stockOf(100n, { a: 30n }), 'a', one), 70n);
  assert.equal(promisableUnits(stockOf(100n), 'a', decimal(2)), 100n);
  assert.equal(promisableUnits(stockOf(0n), 'a', one), 0n);
  assert.equal(promisableUnits(stockOf(1n), 'a', one), 1n);
  assert.equal(promisableUnits(stockOf(10n, { b: 30n }), 'a', one), 0n);
  assert.equal(promisableUnits(noStock, 'a', one), 0n);
});

test('however many ask, one after the other, there is never more promised than there is', () => {
  const askers = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), askers, (units, asking) => {
      const promised = new Map<string, bigint>();
      for (const merchant of asking) {
        const most = promisableUnits({ units, promised }, merchant, half);
        assert.ok(most >= 0n);
        promised.set(merchant, (promised.get(merchant) ?? 0n) + most);
        assert.ok(freeUnits({ units, promised }) >= 0n);
      }
    }),
  );
});

test('a shortage is told in one sentence, with what can be given', () => {
  assert.equal(shortageOf(100n, 100n, btc), null);
  assert.equal(
    shortageOf(150_000_000n, 150_000_001n, btc)?.sentence,
    'The service can give at most 1.5 BTC from its stock at the moment.',
  );
  assert.match(shortageOf(-5n, 1n, btc)?.sentence ?? '', /at most 0 BTC/);
  assert.match(shortageOf(0n, 1n, btc)?.sentence ?? '', /at most 0 BTC/);
});
