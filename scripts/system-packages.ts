import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingForAnvil } from '@quittance/sandbox/anvil';
import { findLitecoind } from '@quittance/sandbox/litecoind';
import { hasMinitest, hasPhp, hasPhpCurl, hasPhpunit, hasRuby, hasWebrick } from '../sdk/test/programs.ts';
import { findCaddy, unpackedCaddy } from '../server/test/brand-container.ts';
import { findChromium, hasHeadlessShell } from '../server/test/chromium.ts';
import { hasForeignDecoder } from '../server/test/foreign-decoder.ts';
import { hasSegno, hasStdnum } from '../server/test/foreign-python.ts';
import { findPainSchema, hasXmllint, unpackedSchemas } from '../server/test/xmllint.ts';
import { findNginx, unpackedNginx } from './find-nginx.ts';

type SystemPackage = { name: string; aptPackage: string; unpackInto?: string };

/** Programs that the tests use and that npm cannot install. `isSpareThere`: a slower replacement is there. */
const systemPackages: (SystemPackage & { isThere: () => boolean; isSpareThere?: () => boolean })[] = [
  { name: 'Litecoin Core', isThere: () => findLitecoind() !== undefined, aptPackage: 'litecoind' },
  // If it were installed, Debian's package would run as a service from then on, on ports that others may use.
  { name: 'Caddy', isThere: () => findCaddy() !== undefined, aptPackage: 'caddy', unpackInto: unpackedCaddy },
  { name: 'nginx', isThere: () => findNginx() !== undefined, aptPackage: 'nginx', unpackInto: unpackedNginx },
  {
    name: 'Chromium',
    isThere: hasHeadlessShell,
    isSpareThere: () => findChromium() !== undefined,
    aptPackage: 'chromium-headless-shell',
  },
  { name: 'zbarimg, which reads our codes', isThere: hasForeignDecoder, aptPackage: 'zbar-tools' },
  { name: 'xmllint, which holds invoices against their schema', isThere: hasXmllint, aptPackage: 'libxml2-utils' },
  // Unpacked and not installed: it would bring all of Tryton.
  {
    name: 'the schema of payment files',
    isThere: () => findPainSchema() !== undefined,
    aptPackage: 'tryton-modules-account-payment-sepa',
    unpackInto: unpackedSchemas,
  },
  { name: 'stdnum for Python, which knows numbers of accounts', isThere: hasStdnum, aptPackage: 'python3-stdnum' },
  { name: 'segno for Python, which writes codes for banking apps', isThere: hasSegno, aptPackage: 'python3-segno' },
  { name: 'ip', isThere: () => ['/sbin/ip', '/usr/sbin/ip'].some((path) => existsSync(path)), aptPackage: 'iproute2' },
  { name: 'PHP', isThere: hasPhp, aptPackage: 'php-cli' },
  { name: 'curl for PHP', isThere: hasPhpCurl, aptPackage: 'php-curl' },
  { name: 'PHPUnit', isThere: hasPhpunit, aptPackage: 'phpunit' },
  { name: 'Ruby', isThere: hasRuby, aptPackage: 'ruby' },
  { name: 'minitest for Ruby', isThere: hasMinitest, aptPackage: 'ruby-minitest' },
  { name: 'WEBrick for Ruby', isThere: hasWebrick, aptPackage: 'ruby-webrick' },
];

const wantedPackages = (): (SystemPackage & { isSpareThere?: () => boolean })[] => [
  ...systemPackages.filter(({ isThere }) => !isThere()),
  ...missingForAnvil().map((aptPackage) => ({ name: 'what Anvil runs on', aptPackage })),
];

export const missingPackages = (): SystemPackage[] => wantedPackages().filter((wanted) => !wanted.isSpareThere?.());

/** Gets what is missing where we may: on Debian and similar systems; what must be installed, only as root. */
export function installSystemPackages(): void {
  const isRoot = process.getuid?.() === 0;
  const wanted = wantedPackages().filter(({ unpackInto }) => isRoot || unpackInto !== undefined);
  if (wanted.length === 0 || !existsSync('/usr/bin/apt-get')) return;

  console.error(`Getting with apt-get: ${wanted.map(({ aptPackage }) => aptPackage).join(', ')} …`);
  if (getPackages(wanted) === null) return;
  if (isRoot) aptGet(['update']); // A fresh container has no package lists yet.
  const complaint = getPackages(wanted);
  if (complaint !== null) console.error(complaint);
}

/** What went wrong, or null. */
function getPackages(wanted: readonly SystemPackage[]): string | null {
  // One by one: a name that this system does not know would make all of them fail.
  const install = (name: string) => complaintOf(aptGet(['install', '--yes', '--no-install-recommends', name]));
  const complaints = wanted.map(({ aptPackage, unpackInto }) =>
    unpackInto === undefined ? install(aptPackage) : unpack(aptPackage, unpackInto),
  );
  return complaints.filter((each) => each !== null).join('\n') || null;
}

function unpack(aptPackage: string, folder: string): string | null {
  const downloads = mkdtempSync(join(tmpdir(), 'quittance-download-'));
  try {
    const complaint = complaintOf(aptGet(['download', aptPackage], downloads));
    if (complaint !== null) return complaint;
    const files = readdirSync(downloads).map((file) => join(downloads, file));
    return complaintOf(spawnSync('dpkg-deb', ['--extract', ...files, folder], { encoding: 'utf8' }));
  } finally {
    rmSync(downloads, { recursive: true });
  }
}

const complaintOf = ({ status, stderr }: { status: number | null; stderr: string }): string | null =>
  status === 0 ? null : stderr;

const aptGet = (args: string[], cwd?: string) =>
  spawnSync('apt-get', args, {
    ...(cwd !== undefined && { cwd }),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
