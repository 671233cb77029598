/**
 * What lists and searches of an account cost when it has nearly all of a million checkouts: every one of them next to the
 * bare query, which reads the newest fifty rows of the account and nothing else.
 */
import { createAssetCatalog } from '../server/src/catalog/asset-catalog.ts';
import type { ListCut } from '../server/src/checkouts/checkout-list-store.ts';
import { anyCheckout, type CheckoutFilter, findPage } from '../server/src/checkouts/list-checkouts.ts';
import type { Db } from '../server/src/db/database.ts';
import { accountVersions } from '../server/src/finding/account-version.ts';
import { countNeeds, needsYou } from '../server/src/finding/needs-you.ts';
import { search } from '../server/src/finding/search.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { addDays, dayOf, daySpans } from '../server/src/lib/local-day.ts';
import { findMerchant } from '../server/src/merchants/merchant-store.ts';
import { countDays, creditedCheckouts } from '../server/src/reports/count-days.ts';
import { coveredDays } from '../server/src/reports/covered-days.ts';
import { foldDays } from '../server/src/reports/fold-days.ts';
import { readDays } from '../server/src/reports/read-days.ts';
import { readStatement, readWorth } from '../server/src/reports/statement.ts';
import { readToday } from '../server/src/reports/today-numbers.ts';
import { listEntries } from '../server/src/wallets/list-entries.ts';
import { countOpenDeliveries, listDeliveries } from '../server/src/webhooks/delivery-list-store.ts';
import { recordBaselines } from './baselines.ts';
import { settleDown } from './seed.ts';
import type { Cluster, World } from './world.ts';

const slowestMs = 50;
const rounds = 21;
const page: ListCut = { from: null, to: null, before: null, limit: 50 };

export async function measureFinding(cluster: Cluster, stored: number, say: (text: string) => void): Promise<void> {
  const world = await cluster.createWorld('finding');
  try {
    say(`Storing ${stored} checkouts that can be found …`);
    const { pendingId } = await recordBaselines(world);
    await seedAccount(world, pendingId, stored);
    await settleDown(world.db);
    say('Looking for them …');
    report(stored, await timeAll(world, stored));
  } finally {
    await world.close();
  }
}

/** Of ten one is another merchant's; states, prices and words as in a shop: most alike, a few rare. */
async function seedAccount({ db, shop }: World, of: string, stored: number): Promise<void> {
  const batch = 50_000;
  const id = `lpad(to_hex(n * 7919 % 268435399), 12, 'x')`;
  const merchant = `case when n % 10 = 9 then 'another-shop' else '${shop.merchantId}' end`;
  const made = `timestamptz '2025-01-01' + n * interval '30 seconds'`;
  for (let first = 0; first < stored; first += batch) {
    const series = `generate_series(${first}::bigint, ${Math.min(first + batch, stored) - 1}::bigint) as n`;
    await db.script(`
      set local session_replication_role = replica;
      insert into checkout (merchant_id, id, api_key, type, origin, state, exceptions, billing_currency, total,
                            settlement_asset, language, webhook, customer_id, tolerance, late_tolerance,
                            extra_confirmations, payload, quotes, quoted_at, created_at, updated_at, window_ends_at,
                            awaits_decision)
      select ${merchant}, ${id}, api_key, type, origin,
             case when n % 1000 = 7 then 'UNDERPAID' when n % 5 = 0 then 'EXPIRED' else 'COMPLETED' end,
             case when n % 1000 = 7 then '{PARTIAL}' when n % 50 = 3 then '{LATE}' else '{}' end::text[],
             billing_currency, case when n % 3 = 0 then 9.99 else 5 + (n % 20000) / 100.0 end, settlement_asset, language,
             webhook, case when n % 4 = 0 then 'guest' else 'c' || n % 50000 end, tolerance, late_tolerance,
             extra_confirmations, payload, quotes, ${made}, ${made}, ${made}, ${made}, n % 1000 = 7
        from checkout, ${series} where id = '${of}';
      insert into commitment (merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address,
                              committed_at, expires_at)
      select ${merchant}, ${id}, 'c' || ${id}, ${railOf('network')}, ${railOf('asset')}, due_units, quote,
             'bcrt1q' || ${id}, 'bcrt1q' || ${id}, ${made}, ${made}
        from commitment, ${series} where checkout_id = '${of}';
      insert into checkout_rail (merchant_id, network, asset, created_at, checkout_id)
      select ${merchant}, ${railOf('network')}, ${railOf('asset')}, ${made}, ${id}
        from commitment, ${series} where checkout_id = '${of}';
      insert into deposit_target (network, key, id, purpose, merchant_id, owner_id, index, address, created_at)
      select 'BITCOIN', 'bcrt1q' || ${id}, ${id}, 'checkout', ${merchant}, ${id}, n, 'bcrt1q' || ${id}, ${made}
        from ${series};
      insert into payment (merchant_id, owner_id, purpose, id, commitment_id, network, tx_hash, tx_index, target_key, asset,
                           units, state, confirmations_required, first_seen_at, place)
      select ${merchant}, ${id}, 'checkout', 'p' || ${id}, 'c' || ${id}, 'BITCOIN', ${hashOf}, '0', 'bcrt1q' || ${id}, 'BTC',
             1000, 'FINAL', 1, ${made}, 'settled'
        from ${series} where n % 5 <> 0;
      insert into checkout_term (merchant_id, term, created_at, checkout_id)
      select ${merchant}, term, ${made}, ${id} from ${series},
             lateral (values ('order-' || n), ('north'), ('sku-' || n % 500)) as word (term);
      insert into event (merchant_id, id, type, subject, body, created_at)
      select ${merchant}, ${id}, 'CHECKOUT_COMPLETED', ${id}, '{}', ${made} from ${series};
      insert into delivery (merchant_id, id, event_id, subject, url, api_key, state, created_at)
      select ${merchant}, ${id}, ${id}, ${id}, 'https://shop.example/hook', 'key',
             case when n % 20000 = 11 then 'FAILED' else 'DELIVERED' end, ${made} from ${series};
      insert into ledger_entry (reference, kind, merchant_id, subject_kind, subject_id, posted_at)
      select 'settlement:' || ${id} || ':1', 'settlement', ${merchant}, 'checkout', ${id}, ${made} from ${series};
      insert into ledger_line (reference, account_id, units)
      select 'settlement:' || ${id} || ':1', 'merchant/' || ${merchant} || '/available/' || ${railOf('asset')}, 1
        from commitment, ${series} where checkout_id = '${of}';`);
  }
}

