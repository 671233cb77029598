/** The stores of days, numbers and news of an account. */
import * as counts from '../src/checkouts/checkout-count-store.ts';
import * as checkoutNews from '../src/checkouts/checkout-news-store.ts';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import * as digests from '../src/ledger/entry-digest-store.ts';
import * as heads from '../src/ledger/entry-head-store.ts';
import * as leaving from '../src/ledger/leaving-store.ts';
import * as ledger from '../src/ledger/ledger-day-store.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import * as movements from '../src/ledger/movement-list-store.ts';
import * as auditNews from '../src/merchants/audit-news-store.ts';
import { decimal } from '../src/money/decimal.ts';
import * as signed from '../src/reports/daily-statement-store.ts';
import * as days from '../src/reports/day-store.ts';
import * as turns from '../src/reports/day-turn-store.ts';
import * as disposals from '../src/reports/disposal-day-store.ts';
import * as fees from '../src/reports/fee-day-store.ts';
import * as statements from '../src/reports/statement-day-store.ts';
import * as taxes from '../src/reports/tax-day-store.ts';
import * as eventNews from '../src/webhooks/event-news-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const always = { from: new Date(0), to: new Date('2100-01-01') };
const spans = [{ day: '2026-01-01', ...always }];
const anyDay = { from: '2000-01-01', to: '2100-01-01' };
const sample = { day: '2026-01-01', created: 1, paid: 1, credited: decimal('1'), isValued: true };
const position = {
  timeZone: 'UTC',
  currency: 'USD',
  foldedTo: '2026-01-01',
  isBehind: false,
  dueAt: new Date('2100-01-01'),
};
const turn = { timeZone: 'UTC', at: always.from };
const netSettlements = { kind: 'settlement', less: 'settlement_reversed' } as const;
const settlements = { kind: 'settlement', subjectKind: 'checkout' } as const;

const fold: Call = (tx, merchantId) => ledger.foldLedgerDays(tx, merchantId, spans);
const keep: Call = (tx, merchantId) => days.replaceCheckoutDays(tx, merchantId, [sample.day], [sample]);
const line = {
  day: '2026-01-01',
  asset: 'BTC',
  line: 'credits',
  subject: 'checkout',
  units: 1n,
  entries: 1,
  value: 1n,
} as const;
const keepLines: Call = (tx, merchantId) => statements.replaceStatementDays(tx, merchantId, [line.day], [line]);
const fee = { day: '2026-01-01', asset: 'BTC', kind: 'settlement', units: 1n, entries: 1, value: 1n } as const;
const keepFees: Call = (tx, merchantId) => fees.replaceFeeDays(tx, merchantId, [fee.day], [fee]);
const gone = { day: '2026-01-01', asset: 'BTC', kind: 'swap', units: 1n, entries: 1, value: 1n } as const;
const keepGone: Call = (tx, merchantId) => disposals.replaceDisposalDays(tx, merchantId, [gone.day], [gone]);
const taxKey = { day: '2026-01-01', country: 'PT', tax: 'VAT', rate: '0.23', currency: 'EUR', entries: 1 };
const taxed = {
  ...taxKey,
  base: 1n,
  countedBase: 1n,
  amount: 1n,
  baseValue: 1n,
  countedBaseValue: 1n,
  amountValue: 1n,
};
const keepTaxes: Call = (tx, merchantId) => taxes.replaceTaxDays(tx, merchantId, [taxed.day], [taxed]);
const aStatement = {
  ...{ number: 1, day: '2026-01-01', coveredTo: new Date('2026-01-02'), body: '{}', digest: 'x' },
  ...{ keyId: 'a-key', signature: 'x', madeAt: always.from },
};
const makeKey: Call = async (tx) => {
  const key = { id: aStatement.keyId, publicKey: Buffer.alloc(1), sealed: Buffer.alloc(1), madeAt: always.from };
  await signed.insertStatementKey(tx, key);
};
const addStatement: Call = (tx, merchantId) => signed.insertDailyStatement(tx, merchantId, aStatement);
const keepStatement: Call = async (tx, merchantId, own) => {
  await makeKey(tx, merchantId, own);
  return addStatement(tx, merchantId, own);
};
const place: Call = (tx, merchantId) => days.saveDayPosition(tx, merchantId, position);

const accountOf = (merchantId: string): string => merchantAccount(merchantId, 'available', 'BTC:x');
const rebook: Call = (tx, merchantId) => {
  const lines = [
    { account: accountOf(merchantId), units: 1n },
    { account: operatorAccount('fees', 'BTC:x'), units: -1n },
  ];
  const subject = { kind: 'checkout', id: 'rebooked' } as const;
  const entry = { reference: 'payment:rebooked:3', kind: 'payment_received', merchantId, subject, lines } as const;
  return postEntries(tx, [entry], new Date('2026-01-01'));
};

