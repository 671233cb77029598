/** Signed days: each once, chained, without a gap, and proven against the ledger. */
import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { openDatabase } from '../src/db/database.ts';
import { type EntryText, listEntryTexts } from '../src/ledger/entry-digest-store.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { createLog, type Log } from '../src/lib/log.ts';
import { Secret } from '../src/lib/secret.ts';
import type { Merchant } from '../src/merchants/merchant.ts';
import { insertAudit } from '../src/merchants/merchant-store.ts';
import { checkChains, type StatementEnvelope } from '../src/reports/check-statement-chain.ts';
import { coveredDays } from '../src/reports/covered-days.ts';
import { type DailyStatement, digestOf, envelopeOf } from '../src/reports/daily-statement.ts';
import { insertStatementKey, listDailyStatements, type SignedStatement } from '../src/reports/daily-statement-store.ts';
import { readFees } from '../src/reports/fees.ts';
import { daySettingsOf, foldDays } from '../src/reports/fold-days.ts';
import { createDayFollower } from '../src/reports/follow-days.ts';
import { signNextDay } from '../src/reports/sign-next-day.ts';
import { readStatement } from '../src/reports/statement.ts';
import {
  openStatementKeys,
  type PublicKeys,
  publicKeysOf,
  publishedKeys,
  readPublishedKeys,
  renewStatementKey,
} from '../src/reports/statement-key.ts';
import { verifyAccount, verifyFiles, verifyKeptFiles } from '../src/reports/verify-daily-statements.ts';
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
import { turns, untilRested } from './until.ts';

let world: StatementWorld;
before(async () => {
  world = await startStatementWorld();
});
after(() => world.drop());

const allDays = { from: '2000-01-01', to: '2100-01-01' };
const dayMs = 24 * 3_600_000;
const signedDays = (merchant: Merchant): Promise<SignedStatement[]> =>
  listDailyStatements(world.db, merchant.id, allDays);
const said = ({ body }: SignedStatement): DailyStatement => JSON.parse(body) as DailyStatement;
const dayAt = (days: number): string => new Date(start + days * dayMs).toISOString().slice(0, 10);
const ourKeys = async (): Promise<PublicKeys> => publicKeysOf(await openStatementKeys(world.db, encryption));

/** What is over so many days after the start, in UTC. */
async function signAt(merchant: Merchant, days: number): Promise<void> {
  const deps = { db: world.db, encryption, assets, clock: { now: () => new Date(start + days * dayMs) } };
  for (const _ of turns()) if (!(await signNextDay(deps, merchant.id, { timeZone: 'UTC' }))) break;
}

/** Each day once it is over, as a service does that is never away. */
async function signUpTo(merchant: Merchant, days: number): Promise<void> {
  for (let day = days % 1; day <= days; day += 1) await signAt(merchant, day);
}

