/**
 * The sandbox's networks in a separate process, as real nodes would be: so the service can be measured without their
 * memory and time. Secrets come over the channel, never as arguments.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DataFolder } from '@quittance/server/lib/data-folder';
import { Secret } from '@quittance/server/lib/secret';
import type { SandboxNetworks } from './sandbox-networks.ts';

type Order = { path: string; secrets: Record<string, string>; given: string[] };
type Report = Omit<SandboxNetworks, 'stop'> | { failure: string };

/** Starts the process and waits until its networks answer. */
export async function startSandboxProcess(folder: DataFolder, given: readonly string[]): Promise<SandboxNetworks> {
  // In its own process group: Ctrl-C is for the service, which then stops this process.
  const child = fork(fileURLToPath(import.meta.url), {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Under `npm run dev` Node would otherwise report every loaded file over our channel.
    env: { ...process.env, WATCH_REPORT_DEPENDENCIES: undefined },
  });
  // Until it answers nobody can stop it in order, and when we end, the next start may use its folder at once.
  const endAtOnce = (): unknown => child.kill('SIGKILL');
  process.once('exit', endAtOnce);
  const secrets = Object.fromEntries(Object.entries(folder.secrets).map(([name, value]) => [name, value.reveal()]));
  child.send({ path: folder.path, secrets, given: [...given] } satisfies Order);
  const report = await Promise.race([firstReport(child), once(child, 'exit').then(() => ({ failure: 'it ended' }))]);
  process.off('exit', endAtOnce);
  if ('failure' in report) throw new Error(`The sandbox networks could not be started: ${report.failure}.`);
  return {
    ...report,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

const firstReport = async (child: ChildProcess): Promise<Report> => ((await once(child, 'message')) as [Report])[0];

async function serve(order: Order): Promise<void> {
  const secrets = Object.fromEntries(Object.entries(order.secrets).map(([name, value]) => [name, new Secret(value)]));
  // Loaded only here: the process that starts this one does not need the networks' code.
  const { startSandboxNetworks } = await import('./sandbox-networks.ts');
  const networks = await startSandboxNetworks(
    { path: order.path, secrets: secrets as DataFolder['secrets'] },
    new Set(order.given),
  );
  const { settings, urls, mailbox } = networks;
  process.send?.({ settings, urls, mailbox } satisfies Report);
  // The channel closes when the service stops us, and also when it dies: so the networks never live longer.
  await once(process, 'disconnect');
  await networks.stop();
  process.exit(0);
}

if (import.meta.main) {
  const [order] = (await once(process, 'message')) as [Order];
  await serve(order).catch((error: unknown) => {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) } satisfies Report);
    process.exit(1);
  });
}
