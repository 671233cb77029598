import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testIssuer } from '../../test/gateway.ts';
import { createAssetCatalog } from '../catalog/asset-catalog.ts';
import type { Connector } from '../networks/port/connector.ts';
import { draftOf, draftProblems, isOtherDestination, type TargetAccount } from './target-account.ts';

const network = { id: 'STELLAR', name: 'Stellar', assets: [{ assetCode: 'XLM' }] };
const connector = {
  network,
  addressProblem: ({ memoType }: { memoType: string | null }) =>
    memoType === 'id' ? 'The memo must be a number.' : null,
} as unknown as Connector;
const issuer = { issuerName: 'Test', issuerDomain: 'test', issuerAddress: 'Here' };
const deps = {
  connectors: new Map([['STELLAR', connector]]),
  assets: createAssetCatalog({ issuerAccount: testIssuer, ...issuer }),
};

const vault: TargetAccount = {
  id: 'abcdefghijkl',
  label: 'vault',
  network: 'STELLAR',
  assets: [],
  address: 'GA',
  memo: 'old',
  memoType: 'text',
  beneficiaryId: null,
  bic: null,
  usableFrom: new Date(0),
  createdAt: new Date(0),
};

test('the network itself says what is wrong with an address and its memo', () => {
  const body = { label: 'vault', network: 'STELLAR', address: 'GA', memo: 'x', memoType: 'id' as const };
  assert.deepEqual(draftProblems(deps, body, draftOf(body, undefined)), [
    { code: 'address_wrong', facts: { network: 'Stellar' }, sentence: 'The memo must be a number.' },
  ]);
  const good = { ...body, memoType: 'text' as const };
  assert.deepEqual(draftProblems(deps, good, draftOf(good, undefined)), []);
});

test('a memo is a text unless it is said to be something else, and without a memo there is no kind', () => {
  assert.equal(draftOf({ memo: ' 7 ' }, undefined).memoType, 'text');
  assert.equal(draftOf({ memo: ' 7 ' }, undefined).memo, '7');
  assert.deepEqual(
    [draftOf({ memo: '' }, vault).memo, draftOf({ memo: '', memoType: 'id' }, vault).memoType],
    [null, null],
  );
});

test('another memo, label or list of assets is another destination; another beneficiary is not', () => {
  for (const change of [{ memo: 'new' }, { label: 'other' }, { assets: ['XLM:NATIVE'] }, { memoType: 'id' }])
    assert.equal(isOtherDestination(vault, { ...vault, ...change }), true);
  assert.equal(isOtherDestination(vault, { ...vault, beneficiaryId: 'abcdefghijkl' }), false);
  const atBank = { ...vault, network: 'SEPA' };
  assert.equal(isOtherDestination(atBank, { ...atBank, beneficiaryId: 'abcdefghijkl' }), true, 'where names count');
  assert.equal(isOtherDestination(atBank, { ...atBank, bic: 'BYLADEM1001' }), true);
});
