/** The brand container without a container: its own entry script and the real Caddy, on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/lib/free-port.ts';

const folder = fileURLToPath(new URL('../../brand-connect/', import.meta.url));
/** Where `npm test` unpacks it when the machine has none. */
export const unpackedCaddy = fileURLToPath(new URL('../../node_modules/.caddy/', import.meta.url));
const places = [
  ...['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'],
  join(unpackedCaddy, 'usr/bin/caddy'),
];

export const findCaddy = (): string | undefined => places.find((place) => existsSync(place));

export type BrandContainer = {
  /** Without TLS; with it, this redirects. */
  readonly url: string;
  readonly httpsPort: number;
  readonly healthUrl: string;
  /** Everything it said. */
  output(): string;
  /** The certificate that its own were signed with. */
  rootCertificate(): Promise<string>;
  stop(): Promise<void>;
};

export type ContainerEnvironment = Readonly<Record<string, string>>;

/** How the container's entry point is run outside of it. */
export const brandCommand = (settings: ContainerEnvironment) => ({
  command: ['/bin/sh', join(folder, 'entrypoint.sh')] as const,
  env: {
    PATH: `${dirname(findCaddy() ?? '')}:${process.env['PATH'] ?? ''}`,
    CADDYFILE: join(folder, 'Caddyfile'),
    ...settings,
  },
});

function launch(settings: ContainerEnvironment): ChildProcess {
  const { command, env } = brandCommand(settings);
  const [program, ...args] = command;
  return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** For starts that must fail. */
export async function refusedStart(env: ContainerEnvironment): Promise<{ code: number | null; output: string }> {
  const child = launch(env);
  const said = listen(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, output: said() };
}

export async function startBrandContainer(env: ContainerEnvironment, port?: number): Promise<BrandContainer> {
  const home = await mkdtemp(join(tmpdir(), 'quittance-brand-'));
  const [httpPort, httpsPort, healthPort] = [
    port ?? (await freePort('127.0.0.1')),
    await freePort('127.0.0.1'),
    await freePort('127.0.0.1'),
  ];
  const child = launch({
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    HTTP_PORT: String(httpPort),
    HTTPS_PORT: String(httpsPort),
    HEALTH_PORT: String(healthPort),
    ...env,
  });
  const output = listen(child);
  const container: BrandContainer = {
    url: `http://127.0.0.1:${httpPort}`,
    httpsPort,
    healthUrl: `http://127.0.0.1:${healthPort}/health`,
    output,
    rootCertificate: () => readFile(join(home, 'caddy/pki/authorities/local/root.crt'), 'utf8'),
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(home, { recursive: true, force: true });
    },
  };
  try {
    for (const each of [httpPort, healthPort, ...(env['TLS'] === 'off' ? [] : [httpsPort])])
      await untilListening(child, each, output);
    return container;
  } catch (error) {
    await container.stop();
    throw error;
  }
}

/** Everything that a child says. */
export function listen(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

async function untilListening(child: ChildProcess, port: number, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 6_000 && child.exitCode === null; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`the brand container does not listen on ${port}: ${output()}`);
}
