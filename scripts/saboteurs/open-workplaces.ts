import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@quittance/server/db/embedded-postgres';
import { Client } from 'pg';
import type { Workplace } from './try-saboteurs.ts';

/** Syntax errors, and tables, columns, functions and types that are not there or do not fit: SQLSTATE of class 42. */
const misunderstandings = /^(42601|42703|42702|42P01|42P02|42P08|42P10|42P18|42804|42846|42883|42803) ERROR:/;

/**
 * One PostgreSQL for all. Each workplace has a user of its own, whose name is in the log of the server: a fault that is
 * no SQL any more is noticed by whatever comes by, and shall not pass for a fault that a test has noticed.
 */
export async function openWorkplaces(folder: string, count: number) {
  // As in test.ts: nothing outlives the run.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300', log_line_prefix: '%u %e ' };
  const postgres = await startEmbeddedPostgres({ folder, settings });
  const admin = new Client({ connectionString: postgres.url });
  await admin.connect();
  const readLog = (): Promise<string> => readFile(join(folder, 'log'), 'utf8');

  const workplaces: Workplace[] = [];
  for (let position = 0; position < count; position += 1) {
    const user = `workplace_${position}`;
    const url = new URL(postgres.url);
    await admin.query(`create role ${user} superuser login password '${url.password}'`);
    url.username = user;
    let read = 0;
    workplaces.push({
      env: { ...process.env, TEST_DATABASE_URL: url.href, NODE_COMPILE_CACHE: join(folder, 'compiled') },
      async misunderstood() {
        const log = await readLog();
        const lines = log.slice(read).split('\n');
        read = log.length;
        return lines
          .filter((line) => line.startsWith(`${user} `))
          .map((line) => line.slice(user.length + 1))
          .filter((line) => misunderstandings.test(line));
      },
    });
  }
  await admin.end();
  return { workplaces, stop: () => postgres.stop() };
}
