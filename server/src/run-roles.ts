/**
 * Starts the roles of a process, keeps the periodic work going, and stops everything in the right order. It listens as
 * soon as it can serve: what takes long, such as counting the books, comes afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.ts';
import type { Log } from './lib/log.ts';
import type { Role } from './setting-forms.ts';

const refreshMs = 2_000;
const pollRatesMs = 30_000;
const cleanUpMs = 3_600_000;
const checkCoverageMs = 60_000;
const sampleQueueMs = 60_000;
const forgetVisitorsMs = 60_000;
const addUpLinksMs = 60_000;
const writeUsedKeysMs = 60_000;
const reconcileMs = 600_000;
const reconcileCheckMs = 15_000;
const serveAgainMs = 1_000;
/**
 * A node that answers is known before the first customer comes; for one that does not answer nobody waits longer than
 * this.
 */
const firstLookMs = 10_000;

export type RunningRoles = { readonly url: string | null; stop(): Promise<void> };

export async function runRoles(
  app: App,
  options: { roles: readonly Role[]; host: string; port: number; log: Log },
): Promise<RunningRoles> {
  const { roles, log } = options;
  const isWorker = roles.includes('worker');
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  /** Without this nobody can be served: it is tried until it succeeds, and the log says what is missing. */
  async function insist(what: string, work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: error, what, attempt }, 'cannot serve yet, and tries again');
      }
      await pause(serveAgainMs);
    }
  }

  /**
   * A failure is logged and tried again next time: the database may be away for a while. The pause begins when the work
   * has ended, so that slow work does not pile up.
   */
  async function keepDoing(
    what: string,
    everyMs: number,
    work: () => Promise<unknown>,
    firstAfterMs = 0,
  ): Promise<void> {
    for (let waitMs = firstAfterMs; ; waitMs = everyMs) {
      await pause(waitMs);
      if (stopping.signal.aborted) return;
      await work().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, what);
      });
    }
  }

  async function beginWatching(): Promise<void> {
    const looks = app.watchers.map(async (watcher) => {
      await watcher.tick().catch(() => undefined); // Its loop says what is wrong.
      if (!stopping.signal.aborted) watcher.start();
    });
    await Promise.race([Promise.all(looks), pause(firstLookMs)]);
  }

  // First, so that what is read afterwards is young when the door opens.
  if (roles.includes('api')) await app.warmUp();
  if (isWorker) await insist('rates', app.pollRates);
  if (roles.includes('watcher')) await beginWatching();
  await insist('shared state', app.refresh);
  const url = roles.includes('api') ? await app.server.listen({ host: options.host, port: options.port }) : null;

  void keepDoing('cannot read shared state', refreshMs, app.refresh, refreshMs);
  if (url !== null)
    void keepDoing('cannot write when keys were used', writeUsedKeysMs, app.writeUsedKeys, writeUsedKeysMs);
  if (isWorker) {
    for (const runner of [...app.runners, ...app.senders, ...app.followers]) runner.start();
    void keepDoing('cannot poll rates', pollRatesMs, app.pollRates, pollRatesMs);
    void keepDoing('cannot clean up', cleanUpMs, app.cleanUp);
    void keepDoing('cannot check what is held', checkCoverageMs, app.checkCoverage);
    void keepDoing('cannot note how many jobs wait', sampleQueueMs, app.sampleQueue);
    void keepDoing('cannot forget visitors', forgetVisitorsMs, app.forgetVisitors);
    void keepDoing('cannot add up payment links', addUpLinksMs, app.addUpLinks);
    // Looks often, because a network may have been away; but counts each one rarely, because some nodes need a while to
    // count.
    void keepDoing('cannot reconcile', reconcileCheckMs, () => app.reconcile(new Date(Date.now() - reconcileMs)));
  }

  return {
    url,
    async stop() {
      stopping.abort();
      // First no new requests, then no new observations, then no new jobs: each may cause the next.
      await app.server.close();
      await Promise.all(app.watchers.map((watcher) => watcher.stop()));
      await Promise.all([...app.runners, ...app.senders, ...app.followers].map((runner) => runner.stop()));
      await app.heavyWork.end();
    },
  };
}
