/**
 * Sends the receipt for the settlement that stands. Once: its row in `email` is started before we talk to the mail
 * server, and ended afterwards. Only when we cannot know whether the server took it (a death, a broken connection) is
 * it sent again, with the same Message-ID, by which mail programs recognise the repetition.
 */

import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { isCredited } from '../checkouts/checkout-state.ts';
import { findDossier } from '../checkouts/checkout-store.ts';
import { type CheckoutContact, findContact } from '../checkouts/contact-store.ts';
import { type EmailKey, endEmail, releaseEmail, startEmail } from '../checkouts/email-store.ts';
import { hasReceipt, receiptAddress } from '../checkouts/send-receipt-again.ts';
import { findStatusMail } from '../checkouts/status-mail-store.ts';
import { saveFailure } from '../counterparties/mail-address-store.ts';
import { isOfAddress, type MailFailure } from '../counterparties/mail-failure.ts';
import { addressHash } from '../counterparties/mail-token.ts';
import type { Db } from '../db/database.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp, RunLater } from '../jobs/job-runner.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { createBuyerKey } from '../merchants/buyer-key.ts';
import type { PictureWork } from '../merchants/picture-work.ts';
import { issuePaper } from '../papers/issue-paper.ts';
import { isBuyerOf } from '../papers/send-paper.ts';
import { type PageMerchant, type PublicCheckoutDeps, publicCheckout } from '../payment-page/public-checkout.ts';
import { checkoutPath } from '../web/page-language.ts';
import { paperPath } from '../web/paper-path.ts';
import { isPageLanguage, type PageLanguage } from '../web/texts/page-texts.ts';
import { customerAddress } from './customer-address.ts';
import { findMailLook } from './find-mail-look.ts';
import { type MailOnceDeps, mailOnce } from './mail-once.ts';
import { receiptEmail } from './receipt-email.ts';
import { AddressRefused, conversationMaxMs, type Email, type SendEmail } from './send-email.ts';

export type SendReceiptDeps = PublicCheckoutDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly isSandbox: boolean;
  readonly encryption: Encryption;
  readonly originFor: (merchantId: string) => string;
  readonly merchantOf: (merchantId: string) => Promise<PageMerchant | undefined>;
  readonly pictures: PictureWork;
  /** Null: mail is off. */
  readonly sendEmail: SendEmail | null;
};

const busyMs = 2 * conversationMaxMs;
const triedForMs = hours(72);

export async function sendReceipt(deps: SendReceiptDeps, payload: JobCatalog['email.send']): Promise<void> {
  const { db, clock, log, sendEmail } = deps;
  const { merchantId, checkoutId: id } = payload;
  if (sendEmail === null) return; // Mail was turned off since the payer left the address.
  const [dossier, contact] = await Promise.all([findDossier(db, merchantId, id), findContact(db, { merchantId, id })]);
  const settlement = dossier && standingSettlement(dossier);
  // It was reversed or refunded meanwhile: there is nothing to confirm.
  if (!dossier || !settlement || !isCredited(dossier.checkout.state) || !contact?.email) return;

  const now = clock.now();
  const busyUntil = addMs(now, busyMs);
  const key = { ...payload, generation: settlement.generation };
  const hash = addressHash(contact.email);
  const start = await startEmail(db, key, { id: newId(), addressHash: hash }, now, busyUntil);
  if (start.is === 'ended') return;
  if (start.is === 'busy') throw new RunLater(start.until);

  const buyer = await customerAddress(db, dossier.checkout);
  const isBuyer = buyer !== null && addressHash(buyer) === hash;
  // Whoever reads this address was perhaps told already, because the shop knows it: one message is enough.
  const told = await findStatusMail(db, { merchantId, checkoutId: id, kind: 'paid', cause: String(key.generation) });
  if (told && isBuyer && told.addressHash === hash) {
    if (told.outcome === 'sent') return endEmail(db, key, { outcome: 'sent' }, clock.now());
    if (told.outcome === null && told.until > now) {
      await releaseEmail(db, key, busyUntil, now);
      throw new RunLater(told.until);
    }
  }
  const message = await receiptOf(deps, dossier, contact, { buyer: isBuyer ? buyer : null });
  const fields = { merchantId, checkoutId: id, generation: settlement.generation };
  const name = start.id ?? `${id}.${settlement.generation}`; // As the previous release named what it began.
  try {
    await sendEmail({ ...message, id: `${payload.kind}.${name}`, to: contact.email });
  } catch (error) {
    if (error instanceof AddressRefused) {
      // A wrong address is the payer's mistake, and nothing for the operator to do: the page still shows the receipt.
      log.info(fields, 'the address for the receipt was refused');
      return endRefused(deps, key, hash, error.failure);
    }
    await releaseEmail(db, key, busyUntil, clock.now());
    if (clock.now() > addMs(settlement.settledAt, triedForMs))
      throw new GiveUp('the mail server has not taken this receipt for three days', { cause: error });
    throw error;
  }
  await endEmail(db, key, { outcome: 'sent' }, clock.now());
  log.info(fields, 'receipt sent');
}

