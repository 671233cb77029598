import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { missingForAnvil } from '@quittance/sandbox/anvil';
import { findLitecoind } from '@quittance/sandbox/litecoind';
import { findCaddy } from '../server/test/brand-container.ts';
import { findChromium } from '../server/test/chromium.ts';

/** Programs that the tests use and that npm cannot bring. */
const systemPackages: { name: string; isThere: () => boolean; aptPackage: string }[] = [
  { name: 'Litecoin Core', isThere: () => findLitecoind() !== undefined, aptPackage: 'litecoind' },
  { name: 'Caddy', isThere: () => findCaddy() !== undefined, aptPackage: 'caddy' },
  { name: 'Chromium', isThere: () => findChromium() !== undefined, aptPackage: 'chromium' },
];

export const missingPackages = (): { name: string; aptPackage: string }[] => [
  ...systemPackages.filter(({ isThere }) => !isThere()),
  ...missingForAnvil().map((aptPackage) => ({ name: 'what Anvil runs on', aptPackage })),
];

/** Installs what is missing where we may, which is as root on Debian and its relatives. */
export function installSystemPackages(): void {
  const missing = missingPackages().map(({ aptPackage }) => aptPackage);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;

  console.error(`Installing with apt-get: ${missing.join(', ')} …`);
  const install = ['install', '--yes', '--no-install-recommends', ...missing];
  if (aptGet(install).status === 0) return;
  aptGet(['update']); // A fresh container has no package lists yet.
  const { status, stderr } = aptGet(install);
  if (status !== 0) console.error(stderr);
}

const aptGet = (args: string[]) =>
  spawnSync('apt-get', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
