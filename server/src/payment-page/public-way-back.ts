/** What the page may say of money that is held for the payer. Pure. */
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Refund } from '../checkouts/refund.ts';
import { addMs } from '../lib/clock.ts';
import { goesBackToPayer } from '../networks/port/definition.ts';
import { linkPauseMs, linksMax } from '../refunds/ask-back.ts';
import { isClaimable } from '../refunds/claim-refund.ts';
import type { WayBack } from '../refunds/way-back.ts';

export type PublicWayBack = {
  /** Where a link may be sent: its owner recognises it, and nobody else can read it. Null: only the shop can help. */
  readonly maskedEmail: string | null;
  readonly kept: WayBack['kept'];
  readonly offers: readonly PublicOffer[];
};

/**
 * `approving`: the shop has to agree to what the payer asked for. `mailed`: the payer asked for a link. `offered`: the
 * shop has given one out.
 */
export type PublicOffer = {
  readonly state: 'approving' | 'mailed' | 'offered' | 'sending' | 'returned';
  readonly goodUntil: Date | null;
  readonly canSendAgain: boolean;
};

/** Why a wish could not be granted: not now, too little is left of it, or only the shop can. */
const problems = ['later', 'little', 'shop'] as const;
export type WayBackProblem = (typeof problems)[number];

export const readProblem = (text: unknown): WayBackProblem | undefined => problems.find((each) => each === text);

export const maskedEmail = (email: string): string => email.replace(/^(.)[^@]*@/, '$1…@');

export function publicWayBack(refunds: readonly Refund[], wayBack: WayBack, now: Date): PublicWayBack {
  const { email, kept, links } = wayBack;
  // A mail server that has refused the address would refuse it again.
  const isReachable = email !== null && !links.some(({ isRefused }) => isRefused);
  return {
    maskedEmail: isReachable ? maskedEmail(email) : null,
    kept,
    offers: refunds
      .filter(({ context }) => context !== 'COMPLETED_CHECKOUT')
      .flatMap((refund) => offerOf(refund, wayBack, now) ?? []),
  };
}

function offerOf(refund: Refund, { links }: WayBack, now: Date): PublicOffer | undefined {
  const link = links.find(({ refundId }) => refundId === refund.id);
  const offer = { goodUntil: null, canSendAgain: false };
  if (refund.state === 'COMPLETED') return { ...offer, state: 'returned' };
  if (refund.state === 'SENDING') return { ...offer, state: 'sending' };
  // At a bank nobody is asked where to, so there is no link to wait for.
  const isAtShop = link !== undefined || goesBackToPayer(findNetwork(refund.network));
  if (refund.state === 'AWAITING_APPROVAL') return { ...offer, state: isAtShop ? 'approving' : 'sending' };
  if (!isClaimable(refund, now)) return undefined;
  if (!link) return { ...offer, state: 'offered' };
  const canSendAgain = link.asked < linksMax && addMs(link.askedAt, linkPauseMs) <= now;
  return { state: 'mailed', goodUntil: refund.claimExpiresAt, canSendAgain };
}
