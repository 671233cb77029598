/** Mails a paper that somebody of the shop sends again, to who may read all of it. */
import { findDossier } from '../checkouts/checkout-store.ts';
import { findContact } from '../checkouts/contact-store.ts';
import { paperCause } from '../checkouts/status-mail-store.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { present } from '../lib/assert.ts';
import { paperUrl } from '../papers/paper-record.ts';
import { findPaper, type StoredPaper } from '../papers/paper-store.ts';
import { paperAddress } from '../papers/send-paper.ts';
import { publicCheckout } from '../payment-page/public-checkout.ts';
import { findMailLook } from './find-mail-look.ts';
import { type MailOnceDeps, mailOnce } from './mail-once.ts';
import { paperEmail } from './paper-email.ts';
import type { Email } from './send-email.ts';
import type { SendReceiptDeps } from './send-receipt.ts';

export type MailPaperDeps = SendReceiptDeps & MailOnceDeps;

export async function mailPaper(
  deps: MailPaperDeps,
  { merchantId, checkoutId, paperId, askedAt }: JobCatalog['paper.mail'],
): Promise<void> {
  const { db, sendEmail } = deps;
  const paper = await findPaper(db, merchantId, paperId);
  const to = paper && (await paperAddress(db, paper));
  if (sendEmail === null || !paper || !to) return; // Mail was turned off, or the customer deleted, since it was asked for.
  const since = new Date(askedAt);
  const key = { merchantId, checkoutId, kind: 'paper', cause: paperCause(paperId, since) } as const;
  await mailOnce(deps, { key, to, since, sendEmail, message: () => messageOf(deps, paper) });
}

async function messageOf(deps: MailPaperDeps, paper: StoredPaper): Promise<Omit<Email, 'id' | 'to'>> {
  const { merchantId, checkoutId, facts } = paper;
  const [dossier, contact, merchant] = await Promise.all([
    findDossier(deps.db, merchantId, checkoutId),
    findContact(deps.db, { merchantId, id: checkoutId }),
    deps.merchantOf(merchantId),
  ]);
  const about = { merchant: present(merchant, `merchant ${merchantId}`), contact, buyer: null };
  const shop = publicCheckout(deps, present(dossier, 'the checkout of a paper'), about, { now: deps.clock.now() });
  const url = paperUrl(deps, paper, { language: facts.language, isWhole: true });
  return paperEmail(facts.language, { paper, shop, look: await findMailLook(deps, merchantId), url });
}
