import { chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { startTestPostgres } from '../test-postgres.ts';
import type { Workplace } from './try-saboteurs.ts';

/** Syntax errors, and tables, columns, functions and types that are not there or do not fit: SQLSTATE of class 42. */
const misunderstandings = /^(42601|42703|42702|42P01|42P02|42P08|42P10|42P18|42804|42846|42883|42803) ERROR:/;

/**
 * One PostgreSQL for all. Each workplace has a user of its own, whose name is in the log of the server: a fault that is
 * no SQL any more is noticed by whatever comes by, and shall not pass for a fault that a test has noticed.
 */
export async function openWorkplaces(folder: string, count: number) {
  const postgres = await startTestPostgres(join(folder, 'postgres'), { log_line_prefix: '%u %e ' });
  const admin = new Client({ connectionString: postgres.url });
  await admin.connect();
  const logPath = join(folder, 'postgres', 'log');

  const workplaces: Workplace[] = [];
  for (let position = 0; position < count; position += 1) {
    const user = `workplace_${position}`;
    const url = new URL(postgres.url);
    await admin.query(`create role ${user} superuser login password '${url.password}'`);
    url.username = user;
    const scratch = join(folder, `scratch-${position}`);
    await mkdir(scratch);
    await chmod(scratch, 0o755); // As in test.ts: some tests start programs that are run by other users.
    let read = 0;
    workplaces.push({
      env: {
        ...process.env,
        TEST_DATABASE_URL: url.href,
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        TMPDIR: scratch,
      },
      async misunderstood() {
        const { size } = await stat(logPath);
        const log = await readPart(logPath, read, size);
        read = size;
        return log
          .split('\n')
          .filter((line) => line.startsWith(`${user} `))
          .map((line) => line.slice(user.length + 1))
          .filter((line) => misunderstandings.test(line));
      },
      async tidyUp() {
        const leftOver = await admin.query<{ datname: string }>(
          `select datname from pg_database where datdba = '${user}'::regrole and datname like 'test\\_%'`,
        );
        for (const { datname } of leftOver.rows) await admin.query(`drop database if exists ${datname} with (force)`);
        for (const name of await readdir(scratch)) await rm(join(scratch, name), { recursive: true, force: true });
      },
    });
  }
  const stop = async (): Promise<void> => {
    await admin.end();
    await postgres.stop();
  };
  return { workplaces, stop };
}

async function readPart(path: string, from: number, to: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
    return buffer.toString();
  } finally {
    await file.close();
  }
}
