/**
 * The days of an account and the rates of each hour: whatever happened, in whatever time zone, what is kept of closed days
 * is what a scan of everything gives.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { chainWallet, merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { type Entry, reversalReference } from '../src/ledger/entry.ts';
import { listLedgerDays, listSubjects } from '../src/ledger/ledger-day-store.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { newId } from '../src/lib/ids.ts';
import { createLog } from '../src/lib/log.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { findMerchant } from '../src/merchants/merchant-store.ts';
import { type Decimal, decimal, formatDecimal, sum } from '../src/money/decimal.ts';
import { createRateKeeper, hourOf, ratesAtHours } from '../src/pricing/rate-hours.ts';
import { listDailyStatements } from '../src/reports/daily-statement-store.ts';
import { listCheckoutDays } from '../src/reports/day-store.ts';
import { accountsToSign, oldestUnsignedDay } from '../src/reports/day-turn-store.ts';
import { closedAfterMs, foldDays, foldedTo, rebuildDays } from '../src/reports/fold-days.ts';
import { createDayFollower } from '../src/reports/follow-days.ts';
import { readDays } from '../src/reports/read-days.ts';
import { listStatementDays } from '../src/reports/statement-day-store.ts';
import { isSample } from './depth.ts';
import { testIssuer } from './gateway.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { untilRested } from './until.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const start = Date.parse('2026-03-20T00:00:00Z'); // Nine days before clocks change in Berlin.
let now = new Date(start);
const clock = { now: () => now };
const log = createLog('silent');
const encryption = createEncryption(Buffer.alloc(32, 9));
const assets = createAssetCatalog({ issuerAccount: testIssuer, issuerName: '', issuerDomain: '', issuerAddress: '' });
const btc = assets.byIdOrCode.get('BTC')?.id ?? '';
const ltc = assets.byIdOrCode.get('LTC')?.id ?? '';

const openAccount = async (): Promise<string> =>
  (await createMerchant({ db: database.db, clock, encryption }, { name: 'A shop' }, 'operator')).merchantId;

const movements = ['settlement', 'settlement_reversed', 'transfer_reserved', 'payment_received'] as const;
type Movement = { kind: (typeof movements)[number]; minute: number; units: bigint; asset: string };

/** What a movement posts: a settlement credits, the others move money that is no credit. */
function entryOf(merchantId: string, { kind, units, asset }: Movement, reference: string): Entry {
  const account = (purpose: 'available' | 'pending' | 'reserved') => merchantAccount(merchantId, purpose, asset);
  const lines = {
    settlement: [
      [account('available'), units],
      [operatorAccount('fees', asset), 1n],
      [operatorAccount('fx', asset), -units - 1n],
    ],
    settlement_reversed: [
      [account('available'), -units],
      [operatorAccount('fx', asset), units],
    ],
    transfer_reserved: [
      [account('available'), -units],
      [account('reserved'), units],
    ],
    payment_received: [
      [chainWallet('BITCOIN', asset), -units],
      [account('pending'), units],
    ],
  } as const;
  const subject = kind === 'transfer_reserved' ? 'transfer' : 'checkout';
  return {
    reference,
    kind,
    merchantId,
    subject: { kind: subject, id: newId() },
    lines: lines[kind].map(([id, amount]) => ({ account: id, units: amount })),
  };
}

async function post(merchantId: string, movement: Movement, reference = `${movement.kind}:${newId()}`): Promise<void> {
  const at = new Date(start + movement.minute * 60_000);
  await database.db.begin((tx) => postEntries(tx, [entryOf(merchantId, movement, reference)], at));
}

/** Enough that nothing is overdrawn, before all else. */
async function endow(merchantId: string): Promise<void> {
  for (const asset of [btc, ltc]) await post(merchantId, { kind: 'settlement', minute: 0, units: 10n ** 12n, asset });
}

async function follow(): Promise<void> {
  const follower = createDayFollower({ db: database.db, clock, log, assets, encryption });
  await untilRested(follower);
  await follower.stop();
}