test('days are signed once, chained, and proven against the ledger, whatever becomes of the time zone', async () => {
  const merchant = await world.openAccount('Pacific/Kiritimati');
  let at = new Date(start + 3 * 24 * 3_600_000);
  const moving = { db: world.db, encryption, assets, clock: { now: () => at } };
  const signAll = async (timeZone: string): Promise<number> => {
    for (const count of turns()) if (!(await signNextDay(moving, merchant.id, { timeZone }))) return count;
    return 0;
  };
  assert.equal(await signAll('Pacific/Kiritimati'), 2, 'the first day, and those after it in which nothing happened');
  assert.equal(await signAll('Pacific/Kiritimati'), 0, 'a day is signed once');
  await world.post(entryOf(merchant.id, 'settlement', forms.settlement(1000n), btc), 4 * 24 * 60);
  at = new Date(start + 6 * 24 * 3_600_000);
  assert.ok((await signAll('America/New_York')) >= 1, 'the account has moved to the other end of the world');
  at = new Date(start + 9 * 24 * 3_600_000);
  await signAll('Pacific/Kiritimati');

  const signed = await signedDays(merchant);
  const keys = await ourKeys();
  const envelopes = signed.map(envelopeOf);
  const verdict = await verifyAccount(world.db, keys, merchant.id, signed.at(-1)?.day ?? '');
  assert.deepEqual(verdict.problems, []);
  assert.ok(
    verdict.notes.length > 0 && verdict.notes.every((note) => note.includes('signed later')),
    'nobody was there',
  );
  const all = signed.map(said);
  for (const [index, each] of all.entries()) {
    assert.equal(each.number, index + 1);
    assert.equal(each.from, all[index - 1]?.to ?? new Date(0).toISOString(), 'no moment is in two of them or in none');
    assert.ok(each.from < each.to && (index === 0 || each.day > (all[index - 1]?.day ?? '')));
  }
  const last = all.at(-1)?.balances.find(({ balance, asset }) => balance === 'available' && asset === btc);
  assert.equal(last?.closing, (10n ** 13n + 1000n).toString());

  const changed = envelopes.map((each, index) =>
    index === 1 ? { ...each, statement: each.statement.replace('"version":1', '"version":1 ') } : each,
  );
  assert.match(
    verifyFiles(keys, changed).problems.join('\n'),
    /signature is not ours[^]*does not name the statement of the day before/,
  );
  assert.match(verifyFiles(keys, envelopes.toSpliced(1, 1)).problems.join('\n'), /the statement before it is missing/);
  await assert.rejects(
    world.db`update daily_statement set day = day where merchant_id = ${merchant.id}`,
    /only ever added/,
  );
  await assert.rejects(world.db`delete from statement_key`, /only ever added/);
});

test('days in which nothing happened, and which are over, are told by one statement', async () => {
  const merchant = await world.openAccount('UTC');
  await signAt(merchant, 1.5);
  const before = (await signedDays(merchant)).length;
  await world.post(entryOf(merchant.id, 'settlement', forms.settlement(1000n), btc), 90 * 24 * 60);
  await signAt(merchant, 120.5);
  const later = (await signedDays(merchant)).slice(before).map(said);
  assert.deepEqual(
    later.map(({ firstDay, day, entries }) => [firstDay, day, entries.count]),
    [
      [dayAt(1), dayAt(89), 0],
      [dayAt(90), dayAt(90), 1],
      [dayAt(91), dayAt(119), 0],
    ],
  );
  const told = async (from: number, to: number): Promise<string[]> =>
    (await listDailyStatements(world.db, merchant.id, { from: dayAt(from), to: dayAt(to) })).map(({ day }) => day);
  assert.deepEqual(await told(30, 31), [dayAt(89)], 'whoever asks for one of them gets that statement');
  assert.deepEqual(await told(80, 95), [dayAt(89), dayAt(90), dayAt(119)]);
  assert.deepEqual(await told(90, 91), [dayAt(90)]);
  assert.deepEqual(await told(-9, -5), [], 'before there was anything');
  await signAt(merchant, 121.5);
  assert.deepEqual(
    said((await signedDays(merchant)).at(-1) as SignedStatement).firstDay,
    dayAt(120),
    'day by day again',
  );
  const { problems } = checkChains(await ourKeys(), (await signedDays(merchant)).map(envelopeOf));
  assert.deepEqual(problems, []);
});

