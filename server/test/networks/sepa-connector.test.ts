/** SEPA through the port: files that a bank would send, and what the service is told of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { DocumentRefused } from '../../src/networks/port/documents.ts';
import type { Cursor, Observed } from '../../src/networks/port/receiving.ts';
import { sepaNetwork } from '../../src/networks/sepa/sepa.ts';
import type { WrittenEntry } from '../write-bank-statement.ts';
import { describeConformance } from './conformance.ts';
import type { Imported } from './memory-documents.ts';
import { quietContext } from './quiet-context.ts';
import { describeReversals } from './reversal-conformance.ts';
import {
  openStatementBank,
  ourIban,
  payerIban,
  type StatementBank,
  type StatementBankOptions,
} from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const txOf = (imported: readonly Imported[]): string => String(imported[0]?.records.at(-1)?.told['tx']);

describeConformance('SEPA', async () => {
  const bank = openStatementBank();
  const bookFor = (memo: string | null, cents: bigint): void => bank.book({ cents, text: `Order ${memo}` });
  return {
    asset: 'EUR',
    assetCode: 'EUR',
    ordinaryUnits: 2_500n,
    smallestUnits: 1n,
    createConnector: bank.createConnector,
    documents: bank.documents.context,
    async pay(...payments) {
      for (const { target, units } of payments) bookFor(target.memo, units);
      return txOf(await bank.announce());
    },
    async mine(count) {
      for (let mined = 0; mined < count; mined += 1) await bank.close();
    },
    async drop() {
      bank.forget();
      await bank.close();
    },
    async stop() {},
  };
}, ['pay several targets at once', 'fill a block', 'reorganise', 'replace', 'lose its node']);

const id = 'k3x9ab72mq0z';

describeReversals('SEPA', () => {
  const bank = openStatementBank();
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  const text = bank.referenceFor(id);
  return {
    createConnector: bank.createConnector,
    context: {
      ...quietContext,
      knownTargets: async (keys) => new Set(keys.filter((key) => key === id)),
      arrivalsAt: async () => [...watched.payments.values()].map(({ observation }) => observation),
      documents: bank.documents.context,
    },
    async pay(units) {
      bank.book({ cents: units, text });
      return { txHash: txOf(await bank.close()), index: '0' };
    },
    async takeBack(_txHash, units) {
      bank.book({ cents: -units, text, isReversal: true, code: '899' });
      await bank.close();
    },
    async takeFee(units) {
      bank.book({ cents: -units, text: 'Account fee', code: '808' });
      await bank.close();
    },
    pass: bank.pass,
  };
});

/** A bank and a watcher that waits for one target. */
async function open(options: StatementBankOptions = {}) {
  const bank = openStatementBank(options);
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  const target = await watched.connector.createTarget({
    targetId: 'anotheridxyz',
    index: 1,
    reference: id,
    amount: { asset: 'EUR', units: 2_500n },
    assetCode: 'EUR',
    requestedAt: bank.now(),
    expiresAt: bank.now(),
  });
  watched.targets.add(target.key);
  return { bank, watched, target };
}

const everything = (rounds: readonly Observed[]) => ({
  paid: rounds.flatMap(({ observations }) => observations.filter(({ block }) => block).map(({ units }) => units)),
  seen: rounds.flatMap(({ observations }) => observations.filter(({ block }) => !block).map(({ units }) => units)),
  unmatched: rounds.flatMap(({ unmatched = [] }) => unmatched.map(({ units }) => units)),
  reversed: rounds.flatMap(({ reversals = [] }) => reversals.map(({ units }) => units)),
  moved: rounds.flatMap(({ otherMovements = [] }) => otherMovements.map(({ kind, units }) => `${kind} ${units}`)),
  gone: rounds.flatMap(({ vanishedArrivals }) => vanishedArrivals.length),
});

const held = async (bank: StatementBank, cursor: Cursor): Promise<bigint | undefined> => {
  const { tip } = { tip: { hash: '', height: 0 } };
  const found = await bank.createConnector().holdings?.({ tip, cursor, highestIndex: 0, async *usedTargets() {} });
  return found?.[0]?.units;
};

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DocumentRefused, `it was not refused: ${String(error)}`);
  return error.problem.code;
}