const dayIn = (timeZone: string, at: Date): string => at.toLocaleDateString('sv-SE', { timeZone });

/** A scan of every line of the merchant's accounts, in the words of the kept days. */
async function scanned(merchantId: string, timeZone: string): Promise<string[]> {
  const rows = await database.db<{ at: Date; account: string; units: string }>`
    select posted_at as at, account_id as account, units from ledger_line join ledger_entry using (reference)
     where split_part(account_id, '/', 2) = ${merchantId}`;
  const closed = dayIn(timeZone, new Date(now.getTime() - 600_000));
  const sums = new Map<string, [bigint, bigint, number]>();
  for (const { at, account, units } of rows) {
    const day = dayIn(timeZone, at);
    if (day >= closed) continue;
    const [into = 0n, out = 0n, lines = 0] = sums.get(`${day} ${account}`) ?? [];
    const amount = BigInt(units);
    sums.set(`${day} ${account}`, [amount > 0n ? into + amount : into, amount < 0n ? out - amount : out, lines + 1]);
  }
  return Array.from(sums, ([name, sum]) => `${name}: ${sum.join(' ')}`).toSorted();
}

async function kept(merchantId: string): Promise<string[]> {
  const days = await listLedgerDays(database.db, merchantId, { from: '2000-01-01', to: '2100-01-01' });
  return days.map((each) => `${each.day} ${each.account}: ${each.unitsIn} ${each.unitsOut} ${each.lines}`).toSorted();
}

const anyMovement = fc.record({
  kind: fc.constantFrom(...movements),
  minute: fc.nat(20 * 24 * 60),
  units: fc.bigInt(1n, 10n ** 8n),
  asset: fc.constantFrom(btc, ltc),
});
const anyZone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'America/New_York', 'Asia/Kathmandu');

test('on any history, in any time zone, kept days are what a scan gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyMovement, { minLength: 3, maxLength: 25 }),
      fc.array(anyZone, { minLength: 1, maxLength: 3 }),
      async (history, zones) => {
        const merchantId = await openAccount();
        await endow(merchantId);
        const sorted = history.toSorted((a, b) => a.minute - b.minute);
        const size = Math.ceil(sorted.length / zones.length);
        for (const [turn, timeZone] of zones.entries()) {
          // Some of it happens, a few days later days are made, and the account moves on to another time zone.
          const part = sorted.slice(turn * size, (turn + 1) * size);
          for (const movement of part) await post(merchantId, movement);
          const last = sorted.slice(0, (turn + 1) * size).at(-1);
          now = new Date(start + ((last?.minute ?? 0) + 1) * 60_000);
          await changeSettings({ db: database.db, clock }, merchantId, { pageSettings: { timeZone } }, 'operator');
          await follow();
          assert.deepEqual(await kept(merchantId), await scanned(merchantId, timeZone), timeZone);
        }
        const before = await kept(merchantId);
        assert.equal(await rebuildDays(database.db, merchantId), 1);
        await follow();
        assert.deepEqual(await kept(merchantId), before, 'made anew');
      },
    ),
    { numRuns: isSample() ? 4 : 12 },
  );
});

/** 1 BTC is 60,000 dollars on the first day and 50,000 afterwards; a euro is always 1.25 dollars. */
async function keepRates(): Promise<void> {
  const usd: Readonly<Record<string, (at: Date) => string>> = {
    BTC: (at) => (at.getTime() < start + 24 * 3_600_000 ? '60000' : '50000'),
    EUR: () => '1.25',
  };
  const rates = {
    rate: (code: string) => ({ usd: decimal(usd[code]?.(now) ?? '1'), sources: [], at: now }),
    record: () => undefined,
    price: () => ({ missing: 'not asked for' }),
  };
  const currencies = ['BTC', 'EUR', 'USD'].map((code) => ({ code, kind: 'crypto' as const }));
  const keep = createRateKeeper({ db: database.db, clock, rates, currencies });
  const at = now;
  for (let hour = 0; hour < 48; hour += 1) {
    now = new Date(start + hour * 3_600_000);
    await keep();
    await keep();
  }
  now = at;
}

