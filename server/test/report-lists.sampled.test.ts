/** Reports that are lists: on any history their rows, read in pages of any size, come to what the statement says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { chainWallet, merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { countCredits } from '../src/ledger/count-credits.ts';
import { type Credited, creditedOn, creditedToOn } from '../src/ledger/credited-store.ts';
import { reversalReference } from '../src/ledger/entry.ts';
import { writeEntryCursor } from '../src/ledger/entry-cursor.ts';
import type { Merchant } from '../src/merchants/merchant.ts';
import { decimal } from '../src/money/decimal.ts';
import { insertRateHour } from '../src/pricing/rate-hour-store.ts';
import {
  type CheckoutLedgerRow,
  countCheckoutLedger,
  readCheckoutLedger,
  sumCheckoutLedger,
} from '../src/reports/checkout-ledger.ts';
import { type Covered, coveredDays } from '../src/reports/covered-days.ts';
import { countDisposals, type Disposal, readDisposals, sumDisposals } from '../src/reports/disposals.ts';
import { readFees } from '../src/reports/fees.ts';
import { daySettingsOf, foldDays, rebuildDays } from '../src/reports/fold-days.ts';
import { readStatement } from '../src/reports/statement.ts';
import type { LineSum } from '../src/reports/statement-day-store.ts';
import { isSample } from './depth.ts';
import {
  assets,
  btc,
  clock,
  entryOf,
  exchangeEntry,
  forms,
  kinds,
  type StatementWorld,
  start,
  startStatementWorld,
  usdc,
} from './statement-world.ts';
import { turns } from './until.ts';

let world: StatementWorld;
before(async () => {
  world = await startStatementWorld();
  for (let hour = -3; hour < 140 * 24; hour += 30)
    await insertRateHour(world.db, new Date(start + hour * 3_600_000), [
      { code: 'BTC', usd: decimal(60_000 + ((hour * 7919) % 9000)) },
      { code: 'EUR', usd: decimal(`1.${1000 + ((hour * 31) % 200)}`) },
      { code: 'USDC', usd: decimal('0.9997') },
    ]);
});
after(() => world.drop());

async function allRows(merchant: Merchant, covered: Covered, limit: number): Promise<CheckoutLedgerRow[]> {
  const rows: CheckoutLedgerRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await readCheckoutLedger({ db: world.db, assets }, merchant.id, covered, { cursor, limit });
    assert.notEqual(page.next ?? 'the end', cursor, 'a page goes on where the one before ended');
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

async function allDisposals(merchant: Merchant, covered: Covered, limit: number): Promise<Disposal[]> {
  const rows: Disposal[] = [];
  let cursor: string | undefined;
  do {
    const page = await readDisposals({ db: world.db, assets }, merchant.id, covered, { cursor, limit });
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  const listed = rows.map(({ reference }) => reference);
  assert.equal(new Set(listed).size, listed.length, 'no row twice');
  return rows;
}

type Sum = Record<string, bigint>;
const add = (sums: Sum, name: string, units: bigint): void => {
  sums[name] = (sums[name] ?? 0n) + units;
};
const filled = (sums: Sum): Sum => Object.fromEntries(Object.entries(sums).filter(([, units]) => units !== 0n));

/** Kinds that are about checkouts and refunds; all of what they put on these lines is in the report. */
const ofCheckouts = [
  'settlement',
  'settlement_reversed',
  'payment_received',
  'payment_reversed',
  'refund_held',
  'refund_returned',
  'refund_came_back',
  'refund_sent',
  'excess_accepted',
];

/** On any day, or in the hours of one on which much happens. */
const anyMinute = fc.oneof(
  fc.integer({ min: 1, max: 130 * 24 * 60 }),
  fc.integer({ min: 60 * 24 * 60, max: 60 * 24 * 60 + 600 }),
);

const anyExchange = fc.record({
  kind: fc.constantFrom('swap', 'settlement', 'settlement_reversed'),
  minute: anyMinute,
  units: fc.bigInt(2n, 10n ** 8n),
  ways: fc.constantFrom({ from: btc, to: usdc }, { from: usdc, to: btc }),
});

const anyMovement = fc.record({
  kind: fc.constantFrom(...kinds),
  minute: anyMinute,
  units: fc.bigInt(2n, 10n ** 8n),
  asset: fc.constantFrom(btc, usdc),
});

