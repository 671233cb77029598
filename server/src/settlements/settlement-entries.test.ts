import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aCommitment,
  aDossier,
  aPayment,
  aRefund,
  at,
  BTC,
  type PaymentTerms,
  USDC,
} from '../../test/sample-checkout.ts';
import { shortName } from '../../test/settlement-story.ts';
import type { CheckoutDossier, SettledPart } from '../checkouts/checkout.ts';
import { balancedEntry, type Line } from '../ledger/entry.ts';
import { createMerchantPurse } from './merchant-purse.ts';
import {
  movedLines,
  partsNow,
  receiptLines,
  reversalLines,
  settlementLines,
  vanishedLines,
} from './settlement-entries.ts';

const commitments = [aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })];
const payment = (terms: Partial<PaymentTerms> = {}) => aPayment({ id: 'p1', units: 1000n, minute: 1, ...terms });
const purse = (available = 10_000n) =>
  createMerchantPurse('m', {
    available: new Map([
      [BTC, available],
      [USDC, available],
    ]),
    owed: new Map(),
  });

const part = (terms: Partial<SettledPart> = {}): SettledPart => ({
  commitmentId: 'c1',
  network: 'BITCOIN',
  paidAsset: BTC,
  creditedAsset: BTC,
  basis: 'QUOTE',
  countedUnits: '1000',
  excessUnits: '0',
  grossUnits: '1000',
  feeUnits: '5',
  netUnits: '995',
  ...terms,
});

const posted = (lines: readonly Line[]): Record<string, bigint> => {
  const subject = { kind: 'swap', id: 's' } as const;
  const entry = balancedEntry({ reference: 'r', kind: 'swap', merchantId: 'm', subject, lines });
  return Object.fromEntries(entry.lines.map(({ account, units }) => [shortName(account), units]));
};

/** 100 of p1 are refunded, 50 were kept as an excess with a fee of 2, and 7 are what an attempt cost. */
function withTakes(): CheckoutDossier {
  const take = (paymentId: string, units: string, feeUnits = '0') => ({ paymentId, units, feeUnits });
  const refund = (id: string, units: string, terms: Partial<CheckoutDossier['refunds'][number]> = {}) =>
    aRefund({ id, asset: BTC, units: 1n, takes: [take('p1', units), take('p2', '1')], ...terms });
  const acceptedExcess = [{ takes: [take('p1', '50', '2'), take('p2', '9', '1')], acceptedAt: '', isBooked: true }];
  return {
    ...aDossier({ commitments, checkout: { acceptedExcess } }),
    refunds: [
      refund('r1', '100', { place: 'sent' }),
      refund('r2', '4000', { place: 'returned' }),
      refund('r3', '7', { place: 'returned', costUnits: 7n }),
    ],
  };
}

test('confirmed coins come from the chain and wait in pending', () => {
  assert.deepEqual(posted(receiptLines(aDossier({ commitments }), payment(), purse())), {
    'wallet-BITCOIN BTC': -1000n,
    'pending BTC': 1000n,
  });
});

test('what was taken before the payment vanished is given to the merchant, who was charged for it, when it is back', () => {
  assert.deepEqual(posted(receiptLines(withTakes(), payment({ takenUnits: 157n }), purse())), {
    'wallet-BITCOIN BTC': -1000n,
    'pending BTC': 843n,
    'fees BTC': 2n,
    'available BTC': 155n,
  });
});

test('coins that vanished leave where they waited, and the merchant owes what the customer has had of them', () => {
  for (const place of ['pending', 'suspense'] as const)
    assert.deepEqual(posted(vanishedLines(withTakes(), payment({ takenUnits: 157n }), place, purse(100n))), {
      'wallet-BITCOIN BTC': 1000n,
      [`${place} BTC`]: -843n,
      'fees BTC': -2n,
      'available BTC': -100n,
      'receivable BTC': -55n,
    });
});

test('what is parked moves with what is left of it', () => {
  assert.deepEqual(posted(movedLines('m', payment({ takenUnits: 300n }), 'pending', 'suspense')), {
    'pending BTC': -700n,
    'suspense BTC': 700n,
  });
});

test('the same coin is credited less the fee, and what is beyond the price goes to suspense', () => {
  const payments = [
    { payment: payment({ units: 800n, takenUnits: 100n }), place: 'pending' as const },
    { payment: payment({ id: 'p2', units: 500n }), place: 'suspense' as const },
  ];
  assert.deepEqual(posted(settlementLines('m', payments, [part({ excessUnits: '200' })], purse())), {
    'pending BTC': -700n,
    'suspense BTC': -300n,
    'fees BTC': 5n,
    'available BTC': 995n,
  });
  assert.throws(
    () => settlementLines('m', [{ payment: payment(), place: 'none' }], [part()], purse()),
    /a settled payment was waiting/,
  );
});

const converted = part({ creditedAsset: USDC, grossUnits: '600', feeUnits: '3', netUnits: '597' });

test('another coin is sold to the operator, who books both sides', () => {
  const payments = [{ payment: payment(), place: 'pending' as const }];
  assert.deepEqual(posted(settlementLines('m', payments, [converted], purse())), {
    'pending BTC': -1000n,
    'fx BTC': 1000n,
    'fx USDC': -600n,
    'fees USDC': 3n,
    'available USDC': 597n,
  });
});

test('the nets of one asset are credited together', () => {
  const payments = [{ payment: payment({ units: 2000n }), place: 'pending' as const }];
  const lines = settlementLines('m', payments, [part(), part()], purse());
  assert.equal(posted(lines)['available BTC'], 1990n);
  assert.equal(lines.filter(({ account }) => account.includes('available')).length, 1);
});

const settledDossier = (units: bigint, parts: readonly SettledPart[]): CheckoutDossier => ({
  ...aDossier({
    commitments,
    payments: [payment({ units, place: 'settled' }), payment({ id: 'p2', units: 99n, place: 'suspense' })],
  }),
  settlements: [{ generation: 1, reference: 'r', parts, settledAt: at(5), reversedAt: null }],
});

test('a settlement is undone to the last unit', () => {
  const same = settledDossier(1200n, [part({ excessUnits: '200' })]);
  assert.deepEqual(posted(reversalLines(same, [part({ excessUnits: '200' })], purse())), {
    'pending BTC': 1200n,
    'suspense BTC': -200n,
    'fees BTC': -5n,
    'available BTC': -995n,
  });
  assert.deepEqual(posted(reversalLines(settledDossier(1000n, [converted]), [converted], purse(500n))), {
    'pending BTC': 1000n,
    'fx BTC': -1000n,
    'fx USDC': 600n,
    'fees USDC': -3n,
    'available USDC': -500n,
    'receivable USDC': -97n,
  });
});

test('the excess of a part is what is in suspense of it now, and a commitment with two parts has it once', () => {
  const parts = [part({ countedUnits: '600', excessUnits: '999' }), part({ countedUnits: '400', excessUnits: '999' })];
  const now = partsNow(settledDossier(1200n, parts), parts);
  assert.deepEqual(
    now.map(({ excessUnits }) => excessUnits),
    ['200', '0'],
  );
});
