/** Starts what a process is for, keeps the periodic work going, and stops everything in the right order. */
import type { App } from './app.ts';
import type { Role } from './config.ts';
import type { Log } from './lib/log.ts';

const refreshMs = 2_000;
const pollRatesMs = 30_000;
const cleanUpMs = 3_600_000;
const checkCoverageMs = 60_000;
const forgetVisitorsMs = 60_000;
const reconcileMs = 600_000;
const reconcileCheckMs = 15_000;

export type RunningRoles = { readonly url: string | null; stop(): Promise<void> };

export async function runRoles(
  app: App,
  options: { roles: readonly Role[]; host: string; port: number; log: Log },
): Promise<RunningRoles> {
  const { roles, log } = options;
  const isWorker = roles.includes('worker');
  const timers: NodeJS.Timeout[] = [];

  /** Failures are logged and tried again at the next turn: the database may be away for a while. */
  async function keepDoing(everyMs: number, what: string, work: () => Promise<void>): Promise<void> {
    const attempt = () => work().catch((error: unknown) => log.warn({ err: error }, what));
    await attempt();
    timers.push(setInterval(() => void attempt(), everyMs));
  }

  if (isWorker) await keepDoing(pollRatesMs, 'cannot poll rates', app.pollRates);
  if (roles.includes('watcher')) for (const watcher of app.watchers) await watcher.tick().catch(() => undefined);
  await keepDoing(refreshMs, 'cannot read shared state', app.refresh);
  if (isWorker) await keepDoing(cleanUpMs, 'cannot clean up', app.cleanUp);
  if (isWorker) await keepDoing(checkCoverageMs, 'cannot check what is held', app.checkCoverage);
  if (isWorker) await keepDoing(forgetVisitorsMs, 'cannot forget visitors', app.forgetVisitors);
  // Often, because a network may have been away; each one rarely, because some nodes take a while to count.
  if (isWorker)
    await keepDoing(reconcileCheckMs, 'cannot reconcile', async () => {
      await app.reconcile(new Date(Date.now() - reconcileMs));
    });
  const url = roles.includes('api') ? await app.server.listen({ host: options.host, port: options.port }) : null;
  if (isWorker) for (const runner of [...app.runners, ...app.senders]) runner.start();
  if (roles.includes('watcher')) for (const watcher of app.watchers) watcher.start();

  return {
    url,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      // First no new requests, then no new observations, then no new jobs: each may cause the next.
      await app.server.close();
      await Promise.all(app.watchers.map((watcher) => watcher.stop()));
      await Promise.all([...app.runners, ...app.senders].map((runner) => runner.stop()));
    },
  };
}
