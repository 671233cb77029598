import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manglings } from '@quittance/sandbox/bank/mangle-text';
import { manglingNames } from './commands/sandbox-bank-commands.ts';

test('the command line knows every way in which the sandbox’s bank spoils a text', () => {
  assert.deepEqual(manglingNames, Object.keys(manglings));
});
