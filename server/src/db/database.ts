/**
 * PostgreSQL through `pg`, with SQL by hand in tagged templates: db`select … where id = ${id}`.
 *
 * Every template becomes a named prepared statement. Statements that are started without waiting for each other are
 * sent together, in one pipeline. Two things follow for callers. Start independent statements together and await them
 * with Promise.all. And await every statement: when one fails in a pipeline, COMMIT *succeeds as a rollback*, which
 * `begin` detects, but only the statement's own promise says what was wrong.
 *
 * A process that freezes (a paused machine, a stopped container) keeps its connections, and with them its locks. So
 * PostgreSQL ends a transaction or a session that has been silent for `silenceMs`; live sessions send a heartbeat. A
 * process that wakes up after that finds its session lost and its transaction rolled back.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';

export type Row = Record<string, unknown>;
export type Query = <R extends Row = Row>(strings: TemplateStringsArray, ...values: unknown[]) => Promise<R[]>;

/**
 * `json`, unlike `jsonb`, is for what must come back with every digit: it arrives as text, and its reader parses it.
 */
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text);

declare const insideTransaction: unique symbol;
/** A query function bound to one open transaction. Use cases open it and pass it down. */
export type Tx = Query & { readonly [insideTransaction]: true };

export type Db = Query & {
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a whole script, e.g. a migration. No parameters. */
  script(text: string): Promise<void>;
  /**
   * A separate connection for what is bound to a session: advisory locks, LISTEN. `answerMs`: what is asked there never
   * waits, so no answer for this long is an error.
   */
  session(options?: { readonly answerMs: number }): Promise<Session>;
  close(): Promise<void>;
};

export type Session = Query & { end(): Promise<void>; onLost(callback: () => void): void };

const retryAtOnce = new Set(['40001', '40P01']); // serialization failure, deadlock: the same work may well succeed now
const attemptsMax = 5;

export function openDatabase(options: {
  url: string;
  poolSize: number;
  onError?: (error: Error) => void;
  silenceMs?: number;
  heartbeatMs?: number;
  /** How long a caller waits for a connection, a new one or one that others use. */
  connectMs?: number;
  /** After this long without an answer a connection is given up: a machine that vanishes closes no connections. */
  answerMs?: number;
}): Db {
  const { silenceMs = 5_000, heartbeatMs = 1_000, connectMs = 5_000 } = options;
  const connection = {
    connectionString: options.url,
    pipeline: true,
    keepAlive: true,
    application_name: 'quittance',
    connectionTimeoutMillis: connectMs,
    idle_in_transaction_session_timeout: silenceMs,
  };
  const pool = new pg.Pool({ ...connection, max: options.poolSize, query_timeout: options.answerMs });
  // The pool replaces a connection that breaks; without these listeners (the first hears only about idle connections)
  // it would end the process. A transaction on it learns of the loss by its next statement.
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));

  const db = queryOn(pool) as Db;
  db.begin = async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runTransaction(pool, work);
      } catch (error) {
        if (attempt >= attemptsMax || !retryAtOnce.has(sqlState(error) ?? '')) throw error;
      }
    }
  };
  db.script = async (text) => {
    const client = new pg.Client(connection); // A separate one, because a script may take longer than any answer.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  db.session = (wanted) => openSession({ ...connection, query_timeout: wanted?.answerMs }, silenceMs, heartbeatMs);
  db.close = () => pool.end();
  return db;
}

async function openSession(connection: pg.ClientConfig, silenceMs: number, heartbeatMs: number): Promise<Session> {
  const client = new pg.Client(connection);
  let state: 'open' | 'lost' | 'ended' = 'open';
  const callbacks: (() => void)[] = [];
  let heartbeat: NodeJS.Timeout | undefined;
  const announce = (): void => {
    clearInterval(heartbeat);
    if (state === 'open') state = 'lost';
    if (state === 'lost') for (const callback of callbacks.splice(0)) callback();
  };
  client.on('error', announce);
  client.on('end', announce);
  await client.connect();
  await client.query(`set idle_session_timeout = ${silenceMs}`);

  let waiting = 0;
  const ask: Queryable['query'] = (config) => {
    waiting += 1;
    return client.query(config).finally(() => {
      waiting -= 1;
    });
  };
  heartbeat = setInterval(() => {
    // A session that waits for a lock is not silent, and could answer only after it has the lock.
    if (waiting === 0) ask({ text: 'select 1', query_timeout: silenceMs }).catch(() => undefined);
  }, heartbeatMs).unref();

  const session = queryOn({ query: ask }) as Session;
  session.onLost = (callback) => {
    callbacks.push(callback);
    if (state === 'lost') queueMicrotask(announce);
  };
  session.end = async () => {
    state = 'ended';
    clearInterval(heartbeat);
    await client.end();
  };
  return session;
}

async function runTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let isOver = false;
  // A statement that comes after the end of the transaction would otherwise run on its own, or in the transaction of
  // the next user.
  const guarded: Queryable = {
    query: (config) =>
      isOver
        ? Promise.reject(new Error('this transaction is over: the statement came too late'))
        : client.query(config),
  };
  try {
    // Not awaited: BEGIN is sent together with the first statement. If it fails, that statement fails too.
    client.query('begin').catch(() => undefined);
    const result = await work(queryOn(guarded) as Tx);
    isOver = true;
    const outcome = await client.query('commit');
    if (outcome.command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
    return result;
  } catch (error) {
    isOver = true;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

type Queryable = { query(config: pg.QueryConfig & { query_timeout?: number }): Promise<pg.QueryResult> };

function queryOn(queryable: Queryable): Query {
  return async <R extends Row>(strings: TemplateStringsArray, ...values: unknown[]) => {
    const { name, text } = statement(strings);
    const result = await queryable.query({ name, text, values });
    return result.rows as R[];
  };
}

const statements = new WeakMap<TemplateStringsArray, { name: string; text: string }>();

function statement(strings: TemplateStringsArray): { name: string; text: string } {
  const known = statements.get(strings);
  if (known) return known;
  const text = strings.reduce((sql, part, position) => `${sql}$${position}${part}`);
  const made = { name: createHash('sha256').update(text).digest('base64url').slice(0, 22), text };
  statements.set(strings, made);
  return made;
}

export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined;

/** That something is there already, by the unique index that says so; of any, where none is named. */
export const isUniqueViolation = (error: unknown, index?: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && (index === undefined || error.constraint === index);

const answerTimeoutMs = 2_000;

/** Whether PostgreSQL answers now. An error alone does not say so: a single statement can time out by itself. */
export async function answersInTime(query: Query): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), answerTimeoutMs);
  const answer = query`select 1 as one`.then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answer, timeout]);
  clearTimeout(timer);
  return isThere;
}

/** For callers that know not from an error but from silence that PostgreSQL is away. */
export const noAnswer = (cause: unknown): Error =>
  Object.assign(new Error('PostgreSQL does not answer', { cause }), { code: 'ETIMEDOUT' });

/**
 * PostgreSQL is down, restarting, unreachable, out of connections, memory or disk, or has just become a standby: the
 * caller should try again later, and has asked nothing wrong.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  if (/^(08|57P0|53[0-3]|25P03|25006)/.test(code)) return true;
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'].includes(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (was closed|has encountered a connection error)/.test(
    error.message,
  );
}
