/**
 * Statements: on any history, in any time zone, the lines of a statement are what a scan of the ledger gives, a period begins
 * with what the one before ended with, and shorter periods add up to longer ones, to the unit and to the cent.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startOfDay } from '../src/lib/local-day.ts';
import type { Merchant } from '../src/merchants/merchant.ts';
import { decimal } from '../src/money/decimal.ts';
import { insertRateHour } from '../src/pricing/rate-hour-store.ts';
import { camtStatements } from '../src/reports/camt-statements.ts';
import { sumCheckoutLedger } from '../src/reports/checkout-ledger.ts';
import { coveredDays } from '../src/reports/covered-days.ts';
import { readFees } from '../src/reports/fees.ts';
import { daySettingsOf, foldDays, rebuildDays } from '../src/reports/fold-days.ts';
import { readStatement, readWorth, type Statement, type StatementValue } from '../src/reports/statement.ts';
import { lineOf, type StatementLine } from '../src/reports/statement-lines.ts';
import { readTaxes } from '../src/reports/taxes.ts';
import { camtProblems } from './camt-reader.ts';
import { isSample } from './depth.ts';
import {
  assets,
  btc,
  clock,
  entryOf,
  forms,
  kinds,
  ltc,
  now,
  type StatementWorld,
  start,
  startStatementWorld,
  usdc,
} from './statement-world.ts';

let world: StatementWorld;
before(async () => {
  world = await startStatementWorld();
});
after(() => world.drop());

async function fold(merchant: Merchant): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1)
    await foldDays({ db: world.db, clock, assets }, merchant.id, daySettingsOf(merchant));
}

const statementOf = async (merchant: Merchant, period: string): Promise<Statement> =>
  readStatement({ db: world.db, assets }, merchant.id, await coveredDays(world.db, merchant, period));

/** A rate for every third hour, so that most hours have an older one. */
async function keepRates(): Promise<void> {
  for (let hour = -3; hour < 140 * 24; hour += 3) {
    const rates = [
      { code: 'BTC', usd: decimal(60_000 + ((hour * 7919) % 9000)) },
      { code: 'EUR', usd: decimal(`1.${1000 + ((hour * 31) % 200)}`) },
      { code: 'USDC', usd: decimal('0.9997') },
    ];
    await insertRateHour(world.db, new Date(start + hour * 3_600_000), rates);
  }
}

/** A scan of every line of every entry between two moments, in the words of a statement. */
async function scanned(merchantId: string, timeZone: string, { from, to }: { from: string; to: string }) {
  const rows = await world.db<{
    reference: string;
    kind: string;
    account: string;
    units: string;
    isBefore: boolean;
  }>`
    select reference, kind, account_id as account, units, posted_at < ${startOfDay(timeZone, from)} as "isBefore"
      from ledger_line join ledger_entry using (reference)
     where merchant_id = ${merchantId} and posted_at < ${startOfDay(timeZone, to)}`;
  const result: Record<string, bigint> = {};
  const add = (name: string, units: bigint): void => {
    result[name] = (result[name] ?? 0n) + units;
  };
  for (const { kind, account, units, isBefore } of rows) {
    const [owner, first = '', second = ''] = account.split('/');
    const purpose = owner === 'merchant' ? second : first;
    const asset = account.slice(account.lastIndexOf('/') + 1);
    const [amount, line]: [bigint, StatementLine] = [BigInt(units), lineOf(kind)];
    if (owner === 'merchant') {
      add(`${asset} ${purpose} closing`, amount);
      if (isBefore) add(`${asset} ${purpose} opening`, amount);
    }
    if (isBefore) continue;
    if (purpose === 'available') add(`${asset} ${line}`, amount);
    if (purpose === 'receivable')
      for (const [name, sign] of [
        [line, 1n],
        ['debts', -1n],
      ] as const)
        add(`${asset} ${name}`, sign * amount);
    if (purpose === 'fees')
      for (const [name, sign] of [
        [line, 1n],
        ['fees', -1n],
      ] as const)
        add(`${asset} ${name}`, sign * amount);
  }
  return Object.fromEntries(Object.entries(result).filter(([, units]) => units !== 0n));
}

function told({ assets: each }: Statement): Record<string, bigint> {
  const result: [string, bigint][] = each.flatMap(({ asset: { id }, opening, closing, lines, apart }) => [
    [`${id} available opening`, opening],
    [`${id} available closing`, closing],
    ...Array.from(lines, ([line, { units }]): [string, bigint] => [`${id} ${line}`, units]),
    ...Object.entries(apart).flatMap(([purpose, ends]): [string, bigint][] => [
      [`${id} ${purpose} opening`, ends.opening],
      [`${id} ${purpose} closing`, ends.closing],
    ]),
  ]);
  return Object.fromEntries(result.filter(([, units]) => units !== 0n));
}

