/**
 * Writes to the customer whom the shop linked with a checkout what has become of it. Once for each event: its row in
 * `status_mail` is started before we talk to the mail server, and ended afterwards. The event may be over by then: paid
 * meanwhile, taken back by the chain. Then nothing is written. See docs/decisions/0083-what-customers-are-told.md.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isCredited } from '../checkouts/checkout-state.ts';
import { findDossier } from '../checkouts/checkout-store.ts';
import { type CheckoutContact, findContact } from '../checkouts/contact-store.ts';
import {
  endStatusMail,
  releaseStatusMail,
  type StatusMailOutcome,
  type StatusMailStart,
  startStatusMail,
} from '../checkouts/status-mail-store.ts';
import { findMailAddress, saveFailure } from '../counterparties/mail-address-store.ts';
import { isOfAddress, type MailFailure } from '../counterparties/mail-failure.ts';
import { addressHash, createMailToken, stopMailsPath } from '../counterparties/mail-token.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp, RunLater } from '../jobs/job-runner.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { statusMailsOf } from '../merchants/status-mails.ts';
import { publicCheckout } from '../payment-page/public-checkout.ts';
import { publicRefunds } from '../payment-page/public-refund.ts';
import { checkoutPath } from '../web/page-language.ts';
import { customerAddress } from './customer-address.ts';
import { findMailLook } from './find-mail-look.ts';
import { countMail } from './mail-count-store.ts';
import { countsOf, type MailLimits } from './mail-limits.ts';
import { AddressRefused, conversationMaxMs, type Email } from './send-email.ts';
import { mailLanguage, receiptOf, type SendReceiptDeps } from './send-receipt.ts';
import { type StatusNews, statusEmail } from './status-email.ts';

export type SendStatusMailDeps = SendReceiptDeps & { readonly mailLimits: MailLimits; readonly publicUrl: string };

type Job = JobCatalog['status.mail'];
type Ended = { readonly outcome: StatusMailOutcome; readonly reason?: string };

const busyMs = 2 * conversationMaxMs;
const triedForMs = hours(72);

export async function sendStatusMail(deps: SendStatusMailDeps, job: Job): Promise<void> {
  const { db, clock, log, sendEmail } = deps;
  const { merchantId, checkoutId, kind } = job;
  if (sendEmail === null) return;
  const now = clock.now();
  const [dossier, merchant] = await Promise.all([findDossier(db, merchantId, checkoutId), deps.merchantOf(merchantId)]);
  const to = dossier ? await customerAddress(db, dossier.checkout) : null;
  const isWanted = merchant !== undefined && statusMailsOf(merchant)[kind];
  if (!dossier || to === null || !isWanted || !isStill(dossier, job))
    return endStatusMail(db, job, { outcome: 'over' }, now);

  const busyUntil = addMs(now, busyMs);
  const start = await begin(deps, job, { to, now, busyUntil });
  if (start.is === 'ended') return;
  if (start.is === 'busy') throw new RunLater(start.until);

  // Once more, now that whoever writes the receipt sees this row: one of the two waits for the other.
  const contact = await findContact(db, { merchantId, id: checkoutId });
  if (isOnReceipt(job, contact, to)) return endStatusMail(db, job, { outcome: 'receipt' }, now);

  const message = await messageOf(deps, dossier, contact, { job, to });
  const fields = { merchantId, checkoutId, kind };
  try {
    await sendEmail({ ...message, id: `status.${start.id}`, to });
  } catch (error) {
    if (error instanceof AddressRefused) {
      log.info(fields, "the customer's address was refused");
      return refused(deps, job, to, error.failure);
    }
    await releaseStatusMail(db, job, busyUntil, clock.now());
    if (clock.now() > addMs(new Date(job.at), triedForMs))
      throw new GiveUp('the mail server has not taken this mail to a customer for three days', { cause: error });
    throw error;
  }
  await endStatusMail(db, job, { outcome: 'sent' }, clock.now());
  log.info(fields, 'mail to a customer sent');
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

/** The row, and with the first attempt the count of the day: a mail that is tried again was counted before. */
function begin(
  { db, mailLimits, isSandbox }: SendStatusMailDeps,
  job: Job,
  { to, now, busyUntil }: { readonly to: string; readonly now: Date; readonly busyUntil: Date },
): Promise<StatusMailStart> {
  const address = { merchantId: job.merchantId, addressHash: addressHash(to) };
  return db.begin(async (tx) => {
    const mail = { id: newId(), addressHash: address.addressHash };
    const start = await startStatusMail(tx, job, mail, now, busyUntil);
    if (start.is !== 'ours') return start;
    const known = await findMailAddress(tx, address);
    const end = async (ended: Ended): Promise<StatusMailStart> => {
      await endStatusMail(tx, job, ended, now);
      return { is: 'ended' };
    };
    // In this transaction, so that the receipt need not wait to see what becomes of this.
    const contact = await findContact(tx, { merchantId: job.merchantId, id: job.checkoutId });
    if (isOnReceipt(job, contact, to)) return end({ outcome: 'receipt' });
    if (known.stoppedAt !== null) return end({ outcome: 'stopped' });
    if (known.failure !== null) return end({ outcome: 'unreachable', reason: known.failure });
    const full = start.isFirst
      ? await countMail(tx, countsOf(mailLimits, { ...address, kind: job.kind, isSandbox }), now)
      : null;
    return full ? end({ outcome: 'limited', reason: full.name }) : start;
  });
}

