/**
 * Whatever is booked, and however a bank splits it over statements, pages and files, repeats and mangles it: the service is
 * told the same, and the sum of all that it is told is the closing balance.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { DocumentRefused } from '../../src/networks/port/documents.ts';
import type { Cursor, Observed } from '../../src/networks/port/receiving.ts';
import { isSample } from '../depth.ts';
import { closingOf, type WrittenEntry } from '../write-bank-statement.ts';
import { type Booking, openStatementBank, type StatementBank } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const ids = ['k3x9ab72mq0z', 'aaaabbbbcccc', 'o0i1o0i1o0i1', 'zz9zz8zz7zz6'];

/** As payers and banks write a reference. */
const mangled = (id: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', 'RE 4711 ', 'Ünsere Bestellung/', 'SVWZ+'),
      fc.constantFrom('upper', 'lower', 'spaced', 'folded', 'dashed'),
      fc.boolean(),
      fc.constantFrom('', ' danke', '/ROC/', ' äöü'),
    )
    .map(([before, how, isRf, behind]) => {
      const bank = isRf ? reference(id) : id;
      const written = {
        upper: bank.toUpperCase(),
        lower: bank.toLowerCase(),
        spaced: bank.replaceAll(/.{4}/g, '$& '),
        folded: isRf ? bank : bank.replaceAll('0', 'O').replaceAll('1', 'I'),
        dashed: bank.replaceAll(/.{3}/g, '$&-'),
      }[how];
      return `${before}${written}${behind}`;
    });
const reference = (id: string): string => openStatementBank().referenceFor(id);

const booking: fc.Arbitrary<Booking> = fc.oneof(
  ...ids.map((id) =>
    fc.record({
      cents: fc.bigInt({ min: 1n, max: 3n }),
      text: mangled(id),
      servicerRef: fc.constantFrom(null, null, 'SHARED'),
    }),
  ),
  fc.record({
    cents: fc.bigInt({ min: 1n, max: 3n }),
    text: fc.constantFrom('thanks', ''),
    servicerRef: fc.constant(null),
  }),
  fc.record({ cents: fc.bigInt({ min: -9n, max: -1n }), code: fc.constantFrom('808', '177', '814') }),
  fc.record({
    cents: fc.bigInt({ min: -3n, max: -1n }),
    text: fc.constantFrom(...ids),
    isReversal: fc.constant(true),
    code: fc.constant('899'),
  }),
);

/** Where the bookings of a day are cut into statements; which of these come together in a ZIP; which come again. */
const split = fc.record({
  cuts: fc.array(fc.nat({ max: 12 }), { maxLength: 4 }),
  isZip: fc.boolean(),
  again: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }),
  isTurned: fc.boolean(),
  version: fc.integer({ min: 2, max: 13 }),
  kind: fc.constantFrom('camt.053' as const, 'mt940' as const, 'camt.052' as const, 'camt.054' as const),
  /** Reports within the day: each tells the day so far. */
  isSoFar: fc.boolean(),
});
type Split = typeof split extends fc.Arbitrary<infer T> ? T : never;

/** The bookings of each statement. */
function partsOf<T>(booked: readonly T[], { cuts, kind, isSoFar }: Split): readonly (readonly T[])[] {
  const ends = [...new Set([...cuts.filter((cut) => cut < booked.length), booked.length])].toSorted((a, b) => a - b);
  return ends.map((end, place) => booked.slice(kind === 'camt.052' && isSoFar ? 0 : (ends[place - 1] ?? 0), end));
}

function statementsOf(bank: StatementBank, entries: readonly WrittenEntry[], how: Split): Uint8Array[] {
  let opening = 500n;
  return partsOf(entries, how).map((part) => {
    const written = bank.write(how.kind, part, opening);
    const isNext = how.kind !== 'camt.052' || !how.isSoFar;
    if (isNext) opening = closingOf({ id: '', sequence: 0, iban: '', currency: 'EUR', opening, entries: part });
    return written;
  });
}

const netOf = (bookings: readonly Booking[]): bigint => bookings.reduce((sum, { cents }) => sum + cents, 0n);

/**
 * What decision 0100 wants of them. What follows a report after which the balance is what it was may tell its bookings again; a
 * notice has one booking at least that is not known, and none that is known by a number.
 */
function isAllowed(bookings: readonly Booking[], how: Split): boolean {
  const parts = partsOf(bookings, how);
  if (how.kind === 'camt.052') return parts.slice(0, -1).every((part) => part.length === 0 || netOf(part) !== 0n);
  if (how.kind !== 'camt.054') return true;
  const known = new Map<string, number>();
  return parts.every((part, place) => {
    const told = Map.groupBy(part, alikeness);
    const isNew = [...told].some(([alike, all]) => all.length > (known.get(alike) ?? 0));
    const isNamed = part.some((each) => each.servicerRef != null && known.has(alikeness(each)));
    for (const [alike, all] of told) known.set(alike, (known.get(alike) ?? 0) + all.length);
    return place === 0 || part.length === 0 || (isNew && !isNamed);
  });
}

