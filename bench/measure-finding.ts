/**
 * What lists, searches and pages of an account cost when it has nearly all of a million checkouts: every one of them next
 * to the bare query, which reads the newest fifty rows of the account and nothing else; and all of it as a file.
 */
import { createAssetCatalog } from '../server/src/catalog/asset-catalog.ts';
import type { ListCut } from '../server/src/checkouts/checkout-list-store.ts';
import { anyCheckout, type CheckoutFilter, findPage } from '../server/src/checkouts/list-checkouts.ts';
import { listCustomers, searchCustomers } from '../server/src/counterparties/list-customers.ts';
import type { Db } from '../server/src/db/database.ts';
import { accountVersions } from '../server/src/finding/account-version.ts';
import { countNeeds, needsYou } from '../server/src/finding/needs-you.ts';
import { search } from '../server/src/finding/search.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { addDays, dayOf, daySpans } from '../server/src/lib/local-day.ts';
import { auditActors, listAudit } from '../server/src/merchants/audit-store.ts';
import { findMerchant } from '../server/src/merchants/merchant-store.ts';
import { countDays, creditedCheckouts } from '../server/src/reports/count-days.ts';
import { coveredDays } from '../server/src/reports/covered-days.ts';
import { readDisposals, sumDisposals } from '../server/src/reports/disposals.ts';
import { readFees } from '../server/src/reports/fees.ts';
import { foldDays, foldedTo } from '../server/src/reports/fold-days.ts';
import { readDays } from '../server/src/reports/read-days.ts';
import { readStatement, readWorth } from '../server/src/reports/statement.ts';
import { readTaxes } from '../server/src/reports/taxes.ts';
import { readToday } from '../server/src/reports/today-numbers.ts';
import { listEntries } from '../server/src/wallets/list-entries.ts';
import { countOpenDeliveries, listDeliveries } from '../server/src/webhooks/delivery-list-store.ts';
import { type ExportFigures, measureExport, pageWorks, signIn, type Visitor, type Work } from './account-pages.ts';
import { recordBaselines } from './baselines.ts';
import { operatorWorks, seedHouse, signInStaff } from './operator-works.ts';
import { settleDown } from './seed.ts';
import { type MadeAt, seedAccount } from './seed-account.ts';
import type { Cluster, World } from './world.ts';

const slowestMs = 50;
const rounds = 21;
const page: ListCut = { from: null, to: null, before: null, limit: 50 };

export async function measureFinding(cluster: Cluster, stored: number, say: (text: string) => void): Promise<void> {
  const world = await cluster.createWorld('finding');
  try {
    say(`Storing ${stored} checkouts that can be found …`);
    const { pendingId } = await recordBaselines(world);
    const madeAt = await seedAccount(world, pendingId, stored);
    await seedHouse(world);
    await settleDown(world.db);
    say('Looking for them …');
    const service = await world.startService('api');
    const visitor = await signInStaff(world, service);
    report(stored, await timeAll(world, visitor, stored, madeAt));
    await service.stop();
    say('Taking them along as a file …');
    const maker = await world.startService('api,worker');
    reportExport(await measureExport(await signIn(world, maker), maker));
    await maker.stop();
  } finally {
    await world.close();
  }
}

type Figure = { readonly name: string; readonly ms: number; readonly slowest: number };

async function timeAll({ db, shop, env }: World, visitor: Visitor, stored: number, madeAt: MadeAt): Promise<Figure[]> {
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
  const deep = { ...page, before: { createdAt: madeAt(middle), id: 'x' } };
  const entries = (asset?: string) => listEntries({ db, assets }, merchantId, { limit: 50, ...(asset && { asset }) });
  const home = await homeWorks(db, assets, merchantId, madeAt(stored));
  const everyDeed = { actor: null, beginnings: null, from: null, to: null, before: null, limit: 50 };
  const works: Work[] = [
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
    ['customers, first page', () => listCustomers(db, merchantId, { limit: 50 })],
    ['customers, beginning of many names', () => searchCustomers(db, merchantId, 'name 7', 50)],
    ['audit log, a rare kind', () => listAudit(db, merchantId, { ...everyDeed, beginnings: ['settings.'] })],
    ['audit log, who is in it', () => auditActors(db, merchantId)],
    ...home,
    ...pageWorks(visitor, sample?.id ?? ''),
    ...operatorWorks(db, visitor, assets, {
      id: sample?.id ?? '',
      hash: sample?.hash ?? '',
      order: `order-${middle}`,
    }),
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
): Promise<Work[]> {
  const merchant = await findMerchant(db, merchantId);
  if (!merchant) throw new Error('the account is gone');
  const day = dayOf('UTC', now);
  const settings = { timeZone: 'UTC', currency: merchant.accountCurrency };
  const clock = { now: () => now };
  const spans = daySpans('UTC', day, addDays(day, 1));
  const [span] = spans;
  if (!span) throw new Error('a day has a span');
  // Some days at a time, until all that are closed are made.
  for (let made: string | null = null, before: string | null = 'none'; made !== before; ) {
    before = made;
    await foldDays({ db, clock, assets }, merchantId, settings);
    made = await foldedTo(db, merchantId, settings);
  }
  const account = { merchantId, currency: settings.currency };
  const month = await coveredDays(db, merchant, '');
  const year = await coveredDays(db, merchant, addDays(day, -1).slice(0, 4));
  return [
    ['statement of a month', () => readStatement({ db, assets }, merchantId, month)],
    ['statement of a year', () => readStatement({ db, assets }, merchantId, year)],
    ['statement, worth day by day of a month', () => readWorth({ db, assets }, merchantId, month)],
    [
      'transfers and disposals of a year, first page',
      () => readDisposals({ db, assets }, merchantId, year, { limit: 50 }),
    ],
    ['transfers and disposals of a year, totals', () => sumDisposals({ db, assets }, merchantId, year)],
    ['taxes of a year', () => readTaxes({ db }, merchantId, year)],
    ['fees of a year', () => readFees({ db, assets }, merchantId, year)],
    ['home, sixty days', () => readDays({ db, assets }, merchant, { now, count: 60 })],
    ['home, today from live rows', () => countDays(db, { assets }, account, spans)],
    ['home, open and completed today', () => readToday({ db, assets }, merchantId, { day, timeZone: 'UTC' })],
    ['home, checkouts behind a bar', () => creditedCheckouts(db, { assets }, merchantId, span)],
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

function reportExport(figures: ExportFigures): void {
  const { rows, megabytes, madeSeconds, fetchedSeconds, grownMegabytes, beforeMs, meanwhileMs } = figures;
  process.stdout.write(
    `\nExport of ${rows} checkouts (${megabytes.toFixed(0)} MB): made in ${madeSeconds.toFixed(0)} s, fetched in ` +
      `${fetchedSeconds.toFixed(1)} s, ${grownMegabytes.toFixed(0)} MB more memory at most. A page of the same process took ` +
      `${meanwhileMs.toFixed(1)} ms meanwhile, ${beforeMs.toFixed(1)} ms before: ${(meanwhileMs / beforeMs).toFixed(2)}.\n`,
  );
}