/** Where nobody is reached the address gets no more of these, until it is another one or somebody says try again. */
function refused({ db, clock }: SendStatusMailDeps, job: Job, to: string, failure: MailFailure): Promise<void> {
  const at = clock.now();
  return db.begin(async (tx) => {
    await endStatusMail(tx, job, { outcome: 'refused', reason: failure }, at);
    if (isOfAddress(failure))
      await saveFailure(tx, { merchantId: job.merchantId, addressHash: addressHash(to) }, { at, failure });
  });
}

async function messageOf(
  deps: SendStatusMailDeps,
  dossier: CheckoutDossier,
  contact: CheckoutContact | null,
  { job, to }: { readonly job: Job; readonly to: string },
): Promise<Omit<Email, 'id' | 'to'>> {
  const { merchantId, type } = dossier.checkout;
  const origin = deps.originFor(merchantId);
  const token = createMailToken(deps.encryption, { merchantId, addressHash: addressHash(to) });
  // Ours, whoever keeps the shop's domain: it must work as long as there are mails.
  const stopUrl = (language: string): string => `${deps.publicUrl}${stopMailsPath(language, token)}`;
  if (job.kind === 'paid') return receiptOf(deps, dossier, contact, { buyer: to, stopUrl });
  const merchant = present(await deps.merchantOf(merchantId), `merchant ${merchantId}`);
  const checkout = publicCheckout(deps, dossier, { merchant, contact, customer: null }, { now: deps.clock.now() });
  const language = mailLanguage(contact, checkout);
  return statusEmail(language, {
    checkout,
    news: newsOf(deps, dossier, job),
    look: await findMailLook(deps.db, merchantId),
    pageUrl: type === 'HOSTED' ? `${origin}${checkoutPath(language, checkout)}` : null,
    stopUrl: stopUrl(language),
    isSandbox: deps.isSandbox,
  });
}

function newsOf(deps: SendStatusMailDeps, { checkout, refunds }: CheckoutDossier, { kind, cause }: Job): StatusNews {
  if (kind === 'created' || kind === 'expired') return { kind };
  if (kind === 'refunded') {
    const [refund] = publicRefunds(
      deps,
      refunds.filter(({ id }) => id === cause),
    );
    return { kind, refund: present(refund, `refund ${cause}`) };
  }
  const { windowEndsAt } = checkout;
  const isOpen = windowEndsAt !== null && windowEndsAt > deps.clock.now();
  return { kind: 'underpaid', payUntil: isOpen ? windowEndsAt : null };
}