test('of each hour the first rate stays, and is asked for by its moment', async () => {
  await keepRates();
  const at = (hours: number): Date => new Date(start + hours * 3_600_000);
  const asked = [23, 24, 47.5, 60, 130, -1].flatMap((hour) => [
    { code: 'BTC', hour: at(hour) },
    { code: 'USD', hour: at(hour) },
  ]);
  const rates = await ratesAtHours(database.db, asked);
  const text = (rate: Decimal | null) => rate && formatDecimal(rate);
  // After the last one it counts for three days, and before the first one nobody knows.
  assert.deepEqual(
    [23, 24, 47.5, 60, 130, -1].map((hour) => text(rates('BTC', at(hour)))),
    ['60000', '50000', '50000', '50000', null, null],
  );
  assert.equal(text(rates('USD', at(-1))), '1');
  const [row] = await database.db<{ rows: number; usd: number }>`
    select count(*)::integer as rows, count(*) filter (where code = 'USD')::integer as usd from rate_hour`;
  assert.deepEqual(row, { rows: 96, usd: 0 });

  now = at(23.9);
  const other = { usd: decimal('1'), sources: [], at: now };
  const rival = { rate: () => other, record: () => undefined, price: () => ({ missing: '' }) };
  await createRateKeeper({ db: database.db, clock, rates: rival, currencies: [{ code: 'BTC', kind: 'crypto' }] })();
  assert.equal(text((await ratesAtHours(database.db, asked))('BTC', at(23))), '60000', 'a later one changes nothing');
  assert.equal(hourOf(at(23.9)).toISOString(), at(23).toISOString());
});

test('a day is worth what its credits were worth in their hour, in the currency of the account', async () => {
  await keepRates();
  now = new Date(start);
  const merchantId = await openAccount();
  const settle = (hour: number, units: bigint, kind: Movement['kind'] = 'settlement', reference?: string) =>
    post(merchantId, { kind, minute: hour * 60, units, asset: btc }, reference);
  await settle(1, 100_000n); // 60 dollars.
  // 6 dollars that a chain took back and brought again: one paid checkout.
  await settle(2, 10_000n, 'settlement', 'again:1');
  await settle(3, 10_000n, 'settlement_reversed', reversalReference('again:1'));
  await settle(4, 10_000n, 'settlement', 'again:2');
  // 30 dollars that were taken back when they were worth 25.
  await settle(5, 50_000n, 'settlement', 'gone:1');
  await settle(30, 50_000n, 'settlement_reversed', reversalReference('gone:1'));
  await settle(40, 100_000n); // 50 dollars.
  await settle(41, 1_000n, 'transfer_reserved'); // Leaves, and is no less credited.
  now = new Date(start + 50 * 3_600_000);
  const days = async () =>
    (await listCheckoutDays(database.db, merchantId, { from: '2000-01-01', to: '2100-01-01' })).map(
      ({ day, paid, credited, isValued }) => `${day}: ${paid} paid, ${formatDecimal(credited)}, ${isValued}`,
    );
  await follow();
  assert.deepEqual(await days(), ['2026-03-20: 3 paid, 96, true', '2026-03-21: 0 paid, 20, true']);

  await changeSettings({ db: database.db, clock }, merchantId, { accountCurrency: 'EUR' }, 'operator');
  await follow();
  assert.deepEqual(await days(), ['2026-03-20: 3 paid, 76.8, true', '2026-03-21: 0 paid, 16, true']);

  // Kiritimati is 14 hours ahead: what came in at hour 40 is of the third day there.
  const pageSettings = { timeZone: 'Pacific/Kiritimati' };
  await changeSettings({ db: database.db, clock }, merchantId, { accountCurrency: 'USD', pageSettings }, 'operator');
  const merchant = await findMerchant(database.db, merchantId);
  assert.ok(merchant);
  const shown = async () =>
    (await readDays({ db: database.db, assets }, merchant, { now, count: 4 })).map(
      ({ day, credited, isKnown }) => `${day}: ${isKnown ? formatDecimal(credited) : 'unknown'}`,
    );
  const closedUnknown = ['2026-03-19: unknown', '2026-03-20: unknown'];
  const live = ['2026-03-21: -30', '2026-03-22: 50'];
  assert.deepEqual(await shown(), [...closedUnknown, ...live], 'before the days are made the last two are counted');
  await follow();
  assert.deepEqual(await shown(), ['2026-03-19: 0', '2026-03-20: 96', ...live]);
  const closed = ['2026-03-20: 3 paid, 96, true', '2026-03-21: -1 paid, -30, true'];
  assert.deepEqual(await days(), closed, 'the third day is not over there');
});

