/** The SQL of what makes an account easy to lose. Decides nothing. */
import type { Query, Row } from '../db/database.ts';
import type { Role } from './roles.ts';

export type LoneOwner = { readonly personId: string; readonly since: Date; readonly codesLeft: number };

/** Undefined: there are several, or none. */
export async function loneOwner(query: Query, merchantId: string): Promise<LoneOwner | undefined> {
  const rows = await query<Row & LoneOwner>`
    select person_id as "personId", created_at as since,
           (select count(*)::int from recovery_code
             where recovery_code.person_id = membership.person_id and used_at is null) as "codesLeft"
      from membership where merchant_id = ${merchantId} and role = 'owner' limit 2`;
  return rows.length === 1 ? rows[0] : undefined;
}

export type MemberWithoutPasskey = { readonly personId: string; readonly since: Date };

/** Of those roles, who signs in with the codes of an app and has no passkey. */
export async function membersWithoutPasskey(
  query: Query,
  merchantId: string,
  roles: readonly Role[],
): Promise<MemberWithoutPasskey[]> {
  return query<Row & MemberWithoutPasskey>`
    select person.id as "personId", membership.created_at as since
      from membership join person on person.id = membership.person_id
     where merchant_id = ${merchantId} and role = any(${[...roles]}) and totp_secret is not null
       and not exists (select from passkey where passkey.person_id = person.id)
     order by person.id`;
}
