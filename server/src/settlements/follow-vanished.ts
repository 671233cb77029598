/**
 * What was refunded of a payment that vanished counts as refunded of the payment that came in its place. The merchant
 * was charged for it in between, and gets that back.
 */
import { firstIdOf, type Payment } from '../checkouts/checkout.ts';
import { railOf } from '../checkouts/checkout-facts.ts';
import { leftUnits, type Refund, type Take } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import { smaller } from '../money/amount.ts';
import { type Draft, rebookPayments, withRefund } from './advance-draft.ts';
import { followedLines } from './refund-entries.ts';

export const followVanished = (draft: Draft): Draft => draft.dossier.refunds.reduce(followRefund, draft);

function followRefund(draft: Draft, { id, place, takes, costUnits }: Refund): Draft {
  const hasLeft = place === 'sent' || (place === 'returned' && costUnits > 0n); // What an attempt cost has left too.
  if (place !== 'reserved' && !hasLeft) return draft;
  return takes.reduce((followed, take) => followTake(followed, id, take, hasLeft), draft);
}

/**
 * Until the refund has left, only the very transaction that replaced the payment counts, and what the network left of it
 * when it took a part back: any other is another payment.
 */
function followTake(draft: Draft, refundId: string, take: Take, hasLeft: boolean): Draft {
  const { checkout, payments, refunds } = draft.dossier;
  const gone = payments.find(({ id }) => id === take.paymentId);
  if (gone?.place !== 'none') return draft;
  const isInItsPlace = (payment: Payment): boolean =>
    railOf(payment) === railOf(gone) &&
    (hasLeft || payment.txHash === gone.replacedBy || firstIdOf(payment) === firstIdOf(gone));
  const moved: Take[] = [];
  let missing = BigInt(take.units);
  const rebooked = rebookPayments(draft, (payment) => {
    const { place } = payment;
    if ((place !== 'pending' && place !== 'suspense') || missing === 0n || !isInItsPlace(payment)) return null;
    const units = smaller(leftUnits(payment), missing);
    if (units === 0n) return null;
    missing -= units;
    moved.push({ ...take, paymentId: payment.id, units: units.toString() });
    const { merchantId } = checkout;
    return {
      place,
      kind: 'refund_followed',
      linesOf: (purse) => followedLines(merchantId, payment, place, units, purse),
    };
  });
  if (moved.length === 0) return draft;
  const rest = missing === 0n ? [] : [{ ...take, units: missing.toString() }];
  const refund = present(
    refunds.find(({ id }) => id === refundId),
    'the refund that follows',
  );
  const takes = refund.takes.flatMap((each) => (each === take ? [...moved, ...rest] : [each]));
  return withRefund(rebooked, { ...refund, takes });
}