test('a target is our account with a reference of its own, and all that a banking app asks for', async () => {
  const { watched, target } = await open();
  assert.deepEqual(target, { key: id, address: ourIban, memo: 'RF16K3X9AB72MQ0Z', memoType: 'text' });
  const { network } = watched.connector;
  const shown = network.payerInstructions?.({ ...target, assetCode: 'EUR', amount: '25.00', joint: null });
  assert.deepEqual(
    shown?.fields.map(({ value }) => value),
    ['Shop AG', ourIban, 'HELADEF1822', 'RF16K3X9AB72MQ0Z'],
  );
  assert.match(shown?.link.qrText ?? '', /^BCD\n002\n1\nSCT\nHELADEF1822\nShop AG\nDE67.*\nEUR25.00\n\n\nRF16/);
});

test('whose money it is, is looked up once for five hundred bookings, however many documents told of them', async () => {
  const lookUpsFor = async (...statements: readonly number[]): Promise<number> => {
    const { bank, watched } = await open();
    for (const count of statements) {
      for (let place = 0; place < count; place += 1)
        bank.book({
          cents: BigInt(place + 1),
          text: place % 2 === 0 ? `Order ${id}` : `RF nobody ${place} abcdefghijkl`,
        });
      await bank.close();
    }
    const { paid, unmatched } = everything(await watched.observe());
    assert.equal(
      paid.length + unmatched.length,
      statements.reduce((sum, count) => sum + count, 0),
    );
    assert.ok(paid.length >= unmatched.length && unmatched.length > 0, 'every other one is for a target of ours');
    return watched.lookUps;
  };
  assert.equal(await lookUpsFor(500), 1);
  assert.equal(await lookUpsFor(501), 2);
  assert.equal(await lookUpsFor(200, 150, 150), 1);
  assert.equal(await lookUpsFor(300, 900), 3);
});

test('whatever a bank makes of the reference, and the id of the checkout alone, is for its target', async () => {
  const { bank, watched } = await open();
  const texts = ['RF16 K3X9 AB72 MQ0Z', 'rf16k3x9ab72mqoz', `order ${id}!`, 'Rechnung 7 RF16K3X9AB7 2MQ0Z danke'];
  for (const [place, text] of texts.entries()) bank.book({ cents: BigInt(100 + place), text });
  bank.book({ cents: 900n, text: 'no reference' }, { cents: 901n, text: 'RF16K3X9AB72MQ0 cut' });
  await bank.close();
  const { paid, unmatched } = everything(await watched.observe());
  assert.deepEqual(
    [paid, unmatched],
    [
      [100n, 101n, 102n, 103n],
      [900n, 901n],
    ],
  );
});

test('two references in one transfer are for a person, whatever the amount', async () => {
  const { bank, watched } = await open();
  watched.targets.add('zzzzzzzzzzzz');
  bank.book({ cents: 2_500n, text: `${id} ZZZZZZZZZZZZ` });
  await bank.close();
  assert.deepEqual(everything(await watched.observe()).unmatched, [2_500n]);
});

test('every cent of a statement is told once, so holdings are its closing balance', async () => {
  const { bank, watched } = await open({ opening: 50_000n });
  bank.book(
    { cents: 2_500n, text: id },
    { cents: 700n, text: 'nobody' },
    { cents: -390n, text: 'Entgelt', code: '808' },
    { cents: 12n, text: 'Zinsen', code: '814' },
    { cents: -10_000n, text: 'landlord' },
    { cents: 390n, text: 'Storno Entgelt', code: '808', isReversal: true },
    { cents: 45n, text: 'cash', code: '059' },
  );
  await bank.close();
  const rounds = await watched.observe();
  const { paid, unmatched, moved } = everything(rounds);
  assert.deepEqual([paid, unmatched], [[2_500n], [700n, 45n]]);
  const opened = 'OWN_MONEY 50000'; // What lay there before.
  assert.deepEqual(moved, [opened, 'FEE -390', 'INTEREST 12', 'UNKNOWN -10000', 'FEE 390']);
  assert.equal(await held(bank, rounds.at(-1)?.cursor ?? {}), bank.balance);
  bank.book({ cents: 1n, text: 'nobody' });
  await bank.close();
  assert.deepEqual(everything(await watched.observe()).moved, [], 'it is brought in once');
});