const leave: Call = (tx, merchantId) => {
  const lines = [
    { account: operatorAccount('fx', 'BTC:x'), units: 1n },
    { account: operatorAccount('fees', 'BTC:x'), units: -1n },
  ];
  const subject = { kind: 'swap', id: 'gone' } as const;
  const entry = { reference: `swap:gone:${merchantId}`, kind: 'swap', merchantId, subject, lines } as const;
  return postEntries(tx, [entry], new Date('2026-01-01'));
};

export const dayStoreCalls: StoreCalls = {
  'ledger/ledger-day-store.ts': {
    foldLedgerDays: fold,
    deleteLedgerDays: { first: fold, ask: (tx, merchantId) => ledger.deleteLedgerDays(tx, merchantId) },
    listLedgerDays: { first: fold, ask: (tx, merchantId) => ledger.listLedgerDays(tx, merchantId, anyDay) },
    sumLedgerDays: { first: fold, ask: (tx, merchantId) => ledger.sumLedgerDays(tx, merchantId, anyDay.to) },
    findFirstPosting: (tx, merchantId) => ledger.findFirstPosting(tx, merchantId),
    findPostingAfter: (tx, merchantId) => ledger.findPostingAfter(tx, merchantId, { from: always.from, count: 0 }),
    sumByHour: async (tx, merchantId, { settled }) => {
      const [first] = settled.settlements;
      const lines = await tx<{ id: string }>`
        select account_id as id from ledger_line where reference = ${first?.reference ?? ''}`;
      const accounts = lines.map(({ id }) => id);
      return ledger.sumByHour(tx, merchantId, { kinds: ['settlement'], accounts }, spans);
    },
    listRebooked: {
      first: rebook,
      ask: (tx, merchantId) => ledger.listRebooked(tx, merchantId, [accountOf(merchantId)], spans),
    },
    sumMovements: (tx, merchantId) => ledger.sumMovements(tx, merchantId, spans),
    sumSpan: (tx, merchantId) => ledger.sumSpan(tx, merchantId, always),
    countEntries: (tx, merchantId) => ledger.countEntries(tx, merchantId, netSettlements, spans),
    listSubjects: (tx, merchantId) =>
      ledger.listSubjects(tx, merchantId, { ...settlements, kinds: ['settlement'] }, always),
  },
  'ledger/movement-list-store.ts': {
    countMovements: (tx, merchantId) => movements.countMovements(tx, merchantId, { subjects: ['checkout'] }, always, 9),
    listMovements: (tx, merchantId) =>
      movements.listMovements(
        tx,
        merchantId,
        { subjects: ['checkout', 'refund', 'transfer'] },
        { ...always, after: null, limit: 9 },
      ),
  },
  'ledger/entry-head-store.ts': {
    listEntryHeads: (tx, merchantId) =>
      heads.listEntryHeads(tx, merchantId, ['settlement'], { ...always, after: null, limit: 9 }),
    entryHeadsAbout: (tx, merchantId, { ids }) =>
      heads.entryHeadsAbout(tx, merchantId, ['settlement'], [{ kind: 'checkout', id: ids.settled }]),
  },
  'ledger/leaving-store.ts': {
    countLeaving: {
      first: leave,
      ask: (tx, merchantId) => leaving.countLeaving(tx, merchantId, ['swap'], always, 9),
    },
    listLeaving: {
      first: leave,
      ask: (tx, merchantId) => leaving.listLeaving(tx, merchantId, ['swap'], { ...always, after: null, limit: 9 }),
    },
    sumLeaving: { first: leave, ask: (tx, merchantId) => leaving.sumLeaving(tx, merchantId, ['swap'], spans) },
  },
  'reports/fee-day-store.ts': {
    replaceFeeDays: keepFees,
    deleteFeeDays: { first: keepFees, ask: (tx, merchantId) => fees.deleteFeeDays(tx, merchantId) },
    sumFeeDays: { first: keepFees, ask: (tx, merchantId) => fees.sumFeeDays(tx, merchantId, anyDay) },
  },
  'reports/disposal-day-store.ts': {
    replaceDisposalDays: keepGone,
    deleteDisposalDays: { first: keepGone, ask: (tx, merchantId) => disposals.deleteDisposalDays(tx, merchantId) },
    sumDisposalDays: { first: keepGone, ask: (tx, merchantId) => disposals.sumDisposalDays(tx, merchantId, anyDay) },
  },
  'reports/tax-day-store.ts': {
    replaceTaxDays: keepTaxes,
    deleteTaxDays: { first: keepTaxes, ask: (tx, merchantId) => taxes.deleteTaxDays(tx, merchantId) },
    sumTaxDays: { first: keepTaxes, ask: (tx, merchantId) => taxes.sumTaxDays(tx, merchantId, anyDay) },
  },
  'ledger/entry-digest-store.ts': {
    listEntryTexts: (tx, merchantId) => digests.listEntryTexts(tx, merchantId, always, { after: null, limit: 9 }),
    countEntryTexts: {
      ask: (tx, merchantId) => digests.countEntryTexts(tx, merchantId, always),
      strangerGets: 0,
    },
    balancesAt: async (tx, merchantId, { settled }) => {
      const lines = await tx<{ id: string }>`
        select account_id as id from ledger_line where reference = ${settled.settlements[0]?.reference ?? ''}`;
      return digests.balancesAt(...([tx, merchantId, lines.map(({ id }) => id), new Date('2100-01-01')] as const));
    },
  },
  'reports/daily-statement-store.ts': {
    insertDailyStatement: { first: makeKey, ask: addStatement, strangerGets: true },
    findLastStatement: {
      first: keepStatement,
      ask: (tx, merchantId) => signed.findLastStatement(tx, merchantId),
      strangerGets: null,
    },
    listDailyStatements: {
      first: keepStatement,
      ask: (tx, merchantId) => signed.listDailyStatements(tx, merchantId, anyDay),
    },
    listNumberedStatements: {
      first: keepStatement,
      ask: (tx, merchantId) => signed.listNumberedStatements(tx, merchantId, { from: 1, to: 2 }),
    },
  },
  'reports/day-turn-store.ts': {
    postponeFolding: (tx, merchantId) => turns.postponeFolding(tx, merchantId, always.from),
    saveSignTurn: (tx, merchantId) => turns.saveSignTurn(tx, merchantId, turn),
    postponeSigning: (tx, merchantId) => turns.postponeSigning(tx, merchantId, { ...turn, now: always.from }),
  },
  'reports/statement-day-store.ts': {
    replaceStatementDays: keepLines,
    deleteStatementDays: {
      first: keepLines,
      ask: (tx, merchantId) => statements.deleteStatementDays(tx, merchantId),
    },
    sumStatementDays: {
      first: keepLines,
      ask: (tx, merchantId) => statements.sumStatementDays(tx, merchantId, anyDay),
    },
    listStatementDays: {
      first: keepLines,
      ask: (tx, merchantId) => statements.listStatementDays(tx, merchantId, anyDay),
    },
  },
  'checkouts/checkout-count-store.ts': {
    countCreated: (tx, merchantId) => counts.countCreated(tx, merchantId, spans),
    findFirstCheckout: (tx, merchantId) => counts.findFirstCheckout(tx, merchantId),
    findAcceptedExcess: {
      first: (tx, merchantId, { ids }) => tx`
        update checkout set accepted_excess = '[{}]' where merchant_id = ${merchantId} and id = ${ids.settled}`,
      ask: async (tx, merchantId, { ids }) => [...(await counts.findAcceptedExcess(tx, merchantId, [ids.settled]))],
    },
    countOfStates: {
      ask: (tx, merchantId, { settled }) => counts.countOfStates(tx, merchantId, [settled.checkout.state], 9),
      strangerGets: 0,
    },
    countCommitted: {
      ask: (tx, merchantId, { settled }) => {
        const asked = { rails: settled.commitments, states: [settled.checkout.state] };
        return counts.countCommitted(tx, merchantId, asked, always);
      },
      strangerGets: { committed: 0, ofStates: 0 },
    },
  },
  'checkouts/checkout-news-store.ts': {
    newsOfCheckouts: {
      ask: async (tx, merchantId, { settled }) =>
        (
          await checkoutNews.newsOfCheckouts(tx, [merchantId], { newest: 9, open: 9, states: [settled.checkout.state] })
        ).get(merchantId),
      strangerGets: '/',
    },
    newsOfEach: (tx, merchantId, { ids }) => checkoutNews.newsOfEach(tx, [{ merchantId, id: ids.settled }]),
  },
  'webhooks/event-news-store.ts': {
    newsOfEvents: {
      ask: async (tx, merchantId) => (await eventNews.newsOfEvents(tx, [merchantId], 9)).get(merchantId),
      strangerGets: '/',
    },
    newsOfSubjects: {
      ask: async (tx, merchantId, { ids }) => {
        const found = await eventNews.newsOfSubjects(tx, [{ merchantId, id: ids.settled }], 9);
        return found.get(`${merchantId}/${ids.settled}`);
      },
      strangerGets: '',
    },
  },
  'merchants/audit-news-store.ts': {
    newsOfAudit: {
      // That it was made stands in its own log; in that of everybody else there is more.
      ask: async (tx, merchantId) => (await auditNews.newsOfAudit(tx, [merchantId], 99)).get(merchantId)?.includes(','),
      strangerGets: false,
    },
  },
  'reports/day-store.ts': {
    replaceCheckoutDays: keep,
    deleteCheckoutDays: { first: keep, ask: (tx, merchantId) => days.deleteCheckoutDays(tx, merchantId) },
    listCheckoutDays: { first: keep, ask: (tx, merchantId) => days.listCheckoutDays(tx, merchantId, anyDay) },
    findDayPosition: { first: place, ask: (tx, merchantId) => days.findDayPosition(tx, merchantId) },
    saveDayPosition: place,
    moveDayPositionBack: {
      first: place,
      ask: (tx, merchantId) => days.moveDayPositionBack(tx, merchantId, '2025-01-01', always.from),
    },
    deleteDayPositions: {
      first: place,
      ask: (tx, merchantId) => days.deleteDayPositions(tx, merchantId),
      strangerGets: 0,
    },
  },
};
