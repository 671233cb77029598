import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPaymentFiles } from './payment-file-errors.ts';

test('who does not say for which of several banks a file is, is told to, and who names another one which there are', () => {
  assert.match(
    noPaymentFiles('', ['SEPA', 'SWIFT']).message,
    /say for which one the file is \(--network\), SEPA or SWIFT/,
  );
  assert.match(noPaymentFiles('PIX', ['SEPA', 'SWIFT']).message, /for SEPA, SWIFT, and not for "PIX"/);
  assert.match(noPaymentFiles('', []).message, /No network is configured/);
});
