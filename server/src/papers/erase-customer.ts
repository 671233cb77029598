/**
 * Forgets a customer who was deleted: nothing stays of them but what the papers say that were issued, which the law asks for.
 * First what is due is issued, also for orders that were paid before there were stored papers. While an order of theirs is
 * open, its invoice may still be due, and the row stays until that is over.
 */
import { forgetContacts } from '../checkouts/contact-store.ts';
import { hasOpenCheckouts } from '../checkouts/open-checkout-store.ts';
import { customerOfInvoice, eraseCustomerFields } from '../counterparties/customer-store.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { RunLater } from '../jobs/job-runner.ts';
import { addMs, hours } from '../lib/clock.ts';
import { type IssueDeps, issueDuePapers } from './issue-paper.ts';
import { checkoutsWithoutInvoice } from './paper-store.ts';

const issuedAtOnce = 50;
const lookAgainMs = hours(1);

/** Nobody who has not chosen how to pay by then is waited for. */
const undecidedMs = hours(24);

export async function eraseCustomer(deps: IssueDeps, payload: JobCatalog['customer.erase']): Promise<void> {
  const { db, clock } = deps;
  const { merchantId, customerId } = payload;
  const due = await checkoutsWithoutInvoice(db, merchantId, customerId, issuedAtOnce);
  for (const checkoutId of due) await issueDuePapers(deps, { merchantId, checkoutId });
  const now = clock.now();
  if (due.length === issuedAtOnce) throw new RunLater(now, { isFurther: true });
  const isOver = await db.begin(async (tx) => {
    const customer = await customerOfInvoice(tx, merchantId, customerId);
    if (!customer) return true; // This job ran before and only its acknowledgement was lost.
    if (await hasOpenCheckouts(tx, merchantId, customerId, addMs(now, -undecidedMs))) return false;
    if ((await checkoutsWithoutInvoice(tx, merchantId, customerId, 1)).length > 0) return false;
    await forgetContacts(tx, merchantId, { customerId, email: customer.email });
    await eraseCustomerFields(tx, merchantId, customerId, now);
    return true;
  });
  if (!isOver) throw new RunLater(addMs(now, lookAgainMs));
}
