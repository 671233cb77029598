/**
 * What the merchant is told about refunds. Shops understand REFUND_COMPLETED as "the whole order was refunded", so only
 * the refund is announced so that completes what was decided: everything received was given back, or everything beyond
 * the price. A smaller refund is announced as a part. Pure.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { factsOf, isEverythingSentBack, standingSettlement } from '../checkouts/checkout-facts.ts';
import type { Refund } from '../checkouts/refund.ts';
import { inSuspense } from './refundable.ts';

export type RefundEvent = {
  readonly type: 'REFUND_COMPLETED' | 'REFUND_PARTIAL' | 'REFUND_FAILED';
  readonly refund: Refund;
};

export function refundEvents(before: CheckoutDossier, after: CheckoutDossier, now: Date): RefundEvent[] {
  if (after.refunds.length === 0) return [];
  const changed = after.refunds.filter(
    ({ id, place }) => !before.refunds.some((each) => each.id === id && each.place === place),
  );
  const sent = changed.filter(({ place }) => place === 'sent');
  const [isAllBack, isExcessBack] = [isAllGivenBack(after), isExcessDecided(after, now)];
  // If several arrive at the same moment, the last one completes it.
  const lastOf = (isExcess: boolean): Refund | undefined => sent.findLast((refund) => isOfExcess(refund) === isExcess);
  const completing = [isAllBack && lastOf(false), isExcessBack && lastOf(true)];
  // What came back in part still is a refund of a part: whoever was told of all of it is told of the rest.
  const lessened = after.refunds.filter(
    ({ id, place, cameBackUnits }) =>
      place === 'sent' && before.refunds.some((each) => each.id === id && each.cameBackUnits < cameBackUnits),
  );
  const events = [...changed, ...lessened].flatMap((refund): RefundEvent[] => {
    if (refund.place === 'sent')
      return [{ type: completing.includes(refund) ? 'REFUND_COMPLETED' : 'REFUND_PARTIAL', refund }];
    return refund.place === 'returned' && refund.state === 'FAILED' ? [{ type: 'REFUND_FAILED', refund }] : [];
  });
  // The refund arrived while its payment was gone. Now the payment is back, and only now everything was given back.
  const wasTold = before.checkout.state === 'REFUNDED' || factsOf(before).wasCreditRefunded || lastOf(false);
  const isFoundOut = after.checkout.state === 'REFUNDED' && !wasTold;
  const known = isFoundOut && after.refunds.findLast((refund) => refund.place === 'sent' && !isOfExcess(refund));
  return known ? [...events, { type: 'REFUND_COMPLETED', refund: known }] : events;
}

const isOfExcess = ({ context }: Refund): boolean => context === 'OVERPAID_CHECKOUT';

const isAllGivenBack = (dossier: CheckoutDossier): boolean =>
  dossier.checkout.state === 'REFUNDED' || factsOf(dossier).wasCreditRefunded || isEverythingSentBack(dossier);

/** Nothing beyond the price waits for a decision or is on its way. */
function isExcessDecided(dossier: CheckoutDossier, now: Date): boolean {
  const isBeyond = standingSettlement(dossier) !== undefined || dossier.checkout.state === 'REFUNDED';
  const isOnItsWay = ({ place }: Refund): boolean => place === 'none' || place === 'reserved';
  const isWaiting = dossier.refunds.some((refund) => isOfExcess(refund) && isOnItsWay(refund));
  return isBeyond && !isWaiting && inSuspense(dossier, now).length === 0;
}
