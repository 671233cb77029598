import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noSuchBank } from './bank-file-errors.ts';

test('who does not say whose file it is, of several banks, is told to, and who names another one which there are', () => {
  assert.match(
    noSuchBank('', ['SEPA', 'SWIFT']).message,
    /^There are several banks: say whose file it is \(--network\), SEPA or SWIFT\.$/,
  );
  assert.match(noSuchBank('PIX', ['SEPA', 'SWIFT']).message, /for SEPA, SWIFT, and not for "PIX"/);
  assert.match(noSuchBank('', []).message, /No network is configured/);
});
