/** The store of papers. */
import type { PaperFacts } from '../src/papers/paper-facts.ts';
import * as lists from '../src/papers/paper-list-store.ts';
import * as papers from '../src/papers/paper-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const paperId = 'paper0000001';

/** Whom it names. */
const buyer = { customerId: 'customer0001', email: 'ada@customer.example', fields: {} };

/** Of what it says only the buyer is read here. */
const facts = (): PaperFacts => ({ currency: 'EUR', total: '1.00', buyer }) as PaperFacts;

const insert: Call = (tx, merchantId, { ids, now }) =>
  papers.insertPaper(tx, {
    merchantId,
    id: paperId,
    kind: 'receipt',
    checkoutId: ids.settled,
    customerId: ids.customer,
    generation: 9,
    cause: 'settlement:9',
    correctsId: null,
    series: 'RCT-',
    issuedAt: now,
    facts: facts(),
  });

const cut = { from: null, to: null, before: null, limit: 9 };

export const paperStoreCalls: StoreCalls = {
  'papers/paper-list-store.ts': {
    listAllPapers: { first: insert, ask: (tx, merchantId) => lists.listAllPapers(tx, merchantId, cut) },
    listPapersOfKind: {
      first: insert,
      ask: (tx, merchantId) => lists.listPapersOfKind(tx, merchantId, 'receipt', cut),
    },
    listPapersOfCustomer: {
      first: insert,
      ask: (tx, merchantId, { ids }) =>
        lists.listPapersOfCustomer(tx, merchantId, { customerId: ids.customer, kind: null }, cut),
    },
    listPapersAmong: {
      first: insert,
      ask: (tx, merchantId, { ids }) =>
        lists.listPapersAmong(
          tx,
          merchantId,
          { ids: [paperId], checkoutIds: [ids.settled] },
          { kind: null, customerId: null, checkoutId: null },
          cut,
        ),
    },
    papersNumbered: { first: insert, ask: (tx, merchantId) => lists.papersNumbered(tx, merchantId, 'rct-', 9) },
    papersNaming: { first: insert, ask: (tx, merchantId) => lists.papersNaming(tx, merchantId, ['ada'], 9) },
    findPapers: {
      first: insert,
      ask: async (tx, merchantId) => (await lists.findPapers(tx, merchantId, [paperId])).filter(Boolean),
    },
    papersOfCheckouts: {
      first: insert,
      ask: (tx, merchantId, { ids }) => lists.papersOfCheckouts(tx, merchantId, [ids.settled]),
    },
    lastPaperNumbers: {
      first: insert,
      ask: async (tx, merchantId) => [...(await lists.lastPaperNumbers(tx, merchantId, ['RCT-']))],
    },
    refundedCheckouts: {
      first: (tx, merchantId, { ids }) => tx`
        update checkout set state = 'REFUNDED' where merchant_id = ${merchantId} and id = ${ids.settled}`,
      ask: (tx, merchantId, { ids }) => lists.refundedCheckouts(tx, merchantId, [ids.settled]),
    },
  },
  'papers/paper-store.ts': {
    insertPaper: insert,
    lastIssuedAt: { first: insert, ask: (tx, merchantId) => papers.lastIssuedAt(tx, merchantId, 'RCT-') },
    findPaper: { first: insert, ask: (tx, merchantId) => papers.findPaper(tx, merchantId, paperId) },
    checkoutsWithoutInvoice: {
      first: (tx, merchantId, { ids }) =>
        tx`update settlement set generation = generation + 7
            where merchant_id = ${merchantId} and checkout_id = ${ids.settled}`,
      ask: (tx, merchantId, { ids }) => papers.checkoutsWithoutInvoice(tx, merchantId, ids.customer, 9),
    },
    papersOfCheckout: {
      first: insert,
      ask: (tx, merchantId, { ids }) => papers.papersOfCheckout(tx, { merchantId, id: ids.settled }),
    },
  },
};
