/** All SQL about people and where they belong. What they sign in with is in credential-store. */
import type { Query, Tx } from '../db/database.ts';
import type { Person } from './person.ts';
import type { Role, StaffRole } from './roles.ts';

type PersonRow = {
  id: string;
  email: string;
  sign_in_name: string;
  is_proven: boolean;
  name: string;
  language: string;
  has_password: boolean;
  has_totp: boolean;
  passkeys: number;
  codes_left: number;
};

const toPerson = (row: PersonRow): Person => ({
  id: row.id,
  email: row.email,
  signInName: row.sign_in_name,
  isProven: row.is_proven,
  name: row.name,
  language: row.language,
  hasPassword: row.has_password,
  hasTotp: row.has_totp,
  passkeys: row.passkeys,
  codesLeft: row.codes_left,
});

export async function findPerson(query: Query, id: string): Promise<Person | undefined> {
  const [row] = await query<PersonRow>`
    select id, coalesce(address, email) as email, email as sign_in_name, proven_at is not null as is_proven,
           name, language, password is not null as has_password, totp_secret is not null as has_totp,
           (select count(*)::int from passkey where person_id = person.id) as passkeys,
           (select count(*)::int from recovery_code where person_id = person.id and used_at is null) as codes_left
      from person where id = ${id}`;
  return row && toPerson(row);
}

/** By what they sign in by, proven or not: for whoever names a person to the operator. */
export async function findPersonId(query: Query, signInName: string): Promise<string | undefined> {
  const [row] = await query<{ id: string }>`select id from person where email = ${signInName}`;
  return row?.id;
}

/** Whose address it is. Who only says so is nobody here: else whoever says so first would be let in everywhere. */
export async function findProvenPerson(query: Query, address: string): Promise<string | undefined> {
  const [row] = await query<{ id: string }>`
    select id from person where email = ${address} and proven_at is not null`;
  return row?.id;
}

/** Whoever changes what somebody signs in with, or where somebody belongs, waits for others who do. */
export async function lockPerson(tx: Tx, id: string): Promise<boolean> {
  return (await tx`select 1 from person where id = ${id} for no key update`).length > 0;
}

/** Who goes by this address without having proven it signs in by a longer name from now on. */
async function makeRoom(tx: Tx, address: string): Promise<void> {
  await tx`
    update person set address = email, email = email || ' ' || left(id, 6)
     where email = ${address} and proven_at is null`;
}

/** The first who goes by an address signs in by it, until somebody has proven it. False: somebody else has proven it. */
export async function insertPerson(
  tx: Tx,
  person: Pick<Person, 'id' | 'email' | 'name' | 'language' | 'isProven'>,
  now: Date,
): Promise<boolean> {
  const { id, email, name, language, isProven } = person;
  if (isProven) await makeRoom(tx, email);
  const rows = await tx`
    insert into person (id, email, proven_at, name, language, created_at)
    values (${id}, ${email}, ${isProven ? now : null}, ${name}, ${language}, ${now})
    on conflict (email) do nothing returning id`;
  if (rows.length > 0 || isProven) return rows.length > 0;
  const named = await tx`
    insert into person (id, email, address, name, language, created_at)
    values (${id}, ${email} || ' ' || left(${id}, 6), ${email}, ${name}, ${language}, ${now})
    on conflict (email) do nothing returning id`;
  return named.length > 0;
}

/** False: somebody else has proven it. */
export async function saveProof(tx: Tx, id: string, address: string, now: Date): Promise<boolean> {
  // One after the other, whoever goes by this address: of two who prove it at once the second has come too late.
  await tx`select from person where email = ${address} or address = ${address} order by id for update`;
  const provenBy = await findProvenPerson(tx, address);
  if (provenBy !== undefined) return provenBy === id;
  await makeRoom(tx, address);
  await tx`update person set email = ${address}, address = null, proven_at = ${now} where id = ${id}`;
  return true;
}

export async function updatePerson(
  tx: Tx,
  id: string,
  { name, language }: { name: string; language: string },
): Promise<void> {
  await tx`update person set name = ${name}, language = ${language} where id = ${id}`;
}

