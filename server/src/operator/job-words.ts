/** What every job is for, as somebody says it who did not write it. */
import type { JobName } from '../jobs/job-catalog.ts';

const words: Readonly<Record<JobName, string>> = {
  'checkout.advance': 'Look at a checkout and do what is due',
  'checkout.recount': 'Note which checkouts await a decision',
  'terms.rebuild': 'Make anew by what checkouts are found',
  'deposit.advance': 'Look at a deposit and do what is due',
  'funding.book': "Book the operator's own money",
  'funding.address': 'Make an address to bring money in',
  'transfer.advance': 'End a transfer',
  'refund.advance': 'End a refund',
  'settlement.advance': 'End an exchange',
  'return.advance': 'End a return',
  'withdrawal.advance': 'End a withdrawal',
  'bridge.advance': 'Record tokens that were issued or burned',
  'swap.advance': 'End a swap',
  'books.reconcile': 'Compare the books with the networks',
  'withdrawal.request': 'Take out money of the operator',
  'return.request': 'Send back what nobody asked for',
  'bank.import': 'Import a file of a bank',
  'bank.compare': 'Compare the books with a balance of a bank',
  'bank.file': 'Make a payment file',
  'order.cancel': 'Take back an order of a suspended account',
  'webhook.deliver': 'Deliver a webhook',
  'refund.mail': 'Mail the link to a refund',
  'email.send': 'Mail a receipt',
  'status.mail': 'Mail a customer what became of an order',
  'receipt.again': 'Mail a receipt once more',
  'paper.mail': 'Mail a paper that somebody sends',
  'paper.issue': 'Issue an invoice or a credit note',
  'customer.erase': 'Erase a customer who was deleted',
  'needs.mail': 'Mail what waits for somebody',
  'staff.mail': 'Mail what waits for somebody of the staff',
  'staff.news': 'Mail what has changed about the staff',
  'staff.order': 'Mail that money leaves or is assigned',
  'person.email': 'Mail to somebody who signs in',
  'export.make': 'Make a part of a file that somebody asked for',
  'export.mail': 'Mail that a file is ready',
  'export.delete': 'Delete a file that was kept long enough',
  'export.review': 'Delete files of who may not have them any more',
  'statement.announce': 'Tell whose month is over',
  'statement.mail': 'Mail that a statement is there',
};

export const jobWords = (name: string): string => words[name as JobName] ?? name;

const shownFacts = [
  'checkoutId',
  'depositId',
  'transferId',
  'swapId',
  'refundId',
  'deliveryId',
  'exportId',
  'network',
  'kind',
] as const;

/** What it is about, by ids alone: a job may carry an address that is nobody's business. */
export const jobAbout = (payload: Readonly<Record<string, unknown>>): string =>
  shownFacts.flatMap((name) => (typeof payload[name] === 'string' ? [payload[name]] : [])).join(' · ');
