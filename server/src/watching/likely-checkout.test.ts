import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LikelyCheckout, likelyCheckouts, likelyMost, type WaitingCheckout } from './likely-checkout.ts';

const day = (of: number): Date => new Date(Date.UTC(2026, 2, of));
const waiting = (id: string, more: Partial<WaitingCheckout> = {}): WaitingCheckout => {
  const merchant = { merchantId: 'm', merchantName: 'Shop' };
  return { id, ...merchant, committedAt: day(1), dueUnits: 1_000n, missingUnits: 1_000n, names: [], ...more };
};
const idsOf = (found: readonly LikelyCheckout[]): string[] => found.map(({ id }) => id);

test('amount and name come first, then the amount, then the name, and nothing else', () => {
  const found = likelyCheckouts({ units: 1_000n, payerName: 'Ada Payer' }, [
    waiting('other', { dueUnits: 999n, missingUnits: 999n, names: ['Jörg Zahler'] }),
    waiting('name', { dueUnits: 7n, missingUnits: 7n, names: ['Ada Payer'], committedAt: day(9) }),
    waiting('amount', { committedAt: day(2) }),
    waiting('newer', { committedAt: day(3) }),
    waiting('both', { names: ['Ada Payer'] }),
  ]);
  assert.deepEqual(idsOf(found), ['both', 'newer', 'amount', 'name']);
  assert.deepEqual(
    found.map(({ hasAmount, hasName }) => [hasAmount, hasName]),
    [
      [true, true],
      [true, false],
      [true, false],
      [false, true],
    ],
  );
});

test('of a price of which a part came, the rest is the amount, and all of it too', () => {
  const part = [waiting('part', { missingUnits: 400n })];
  for (const units of [400n, 1_000n])
    assert.deepEqual(idsOf(likelyCheckouts({ units, payerName: null }, part)), ['part']);
  assert.deepEqual(likelyCheckouts({ units: 600n, payerName: null }, part), []);
});

test('a name is the same however a bank writes it', () => {
  const isFound = (name: string, payerName: string | null): boolean =>
    likelyCheckouts({ units: 1n, payerName }, [waiting('one', { names: [name] })]).length > 0;
  for (const [name, payer] of [
    ['Jörg Müller', 'MUELLER JOERG'],
    ['Jörg Müller', 'Müller, Jörg und Anna'],
    ['José Nuñez', 'JOSE NUNEZ'],
    ['Strauß GmbH', 'STRAUSS GMBH'],
    ['Łukasz Żółkiewski', 'LUKASZ ZOLKIEWSKI'],
    ['Elin Ødegård', 'ODEGARD ELIN'],
  ] as const)
    assert.ok(isFound(name, payer), `${name} is ${payer}`);
  for (const [name, payer] of [
    ['Jörg Müller', 'Anna Müller'],
    ['Ada', 'Adalbert Payer'],
    ['Ada Payer', ''],
    ['Ada Payer', null],
    ['…', 'Ada Payer'],
    ['', ''],
  ] as const)
    assert.ok(!isFound(name, payer), `${name} is not ${payer}`);
});

test('only the likeliest are shown', () => {
  const many = Array.from({ length: likelyMost + 1 }, (_, at) => waiting(`c${at}`, { committedAt: day(at + 1) }));
  const found = likelyCheckouts({ units: 1_000n, payerName: null }, many);
  assert.deepEqual([found.length, found[0]?.id], [likelyMost, `c${likelyMost}`]);
});