test('on any history the rows of the checkout ledger come to its totals, and those to the lines of the statement; so do fees', async () => {
  const deps = { db: world.db, assets };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyMovement, { minLength: 5, maxLength: 40 }),
      fc.array(anyExchange, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('UTC', 'Pacific/Kiritimati'),
      fc.integer({ min: 1, max: 7 }),
      async (history, exchanges, timeZone, limit) => {
        const merchant = await world.openAccount(timeZone);
        const posted = [
          ...history.map(({ kind, minute, units, asset }) => ({
            minute,
            entry: entryOf(merchant.id, kind, forms[kind](units), asset),
            gone: goneBy(kind, forms[kind](units), asset),
          })),
          ...exchanges.map(({ kind, minute, units, ways }) => ({
            minute,
            entry: exchangeEntry(merchant.id, kind, units, ways),
            gone:
              kind === 'swap'
                ? { name: `swap ${ways.from}`, units }
                : { name: `conversion ${ways.from}`, units: kind === 'settlement' ? units : -units },
          })),
        ];
        for (const { entry, minute } of posted.toSorted((a, b) => a.minute - b.minute)) await world.post(entry, minute);
        for (let turn = 0; turn < 12; turn += 1)
          await foldDays({ db: world.db, clock, assets }, merchant.id, daySettingsOf(merchant));
        const isIn = ({ span }: Covered, minute: number): boolean => {
          const at = new Date(start + minute * 60_000);
          return at >= span.from && at < span.to;
        };
        for (const period of ['2026-02', '2026']) {
          const covered = await coveredDays(world.db, merchant, period);
          const rows = await allRows(merchant, covered, limit);
          const listed = rows.map(({ reference }) => reference);
          assert.equal(new Set(listed).size, listed.length, 'no row twice');
          const moments = rows.map(({ postedAt }) => postedAt.getTime());
          assert.deepEqual(
            moments,
            moments.toSorted((a, b) => a - b),
            'in the order of time',
          );
          const expected = posted.filter(({ entry, minute }) => {
            const isMoving = !['payment_received', 'refund_sent'].includes(entry.kind);
            return ofCheckouts.includes(entry.kind) && isMoving && isIn(covered, minute);
          });
          assert.deepEqual(listed.toSorted(byText), expected.map(({ entry }) => entry.reference).toSorted(byText));

          const early = writeEntryCursor({ postedAt: new Date(start - 1), reference: 'x' });
          const fromBefore = await readCheckoutLedger(deps, merchant.id, covered, { cursor: early, limit: 100 });
          assert.deepEqual(
            fromBefore.rows.map(({ reference }) => reference),
            listed,
            'a position from before the period lists nothing that is outside',
          );

          for (const [asset, line] of [
            [btc, null],
            [usdc, 'credits'],
            [null, 'refunds'],
          ] as const) {
            const only = { asset, line };
            const chosen = rows.filter((row) => (asset ?? row.asset) === row.asset && (line ?? row.line) === row.line);
            const found = await readCheckoutLedger(deps, merchant.id, covered, { ...only, limit: 100 });
            assert.deepEqual(found.rows, chosen);
            assert.equal(await countCheckoutLedger(deps, merchant.id, covered, { ...only, max: 99 }), chosen.length);
            const sums = await sumCheckoutLedger(deps.db, merchant.id, covered, only);
            const every = await sumCheckoutLedger(deps.db, merchant.id, covered);
            const isChosen = (sum: LineSum): boolean =>
              (asset ?? sum.asset) === sum.asset && (line ?? sum.line) === sum.line;
            assert.deepEqual(sums, every.filter(isChosen));
          }

          const ofRows: Sum = {};
          for (const { line, asset, units, feeUnits } of rows) {
            add(ofRows, `${line} ${asset}`, units);
            add(ofRows, `fees ${asset}`, -feeUnits);
          }
          const totals = await sumCheckoutLedger(deps.db, merchant.id, covered);
          const ofTotals: Sum = {};
          for (const { line, asset, units } of totals) add(ofTotals, `${line} ${asset}`, units);
          assert.deepEqual(filled(ofRows), filled(ofTotals));

          const gone = await allDisposals(merchant, covered, limit);
          const goneFromBefore = await readDisposals(deps, merchant.id, covered, { cursor: early, limit: 100 });
          assert.deepEqual(goneFromBefore.rows, gone);
          const countedGone = await countDisposals(deps, merchant.id, covered, 99);
          assert.equal(countedGone, new Set(gone.map(({ reference }) => reference)).size);
          const ofGone: Sum = {};
          for (const { kind, asset, units } of gone) add(ofGone, `${kind} ${asset}`, units);
          const goneTotals: Sum = {};
          for (const { kind, asset, units } of await sumDisposals(deps, merchant.id, covered))
            add(goneTotals, `${kind} ${asset}`, units);
          assert.deepEqual(filled(ofGone), filled(goneTotals));
          const ofLedger: Sum = {};
          for (const { gone: each, minute } of posted) if (isIn(covered, minute)) add(ofLedger, each.name, each.units);
          assert.deepEqual(filled(goneTotals), filled(ofLedger), 'and that is what the entries took');

          const statement = await readStatement(deps, merchant.id, covered);
          const fees = await readFees(deps, merchant.id, covered);
          for (const { asset, lines } of statement.assets) {
            const line = lines.get('fees') ?? { units: 0n, value: 0n };
            const total = fees.totals.find((each) => each.asset === asset.id) ?? { units: 0n, value: 0n };
            assert.deepEqual(
              [total.units, total.value],
              [-line.units, line.value === null ? null : -line.value],
              asset.id,
            );
          }
          for (const { asset, lines } of statement.assets)
            for (const line of ['credits', 'refunds'] as const) {
              const total = totals.find((each) => each.line === line && each.asset === asset.id);
              assert.deepEqual([total?.units, total?.value], [lines.get(line)?.units, lines.get(line)?.value], line);
            }
        }
      },
    ),
    { numRuns: isSample() ? 2 : 5, endOnFailure: true }, // To make a history smaller takes longer than to read it.
  );
});