test('who paid is told with what is unmatched, and with a payment, so that it can go back', async () => {
  const { bank, watched, target } = await open();
  bank.book({ cents: 2_500n, text: id, name: 'Ada Payer' }, { cents: 5n, text: 'thanks', name: 'Bob' });
  await bank.close();
  const [round] = await watched.observe();
  const [lost] = round?.unmatched ?? [];
  assert.deepEqual([lost?.sender, lost?.memo], [payerIban, 'Bob · thanks']);
  const trace = watched.paymentsTo(target)[0]?.observation.trace ?? {};
  const payer = watched.connector.payerOf?.(trace);
  assert.deepEqual([payer?.account.address, payer?.account.holder?.name], [payerIban, 'Ada Payer']);
  assert.equal(watched.connector.payerOf?.({}), null);
});

test('a booking may have come when its day began by the first clock that its bank may go by', async () => {
  const begun = async (options: StatementBankOptions): Promise<string | undefined> => {
    const { bank, watched } = await open(options);
    bank.book({ cents: 500n, text: 'thanks' });
    await bank.close();
    const [round] = await watched.observe();
    return round?.unmatched?.[0]?.dayBegan?.toISOString();
  };
  assert.equal(await begun({}), '2026-03-01T22:00:00.000Z', 'in Helsinki');
  assert.equal(await begun({ swiftCurrency: 'EUR' }), '2026-03-01T10:00:00.000Z', 'in Kiribati');
});

test('a name or text with what nobody can see in it is taken, and told without', async () => {
  const { bank, watched, target } = await open();
  bank.book(
    { cents: 2_500n, text: id, name: '\u202eAda\u200b Payer' },
    { cents: 5n, text: 'th\u2067anks', name: 'B\u200eob' },
  );
  await bank.close();
  const [round] = await watched.observe();
  assert.equal(round?.unmatched?.[0]?.memo, 'Bob · thanks');
  const payer = watched.connector.payerOf?.(watched.paymentsTo(target)[0]?.observation.trace ?? {});
  assert.equal(payer?.account.holder?.name, 'Ada Payer');
});

test('the same file again changes nothing; another statement of that name is refused', async () => {
  const { bank, watched } = await open();
  const first = bank.write('camt.053', [bank.entryOf({ cents: 2_500n, text: id })], 0n);
  await bank.bring(first);
  assert.deepEqual(await bank.bring(first), []);
  assert.deepEqual(await bank.bring(zipSync({ 'again.xml': first })), [], 'in a ZIP too');
  const other = Buffer.from(Buffer.from(first).toString().replaceAll('Ada Payer', 'Eve Payer'));
  assert.equal(await refusal(bank.bring(other)), 'bank_statement_known');
  assert.deepEqual(everything(await watched.observe()).paid, [2_500n]);
});

test('a statement that does not go on from the last one is refused, of another kind it is not compared with it', async () => {
  const { bank, watched } = await open();
  bank.book({ cents: 100n, text: id });
  await bank.close();
  assert.equal(await refusal(bank.bring(bank.write('camt.053', [], 99n))), 'bank_opening_wrong');
  await bank.bring(bank.write('mt940', [bank.entryOf({ cents: 100n, text: id })], 0n));
  const rounds = await watched.observe();
  assert.deepEqual(everything(rounds).paid, [100n], 'and it credits nothing');
  assert.equal(await held(bank, rounds.at(-1)?.cursor ?? {}), 100n);
});

test('equal bookings of one day are as many payments, however they are split over files', async () => {
  const { bank, watched, target } = await open();
  const twin = bank.entryOf({ cents: 100n, text: id, servicerRef: null });
  await bank.bring(bank.write('camt.053', [twin, twin], 0n));
  await bank.bring(bank.write('camt.053', [twin], 200n));
  await bank.bring(zipSync({ a: bank.write('camt.053', [twin, twin], 300n), b: bank.write('camt.053', [twin], 500n) }));
  await watched.observe();
  assert.equal(watched.paymentsTo(target).length, 6);
});

test('what another message announced is seen, then booked as the same payment, or gone', async () => {
  const { bank, watched, target } = await open();
  bank.book({ cents: 2_500n, text: id });
  await bank.announce('camt.054');
  await bank.announce('camt.052');
  assert.deepEqual(everything(await watched.observe()).seen, [2_500n, 2_500n]);
  assert.equal(watched.paymentsTo(target).length, 1, 'told twice, and one payment');
  await bank.close();
  const rounds = await watched.observe();
  assert.deepEqual([everything(rounds).paid, everything(rounds).gone], [[2_500n], [0]]);
  assert.deepEqual(
    watched.summary(target).map(([, , fate]) => fate),
    ['in a block'],
  );
  bank.book({ cents: 9n, text: id });
  await bank.announce();
  await watched.observe();
  bank.forget();
  await bank.close();
  assert.deepEqual(everything(await watched.observe()).gone, [1]);
});