test('what is dated into a signed day is told by the next one, and the reports of that day are made again', async () => {
  const merchant = await world.openAccount('UTC');
  const at = (days: number) => ({ db: world.db, assets, clock: { now: () => new Date(start + days * dayMs) } });
  const fold = (days: number): Promise<void> => foldDays(at(days), merchant.id, daySettingsOf(merchant));
  const december = async () =>
    readStatement({ db: world.db, assets }, merchant.id, await coveredDays(world.db, merchant, '2025-12'));
  const available = async () => {
    const { assets: each, addsUp, covered } = await december();
    const fees = await readFees({ db: world.db, assets }, merchant.id, covered);
    for (const { asset, lines } of each)
      assert.equal(
        fees.totals.find((total) => total.asset === asset.id)?.units ?? 0n,
        -(lines.get('fees')?.units ?? 0n),
      );
    return [each.find(({ asset }) => asset.id === btc)?.closing, addsUp];
  };
  await fold(8.1);
  await signUpTo(merchant, 8.1);
  assert.deepEqual(await available(), [10n ** 13n, true]);
  const verdict = async () => verifyAccount(world.db, await ourKeys(), merchant.id, '2025-12-20');

  // Into the first one, before anything else had happened; far back; and yesterday.
  const minutes = [-3 * 24 * 60, 2 * 24 * 60 + 1, 7 * 24 * 60 + 1];
  for (const minute of minutes)
    await world.post(entryOf(merchant.id, 'settlement', forms.settlement(200n), btc), minute);
  assert.deepEqual(await available(), [10n ** 13n, false], 'it is not in the days, and the page says so');
  const untold = (await verdict()).problems;
  assert.ok(
    untold.length > 0 && untold.every((each) => each.includes('no later statement tells why')),
    untold.join('\n'),
  );

  await signUpTo(merchant, 9.1);
  const corrected = (await signedDays(merchant)).map(said).at(-1);
  const late = corrected?.balances.find(({ balance, asset }) => balance === 'available' && asset === btc);
  assert.deepEqual([late?.late, late?.closing], ['600', (10n ** 13n + 600n).toString()]);
  assert.deepEqual(
    corrected?.corrections.map(({ number }) => number),
    [1, 3, 8],
  );
  const { problems, notes } = await verdict();
  assert.deepEqual(problems, []);
  assert.deepEqual([notes.length, notes.every((note) => note.includes('told as late by number 9'))], [3, true]);
  await assert.rejects(december(), /being counted/);
  await fold(9.1);
  assert.deepEqual(await available(), [10n ** 13n + 600n, true]);

  // Nothing is signed on top of sums that the ledger does not hold.
  const account = `merchant/${merchant.id}/available/${btc}`;
  await world.db`update ledger_account set balance = balance + 5 where id = ${account}`;
  await assert.rejects(signUpTo(merchant, 10.1), /what the ledger holds is not/);
  await world.db`update ledger_account set balance = balance - 5 where id = ${account}`;
  await signUpTo(merchant, 10.1);
  assert.deepEqual((await signedDays(merchant)).map(said).at(-1)?.corrections, []);

  // What only the audit log got is told too, and moves nothing.
  const lateAt = new Date(start + 9.5 * dayMs);
  const deed = { merchantId: merchant.id, at: lateAt, actor: 'operator', action: 'a.deed', detail: {} } as const;
  await world.db.begin((tx) => insertAudit(tx, deed));
  await signUpTo(merchant, 11.1);
  const told = (await signedDays(merchant)).map(said).at(-1)?.corrections;
  assert.deepEqual(
    told?.map(({ number, audit }) => [number, audit.count]),
    [[10, 1]],
  );
  assert.deepEqual((await verdict()).problems, []);
  assert.deepEqual(await available(), [10n ** 13n + 600n, true]);
});

