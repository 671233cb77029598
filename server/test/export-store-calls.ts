/** The stores of files that are made to be fetched later, and of statements that were announced. */
import * as mails from '../src/emails/statement-mail-store.ts';
import { exportStates } from '../src/reports/export-state.ts';
import * as exports from '../src/reports/export-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const order = (now: Date) => ({
  id: 'another',
  requestedBy: 'key:x' as const,
  list: 'customers',
  format: 'csv',
  asked: {},
  frame: { asOf: now, language: 'en', timeZone: 'UTC', hasCustomers: false, covered: null },
  fileName: 'x.csv',
  state: 'WAITING' as const,
  requestedAt: now,
});

const begun: Call = (tx, merchantId, { ids }) => tx`
  update export set state = 'MAKING', ended_at = null, kept_until = null
   where merchant_id = ${merchantId} and id = ${ids.export}`;

const part = { piecesBefore: 1, data: [Buffer.from('x')], rows: 1, position: null };

const joined: Call = async (tx, merchantId, { now }) => {
  await tx`insert into person (id, email, name, language, created_at) values ('reader', 'r@x.example', 'R', 'en', ${now})`;
  await tx`
    insert into membership (merchant_id, person_id, role, created_at) values (${merchantId}, 'reader', 'owner', ${now})`;
};

export const exportStoreCalls: StoreCalls = {
  'reports/export-store.ts': {
    countExports: {
      ask: (tx, merchantId) => exports.countExports(tx, merchantId),
      strangerGets: { beingMade: 0, beingMadeInAll: 0, kept: 0 },
    },
    insertExport: (tx, merchantId, { now }) => exports.insertExport(tx, merchantId, order(now)),
    findExport: (tx, merchantId, { ids }) => exports.findExport(tx, merchantId, ids.export),
    listExports: (tx, merchantId, { ids }) => exports.listExports(tx, merchantId, `key:${ids.apiKey}`, 9),
    listLiveExports: (tx, merchantId) => exports.listLiveExports(tx, merchantId),
    newsOfExports: (tx, merchantId, { ids }) => exports.newsOfExports(tx, [{ merchantId, id: ids.export }]),
    moveExport: (tx, merchantId, { ids }) =>
      exports.moveExport(tx, merchantId, ids.export, exportStates.pairs('delete')),
    appendPieces: {
      first: begun,
      ask: (tx, merchantId, { ids }) =>
        exports.appendPieces(tx, merchantId, ids.export, exportStates.pairs('write'), part),
    },
    readPiece: (tx, merchantId, { ids }) => exports.readPiece(tx, merchantId, ids.export, 0),
    deletePieces: (tx, merchantId, { ids }) => exports.deletePieces(tx, merchantId, ids.export),
  },
  'emails/statement-mail-store.ts': {
    insertStatementMail: {
      first: joined,
      ask: (tx, merchantId, { now }) =>
        mails.insertStatementMail(tx, merchantId, { personId: 'reader', month: '2026-03', at: now }),
    },
  },
};
