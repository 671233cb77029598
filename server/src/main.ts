/** One program, several roles. Everything it needs to know is in the environment: see config.ts. */
import { rememberAnchoredAssets } from './catalog/anchored-asset-store.ts';
import { type Config, ConfigError } from './config.ts';
import { isDatabaseAway, openDatabase } from './db/database.ts';
import { explainDatabaseError } from './db/database-problem.ts';
import { migrate } from './db/migrate.ts';
import { systemClock } from './lib/clock.ts';
import { freePort } from './lib/free-port.ts';
import { createLog } from './lib/log.ts';
import { explainListenError } from './lib/port-problem.ts';
import { checkStart } from './start-problems.ts';

export type Service = {
  /** The beginning of links; null when this process does not serve. */
  readonly url: string | null;
  stop(): Promise<void>;
};

export async function startService(env: NodeJS.ProcessEnv): Promise<Service> {
  const config = await checkStart(env, { hasDatabase: true });
  try {
    return await startWith(config);
  } catch (error) {
    throw explained(error, config);
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
  const anchoredAssets = await rememberAnchoredAssets(db, config.anchoredAssets);
  // Loaded only now: it is most of the program, and problems of a start should be told at once.
  const [{ createApp }, { runRoles }] = await Promise.all([import('./app.ts'), import('./run-roles.ts')]);
  // Links are made before the server listens, so a port that does not matter is chosen here; late, because until then
  // others may take it.
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const publicUrl = config.publicUrl ?? originOf(config.host, port);
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

/** Explains what went wrong although it was right a moment ago. */
function explained(error: unknown, { databaseUrl, host, port }: Config): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') return new ConfigError([explainListenError(error, host, port)]);
  const isRefused = /^(28|3D)/.test(code) || isDatabaseAway(error);
  return isRefused ? new ConfigError([explainDatabaseError(error, new URL(databaseUrl.reveal()))]) : error;
}

/** An address that means "all of them" cannot be opened in a browser. */
function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

if (import.meta.main) {
  let service: Service | undefined;
  let stopping: Promise<never> | undefined;
  /** Signals come twice: from a terminal, and from whoever started us. A process that does not serve yet just ends. */
  const stop = async (): Promise<never> => {
    try {
      await service?.stop();
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    }
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void (stopping ??= stop()));
  try {
    service = await startService(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