test('a report that comes after the statement of its day shows nothing', async () => {
  const { bank, watched } = await open();
  const entry = bank.entryOf({ cents: 2_500n, text: id });
  const late = bank.write('camt.052', [entry, bank.entryOf({ cents: 7n, text: id })], 0n);
  await bank.bring(bank.write('camt.053', [entry], 0n));
  await watched.observe();
  await bank.bring(late);
  assert.deepEqual(everything(await watched.observe()).seen, []);
});

test('pending and informative entries credit nothing', async () => {
  const { bank, watched } = await open();
  for (const status of ['PDNG', 'INFO'] as const) bank.book({ cents: 100n, text: `${id} ${status}`, status });
  await bank.close();
  const { paid, seen } = everything(await watched.observe());
  assert.deepEqual([paid, seen], [[], [100n]]);
});

for (const reversalsAreTurned of [false, true])
  test(`a correction is taken from its payment, marked ${reversalsAreTurned ? 'as what it takes back' : 'as it was booked'}`, async () => {
    const { bank, watched, target } = await open({ form: { reversalsAreTurned } });
    bank.book({ cents: 2_500n, text: id }, { cents: 800n, text: 'nobody' });
    await bank.close();
    const [first] = await watched.observe();
    const back = (cents: bigint, text: string) => ({ cents: -cents, text, isReversal: true });
    bank.book(back(2_500n, id), back(800n, 'nobody'), back(300n, 'nobody'));
    await bank.close();
    const [round] = await watched.observe();
    assert.deepEqual(
      round?.reversals?.map(({ txHash, units }) => [txHash, units]),
      [
        [watched.paymentsTo(target)[0]?.observation.txHash, 2_500n],
        [first?.unmatched?.[0]?.txHash, 800n],
      ],
      'what matched nobody is taken back from where it waits',
    );
    assert.deepEqual(everything(round ? [round] : []).moved, ['UNKNOWN -300'], 'what never came is for a person');
  });

test('reports that credit: what is new, and the day so far, are told apart by their balances', async () => {
  const { bank, watched, target } = await open({ creditsFrom: 'camt.052' });
  const twin = bank.entryOf({ cents: 100n, text: id, servicerRef: null });
  await bank.bring(bank.write('camt.052', [twin], 0n));
  await bank.bring(bank.write('camt.052', [twin, twin], 0n));
  await watched.observe();
  assert.equal(watched.paymentsTo(target).length, 2, 'the day so far, told again');
  await bank.bring(bank.write('camt.052', [twin], 200n));
  await watched.observe();
  assert.equal(watched.paymentsTo(target).length, 3, 'what is new');
  assert.equal(await refusal(bank.bring(bank.write('camt.052', [twin], 150n))), 'bank_report_unconnected');
});

test('days that one kind of message has credited are not credited by another, whatever the setting says now', async () => {
  const { bank } = await open({ creditsFrom: 'camt.052' });
  const entry = bank.entryOf({ cents: 100n, text: id });
  await bank.bring(bank.write('camt.052', [entry], 0n));
  const changed = bank.createConnector('camt.053');
  const statement = bank.write('camt.053', [entry], 0n);
  assert.equal(await refusal(bank.documents.import(changed, statement)), 'bank_kinds_overlap');
  bank.pass(1);
  assert.equal((await bank.documents.import(changed, bank.write('camt.053', [], 100n))).length, 1);
});

test('another kind of message credits only from where the one before it stopped', async () => {
  for (const [before, after] of [
    ['camt.052', 'camt.053'],
    ['camt.053', 'camt.052'],
    ['mt940', 'camt.053'],
  ] as const) {
    const { bank } = await open({ creditsFrom: before });
    await bank.bring(bank.write(before, [bank.entryOf({ cents: 100n, text: id })], 0n));
    bank.pass(1);
    const changed = bank.createConnector(after);
    const next = [bank.entryOf({ cents: 1n, text: 'nobody' })];
    const told = bank.documents.import(changed, bank.write(after, next, 150n));
    assert.equal(await refusal(told), 'bank_opening_wrong', `${before}, ${after}: 50 were told by nobody`);
    assert.equal((await bank.documents.import(changed, bank.write(after, next, 100n))).length, 1);
  }
});