/** Whoever sends it again, or writes about an order, need not try it once more to learn that nobody is there. */
function endRefused({ db, clock }: SendReceiptDeps, key: EmailKey, hash: string, failure: MailFailure): Promise<void> {
  const at = clock.now();
  return db.begin(async (tx) => {
    await endEmail(tx, key, { outcome: 'refused', reason: failure }, at);
    if (isOfAddress(failure)) await saveFailure(tx, { merchantId: key.merchantId, addressHash: hash }, { at, failure });
  });
}

/** Once more, because somebody of the shop asked for it: to the same address. */
export async function mailReceiptAgain(
  deps: SendReceiptDeps & MailOnceDeps,
  { merchantId, checkoutId, askedAt }: JobCatalog['receipt.again'],
): Promise<void> {
  const { db, sendEmail } = deps;
  const dossier = await findDossier(db, merchantId, checkoutId);
  if (sendEmail === null || !dossier || !hasReceipt(dossier)) return;
  const [contact, to] = await Promise.all([findContact(db, dossier.checkout), receiptAddress(db, dossier.checkout)]);
  if (to === null) return;
  const since = new Date(askedAt);
  const key = { merchantId, checkoutId, kind: 'receipt', cause: String(since.getTime()) } as const;
  const message = async () => {
    const buyer = await customerAddress(db, dossier.checkout);
    const isToBuyer = buyer !== null && addressHash(buyer) === addressHash(to);
    return receiptOf(deps, dossier, contact, { buyer: isToBuyer ? buyer : null });
  };
  await mailOnce(deps, { key, to, since, sendEmail, message });
}

/**
 * `buyer`: the address of the customer whom the shop named, if it goes there. The whole invoice is for the one that is on it:
 * whoever may change a customer's address may not thereby read who the customer is.
 */
export async function receiptOf(
  deps: Omit<SendReceiptDeps, 'sendEmail' | 'log'>,
  dossier: CheckoutDossier,
  contact: CheckoutContact | null,
  { buyer, stopUrl }: { readonly buyer: string | null; readonly stopUrl?: (language: PageLanguage) => string },
): Promise<Omit<Email, 'id' | 'to'>> {
  const { merchantId, id, type } = dossier.checkout;
  const merchant = present(await deps.merchantOf(merchantId), `merchant ${merchantId}`);
  const checkout = publicCheckout(deps, dossier, { merchant, contact, buyer: null }, { now: deps.clock.now() });
  const { settledAt } = present(standingSettlement(dossier), 'the settlement that the receipt is for');
  // Of the two the one that its reader books.
  const invoice = buyer === null ? null : await issuePaper(deps, { merchantId, checkoutId: id, kind: 'invoice' });
  const isNamed = invoice !== null && buyer !== null && isBuyerOf(invoice.paper, buyer);
  const issued = isNamed ? invoice : await issuePaper(deps, { merchantId, checkoutId: id, kind: 'receipt' });
  const language = mailLanguage(contact, checkout);
  const origin = deps.originFor(merchantId);
  const hasPage = type === 'HOSTED';
  const buyerKey = isNamed ? createBuyerKey(deps.encryption, id) : null;
  return receiptEmail(language, {
    checkout,
    look: await findMailLook(deps, merchantId),
    settledAt,
    paper: issued && issued.paper,
    receiptUrl: hasPage ? `${origin}${paperPath(language, { kind: 'receipt', id })}` : null,
    invoiceUrl: isNamed ? `${origin}${paperPath(language, { kind: 'invoice', id, buyerKey })}` : null,
    pageUrl: hasPage ? `${origin}${checkoutPath(language, checkout)}` : null,
    ...(stopUrl && { stopUrl: stopUrl(language) }),
    isSandbox: deps.isSandbox,
  });
}

/** Of the page on which the payer was last, else of the checkout. English, where that is left to the browser. */
export const mailLanguage = (
  contact: Pick<CheckoutContact, 'language'> | null,
  { language }: { readonly language: string },
): PageLanguage => [contact?.language ?? '', language].find(isPageLanguage) ?? 'en';
