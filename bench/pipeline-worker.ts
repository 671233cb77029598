/** The worker's process for the pipeline: wired by app.ts, with the pool and the concurrency of production. */
import { createApp } from '../server/src/app.ts';
import { type Environment, readConfig } from '../server/src/config.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { createLog } from '../server/src/lib/log.ts';
import { type Payment, runPipeline } from './pipeline.ts';

export type PipelineTask = { readonly env: Environment; readonly payments: readonly Payment[] };

process.once('message', (task: PipelineTask) => void run(task));
process.send?.('ready');

async function run({ env, payments }: PipelineTask): Promise<void> {
  const config = readConfig(env);
  const log = createLog('warn');
  const db = openDatabase({ url: config.databaseUrl.reveal(), poolSize: config.databasePoolSize });
  const app = createApp({ config, publicUrl: config.publicUrl ?? '', db, clock: systemClock, log });
  await app.refresh();
  const { seconds } = await runPipeline(db, app, env, payments);
  for (const runner of app.runners) await runner.stop();
  await db.close();
  process.send?.(seconds);
  process.disconnect();
}
