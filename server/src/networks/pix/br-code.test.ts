import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BrCode, crc16, isChargeUrl, readBrCode, withAmount, writeBrCode } from './br-code.ts';

test('the check sum is that of the examples of others', () => {
  assert.equal(crc16('123456789'), '29B1');
  assert.equal(crc16(''), 'FFFF');
});

/** In the image of the central bank's manual; the second check sum is not of our making. */
const published = {
  key:
    '00020126360014BR.GOV.BCB.PIX0114+551194321432152040000530398654' +
    '0566.665802BR5907EMPRESA6008BRASILIA62070503***6304',
  charge:
    '00020101021226770014BR.GOV.BCB.PIX2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a99' +
    '5204000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304',
};

test('codes of others are read', () => {
  assert.deepEqual(readBrCode(`${published.charge}EEAB`), {
    of: { kind: 'charge', url: 'pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a99', amount: null },
    name: 'EMPRESA',
    city: 'SAO PAULO',
  });
  assert.deepEqual(readBrCode(`${published.key}04ed\n`), {
    of: { kind: 'key', key: '+5511943214321', amount: '66.66', txid: null },
    name: 'EMPRESA',
    city: 'BRASILIA',
  });
});

const charge: BrCode = {
  of: { kind: 'charge', url: 'pix.example.com/v2/9d36b84fc70b478fb95c12729b90ca25', amount: null },
  name: 'Padaria São João & Filhos do Brasil',
  city: 'São José dos Campos',
};

test('a charge is paid once, at the address of the bank; names fit and are in Latin letters', () => {
  const text = writeBrCode(charge);
  assert.equal(
    text,
    '00020101021226730014br.gov.bcb.pix2551pix.example.com/v2/9d36b84fc70b478fb95c12729b90ca25' +
      '5204000053039865802BR5925Padaria Sao Joao + Filhos6012Sao Jose dos62070503***6304' +
      crc16(text.slice(0, -4)),
  );
});

test('a key can be paid any number of times, with an amount and a name for it', () => {
  const ofKey = (of: Partial<Extract<BrCode['of'], { kind: 'key' }>>): string =>
    writeBrCode({ ...charge, of: { kind: 'key', key: 'pix@shop.example', amount: null, txid: null, ...of } });
  assert.match(ofKey({ amount: '10.00', txid: 'abc123def456' }), /540510\.00.*62160512abc123def4566304/);
  assert.doesNotMatch(ofKey({}), /^.{6}01/);
  for (const amount of ['0.00', '1', '1.5', '12345678901.00']) assert.throws(() => ofKey({ amount }), /not an amount/);
  for (const txid of ['', 'a-b', 'x'.repeat(26)]) assert.throws(() => ofKey({ txid }), /not a txid/);
  for (const url of ['https://pix.example.com/1', 'pix.example.com', `a.b/${'x'.repeat(80)}`])
    assert.throws(() => writeBrCode({ ...charge, of: { kind: 'charge', url, amount: null } }), /not the address/);
});

test('an amount is put into a code where it belongs, once, and nothing else of it changes', () => {
  const of = (amount: string | null): string =>
    writeBrCode({ ...charge, of: { kind: 'charge', url: 'pix.example.com/1', amount } });
  assert.equal(withAmount(of(null), '2.00'), of('2.00'));
  assert.equal(withAmount(of('1.00'), '2.00'), of('2.00'));
  assert.equal(
    withAmount(`${published.charge}EEAB`, '66.66').slice(0, -4),
    published.charge.replace('5303986', '5303986540566.66'),
  );
  assert.equal(withAmount(` ${of(null)}\n`, '2.00'), of('2.00'));
  for (const wrong of ['2', '2.000', '2.00x']) assert.throws(() => withAmount(of(null), wrong), /not an amount/);
  assert.throws(() => withAmount('hello', '2.00'), /not a BR Code/);
});

test('what is no BR Code is none', () => {
  const signed = (text: string): string => `${text}${crc16(text)}`;
  for (const text of [
    '',
    'hello',
    '6304FFFF',
    writeBrCode(charge).slice(0, -1),
    writeBrCode(charge).replace('Padaria', 'Padarla'),
    signed('0002016304'),
    signed(`${published.key.slice(0, -4)}99056304`),
    signed(published.key.replace('5303986', '5303840')),
    signed(published.key.replace('BR.GOV.BCB.PIX', 'COM.EXAMPLE.XY')),
    signed(published.charge.replace('5802BR', '5802BR5802BR')),
    signed(published.charge.replace('5802BR', '5802AR')),
    signed(published.charge.replace('000201', '000202')),
    signed(published.charge.replace('26770014BR.GOV.BCB.PIX', '27770014BR.GOV.BCB.PIX')),
    signed(published.charge.replace('62070503***', '62990503***')),
    signed(published.key.replace('0114+5511943214321', '0214+5511943214321')),
    `${signed(published.key)}0`,
  ])
    assert.equal(readBrCode(text), null, text);
});

const codes: fc.Arbitrary<BrCode> = fc.record({
  of: fc.oneof(
    fc.record({
      kind: fc.constant('key' as const),
      key: fc.stringMatching(/^[a-z0-9@.+-]{1,77}$/),
      amount: fc.option(fc.stringMatching(/^[1-9]\d{0,9}\.\d{2}$/)),
      txid: fc.option(fc.stringMatching(/^[a-zA-Z0-9]{1,25}$/)),
    }),
    fc.record({
      kind: fc.constant('charge' as const),
      url: fc.stringMatching(/^[a-z]{1,20}\.[a-z]{2}\/[a-z0-9/]{1,50}$/),
      amount: fc.option(fc.stringMatching(/^[1-9]\d{0,9}\.\d{2}$/)),
    }),
  ),
  name: fc.string({ unit: 'grapheme' }),
  city: fc.string({ unit: 'grapheme' }),
});

test('whatever is written is read back, and no character of it can be changed unnoticed', () => {
  fc.assert(
    fc.property(codes, fc.nat(), fc.integer({ min: 0x20, max: 0x7e }), (code, place, other) => {
      const text = writeBrCode(code);
      const read = readBrCode(text);
      assert.deepEqual(read?.of, { ...code.of });
      assert.ok(
        read && read.name.length > 0 && read.name.length <= 25 && read.city.length > 0 && read.city.length <= 15,
      );
      const at = place % (text.length - 4);
      const changed = `${text.slice(0, at)}${String.fromCharCode(other)}${text.slice(at + 1)}`;
      if (changed !== text) assert.equal(readBrCode(changed), null);
    }),
  );
});

test('an address of a charge has 77 characters at most, and a field 99', () => {
  assert.ok(isChargeUrl(`a.b/${'x'.repeat(73)}`));
  for (const url of [`a.b/${'x'.repeat(74)}`, 'a.b/c d', 'a.b/', '/c', 'a.b/c\n']) assert.ok(!isChargeUrl(url), url);
  const ofKey = (key: string): string => writeBrCode({ ...charge, of: { kind: 'key', key, amount: null, txid: null } });
  assert.equal(readBrCode(ofKey('k'.repeat(77)))?.of.kind, 'key');
  assert.throws(() => ofKey('k'.repeat(78)), /field 26 has 100 characters/);
  assert.throws(() => ofKey(''), /field 01 has 0 characters/);
});