const movementsOf = ({ lines, revaluation }: StatementValue): Record<string, bigint> =>
  Object.fromEntries([...lines, ['revaluation', revaluation] as const].filter(([, value]) => value !== 0n));

const added = (parts: readonly Record<string, bigint>[]): Record<string, bigint> => {
  const sums: Record<string, bigint> = {};
  for (const part of parts) for (const [name, units] of Object.entries(part)) sums[name] = (sums[name] ?? 0n) + units;
  return Object.fromEntries(Object.entries(sums).filter(([, units]) => units !== 0n));
};

const anyMovement = fc.record({
  kind: fc.constantFrom(...kinds),
  minute: fc.integer({ min: 1, max: 130 * 24 * 60 }),
  units: fc.bigInt(2n, 10n ** 8n),
  asset: fc.constantFrom(btc, usdc),
});

test('on any history a statement is a scan of the ledger, and periods join and add up', async () => {
  await keepRates();
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyMovement, { minLength: 5, maxLength: 30 }),
      fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'Asia/Kathmandu'),
      async (history, timeZone) => {
        const merchant = await world.openAccount(timeZone);
        for (const { kind, minute, units, asset } of history.toSorted((a, b) => a.minute - b.minute))
          await world.post(entryOf(merchant.id, kind, forms[kind](units), asset), minute);
        await fold(merchant);
        const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
        const statements = await Promise.all(months.map((month) => statementOf(merchant, month)));
        for (const [at, statement] of statements.entries()) {
          assert.deepEqual(told(statement), await scanned(merchant.id, timeZone, statement.covered), months[at]);
          assert.ok(statement.addsUp);
          const before = statements[at - 1];
          if (!before) continue;
          assert.equal(statement.total.opening, before.total.closing, 'the value goes on where it ended');
          const [worth] = [await readWorth({ db: world.db, assets }, merchant.id, statement.covered)];
          assert.deepEqual([worth[0]?.value, worth.at(-1)?.value], [null, null], 'LTC has no rate');
        }
        const year = await statementOf(merchant, '2026');
        const parts = statements.slice(1).map(({ total }) => movementsOf(total));
        assert.deepEqual(movementsOf(year.total), added(parts));
        const quarter = await statementOf(merchant, '2026-Q1');
        assert.deepEqual(movementsOf(quarter.total), added(parts.slice(0, 3)));
        assert.deepEqual(
          year.assets.filter(({ value }) => value === null).map(({ asset }) => asset.assetCode),
          ['LTC'],
          'what has no rate is in no sum, and said',
        );
      },
    ),
    { numRuns: isSample() ? 2 : 6 },
  );
});

test('a movement is worth what it was in its hour, a balance what it was in the last whole hour, and the rest is revaluation', async () => {
  const merchant = await world.openAccount('UTC', 'PLN');
  const day = (date: string, hour: number): number => (Date.parse(`${date}T00:00:00Z`) - start) / 60_000 + hour * 60;
  const rate = (code: string, date: string, hour: number, usd: string) =>
    insertRateHour(world.db, new Date(start + day(date, hour) * 60_000), [{ code, usd: decimal(usd) }]);
  const only = { [btc]: -(10n ** 13n), [usdc]: -(10n ** 13n), [ltc]: -(10n ** 13n) };
  for (const [asset, units] of Object.entries(only))
    await world.post(entryOf(merchant.id, 'payment_reversed', { available: units }, asset), 1);
  const { total: unknown, assets: none } = await (await fold(merchant), statementOf(merchant, '2026-01'));
  assert.deepEqual([unknown.opening, unknown.closing], [0n, 0n]);
  assert.equal(
    none.every(({ value }) => value !== null),
    true,
    'nothing is worth nothing, with or without a rate',
  );

  // One zloty is a quarter of a dollar; what is taken in the hour of ten is worth 100, what is left at midnight 90 dollars.
  await rate('PLN', '2026-04-01', 0, '0.25');
  await rate('LTC', '2026-04-10', 10, '100');
  await rate('LTC', '2026-04-30', 22, '90');
  await rate('LTC', '2026-05-01', 0, '1');
  const ltcUnits = 10n ** BigInt(assets.byIdOrCode.get('LTC')?.ledgerScale ?? 0);
  const settled = { available: 199n * ltcUnits, fee: ltcUnits };
  await world.post(entryOf(merchant.id, 'settlement', settled, ltc), day('2026-04-10', 10.5));
  await world.db.begin((tx) => tx`delete from day_position where merchant_id = ${merchant.id}`);
  await fold(merchant);
  const april = await statementOf(merchant, '2026-04');
  const { value, lines } = april.assets.find(({ asset }) => asset.id === ltc) ?? {};
  assert.deepEqual(
    Object.fromEntries(Array.from(lines ?? [], ([line, { units, entries }]) => [line, [units / ltcUnits, entries]])),
    { credits: [200n, 1], fees: [-1n, 1] },
  );
  assert.deepEqual(movementsOf(value as StatementValue), {
    credits: 80_000_00n,
    fees: -400_00n,
    revaluation: 199n * 360_00n - 79_600_00n,
  });
  assert.deepEqual([value?.opening, value?.closing], [0n, 199n * 360_00n]);
  const worth = await readWorth({ db: world.db, assets }, merchant.id, april.covered);
  assert.equal(worth.length, 31);
  assert.deepEqual(
    [worth[0], worth[9], worth[10], worth[30]].map((each) => [each?.day, each?.value]),
    [
      ['2026-03-31', 0n],
      ['2026-04-09', 0n],
      ['2026-04-10', 79_600_00n],
      ['2026-04-30', 71_640_00n],
    ],
  );
});

