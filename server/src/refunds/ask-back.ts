/**
 * The payer asks on the page for what nobody was credited for: what was paid too much, twice, or too little once the
 * time was over. It becomes a refund like those that merchants ask for, with the same limits. Where the money goes is
 * said at a link, which is sent only to an address that can be trusted: whoever pressed the button does not see it.
 */
import { findDossier, lockDossier } from '../checkouts/checkout-store.ts';
import { askForLinkAgain, findClaimLinks } from '../checkouts/claim-link-store.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { InSuspense } from '../settlements/refundable.ts';
import { askableBack } from './askable-back.ts';
import { claimEmail } from './claim-email.ts';
import { isClaimable } from './claim-refund.ts';
import { noTrustedEmail } from './refund-errors.ts';
import { type RequestRefundDeps, requestRefund } from './request-refund.ts';

/** So many messages about one refund, and so long between two of them. */
export const linksMax = 5;
export const linkPauseMs = minutes(10);

/** Two presses, or presses on two devices, make one refund; a later one sends its link again. */
export async function askBack(
  deps: RequestRefundDeps,
  merchant: Merchant,
  asked: { readonly checkoutId: string; readonly language: string },
): Promise<void> {
  const dossier = await findDossier(deps.db, merchant.id, asked.checkoutId);
  if (!dossier) return;
  const [email, links] = await Promise.all([claimEmail(deps.db, dossier), findClaimLinks(deps.db, dossier.checkout)]);
  if (email === null || links.some(({ isRefused }) => isRefused)) throw noTrustedEmail();
  const options = askableBack(dossier, deps.clock.now());
  if (options.length === 0) return sendAgain(deps, merchant.id, asked.checkoutId);
  const outcomes = await Promise.allSettled(options.map((option) => offer(deps, merchant, option, asked)));
  const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  // Of several assets, what can be sent back is, and the page goes on to show the others.
  const reason = failed.find((each) => !(each instanceof GatewayError)) ?? failed[0];
  if (reason !== undefined && (failed.length === outcomes.length || !(reason instanceof GatewayError))) throw reason;
}

/** The context is always named: without one, a refund could be of what the merchant was credited. */
async function offer(
  deps: RequestRefundDeps,
  merchant: Merchant,
  { context, asset, network }: InSuspense,
  { checkoutId, language }: { readonly checkoutId: string; readonly language: string },
): Promise<void> {
  const caller = { merchant, actor: 'payer', language, begin: deps.db.begin } as const;
  await requestRefund(deps, caller, { checkoutId, context, asset, network, feePaidBy: 'customer' });
}

async function sendAgain(deps: RequestRefundDeps, merchantId: string, checkoutId: string): Promise<void> {
  await deps.db.begin(async (tx) => {
    const dossier = await lockDossier(tx, merchantId, checkoutId);
    const now = deps.clock.now();
    const limits = { askedMax: linksMax, askedBefore: addMs(now, -linkPauseMs) };
    for (const refund of dossier?.refunds ?? []) {
      const key = { merchantId, refundId: refund.id };
      if (!isClaimable(refund, now) || !(await askForLinkAgain(tx, key, limits, now))) continue;
      await enqueue(tx, [{ name: 'refund.mail', payload: key, runAt: now }]);
      const note = { what: 'claim_link_asked', why: { refund: refund.id, by: 'payer' } };
      await addToTimeline(tx, { merchantId, id: checkoutId }, [note], now);
    }
  });
}
