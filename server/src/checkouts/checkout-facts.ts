import type { CheckoutDossier, Settlement } from './checkout.ts';
import type { CheckoutFacts } from './checkout-state.ts';

export const standingSettlement = (dossier: CheckoutDossier): Settlement | undefined =>
  dossier.settlements.find((settlement) => settlement.reversedAt === null);

/** What the state depends on, out of everything we know. */
export function factsOf(dossier: CheckoutDossier): CheckoutFacts {
  const { checkout, commitments, payments, settlements } = dossier;
  const standing = standingSettlement(dossier);
  return {
    commitments,
    payments,
    tolerance: checkout.tolerance,
    canceledAt: checkout.canceledAt,
    acceptedAt: checkout.acceptedAt,
    isSettled: standing !== undefined,
    reversals: settlements.filter((settlement) => settlement.reversedAt !== null).length,
    hasExcess: standing?.parts.some((part) => BigInt(part.excessUnits) > 0n) ?? false,
    isMarketMissing: checkout.exceptions.includes('NO_MARKET'),
  };
}
