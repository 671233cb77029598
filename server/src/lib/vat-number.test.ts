import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPossibleVatId, isVatNumber } from './vat-number.ts';

test('a VAT number of the EU begins with its country, however it is spaced', () => {
  for (const id of ['DE123456789', 'de 123 456 789', 'ATU12345678', 'FR 0A 123456789', 'NL123456789B01', 'EL123456789'])
    assert.equal(isVatNumber(id), true, id);
  for (const id of ['12/345/67890', '123456789', 'US12-3456789', 'GB123456789', 'DE', 'Deutschland', ''])
    assert.equal(isVatNumber(id), false, id);
});

test('a VAT id has the form that its country gives; of other countries it is taken as it is', () => {
  for (const id of 'DE123456789 ATU12345678 BE0123456789 CHE-123.456.789MWST ESX1234567X FRXX123456789 GBGD123 IE1X12345AB'.split(
    ' ',
  ))
    assert.equal(isPossibleVatId(id), true, id);
  for (const id of ['NL123456789B01', 'NO 123 456 789 MVA', 'RO12', 'LT123456789012', 'TR 4711', 'EL123456789'])
    assert.equal(isPossibleVatId(id), true, id);
  for (const id of [
    'DE12',
    'DE1234567890',
    'AT12345678',
    'FR12345',
    'NL123456789A01',
    'GB123',
    'CH123456789',
    'NO12',
    'no',
  ])
    assert.equal(isPossibleVatId(id), false, id);
});