test('a credit that was taken back is nothing over all days, whatever rates did in between', async () => {
  await keepRates();
  await fc.assert(
    fc.asyncProperty(
      fc.record({ minute: fc.nat(47 * 60), later: fc.integer({ min: 1, max: 5 * 24 * 60 }) }),
      fc.bigInt(1n, 10n ** 10n),
      fc.record({ timeZone: anyZone, accountCurrency: fc.constantFrom('USD', 'EUR', 'BTC') }),
      async ({ minute, later }, units, { timeZone, accountCurrency }) => {
        const merchantId = await openAccount();
        const settings = { accountCurrency, pageSettings: { timeZone } };
        await changeSettings({ db: database.db, clock }, merchantId, settings, 'operator');
        const [credit, asset] = [`settlement:${newId()}`, btc];
        await post(merchantId, { kind: 'settlement', minute, units, asset }, credit);
        const taken = { kind: 'settlement_reversed', minute: minute + later, units, asset } as const;
        await post(merchantId, taken, reversalReference(credit));
        now = new Date(start + (minute + later + 26 * 60) * 60_000);
        await follow();
        const days = await listCheckoutDays(database.db, merchantId, { from: '2000-01-01', to: '2100-01-01' });
        const paid = days.reduce((count, day) => count + day.paid, 0);
        assert.deepEqual([formatDecimal(sum(days, ({ credited }) => credited)), paid], ['0', 0]);
        assert.ok(days.every(({ isValued }) => isValued));
      },
    ),
    { numRuns: isSample() ? 4 : 12 },
  );
});

test('what nobody knows the worth of is said to be unknown, and today is never kept', async () => {
  now = new Date(start - 30 * 24 * 3_600_000);
  const merchantId = await openAccount();
  await post(merchantId, { kind: 'settlement', minute: -29 * 24 * 60, units: 5n, asset: btc });
  await post(merchantId, { kind: 'settlement', minute: 0, units: 100_000n, asset: btc });
  now = new Date(start + 600_000 - 1);
  await follow();
  const days = () => listCheckoutDays(database.db, merchantId, { from: '2000-01-01', to: '2100-01-01' });
  assert.deepEqual(
    (await days()).map(({ day, isValued }) => [day, isValued]),
    [['2026-02-19', false]],
  );
  // Of what the account counts in, no rate is needed.
  await changeSettings({ db: database.db, clock }, merchantId, { accountCurrency: 'BTC' }, 'operator');
  await follow();
  assert.deepEqual(
    (await days()).map(({ credited, isValued }) => [formatDecimal(credited), isValued]),
    [['0.00000005', true]],
  );
  await changeSettings({ db: database.db, clock }, merchantId, { accountCurrency: 'USD' }, 'operator');
  await follow();
  now = new Date(start + 24 * 3_600_000 + 599_999);
  await follow();
  assert.equal((await days()).length, 1, 'ten minutes after midnight a day is closed');
  now = new Date(start + 24 * 3_600_000 + 600_000);
  await follow();
  assert.deepEqual((await days()).at(-1), {
    day: '2026-03-20',
    created: 0,
    paid: 1,
    credited: decimal('60'),
    isValued: true,
  });
});

