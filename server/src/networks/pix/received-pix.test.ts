import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NetworkError } from '../port/connector.ts';
import { mostCentavos, readCentavos, writeReais } from './pix-amount.ts';
import { isSamePayment, minuteOf, observationOf, readListed, readPix, reversalsOf, txidIn } from './received-pix.ts';

const endToEndId = 'E9999999920260301120000000000abc';
const rtrId = (last: string) => `D9999999920260301120000000000ab${last}`;
const listed = (changed: Record<string, unknown> = {}) => ({
  endToEndId,
  txid: 'a'.repeat(32),
  valor: '110.00',
  horario: '2026-03-01T09:00:30.358-03:00',
  ...changed,
});
const given = (changed: Record<string, unknown> = {}) => ({
  id: 'med1',
  rtrId: rtrId('c'),
  valor: '10.00',
  natureza: 'MED_FRAUDE',
  horario: { solicitacao: '2026-05-01T12:00:00Z', liquidacao: '2026-05-01T12:01:00Z' },
  status: 'DEVOLVIDO',
  ...changed,
});
const read = (changed: Record<string, unknown> = {}) => readPix(readListed(listed(changed)));
const newest = minuteOf(new Date('2026-06-01T00:00:00Z'));

test('every amount of the interface is read and written to the centavo, and nothing else is an amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: mostCentavos }), (centavos) => {
      assert.equal(readCentavos(writeReais(centavos)), centavos);
    }),
  );
  for (const wrong of [
    '1',
    '1.0',
    '1.000',
    '-1.00',
    '+1.00',
    ' 1.00',
    '1,00',
    '1e3',
    '12345678901.00',
    '',
    1,
    1.5,
    null,
    {},
  ])
    assert.equal(readCentavos(wrong), undefined, JSON.stringify(wrong));
});

test('a Pix is a payment to its charge, in the minute in which it was booked', () => {
  const { block, ...payment } = observationOf(read(), newest);
  assert.deepEqual(payment, {
    targetKey: 'a'.repeat(32),
    txHash: endToEndId,
    index: '0',
    assetCode: 'BRL',
    units: 110_00n,
    trace: { endToEndId },
  });
  const time = new Date('2026-03-01T12:00:30.358Z');
  assert.deepEqual(block, { hash: endToEndId, height: minuteOf(time), time });
  assert.equal(observationOf(read(), 5).block?.height, 5, 'what is listed is there, whatever its clock says');
  assert.deepEqual(read({ devolucoes: null }).returns, []);
});

test('what went back is a reversal each; what was only asked for, or not done, took nothing', () => {
  const devolucoes = [
    given(),
    given({ id: 'b', rtrId: rtrId('d'), valor: '0.01', natureza: 'ORIGINAL', descricao: 'Troca' }),
    given({ id: 'c', rtrId: rtrId('e'), status: 'EM_PROCESSAMENTO', horario: { solicitacao: '2026-05-01T12:00:00Z' } }),
    given({ id: 'd', rtrId: rtrId('f'), status: 'NAO_REALIZADO', valor: '110.00' }),
  ];
  const time = new Date('2026-05-01T12:01:00Z');
  const block = (hash: string) => ({ hash, height: minuteOf(time), time });
  const payment = { txHash: endToEndId, index: '0', assetCode: 'BRL' };
  assert.deepEqual(reversalsOf(read({ devolucoes }), newest), [
    {
      ...payment,
      reversalId: rtrId('c'),
      signedAs: 'med1',
      units: 10_00n,
      block: block(rtrId('c')),
      reason: 'MED_FRAUDE',
    },
    {
      ...payment,
      reversalId: rtrId('d'),
      signedAs: 'b',
      units: 1n,
      block: block(rtrId('d')),
      reason: 'ORIGINAL: Troca',
    },
  ]);
  assert.deepEqual(reversalsOf(read(), newest), []);
});

test('no more can be taken back than was paid, and nothing twice', () => {
  const all = [given({ valor: '109.99' }), given({ id: 'b', rtrId: rtrId('d'), valor: '0.01' })];
  assert.equal(reversalsOf(read({ devolucoes: all }), newest).length, 2);
  const more = [...all, given({ id: 'c', rtrId: rtrId('e'), valor: '0.01' })];
  assert.throws(() => reversalsOf(read({ devolucoes: more }), newest), NetworkError);
  assert.throws(() => read({ devolucoes: [given(), given()] }), NetworkError);
});

test('what is not as the interface says is no payment', () => {
  const wrong: Record<string, unknown>[] = [
    { valor: 110 },
    { valor: '110' },
    { valor: '-110.00' },
    { valor: '0.00' },
    { valor: '99999999999.00' },
    { valor: undefined },
    { txid: 7 },
    { txid: undefined },
    { endToEndId: 'E1' },
    { endToEndId: undefined },
    { horario: '2026-03-01 12:00' },
    { horario: '2026-03-01T12:00:00' },
    { horario: '2026-13-01T12:00:00Z' },
    { horario: 1_772_366_400 },
    { devolucoes: {} },
    { devolucoes: [null] },
    { devolucoes: [given({ valor: '-1.00' })] },
    { devolucoes: [given({ valor: '0.00' })] },
    { devolucoes: [given({ rtrId: 'x' })] },
    { devolucoes: [given({ status: 'DONE' })] },
    { devolucoes: [given({ horario: [] })] },
    { devolucoes: [given({ id: '' })] },
    { devolucoes: [given({ id: 7 })] },
    { devolucoes: [given({ id: 'a b' })] },
    { devolucoes: [given({ id: 'a-' })] },
    { devolucoes: [given({ rtrId: 7 })] },
    { horario: ' 2026-03-01T12:00:00Z' },
    { horario: '2026-03-01T12:00:00Z and more' },
  ];
  for (const changed of wrong) assert.throws(() => read(changed), NetworkError, JSON.stringify(changed));
  for (const entry of [null, undefined, 7, 'Pix', []]) assert.throws(() => readListed(entry), NetworkError);
  // The bank may say it right the next time.
  assert.throws(() => read({ txid: 7 }), { isRetryable: true });
});

test('what names no charge is nothing of ours, and the same Pix may have gone back meanwhile', () => {
  assert.deepEqual([txidIn(listed({ txid: null })), txidIn(listed({ txid: undefined }))], [undefined, undefined]);
  assert.throws(() => txidIn(listed({ txid: 7 })), NetworkError);
  assert.ok(isSamePayment(listed(), listed({ devolucoes: [given()] })));
  for (const changed of [{ txid: 'b'.repeat(32) }, { valor: '110.01' }, { horario: '2026-03-01T12:00:00Z' }])
    assert.ok(!isSamePayment(listed(), listed(changed)), JSON.stringify(changed));
});

test('what a bank says why it went back is kept as far as it is short', () => {
  const [reversal] = reversalsOf(
    read({ devolucoes: [given({ natureza: 'N'.repeat(50), motivo: 'M'.repeat(200), descricao: 'unread' })] }),
    newest,
  );
  assert.equal(reversal?.reason, `${'N'.repeat(40)}: ${'M'.repeat(140)}`);
  assert.equal(reversalsOf(read({ devolucoes: [given({ natureza: undefined })] }), newest)[0]?.reason, 'ORIGINAL');
});
