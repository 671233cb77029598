/** Beside the quick test of the same: the compiler takes longer to load than most stories to be told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileContracts, readCompiledContracts } from './compile-contracts.ts';

test('the compiled contracts beside the source are what the compiler makes of it', async () => {
  assert.deepEqual(await readCompiledContracts(), await compileContracts());
});
