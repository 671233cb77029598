/**
 * An internet of its own for tests of certificates: names that resolve, ports 80 and 443 that are free, and a
 * certificate authority that comes and looks, as Let's Encrypt does. It is a network namespace, so nothing leaves this
 * machine and nothing on it is in the way. Unix sockets in `folder` lead in and out.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, connect as toPort } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { carry } from './carry-ports.ts';
import { until } from './until.ts';

const names = ['pay.shop.example', 'service.example', 'authority.example'];
const isolation = ['--user', '--map-root-user', '--net', '--mount'];

/** Some containers, and some kernels, do not let a process have namespaces. */
export const canHaveInternet = (): boolean =>
  spawnSync('unshare', [...isolation, 'ip', 'link', 'set', 'lo', 'up']).status === 0;

export type SmallInternet = {
  /** Sockets that lead to ports 80 and 443 of everybody inside. */
  readonly http: string;
  readonly https: string;
  /** What a container is told of the authority. */
  readonly authority: { readonly ACME_CA: string; readonly ACME_CA_ROOT: string };
  rootCertificate(): Promise<string>;
  /** Runs a program inside. */
  launch(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess;
  stopAuthority(): Promise<void>;
  stop(): Promise<void>;
};

/** Inside, the service on `servicePort` of this machine is http://service.example:8000. */
export async function startSmallInternet(caddy: string, servicePort: number): Promise<SmallInternet> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-internet-'));
  await writeFile(join(folder, 'hosts'), `127.0.0.1 localhost ${names.join(' ')}\n`);
  await writeFile(join(folder, 'authority'), authority);
  const service = createServer((socket) => carry(socket, toPort(servicePort, '127.0.0.1')));
  service.listen(join(folder, 'service'));
  await once(service, 'listening');

  const script = 'ip link set lo up && mount --bind "$1/hosts" /etc/hosts && exec "$2" "$3" "$1"';
  const carrier = fileURLToPath(new URL('./carry-ports.ts', import.meta.url));
  const inside = ['sh', '-c', script, 'sh', folder, process.execPath, carrier];
  // It ends when its input does: with us, however we end.
  const world = spawn('unshare', [...isolation, ...inside], { stdio: ['pipe', 'ignore', 'inherit'] });
  const enter = ['--target', String(world.pid), '--user', '--net', '--mount', '--preserve-credentials'];
  const launch: SmallInternet['launch'] = (command, env) =>
    spawn('nsenter', [...enter, '--wd=/', ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const root = join(folder, 'caddy/pki/authorities/local/root.crt');
  const started = { service, world, authority: undefined as ChildProcess | undefined };
  const stopAuthority = async () => end(started.authority);
  const stop = async () => {
    await stopAuthority();
    await end(world);
    await close(service);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until('the network namespace is there', () => existsSync(join(folder, 'https')));
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    started.authority = launch([caddy, 'run', '--config', join(folder, 'authority'), '--adapter', 'caddyfile'], home);
    for (const stream of [started.authority.stdout, started.authority.stderr]) stream?.resume();
    await until('the certificate authority is there', () => existsSync(root));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    http: join(folder, 'http'),
    https: join(folder, 'https'),
    authority: { ACME_CA: 'https://authority.example:9443/acme/local/directory', ACME_CA_ROOT: root },
    rootCertificate: () => readFile(root, 'utf8'),
    launch,
    stopAuthority,
    stop,
  };
}

/** Caddy is an authority too: with the same protocol, and it visits the domain on ports 80 and 443 like any other. */
const authority = `{
	admin off
	skip_install_trust
	auto_https disable_redirects
	http_port 9080
	https_port 9443
}
authority.example {
	tls internal
	acme_server
}
`;

/** A child that has ended, whether it still ran or not. */
export async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
