// The only code here that must run on any Node from 18 on. It installs what package-lock.json asks for, finds a Node
// that runs our TypeScript directly, and hands over to it: arguments, terminal, signals and exit code.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeWanted = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
const ourNote = join(root, 'node_modules', '.installed-lock-hash');

export function runWithNode(script, nodeFlags = []) {
  installIfNeeded();
  const node = findNode();
  const child = spawn(node, [...nodeFlags, join(root, script), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Reading our TypeScript anew takes most of the time of a short command.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.compile-cache'), ...process.env },
  });
  child.on('error', (error) => fail(`${node} cannot be run here (${error.message}). ${askForNode()}`));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  stopWithNpm(child);
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

// npm that is killed with -9 takes nobody along, and its next start would find the port and the data in use.
function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = ancestors();
  setInterval(() => {
    if (ancestors() !== before) child.kill('SIGTERM');
  }, 250).unref();
}

// npm is our parent or, with a shell in between that outlives it, our grandparent.
function ancestors() {
  try {
    const [, grandparent] = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ').pop().split(' ');
    return `${process.ppid} ${grandparent}`;
  } catch {
    return `${process.ppid}`;
  }
}

function installIfNeeded() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(ourNote) && readFileSync(ourNote, 'utf8') === wanted) return;

  console.error('Installing the packages that package-lock.json names …');
  install(process.execPath);
  // npm leaves out optional packages that want a newer Node than its own, and does not say so.
  const node = findNode();
  if (node !== process.execPath) install(node);
  writeFileSync(ourNote, wanted);
}

// Not `npm ci`: it refuses lock files made where packages for other operating systems cannot be had.
function install(node) {
  const { status, stdout, stderr } = npm(node, ['install', '--no-save']);
  if (status !== 0) fail(`${stdout ?? ''}${stderr ?? ''}\nnpm could not install the packages; its reasons are above.`);
}

function npm(node, args) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 };
  const inNpm = process.env.npm_execpath;
  if (inNpm?.endsWith('.js')) return spawnSync(node, [inNpm, ...args], options);
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  return spawnSync('npm', args, { ...options, env: { ...process.env, PATH } });
}

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= nodeWanted) return process.execPath;
  const bundled = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  if (process.platform === 'linux' && existsSync(bundled)) return bundled;
  return fail(askForNode());
}

const askForNode = () =>
  `Quittance needs Node ${nodeWanted} or newer, this is ${process.version}: please install one and put it on the PATH.`;

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