test('an account whose days cannot be made does not hold up the others', async () => {
  now = new Date(start);
  const [poisoned, sound] = [await openAccount(), await openAccount()];
  for (const merchantId of [poisoned, sound])
    await post(merchantId, { kind: 'settlement', minute: 1, units: 5n, asset: btc });
  const { db } = database;
  await db.script(`alter table day_position add constraint poison check (merchant_id <> '${poisoned}')`);
  now = new Date(start + 30 * 3_600_000);
  await follow();
  assert.deepEqual([(await kept(poisoned)).length, (await kept(sound)).length], [0, 1]);
  await db.script('alter table day_position drop constraint poison');
  await follow();
  assert.equal((await kept(poisoned)).length, 0, 'others come first for a while');
  now = new Date(start + 30.2 * 3_600_000);
  await follow();
  assert.equal((await kept(poisoned)).length, 1);

  // Likewise with signing: who waits longest comes first, but not who has just failed.
  const signed = async (merchantId: string) =>
    (await listDailyStatements(db, merchantId, { from: '2000-01-01', to: '2100-01-01' })).length;
  await db.script(`alter table daily_statement add constraint poison check (merchant_id <> '${poisoned}') not valid`);
  now = new Date(start + 50 * 3_600_000);
  await follow();
  assert.deepEqual([await signed(poisoned), await signed(sound)], [1, 2]);
  const turns = async () => (await accountsToSign(db, now, 9)).map(({ merchantId }) => merchantId);
  assert.ok(!(await turns()).includes(poisoned));
  assert.equal(
    (await oldestUnsignedDay(db, now))?.toISOString(),
    new Date(start + 48 * 3_600_000 + 600_000).toISOString(),
  );
  await db.script('alter table daily_statement drop constraint poison');
  now = new Date(start + 50.2 * 3_600_000);
  await follow();
  assert.deepEqual([await signed(poisoned), await oldestUnsignedDay(db, now)], [2, null]);
  assert.deepEqual(await turns(), [], 'nobody is asked before the next day is closed');
});

test('what is dated into a closed day is in it when the next one is made', async () => {
  now = new Date(start);
  const merchantId = await openAccount();
  await endow(merchantId);
  now = new Date(start + 40 * 3_600_000);
  const settings = { timeZone: 'UTC', currency: 'USD' };
  const fold = () => foldDays({ db: database.db, clock, assets }, merchantId, settings);
  await fold();
  await post(merchantId, { kind: 'settlement', minute: 23 * 60, units: 7n, asset: btc });
  assert.notDeepEqual(await kept(merchantId), await scanned(merchantId, 'UTC'));
  now = new Date(start + 50 * 3_600_000);
  await fold();
  assert.deepEqual(await kept(merchantId), await scanned(merchantId, 'UTC'));
});

test('a process whose clock is ahead closes no day that is not over', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    const { merchantId } = await createMerchant({ db, clock, encryption }, { name: 'A shop' }, 'operator');
    const movement = { kind: 'settlement', minute: 0, units: 5n, asset: btc } as const;
    const moment = new Date();
    await db.begin((tx) => postEntries(tx, [entryOf(merchantId, movement, `settlement:${newId()}`)], moment));
    const ahead = { now: () => new Date(Date.now() + 50 * 3_600_000), isReal: true } as const;
    const follower = createDayFollower({ db, clock: ahead, log, assets, encryption });
    await untilRested(follower);
    await follower.stop();
    // A day is open until ten minutes after its midnight, and this one may have passed meanwhile.
    const openDays = [moment, new Date()].map((at) =>
      new Date(at.getTime() - closedAfterMs).toISOString().slice(0, 10),
    );
    const made = await foldedTo(db, merchantId, { timeZone: 'UTC', currency: 'USD' });
    assert.ok(openDays.includes(made ?? ''), `${made} is not one of ${openDays.join()}`);
    const signed = await listDailyStatements(db, merchantId, { from: '2000-01-01', to: '2100-01-01' });
    assert.deepEqual(signed, []);
  } finally {
    await drop();
  }
});

