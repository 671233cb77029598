/** Signed days: each once, chained, without a gap, and proven against the ledger. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { type DailyStatement, envelopeOf, signNextDay } from '../src/reports/daily-statement.ts';
import { listDailyStatements } from '../src/reports/daily-statement-store.ts';
import { readPublicKeys } from '../src/reports/statement-key.ts';
import { statementProblems } from '../src/reports/verify-daily-statements.ts';
import {
  assets,
  btc,
  encryption,
  entryOf,
  forms,
  type StatementWorld,
  start,
  startStatementWorld,
} from './statement-world.ts';

let world: StatementWorld;
before(async () => {
  world = await startStatementWorld();
});
after(() => world.drop());

const allDays = { from: '2000-01-01', to: '2100-01-01' };

test('days are signed once, chained, and proven against the ledger, whatever becomes of the time zone', async () => {
  const merchant = await world.openAccount('Pacific/Kiritimati');
  let at = new Date(start + 3 * 24 * 3_600_000);
  const moving = { db: world.db, encryption, assets, clock: { now: () => at } };
  const signAll = async (timeZone: string): Promise<number> => {
    for (let count = 0; ; count += 1) if (!(await signNextDay(moving, merchant.id, { timeZone }))) return count;
  };
  assert.equal(await signAll('Pacific/Kiritimati'), 3);
  assert.equal(await signAll('Pacific/Kiritimati'), 0, 'a day is signed once');
  await world.post(entryOf(merchant.id, 'settlement', forms.settlement(1000n), btc), 4 * 24 * 60);
  at = new Date(start + 6 * 24 * 3_600_000);
  assert.ok((await signAll('America/New_York')) >= 1, 'the account has moved to the other end of the world');
  at = new Date(start + 9 * 24 * 3_600_000);
  await signAll('Pacific/Kiritimati');

  const signed = await listDailyStatements(world.db, merchant.id, allDays);
  const keys = await readPublicKeys(world.db);
  const envelopes = signed.map(envelopeOf);
  assert.deepEqual(await statementProblems(world.db, keys, envelopes), []);
  const said = signed.map(({ body }) => JSON.parse(body) as DailyStatement);
  for (const [index, each] of said.entries()) {
    assert.equal(each.number, index + 1);
    if (index > 0) assert.equal(each.from, said[index - 1]?.to, 'no moment is in two of them or in none');
    assert.ok(each.from < each.to && (index === 0 || each.day > (said[index - 1]?.day ?? '')));
  }
  const last = said.at(-1)?.balances.find(({ balance, asset }) => balance === 'available' && asset === btc);
  assert.equal(last?.closing, (10n ** 13n + 1000n).toString());

  const changed = envelopes.map((each, index) =>
    index === 1 ? { ...each, statement: each.statement.replace('"version":1', '"version":1 ') } : each,
  );
  assert.match(
    (await statementProblems(null, keys, changed)).join('\n'),
    /signature is not ours[^]*does not name the statement of the day before/,
  );
  assert.match(
    (await statementProblems(null, keys, envelopes.toSpliced(1, 1))).join('\n'),
    /the statement before it is missing/,
  );
  await assert.rejects(
    world.db`update daily_statement set day = day where merchant_id = ${merchant.id}`,
    /only ever added/,
  );
  await assert.rejects(world.db`delete from statement_key`, /only ever added/);

  // Somebody dates an entry into a day that is closed: that day stays as it was signed, and the next one tells of it.
  await world.post(entryOf(merchant.id, 'settlement', forms.settlement(777n), btc), 5 * 24 * 60);
  const found = await statementProblems(world.db, keys, envelopes);
  assert.ok(
    found.length > 0 && found.every((problem) => problem.includes('the database says something else')),
    found.join('\n'),
  );
  at = new Date(start + 10 * 24 * 3_600_000);
  await signAll('Pacific/Kiritimati');
  const next = (await listDailyStatements(world.db, merchant.id, allDays))[signed.length];
  const late = (JSON.parse(next?.body ?? '') as DailyStatement).balances.find(
    ({ balance, asset }) => balance === 'available' && asset === btc,
  );
  assert.deepEqual([late?.late, late?.closing], ['777', (10n ** 13n + 1777n).toString()]);
});

test('the operator proves days by a command: all of an account, or files that somebody kept', async () => {
  const merchant = await world.openAccount('UTC');
  const at = new Date(start + 2.5 * 24 * 3_600_000);
  const deps = { db: world.db, encryption, assets, clock: { now: () => at } };
  while (await signNextDay(deps, merchant.id, { timeZone: 'UTC' }));
  const quittance = async (...words: string[]): Promise<{ code: number; said: string }> => {
    const said: string[] = [];
    const paper = {
      log: (text: string) => said.push(text),
      error: (complaint: unknown) => said.push(String(complaint)),
    };
    const code = await runCommandLine(['statement', ...words], { ...process.env, DATABASE_URL: world.url }, paper);
    return { code, said: said.join('\n') };
  };
  const sound = await quittance('verify', '--merchant', merchant.id);
  assert.deepEqual([sound.code, sound.said.startsWith('2 statements are sound')], [0, true], sound.said);
  assert.match((await quittance('show', merchant.id, '--period', '2025-12-21')).said, /^2 +2025-12-21 +0 /m);
  const folder = await mkdtemp(join(tmpdir(), 'statements-'));
  try {
    const exported = (await quittance('export', merchant.id)).said;
    const [kept, forged, other] = ['kept', 'forged', 'other'].map((name) => join(folder, `${name}.json`)) as [
      string,
      string,
      string,
    ];
    await writeFile(kept, exported);
    await writeFile(forged, exported.replace('10000000000000', '90000000000000'));
    await writeFile(other, '[{"statement":1}]');
    assert.equal((await quittance('verify', '--file', kept)).code, 0);
    const caught = await quittance('verify', '--file', forged);
    assert.deepEqual([caught.code, /the signature is not ours/.test(caught.said)], [1, true], caught.said);
    assert.match((await quittance('verify', '--file', other)).said, /is no signed statement/);
  } finally {
    await rm(folder, { recursive: true });
  }
  assert.equal((await quittance('verify')).code, 2);
});
