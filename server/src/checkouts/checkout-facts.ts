import { present } from '../lib/assert.ts';
import { nothing, type Share, shareOfPrice } from '../pricing/share-of-price.ts';
import type { CheckoutDossier, Settlement } from './checkout.ts';
import { type CheckoutFacts, isCredited } from './checkout-state.ts';

export const standingSettlement = (dossier: CheckoutDossier): Settlement | undefined =>
  dossier.settlements.find((settlement) => settlement.reversedAt === null);

/** What the state depends on, out of everything we know. */
export function factsOf(dossier: CheckoutDossier): CheckoutFacts {
  const { checkout, commitments, payments, settlements } = dossier;
  const standing = standingSettlement(dossier);
  return {
    commitments,
    payments,
    hasStrays: dossier.hasStrays,
    tolerance: checkout.tolerance,
    canceledAt: checkout.canceledAt,
    acceptedAt: checkout.acceptedAt,
    acceptedShare: acceptedShare(dossier),
    isSettled: standing !== undefined,
    creditedAs: standing !== undefined && isCredited(checkout.state) ? checkout.state : null,
    reversals: settlements.filter((settlement) => settlement.reversedAt !== null).length,
    hasExcess: standing?.parts.some((part) => BigInt(part.excessUnits) > 0n) ?? false,
    isMarketMissing: checkout.exceptions.includes('NO_MARKET'),
  };
}

/** What the last settlement since the acceptance was about. An acceptance that is newer than all of them has no limit. */
function acceptedShare({ checkout, commitments, settlements }: CheckoutDossier): Share {
  const last = settlements.at(-1);
  if (checkout.acceptedAt === null || last === undefined || last.settledAt < checkout.acceptedAt) return nothing;
  const dueUnits = new Map(commitments.map((commitment) => [commitment.id, commitment.dueUnits]));
  return shareOfPrice(
    last.parts.map((part) => ({
      receivedUnits: BigInt(part.countedUnits),
      dueUnits: present(dueUnits.get(part.commitmentId), 'commitment of a settled part'),
    })),
  );
}
