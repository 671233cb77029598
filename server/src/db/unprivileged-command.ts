import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How to run a program that refuses to run as root: what to put before it, and to whom the files must belong. */
export type Unprivileged = {
  readonly how: 'as-is' | 'user-namespace' | 'other-user' | 'other-user-any-folder';
  readonly prefix: readonly string[];
  readonly owner: { uid: number; gid: number } | null;
};

const asIs: Unprivileged = { how: 'as-is', prefix: [], owner: null };

/**
 * PostgreSQL refuses to run as root. Ordinary users need nothing. For root there are three ways, from the one that
 * changes least to the one that changes most; each is tried out first, since containers forbid some of them:
 * - a user namespace, in which root has no name and no power but still owns its files, also below /root;
 * - another user, if that one can reach the program and the folder;
 * - another user that may pass through folders which are closed to it, for a folder below /root.
 */
export async function findUnprivileged(program: string, folder: string): Promise<Unprivileged> {
  if (process.getuid?.() !== 0) return asIs;

  for (const candidate of candidates()) {
    if (await works(candidate, program, folder)) return candidate;
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and neither a user namespace nor the users postgres and nobody can use ${folder} here. ` +
      'Start Quittance as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function candidates(): Unprivileged[] {
  const root = { uid: 0, gid: 0 };
  const namespace: Unprivileged = { how: 'user-namespace', prefix: ['unshare', '--user', '--'], owner: root };
  return [namespace, ...['postgres', 'nobody'].flatMap((name) => asUser(name))];
}

function asUser(name: string): Unprivileged[] {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[0] === name);
  if (entry === undefined) return [];
  const owner = { uid: Number(entry[2]), gid: Number(entry[3]) };
  const setpriv = ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const reachAnything = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    { how: 'other-user', prefix: [...setpriv, '--'], owner },
    { how: 'other-user-any-folder', prefix: [...setpriv, ...reachAnything, '--'], owner },
  ];
}

async function works(candidate: Unprivileged, program: string, folder: string): Promise<boolean> {
  // The user must have a name (initdb needs one) and reach the program and the folder; the folder itself is handed over
  // later.
  const script = 'id -un >/dev/null && "$1" --version >/dev/null && test -e "$2"';
  const [command, ...prefix] = [...candidate.prefix, 'sh'];
  return run(command, [...prefix, '-c', script, 'sh', program, folder], { cwd: '/' }).then(
    () => true,
    () => false,
  );
}
