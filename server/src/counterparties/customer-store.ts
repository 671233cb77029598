/** All SQL of customers. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { PageKey, PagePosition } from '../http/page-cursor.ts';
import { parseJson } from '../http/parse-json.ts';
import type { CustomerFields, FieldChanges } from './customer-fields.ts';

export type Customer = {
  id: string;
  email: string;
  fields: CustomerFields;
  meta: unknown;
  createdAt: Date;
};

export type CustomerChanges = { email: string | null; fields: FieldChanges; meta: object | null };

/**
 * Creates the customer, or changes the one who has this e-mail address. Returns whose id it is. Whoever typed the address
 * need not be who is known by it: `named` begins anew, and is what the orders that follow show of their buyer.
 */
export async function upsertCustomer(
  query: Query,
  merchantId: string,
  customer: CustomerChanges & { id: string; email: string },
  at: Date,
): Promise<string> {
  const [row] = await query<{ id: string }>`
    insert into customer (merchant_id, id, email, email_since, fields, named, meta, created_at, updated_at)
    values (${merchantId}, ${customer.id}, ${customer.email}, ${at}, jsonb_strip_nulls(${JSON.stringify(customer.fields)}::jsonb),
            jsonb_strip_nulls(${JSON.stringify(customer.fields)}::jsonb), ${metaText(customer)}::json, ${at}, ${at})
        on conflict (merchant_id, lower(email)) where deleted_at is null do update
       set email = excluded.email,
           fields = jsonb_strip_nulls(customer.fields || ${JSON.stringify(customer.fields)}::jsonb),
           named = excluded.named,
           meta = coalesce(excluded.meta, customer.meta),
           updated_at = excluded.updated_at
    returning id`;
  return row?.id ?? customer.id;
}

export async function updateCustomer(
  query: Query,
  merchantId: string,
  id: string,
  changes: CustomerChanges,
  at: Date,
): Promise<boolean> {
  const rows = await query`
    update customer
       set email = coalesce(${changes.email}, email),
           email_since = case when lower(coalesce(${changes.email}, email)) = lower(email) then email_since else ${at} end,
           fields = jsonb_strip_nulls(fields || ${JSON.stringify(changes.fields)}::jsonb),
           named = jsonb_strip_nulls(coalesce(named, fields) || ${JSON.stringify(changes.fields)}::jsonb),
           meta = coalesce(${metaText(changes)}::json, meta),
           updated_at = ${at}
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is null
    returning id`;
  return rows.length > 0;
}

export async function markCustomerDeleted(query: Query, merchantId: string, id: string, at: Date): Promise<boolean> {
  const rows = await query`
    update customer set deleted_at = ${at}
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is null
    returning id`;
  return rows.length > 0;
}

/** Leaves nothing of a deleted customer but that there was one, whom checkouts and papers name by an id. */
export async function eraseCustomerFields(tx: Tx, merchantId: string, id: string, at: Date): Promise<void> {
  await tx`
    update customer set email = '', fields = '{}', named = null, meta = null, erased_at = ${at}
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is not null and erased_at is null`;
}

/** Who was deleted, and of whom something is still known. */
export type DeletedCustomer = { readonly id: string; readonly deletedAt: Date };

export async function findDeletedCustomer(
  query: Query,
  merchantId: string,
  id: string,
): Promise<DeletedCustomer | null> {
  const [row] = await query<DeletedCustomer>`
    select id, deleted_at as "deletedAt" from customer
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is not null and erased_at is null`;
  return row ?? null;
}

/** Those of one merchant, oldest first. */
export async function deletedCustomers(query: Query, merchantId: string, limit: number): Promise<DeletedCustomer[]> {
  return query<DeletedCustomer>`
    select id, deleted_at as "deletedAt" from customer
     where merchant_id = ${merchantId} and deleted_at is not null and erased_at is null
     order by deleted_at, id limit ${limit}`;
}

/** Those of all merchants who were deleted before, newest first. */
export async function customersToErase(
  query: Query,
  before: Date,
  limit: number,
): Promise<{ readonly merchantId: string; readonly customerId: string }[]> {
  return query<{ merchantId: string; customerId: string }>`
    select merchant_id as "merchantId", id as "customerId" from customer
     where deleted_at <= ${before} and erased_at is null
     order by deleted_at desc limit ${limit}`;
}

/** Null: they were not. */
export async function customerErasedAt(query: Query, merchantId: string, id: string): Promise<Date | null> {
  const [row] = await query<{ at: Date | null }>`
    select erased_at as at from customer where merchant_id = ${merchantId} and id = ${id}`;
  return row?.at ?? null;
}

/** A deleted customer is null here. `customerOfInvoice` still finds it. */
export async function findCustomer(query: Query, merchantId: string, id: string): Promise<Customer | null> {
  const [row] = await query<CustomerRow>`
    select id, email, fields, meta::text as meta, created_at from customer
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`;
  return row ? toCustomer(row) : null;
}

