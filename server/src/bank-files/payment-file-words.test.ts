import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeLines, shortWarning, shownMade } from './payment-file-words.ts';

const made = {
  id: '4mjq2k8w9z1c',
  network: 'SEPA',
  fileName: 'pay.xml',
  orderCount: 1,
  asset: { assetCode: 'EUR', scale: 2 },
  units: 1_000n,
  closingUnits: 2_000n,
  openUnits: 2_000n,
  refused: [],
};

test('who makes a file is warned if all that is not booked yet is more than the last statement showed', () => {
  assert.equal(shortWarning(made), null, 'it is just enough');
  assert.equal(shortWarning({ ...made, closingUnits: null }), null, 'nobody knows');
  const warning =
    'All payments that are not booked yet come to 20.01 EUR, and the account held 20.00 EUR by the last statement.';
  assert.equal(shortWarning({ ...made, openUnits: 2_001n }), warning);
  assert.deepEqual(
    madeLines(shownMade({ ...made, openUnits: 2_001n, refused: [{ payoutId: 'abc', why: 'No name.' }] })),
    [
      'Made: 4mjq2k8w9z1c, 1 payment, 10.00 EUR. Download it with: bank file download 4mjq2k8w9z1c',
      `Careful: ${warning}`,
      'Not in it, and refused: abc: No name.',
    ],
  );
});
