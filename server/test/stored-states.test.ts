/**
 * Every stored state has one table of legal moves, in a file `<noun>-state.ts`, and the tables are walked: what can be
 * reached, what ends, and that somebody makes every move.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { MoveTable, StateTable } from '../src/lib/state-table.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const source = new URL('../src/', import.meta.url);
const paths = (await readdir(source, { recursive: true })).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
);

type Table = StateTable<string> & Partial<Pick<MoveTable<string, string>, 'moves'>>;
type Found = { readonly name: string; readonly path: string; readonly table: Table };

const isTable = (exported: unknown): exported is Table =>
  typeof exported === 'object' && exported !== null && 'ways' in exported && 'column' in exported;

const tables: readonly Found[] = (
  await Promise.all(
    paths
      .filter((path) => path.endsWith('-state.ts'))
      .map(async (path) => {
        const module = (await import(new URL(path, source).href)) as Record<string, unknown>;
        return Object.entries(module).flatMap(([name, table]) => (isTable(table) ? [{ name, path, table }] : []));
      }),
  )
).flat();

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** Columns with a few possible texts that are not what has become of something. */
const noStates = new Set([
  'brand_domain.behaviour',
  'brand_file.content_type',
  'beneficiary.type',
  'challenge.purpose',
  'checkout.type',
  'crumb_heap.purpose',
  'deposit_target.purpose',
  'email.outcome', // Written once.
  'status_mail.kind',
  'bank_file.way', // How it came, written once.
  'bank_folder_file.state', // As the folder was seen last.
  'status_mail.outcome', // Written once.
  'merchant.preferred_auth', // Set by people, from any to any.
  'merchant.risk_tolerance',
  'network_movement.kind', // As the network told it.
  'membership.role', // Given by people, from any to any.
  'notification_choice.choice', // Chosen by people.
  'staff_notification_choice.choice',
  'one_time_link.purpose',
  'outgoing_transfer.waits_for', // As who signs found it last.
  'paper.kind',
  'payment.confirmed_until',
  'payment_link_tally.state', // Of checkouts, counted.
  'refund.basis',
  'refund.context',
  'refund.fee_paid_by',
  'session.proved_how', // The latest proof, whichever it was.
  'staff.role',
  'venue_order.purpose',
]);

type Column = { readonly column: string; readonly values: readonly string[] | null };

/** By their name, or because the database lets only a few texts into them. */
async function stateColumns(): Promise<Column[]> {
  const rows = await database.db<{ column: string; definition: string | null }>`
    select class.relname || '.' || attribute.attname as column, pg_get_constraintdef(limits.oid) as definition
      from pg_attribute attribute
      join pg_class class on class.oid = attribute.attrelid and class.relkind = 'r'
      join pg_namespace space on space.oid = class.relnamespace and space.nspname = current_schema()
      left join pg_constraint limits on limits.conrelid = class.oid and limits.contype = 'c'
           and limits.conkey = array[attribute.attnum] and pg_get_constraintdef(limits.oid) like '%= ANY (ARRAY[%'
     where attribute.attnum > 0 and not attribute.attisdropped and attribute.atttypid = 'text'::regtype
       and (attribute.attname ~ '(^|_)(state|status|place|stage|phase)$' or limits.oid is not null)
     order by 1`;
  return rows
    .filter(({ column }) => !noStates.has(column))
    .map(({ column, definition }) => ({
      column,
      values: definition === null ? null : [...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value ?? ''),
    }));
}

test('every stored state has a table, and every table a stored state with the same values', async () => {
  const columns = await stateColumns();
  assert.deepEqual(tables.map(({ table }) => table.column).sort(), columns.map(({ column }) => column).sort());
  for (const { column, values } of columns) {
    const states = Object.keys(tables.find(({ table }) => table.column === column)?.table.ways ?? {});
    if (values) assert.deepEqual(states.toSorted(), values.toSorted(), column);
  }
});

for (const { name, path, table } of tables) {
  const states = Object.keys(table.ways);

  test(`${name}: every state is reached from where it begins, and what has ended stays so`, () => {
    const reached = new Set(table.first);
    for (const state of reached) for (const next of table.ways[state] ?? []) reached.add(next);
    assert.deepEqual([...reached].sort(), states.toSorted());
    const ended = states.filter((state) => table.ways[state]?.length === 0);
    assert.deepEqual(ended.sort(), [...table.last].sort());
  });

  test(`${name}: what is legal is in the table, or stays as it is`, () => {
    for (const from of states)
      for (const to of states) {
        const isLegal = from === to || table.ways[from]?.includes(to) === true;
        assert.equal(table.canMove(from, to), isLegal, `${from} → ${to}`);
        assert.equal(table.before(to).includes(from), isLegal, `${from} → ${to}`);
        if (isLegal) table.assertMove(from, to);
        else assert.throws(() => table.assertMove(from, to), /that is \w+ cannot become/);
      }
  });

  test(`${name}: somebody makes every move`, async () => {
    const moves = Object.keys(table.moves ?? {});
    const [slice = '', file = ''] = path.split('/');
    const others = paths.filter((each) => each !== path);
    const texts = await Promise.all(
      others.map(async (each) => ({ each, text: await readFile(new URL(each, source), 'utf8') })),
    );
    // Of the file itself what follows the table: there moves may be chosen.
    const own = await readFile(new URL(path, source), 'utf8');
    const users = texts.filter(({ each, text }) => each.startsWith(`${slice}/`) || text.includes(file));
    const made = [own.slice(own.indexOf('});')), ...users.map(({ text }) => text)];
    assert.deepEqual(
      moves.filter((move) => !made.some((text) => text.includes(`'${move}'`))),
      [],
    );
  });
}