/** The address of a customer who is not deleted, and since when it is theirs. */
export async function emailOfCustomer(
  query: Query,
  merchantId: string,
  id: string,
): Promise<{ readonly email: string; readonly leftAt: Date } | null> {
  const [row] = await query<{ email: string; leftAt: Date }>`
    select email, coalesce(email_since, created_at) as "leftAt" from customer
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`;
  return row ?? null;
}

/** Those of these that are not deleted, in no order. */
export async function findCustomers(query: Query, merchantId: string, ids: readonly string[]): Promise<Customer[]> {
  const rows = await query<CustomerRow>`
    select id, email, fields, meta::text as meta, created_at from customer
     where merchant_id = ${merchantId} and id = any(${ids}) and deleted_at is null`;
  return rows.map(toCustomer);
}

/** For a paper that is to be issued: also if the customer was deleted, until what is known of them is erased. */
export async function customerOfInvoice(query: Query, merchantId: string, id: string): Promise<Customer | null> {
  const [row] = await query<CustomerRow>`
    select id, email, fields, meta::text as meta, created_at from customer
     where merchant_id = ${merchantId} and id = ${id} and erased_at is null`;
  return row ? toCustomer(row) : null;
}

/** In the order of the ids; who was deleted is left out. */
export async function findCustomersInOrder(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<(Customer | undefined)[]> {
  const found = new Map((await findCustomers(query, merchantId, ids)).map((customer) => [customer.id, customer]));
  return ids.map((id) => found.get(id));
}

/** Newest first, those after `position`. */
export async function customersAfter(
  query: Query,
  merchantId: string,
  page: { position: PagePosition | null; email: string | null; limit: number },
): Promise<PageKey[]> {
  const { position, email, limit } = page;
  return query<Row & PageKey>`
    select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from customer
     where merchant_id = ${merchantId} and deleted_at is null
       and (${email}::text is null or lower(email) = lower(${email}::text))
       and (created_at, id) < (coalesce(${position?.createdAt ?? null}::timestamptz, 'infinity'), ${position?.id ?? ''}::text)
     order by created_at desc, id desc limit ${limit}`;
}

/** Greater than any text that begins with the same letters. */
const beyond = '\u{10ffff}';

/** Whose e-mail address, company or last name begins with this, in lower case; in the order of the alphabet. */
export async function customersBeginning(
  query: Query,
  merchantId: string,
  { text, lastname, limit }: { text: string; lastname: string; limit: number },
): Promise<Customer[]> {
  const [byEmail, byCompany, byName] = await Promise.all([
    query<CustomerRow>`
      select id, email, fields, meta::text as meta, created_at from customer
       where merchant_id = ${merchantId} and deleted_at is null
         and lower(email) collate "C" >= ${text} and lower(email) collate "C" < ${text + beyond}
       order by lower(email) collate "C" limit ${limit}`,
    query<CustomerRow>`
      select id, email, fields, meta::text as meta, created_at from customer
       where merchant_id = ${merchantId} and deleted_at is null and fields ? 'company'
         and lower(fields ->> 'company') collate "C" >= ${text} and lower(fields ->> 'company') collate "C" < ${text + beyond}
       order by lower(fields ->> 'company') collate "C" limit ${limit}`,
    query<CustomerRow>`
      select id, email, fields, meta::text as meta, created_at from customer
       where merchant_id = ${merchantId} and deleted_at is null and fields ? 'lastname'
         and lower(fields ->> 'lastname') collate "C" >= ${lastname}
         and lower(fields ->> 'lastname') collate "C" < ${lastname + beyond}
       order by lower(fields ->> 'lastname') collate "C" limit ${limit}`,
  ]);
  const found = [...byEmail, ...byCompany, ...byName].map(toCustomer);
  return [...new Map(found.map((customer) => [customer.id, customer])).values()].slice(0, limit);
}

/** The same without an end and newest first, those after `position`; and who has it as their id. Looks at everybody. */
export async function customersBeginningAfter(
  query: Query,
  merchantId: string,
  page: { text: string; lastname: string; position: PagePosition | null; limit: number },
): Promise<PageKey[]> {
  const { text, lastname, position, limit } = page;
  return query<Row & PageKey>`
    select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from customer
     where merchant_id = ${merchantId} and deleted_at is null
       and (id = ${text} or starts_with(lower(email), ${text}) or starts_with(lower(fields ->> 'company'), ${text})
            or starts_with(lower(fields ->> 'lastname'), ${lastname}))
       and (created_at, id) < (coalesce(${position?.createdAt ?? null}::timestamptz, 'infinity'), ${position?.id ?? ''}::text)
     order by created_at desc, id desc limit ${limit}`;
}

const metaText = ({ meta }: CustomerChanges): string | null => (meta === null ? null : JSON.stringify(meta));

type CustomerRow = { id: string; email: string; fields: CustomerFields; meta: string | null; created_at: Date };

const toCustomer = (row: CustomerRow): Customer => ({
  id: row.id,
  email: row.email,
  fields: row.fields,
  // With the parser of requests, which keeps every digit of a number for the echo.
  meta: row.meta === null ? null : parseJson(Buffer.from(row.meta)),
  createdAt: row.created_at,
});
