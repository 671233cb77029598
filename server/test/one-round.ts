/**
 * One round of a watcher's, a worker's or a sender's work with the real wiring: in this process, or, when run as a program, in a
 * process to be killed. The program is loaded before it is needed, because loading takes longer than the work.
 */
import { createApp } from '../src/app.ts';
import { type Environment, readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { createLog } from '../src/lib/log.ts';

export type Round = { readonly role: 'watcher' | 'worker' | 'sender'; readonly env: Environment; readonly now: string };

export async function runRound({ role, env, now }: Round): Promise<void> {
  const config = readConfig(env);
  const log = createLog(config.logLevel);
  const db = openDatabase({ url: config.databaseUrl.reveal(), poolSize: config.databasePoolSize });
  const clock = { now: () => new Date(now) };
  const app = createApp({ config, publicUrl: config.publicUrl ?? '', db, clock, log });
  if (role === 'watcher') {
    for (const watcher of app.watchers) while ((await watcher.tick()) === 'progress');
    return;
  }
  if (role === 'sender') {
    for (const sender of app.senders) while ((await sender.tick()) === 'progress');
    return;
  }
  await app.refresh();
  for (const runner of app.runners) await runner.runDue();
}

if (import.meta.main) {
  process.once('message', (message) => {
    void runRound(message as Round).then(() => process.send?.('done'));
  });
  process.send?.('ready');
}