/** One in ten thousand paid with another coin. */
const railOf = (column: 'network' | 'asset'): string =>
  `case when n % 10000 = 4 then replace(replace(${column}, 'BITCOIN', 'LITECOIN'), 'BTC', 'LTC') else ${column} end`;
const hashOf = `md5(n::text) || md5((n + 1)::text)`;

type Figure = { readonly name: string; readonly ms: number; readonly slowest: number };

async function timeAll({ db, shop, env }: World, stored: number): Promise<Figure[]> {
  const { merchantId } = shop;
  const issuerAccount = env['ISSUER_ACCOUNT'] ?? '';
  const assets = createAssetCatalog({ issuerAccount, issuerName: '', issuerDomain: '', issuerAddress: '' });
  const rail = (network: string, code: string) => [{ network, asset: assets.byIdOrCode.get(code)?.id ?? '' }];
  const list = (filter: Partial<CheckoutFilter>, cut = page) =>
    findPage(db, merchantId, { ...anyCheckout, ...filter }, cut);
  const find = (text: string) => search(db, merchantId, text, { may: () => true, limit: 20 });
  const middle = Math.floor(stored / 20) * 10 + 1;
  const [sample] = await db<{ id: string; hash: string }>`
    select owner_id as id, tx_hash as hash from payment where merchant_id = ${merchantId}
     order by first_seen_at offset ${Math.floor(stored / 3)} limit 1`;
  const deep = { ...page, before: { createdAt: new Date(Date.parse('2025-01-01') + middle * 30_000), id: 'x' } };
  const entries = (asset?: string) => listEntries({ db, assets }, merchantId, { limit: 50, ...(asset && { asset }) });
  const home = await homeWorks(db, assets, merchantId, new Date(Date.parse('2025-01-01') + stored * 30_000));
  const works: [string, () => Promise<unknown>][] = [
    ['bare query: fifty newest rows', () => bareQuery(db, merchantId)],
    ['list, first page', () => list({})],
    ['list, in the middle', () => list({}, deep)],
    ['list, two states, one rare', () => list({ states: ['UNDERPAID', 'RESOLVED'] })],
    ['list, a state that there is none of', () => list({ states: ['CANCELED'] })],
    ['list, any exception', () => list({ exceptions: [] })],
    ['list, an exception that there is none of', () => list({ exceptions: ['REORGED'] })],
    ['list, rare network', () => list({ rails: rail('LITECOIN', 'LTC') })],
    ['list, usual network', () => list({ rails: rail('BITCOIN', 'BTC') })],
    ['list, customer with a quarter of all', () => list({ customerId: 'guest' })],
    ['list, price of a third of all', () => list({ price: '9.99' })],
    [
      'list, usual network and a state that there is none of',
      () => list({ rails: rail('BITCOIN', 'BTC'), states: ['CANCELED'] }),
    ],
    ['search, order number', () => find(`order-${middle}`)],
    ['search, beginning of many order numbers', () => find('order-1')],
    ['search, word of all checkouts', () => find('north')],
    ['search, nothing', () => find('never heard of')],
    ['search, id', () => find(sample?.id ?? '')],
    ['search, transaction', () => find(sample?.hash ?? '')],
    ['search, address', () => find(`bcrt1q${sample?.id}`)],
    ['search, price', () => find('9.99 USD')],
    [
      'needs you, first twenty and count',
      () => needsYou({ db, clock: systemClock, assets }, merchantId, { limit: 20 }),
    ],
    ['deliveries given up', () => listDeliveries(db, merchantId, 'failed', page)],
    ['deliveries still to be made', () => listDeliveries(db, merchantId, 'waiting', page)],
    ['deliveries that are open, counted', () => countOpenDeliveries(db, merchantId, 1_000)],
    ['deliveries, all states', () => listDeliveries(db, merchantId, 'all', page)],
    ['ledger entries, all', () => entries()],
    ['ledger entries, usual asset', () => entries('BTC')],
    ['ledger entries, rare asset', () => entries('LTC')],
    ...home,
  ];
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [position, [, work]] of works.entries()) {
      const start = performance.now();
      await work();
      if (round > 0) times[position]?.push(performance.now() - start); // The first one prepares the statement.
    }
  return works.map(([name], position) => {
    const sorted = (times[position] ?? []).toSorted((a, b) => a - b);
    return { name, ms: sorted[Math.floor(sorted.length / 2)] ?? 0, slowest: sorted.at(-1) ?? 0 };
  });
}

