/** One program, several roles. Everything it needs to know is in the environment: see config.ts. */
import { createApp } from './app.ts';
import { rememberAnchoredAssets } from './catalog/anchored-asset-store.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { isDatabaseAway, openDatabase } from './db/database.ts';
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

/** What an operator can mend: told as a sentence, without a stack. */
export class StartError extends Error {}

export async function startService(env: NodeJS.ProcessEnv): Promise<Service> {
  const config = readConfig(env);
  try {
    return await startWith(config);
  } catch (error) {
    const sentence = explain(error, config);
    throw sentence === null ? error : new StartError(sentence, { cause: error });
  }
}

async function startWith(config: Config): Promise<Service> {
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
  const anchoredAssets = await rememberAnchoredAssets(db, config.anchoredAssets);
  const app = createApp({ config: { ...config, anchoredAssets }, publicUrl, db, clock: systemClock, log });
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

function explain(error: unknown, { databaseUrl, host, port }: Config): string | null {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const database = () => `The database at ${new URL(databaseUrl.reveal()).host}`;
  // Classes 28 and 3D of PostgreSQL: who we are is not accepted, the database does not exist.
  if (/^(28|3D)/.test(code)) return `${database()} refuses us: ${message}. Is DATABASE_URL right?`;
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use by another program: set PORT to another one.`;
  if (code === 'EADDRNOTAVAIL') return `${host} is no address of this machine: set HOST to one that is.`;
  if (code === 'EACCES') return `Port ${port} may not be used without privileges: set PORT to one above 1023.`;
  if (isDatabaseAway(error)) return `${database()} does not answer: is it running, and is DATABASE_URL right?`;
  return null;
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
    if (!(error instanceof ConfigError || error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