test('what an older release left of days, for other settings or half way, is made again', async () => {
  await keepRates();
  now = new Date(start);
  const merchantId = await openAccount();
  const hours = [1, 30, 49];
  for (const hour of hours)
    await post(merchantId, { kind: 'settlement', minute: hour * 60, units: 100_000n, asset: btc });
  now = new Date(start + 73 * 3_600_000);
  await follow();
  const { db } = database;
  const values = async (): Promise<(bigint | null)[]> =>
    (await listStatementDays(db, merchantId, { from: '2026-03-20', to: '2026-03-23' }))
      .filter(({ line }) => line === 'credits')
      .map(({ value }) => value);
  const dollars = await values();
  // It made the days anew for euros, and knows nothing of statements.
  await changeSettings({ db, clock }, merchantId, { accountCurrency: 'EUR' }, 'operator');
  await db`update day_position set currency = 'EUR' where merchant_id = ${merchantId}`;
  assert.equal(await foldedTo(db, merchantId, { timeZone: 'UTC', currency: 'EUR' }), null);
  await follow();
  const euros = await values();
  assert.equal(euros.length, 3);
  for (const [at, value] of euros.entries()) assert.equal(value, ((dollars[at] ?? 0n) * 8n) / 10n);
  // It began anew and has come to the second day.
  await db`delete from ledger_day where merchant_id = ${merchantId} and day >= '2026-03-21'`;
  await db`update day_position set folded_to = '2026-03-21' where merchant_id = ${merchantId}`;
  await follow();
  assert.deepEqual(await kept(merchantId), await scanned(merchantId, 'UTC'));
});

test('checkouts that were credited in a span are all listed, the newest first', async () => {
  now = new Date(start);
  const merchantId = await openAccount();
  const subjects = new Map<number, string>();
  for (const minute of [40, 10, 30, 20]) {
    const entry = entryOf(merchantId, { kind: 'settlement', minute, units: 5n, asset: btc }, `settlement:${newId()}`);
    await database.db.begin((tx) => postEntries(tx, [entry], new Date(start + minute * 60_000)));
    subjects.set(minute, entry.subject.id);
  }
  const span = { from: new Date(start), to: new Date(start + 3_600_000) };
  const asked = { kinds: ['settlement'], subjectKind: 'checkout' } as const;
  assert.deepEqual(
    await listSubjects(database.db, merchantId, asked, span),
    [40, 30, 20, 10].map((minute) => subjects.get(minute)),
  );
});

test('where much happened few days are made at once, and those stay made when a later one cannot be', async () => {
  now = new Date(start);
  const merchantId = await openAccount();
  const hours = [1, 2, 30, 49, 50, 51, 52, 73];
  for (const hour of hours) await post(merchantId, { kind: 'settlement', minute: hour * 60, units: 5n, asset: btc });
  const { db } = database;
  now = new Date(start + 5 * 24 * 3_600_000);
  const settings = { timeZone: 'UTC', currency: 'USD' };
  const madeTo = async (): Promise<string | null> => {
    await foldDays({ db, clock, assets }, merchantId, settings, 3);
    return foldedTo(db, merchantId, settings);
  };
  await db.script(`alter table ledger_day add constraint poison check (merchant_id <> '${merchantId}' or lines < 4)`);
  assert.equal(await madeTo(), '2026-03-22', 'two days have three entries');
  await assert.rejects(madeTo());
  const days = async () => (await kept(merchantId)).map((text) => text.slice(0, 10));
  assert.deepEqual(await days(), ['2026-03-20', '2026-03-21']);
  await db.script('alter table ledger_day drop constraint poison');
  assert.equal(await madeTo(), '2026-03-23', 'a day is never cut, however much there is');
  assert.equal(await madeTo(), '2026-03-24', 'the rest');
  assert.deepEqual(await kept(merchantId), await scanned(merchantId, 'UTC'));
});
