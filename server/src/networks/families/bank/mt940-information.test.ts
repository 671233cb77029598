import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInformation } from './mt940-information.ts';

test('fields are known by whatever mark a bank parts them with, and a reference goes on from one to the next', () => {
  for (const mark of '?>^+~<@|#$') {
    const fields = [
      '00PRZELEW',
      '20Zamowienie RF05QX7KM2',
      '21WT9ZPA dziekuje',
      '31DE22200411110123456789',
      '32Ada Payer',
    ];
    const { code, texts, iban, name } = readInformation([`020${mark}${fields.join(mark)}`]);
    assert.deepEqual(
      [code, texts, iban, name],
      ['020', ['Zamowienie RF05QX7KM2WT9ZPA dziekuje'], 'DE22200411110123456789', 'Ada Payer'],
      mark,
    );
  }
});

test('digits and a mark of a payer are a text', () => {
  for (const text of ['123+49 170 RF05QX7KM2WT9ZPA', '500$ RF05QX7KM2WT9ZPA', '049#47 RF05QX7KM2WT9ZPA'])
    assert.deepEqual(readInformation([text]).texts, [text]);
});

test('words between slashes that are none of those for a text are all a text', () => {
  for (const lines of [
    ['/PT/FT/PY/ORDER RF05QX7KM2WT9ZPA 11', '   2233'],
    ['/ORDP/300000000460495', '/ADA PAYER', '/747//747', '/Order RF05QX7KM2WT9ZPA'],
    ['/OCMT/USD2853,12/', 'ORDER RF05QX7KM2WT9ZPA', '/VA/123456'],
  ])
    assert.match(readInformation(lines).texts.join(''), /RF05QX7KM2WT9ZPA/);
  const told = readInformation(['/EREF/E-1//NAME/Ada Payer//REMI/USTD//RF05QX7KM2WT9ZPA']);
  assert.deepEqual(told.texts, ['RF05QX7KM2WT9ZPA']);
  assert.deepEqual(readInformation(['/EREF/E-1//NAME/Ada Payer//REMI//']).texts, []);
});

test('a text that fills the first ten fields goes on in the sixties, behind who paid', () => {
  const filled = Array.from({ length: 8 }, (_, place) => `?${21 + place}${'x'.repeat(27)}`).join('');
  const { texts, iban, name, returnReason } = readInformation([
    `159?00UEBERWEISUNG?20SVWZ+Order ${filled}?29RF05QX7K?30COBADEFFXXX?31DE22200411110123456789?32Ada ?33Payer?34AC04`,
    '?60M2WT9ZPA?61 for your?62 new ho?63use',
  ]);
  assert.deepEqual(
    [texts, iban, name, returnReason],
    [[`Order ${'x'.repeat(8 * 27)}RF05QX7KM2WT9ZPA for your new house`], 'DE22200411110123456789', 'Ada Payer', 'AC04'],
  );
});
