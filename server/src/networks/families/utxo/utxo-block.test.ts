import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import { candidatesOf, spentOutpoints, unitsOf } from './utxo-block.ts';

const readFromJson = (text: string): bigint => unitsOf(JSON.parse(text) as number);

test('every amount a node can write is read to the unit', () => {
  const unitsMax = 2n ** 26n * 100_000_000n - 1n;
  fc.assert(
    fc.property(fc.bigInt(0n, unitsMax), (units) => {
      assert.equal(readFromJson(formatFixed(fromUnits(units, 8), 8)), units);
    }),
    { numRuns: 20_000 },
  );
  // Doubles are farthest apart at the largest amounts.
  for (let units = unitsMax; units > unitsMax - 20_000n; units -= 1n) {
    assert.equal(readFromJson(formatFixed(fromUnits(units, 8), 8)), units);
  }
});

test('small amounts survive the exponent that JavaScript writes them with', () => {
  assert.equal(readFromJson('0.00000001'), 1n);
  assert.equal(readFromJson('1e-8'), 1n);
  assert.equal(readFromJson('20999999.97690000'), 2_099_999_997_690_000n);
});

test('an amount no chain can hold is refused, not rounded', () => {
  for (const text of ['0.000000001', '-1', '84000000.00000001', '1e300']) {
    assert.throws(() => readFromJson(text), /impossible amount/);
  }
  for (const text of ['92233720368.54775808', '84000000.000000001', '-84000000.00000001']) {
    assert.throws(() => unitsOf(text), /impossible amount/);
  }
  assert.equal(unitsOf('92233720368.54775807'), 2n ** 63n - 1n);
});

const p2wpkhOutput = (scriptPubKey: object, value = 0.1) => ({
  n: 0,
  value,
  scriptPubKey: { type: 'witness_v0_keyhash', ...scriptPubKey },
});
const tx = (vout: object[]) => ({ txid: 'aa', vin: [], vout }) as never;

test('an address is found under the name that old and new nodes give it', () => {
  const addresses = [p2wpkhOutput({ address: 'bc1new' }), p2wpkhOutput({ addresses: ['ltc1old'], reqSigs: 1 })].map(
    (output) => candidatesOf(tx([output]), 'p2wpkh')[0]?.address,
  );
  assert.deepEqual(addresses, ['bc1new', 'ltc1old']);
});

test('outputs that cannot be ours are passed over', () => {
  const outputs = [
    { n: 0, ismweb: true, output_id: 'bb' },
    { n: 1, value: 0, scriptPubKey: { type: 'nulldata' } },
    { n: 2, value: 1, scriptPubKey: { type: 'witness_mweb_hogaddr' } },
    p2wpkhOutput({ address: 'bc1empty' }, 0),
  ];
  assert.deepEqual(candidatesOf(tx(outputs), 'p2wpkh'), []);
  const older = { ...p2wpkhOutput({ address: 'DOlder' }), scriptPubKey: { type: 'pubkeyhash', address: 'DOlder' } };
  assert.deepEqual(candidatesOf(tx([older]), 'p2wpkh'), []);
  assert.equal(candidatesOf(tx([older, p2wpkhOutput({ address: 'bc1new' })]), 'p2pkh')[0]?.address, 'DOlder');
});

test('inputs inside the extension block and coinbases spend nothing we could name', () => {
  const vin = [{ ismweb: true, output_id: 'bb' }, { coinbase: '00' }, { txid: 'cc', vout: 3 }];
  assert.deepEqual(spentOutpoints({ txid: 'aa', vin, vout: [] }), ['cc:3']);
});
