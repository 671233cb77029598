import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { balancedEntry, type Entry } from '../ledger/entry.ts';
import type { Swap } from './swap.ts';
import { releasingEntry, repaidUnits, reservingEntry, swapAccounts, swapEntry } from './swap-entries.ts';

const swap: Swap = {
  merchantId: 'm',
  id: 's1',
  apiKey: 'k',
  requestedBy: 'key:k',
  quoteId: null,
  state: 'PROCESSING',
  venue: null,
  sourceAsset: 'BTC',
  targetAsset: 'USDC',
  sourceUnits: 1_000n,
  grossUnits: 500n,
  feeUnits: 5n,
  leastUnits: 0n,
  isFixed: true,
  rate: '0.5',
  spread: '0',
  txHash: null,
  failure: null,
  webhook: null,
  meta: null,
  createdAt: new Date(0),
  endedAt: null,
};

const owing = (asset: string, units: bigint) => new Map([[merchantAccount('m', 'receivable', asset), -units]]);
const posted = (entry: Entry): Record<string, bigint> =>
  Object.fromEntries(balancedEntry(entry).lines.map(({ account, units }) => [account, units]));

test('the operator buys what is given and sells what is wanted', () => {
  for (const from of ['available', 'reserved'] as const)
    assert.deepEqual(posted(swapEntry(swap, from, new Map())), {
      [`merchant/m/${from}/BTC`]: -1_000n,
      'operator/fx/BTC': 1_000n,
      'operator/fx/USDC': -500n,
      'operator/fees/USDC': 5n,
      'merchant/m/available/USDC': 495n,
    });
});

test('a swap is posted once, and so is what it sets aside or gives back', () => {
  const entries = [swapEntry(swap, 'available', new Map()), reservingEntry(swap), releasingEntry(swap, new Map())];
  assert.deepEqual(
    entries.map(({ reference, kind, merchantId, subject }) => [reference, kind, merchantId, subject.kind, subject.id]),
    [
      ['swap:s1', 'swap', 'm', 'swap', 's1'],
      ['swap:s1:reserved', 'swap_reserved', 'm', 'swap', 's1'],
      ['swap:s1:released', 'swap_released', 'm', 'swap', 's1'],
    ],
  );
});

test('what the merchant owes in the credited asset is repaid first', () => {
  const lines = posted(swapEntry(swap, 'available', owing('USDC', 100n)));
  assert.equal(lines['merchant/m/receivable/USDC'], 100n);
  assert.equal(lines['merchant/m/available/USDC'], 395n);
  const all = posted(swapEntry(swap, 'available', owing('USDC', 600n)));
  assert.equal(all['merchant/m/receivable/USDC'], 495n);
  assert.equal(all['merchant/m/available/USDC'], undefined);
});

test('what will be repaid is the debt, as far as the net goes', () => {
  assert.equal(repaidUnits(swap, new Map()), 0n);
  assert.equal(repaidUnits(swap, owing('USDC', 100n)), 100n);
  assert.equal(repaidUnits(swap, owing('USDC', 495n)), 495n);
  assert.equal(repaidUnits(swap, owing('USDC', 600n)), 495n);
  assert.equal(repaidUnits(swap, owing('BTC', 600n)), 0n);
});

test('what waits for a market is set aside', () => {
  assert.deepEqual(posted(reservingEntry(swap)), {
    'merchant/m/available/BTC': -1_000n,
    'merchant/m/reserved/BTC': 1_000n,
  });
});

test('what was not exchanged comes back, and repays a debt of the meantime first', () => {
  assert.deepEqual(posted(releasingEntry(swap, new Map())), {
    'merchant/m/reserved/BTC': -1_000n,
    'merchant/m/available/BTC': 1_000n,
  });
  assert.deepEqual(posted(releasingEntry(swap, owing('BTC', 300n))), {
    'merchant/m/reserved/BTC': -1_000n,
    'merchant/m/receivable/BTC': 300n,
    'merchant/m/available/BTC': 700n,
  });
});

test('all accounts that the decision depends on are locked together', () => {
  assert.deepEqual(swapAccounts(swap), [
    'merchant/m/available/BTC',
    'merchant/m/receivable/BTC',
    'merchant/m/reserved/BTC',
    'merchant/m/available/USDC',
    'merchant/m/receivable/USDC',
  ]);
});