const alikeness = ({ cents, text = '', servicerRef = null }: Booking): string =>
  [cents, text.replaceAll(/\s/g, '').toUpperCase(), servicerRef].join(' ');

/** How the bank marks what it takes back is known from a statement, which tells nothing besides. */
async function proveReversals(bank: StatementBank): Promise<void> {
  const [fee, back] = [
    { cents: -5n, code: '808' },
    { cents: 5n, code: '808', isReversal: true },
  ];
  await bank.bring(bank.write('camt.053', [bank.entryOf(fee), bank.entryOf(back)], 0n));
}

async function tell(bookings: readonly Booking[], how: Split) {
  const form = { version: how.version, reversalsAreTurned: how.isTurned };
  const bank = openStatementBank({ creditsFrom: how.kind, form });
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  for (const id of ids)
    watched.targets.add((await watched.connector.createTarget({ ...request(bank), reference: id })).key);
  if (how.kind === 'camt.054') await proveReversals(bank);
  const entries = bookings.map((each) => ({ ...bank.entryOf(each), servicerRef: each.servicerRef ?? null }));
  const files = statementsOf(bank, entries, how);
  const rounds: Observed[] = [];
  if (how.isZip) await bank.bring(zipSync(Object.fromEntries(files.map((file, place) => [`${place}.xml`, file]))));
  for (const file of files) {
    await bank.bring(file); // From a ZIP that was brought before, it is known.
    rounds.push(...(await watched.observe()));
    for (const place of how.again) if (files.indexOf(file) >= place) await bank.bring(files[place] as Uint8Array);
  }
  return { bank, rounds: [...rounds, ...(await watched.observe())], files };
}

const request = (bank: StatementBank) => ({
  targetId: 'aaaaaaaaaaaa',
  index: 1,
  amount: { asset: 'EUR', units: 1n },
  assetCode: 'EUR',
  requestedAt: bank.now(),
  expiresAt: bank.now(),
});

const toldOf = (rounds: readonly Observed[]): string[] =>
  rounds
    .flatMap(({ observations, unmatched = [], reversals = [], otherMovements = [] }) => [
      ...observations.map((each) => `paid ${each.targetKey} ${each.units} ${each.txHash}`),
      ...unmatched.map((each) => `unmatched ${each.units} ${each.txHash}`),
      ...reversals.map((each) => `reversed ${each.units} ${each.reversalId}`),
      ...otherMovements.map((each) => `${each.kind} ${each.units} ${each.key}`),
    ])
    .toSorted();

const sumOf = (rounds: readonly Observed[]): bigint =>
  rounds
    .flatMap(({ observations, unmatched = [], reversals = [], otherMovements = [] }) => [
      ...[...observations, ...unmatched, ...otherMovements].map(({ units }) => units),
      ...reversals.map(({ units }) => -units),
    ])
    .reduce((sum, units) => sum + units, 0n);

const whole: Split = {
  cuts: [],
  isZip: false,
  again: [],
  isTurned: false,
  version: 8,
  kind: 'camt.053',
  isSoFar: false,
};

/** The same each time; with TEST_SEED others. */
const drawn = { seed: Number(process.env['TEST_SEED'] ?? 7) };

/** What is left of the first payment is as much as the last correction takes back. */
const takenBackInPart = [3n, -2n, 2n, -1n].map(
  (cents): Booking =>
    cents > 0n ? { cents, text: ids[0] ?? '' } : { cents, text: ids[0] ?? '', isReversal: true, code: '899' },
);

test('any split, repetition and form of the same bookings is told alike, and comes to the closing balance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(booking, { minLength: 1, maxLength: 12 }), split, async (bookings, how) => {
      fc.pre(isAllowed(bookings, how));
      const { rounds, bank } = await tell(bookings, how);
      const before = how.kind === 'camt.054' ? [] : [500n]; // A notice does not say what lay there.
      const due = before.reduce((sum, units) => sum + units, netOf(bookings));
      assert.equal(sumOf(rounds), due);
      assert.equal(
        new Set(toldOf(rounds)).size,
        bookings.length + before.length,
        'what lay there before, and each is told once, under a name of its own',
      );
      // An MT940 has fewer fields than a camt, so its bookings have other names.
      const alone = await tell(bookings, { ...whole, kind: how.kind });
      assert.deepEqual(toldOf(rounds), toldOf(alone.rounds));
      if (how.kind === 'camt.054') return;
      const cursor = rounds.at(-1)?.cursor as Cursor;
      const asked = { tip: { hash: '', height: 0 }, cursor, highestIndex: 0, async *usedTargets() {} };
      assert.deepEqual(await bank.createConnector().holdings?.(asked), [{ assetCode: 'EUR', units: due }]);
    }),
    { ...drawn, numRuns: isSample() ? 40 : 150, examples: [[takenBackInPart, { ...whole, cuts: [2] }]] },
  );
});

