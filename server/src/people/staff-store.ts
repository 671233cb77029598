/** All SQL about the operator's staff. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { StaffRole } from './roles.ts';

export type StaffMember = {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  readonly roleSince: Date;
  readonly hasSecondFactor: boolean;
  readonly hasPasskey: boolean;
  readonly seenAt: Date | null;
  readonly sessions: number;
};

export async function listStaff(query: Query): Promise<StaffMember[]> {
  return query<StaffMember>`
    select person.id as "personId", coalesce(address, email) as email, name, role, coalesce(role_since, staff.created_at) as "roleSince",
           (totp_secret is not null or exists (select from passkey where person_id = person.id)) as "hasSecondFactor",
           exists (select from passkey where person_id = person.id) as "hasPasskey",
           (select max(seen_at) from session where person_id = person.id and not 'operator' = any(not_for)) as "seenAt",
           (select count(*)::integer from session where person_id = person.id and not 'operator' = any(not_for)) as sessions
      from staff join person on person.id = staff.person_id order by staff.created_at, person.id`;
}

const staffLockClass = 7_076; // The first half of advisory locks about the staff.

/** Until the transaction ends nobody else changes, or counts, who is of the staff. After the session of whoever does it. */
export async function lockStaff(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${staffLockClass}::integer, 0)`;
}

/**
 * One change at a time. Before any session is held: two who put each other out would wait for each other's sessions to end,
 * each holding its own.
 */
export async function lockStaffChanges(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${staffLockClass}::integer, 1)`;
}

export async function findStaffRole(query: Query, personId: string): Promise<StaffRole | undefined> {
  const [row] = await query<{ role: StaffRole }>`select role from staff where person_id = ${personId}`;
  return row?.role;
}

export async function hasStaff(query: Query): Promise<boolean> {
  return (await query`select from staff limit 1`).length > 0;
}

/** Whoever belongs to the staff already gets the new role, and is new to it. */
export async function saveStaff(tx: Tx, personId: string, role: StaffRole, now: Date): Promise<void> {
  await tx`
    insert into staff (person_id, role, created_at, role_since) values (${personId}, ${role}, ${now}, ${now})
    on conflict (person_id) do update
       set role = excluded.role,
           role_since = case when staff.role = excluded.role then staff.role_since else excluded.role_since end`;
}

/** False: they are not of the staff. */
export async function restartStaffRole(tx: Tx, personId: string, now: Date): Promise<boolean> {
  return (await tx`update staff set role_since = ${now} where person_id = ${personId} returning person_id`).length > 0;
}

export async function deleteStaff(tx: Tx, personId: string): Promise<boolean> {
  return (await tx`delete from staff where person_id = ${personId} returning person_id`).length > 0;
}

export async function saveLostStaff(tx: Tx, at: Date): Promise<void> {
  await tx`insert into lost_staff (at) values (${at}) on conflict (is_only) do update set at = excluded.at`;
}

export async function findLostStaff(query: Query): Promise<Date | null> {
  const [row] = await query<{ at: Date }>`select at from lost_staff`;
  return row?.at ?? null;
}
