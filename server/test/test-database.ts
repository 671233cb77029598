/**
 * A fresh, migrated PostgreSQL database per test: cloned from a template that is migrated once per set of migrations.
 * `npm test` starts the server and sets TEST_DATABASE_URL.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Db, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';

const migrationsFolder = new URL('../src/db/migrations/', import.meta.url);

/**
 * The service gives up on a database that keeps it waiting for seconds, and PostgreSQL on whoever is silent for as long.
 * A story on a busy machine may be either, and its clock stands still: what failed would never be tried again. So nobody
 * needs to hear every second that somebody is still there.
 */
export const patience = { connectMs: 600_000, silenceMs: 600_000, heartbeatMs: 60_000 };

export type TestDatabase = { db: Db; url: string; drop(): Promise<void> };

function urlOf(database: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function adminUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`.');
  return url;
}

async function templateName(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(migrationsFolder)).sort())
    hash.update(await readFile(new URL(name, migrationsFolder)));
  return `template_${hash.digest('hex').slice(0, 12)}`;
}

async function ensureTemplate(admin: Db): Promise<string> {
  const template = await templateName();
  const session = await admin.session();
  try {
    // Test files run in parallel processes: the first one migrates, the others wait here.
    await session`select pg_advisory_lock(424242)`;
    const [known] = await session`select from pg_database where datname = ${template}`;
    if (!known) {
      await admin.script(`create database ${template}_making`);
      const db = openDatabase({ url: urlOf(`${template}_making`), poolSize: 2, ...patience });
      await migrate(db);
      await db.close();
      await admin.script(`alter database ${template}_making rename to ${template}`);
    }
  } finally {
    await session.end();
  }
  return template;
}

/** Once in a process: the migrations do not change under it. */
let template: Promise<string> | undefined;

export async function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const admin = openDatabase({ url: adminUrl(), poolSize: 1, ...patience });
  const name = `test_${randomBytes(6).toString('hex')}`;
  try {
    template ??= ensureTemplate(admin);
    // Else every page of it is written down twice.
    await admin.script(`create database ${name} template ${await template} strategy file_copy`);
  } finally {
    await admin.close();
  }
  const url = urlOf(name);
  const db = openDatabase({ url, poolSize: options.poolSize ?? 8, ...patience });
  return {
    db,
    url,
    async drop() {
      await db.close();
      const again = openDatabase({ url: adminUrl(), poolSize: 1, ...patience });
      await again.script(`drop database if exists ${name} with (force)`);
      await again.close();
    },
  };
}
