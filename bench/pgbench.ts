/**
 * The baseline of writes: the statements that one operation of ours really executes, written down while it runs and
 * repeated by pgbench as prepared statements. Values that must be unique, such as ids, become counters.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Db, Query, Tx } from '../server/src/db/database.ts';

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** The same database, but it writes down every statement. */
export function recordStatements(db: Db): { db: Db; statements: Statement[] } {
  const statements: Statement[] = [];
  const recorded =
    (query: Query): Query =>
    (strings, ...values) => {
      statements.push({ text: strings.reduce((sql, part, at) => `${sql}$${at}${part}`), values });
      return query(strings, ...values);
    };
  const spy = recorded(db) as Db;
  spy.begin = (work) => {
    statements.push({ text: 'begin', values: [] });
    return db.begin(async (tx) => {
      const result = await work(recorded(tx) as Tx);
      statements.push({ text: 'commit', values: [] });
      return result;
    });
  };
  spy.script = db.script;
  spy.session = db.session;
  spy.close = async () => undefined;
  return { db: spy, statements };
}

/** Ids that a repetition of the operation must not share. Each becomes `firstId` plus a counter. */
export type Baseline = {
  readonly statements: readonly Statement[];
  readonly unique: readonly string[];
  readonly firstId: number;
};

export const pgbenchClients = 8;
/** Every client counts in a range of its own. */
export const idsPerClient = 1_000_000;

export async function runPgbench(url: string, baseline: Baseline, seconds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pgbench-'));
  try {
    const { script, variables } = toScript(baseline);
    const file = join(folder, 'baseline.sql');
    await writeFile(file, script);
    const args = ['--protocol=prepared', `--file=${file}`, '--no-vacuum', '--jobs=1'];
    const limits = [`--client=${pgbenchClients}`, `--time=${seconds}`];
    const defined = variables.map(([name, value]) => `--define=${name}=${value}`);
    const { stdout } = await promisify(execFile)('pgbench', [...args, ...limits, ...defined, url]);
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0';
    if (failed !== '0') throw new Error(`pgbench: ${failed} transactions failed`);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('pgbench is missing: it is in the package postgresql-contrib of Debian and Ubuntu.', {
        cause: error,
      });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toScript({ statements, unique, firstId }: Baseline): { script: string; variables: [string, string][] } {
  const variables: [string, string][] = [['count', '0']];
  const written = statements.map(({ text, values }, statement) =>
    text.replaceAll(/\$(\d+)/g, (_, position: string) => {
      const given = values[Number(position) - 1];
      const value = asText(given);
      if (value === null) return 'null';
      if (unique.includes(value)) return ':id';
      const name = `s${statement}p${position}`;
      variables.push([name, value]);
      const found = unique.filter((id) => value.includes(id));
      const sql = found.reduce((inner, id) => `replace(${inner}::text, '${id}', :id::text)`, `:${name}`);
      return found.length > 0 && Array.isArray(given) ? `${sql}::text[]` : sql;
    }),
  );
  const counter = `\\set count :count + 1\n\\set id ${firstId} + :client_id * ${idsPerClient} + :count\n`;
  return { script: `${counter}${written.join(';\n')};\n`, variables };
}

/** In the form in which PostgreSQL gets it. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return `${value as string | number | boolean}`;
  const items = value.map((item) => {
    const text = asText(item);
    return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return `{${items.join(',')}}`;
}
