/**
 * Sends the receipt for the settlement that stands. Once: its row in `email` is started before we talk to the mail
 * server, and ended afterwards. Only when we cannot know whether the server took it (a death, a broken connection) is
 * it sent again, with the same Message-ID, by which mail programs recognise the repetition.
 */
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { isCredited } from '../checkouts/checkout-state.ts';
import { findDossier } from '../checkouts/checkout-store.ts';
import { findContact } from '../checkouts/contact-store.ts';
import type { Db } from '../db/database.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp, RunLater } from '../jobs/job-runner.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type PageMerchant, type PublicCheckoutDeps, publicCheckout } from '../payment-page/public-checkout.ts';
import { checkoutPath } from '../web/page-language.ts';
import { paperPath } from '../web/paper-path.ts';
import { isPageLanguage } from '../web/texts/page-texts.ts';
import { endEmail, releaseEmail, startEmail } from './email-store.ts';
import { findMailLook } from './find-mail-look.ts';
import { receiptEmail } from './receipt-email.ts';
import { AddressRefused, conversationMaxMs, type SendEmail } from './send-email.ts';

export type SendReceiptDeps = PublicCheckoutDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly isSandbox: boolean;
  readonly originFor: (merchantId: string) => string;
  readonly merchantOf: (merchantId: string) => Promise<PageMerchant | undefined>;
  /** Null: mail is off. */
  readonly sendEmail: SendEmail | null;
};

const busyMs = 2 * conversationMaxMs;
const triedForMs = hours(72);

export async function sendReceipt(deps: SendReceiptDeps, payload: JobCatalog['email.send']): Promise<void> {
  const { db, clock, log, sendEmail } = deps;
  const { merchantId, checkoutId: id } = payload;
  if (sendEmail === null) return; // Mail was turned off since the payer left the address.
  const [dossier, contact, merchant] = await Promise.all([
    findDossier(db, merchantId, id),
    findContact(db, { merchantId, id }),
    deps.merchantOf(merchantId),
  ]);
  const settlement = dossier && standingSettlement(dossier);
  // It was reversed or refunded meanwhile: there is nothing to confirm.
  if (!dossier || !settlement || !isCredited(dossier.checkout.state) || !contact?.email) return;

  const now = clock.now();
  const busyUntil = addMs(now, busyMs);
  const key = { ...payload, generation: settlement.generation };
  const start = await startEmail(db, key, now, busyUntil);
  if (start.is === 'ended') return;
  if (start.is === 'busy') throw new RunLater(start.until);

  const surroundings = { merchant: present(merchant, `merchant ${merchantId}`), contact, customer: null };
  const checkout = publicCheckout(deps, dossier, surroundings, { now });
  const language = [contact.language ?? '', checkout.language].find(isPageLanguage) ?? 'en';
  const message = receiptEmail(language, {
    checkout,
    look: await findMailLook(db, merchantId),
    settledAt: settlement.settledAt,
    receiptUrl: `${deps.originFor(merchantId)}${paperPath(language, { kind: 'receipt', id })}`,
    pageUrl: `${deps.originFor(merchantId)}${checkoutPath(language, checkout)}`,
    isSandbox: deps.isSandbox,
  });
  const fields = { merchantId, checkoutId: id, generation: settlement.generation };
  try {
    await sendEmail({ ...message, id: `${payload.kind}.${id}.${settlement.generation}`, to: contact.email });
  } catch (error) {
    if (error instanceof AddressRefused) {
      // A wrong address is the payer's mistake, and nothing for the operator to do: the page still shows the receipt.
      log.info(fields, 'the address for the receipt was refused');
      return endEmail(db, key, 'refused', clock.now());
    }
    await releaseEmail(db, key, busyUntil, clock.now());
    if (clock.now() > addMs(settlement.settledAt, triedForMs))
      throw new GiveUp('the mail server has not taken this receipt for three days', { cause: error });
    throw error;
  }
  await endEmail(db, key, 'sent', clock.now());
  log.info(fields, 'receipt sent');
}
