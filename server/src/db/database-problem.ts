/**
 * What is wrong with the database that we are told to use, in a sentence for whoever set DATABASE_URL. Found before
 * anything is started. The sentence shows the user's name and the host, never the password.
 */
import { connect } from 'node:net';
import pg from 'pg';
import type { Secret } from '../lib/secret.ts';

/** The oldest that the migrations are known to run on. */
export const oldestVersion = 15;

/**
 * A server that is there accepts a connection in a few milliseconds; one that is not there often says nothing at all.
 */
const reachMs = 800;
/** A server that has accepted the connection may be busy, so it gets more time. */
const answerMs = 5_000;

/** What can be seen without connecting. */
export function databaseUrlProblems(url: string): string[] {
  const scheme = /^([a-z][a-z0-9+.-]*:\/{0,2})/i.exec(url)?.[1];
  if (!/^postgres(ql)?:\/\//.test(url))
    return [`DATABASE_URL must begin with postgres://${scheme === undefined ? '' : `, but begins with ${scheme}`}.`];
  if (URL.canParse(url)) return [];
  return [
    'DATABASE_URL must be postgres://user:password@host:port/database, with / # ? @ : in the password as %2F %23 …',
  ];
}

/** Null: we can work with it. */
export async function databaseProblem(databaseUrl: Secret): Promise<string | null> {
  const url = new URL(databaseUrl.reveal());
  try {
    if (url.hostname !== '' && !url.searchParams.has('host')) await reach(url);
    const { version, canCreate } = await ask(databaseUrl);
    if (version < oldestVersion)
      return `The database at ${url.host} is PostgreSQL ${version}, but ${oldestVersion} or newer is needed.`;
    if (!canCreate)
      return `The database at ${url.host} does not let ${userOf(url)} create tables: make that user the owner of the database.`;
    return null;
  } catch (error) {
    return explainDatabaseError(error, url);
  }
}

async function reach({ hostname, port }: URL): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: decodeURIComponent(host), port: Number(port || '5432') });
    const late = setTimeout(() => socket.destroy(new Error('no answer')), reachMs);
    socket.once('connect', () => socket.end(() => resolve())).once('error', reject);
    socket.once('close', () => clearTimeout(late));
  }).catch((cause: unknown) => {
    throw Object.assign(new Error('not reachable', { cause }), { code: 'ECONNREFUSED' });
  });
}

async function ask(databaseUrl: Secret): Promise<{ version: number; canCreate: boolean }> {
  const client = new pg.Client({ connectionString: databaseUrl.reveal(), connectionTimeoutMillis: answerMs });
  client.on('error', () => undefined); // The query fails as well, and says so.
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; canCreate: boolean }>(`
      select current_setting('server_version_num')::int / 10000 as version,
             coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreate"`);
    return rows[0] ?? { version: 0, canCreate: false };
  } finally {
    await client.end().catch(() => undefined);
  }
}

const userOf = (url: URL): string => decodeURIComponent(url.username) || 'our user';

/** SQLSTATE classes 28 and 3D: we are not accepted, or the database does not exist. */
export function explainDatabaseError(error: unknown, url: URL): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const database = `The database at ${url.host}`;
  const isOwnWord = message !== '' && (url.password === '' || !message.includes(decodeURIComponent(url.password)));
  const said = isOwnWord ? message.replace(/\.$/, '') : 'it does not say why';
  const isPasswordMissing = url.password === '' && /password/.test(message);
  if (code === '28P01' || isPasswordMissing)
    return `${database} refuses ${userOf(url)}: is the password in DATABASE_URL right?`;
  if (/^(28|3D)/.test(code)) return `${database} refuses us: ${said}. Is DATABASE_URL right?`;
  if (/^(E[A-Z]+|57P|08)/.test(code) || /timeout|terminated/i.test(message))
    return `${database} does not answer: is it running, and is DATABASE_URL right?`;
  return `${database} cannot be used: ${said}.`;
}