test('what is undone is taken back as what it was and at the worth that it had, so that in the end nothing left', async () => {
  const merchant = await world.openAccount('UTC');
  const account = (purpose: 'available' | 'reserved' | 'pending') => merchantAccount(merchant.id, purpose, btc);
  const [wallet, costs] = [chainWallet('BITCOIN', btc), operatorAccount('costs', btc)];
  const day = 24 * 60;
  type Lines = readonly (readonly [account: string, units: bigint])[];
  const undone = (lines: Lines): Lines => lines.map(([id, units]) => [id, -units]);
  const post = (id: string, step: 'held' | 'sent' | 'returned', lines: Lines, minute: number) =>
    world.post(
      {
        reference: `refund:${merchant.id}${id}:${step}`,
        kind: `refund_${step}`,
        merchantId: merchant.id,
        subject: { kind: 'refund', id: `${merchant.id}${id}` },
        lines: lines.map(([of, units]) => ({ account: of, units })),
      },
      minute,
    );
  // Taken from there, sent with a fee of ten, and undone at another rate.
  for (const [id, from] of [
    ['a', 'available'],
    ['b', 'pending'],
  ] as const) {
    const held: Lines = [
      [account(from), -40_000_000n],
      [account('reserved'), 40_000_000n],
    ];
    const sent: Lines = [
      [account('reserved'), -40_000_000n],
      [wallet, 39_999_990n],
      [costs, 10n],
    ];
    await post(id, 'held', held, 13 * day);
    await post(id, 'sent', sent, 14 * day);
    await post(id, 'returned', [...undone(sent), ...undone(held)], 33 * day);
  }
  const failed: Lines = [
    [account('reserved'), -30n],
    [costs, 30n],
  ];
  await post('c', 'returned', failed, 33 * day);
  const settlement = exchangeEntry(merchant.id, 'settlement', 50_000_000n, { from: btc, to: usdc });
  const reversal = exchangeEntry(merchant.id, 'settlement_reversed', 50_000_000n, { from: btc, to: usdc });
  await world.post(settlement, 14 * day);
  await world.post({ ...reversal, reference: reversalReference(settlement.reference) }, 33 * day);
  for (let turn = 0; turn < 12; turn += 1)
    await foldDays({ db: world.db, clock, assets }, merchant.id, daySettingsOf(merchant));

  const told = async (period: string) => {
    const covered = await coveredDays(world.db, merchant, period);
    const rows = (await allDisposals(merchant, covered, 2)).map(
      ({ kind, units, value }) => `${kind} ${units} ${value}`,
    );
    const sums = await sumDisposals({ db: world.db, assets }, merchant.id, covered);
    return { rows: rows.toSorted(), sums: sums.map(({ kind, units, value }) => [kind, units, value]) };
  };
  const [all, first, second] = [await told('2026'), await told('2026-01-03'), await told('2026-01-22')];
  assert.deepEqual(all.sums, [
    ['refund', 0n, 0n],
    ['return', 0n, 0n],
    ['conversion', 0n, 0n],
    ['attempt', 30n, 2n],
  ]);
  assert.deepEqual(
    first.sums.map(([kind, units]) => [kind, units]),
    [
      ['refund', 39_999_990n],
      ['return', 39_999_990n],
      ['conversion', 50_000_000n],
    ],
  );
  assert.deepEqual(
    second.rows,
    ['attempt 30 2', ...first.rows.map((row) => row.replaceAll(/ (?=\d)/g, ' -'))].toSorted(),
  );

  // A file that is made later is read while days are made again, too.
  const covered = await coveredDays(world.db, merchant, '2026');
  const listed = await allDisposals(merchant, covered, 3);
  await rebuildDays(world.db, merchant.id);
  await foldDays({ db: world.db, clock, assets }, merchant.id, daySettingsOf(merchant), 1);
  assert.deepEqual(await allDisposals(merchant, covered, 3), listed);
  assert.equal(await countDisposals({ db: world.db, assets }, merchant.id, covered, 99), listed.length);
});

