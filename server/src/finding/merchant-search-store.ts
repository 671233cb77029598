/** Accounts as the operator looks for them: by name, id, or the address of somebody who belongs to them. */
import type { Query } from '../db/database.ts';

export type ListedMerchant = {
  readonly id: string;
  readonly name: string;
  readonly accountCurrency: string;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly owners: number;
};

export type MerchantCut = {
  /** Empty: all. */
  readonly search: string;
  /** The id of the last one of the page before; null: the newest. */
  readonly after: string | null;
  readonly limit: number;
};

/** The newest first. */
export async function findMerchants(query: Query, { search, after, limit }: MerchantCut): Promise<ListedMerchant[]> {
  const part = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return query<ListedMerchant>`
    select id, name, account_currency as "accountCurrency", created_at as "createdAt", suspended_at as "suspendedAt",
           (select count(*)::integer from membership where merchant_id = merchant.id and role = 'owner') as owners
      from merchant
     where (${search} = '' or id = ${search} or name ilike ${part} or email ilike ${part}
            or exists (select from membership join person on person.id = membership.person_id
                        where membership.merchant_id = merchant.id and person.email ilike ${part}))
       and (${after}::text is null
            or (created_at, id) < (select created_at, id from merchant as last where last.id = ${after}))
     order by created_at desc, id desc limit ${limit}`;
}