test('a period with closed days that are yet to be made has to wait, and one before them has not', async () => {
  const merchant = await world.openAccount('UTC');
  await foldDays({ db: world.db, clock, assets }, merchant.id, daySettingsOf(merchant));
  await assert.rejects(coveredDays(world.db, merchant, '2026'), /being counted/);
  await assert.rejects(coveredDays(world.db, merchant, ''), /being counted/);
  assert.equal((await statementOf(merchant, '2025')).covered.isWhole, true);
  await fold(merchant);
  assert.equal((await coveredDays(world.db, merchant, '2026')).to, '2026-05-03');
});

test('no report is of days that are being made again, or were made for another currency', async () => {
  const merchant = await world.openAccount('UTC');
  for (const day of [0, 1, 2])
    await world.post(entryOf(merchant.id, 'settlement', forms.settlement(1000n), btc), day * 24 * 60 + 60);
  await fold(merchant);
  const { db } = world;
  const covered = await coveredDays(db, merchant, '2025');
  const reports = {
    statement: () => readStatement({ db, assets }, merchant.id, covered),
    taxes: () => readTaxes({ db }, merchant.id, covered),
    fees: () => readFees({ db, assets }, merchant.id, covered),
    ledger: () => sumCheckoutLedger(db, merchant.id, covered),
  };
  const refused = async (): Promise<void> => {
    for (const [name, read] of Object.entries(reports)) await assert.rejects(read(), /being counted/, name);
  };
  for (const read of Object.values(reports)) await read();
  await rebuildDays(db, merchant.id);
  await refused();
  await foldDays({ db, clock, assets }, merchant.id, daySettingsOf(merchant), 1);
  await refused();
  await fold(merchant);
  for (const read of Object.values(reports)) await read();
  await fold({ ...merchant, accountCurrency: 'CHF' });
  await refused();
});

test('camt.053 says which wallets have no rate, and tells wallets with one code apart', async () => {
  const merchant = await world.openAccount('UTC');
  await fold(merchant);
  const statement = await statementOf(merchant, '2026-01');
  const withoutRate = (wallets: readonly string[]): string => `Without: ${wallets.join(', ')}.`;
  const xml = (of: Statement) => camtStatements(world.db, merchant, of, { now, withoutRate });
  const camt = await xml(statement);
  assert.deepEqual(camtProblems(camt), []);
  assert.deepEqual(camt.match(/<AddtlStmtInf>.*?<\/AddtlStmtInf>/g), ['<AddtlStmtInf>Without: LTC.</AddtlStmtInf>']);
  const idsOf = (text: string): string[] => Array.from(text.matchAll(/<Stmt><Id>(\w+)</g), ([, id = '']) => id);
  const other = { ...statement, covered: { ...statement.covered, timeZone: 'Europe/Berlin' } };
  assert.ok(
    idsOf(await xml(other)).every((id) => !idsOf(camt).includes(id)),
    'in another zone it is another statement',
  );

  const issuer = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';
  const [ours] = statement.assets.filter(({ asset }) => asset.assetCode === 'BTC');
  assert.ok(ours);
  const theirs = { ...ours, asset: { ...ours.asset, id: `BTC:${issuer}` } };
  const both = await xml({ ...statement, assets: [ours, theirs] });
  const accounts = Array.from(both.matchAll(/<Othr><Id>([^<]+)</g), ([, id = '']) => id);
  assert.deepEqual([new Set(accounts).size, accounts.every((id) => id.length <= 34)], [2, true], accounts.join());
  assert.ok(both.includes('<Nm>BTC GAAZI4TC…</Nm>'));
  assert.ok(camt.includes(`<Othr><Id>${accounts[0]}</Id></Othr>`), 'its name does not depend on the others');
});
