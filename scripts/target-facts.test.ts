import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetFacts } from './target-facts.ts';

const account = { address: 'DE02120300000000202051', memo: 'RF18X', memoType: 'text', holder: 'Teehaus', bic: null };

test('an account at a bank is told by all that a bank asks for, and an address by itself', () => {
  assert.deepEqual(targetFacts('SEPA', { ...account, bic: 'BYLADEM1001' }), {
    holder: 'Teehaus',
    iban: 'DE02 1203 0000 0000 2020 51',
    bic: 'BYLADEM1001',
    reference: 'RF18X',
  });
  assert.deepEqual(Object.keys(targetFacts('SEPA', account)), ['holder', 'iban', 'reference'], 'what is not known');
  assert.deepEqual(targetFacts('SWIFT', { ...account, address: '12345678', memo: null }), {
    holder: 'Teehaus',
    account: '12345678',
  });
  assert.deepEqual(targetFacts('BITCOIN', { address: 'bc1q', memo: null, memoType: null }), { address: 'bc1q' });
  assert.deepEqual(targetFacts('STELLAR', { address: 'GA', memo: '7', memoType: 'id' }), {
    address: 'GA',
    memo: '7',
    memoType: 'id',
  });
});
