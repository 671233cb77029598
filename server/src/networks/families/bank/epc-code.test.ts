import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import encodeQR from 'qr';
import { type EpcContent, epcBytesMost, epcCode, epcCodeProblem } from './epc-code.ts';
import { printedRf, rfReference } from './rf-reference.ts';

const content: EpcContent = {
  name: 'Quittance Söhne GmbH',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: null,
  amount: '12.5',
  remittance: { text: 'RF19ABC123DEF456' },
};

test('the lines are those of EPC069-12, and nothing follows the last one that is used', () => {
  assert.equal(
    epcCode(content),
    'BCD\n002\n1\nSCT\n\nQuittance Söhne GmbH\nDE89370400440532013000\nEUR12.50\n\n\nRF19ABC123DEF456',
  );
  assert.equal(
    epcCode({ ...content, bic: 'COBADEFFXXX', remittance: { reference: 'rf19 abc1 23de f456' } }),
    'BCD\n002\n1\nSCT\nCOBADEFFXXX\nQuittance Söhne GmbH\nDE89370400440532013000\nEUR12.50\n\nRF19ABC123DEF456',
  );
  assert.equal(
    epcCode({ ...content, amount: null, remittance: { text: '' } }),
    'BCD\n002\n1\nSCT\n\nQuittance Söhne GmbH\nDE89370400440532013000',
  );
});

test('what an app would not read is refused with a sentence', () => {
  const said = (given: Partial<EpcContent>) => epcCodeProblem({ ...content, ...given }) ?? '';
  assert.equal(said({}), '');
  for (const [problem, expected] of [
    [said({ name: '' }), /missing/],
    [said({ iban: 'DE89370400440532013001' }), /check digits/],
    [said({ iban: 'CH9300762011623852957' }), /BIC/],
    [said({ amount: '0' }), /0\.01 to/],
    [said({ amount: '1000000000' }), /0\.01 to/],
    [said({ amount: '1.005' }), /whole cents/],
    [said({ amount: 'ten' }), /0\.01 to/],
    [said({ remittance: { text: 'x'.repeat(141) } }), /at most 140/],
    [said({ remittance: { text: 'a\nb' } }), /one line/],
    [said({ remittance: { reference: 'RF00' } }), /this is none/],
    [said({ name: 'ö'.repeat(70), remittance: { text: 'ö'.repeat(140) } }), /bytes; banking apps read at most 331/],
  ] as const)
    assert.match(problem, expected);
  assert.throws(() => epcCode({ ...content, amount: '0' }), /no EPC code/);
});

test('whatever fits, a reader finds each field in its line, and the code is drawn with M in version 13 or less', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll(/\p{C}/gu, ''));
  fc.assert(
    fc.property(texts, fc.bigInt(1n, 99_999_999_999n), texts, (name, cents, text) => {
      const amount = `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`;
      const given = { ...content, name: `A${name}`, amount, remittance: { text: `${text}.` } };
      fc.pre(epcCodeProblem(given) === null);
      const written = epcCode(given);
      const lines = written.split('\n');
      assert.deepEqual(lines.slice(0, 4), ['BCD', '002', '1', 'SCT']);
      assert.deepEqual(
        [lines.length, lines[5], lines[7], lines[10]],
        [11, `A${name}`.normalize('NFC').trim(), `EUR${amount}`, `${text}.`.normalize('NFC').trim()],
      );
      assert.ok(Buffer.byteLength(written) <= epcBytesMost);
    }),
  );
  // As `web/qr-code` draws it: 17 modules and four more for each version.
  const largest = epcCode({
    ...content,
    bic: 'COBADEFFXXX',
    name: 'ö'.repeat(70),
    remittance: { text: 'x'.repeat(130) },
  });
  assert.equal(Buffer.byteLength(largest), epcBytesMost);
  assert.equal(encodeQR(largest, 'raw', { ecc: 'medium', border: 4 }).length - 8, 17 + 4 * 13);
  const usual = epcCode({ ...content, remittance: { text: printedRf(rfReference('abc123def456')) } });
  assert.ok(encodeQR(usual, 'raw', { ecc: 'medium', border: 4 }).length - 8 <= 17 + 4 * 7);
});
