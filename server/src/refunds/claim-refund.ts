/**
 * The customer says where a refund shall go. The token in the link is all that proves who it is: it is shown once, stored
 * only as its hash, and good for one answer.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { lockDossier } from '../checkouts/checkout-store.ts';
import type { Refund } from '../checkouts/refund.ts';
import { refundStates } from '../checkouts/refund-state.ts';
import { type FoundRefund, findClaim, saveRefunds } from '../checkouts/refund-store.ts';
import { addToTimeline, type TimelineNote } from '../checkouts/timeline-store.ts';
import type { NewJob } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { hours } from '../lib/clock.ts';
import type { Destination } from '../networks/port/sending.ts';
import { insertTransfers, type NewTransfer } from '../sending/outgoing-store.ts';
import type { AdvanceDeps } from '../settlements/advance-checkout.ts';
import { demandGoodAddress, demandPaidFor, demandRightAmount, demandSendable } from './refund-carrier.ts';
import { cannotSendThere } from './refund-errors.ts';

/** How long a customer has to say where the money shall go. */
export const claimMs = hours(24 * 30);

/** A look at a claim when it ends, in the transaction in which it begins. */
export const expiryOf = ({ checkout }: CheckoutDossier, { claimExpiresAt }: Refund): NewJob[] => {
  const payload = { merchantId: checkout.merchantId, checkoutId: checkout.id };
  return claimExpiresAt === null ? [] : [{ name: 'checkout.advance', payload, runAt: claimExpiresAt }];
};

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const newToken = (): string => randomBytes(32).toString('base64url');

/** Only its hash is kept. Null: nothing can be claimed any more. */
export async function newClaimToken(keepHash: (hash: Buffer) => Promise<boolean>): Promise<string | null> {
  const token = newToken();
  return (await keepHash(hashOfToken(token))) ? token : null;
}

/** Undefined for a token that is wrong: no different from one that never was. */
export const findClaimByToken = (
  { db }: Pick<AdvanceDeps, 'db'>,
  checkoutId: string,
  token: string,
): Promise<FoundRefund | undefined> => findClaim(db, checkoutId, hashOfToken(token));

/** The refund's id is its transfer's: asked for twice, it is sent once, and not before what it gives back is there. */
export const transferOf = ({ checkout }: CheckoutDossier, refund: Refund, destination: Destination): NewTransfer => ({
  ...destination,
  id: refund.id,
  network: refund.network,
  asset: refund.asset,
  units: refund.sentUnits,
  purpose: 'refund',
  merchantId: checkout.merchantId,
  heldFeeUnits: refund.heldFeeUnits,
});

export const isClaimable = ({ state, claimExpiresAt }: Refund, now: Date): boolean =>
  state === 'CLAIMABLE' && claimExpiresAt !== null && now < claimExpiresAt;

/** What came of it: the refund as it is now, which an earlier answer may have decided. */
export async function claimRefund(
  deps: Pick<AdvanceDeps, 'db' | 'clock' | 'connectors' | 'assets' | 'health'>,
  claim: { readonly checkoutId: string; readonly token: string; readonly destination: Destination },
): Promise<Refund | undefined> {
  const found = await findClaimByToken(deps, claim.checkoutId, claim.token);
  if (!found) return undefined;
  const { merchantId } = found;
  const { network } = found.refund;
  const connector = deps.connectors.get(network);
  if (!connector?.sender) throw cannotSendThere(`Nothing can be sent on ${network} at the moment.`);
  await demandGoodAddress(deps.db, connector, claim.destination);
  demandRightAmount(deps, connector, found.refund, claim.destination);
  if (isClaimable(found.refund, deps.clock.now()))
    await demandPaidFor(deps, connector, found.refund, claim.destination);

  return deps.db.begin(async (tx) => {
    const now = deps.clock.now();
    const dossier = present(await lockDossier(tx, merchantId, claim.checkoutId), 'checkout of a claim');
    const refund = present(
      dossier.refunds.find(({ id }) => id === found.refund.id),
      'the claimed refund',
    );
    if (!isClaimable(refund, now)) return refund;
    await demandSendable(deps, tx, connector, { asset: refund.asset, units: refund.sentUnits }, dossier.payments);
    const claimed: Refund = { ...refund, ...claim.destination, state: refundStates.moved(refund.state, 'send') };
    const note: TimelineNote = { what: 'refund_claimed', why: { refund: refund.id } };
    await Promise.all([
      saveRefunds(tx, [claimed]),
      insertTransfers(tx, [transferOf(dossier, claimed, claim.destination)], now),
      addToTimeline(tx, dossier.checkout, [note], now),
    ]);
    return claimed;
  });
}
