import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWords, madeLines, shortWarning, shownMade, voidedWords } from './payment-file-words.ts';

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

test('a file says what became of its payments, and who gives it up how many wait again', () => {
  assert.deepEqual(madeLines(shownMade({ ...made, orderCount: 2 })), [
    'Made: 4mjq2k8w9z1c, 2 payments, 10.00 EUR. Download it with: bank file download 4mjq2k8w9z1c',
  ]);
  assert.equal(countWords({ SETTLED: 2, RETURNED: 1 }), '2 paid, 1 came back');
  assert.equal(countWords({}), '');
  const voided = { id: '4mjq2k8w9z1c', orderCount: 3 };
  assert.equal(
    voidedWords({ ...voided, isDeclared: false }),
    '4mjq2k8w9z1c is void: 3 payments wait for another file.',
  );
  assert.match(voidedWords({ ...voided, isDeclared: true }), /is declared void: 3 payments .* were not booked\.$/);
});