test('every payment with a reference is its target’s, however the bank writes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(...ids.map(mangled)), split, async (text, how) => {
      const { rounds } = await tell([{ cents: 7n, text }], how);
      const paid = rounds.flatMap(({ observations }) => observations);
      assert.deepEqual(
        paid.map(({ units }) => units),
        [7n],
        text,
      );
    }),
    { ...drawn, numRuns: isSample() ? 20 : 60 },
  );
});

test('a file that somebody spoilt is refused or says what it said, and what is refused changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(booking, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
      fc.nat(),
      async (bookings, changes, cut) => {
        const bank = openStatementBank();
        const bytes = Buffer.from(bank.write('camt.053', bookings.map(bank.entryOf), 500n));
        for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
        const spoilt = cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
        const connector = bank.createConnector();
        try {
          await bank.documents.import(connector, spoilt);
          for (const each of bank.documents.records) JSON.parse(JSON.stringify(each.told));
        } catch (error) {
          assert.ok(error instanceof DocumentRefused, String(error));
          assert.deepEqual([bank.documents.accepted.length, bank.documents.records.length], [0, 0]);
        }
      },
    ),
    { ...drawn, numRuns: isSample() ? 60 : 200 },
  );
});

/** Made anew by the bank: with another message, and perhaps under another id and without the number that it had. */
const madeAnew = (file: Uint8Array, isRenamed: boolean, isUnnumbered: boolean): Uint8Array => {
  const text = Buffer.from(file).toString().replace('MESSAGE', 'MADE-ANEW');
  const named = isRenamed ? text.replace('<Id>camt', '<Id>renamed-camt').replace(':28C:', ':28C:9') : text;
  return Buffer.from(isUnnumbered ? named.replace(/<ElctrncSeqNb>\d+<\/ElctrncSeqNb>/, '') : named);
};

const rails = fc.constantFrom(undefined, 'USD' as const, 'EUR' as const);
const kinds = fc.constantFrom('camt.053' as const, 'camt.052' as const, 'mt940' as const, 'camt.054' as const);
/** In which order files come, and what comes again after each of them: which one, and as which copy. */
const arrival = fc.record({
  order: fc.infiniteStream(fc.nat()),
  again: fc.infiniteStream(fc.tuple(fc.nat(), fc.boolean(), fc.boolean(), fc.boolean())),
});

test('in whatever order statements come, and however often the bank makes them anew, the same is told once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(booking, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 }),
      kinds,
      rails,
      arrival,
      async (days, kind, swiftCurrency, { order, again }) => {
        const isNotice = kind === 'camt.054';
        // A statement after which the balance is what it was before some other one has no place that a balance proves.
        const balances = days.map((_, place) => netOf(days.slice(0, place).flat()));
        fc.pre(isNotice || new Set([...balances, netOf(days.flat())]).size === days.length + 1);
        // A notice that takes a payment back must come after the one that told of it.
        fc.pre(!isNotice || !days.flat().some(({ isReversal }) => isReversal));
        const options = { creditsFrom: kind, ...(swiftCurrency && { swiftCurrency }) };

        const told = async (isMixed: boolean): Promise<string[]> => {
          const bank = openStatementBank(options);
          const watched = createWatched(bank.createConnector(), bank.documents.context);
          for (const id of ids) watched.targets.add(id.replaceAll('o', '0').replaceAll('i', '1'));
          const files = days.map((bookings, place) => {
            if (place > 0) bank.pass(1);
            const entries = bookings.map((each) => ({ ...bank.entryOf(each), servicerRef: each.servicerRef ?? null }));
            return bank.write(kind, entries, 500n + (balances[place] ?? 0n));
          });
          const rounds: Observed[] = [];
          const bring = async (file: Uint8Array): Promise<'taken' | 'waits' | 'refused'> => {
            try {
              await bank.bring(file);
            } catch (error) {
              if (!(error instanceof DocumentRefused)) throw error;
              return error.isEarly ? 'waits' : 'refused';
            }
            rounds.push(...(await watched.observe()));
            return 'taken';
          };
          const [first, ...rest] = files as [Uint8Array, ...Uint8Array[]];
          assert.equal(await bring(first), 'taken');
          const drawn = rest.map((file) => ({ file, turn: isMixed ? (order.next().value ?? 0) : 0 }));
          const left = drawn.toSorted((a, b) => a.turn - b.turn).map(({ file }) => file);
          for (let turns = 0; left.length > 0; turns += 1) {
            assert.ok(turns < 50, 'some wait for ever');
            const file = left.shift() as Uint8Array;
            const became = await bring(file);
            assert.notEqual(became, 'refused');
            if (became === 'waits') left.push(file);
            const { value } = again.next();
            const [which, isAgain, isRenamed, isUnnumbered] = value ?? [0, false, false, false];
            const copied = files.filter((each) => !left.includes(each));
            if (isMixed && isAgain)
              await bring(madeAnew(copied[which % copied.length] ?? first, isRenamed, isUnnumbered));
          }
          rounds.push(...(await watched.observe()));
          assert.equal(sumOf(rounds), (isNotice ? 0n : 500n) + netOf(days.flat()));
          return toldOf(rounds);
        };
        assert.deepEqual(await told(true), await told(false));
      },
    ),
    { ...drawn, numRuns: isSample() ? 40 : 300 },
  );
});

