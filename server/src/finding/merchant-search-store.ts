/** Accounts as the operator looks for them: by words of their name, or by their id, a key, or somebody who belongs to them. */
import type { Query } from '../db/database.ts';
import { boundsOf, type PageRange } from '../http/page-cursor.ts';

export type ListedMerchant = {
  readonly id: string;
  readonly name: string;
  readonly accountCurrency: string;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly owners: number;
};

type Cut = Pick<PageRange, 'before' | 'limit'>;

/** The newest first. */
export async function listHouseMerchants(query: Query, cut: Cut): Promise<ListedMerchant[]> {
  const { at, id } = boundsOf({ from: null, to: null, before: cut.before });
  return query<ListedMerchant>`
    select id, name, account_currency as "accountCurrency", created_at as "createdAt", suspended_at as "suspendedAt",
           (select count(*)::integer from membership where merchant_id = merchant.id and role = 'owner') as owners
      from merchant
     where (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${cut.limit}`;
}

/**
 * The newest first of those that a text means: every word of it begins a word of the name and the address of the account, or
 * of the e-mail address of somebody who belongs to it; or it is its id, or that of one of its keys.
 */
export async function findMerchants(query: Query, text: string, cut: Cut): Promise<ListedMerchant[]> {
  const { at, id } = boundsOf({ from: null, to: null, before: cut.before });
  const words = beginnings(text);
  const named = text.trim().toLowerCase();
  return query<ListedMerchant>`
    select id, name, account_currency as "accountCurrency", created_at as "createdAt", suspended_at as "suspendedAt",
           (select count(*)::integer from membership where merchant_id = merchant.id and role = 'owner') as owners
      from merchant
     where id in (select id from merchant
                   where words_of(name || ' ' || coalesce(email, '')) @@ to_tsquery('pg_catalog.simple', ${words})
                  union select membership.merchant_id from person join membership on membership.person_id = person.id
                         where words_of(person.email) @@ to_tsquery('pg_catalog.simple', ${words})
                  union select merchant_id from api_key where key = ${named}
                  union select id from merchant where id = ${named})
       and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${cut.limit}`;
}

/** Letters and digits only, so that nothing in it has a meaning of its own for PostgreSQL. Empty: it finds nothing. */
const beginnings = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .map((word) => `${word}:*`)
    .join(' & ');