test('whoever has only the database can neither add a key nor go on with a chain of their own', async () => {
  const merchant = await world.openAccount('UTC');
  await signUpTo(merchant, 3);
  const own = generateKeyPairSync('ed25519');
  const publicKey = own.publicKey.export({ type: 'spki', format: 'der' });
  const id = digestOf('x').slice(0, 16);
  const named = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  const [ours] = await world.db<{ id: string; sealed: Buffer }>`select id, sealed from statement_key limit 1`;
  const madeAt = new Date(start);
  const sealedElsewhere = createEncryption(Buffer.alloc(32, 1)).encrypt(
    new Secret(own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    `statement-key:${named}`,
  );
  const refused = async (key: Parameters<typeof insertStatementKey>[1]): Promise<void> => {
    await assert.rejects(
      world.db.begin(async (tx) => {
        await insertStatementKey(tx, key);
        assert.ok(!(await openStatementKeys(tx, encryption)).some((open) => open.publicKey.equals(publicKey)));
        throw new Error('undone');
      }),
      /undone/,
    );
  };
  await refused({ id: named, publicKey, sealed: sealedElsewhere, madeAt });
  await refused({ id, publicKey, sealed: ours?.sealed ?? Buffer.alloc(0), madeAt });
  // A private half of ours beside a public one of theirs.
  await world.db.script('alter table statement_key disable trigger all');
  try {
    await world.db`update statement_key set public_key = ${publicKey} where id = ${ours?.id}`;
    assert.deepEqual(await openStatementKeys(world.db, encryption), []);
    await assert.rejects(signUpTo(merchant, 4), /opens none of the keys/);
  } finally {
    await world.db`update statement_key set public_key = ${await publicHalf(ours)} where id = ${ours?.id}`;
    await world.db.script('alter table statement_key enable trigger all');
  }

  const [first, last] = [(await signedDays(merchant)).slice(0, 1), (await signedDays(merchant)).at(-1)];
  const forged = last?.body.replaceAll('10000000000000', '90000000000000') ?? '';
  await world.db.script('alter table daily_statement disable trigger all');
  const put = (body: string) => world.db`
    update daily_statement set body = ${body}, digest = ${digestOf(body)} where merchant_id = ${merchant.id} and number = ${last?.number}`;
  await put(forged);
  await assert.rejects(signUpTo(merchant, 4), /is not as it was signed/);
  const { problems } = await verifyAccount(world.db, await ourKeys(), merchant.id, '2025-12-22');
  assert.match(problems.join('\n'), /the signature is not ours/);
  await put(last?.body ?? '');
  await world.db`update daily_statement set day = day + 1 where merchant_id = ${merchant.id} and number = ${last?.number}`;
  const moved = await verifyAccount(world.db, await ourKeys(), merchant.id, '2025-12-22');
  assert.match(moved.problems.join('\n'), /is not what its text says/);
  await world.db`delete from daily_statement where merchant_id = ${merchant.id} and number = 1`;
  await world.db.script('alter table daily_statement enable trigger all');
  const cut = await verifyAccount(world.db, await ourKeys(), merchant.id, '2025-12-25');
  assert.match(cut.problems.join('\n'), /in the place of number 1 is number 2[^]*should go on to 2025-12-25/);
  const file = await verifyKeptFiles(world.db, await ourKeys(), first.map(envelopeOf));
  assert.match(file.problems.join('\n'), /the database has another one, or none, in its place/);
});

test('who cuts off signed days and has them signed anew has a sound chain that says so, and not the digests that the log has', async () => {
  const merchant = await world.openAccount('UTC');
  for (const day of [2, 3])
    await world.post(entryOf(merchant.id, 'settlement', forms.settlement(1000n), btc), day * 24 * 60);
  const logged: { merchantId: string; number: number; sha256: string }[] = [];
  const log = {
    ...createLog('silent'),
    info: (fields: (typeof logged)[number]) => logged.push(fields),
  } as unknown as Log;
  const follow = async (days: number): Promise<void> => {
    const clock = { now: () => new Date(start + days * dayMs) };
    const follower = createDayFollower({ db: world.db, clock, log, assets, encryption });
    await untilRested(follower);
    await follower.stop();
  };
  const proof = async () => verifyAccount(world.db, await ourKeys(), merchant.id, dayAt(5));
  for (let day = 1.1; day < 7; day += 1) await follow(day);
  const digests = async (): Promise<string[]> => (await signedDays(merchant)).map(({ digest }) => digest);
  const loggedDigests = () => logged.flatMap(({ merchantId, sha256 }) => (merchantId === merchant.id ? sha256 : []));
  const honest = await digests();
  assert.deepEqual([honest.length, loggedDigests()], [6, honest]);
  assert.deepEqual(await proof().then(({ problems, notes }) => [problems, notes]), [[], []]);

  await world.db.script('alter table daily_statement disable trigger all');
  await world.db`delete from daily_statement where merchant_id = ${merchant.id} and number >= 3`;
  await world.db.script('alter table daily_statement enable trigger all');
  await world.db`update day_turn set sign_at = ${new Date(start)} where merchant_id = ${merchant.id}`;
  await follow(6.2);
  const { problems, notes } = await proof();
  assert.deepEqual(problems, [], 'nothing in the database tells what was there');
  assert.equal(notes.length, 1);
  assert.match(
    notes[0] ?? '',
    /numbers 3 to 5 \(2025-12-22 to 2025-12-25\) were signed later .* 2025-12-26T04:48:00.000Z/,
  );
  const files = verifyFiles(await ourKeys(), (await signedDays(merchant)).map(envelopeOf));
  assert.deepEqual([files.problems, files.notes], [[], notes], 'whoever has only files reads it too');
  const anew = await digests();
  assert.deepEqual(
    [anew.slice(0, 2), anew.slice(2).some((each) => honest.includes(each))],
    [honest.slice(0, 2), false],
  );
  assert.deepEqual(loggedDigests(), [...honest, ...anew.slice(2)], 'the log has both');
});

async function publicHalf(key: { id: string; sealed: Buffer } | undefined): Promise<Buffer> {
  const secret = encryption.decrypt(key?.sealed ?? Buffer.alloc(0), `statement-key:${key?.id}`);
  return createPublicKey(createPrivateKey(secret.reveal())).export({ type: 'spki', format: 'der' });
}

test('another key is named by the statement before it, and what the old one signed stays proven', async () => {
  const merchant = await world.openAccount('UTC');
  await signUpTo(merchant, 2.1);
  const { id } = await renewStatementKey(world.db, encryption, new Date(start + 2 * dayMs));
  await signUpTo(merchant, 5.1);
  const signed = await signedDays(merchant);
  const old = signed[0]?.keyId;
  assert.deepEqual(
    signed.map(({ keyId }) => keyId),
    [old, old, old, id, id],
  );
  assert.deepEqual(
    signed.map((each) => said(each).nextKey?.id),
    [undefined, undefined, id, undefined, undefined],
  );
  assert.deepEqual((await verifyAccount(world.db, await ourKeys(), merchant.id, '2025-12-22')).problems, []);
  // Whoever keeps the published keys needs nothing else.
  const published = JSON.stringify(publishedKeys(await openStatementKeys(world.db, encryption)));
  assert.deepEqual(verifyFiles(readPublishedKeys(published), signed.map(envelopeOf)).problems, []);
  assert.throws(() => readPublishedKeys(published.replaceAll(id, 'f'.repeat(16))), /is another one/);
});

test('what was signed stays proven in a database that puts letters in another order', async () => {
  const elsewhere = await startStatementWorld();
  const order = (collation: string): Promise<unknown> =>
    elsewhere.db.script(`
      alter table ledger_entry alter column reference type text collate "${collation}";
      alter table ledger_line alter column account_id type text collate "${collation}"`);
  try {
    await order('und-x-icu'); // There a is before B, and punctuation hardly counts.
    const merchant = await elsewhere.openAccount('UTC');
    const references = ['a', 'B', 'b', 'A', 'a-c', 'ab', 'Z', 'ä'].map((name) => `settlement:${name}:${merchant.id}`);
    for (const reference of references) {
      const entry = entryOf(merchant.id, 'settlement', forms.settlement(1000n), btc);
      await elsewhere.post({ ...entry, reference }, 60);
    }
    const [first] = await elsewhere.db<{ reference: string }>`
      select reference from ledger_entry where merchant_id = ${merchant.id} and kind = 'settlement'
       order by reference limit 1`;
    assert.match(first?.reference ?? '', /:a/, 'the order is another one: in that of bytes A is the first');
    const span = { from: new Date(start + 1), to: new Date(start + dayMs) };
    const read = (cut: { after: EntryText | null; limit: number }): Promise<EntryText[]> =>
      listEntryTexts(elsewhere.db, merchant.id, span, cut);
    const whole = await read({ after: null, limit: 100 });
    const byBytes = references.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      whole.map(({ reference }) => reference),
      byBytes,
    );
    const pages = [await read({ after: null, limit: 3 })];
    while (pages.at(-1)?.length === 3) pages.push(await read({ after: pages.at(-1)?.at(-1) ?? null, limit: 3 }));
    assert.deepEqual(pages.flat(), whole, 'nor do pages leave out or repeat any');

    const deps = { db: elsewhere.db, encryption, assets, clock: { now: () => new Date(start + 2 * dayMs) } };
    for (const _ of turns()) if (!(await signNextDay(deps, merchant.id, { timeZone: 'UTC' }))) break;
    await order('C');
    const moved = openDatabase({ url: elsewhere.url, poolSize: 2 }); // What is prepared knows the other order.
    try {
      const keys = publicKeysOf(await openStatementKeys(moved, encryption));
      assert.deepEqual((await verifyAccount(moved, keys, merchant.id, dayAt(0))).problems, []);
    } finally {
      await moved.close();
    }
  } finally {
    await elsewhere.drop();
  }
});

