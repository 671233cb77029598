/**
 * The customer says where a refund shall go. Only the token in the link proves who it is: it is shown once, stored only
 * as its hash, and accepted once.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { lockDossier } from '../checkouts/checkout-store.ts';
import type { Refund } from '../checkouts/refund.ts';
import { refundStates } from '../checkouts/refund-state.ts';
import { type FoundRefund, findClaim, saveRefunds } from '../checkouts/refund-store.ts';
import { addToTimeline, type TimelineNote } from '../checkouts/timeline-store.ts';
import type { Db } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import type { NewJob } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { type Clock, hours } from '../lib/clock.ts';
import type { Connector } from '../networks/port/connector.ts';
import { goesBackToPayer } from '../networks/port/definition.ts';
import type { Destination } from '../networks/port/sending.ts';
import { insertPayouts, type NewPayout } from '../sending/payout-store.ts';
import { demandGoodAddress, demandPaidFor, demandRightAmount, demandSendable } from './refund-carrier.ts';
import { goesBackOnly, nothingIsSent } from './refund-errors.ts';

/** What is needed to send a refund that was decided before. */
export type ClaimDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly health: NetworkHealth;
};

/** How long a customer has time to say where the money shall go. */
export const claimMs = hours(24 * 30);

/** The job that looks at a claim when its time ends, enqueued in the transaction in which it begins. */
export const expiryOf = ({ checkout }: CheckoutDossier, { claimExpiresAt }: Refund): NewJob[] => {
  const payload = { merchantId: checkout.merchantId, checkoutId: checkout.id };
  return claimExpiresAt === null ? [] : [{ name: 'checkout.advance', payload, runAt: claimExpiresAt }];
};

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const newToken = (): string => randomBytes(32).toString('base64url');

/** Only the token's hash is kept. Null: nothing can be claimed any more. */
export async function newClaimToken(keepHash: (hash: Buffer) => Promise<boolean>): Promise<string | null> {
  const token = newToken();
  return (await keepHash(hashOfToken(token))) ? token : null;
}

/** Undefined for a wrong token, as if there were no such refund. */
export const findClaimByToken = (
  { db }: { readonly db: Db },
  checkoutId: string,
  token: string,
): Promise<FoundRefund | undefined> => findClaim(db, checkoutId, hashOfToken(token));

/** The payout has the refund's id, so asking twice sends once. It waits until what it gives back is there. */
export const payoutOf = ({ checkout }: CheckoutDossier, refund: Refund, destination: Destination): NewPayout => ({
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

type Claim = { readonly checkoutId: string; readonly token: string; readonly destination: Destination };

/** Whether it could be sent there, as far as that is known before it is: else it throws what is wrong. */
export async function checkClaim(
  deps: ClaimDeps,
  claim: Claim,
): Promise<{ readonly found: FoundRefund; readonly connector: Connector } | undefined> {
  const found = await findClaimByToken(deps, claim.checkoutId, claim.token);
  if (!found) return undefined;
  const { network } = found.refund;
  const connector = deps.connectors.get(network);
  if (!connector?.sender) throw nothingIsSent(network);
  if (goesBackToPayer(connector.network)) throw goesBackOnly(connector.network.name);
  await demandGoodAddress(deps.db, connector, claim.destination);
  demandRightAmount(deps, connector, found.refund, claim.destination);
  if (isClaimable(found.refund, deps.clock.now()))
    await demandPaidFor(deps, connector, found.refund, claim.destination);
  return { found, connector };
}

/** Returns the refund as it is now: an earlier answer of the customer may have decided already. */
export async function claimRefund(deps: ClaimDeps, claim: Claim): Promise<Refund | undefined> {
  const checked = await checkClaim(deps, claim);
  if (!checked) return undefined;
  const { found, connector } = checked;
  const { merchantId } = found;
  return deps.db.begin(async (tx) => {
    const now = deps.clock.now();
    const dossier = present(await lockDossier(tx, merchantId, claim.checkoutId), 'checkout of a claim');
    const refund = present(
      dossier.refunds.find(({ id }) => id === found.refund.id),
      'the claimed refund',
    );
    if (!isClaimable(refund, now)) return refund;
    await demandSendable(
      deps,
      tx,
      connector,
      { asset: refund.asset, units: refund.sentUnits, merchantId },
      dossier.payments,
    );
    const claimed: Refund = { ...refund, ...claim.destination, state: refundStates.moved(refund.state, 'send') };
    const note: TimelineNote = { what: 'refund_claimed', why: { refund: refund.id } };
    await Promise.all([
      saveRefunds(tx, [claimed]),
      insertPayouts(tx, [payoutOf(dossier, claimed, claim.destination)], now),
      addToTimeline(tx, dossier.checkout, [note], now),
    ]);
    return claimed;
  });
}
