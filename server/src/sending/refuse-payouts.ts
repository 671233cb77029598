/** Payouts that must never be signed. Whoever asked should have noticed, but here it must be certain. */
import { isOfAnchor } from '../catalog/asset-catalog.ts';
import type { Db } from '../db/database.ts';
import { knownTargetKeys } from '../deposits/deposit-target-store.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { missingOfHolder, type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import { SendRefused } from '../networks/port/sending.ts';
import type { PayoutsOn } from './payout-on-network.ts';
import { refusePayout, type StoredPayout } from './payout-store.ts';
import { advanceJob } from './record-sent.ts';

/** The first of them, and why. */
export async function findNeverSent(
  db: Db,
  network: NetworkDefinition,
  { assetOf, isFinerThanCarried, isMoreThanSent }: PayoutsOn,
  queued: readonly StoredPayout[],
): Promise<SendRefused | undefined> {
  const ours = await firstToOurselves(db, network, queued);
  if (ours) return new SendRefused(ours.id, 'The address is one of our own: what is sent there pays nobody.');
  // A connector is told only the code of the asset, so it would send our own asset with that code.
  const isInAssetOfAnchor = ({ asset, exchange }: StoredPayout): boolean =>
    [asset, ...(exchange ? [exchange.asset] : [])].some((each) => isOfAnchor(assetOf(each)));
  const notOurs = queued.find(isInAssetOfAnchor);
  if (notOurs) return new SendRefused(notOurs.id, 'It is in an asset of an anchor, which is on no network.');
  const isBack = ({ purpose }: StoredPayout): boolean => purpose === 'refund' || purpose === 'return';
  const notBack = network.givesBackOnly ? queued.find((payout) => !isBack(payout)) : undefined;
  if (notBack) return new SendRefused(notBack.id, `${network.name} only gives back what was paid.`);
  const unnamed = queued.find(({ holder }) => missingOfHolder(network, holder).length > 0);
  if (unnamed) return new SendRefused(unnamed.id, `${network.name} needs to know who holds the account.`);
  const tooLarge = queued.find(isMoreThanSent);
  if (tooLarge) return new SendRefused(tooLarge.id, `It is more than ${network.name} sends in one piece.`);
  const tooFine = queued.find(isFinerThanCarried);
  if (!tooFine) return undefined;
  const { assetCode } = assetOf(tooFine.asset);
  const { scale } = networkAsset(network, assetCode);
  return new SendRefused(tooFine.id, `${network.name} carries ${assetCode} with ${scale} decimals, not more.`);
}

/**
 * What our own transactions bring to our targets counts as no payment, so this money would be booked as gone and credited
 * to nobody.
 */
async function firstToOurselves(
  db: Db,
  network: NetworkDefinition,
  queued: readonly StoredPayout[],
): Promise<StoredPayout | undefined> {
  const namesOf = ({ address }: StoredPayout): string[] => [address, address.toLowerCase()];
  const known = await knownTargetKeys(db, network.id, queued.flatMap(namesOf));
  return queued.find((payout) => namesOf(payout).some((name) => known.has(name)));
}

/** Whoever asked for it learns of it by a job. */
export async function refusePayouts(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log },
  { payoutId, message }: SendRefused,
): Promise<void> {
  const refused = await db.begin(async (tx) => {
    const now = clock.now();
    const payouts = await refusePayout(tx, payoutId, message, now);
    const failed = payouts.filter(({ state }) => state === 'FAILED');
    await enqueue(
      tx,
      failed.map((payout) => advanceJob(payout, now)),
    );
    return payouts;
  });
  if (refused.some(({ state }) => state === 'QUEUED'))
    log.error({ payoutId, reason: message }, 'payout refused that was announced as sent; it will be tried again');
  else log.info({ payoutId, reason: message }, 'payout refused');
}
