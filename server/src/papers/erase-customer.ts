/**
 * Forgets a customer who was deleted: nothing stays of them but what the papers say that were issued, which the law asks for.
 * First what is due is issued, also for orders that were paid before there were stored papers. While an order of theirs is
 * open, its invoice may still be due, and the row stays until that is over; for a decision of the shop nobody waits longer than 90 days.
 */
import { forgetBuyers } from '../checkouts/buyer-store.ts';
import { forgetContacts } from '../checkouts/contact-store.ts';
import { forgetReceiptHashes } from '../checkouts/email-store.ts';
import { unfinishedCheckouts, type WaitedFor } from '../checkouts/open-checkout-store.ts';
import { forgetMailHashes } from '../checkouts/status-mail-store.ts';
import {
  customerOfInvoice,
  customersToErase,
  type DeletedCustomer,
  eraseCustomerFields,
  findDeletedCustomer,
} from '../counterparties/customer-store.ts';
import { forgetFailure } from '../counterparties/mail-address-store.ts';
import { addressHash } from '../counterparties/mail-token.ts';
import type { Db, Query } from '../db/database.ts';
import { enqueueMissing } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { RunLater } from '../jobs/job-runner.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { type IssueDeps, issueDuePapers } from './issue-paper.ts';
import { checkoutsWithoutInvoice } from './paper-store.ts';

const issuedAtOnce = 50;
const lookAgainMs = hours(1);
const shownAtOnce = 50;
const enqueuedAtOnce = 10_000;

/** Nobody who has not chosen how to pay by then is waited for. */
const unchosenMs = hours(24);

/** Until then whoever deleted a customer waits for what the shop has to decide. */
export const erasedAtLatest = ({ deletedAt }: DeletedCustomer): Date => addMs(deletedAt, hours(90 * 24));

type CustomerName = JobCatalog['customer.erase'];

export async function eraseCustomer(deps: IssueDeps, name: CustomerName): Promise<void> {
  const { db, clock } = deps;
  const { merchantId, customerId } = name;
  const due = await checkoutsWithoutInvoice(db, merchantId, customerId, issuedAtOnce);
  for (const checkoutId of due) await issueDuePapers(deps, { merchantId, checkoutId });
  const now = clock.now();
  if (due.length === issuedAtOnce) throw new RunLater(now, { isFurther: true });
  const isOver = await db.begin(async (tx) => {
    const customer = await customerOfInvoice(tx, merchantId, customerId);
    if (!customer) return true; // This job ran before and only its acknowledgement was lost.
    if ((await waitedFor(tx, name, now, 1)).length > 0) return false;
    if ((await checkoutsWithoutInvoice(tx, merchantId, customerId, 1)).length > 0) return false;
    await forgetContacts(tx, merchantId, { customerId, email: customer.email });
    await forgetBuyers(tx, merchantId, customerId);
    await forgetMailHashes(tx, merchantId, customerId);
    await forgetReceiptHashes(tx, merchantId, customerId);
    await forgetFailure(tx, { merchantId, addressHash: addressHash(customer.email) });
    await eraseCustomerFields(tx, merchantId, customerId, now);
    return true;
  });
  if (!isOver) throw new RunLater(addMs(now, lookAgainMs));
}

/** For which orders a deleted customer is not erased yet, newest first. */
export const waitedForByErasing = (
  { db, clock }: { readonly db: Query; readonly clock: Clock },
  name: CustomerName,
): Promise<WaitedFor[]> => waitedFor(db, name, clock.now(), shownAtOnce);

async function waitedFor(
  query: Query,
  { merchantId, customerId }: CustomerName,
  now: Date,
  limit: number,
): Promise<WaitedFor[]> {
  const deleted = await findDeletedCustomer(query, merchantId, customerId);
  if (!deleted) return [];
  const isLate = now >= erasedAtLatest(deleted);
  const waitsFor: readonly WaitedFor['why'][] = isLate ? ['open', 'refund'] : ['open', 'refund', 'undecided'];
  return unfinishedCheckouts(query, merchantId, customerId, { since: addMs(now, -unchosenMs), waitsFor, limit });
}

/** Every hour: whom a process of the previous release deleted, which knows no such job. */
export async function eraseWhoWasLeft(db: Db, now: Date): Promise<void> {
  const left = await customersToErase(db, addMs(now, -lookAgainMs), enqueuedAtOnce);
  if (left.length === 0) return;
  const jobs = left.map((payload) => ({ name: 'customer.erase', payload, runAt: now }) as const);
  await db.begin((tx) => enqueueMissing(tx, jobs));
}
