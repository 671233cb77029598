/**
 * One round of a watcher's or a worker's work with the real wiring: in this process, or, when run as a program, in a
 * process to be killed. The program is loaded before it is needed, because loading takes longer than the work.
 */
import { type App, createApp } from '../src/app.ts';
import { type Environment, readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { createLog } from '../src/lib/log.ts';
import { watchAll, workAll } from './die-everywhere.ts';
import { patience } from './test-database.ts';

export const rounds = { watcher: watchAll, worker: workAll } satisfies Record<string, (app: App) => Promise<void>>;

export type Round = { readonly role: keyof typeof rounds; readonly env: Environment; readonly now: string };

export async function runRound({ role, env, now }: Round): Promise<void> {
  const config = readConfig(env);
  const log = createLog(config.logLevel);
  const db = openDatabase({ url: config.databaseUrl.reveal(), poolSize: config.databasePoolSize, ...patience });
  const clock = { now: () => new Date(now) };
  const app = createApp({ config, publicUrl: config.publicUrl ?? '', db, clock, log });
  if (role === 'worker') await app.refresh();
  await rounds[role](app);
}

if (import.meta.main) {
  process.once('message', (message) => {
    void runRound(message as Round).then(() => process.send?.('done'));
  });
  process.send?.('ready');
}
