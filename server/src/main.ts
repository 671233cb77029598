/** One program, several roles. Everything it needs to know is in the environment: see config.ts. */
import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { systemClock } from './lib/clock.ts';
import { freePort } from './lib/free-port.ts';
import { createLog } from './lib/log.ts';
import { runRoles } from './run-roles.ts';

export type Service = {
  /** What links begin with; null when this process does not serve. */
  readonly url: string | null;
  stop(): Promise<void>;
};

export async function startService(env: NodeJS.ProcessEnv): Promise<Service> {
  const config = readConfig(env);
  const log = createLog(config.logLevel);
  const db = openDatabase({
    url: config.databaseUrl.reveal(),
    poolSize: config.databasePoolSize,
    answerMs: 30_000,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const applied = await migrate(db);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  // Links are made before the server listens, so a port that does not matter is chosen here.
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const publicUrl = config.publicUrl ?? originOf(config.host, port);
  const app = createApp({ config, publicUrl, db, clock: systemClock, log });
  const running = await runRoles(app, { ...config, port, log });
  log.info({ roles: config.roles, url: running.url }, 'started');
  return {
    url: running.url === null ? null : publicUrl,
    async stop() {
      await running.stop();
      await db.close();
      log.info({}, 'stopped');
    },
  };
}

/** An address that means "all of them" is no place to go to. */
function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

if (import.meta.main) {
  try {
    const service = await startService(process.env);
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void service.stop().then(() => process.exit(0)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
