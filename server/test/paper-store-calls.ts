/** The store of papers. */
import type { PaperFacts } from '../src/papers/paper-facts.ts';
import * as papers from '../src/papers/paper-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const paperId = 'paper0000001';

/** Nothing here reads what it says. */
const facts = { currency: 'EUR', total: '1.00' } as PaperFacts;

const insert: Call = (tx, merchantId, { ids, now }) =>
  papers.insertPaper(tx, {
    merchantId,
    id: paperId,
    kind: 'receipt',
    checkoutId: ids.settled,
    customerId: null,
    generation: 9,
    cause: 'settlement:9',
    correctsId: null,
    series: 'RCT-',
    issuedAt: now,
    facts,
  });

export const paperStoreCalls: StoreCalls = {
  'papers/paper-store.ts': {
    insertPaper: insert,
    findPaper: { first: insert, ask: (tx, merchantId) => papers.findPaper(tx, merchantId, paperId) },
    checkoutsWithoutInvoice: {
      first: (tx, merchantId, { ids }) =>
        tx`update checkout set customer_id = ${ids.customer}, type = 'HOSTED'
            where merchant_id = ${merchantId} and id = ${ids.settled}`,
      ask: (tx, merchantId, { ids }) => papers.checkoutsWithoutInvoice(tx, merchantId, ids.customer, 9),
    },
    papersOfCheckout: {
      first: insert,
      ask: (tx, merchantId, { ids }) => papers.papersOfCheckout(tx, { merchantId, id: ids.settled }),
    },
  },
};
