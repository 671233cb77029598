/**
 * Anvil, the Ethereum node of Foundry, for tests. Each of its packages has one program. If there is none for this
 * machine's processor, Linux on arm64 runs the one for amd64 with QEMU.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@quittance/server/lib/free-port';
import { createEvmRpc, type EvmRpc } from '@quittance/server/networks/families/evm/evm-rpc';

/** Fetched by `npm test` and compared with its hash. */
export const anvilPackage = {
  spec: '@foundry-rs/anvil-linux-amd64@1.7.1',
  integrity: 'sha512-+XmShybEaxfCrr0OUUZwYEy2OnYZt5pHH9TzBtLv3+VrK0O/ANuNSVEahqNhKHlgX7GRJ59383ofNhxkRWIYTg==',
  folder: fileURLToPath(new URL('../../node_modules/.cache/anvil-1.7.1', import.meta.url)),
} as const;

export const isAnvilFetched = (): boolean => existsSync(anvilPackage.folder);

/** What another kind of machine needs to run it, with the Debian packages that contain it. */
const emulator = [
  { file: '/usr/bin/qemu-x86_64', aptPackage: 'qemu-user' },
  { file: '/usr/x86_64-linux-gnu/lib/libc.so.6', aptPackage: 'libc6-amd64-cross' },
  { file: '/usr/x86_64-linux-gnu/lib/libgcc_s.so.1', aptPackage: 'libgcc-s1-amd64-cross' },
] as const;

const isEmulated = process.platform === 'linux' && process.arch === 'arm64';

/** Debian packages that are missing to run it. */
export const missingForAnvil = (): string[] =>
  isEmulated ? emulator.filter(({ file }) => !existsSync(file)).map(({ aptPackage }) => aptPackage) : [];

export const canRunAnvil = (): boolean =>
  process.platform === 'linux' && (process.arch === 'x64' || isEmulated) && missingForAnvil().length === 0;

/** The command to start it with; undefined where it is not available. */
export function findAnvil(): readonly string[] | undefined {
  if (!isAnvilFetched() || !canRunAnvil()) return undefined;
  const program = `${anvilPackage.folder}/package/bin/anvil`;
  return isEmulated ? [emulator[0].file, '-L', '/usr/x86_64-linux-gnu', program] : [program];
}

export type Anvil = { readonly url: string; readonly port: number; readonly rpc: EvmRpc; stop(): Promise<void> };

export type AnvilOptions = {
  readonly command: readonly string[];
  readonly chainId: number;
  readonly genesisTime: number; // in seconds
  readonly port?: number;
  /** Where the chain is kept when it is stopped. */
  readonly stateFile?: string;
};

export async function startAnvil({ command, chainId, genesisTime, ...options }: AnvilOptions): Promise<Anvil> {
  const port = options.port ?? (await freePort('127.0.0.1'));
  const url = `http://127.0.0.1:${port}`;
  const rpc = createEvmRpc(url, 30_000);
  const [program = '', ...first] = command;
  const flags = [
    ...['--port', String(port), '--chain-id', String(chainId), '--timestamp', String(genesisTime)],
    ...['--hardfork', 'prague', '--gas-limit', '60000000', '--accounts', '0', '--silent', '--no-mining'],
    ...(options.stateFile === undefined ? [] : ['--state', options.stateFile, '--preserve-historical-states']),
  ];
  const child: ChildProcess = spawn(program, [...first, ...flags], { stdio: 'ignore' });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  for (let attempt = 0; ; attempt += 1) {
    try {
      await rpc.call('eth_chainId');
      break;
    } catch (error) {
      const hasEnded = child.exitCode !== null;
      if (hasEnded || attempt === 6_000) throw new Error('Anvil ended, or does not answer', { cause: error });
      await sleep(50);
    }
  }
  return {
    url,
    port,
    rpc,
    async stop() {
      process.removeListener('exit', endWithUs);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
