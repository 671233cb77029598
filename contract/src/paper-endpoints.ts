/** The endpoints of receipts, invoices and credit notes. Part of endpoints.ts. */
import type { Endpoint } from './endpoints.ts';
import {
  creditNoteBody,
  creditNoteReply,
  paperQuery,
  paperReply,
  paperSendBody,
  paperSendReply,
  papersQuery,
  papersReply,
} from './paper.ts';

const unknownPaper = 'There is no paper with this id.';

export const paperEndpoints = {
  listPapers: {
    id: 'listPapers',
    method: 'GET',
    path: '/papers',
    tag: 'Papers',
    summary: 'List receipts, invoices and credit notes',
    description:
      'Newest first, page by page. A receipt is issued when somebody first asks for it; an invoice when a checkout with a ' +
      'customer is paid; a credit note when what was credited is refunded or undone, or by POST /credit-note.',
    access: 'readReports',
    query: papersQuery,
    reply: papersReply,
  },
  getPaper: {
    id: 'getPaper',
    method: 'GET',
    path: '/paper',
    tag: 'Papers',
    summary: 'Read a receipt, an invoice or a credit note',
    description: 'All that it says, as it was issued, and where it can be seen and fetched as a PDF.',
    access: 'readReports',
    failures: { 404: unknownPaper },
    query: paperQuery,
    reply: paperReply,
  },
  createCreditNote: {
    id: 'createCreditNote',
    method: 'POST',
    path: '/credit-note',
    tag: 'Papers',
    summary: 'Issue a credit note',
    description:
      'Takes back an invoice, or a receipt without one, in whole or in part: net and each tax in proportion, to the cent. ' +
      'It moves no money: who refunds gets a credit note by itself. All notes together take back no more than the paper.',
    access: 'orderMoney',
    failures: {
      404: unknownPaper,
      422: 'It is a credit note, or a receipt beside its invoice; nothing is left of it, or less than the amount.',
    },
    body: creditNoteBody,
    reply: creditNoteReply,
  },
  sendPaper: {
    id: 'sendPaper',
    method: 'POST',
    path: '/paper/send',
    tag: 'Papers',
    summary: 'Send a paper again by e-mail',
    description:
      'To the customer whom it names, at the address that stands on it, also if the customer has another one since; a receipt to ' +
      'the address that the payer left. Three times an hour for each checkout at most. It counts for the limits of mails to an ' +
      'address: what is beyond is not sent, and the account says so where the paper is shown.',
    access: 'charge',
    failures: {
      404: unknownPaper,
      409: 'No e-mail address is known for it, mails to it do not arrive, the service sends no e-mail, or it was sent several times within an hour.',
    },
    body: paperSendBody,
    reply: paperSendReply,
  },
} as const satisfies Record<string, Endpoint>;