test('what is no sound chain is refused, however well it is signed', () => {
  const pair = generateKeyPairSync('ed25519');
  const keys: PublicKeys = new Map([['k', pair.publicKey.export({ type: 'spki', format: 'der' })]]);
  const nothing = { count: 0, sha256: digestOf('') };
  const sealed = (body: object): StatementEnvelope => {
    const statement = JSON.stringify(body);
    const signature = sign(null, Buffer.from(statement), pair.privateKey).toString('base64');
    return { statement, sha256: digestOf(statement), keyId: 'k', signature };
  };
  const day = (number: number): string => new Date(start + number * dayMs).toISOString();
  type Change = Partial<Record<keyof DailyStatement, unknown>>;
  /** Three days of an account that has five from the first one on. */
  const chain = (account: string, changes: Readonly<Record<number, Change>> = {}): StatementEnvelope[] => {
    let previous: string | null = null;
    return [1, 2, 3].map((number) => {
      const five = { balance: 'available', asset: 'A:x', late: '0', closing: '5' };
      const envelope = sealed({
        ...{ version: 1, account, number, day: day(number - 1).slice(0, 10), timeZone: 'UTC', nextKey: null, previous },
        ...{
          from: number === 1 ? new Date(0).toISOString() : day(number - 1),
          to: day(number),
          madeAt: day(number + 1),
        },
        balances: [{ ...five, opening: number === 1 ? '0' : '5', moved: number === 1 ? '5' : '0' }],
        lines: number === 1 ? [{ asset: 'A:x', line: 'credits', units: '5' }] : [],
        ...{ entries: nothing, audit: nothing, corrections: [] },
        ...changes[number],
      });
      previous = digestOf(envelope.statement);
      return envelope;
    });
  };
  const five = { balance: 'available', asset: 'A:x', opening: '5', moved: '0', late: '0', closing: '5' };
  const problemsOf = (envelopes: readonly StatementEnvelope[]): string =>
    verifyFiles(keys, envelopes).problems.join('\n');
  const [one, two, three] = chain('a') as [StatementEnvelope, StatementEnvelope, StatementEnvelope];
  assert.equal(problemsOf([one, two, three]), '');
  assert.equal(problemsOf([three, one, two, ...chain('b'), two]), '', 'in any order, and in several files');
  const later = verifyFiles(keys, [two, three]);
  assert.deepEqual([later.problems, later.notes.length], [[], 1], 'a part is proven, and says that it is one');
  const wrong: readonly (readonly [readonly StatementEnvelope[], RegExp])[] = [
    [[], /no statement in it/],
    [[{ ...one, sha256: digestOf('x') }], /SHA-256 is another/],
    [[{ ...one, statement: '{' }], /no statement of a version/],
    [chain('a', { 1: { version: 9 } }).slice(0, 1), /no statement of a version/],
    [chain('a', { 2: { previous: null } }).slice(1, 2), /names none before it/],
    [chain('a', { 1: { previous: digestOf('x') } }).slice(0, 1), /names another before it/],
    [[one, ...chain('b').slice(0, 1), three], /a .*the statement before it is missing/],
    [[one, two, ...chain('a', { 2: { timeZone: 'Europe/Berlin' } }).slice(1, 2)], /two different ones/],
    [chain('a', { 2: { balances: [] } }), /does not begin with what it ended with/],
    [chain('a', { 1: { balances: [five], lines: [] } }), /does not begin with nothing/],
    [chain('a', { 1: { lines: [] } }), /lines of A:x do not add up/],
    [chain('a', { 2: { from: day(0) } }), /does not begin where/],
    [chain('a', { 2: { madeAt: day(2) } }), /before its day was closed/],
    [chain('a', { 2: { madeAt: day(9) } }), /made before the one before it/],
    [chain('a', { 2: { balances: [{ ...five, late: '2', closing: '7' }] } }), /late that no correction tells/],
    [chain('a', { 2: { balances: [{ ...five, closing: '7' }] } }), /does not add up/],
    [
      chain('a', { 1: { nextKey: { id: 'other', publicKey: '' } } }),
      /signed by a key that the one before does not name/,
    ],
  ];
  for (const [envelopes, expected] of wrong) assert.match(problemsOf(envelopes), expected);
  assert.deepEqual(checkChains(new Map(), [one]).problems.length, 1, 'by a key that is not among these');
});

