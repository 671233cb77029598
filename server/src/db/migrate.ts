/** Applies the numbered SQL files in order, each once and in its own transaction. Safe to run from many processes. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Db } from './database.ts';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 20_260_115;

export async function migrate(db: Db): Promise<string[]> {
  const applied: string[] = [];
  const session = await db.session();
  try {
    await session`select pg_advisory_lock(${lockKey})`;
    await db.script(`create table if not exists schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const known = new Map(
      (await session<{ name: string; checksum: string }>`select name, checksum from schema_migration`).map((row) => [
        row.name,
        row.checksum,
      ]),
    );
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
      const text = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const before = known.get(name);
      if (before === checksum) continue;
      if (before !== undefined) throw new Error(`the migration ${name} was changed after it had been applied`);
      // One message with several statements is one transaction: the whole file and its mark, or nothing.
      await db.script(
        `begin;\n${text}\n;insert into schema_migration (name, checksum) values ('${name}', '${checksum}');\ncommit;`,
      );
      applied.push(name);
    }
  } finally {
    await session.end();
  }
  return applied;
}
