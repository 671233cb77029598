import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVatNumber } from './vat-number.ts';

test('a VAT number of the EU begins with its country, however it is spaced', () => {
  for (const id of ['DE123456789', 'de 123 456 789', 'ATU12345678', 'FR 0A 123456789', 'NL123456789B01', 'EL123456789'])
    assert.equal(isVatNumber(id), true, id);
  for (const id of ['12/345/67890', '123456789', 'US12-3456789', 'GB123456789', 'DE', 'Deutschland', ''])
    assert.equal(isVatNumber(id), false, id);
});
