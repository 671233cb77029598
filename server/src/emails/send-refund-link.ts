/**
 * Sends a payer the link at which a refund is claimed. Its row in `claim_link` is started before we talk to the mail
 * server, and answered afterwards, so that one request is one message.
 *
 * Only the hash of a token is kept, so every attempt has a new token, and from then on no earlier link works. So every
 * attempt also has a Message-ID of its own: mail programs must not take the newer message for a repetition of the one
 * whose link is dead.
 */

import { findAsset } from '../catalog/asset-catalog.ts';
import { findDossier } from '../checkouts/checkout-store.ts';
import { answerLink, releaseLink, startLink } from '../checkouts/claim-link-store.ts';
import { findRefund, replaceClaim } from '../checkouts/refund-store.ts';
import type { Db } from '../db/database.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp, RunLater } from '../jobs/job-runner.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { PictureWork } from '../merchants/picture-work.ts';
import { formatUnits } from '../money/amount.ts';
import { accountText, helpEmail, legalLinks, orderReference, pageSetting } from '../payment-page/page-setting.ts';
import type { PageMerchant } from '../payment-page/public-checkout.ts';
import { heldWorth } from '../payment-page/public-sums.ts';
import { claimPath } from '../payment-page/refund-claim-page.ts';
import { withdrawClaim } from '../refunds/advance-refund.ts';
import { claimEmail } from '../refunds/claim-email.ts';
import { isClaimable, newClaimToken } from '../refunds/claim-refund.ts';
import { invoiceAmount } from '../refunds/refund-carrier.ts';
import type { AdvanceDeps } from '../settlements/advance-checkout.ts';
import { isPageLanguage } from '../web/texts/page-texts.ts';
import { claimMessage } from './claim-message.ts';
import { findMailLook } from './find-mail-look.ts';
import { AddressRefused, conversationMaxMs, type SendEmail } from './send-email.ts';

export type SendRefundLinkDeps = AdvanceDeps & {
  readonly db: Db;
  readonly log: Log;
  readonly isSandbox: boolean;
  readonly originFor: (merchantId: string) => string;
  readonly merchantOf: (merchantId: string) => Promise<PageMerchant | undefined>;
  readonly pictures: PictureWork;
  /** Null: mail is off. */
  readonly sendEmail: SendEmail | null;
};

const busyMs = 2 * conversationMaxMs;
const triedForMs = hours(72);

export async function sendRefundLink(deps: SendRefundLinkDeps, key: JobCatalog['refund.mail']): Promise<void> {
  const { db, clock, log, sendEmail } = deps;
  const { merchantId, refundId } = key;
  const found = await findRefund(db, merchantId, refundId);
  const dossier = found && (await findDossier(db, merchantId, found.checkoutId));
  const now = clock.now();
  // Claimed, cancelled or over since it was asked for.
  if (!found || !dossier || !isClaimable(found.refund, now)) return;
  const to = await claimEmail(db, dossier);
  // Mail was turned off, or the shop has deleted the customer, since it was asked for.
  if (sendEmail === null || to === null) return withdrawClaim(deps, key);

  // All that can go wrong comes first: from the new token on, no earlier link works.
  const merchant = present(await deps.merchantOf(merchantId), `merchant ${merchantId}`);
  const { context, units, claimExpiresAt, ...refund } = found.refund;
  const { assetCode, ledgerScale } = present(findAsset(deps.assets, refund.asset), `asset ${refund.asset}`);
  const connector = deps.connectors.get(refund.network);
  const onInvoice = connector && invoiceAmount(deps, connector, { asset: refund.asset, units });
  const worth = heldWorth(dossier, found.refund, units);
  const look = await findMailLook(deps, merchantId);

  const busyUntil = addMs(now, busyMs);
  const start = await startLink(db, key, now, busyUntil);
  if (start.is === 'answered') return;
  if (start.is === 'busy') throw new RunLater(start.until);

  const token = await newClaimToken((hash) => replaceClaim(db, refundId, hash));
  if (token === null) return;
  const { checkoutId } = found;
  const language = isPageLanguage(start.language) ? start.language : 'en';
  const message = claimMessage(language, {
    order: { id: checkoutId, orderReference: orderReference(dossier.checkout) },
    shop: {
      shopName: pageSetting(dossier.checkout, merchant, 'shopName') ?? merchant.name,
      helpEmail: helpEmail(dossier.checkout, merchant),
      legalLine: accountText(merchant, 'legalLine'),
      legalLinks: legalLinks(merchant),
    },
    look,
    context,
    amount: onInvoice?.amount ?? formatUnits(units, ledgerScale),
    assetCode: onInvoice?.code ?? assetCode,
    worth: worth === null ? null : { amount: worth, currency: dossier.checkout.billingCurrency },
    goodUntil: present(claimExpiresAt, 'the end of a claim'),
    claimUrl: `${deps.originFor(merchantId)}${claimPath(language, checkoutId, token)}`,
    isSandbox: deps.isSandbox,
  });
  const fields = { merchantId, checkoutId, refundId };
  try {
    await sendEmail({ ...message, id: `claim.${refundId}.${newId()}`, to });
  } catch (error) {
    if (error instanceof AddressRefused) {
      log.info(fields, 'the address for the link of a refund was refused');
      return withdrawClaim(deps, key);
    }
    await releaseLink(db, key, busyUntil);
    if (clock.now() > addMs(start.askedAt, triedForMs))
      throw new GiveUp('the mail server has not taken this link for three days', { cause: error });
    throw error;
  }
  await answerLink(db, key, start.asked);
  log.info(fields, 'link of a refund sent');
}