test('a notice that was forgotten and comes late takes nothing from what those after it have credited', async () => {
  const { bank } = await open({ creditsFrom: 'camt.054' });
  const noticeOf = (day: string, entry: WrittenEntry): Uint8Array =>
    Buffer.from(
      Buffer.from(bank.write('camt.054', [entry], 0n))
        .toString()
        .replace('<Acct>', `<FrToDt><FrDtTm>${day}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt><Acct>`),
    );
  const [forgotten, firstDay] = [bank.entryOf({ cents: 100n, text: 'nobody' }), bank.day()];
  bank.pass(1);
  const [entry, day] = [bank.entryOf({ cents: 2_500n, text: id }), bank.day()];
  await bank.bring(noticeOf(day, entry));
  await bank.bring(noticeOf(firstDay, forgotten));
  const changed = bank.createConnector('camt.053');
  assert.equal(
    await refusal(bank.documents.import(changed, bank.write('camt.053', [entry], 100n))),
    'bank_kinds_overlap',
  );
});

test('what notices credited before the first balance is not the operator’s own as well', async () => {
  const { bank, watched } = await open({ creditsFrom: 'camt.054', opening: 50_000n });
  bank.book({ cents: 2_500n, text: id });
  await bank.close();
  const rounds = await watched.observe();
  assert.deepEqual(everything(rounds).moved, [], 'a notice has no balance');
  const { cursor, firstBlock } = sepaNetwork.rewind(rounds.at(-1)?.cursor ?? {}, 0);
  assert.deepEqual([cursor['bookedBefore'], firstBlock], ['0', 1], 'what is read again is not counted twice');
  const changed = createWatched(bank.createConnector('camt.053'), bank.documents.context);
  changed.targets.add(id);
  bank.book({ cents: 100n, text: 'nobody' });
  await bank.documents.import(changed.connector, bank.write('camt.053', bank.pending, bank.balance));
  const { paid, unmatched, moved } = everything(await changed.observe());
  assert.deepEqual([paid, unmatched, moved], [[2_500n], [100n], ['OWN_MONEY 50000']]);
});

test('where notices credit what a statement ended with before is no balance any more, until a statement credits again', async () => {
  const { bank, watched } = await open({ opening: 50_000n });
  const heldNow = async () => held(bank, (await watched.observe()).at(-1)?.cursor ?? {});
  bank.book({ cents: 2_500n, text: id });
  await bank.close();
  assert.equal(await heldNow(), 52_500n);
  watched.restart(bank.createConnector('camt.054'));
  const notified = bank.entryOf({ cents: 700n, text: id });
  await bank.documents.import(watched.connector, bank.write('camt.054', [notified], 0n));
  assert.equal(await heldNow(), undefined, 'a notice has no balance');
  await bank.documents.import(watched.connector, bank.write('camt.053', [notified], 52_500n));
  assert.equal(await heldNow(), undefined, 'what does not credit is not in the books');
  watched.restart(bank.createConnector('camt.053'));
  bank.pass(1);
  const next = bank.entryOf({ cents: 1n, text: id });
  await bank.documents.import(watched.connector, bank.write('camt.053', [next], 53_200n));
  assert.equal(await heldNow(), 53_201n);
});

test('what was brought while another kind credited is credited when it is brought again, once, and before what follows', async () => {
  for (const [kind, told] of [
    ['mt940', 'OWN_MONEY 10'],
    ['camt.052', 'OWN_MONEY 10'],
    ['camt.054', null],
  ] as const) {
    const { bank, watched } = await open();
    let balance = 10n;
    const day = (cents: bigint): Uint8Array => {
      bank.pass(1);
      const bytes = bank.write(kind, [bank.entryOf({ cents, text: id })], balance);
      balance += cents;
      return bytes;
    };
    const [first, second] = [day(2_500n), day(-100n)];
    for (const each of [first, second]) assert.equal((await bank.bring(each)).length, 1);
    assert.deepEqual(everything(await watched.observe()).paid, [], 'the setting says camt.053');
    const changed = bank.createConnector(kind);
    watched.restart(changed);
    const bring = (bytes: Uint8Array) => bank.documents.import(changed, bytes);
    const third = day(700n);
    assert.equal(await refusal(bring(third)), 'bank_shown_only', kind);
    assert.equal(await refusal(bring(second)), 'bank_shown_only', kind);
    await bring(first);
    if (kind === 'camt.054') assert.equal(await refusal(bring(third)), 'bank_shown_only', 'no balance would miss it');
    for (const each of [second, third, third, first, second]) await bring(each);
    const { paid, moved } = everything(await watched.observe());
    assert.deepEqual(
      [paid, moved],
      [
        [2_500n, 700n],
        [...(told === null ? [] : [told]), 'UNKNOWN -100'],
      ],
      kind,
    );
  }
});

