/** The real program in a process of its own, with some of the roles, for tests that stop, freeze or kill it. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../src/config.ts';

export { until } from './until.ts';

export type LogLine = { readonly msg: string; readonly [field: string]: unknown };

export type ServiceProcess = {
  readonly child: ChildProcess;
  /** With /api/v1; null without the role `api`. */
  readonly url: string | null;
  readonly log: readonly LogLine[];
  kill(): Promise<void>;
};

/** Where programs are, and what of ours is compiled already. */
const inherited = (): Environment => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
};

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A process that may not serve yet: what it says until then is in its log. */
export type LaunchedProcess = Pick<ServiceProcess, 'child' | 'log' | 'kill'> & {
  readonly started: Promise<ServiceProcess>;
};

/** Its port is chosen before it listens: where another process took it meanwhile, it starts again. */
export async function startServiceProcess(env: Environment, roles: string, first?: URL): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchServiceProcess(env, roles, first).started;
    } catch (error) {
      if (attempt === 5 || env['PORT'] || !/in use by another program/.test(String(error))) throw error;
    }
  }
}

/** `first`: a module that is loaded before the program, and can talk to us. */
export function launchServiceProcess(env: Environment, roles: string, first?: URL): LaunchedProcess {
  const child = spawn(process.execPath, [...(first ? ['--import', first.href] : []), program], {
    env: { ...inherited(), PORT: '0', ...env, ROLES: roles, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe', ...(first ? (['ipc'] as const) : [])],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const log: LogLine[] = [];
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const { promise: started, resolve, reject } = Promise.withResolvers<ServiceProcess>();
  started.catch(() => undefined); // Whoever waits for it hears of it.
  const launched = {
    child,
    log,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as LogLine;
    log.push(line);
    const { url } = line;
    if (line.msg === 'started') resolve({ ...launched, url: typeof url === 'string' ? `${url}/api/v1` : null });
  });
  child.once('exit', () => reject(new Error(`the process ended: ${Buffer.concat(errors).toString()}`)));
  return { ...launched, started };
}
