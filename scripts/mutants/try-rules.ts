/** Puts faults into the rules, one by one, with Stryker, and says which of them no test notices. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { rules, sourceOf } from './rules.ts';

/** Of a hundred faults in the rules so many are noticed, or `npm run test:mutants` fails. */
const wantedScore = 90;

const plugin = fileURLToPath(new URL('./rule-test-runner.ts', import.meta.url));

const optionsFor = (chosen: readonly string[]): PartialStrykerOptions => ({
  mutate: chosen.map(sourceOf),
  plugins: [plugin],
  testRunner: 'rules',
  coverageAnalysis: 'perTest',
  ignoreStatic: true, // What only runs while a module is loaded needs a fresh process for each fault: minutes become an hour.
  ignorers: ['messages'],
  concurrency: 2,
  // Only for what never ends without reaching its fault again: a busy machine must not make a fault look noticed.
  timeoutMS: 10_000,
  // A score belongs to all rules: of a few of them one is only told.
  thresholds: { high: 100, low: wantedScore, break: chosen.length === Object.keys(rules).length ? wantedScore : null },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false, skipFull: true },
  // A copy outside the repository, of what the tests of rules can import: nothing here is ever changed in place.
  tempDirName: join(tmpdir(), 'quittance-mutants'),
  cleanTempDir: 'always',
  ignorePatterns: ['**', '!server/src/**/*.ts', '!server/test/**/*.ts', '!server/package.json', '!sdk/vectors/*.json'],
  disableTypeChecks: false,
  allowConsoleColors: process.stdout.isTTY,
});

export async function tryRules(wanted: readonly string[]): Promise<void> {
  const chosen = Object.keys(rules).filter((rule) => wanted.length === 0 || wanted.some((part) => rule.includes(part)));
  if (chosen.length === 0)
    throw new Error(`No rule in scripts/mutants/rules.ts has ${wanted.join(' or ')} in its path.`);
  await new Stryker(optionsFor(chosen)).runMutationTest();
}