test('equal bookings in reports of one day that were only shown are as many payments when they are brought again', async () => {
  const { bank, watched } = await open();
  const twin = bank.entryOf({ cents: 100n, text: id, servicerRef: null });
  const reports = [0n, 100n].map((balance) => bank.write('camt.052', [twin], balance));
  for (const each of reports) await bank.bring(each);
  watched.restart(bank.createConnector('camt.052'));
  for (const each of [...reports, ...reports]) await bank.documents.import(watched.connector, each);
  assert.deepEqual(everything(await watched.observe()).paid, [100n, 100n]);
});

test('what was shown of days that another kind has credited is passed over as before', async () => {
  const { bank, watched } = await open({ creditsFrom: 'camt.054', opening: 10n });
  const entry = bank.entryOf({ cents: 2_500n, text: id });
  await bank.bring(bank.write('camt.054', [entry], 0n));
  const statement = bank.write('camt.053', [entry], 10n);
  await bank.bring(statement);
  watched.restart(bank.createConnector('camt.053'));
  assert.equal((await bank.documents.import(watched.connector, statement)).length, 0);
  bank.pass(1);
  const next = bank.write('camt.053', [bank.entryOf({ cents: 100n, text: id })], 2_510n);
  assert.equal((await bank.documents.import(watched.connector, next)).length, 1);
  assert.deepEqual(everything(await watched.observe()).paid, [2_500n, 100n]);
});

test('a report is held to the balance that it has come to, which is no closing one', async () => {
  for (const isTurned of [false, true]) {
    const { bank } = await open({ form: { reversalsAreTurned: isTurned } });
    const entries = [bank.entryOf({ cents: 100n, text: id }), bank.entryOf({ cents: -30n, isReversal: true })];
    const report = Buffer.from(bank.write('camt.052', entries, 0n))
      .toString()
      .replaceAll('CLBD', 'ITBD');
    const wrong = report.replace('<Amt Ccy="EUR">0.70</Amt>', '<Amt Ccy="EUR">0.71</Amt>');
    assert.equal(await refusal(bank.bring(Buffer.from(wrong))), 'bank_sum_wrong');
    assert.equal((await bank.bring(Buffer.from(report))).length, 1, 'and by it a correction is understood');
  }
});

test('a notice that credits and takes back is refused until a statement proved how the bank marks that', async () => {
  const { bank, watched } = await open({ creditsFrom: 'camt.054', form: { reversalsAreTurned: true } });
  await bank.bring(bank.write('camt.054', [bank.entryOf({ cents: 100n, text: id })], 0n));
  const notice = bank.write('camt.054', [bank.entryOf({ cents: -100n, text: id, isReversal: true })], 0n);
  assert.equal(await refusal(bank.bring(notice)), 'bank_reversal_undecided');
  await bank.bring(bank.write('camt.053', [bank.entryOf({ cents: -5n, isReversal: true })], 0n));
  await watched.observe();
  await bank.bring(notice);
  assert.deepEqual(everything(await watched.observe()).reversed, [100n]);
});

test('what is booked is final after a fortnight, by the clock', async () => {
  const { bank, watched } = await open();
  bank.book({ cents: 100n, text: id });
  await bank.close();
  const finals: (number | undefined)[] = [];
  for (const days of [0, 12, 1]) {
    bank.pass(days);
    finals.push((await watched.observe()).at(-1)?.finalHeight);
  }
  assert.deepEqual(finals, [0, 0, 1]);
});

test('an account that shall be paid is one of SEPA, and not our own', () => {
  const { addressProblem } = openStatementBank().createConnector();
  const problem = (address: string, memo: string | null = null) => addressProblem?.({ address, memo, memoType: null });
  assert.equal(problem(payerIban), null);
  assert.match(problem('DE22200411110123456780') ?? '', /check digits/);
  assert.match(problem('BR1800360305000010009795493C1') ?? '', /cannot be paid by SEPA/);
  assert.match(problem(ourIban) ?? '', /made from/);
  assert.match(problem(payerIban, 'x') ?? '', /no memo/);
});
