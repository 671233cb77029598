/**
 * People who were there before it was stored who has proven an address (migration 0177), in all the ways in which they may
 * have come. Nobody is locked out by it, and nobody is found by an address that somebody else may have given.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Db } from '../src/db/database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await createTestDatabase();
  db = database.db;
});
after(() => database.drop());

const migration = (name: string): Promise<string> =>
  readFile(new URL(`../src/db/migrations/${name}.sql`, import.meta.url), 'utf8');

/** The tables as the release before left them. */
const asBefore = `
  drop index person_by_address;
  alter table person drop column address, drop column proven_at;
  delete from one_time_link;
  alter table one_time_link drop column is_proof, drop column person_id, drop constraint one_time_link_purpose_check,
    add constraint one_time_link_purpose_check check (purpose in ('join', 'sign-in', 'recover', 'sign-up'));
  delete from audit_log; delete from sign_up; delete from notification_digest; delete from statement_mail;
  delete from staff; delete from membership; delete from person;`;

async function filled(): Promise<void> {
  await db.script(`set session_replication_role = replica; ${asBefore} set session_replication_role = origin;`);
  await db`
    insert into merchant (id, name, webhook_secret, created_at) values ('shop', 'A shop', 'x', '2026-01-01')
    on conflict do nothing`;
  for (const id of ['asked', 'bycommand', 'byinviter', 'ofstaff', 'bystaff', 'nowhere'])
    await db`
      insert into person (id, email, name, language, created_at)
      values (${id}, ${`${id}@old.test`}, ${id}, 'en', '2026-01-02')`;
  for (const [id, invitedBy] of [
    ['bycommand', 'operator'],
    ['byinviter', 'person:bycommand'],
  ])
    await db`
      with joined as (
        insert into membership (merchant_id, person_id, role, created_at)
        values ('shop', ${id ?? ''}, 'admin', '2026-01-02'))
      insert into audit_log (merchant_id, at, actor, action, detail)
      values ('shop', '2026-01-02', ${`person:${id}`}, 'person.joined', ${{ invitedBy }})`;
  for (const [id, invitedBy] of [
    ['ofstaff', 'operator'],
    ['bystaff', 'person:ofstaff'],
  ])
    await db`
      with joined as (insert into staff (person_id, role, created_at) values (${id ?? ''}, 'treasury', '2026-01-02'))
      insert into audit_log (merchant_id, at, actor, action, detail)
      values ('operator', '2026-01-02', ${`person:${id}`}, 'staff.joined', ${{ invitedBy }})`;
}

const proven = async (): Promise<string[]> => {
  const rows = await db<{ id: string }>`
    select id from person where proven_at = created_at and address is null order by id`;
  const others = await db`select from person where proven_at <> created_at or address is not null`;
  assert.equal(others.length, 0, 'everybody signs in by what they signed in by');
  return rows.map(({ id }) => id);
};

test('without mail those are proven whom the operator invited at the command line, and who asked themselves', async () => {
  await filled();
  await db`
    insert into sign_up (id, email, person_id, business, state, asked_at, network)
    values ('signup', 'asked@old.test', 'asked', 'Asked', 'WAITING', '2026-01-02', '192.0.2.1')`;
  await db.script(await migration('0177_who_has_proven_an_address'));
  assert.deepEqual(await proven(), ['asked', 'bycommand', 'ofstaff']);
});

test('where people are written to all are proven: there every link went by e-mail', async () => {
  await filled();
  await db`insert into notification_digest (merchant_id, person_id, day) values ('shop', 'bycommand', '2026-01-02')`;
  await db.script(await migration('0177_who_has_proven_an_address'));
  assert.deepEqual(await proven(), ['asked', 'bycommand', 'byinviter', 'bystaff', 'nowhere', 'ofstaff']);
});