/** What an entry took out of the account for good, in the words of the report; nothing: its units are none. */
function goneBy(kind: keyof typeof forms, moved: ReturnType<(typeof forms)['transfer_sent']>, asset: string) {
  const { fee = 0n, cost = 0n, ...own } = moved;
  const lost = -Object.values(own).reduce((sum, units) => sum + units, 0n);
  const leaving = { transfer_sent: 'transfer', refund_sent: 'refund' };
  const back = { transfer_came_back: 'transfer', refund_came_back: 'refund' };
  const named = { ...leaving, ...back }[kind as 'transfer_sent'];
  if (named !== undefined) return { name: `${named} ${asset}`, units: lost - fee - cost };
  const isAttempt = kind === 'transfer_released' || kind === 'refund_returned';
  return { name: `attempt ${asset}`, units: isAttempt ? lost : 0n };
}

test('what was credited today is the same however often it was counted on the way, and is read from there', async () => {
  const today = { day: '2026-01-10', from: new Date('2026-01-10T00:00:00Z') };
  const minuteOf = (text: string): number => (Date.parse(text) - start) / 60_000;
  const [begin, end] = [minuteOf('2026-01-09T20:00:00Z'), minuteOf('2026-01-10T23:00:00Z')];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: begin, max: end }), fc.bigInt(2n, 10n ** 8n), fc.boolean()), {
        minLength: 3,
        maxLength: 15,
      }),
      fc.array(fc.integer({ min: begin, max: end + 59 }), { maxLength: 8 }),
      async (credits, looks) => {
        const { db } = world;
        await db`delete from credited_today`;
        await db`delete from credited_position`;
        const merchant = await world.openAccount('UTC');
        const steps = [
          ...credits.map(([minute, units, isBack]) => ({
            minute,
            units,
            kind: isBack ? ('settlement_reversed' as const) : ('settlement' as const),
          })),
          ...looks.map((minute) => ({ minute, kind: null })),
        ].toSorted((a, b) => a.minute - b.minute);
        const sums: Sum = {};
        for (const step of steps) {
          const now = new Date(start + step.minute * 60_000);
          if (step.kind === null) {
            for (const _ of turns()) if (!(await countCredits(db, now))) break;
            const positionNow = (): Promise<unknown> => db`select counted_to from credited_position`;
            const position = await positionNow();
            assert.equal(await countCredits(db, new Date(now.getTime() + 1)), false);
            assert.deepEqual(await positionNow(), position, 'nobody counts without a pause because time passes');
            continue;
          }
          const { minute, kind, units } = step;
          await world.post(entryOf(merchant.id, kind, forms[kind](units), btc), minute);
          if (now >= today.from) add(sums, btc, kind === 'settlement' ? units : -units);
        }
        const asked = async (read: Promise<Credited[]>): Promise<Sum> =>
          Object.fromEntries(
            (await read)
              .filter(({ merchantId }) => merchantId === merchant.id)
              .map(({ asset, units }) => [asset, units]),
          );
        assert.deepEqual(filled(await asked(creditedOn(db, today))), filled(sums));
        assert.deepEqual(filled(await asked(creditedToOn(db, [merchant.id], today))), filled(sums));

        // What is counted is not read again.
        const last = new Date(start + (end + 59) * 60_000);
        for (const _ of turns()) if (!(await countCredits(db, last))) break;
        assert.deepEqual(filled(await asked(creditedOn(db, today))), filled(sums));
        await db`update credited_today set units = units + 5 where merchant_id = ${merchant.id}`;
        const more = credits.some(([minute]) => new Date(start + minute * 60_000) >= today.from) ? 5n : 0n;
        for (const read of [creditedOn(db, today), creditedToOn(db, [merchant.id], today)])
          assert.equal((await asked(read))[btc] ?? 0n, (sums[btc] ?? 0n) + more);
      },
    ),
    { numRuns: isSample() ? 3 : 8, endOnFailure: true },
  );
});

const byText = (a: string, b: string): number => (a < b ? -1 : 1);
