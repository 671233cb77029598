/**
 * Fetches Anvil for the tests from the registry that npm uses, and accepts it only if its hash is the one that we know.
 * It is no dependency: npm would leave it out on arm64, where we run it all the same, and install it everywhere on
 * amd64, where only the tests need it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anvilPackage, canRunAnvil, isAnvilFetched } from '@quittance/sandbox/anvil';

/** A failure does not end the tests: those that need Anvil say by name that they were not run. */
export function fetchAnvil(): void {
  if (!canRunAnvil() || isAnvilFetched()) return;
  const { spec, integrity, folder } = anvilPackage;
  console.error(`Fetching with npm: ${spec} …`);
  mkdirSync(dirname(folder), { recursive: true });
  const unpacked = mkdtempSync(`${folder}-`);
  try {
    run('npm', ['pack', spec, '--ignore-scripts', '--pack-destination', unpacked]);
    const [name = ''] = readdirSync(unpacked);
    const archive = join(unpacked, name);
    const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (hash !== integrity) throw new Error(`${spec} has the hash ${hash}, which is not the one that we know.`);
    run('tar', ['-xzf', archive, '-C', unpacked]);
    rmSync(archive);
    renameSync(unpacked, folder); // The last step, so that what is there is complete.
  } catch (error) {
    console.error((error as Error).message);
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed. ${error?.message ?? stderr}`);
}