test('the operator proves days by a command: all of an account, or files that somebody kept', async () => {
  const merchant = await world.openAccount('UTC');
  await signUpTo(merchant, 2.5);
  const masterKey = Buffer.alloc(32, 9).toString('hex');
  const quittanceIn = async (env: NodeJS.ProcessEnv, ...words: string[]): Promise<{ code: number; said: string }> => {
    const lines: string[] = [];
    const paper = {
      log: (text: string) => lines.push(text),
      error: (complaint: unknown) => lines.push(String(complaint)),
    };
    const code = await runCommandLine(['statement', ...words], { ...process.env, ...env }, paper);
    return { code, said: lines.join('\n') };
  };
  const quittance = (...words: string[]) => quittanceIn({ DATABASE_URL: world.url, MASTER_KEY: masterKey }, ...words);
  const sound = await quittance('verify', '--merchant', merchant.id, '--until', '2025-12-21');
  assert.deepEqual([sound.code, sound.said.startsWith('2 statements are sound')], [0, true], sound.said);
  const digest = (await signedDays(merchant)).at(-1)?.digest ?? '';
  assert.ok(sound.said.includes(`2025-12-20 to 2025-12-21, the last is number 2, SHA-256 ${digest}`), sound.said);
  const short = await quittance('verify', '--merchant', merchant.id, '--until', '2025-12-22');
  assert.deepEqual([short.code, /should go on to 2025-12-22/.test(short.said)], [1, true], short.said);
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
    const keys = join(folder, 'keys.json');
    await writeFile(keys, JSON.stringify(publishedKeys(await openStatementKeys(world.db, encryption))));
    const abroad = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', MASTER_KEY: '' };
    const alone = await quittanceIn(abroad, 'verify', '--file', kept, '--keys', keys);
    assert.deepEqual([alone.code, alone.said.includes('2 statements are sound')], [0, true], alone.said);
    assert.equal((await quittanceIn(abroad, 'verify', '--file', forged, '--keys', keys)).code, 1);
    await writeFile(keys, '{}');
    assert.match((await quittanceIn(abroad, 'verify', '--file', kept, '--keys', keys)).said, /has no keys in it/);
    const caught = await quittance('verify', '--file', forged);
    assert.deepEqual([caught.code, /the signature is not ours/.test(caught.said)], [1, true], caught.said);
    assert.match((await quittance('verify', '--file', other)).said, /is no signed statement/);
  } finally {
    await rm(folder, { recursive: true });
  }
  assert.equal((await quittance('verify')).code, 2);
  const renewed = await quittance('key', 'renew');
  assert.deepEqual([renewed.code, /^The key [0-9a-f]{16} signs/.test(renewed.said)], [0, true], renewed.said);
});
