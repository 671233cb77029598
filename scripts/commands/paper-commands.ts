/** Receipts, invoices and credit notes, through the API and with the key in access.json. */
import { type PaperDetails, type PaperRecord, paperKinds } from '@quittance/contract/paper';
import { createApiClient } from '../api-client.ts';
import { type Command, CommandError, command, readCount } from '../command-line.ts';
import { textTable } from '../text-table.ts';

const amountOf = ({ total, currency }: PaperRecord): string => `${total} ${currency}`;

export const paperCommands: readonly Command[] = [
  command({
    name: 'paper list',
    summary: 'List the newest receipts, invoices and credit notes.',
    options: {
      kind: { value: 'kind', meaning: 'Only receipts, invoices or credit-notes.' },
      search: { value: 'text', meaning: 'Only what fits: the beginning of a number, an order, a customer.' },
      limit: { value: 'count', meaning: 'At most so many (20).' },
    },
    examples: ['paper list', 'paper list --kind invoices --search INV-2026-', 'paper list --search ada@example.com'],
    async run({ openAccess }, _, { kind, search, limit = '20' }) {
      const api = createApiClient(await openAccess());
      const { papers } = await api.get<{ papers: PaperRecord[] }>('/papers', {
        limit: String(readCount('--limit', limit, 100)),
        ...(kind !== undefined && { kind: readKind(kind) }),
        ...(search !== undefined && { search }),
      });
      const rows = papers.map((paper) => [
        paper.id,
        paper.number,
        paper.kind,
        paper.timestamp,
        paper.checkoutId,
        paper.orderReference,
        amountOf(paper),
        paper.mark,
      ]);
      const head = ['PAPER', 'NUMBER', 'KIND', 'ISSUED', 'CHECKOUT', 'ORDER', 'GROSS', 'MARK'];
      return { data: papers, text: textTable(head, rows) };
    },
  }),
  command({
    name: 'paper show',
    summary: 'Show what a paper says, and where it can be seen.',
    arguments: ['paperId'],
    examples: ['paper show kq3v8t1m6x0z'],
    async run({ openAccess }, { paperId }) {
      const api = createApiClient(await openAccess());
      const { paper } = await api.get<{ paper: PaperDetails }>('/paper', { id: paperId });
      const lines = [
        `${paper.kind} ${paper.number}, issued ${paper.timestamp}${paper.mark === null ? '' : `, ${paper.mark}`}`,
        `Checkout ${paper.checkoutId}${paper.orderReference === null ? '' : `, order ${paper.orderReference}`}`,
        ...(paper.corrects === null ? [] : [`Corrects ${paper.corrects.number}`]),
        `Net ${paper.net}, ${paper.taxes.map(({ name, percent, amount }) => `${name} ${percent} % ${amount}`).join(', ') || 'no tax'}, gross ${amountOf(paper)}`,
        `Credited ${paper.credited} ${paper.currency}`,
        paper.url,
        paper.pdfUrl,
      ];
      return { data: paper, text: lines.join('\n') };
    },
  }),
  command({
    name: 'paper credit-note',
    summary: 'Issue a credit note on an invoice, or on a receipt without one.',
    details: 'It moves no money: what is refunded gets its credit note by itself. What is issued is never changed.',
    arguments: ['paperId'],
    options: {
      amount: { value: 'amount', meaning: 'Gross, in the currency of the paper; without it all that is left.' },
      reason: { value: 'text', meaning: 'Why, in words that the buyer reads.' },
    },
    examples: [
      'paper credit-note kq3v8t1m6x0z',
      'paper credit-note kq3v8t1m6x0z --amount 5.00 --reason "One was broken"',
    ],
    async run({ openAccess }, { paperId }, { amount, reason }) {
      const api = createApiClient(await openAccess());
      const { paper } = await api.post<{ paper: PaperRecord }>('/credit-note', {
        paperId,
        ...(amount !== undefined && { amount }),
        ...(reason !== undefined && { reason }),
      });
      return { data: paper, text: `Credit note ${paper.number} of ${amountOf(paper)}: ${paper.id}` };
    },
  }),
  command({
    name: 'paper send',
    summary: 'Send a paper again by e-mail, to the buyer.',
    arguments: ['paperId'],
    examples: ['paper send kq3v8t1m6x0z'],
    async run({ openAccess }, { paperId }) {
      const api = createApiClient(await openAccess());
      const sent = await api.post<{ id: string; number: string }>('/paper/send', { id: paperId });
      return { data: sent, text: `${sent.number} is on its way.` };
    },
  }),
];

/** `invoice`, `invoices`, `CREDIT_NOTE`, `credit-notes`. */
function readKind(text: string): string {
  const wanted = text.toUpperCase().replaceAll('-', '_').replace(/S$/, '');
  const kind = paperKinds.find((each) => each === wanted);
  if (kind === undefined) throw new CommandError(`--kind must be receipts, invoices or credit-notes, but is ${text}.`);
  return kind;
}
