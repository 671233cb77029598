import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPackages } from './system-packages.ts';

test('every program that the tests need beyond npm is installed', () => {
  const missing = missingPackages();
  for (const { name, aptPackage } of missing) {
    console.error(`\n*** NOT TESTED for want of ${name}. Install it with: apt-get install ${aptPackage} ***\n`);
  }
  if (process.env['CI'] === 'true') assert.deepEqual(missing, []);
});