const everyKind = ['camt.053', 'mt940', 'camt.052', 'camt.054'] as const;
/** What comes on a day; which messages of it are brought; to what the setting is changed then; what else is brought by that. */
const tellingDay = fc.record({
  payments: fc.nat({ max: 2 }),
  hasDebit: fc.boolean(),
  brought: fc.uniqueArray(kinds, { maxLength: 4 }),
  setting: fc.option(kinds, { freq: 4 }),
  later: fc.array(fc.tuple(fc.nat({ max: 9 }), kinds), { maxLength: 2 }),
});

test('whichever messages credit, and whenever that is changed, no payment counts twice and none that was shown is passed over', async () => {
  await fc.assert(
    fc.asyncProperty(kinds, fc.array(tellingDay, { minLength: 2, maxLength: 8 }), async (first, days) => {
      const bank = openStatementBank({ creditsFrom: first });
      const watched = createWatched(bank.createConnector(), bank.documents.context);
      watched.targets.add('k3x9ab72mq0z');
      let [setting, balance, count]: [(typeof everyKind)[number], bigint, number] = [first, 10n, 0];
      const bring = async (file: Uint8Array | undefined): Promise<void> => {
        try {
          if (file) await bank.documents.import(bank.createConnector(setting), file);
        } catch (error) {
          if (!(error instanceof DocumentRefused)) throw error;
        }
      };
      const written: Map<string, Uint8Array>[] = [];
      for (const { payments, hasDebit, brought, setting: next, later } of days) {
        const cents = [
          ...Array.from({ length: payments }, () => 100n * 2n ** BigInt((count += 1))),
          ...(hasDebit ? [-1n] : []),
        ];
        const messages = everyKind.map((kind): [string, Uint8Array] => {
          const entries = cents.map((each) =>
            bank.entryOf({ cents: each, text: 'k3x9ab72mq0z', servicerRef: `${kind}${each}` }),
          );
          return [kind, bank.write(kind, entries, balance)];
        });
        balance += cents.reduce((sum, each) => sum + each, 0n);
        written.push(new Map(messages));
        for (const kind of brought) await bring(written.at(-1)?.get(kind));
        setting = next ?? setting;
        for (const [place, kind] of later) await bring(written[place]?.get(kind));
        bank.pass(1);
      }
      // Whoever is told what to bring again brings all that there is.
      for (let round = 0; round < 3; round += 1) for (const messages of written) await bring(messages.get(setting));
      await watched.observe();
      const booked = [...watched.payments.values()].filter(({ fate }) => fate === 'in a block');
      const paid = booked.map(({ observation: { units } }) => String(units));
      assert.equal(new Set(paid).size, paid.length);
      const { accepted, records } = bank.documents;
      const own = accepted.filter(({ told }) => told['kind'] === setting);
      const others = accepted.filter(({ told }) => told['kind'] !== setting && told['isCrediting'] === true);
      // What is before the first balance that counts is nobody's here.
      const [begun = ''] = accepted.flatMap(({ told: { isCrediting, closing, to } }) =>
        isCrediting === true && closing !== null ? [to as string] : [],
      );
      const passedOver = own.filter(
        ({ told, position }) =>
          told['isCrediting'] === false &&
          String(told['firstDay']) > begun &&
          own.some((each) => each.position > position && each.told['isCrediting'] === true) &&
          others.every((each) => String(each.told['to']) < String(told['firstDay'])),
      );
      for (const { position } of passedOver)
        for (const { told } of records.filter((each) => each.position === position))
          assert.ok(paid.includes(String(told['units'])), `${String(told['units'])} was shown and is nobody’s`);
    }),
    { ...drawn, numRuns: isSample() ? 40 : 400 },
  );
});