export type Membership = { readonly merchantId: string; readonly merchantName: string; readonly role: Role };

export async function membershipsOf(query: Query, personId: string): Promise<Membership[]> {
  return query<Membership>`
    select membership.merchant_id as "merchantId", merchant.name as "merchantName", role
      from membership join merchant on merchant.id = membership.merchant_id
     where person_id = ${personId} order by merchant.name, merchant.id`;
}

export type Member = {
  readonly personId: string;
  readonly email: string;
  readonly isProven: boolean;
  readonly name: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly hasPasskey: boolean;
  readonly seenAt: Date | null;
  readonly joinedAt: Date;
  /** Since when they are whom the others know: a new role, a new passkey or a new way in begins it again. */
  readonly handSince: Date;
};

export async function membersOf(query: Query, merchantId: string): Promise<Member[]> {
  return query<Member>`
    select person.id as "personId", coalesce(address, email) as email, proven_at is not null as "isProven", name, role,
           (totp_secret is not null or exists (select from passkey where person_id = person.id)) as "hasSecondFactor",
           exists (select from passkey where person_id = person.id) as "hasPasskey",
           (select max(seen_at) from session
             where person_id = person.id and not membership.merchant_id = any(not_for)) as "seenAt",
           membership.created_at as "joinedAt", coalesce(hand_since, membership.created_at) as "handSince"
      from membership join person on person.id = membership.person_id
     where merchant_id = ${merchantId} order by membership.created_at, person.id`;
}

export async function findRole(query: Query, merchantId: string, personId: string): Promise<Role | undefined> {
  const [row] = await query<{ role: Role }>`
    select role from membership where merchant_id = ${merchantId} and person_id = ${personId}`;
  return row?.role;
}

/** In the order of their ids, so that two who change members of one account never wait for each other in a circle. */
export async function lockOwners(tx: Tx, merchantId: string): Promise<string[]> {
  const rows = await tx<{ person_id: string }>`
    select person_id from membership where merchant_id = ${merchantId} and role = 'owner' order by person_id for update`;
  return rows.map((row) => row.person_id);
}

/** Whoever belongs to the account already gets the new role. */
export async function saveMembership(
  tx: Tx,
  { merchantId, personId, role }: { merchantId: string; personId: string; role: Role },
  now: Date,
): Promise<void> {
  await tx`
    insert into membership (merchant_id, person_id, role, created_at)
    values (${merchantId}, ${personId}, ${role}, ${now})
    on conflict (merchant_id, person_id) do update set role = excluded.role`;
}

/** They are new to what they may do there. Null: in all accounts. */
export async function restartHand(tx: Tx, personId: string, merchantId: string | null, now: Date): Promise<void> {
  await tx`
    update membership set hand_since = ${now}
     where person_id = ${personId} and (${merchantId}::text is null or merchant_id = ${merchantId})`;
}

export async function deleteMembership(tx: Tx, merchantId: string, personId: string): Promise<boolean> {
  const rows = await tx`
    delete from membership where merchant_id = ${merchantId} and person_id = ${personId} returning person_id`;
  return rows.length > 0;
}

export async function listPeople(query: Query): Promise<
  {
    readonly email: string;
    readonly isProven: boolean;
    readonly name: string;
    readonly staff: StaffRole | null;
    readonly accounts: string[];
  }[]
> {
  return query`
    select email, proven_at is not null as "isProven", person.name, staff.role as staff,
           array(select merchant_id || ' ' || role from membership where person_id = person.id order by merchant_id)
             as accounts
      from person left join staff on staff.person_id = person.id order by email`;
}

/** By their ids. */
export async function findPeople(
  query: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly email: string }>> {
  const rows = await query<{ id: string; name: string; email: string }>`
    select id, name, coalesce(address, email) as email from person where id = any(${[...ids]})`;
  return new Map(rows.map(({ id, name, email }) => [id, { name, email }]));
}

/** By their ids, also of those who have left the account in which they did something. */
export async function namesOfPeople(query: Query, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; name: string }>`select id, name from person where id = any(${[...ids]})`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
