/** Not in the quick test beside it: the compiler takes longer to load than most tests take to run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileContracts, readCompiledContracts } from './compile-contracts.ts';

test('the compiled contracts beside the source are what the compiler makes of it', async () => {
  assert.deepEqual(await readCompiledContracts(), await compileContracts());
});
