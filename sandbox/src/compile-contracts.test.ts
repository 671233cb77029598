import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKeptContracts, sourceHash } from './compile-contracts.ts';

test('the compiled contracts beside the source are of this source', async () => {
  const kept = await readKeptContracts();
  assert.equal(kept.sourceHash, await sourceHash(), 'renew them: node sandbox/src/compile-contracts.ts');
});
