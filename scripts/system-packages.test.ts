import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAnvil } from '@quittance/sandbox/anvil';
import { missingPackages } from './system-packages.ts';

test('every program that the tests need beyond npm is installed', () => {
  const missing = missingPackages();
  for (const { name, aptPackage } of missing) {
    console.error(`\n*** NOT TESTED for want of ${name}. Install it with: apt-get install ${aptPackage} ***\n`);
  }
  if (process.env['CI'] === 'true') assert.deepEqual(missing, []);
});

test('Anvil is there, for the tests of Ethereum on a real node', () => {
  const command = findAnvil();
  if (!command) console.error('\n*** NOT TESTED for want of Anvil, which `npm test` fetches where it can run. ***\n');
  if (process.env['CI'] === 'true') assert.ok(command);
});
