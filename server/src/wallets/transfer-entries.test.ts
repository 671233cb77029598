import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balancedEntry, type Entry } from '../ledger/entry.ts';
import type { Transfer } from './transfer.ts';
import { cameBackEntry, releasedEntry, reservedEntry, sentEntry } from './transfer-entries.ts';

const transfer: Transfer = {
  merchantId: 'm',
  id: 't1',
  apiKey: 'k',
  requestedBy: 'key:k',
  state: 'QUEUED',
  network: 'BITCOIN',
  asset: 'BTC',
  units: 1_000n,
  networkFeeUnits: 30n,
  serviceFeeUnits: 7n,
  heldFeeUnits: null,
  costUnits: 0n,
  cameBackUnits: 0n,
  cameBackAt: null,
  address: 'there',
  memo: null,
  memoType: null,
  holder: null,
  targetAccountId: null,
  targetLabel: null,
  usableFrom: new Date(0),
  approvedBy: null,
  approvedAt: null,
  canceledBy: null,
  webhook: null,
  meta: null,
  failure: null,
  createdAt: new Date(0),
  endedAt: null,
  waitsFor: null,
  isSigned: false,
  txHash: null,
};

const posted = (entry: Entry): Record<string, bigint> =>
  Object.fromEntries(balancedEntry(entry).lines.map(({ account, units }) => [account, units]));

test('a transfer sets aside what is sent and both fees', () => {
  const entry = reservedEntry(transfer);
  assert.deepEqual(posted(entry), { 'merchant/m/available/BTC': -1_037n, 'merchant/m/reserved/BTC': 1_037n });
  const { reference, kind, merchantId, subject } = entry;
  assert.deepEqual([reference, kind, merchantId], ['transfer:t1:reserved', 'transfer_reserved', 'm']);
  assert.deepEqual(subject, { kind: 'transfer', id: 't1' });
});

test("what was sent leaves the wallet, and the quoted fees are the operator's", () => {
  const entry = sentEntry(transfer);
  assert.deepEqual(posted(entry), {
    'merchant/m/reserved/BTC': -1_037n,
    'operator/wallet-BITCOIN/BTC': 1_000n,
    'operator/fees/BTC': 37n,
  });
  assert.deepEqual([entry.reference, entry.kind], ['transfer:t1:sent', 'transfer_sent']);
});

test('what was not sent comes back, less what the attempt cost', () => {
  const entry = releasedEntry({ ...transfer, costUnits: 12n }, 0n);
  assert.deepEqual(posted(entry), {
    'merchant/m/reserved/BTC': -1_037n,
    'operator/fees/BTC': 12n,
    'merchant/m/available/BTC': 1_025n,
  });
  assert.deepEqual([entry.reference, entry.kind], ['transfer:t1:released', 'transfer_released']);
});

test('what came back leaves the fees paid and repays a debt first, and each time has a name of its own', () => {
  const entry = cameBackEntry({ ...transfer, cameBackUnits: 100n }, 400n, 150n);
  assert.deepEqual(posted(entry), {
    'operator/wallet-BITCOIN/BTC': -400n,
    'merchant/m/receivable/BTC': 150n,
    'merchant/m/available/BTC': 250n,
  });
  assert.deepEqual([entry.reference, entry.kind], ['transfer:t1:came-back:500', 'transfer_came_back']);
});

test('a debt that came up in the meantime is repaid first', () => {
  assert.deepEqual(posted(releasedEntry(transfer, 37n)), {
    'merchant/m/reserved/BTC': -1_037n,
    'merchant/m/receivable/BTC': 37n,
    'merchant/m/available/BTC': 1_000n,
  });
  assert.deepEqual(posted(releasedEntry(transfer, 5_000n)), {
    'merchant/m/reserved/BTC': -1_037n,
    'merchant/m/receivable/BTC': 1_037n,
  });
});

test('whatever it cost and whatever is owed: no more is repaid than is owed, and nobody has less than nothing', () => {
  const total = 1_037n;
  for (const costUnits of [0n, 1n, 1_036n, total])
    for (const owed of [0n, 1n, total - costUnits - 1n, total - costUnits, total - costUnits + 1n, total, total + 1n]) {
      const owedUnits = owed > 0n ? owed : 0n;
      const lines = posted(releasedEntry({ ...transfer, costUnits }, owedUnits));
      const [repaid, left] = [lines['merchant/m/receivable/BTC'] ?? 0n, lines['merchant/m/available/BTC'] ?? 0n];
      const what = `${costUnits} were spent, ${owedUnits} owed`;
      assert.equal(repaid, owedUnits < total - costUnits ? owedUnits : total - costUnits, what);
      assert.equal(left, total - costUnits - repaid, what);
      assert.equal(lines['operator/fees/BTC'] ?? 0n, costUnits, what);
    }
  for (const owedUnits of [0n, 399n, 400n, 401n]) {
    const lines = posted(cameBackEntry(transfer, 400n, owedUnits));
    const repaid = owedUnits < 400n ? owedUnits : 400n;
    assert.equal(lines['merchant/m/receivable/BTC'] ?? 0n, repaid);
    assert.equal(lines['merchant/m/available/BTC'] ?? 0n, 400n - repaid);
  }
});
