import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, aRefund, BTC } from '../../test/sample-checkout.ts';
import { shortName } from '../../test/settlement-story.ts';
import type { Payment } from '../checkouts/checkout.ts';
import type { Refund, Take } from '../checkouts/refund.ts';
import { balancedEntry, type Line } from '../ledger/entry.ts';
import { createMerchantPurse } from './merchant-purse.ts';
import { acceptedLines, followedLines, holdLines, keptTakes, returnedLines, sentLines } from './refund-entries.ts';

const take = (paymentId: string, units: string, feeUnits = '0'): Take => ({ paymentId, units, feeUnits });
const payment = (id: string, place: Payment['place']) => aPayment({ id, units: 1000n, minute: 1, place });
const dossier = aDossier({
  commitments: [aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })],
  payments: [
    payment('waiting', 'pending'),
    payment('parked', 'suspense'),
    payment('credited', 'settled'),
    payment('gone', 'none'),
  ],
});
const refund = (terms: Partial<Refund>): Refund => aRefund({ id: 'r', asset: BTC, units: 100n, takes: [], ...terms });
const purse = (available = 1000n) =>
  createMerchantPurse('m', { available: new Map([[BTC, available]]), owed: new Map() });

/** What lines post, once they are known to balance. */
const posted = (lines: readonly Line[]): Record<string, bigint> => {
  const subject = { kind: 'swap', id: 's' } as const;
  const entry = balancedEntry({ reference: 'r', kind: 'swap', merchantId: 'm', subject, lines });
  return Object.fromEntries(entry.lines.map(({ account, units }) => [shortName(account), units]));
};

test('a refund is set aside from where its payments wait', () => {
  const takes = [take('waiting', '60'), take('parked', '40')];
  assert.deepEqual(posted(holdLines(dossier, refund({ takes }), purse())), {
    'reserved BTC': 100n,
    'pending BTC': -60n,
    'suspense BTC': -40n,
  });
});

test('units beyond the price of what was credited lie in suspense', () => {
  assert.deepEqual(posted(holdLines(dossier, refund({ takes: [take('credited', '100')] }), purse())), {
    'reserved BTC': 100n,
    'suspense BTC': -100n,
  });
});

test('the merchant pays for what was credited, and the fee if it is the one who pays it', () => {
  const merchantPays = { feeUnits: 7n, feePaidBy: 'merchant' } as const;
  assert.deepEqual(posted(holdLines(dossier, refund({}), purse())), { 'reserved BTC': 100n, 'available BTC': -100n });
  assert.deepEqual(posted(holdLines(dossier, refund(merchantPays), purse())), {
    'reserved BTC': 107n,
    'available BTC': -107n,
  });
  const takes = [take('parked', '100')];
  assert.deepEqual(posted(holdLines(dossier, refund({ ...merchantPays, takes }), purse())), {
    'reserved BTC': 107n,
    'suspense BTC': -100n,
    'available BTC': -7n,
  });
  assert.throws(() => holdLines(dossier, refund(merchantPays), purse(106n)), /only what is available/);
});

test('what was sent leaves the wallet, the estimated fee repays the costs, and what the rail cannot carry is rounding', () => {
  const sent = refund({ sentUnits: 90n, feeUnits: 8n });
  assert.deepEqual(posted(sentLines('m', sent)), {
    'reserved BTC': -100n,
    'wallet-BITCOIN BTC': 90n,
    'costs BTC': 8n,
    'rounding BTC': 2n,
  });
  assert.deepEqual(posted(sentLines('m', { ...sent, sentUnits: 100n, feePaidBy: 'merchant' })), {
    'reserved BTC': -108n,
    'wallet-BITCOIN BTC': 100n,
    'costs BTC': 8n,
  });
});

test('what will not leave goes back to where it came from', () => {
  const takes = [take('waiting', '60'), take('parked', '30'), take('credited', '10')];
  assert.deepEqual(posted(returnedLines(dossier, refund({ takes }), purse())), {
    'reserved BTC': -100n,
    'pending BTC': 60n,
    'suspense BTC': 40n,
  });
  assert.deepEqual(posted(returnedLines(dossier, refund({}), purse())), {
    'reserved BTC': -100n,
    'available BTC': 100n,
  });
});

test("units of a payment that is gone are the merchant's, who was charged for them", () => {
  assert.deepEqual(posted(returnedLines(dossier, refund({ takes: [take('gone', '100')] }), purse())), {
    'reserved BTC': -100n,
    'available BTC': 100n,
  });
});

test('what an attempt cost is borne by whoever pays the fee, and only then by what was paid', () => {
  const takes = [take('waiting', '60'), take('parked', '40')];
  const failed = refund({ takes, feeUnits: 7n, feePaidBy: 'merchant' });
  assert.deepEqual(keptTakes({ ...failed, costUnits: 5n }), []);
  assert.deepEqual(posted(returnedLines(dossier, { ...failed, costUnits: 5n }, purse())), {
    'reserved BTC': -107n,
    'costs BTC': 5n,
    'pending BTC': 60n,
    'suspense BTC': 40n,
    'available BTC': 2n,
  });
  assert.deepEqual(keptTakes({ ...failed, costUnits: 77n }), [take('waiting', '60'), take('parked', '10')]);
  assert.deepEqual(posted(returnedLines(dossier, { ...failed, costUnits: 77n }, purse())), {
    'reserved BTC': -107n,
    'costs BTC': 77n,
    'suspense BTC': 30n,
  });
});

test("of a refund that the merchant pays, the cost is the merchant's", () => {
  const failed = refund({ costUnits: 30n });
  assert.deepEqual(keptTakes(failed), []);
  assert.deepEqual(posted(returnedLines(dossier, failed, purse())), {
    'reserved BTC': -100n,
    'costs BTC': 30n,
    'available BTC': 70n,
  });
});

test('of a refund out of suspense whose fee the customer pays, the cost is taken of what was paid', () => {
  const failed = refund({ takes: [take('parked', '100')], feeUnits: 9n, costUnits: 30n });
  assert.deepEqual(keptTakes(failed), [take('parked', '30')]);
  assert.deepEqual(posted(returnedLines(dossier, failed, purse())), {
    'reserved BTC': -100n,
    'costs BTC': 30n,
    'suspense BTC': 70n,
  });
});

test("what was given back already of a payment that vanished is the merchant's of what came in its place", () => {
  for (const place of ['pending', 'suspense'] as const)
    assert.deepEqual(posted(followedLines('m', payment('p', place), place, 25n, purse())), {
      [`${place} BTC`]: -25n,
      'available BTC': 25n,
    });
});

test('an excess that the merchant keeps is available, less the fee', () => {
  const takes = [take('parked', '60', '6'), take('credited', '40', '0')];
  assert.deepEqual(posted(acceptedLines(dossier, takes, purse())), {
    'suspense BTC': -100n,
    'fees BTC': 6n,
    'available BTC': 94n,
  });
});

test('a take of a payment that is not there stops the operation', () => {
  assert.throws(() => holdLines(dossier, refund({ takes: [take('nowhere', '100')] }), purse()), /payment nowhere/);
});
