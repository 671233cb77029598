/**
 * Writes to the customer whom the shop linked with a checkout what has become of it, once for each event. The event may be over
 * by then: paid meanwhile, taken back by the chain. Then nothing is written. See docs/decisions/0083-what-customers-are-told.md.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isCredited } from '../checkouts/checkout-state.ts';
import { findDossier } from '../checkouts/checkout-store.ts';
import { type CheckoutContact, findContact } from '../checkouts/contact-store.ts';
import { endStatusMail } from '../checkouts/status-mail-store.ts';
import { addressHash, createMailToken, stopMailsPath } from '../counterparties/mail-token.ts';
import type { Query } from '../db/database.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { present } from '../lib/assert.ts';
import { statusMailsOf } from '../merchants/status-mails.ts';
import { isForRefund } from '../papers/credit-note.ts';
import { issueDuePapers } from '../papers/issue-paper.ts';
import { paperUrl } from '../papers/paper-record.ts';
import { papersOfCheckout } from '../papers/paper-store.ts';
import { isBuyerOf } from '../papers/send-paper.ts';
import { publicCheckout } from '../payment-page/public-checkout.ts';
import { publicRefunds } from '../payment-page/public-refund.ts';
import { checkoutPath } from '../web/page-language.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { customerAddress } from './customer-address.ts';
import { findMailLook } from './find-mail-look.ts';
import { type MailEnd, type MailOnceDeps, mailOnce } from './mail-once.ts';
import type { Email } from './send-email.ts';
import { mailLanguage, receiptOf, type SendReceiptDeps } from './send-receipt.ts';
import { type MailedNote, type StatusNews, statusEmail } from './status-email.ts';

export type SendStatusMailDeps = SendReceiptDeps & MailOnceDeps & { readonly publicUrl: string };

type Job = JobCatalog['status.mail'];

export async function sendStatusMail(deps: SendStatusMailDeps, job: Job): Promise<void> {
  const { db, clock, sendEmail } = deps;
  const { merchantId, checkoutId, kind } = job;
  if (sendEmail === null) return;
  const now = clock.now();
  const [dossier, merchant] = await Promise.all([findDossier(db, merchantId, checkoutId), deps.merchantOf(merchantId)]);
  const to = dossier ? await customerAddress(db, dossier.checkout) : null;
  const isWanted = merchant !== undefined && statusMailsOf(merchant)[kind];
  if (!dossier || to === null || !isWanted || !isStill(dossier, job))
    return endStatusMail(db, job, { outcome: 'over' }, now);

  const isSaid = async (query: Query): Promise<MailEnd | null> =>
    isOnReceipt(job, await findContact(query, { merchantId, id: checkoutId }), to) ? { outcome: 'receipt' } : null;
  return mailOnce(deps, {
    key: job,
    to,
    since: new Date(job.at),
    sendEmail,
    // In this transaction, so that the receipt need not wait to see what becomes of this.
    whyNot: async (tx, { stoppedAt }) => (await isSaid(tx)) ?? (stoppedAt === null ? null : { outcome: 'stopped' }),
    // Once more, now that whoever writes the receipt sees this row: one of the two waits for the other.
    message: async () => (await isSaid(db)) ?? messageOf(deps, dossier, { job, to }),
  });
}

/** The payer typed the address for a receipt, which says the same. */
const isOnReceipt = ({ kind }: Job, contact: CheckoutContact | null, to: string): boolean =>
  kind === 'paid' && !!contact?.email && addressHash(contact.email) === addressHash(to);

/** Whether what it tells is so at this moment. */
function isStill({ checkout, settlements, payments, refunds }: CheckoutDossier, { kind, cause }: Job): boolean {
  const { state, exceptions, acceptedAt } = checkout;
  if (kind === 'created') return (state === 'CREATED' || state === 'PENDING') && payments.length === 0;
  if (kind === 'underpaid') return state === 'PENDING' && exceptions.includes('PARTIAL');
  if (kind === 'expired') return state === 'UNDERPAID' && acceptedAt === null;
  if (kind === 'refunded') return refunds.some(({ id, place }) => id === cause && place === 'sent');
  const standing = settlements.find(({ reversedAt }) => reversedAt === null);
  return isCredited(state) && String(standing?.generation) === cause;
}

async function messageOf(
  deps: SendStatusMailDeps,
  dossier: CheckoutDossier,
  { job, to }: { readonly job: Job; readonly to: string },
): Promise<Omit<Email, 'id' | 'to'>> {
  const { merchantId, type } = dossier.checkout;
  const contact = await findContact(deps.db, dossier.checkout);
  const origin = deps.originFor(merchantId);
  const token = createMailToken(deps.encryption, { merchantId, addressHash: addressHash(to) });
  // Ours, whoever keeps the shop's domain: it must work as long as there are mails.
  const stopUrl = (language: string): string => `${deps.publicUrl}${stopMailsPath(language, token)}`;
  if (job.kind === 'paid') return receiptOf(deps, dossier, contact, { buyer: to, stopUrl });
  const merchant = present(await deps.merchantOf(merchantId), `merchant ${merchantId}`);
  const checkout = publicCheckout(deps, dossier, { merchant, contact, buyer: null }, { now: deps.clock.now() });
  const language = mailLanguage(contact, checkout);
  return statusEmail(language, {
    checkout,
    news: await newsOf(deps, dossier, job, { to, language }),
    look: await findMailLook(deps, merchantId),
    pageUrl: type === 'HOSTED' ? `${origin}${checkoutPath(language, checkout)}` : null,
    stopUrl: stopUrl(language),
    isSandbox: deps.isSandbox,
  });
}

async function newsOf(
  deps: SendStatusMailDeps,
  dossier: CheckoutDossier,
  { kind, cause }: Job,
  reader: { readonly to: string; readonly language: PageLanguage },
): Promise<StatusNews> {
  if (kind === 'created' || kind === 'expired') return { kind };
  const { checkout, refunds } = dossier;
  if (kind === 'refunded') {
    const [refund] = publicRefunds(
      deps,
      refunds.filter(({ id }) => id === cause),
    );
    return { kind, refund: present(refund, `refund ${cause}`), note: await noteOf(deps, checkout, cause, reader) };
  }
  const { windowEndsAt } = checkout;
  const isOpen = windowEndsAt !== null && windowEndsAt > deps.clock.now();
  return { kind: 'underpaid', payUntil: isOpen ? windowEndsAt : null };
}

/** The credit note for a refund, issued now if it was not before: what is booked comes with the news. */
async function noteOf(
  deps: SendStatusMailDeps,
  { merchantId, id }: CheckoutDossier['checkout'],
  refundId: string,
  { to, language }: { readonly to: string; readonly language: PageLanguage },
): Promise<MailedNote | null> {
  await issueDuePapers(deps, { merchantId, checkoutId: id });
  const papers = await papersOfCheckout(deps.db, { merchantId, id });
  const note = papers.findLast((paper) => isForRefund(paper, refundId));
  if (!note) return null;
  const url = paperUrl(deps, note, { language, isWhole: true });
  return { number: note.number, total: note.facts.total, url: isBuyerOf(note, to) ? url : null };
}
