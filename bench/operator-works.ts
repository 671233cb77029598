/** What the operator's area asks of a house with a million checkouts and thousands of accounts. */
import type { AssetCatalog } from '../server/src/catalog/asset-catalog.ts';
import type { Db } from '../server/src/db/database.ts';
import { findMerchants, listHouseMerchants } from '../server/src/finding/merchant-search-store.ts';
import { searchHouse } from '../server/src/finding/search-house.ts';
import { countCredits, houseDayOf } from '../server/src/ledger/count-credits.ts';
import { creditedOn } from '../server/src/ledger/credited-store.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { findHouse } from '../server/src/operator/house-facts.ts';
import { createRateBook } from '../server/src/pricing/rate-book.ts';
import { signIn, type Visitor, type Work } from './account-pages.ts';
import type { Service, World } from './world.ts';

const accounts = 5_000;

/** Accounts in which nothing happens, and who looks at all of them. */
export async function seedHouse({ db }: World): Promise<void> {
  await db`
    insert into merchant (id, name, account_currency, webhook_secret, created_at)
    select 'kiosk' || lpad(number::text, 7, '0'), 'Kiosk ' || number || ' at the ' || (array['sea', 'lake', 'moor'])[number % 3 + 1],
           'EUR', '', now() - number * interval '1 minute'
      from generate_series(1, ${accounts}::integer) as number`;
  await db`analyze merchant`;
  await seedCredits(db);
}

/** A busy day: these were credited since midnight, and are counted as a service does that is never away. */
const creditsToday = 200_000;

async function seedCredits(db: Db): Promise<void> {
  const { from } = houseDayOf(new Date());
  const account = `'merchant/kiosk' || lpad((n % ${accounts} + 1)::text, 7, '0') || '/available/BTC'`;
  await db.script(`
    set local session_replication_role = replica;
    insert into ledger_account (id, asset, may_be_negative) select distinct ${account}, 'BTC', false from generate_series(1, ${accounts}) as n;
    insert into ledger_entry (reference, kind, merchant_id, subject_kind, subject_id, posted_at)
    select 'settlement:today' || n || ':1', 'settlement', 'kiosk' || lpad((n % ${accounts} + 1)::text, 7, '0'), 'checkout',
           'today' || n, timestamptz '${from.toISOString()}' + n * (now() - timestamptz '${from.toISOString()}') / ${creditsToday}
      from generate_series(1, ${creditsToday}) as n;
    insert into ledger_line (reference, account_id, units)
    select 'settlement:today' || n || ':1', ${account}, 1 from generate_series(1, ${creditsToday}) as n;
    analyze ledger_entry; analyze ledger_line`);
  while (await countCredits(db, new Date()));
}

/** The same person, who is of the staff too. */
export async function signInStaff(world: World, service: Service): Promise<Visitor> {
  const visitor = await signIn(world, service);
  await world.db`
    insert into staff (person_id, role, created_at)
    select id, 'operator', now() from person where email = 'ada@example.com' on conflict do nothing`;
  return visitor;
}

export type Wanted = { readonly id: string; readonly hash: string; readonly order: string };

export function operatorWorks(db: Db, { ask }: Visitor, assets: AssetCatalog, { id, hash, order }: Wanted): Work[] {
  const rates = createRateBook({ sources: [], currencies: [], clock: systemClock });
  const find = (text: string) => searchHouse(db, text, { may: () => true, limit: 8 });
  const middle = { createdAt: new Date(Date.now() - (accounts / 2) * 60_000), id: 'x' };
  const page = (name: string, path: string): Work => [`operator, page, ${name}`, async () => (await ask(path)).text()];
  return [
    ['operator, overview', () => findHouse({ db, clock: systemClock, rates, assets, connectors: new Map() })],
    [`operator, credited today, ${creditsToday} times`, () => creditedOn(db, houseDayOf(new Date()))],
    ['operator, accounts, first page', () => listHouseMerchants(db, { before: null, limit: 51 })],
    ['operator, accounts, in the middle', () => listHouseMerchants(db, { before: middle, limit: 51 })],
    ['operator, accounts, word of all', () => findMerchants(db, 'kiosk', { before: null, limit: 51 })],
    ['operator, accounts, words of one', () => findMerchants(db, '4711 kiosk', { before: null, limit: 51 })],
    ['operator, search, order number', () => find(order)],
    ['operator, search, word of all checkouts', () => find('north')],
    ['operator, search, id', () => find(id)],
    ['operator, search, transaction', () => find(hash)],
    ['operator, search, address', () => find(`bcrt1q${id}`)],
    ['operator, search, nothing', () => find('never heard of')],
    page('Overview', '/operator'),
    page('Merchants', '/operator/merchants'),
    page('Search', `/operator/search?q=${order}`),
  ];
}
