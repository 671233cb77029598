/** Receipts, invoices and credit notes, as they were issued. What was issued is never changed. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalInput, decimalText } from './money.ts';
import { nextPage, pageQuery } from './page.ts';
import { here, idInput, idText, nullable, timestamp } from './text.ts';

export const paperKinds = ['RECEIPT', 'INVOICE', 'CREDIT_NOTE'] as const;

const paperKind = Type.Enum([...paperKinds], {
  title: 'PaperKind',
  description:
    'RECEIPT: of what was paid. INVOICE: the same to a customer whom the shop named. CREDIT_NOTE: takes back an invoice, or a ' +
    'receipt without one, in whole or in part.',
});

const paperMark = Type.Enum(['PAID', 'REFUNDED', 'CANCELLED'], {
  title: 'PaperMark',
  description:
    'What it is stamped with. REFUNDED: credit notes have taken back all of it, and the money went back. CANCELLED: they have ' +
    'taken back all of it, but not all of the money went back.',
});

const paperTax = Type.Object(
  {
    name: Type.String({ description: 'What the tax is called.' }),
    percent: decimalText('Its rate: 19, not 0.19.'),
    base: decimalText('What is taxed.'),
    amount: decimalText('The tax.'),
  },
  { title: 'PaperTax', description: 'A tax on a paper.' },
);

const listedFields = {
  id: idText('Id of the paper.'),
  number: Type.String({ description: 'As it is printed, such as INV-2026-00001.' }),
  kind: paperKind,
  timestamp: timestamp('When it was issued.'),
  checkoutId: idText('Id of the checkout that it is about.'),
  customerId: nullable(idText('Id of the customer. Null: the shop named none.')),
  orderReference: nullable(Type.String({ description: "The shop's own number of the order." })),
  currency: Type.String({ description: 'Code of the currency of all amounts.' }),
  net: decimalText('The sum of the lines.'),
  taxes: Type.Array(paperTax, { description: 'Each tax, with what it is on.' }),
  rounding: decimalText('What is left of the total after net and taxes, of either sign.'),
  total: decimalText('Gross: what was paid; of a credit note what it takes back, always positive.'),
  credited: decimalText('What credit notes have taken back of it.'),
  mark: nullable(here(paperMark, 'Null: of a credit note.')),
  corrects: nullable(
    Type.Object(
      {
        id: idText('Id of the corrected paper.'),
        number: Type.String({ description: 'Its number.' }),
        reason: nullable(Type.String({ description: 'What somebody wrote about it.' })),
      },
      { title: 'CorrectedPaper', description: 'What a credit note corrects.' },
    ),
  ),
};

export const paperRecord = Type.Object(listedFields, {
  title: 'Paper',
  description: 'A receipt, an invoice or a credit note.',
});

const paperLine = Type.Object(
  {
    label: nullable(Type.String({ description: 'What it is for. Null: a word of the language in which it is read.' })),
    kind: Type.Enum(['item', 'discount', 'shipping', 'accepted', 'part'], {
      title: 'PaperLineKind',
      description:
        'accepted: what the shop let go of the price. part: what a credit note takes back of many lines together.',
    }),
    quantity: decimalText('How many.'),
    amount: decimalText('Net, for all of them; of what is taken off, negative.'),
  },
  { title: 'PaperLine', description: 'A line of a paper.' },
);

export const paperDetails = Type.Object(
  {
    ...listedFields,
    lines: Type.Array(paperLine, { description: 'What was bought.' }),
    sellerName: Type.String({
      description: 'Who sold it: the name of the business, not that which its shop has on its pages.',
    }),
    buyerEmail: nullable(Type.String({ description: 'To whom it is; null on a receipt.' })),
    creditNotes: Type.Array(idText('Id of a credit note.'), { description: 'What corrects it, oldest first.' }),
    url: Type.String({
      format: 'uri',
      description: 'Its page. That of an invoice names the buyer, so it is for the buyer and for you.',
    }),
    pdfUrl: Type.String({ format: 'uri', description: 'The same as a PDF.' }),
  },
  { title: 'PaperDetails', description: 'All that a paper says.' },
);

export const papersQuery = Type.Object({
  ...pageQuery,
  kind: Type.Optional(here(paperKind, 'Only papers of this kind.')),
  checkoutId: Type.Optional(idInput('Only papers of this checkout.')),
  customerId: Type.Optional(idInput('Only papers of this customer.')),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The beginning of a number, an order, or a customer: only papers that fit.',
    }),
  ),
  from: Type.Optional(timestamp('Only papers issued at or after this moment.')),
  to: Type.Optional(timestamp('Only papers issued before this moment.')),
});

export const papersReply = Type.Object(
  { papers: Type.Array(paperRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'PaperList', description: 'A page of papers.' },
);

const paperId = () => idInput('Id of the paper.', ['paperId']);

export const paperQuery = Type.Object({ id: paperId() });

export const paperReply = Type.Object(
  { paper: paperDetails },
  { title: 'PaperReply', description: 'A paper with all that it says.' },
);

export const creditNoteBody = Type.Object(
  {
    paperId: idInput('Id of the invoice, or of the receipt where there is no invoice.', ['id']),
    amount: Type.Optional(
      decimalInput({
        description: 'Gross, in the currency of the paper. Left out: all that is left of it.',
        minimum: '0',
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 200, description: 'Why, in words that the buyer reads.' })),
  },
  { title: 'NewCreditNote', description: 'A new credit note. It moves no money.' },
);

export const creditNoteReply = Type.Object(
  { paper: paperRecord },
  { title: 'CreditNoteReply', description: 'The credit note.' },
);

export const paperSendBody = Type.Object(
  { id: paperId() },
  { title: 'SendPaperRequest', description: 'Which paper is to be sent.' },
);

export const paperSendReply = Type.Object(
  { id: idText('Id of the paper.'), number: Type.String({ description: 'Its number.' }) },
  { title: 'SentPaper', description: 'What is on its way.' },
);

export type PaperRecord = Static<typeof paperRecord>;
export type PaperDetails = Static<typeof paperDetails>;
export type PapersQuery = Static<typeof papersQuery>;
export type CreditNoteBody = Static<typeof creditNoteBody>;