/** What Home asks for, on the last day of the account; its closed days are made before. */
async function homeWorks(
  db: Db,
  assets: ReturnType<typeof createAssetCatalog>,
  merchantId: string,
  now: Date,
): Promise<[string, () => Promise<unknown>][]> {
  const merchant = await findMerchant(db, merchantId);
  if (!merchant) throw new Error('the account is gone');
  const day = dayOf('UTC', now);
  const settings = { timeZone: 'UTC', currency: merchant.accountCurrency };
  const clock = { now: () => now };
  const spans = daySpans('UTC', day, addDays(day, 1));
  const [span] = spans;
  if (!span) throw new Error('a day has a span');
  for (let month = 0; month < 13; month += 1) await foldDays({ db, clock, assets }, merchantId, settings);
  const account = { merchantId, currency: settings.currency };
  const month = await coveredDays(db, merchant, '');
  const year = await coveredDays(db, merchant, addDays(day, -1).slice(0, 4));
  return [
    ['statement of a month', () => readStatement({ db, assets }, merchantId, month)],
    ['statement of a year', () => readStatement({ db, assets }, merchantId, year)],
    ['statement, worth day by day of a month', () => readWorth({ db, assets }, merchantId, month)],
    ['home, sixty days', () => readDays({ db, assets }, merchant, { now, count: 60 })],
    ['home, today from live rows', () => countDays(db, { assets }, account, spans)],
    ['home, open and completed today', () => readToday({ db, assets }, merchantId, { day, timeZone: 'UTC' })],
    ['home, checkouts behind a bar', () => creditedCheckouts(db, merchantId, span)],
    ['menu, how many things wait', () => countNeeds({ db, clock: systemClock, assets }, merchantId, 100)],
    ['news of an account, once a second', () => accountVersions(db, [merchantId])],
  ];
}

const bareQuery = (db: Db, merchantId: string) =>
  db`select * from checkout where merchant_id = ${merchantId} order by created_at desc, id desc limit 50`;

function report(stored: number, figures: readonly Figure[]): void {
  const bare = figures[0]?.ms ?? 1;
  const lines = figures.map(({ name, ms, slowest }) =>
    [
      `| ${name}`,
      `${ms.toFixed(1)} ms`,
      `${slowest.toFixed(1)} ms`,
      (ms / bare).toFixed(2),
      ms <= slowestMs ? 'yes |' : 'NO |',
    ].join(' | '),
  );
  const heading = `| ${stored} checkouts | median | slowest | to the bare query | ≤ ${slowestMs} ms |`;
  process.stdout.write(`${[heading, '| --- | --: | --: | --: | --- |', ...lines].join('\n')}\n`);
}
