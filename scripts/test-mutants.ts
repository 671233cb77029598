/**
 * `npm run test:mutants`: do the tests notice faults? Faults are put into copies of the code: first all that Stryker
 * makes in the pure rules, then the hand-written ones. `npm run test:mutants -- decimal` tries only the rules whose
 * path contains `decimal`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tryRules } from './mutants/try-rules.ts';

const wanted = process.argv.slice(2);
await tryRules(wanted);

const saboteurs = fileURLToPath(new URL('./run-saboteurs.ts', import.meta.url));
if (wanted.length === 0 && existsSync(saboteurs)) {
  const { status } = spawnSync(process.execPath, [saboteurs], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
