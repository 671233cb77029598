/**
 * Mails a paper that somebody of the shop sends again, to who may read all of it. There is no row for it, as there may be
 * several; a worker that dies over it sends it again with the same Message-ID.
 */
import { findDossier } from '../checkouts/checkout-store.ts';
import { findContact } from '../checkouts/contact-store.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp } from '../jobs/job-runner.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { paperUrl } from '../papers/paper-record.ts';
import { findPaper, type StoredPaper } from '../papers/paper-store.ts';
import { paperAddress } from '../papers/send-paper.ts';
import { publicCheckout } from '../payment-page/public-checkout.ts';
import { findMailLook } from './find-mail-look.ts';
import { paperEmail } from './paper-email.ts';
import { AddressRefused, type Email } from './send-email.ts';
import { type SendReceiptDeps, triedForMs } from './send-receipt.ts';

export type MailPaperDeps = SendReceiptDeps & { readonly encryption: Encryption };

export async function mailPaperAgain(
  deps: MailPaperDeps,
  { merchantId, paperId = '', askedAt }: JobCatalog['receipt.again'],
): Promise<void> {
  const { db, clock, log, sendEmail } = deps;
  const paper = await findPaper(db, merchantId, paperId);
  const to = paper && (await paperAddress(db, paper));
  if (sendEmail === null || !paper || !to) return; // Mail was turned off, or the customer deleted, since it was asked for.
  const moment = new Date(askedAt);
  try {
    await sendEmail({ ...(await messageOf(deps, paper)), id: `paper-again.${paperId}.${moment.getTime()}`, to });
  } catch (error) {
    if (error instanceof AddressRefused)
      return log.info({ merchantId, paperId }, 'the address for a paper was refused');
    if (clock.now() > addMs(moment, triedForMs))
      throw new GiveUp('the mail server has not taken this paper for three days', { cause: error });
    throw error;
  }
  log.info({ merchantId, paperId }, 'paper sent again');
}

async function messageOf(deps: MailPaperDeps, paper: StoredPaper): Promise<Omit<Email, 'id' | 'to'>> {
  const { merchantId, checkoutId, facts } = paper;
  const [dossier, contact, merchant] = await Promise.all([
    findDossier(deps.db, merchantId, checkoutId),
    findContact(deps.db, { merchantId, id: checkoutId }),
    deps.merchantOf(merchantId),
  ]);
  const about = { merchant: present(merchant, `merchant ${merchantId}`), contact, customer: null };
  const shop = publicCheckout(deps, present(dossier, 'the checkout of a paper'), about, { now: deps.clock.now() });
  const url = paperUrl(deps, paper, { language: facts.language, isWhole: true });
  return paperEmail(facts.language, { paper, shop, look: await findMailLook(deps.db, merchantId), url });
}
