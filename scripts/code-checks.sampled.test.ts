/**
 * The checks of `npm run check` as tests, so that they are part of the one count that says whether all is well. A sample
 * does without the types and the linter, which take as long as all other rules together.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isSample } from '../server/test/depth.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

async function assertRuns(program: string, ...args: string[]): Promise<void> {
  const child = spawn(`${root}node_modules/.bin/${program}`, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, `${program} ${args.join(' ')} says:\n${Buffer.concat(output).toString()}`);
}

if (!isSample()) test('the types hold', () => assertRuns('tsc', '--noEmit'));
if (!isSample()) test('the linter finds nothing', () => assertRuns('oxlint', '--type-aware', '--quiet'));
test('the code is formatted', () => assertRuns('biome', 'check'));
