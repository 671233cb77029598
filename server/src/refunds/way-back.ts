/** What the page needs to know to tell a payer how to get money back, beyond what is in the dossier. */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { type ClaimLink, findClaimLinks } from '../checkouts/claim-link-store.ts';
import type { Query } from '../db/database.ts';
import { GatewayError } from '../lib/errors.ts';
import type { InSuspense } from '../settlements/refundable.ts';
import { askableBack } from './askable-back.ts';
import { claimEmail } from './claim-email.ts';
import { type CarrierDeps, feeInAsset, refundCarrier } from './refund-carrier.ts';

/** `tooLittle`: sending it would take all of it. `unsendable`: its network only receives here. */
export type Kept = 'nothing' | 'tooLittle' | 'unsendable' | 'something';

export type WayBack = {
  /** Where a link may be sent. Null: only the shop can help. */
  readonly email: string | null;
  /** What is held for the payer, and whether it can be asked for. */
  readonly kept: Kept;
  readonly links: readonly ClaimLink[];
};

/** Null where nothing is held for the payer and nothing has been: then nothing is asked of the database. */
export async function findWayBack(
  deps: CarrierDeps & { readonly db: Query },
  dossier: CheckoutDossier,
  now: Date,
): Promise<WayBack | null> {
  const options = askableBack(dossier, now);
  if (options.length === 0 && dossier.refunds.length === 0) return null;
  const [email, links] = await Promise.all([claimEmail(deps.db, dossier), findClaimLinks(deps.db, dossier.checkout)]);
  return { email, kept: keptOf(deps, options), links };
}

/** If several assets are held, what can be sent back decides: the refund of the others is refused by itself. */
export function keptOf(deps: CarrierDeps, options: readonly InSuspense[]): Kept {
  const found = new Set(options.map((option) => keptAs(deps, option)));
  return (['something', 'tooLittle', 'unsendable'] as const).find((each) => found.has(each)) ?? 'nothing';
}

/**
 * By what the network has last said that a payment costs. Whether enough is left is decided when the refund is asked
 * for, by what it would cost then; this only keeps the page from offering what would be refused.
 */
function keptAs(deps: CarrierDeps, { network: paidOn, asset, units }: InSuspense): Kept {
  const carrier = orNull(() => refundCarrier(deps, asset, { wished: paidOn, paidOn, isAsPaid: true }));
  if (!carrier) return 'unsendable';
  const { network } = carrier.connector;
  const told = deps.health.status(network.id)?.facts.payerCost?.[carrier.assetCode];
  const fee = told ? { assetCode: told.assetCode, units: BigInt(told.units) } : network.payerCost;
  const cost = fee ? orNull(() => feeInAsset(deps, carrier.connector, fee, asset)) : null;
  const left = units - (cost ?? 0n);
  return left <= 0n || left < carrier.leastUnits ? 'tooLittle' : 'something';
}

/** An expected failure means here that nobody knows. */
function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
