/**
 * The operator's bridge. Coins on other networks are represented on Stellar by tokens of the operator's issuing account,
 * as many as there are coins: what arrived is issued, what left is burned by paying it back to the issuer. One movement
 * per asset at a time, for everything that changed since the last one.
 *
 * It compares two numbers of the books, so it does not matter why coins came or went, nor what was missed while the
 * process was down. Stellar counts seven decimals: what is finer is held and not issued.
 *
 * Coins that came while as many left change nothing. There are tokens for them already, those of the coins that left.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Db, Tx } from '../db/database.ts';
import { isDatabaseAway } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { keepTicking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { rescale, smaller } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { carriedAsset } from '../networks/port/definition.ts';
import {
  coverPayments,
  markLevelled,
  type WaitingPayment,
  waitingPayments,
} from '../payments/bridged-payment-store.ts';
import { insertTransfers, withdrawTransfer } from '../sending/outgoing-store.ts';
import type { NetworkSender, SendResult } from '../sending/send-network.ts';
import { type BridgeActivity, type BridgeBooks, bridgeActivity, bridgeBooks, takeTurns } from './bridge-store.ts';
import { markLevel } from './bridge-token-store.ts';

export type BridgeDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly pollMs: number;
};

const stellar = 'STELLAR';
const lockClass = 7_004; // The first half of the advisory lock: "someone keeps the bridge".
const retryMs = minutes(1);
const noteLevelMs = minutes(1);

/** Ids of the assets that are issued here. */
export const bridgedAssets = ({ assets, connectors }: Pick<BridgeDeps, 'assets' | 'connectors'>): string[] =>
  (connectors.get(stellar)?.network.tokens ?? []).map(
    ({ assetCode }) => present(findAsset(assets, assetCode), `asset ${assetCode}`).id,
  );

/** Undefined: nothing is issued here. */
export function createBridge(deps: BridgeDeps): NetworkSender | undefined {
  const { db, log } = deps;
  const connector = deps.connectors.get(stellar);
  const bridged = bridgedAssets(deps);
  if (!connector || bridged.length === 0) return undefined;
  const leadership = createLeadership(db, { lockClass, key: 'bridge', onGain: async () => true });

  const levelAt = new Map<string, Date>();

  /** Only now and then, because nothing is said by it but that the bridge keeps up. */
  async function noteLevel(tx: Tx, asset: string): Promise<void> {
    const [now, before] = [deps.clock.now(), levelAt.get(asset)];
    if (before && now < addMs(before, noteLevelMs)) return;
    await markLevel(tx, asset, now);
    levelAt.set(asset, now);
  }

  async function levelAll(issuing: Connector, tx: Tx): Promise<boolean> {
    await takeTurns(tx, lockClass);
    // What is at work is read before the books: when it is booked in between it is seen as being at work still, and
    // nothing is asked for. The other way round it would be asked for twice. Likewise who waits: so their coins are in
    // the books.
    const activities = await bridgeActivity(tx, bridged);
    const waiting = await waitingPayments(tx, stellar, bridged);
    const books = await bridgeBooks(tx, bridged);
    let hasMoved = false;
    for (const each of books) {
      const activity = present(
        activities.find(({ asset }) => asset === each.asset),
        `activity of ${each.asset}`,
      );
      const ofAsset = waiting.filter(({ asset }) => asset === each.asset);
      const result = await level(deps, issuing, tx, each, activity, ofAsset);
      if (result === 'level') await noteLevel(tx, each.asset);
      hasMoved ||= result === 'moved';
    }
    return hasMoved;
  }

  async function tick(): Promise<SendResult> {
    if (!(await leadership.lead())) return 'follower';
    try {
      return (await db.begin((tx) => levelAll(connector as Connector, tx))) ? 'progress' : 'idle';
    } catch (error) {
      if (isDatabaseAway(error)) leadership.resign();
      log.warn({ err: error }, 'the bridge could not be levelled');
      return 'failed';
    }
  }

  return keepTicking({
    pauseMs: deps.pollMs,
    leadership,
    tick,
    onError: (error) => log.error({ err: error }, 'the bridge cannot reach the database'),
  });
}

/** Asks for the one movement that makes issued and held equal; 'waiting': not now. */
async function level(
  deps: BridgeDeps,
  connector: Connector,
  tx: Tx,
  books: BridgeBooks,
  { movement, failedAt, promisedUnits }: BridgeActivity,
  waiting: readonly WaitingPayment[],
): Promise<'level' | 'moved' | 'waiting'> {
  const { asset } = books;
  const { assetCode, assetIssuer, ledgerScale } = present(findAsset(deps.assets, asset), `asset ${asset}`);
  const { scale } = present(carriedAsset(connector.network, assetCode), `${assetCode} on Stellar`);
  const whole = (units: bigint, rounding: 'up' | 'down'): bigint =>
    rescale(rescale(units, ledgerScale, scale, rounding), scale, ledgerScale, rounding);
  const missing = books.heldUnits - books.issuedUnits;
  const isIssue = missing > 0n;
  const wanted = isIssue ? whole(missing, 'down') : whole(-missing, 'up');
  const now = deps.clock.now();
  const burnable = books.ownUnits - promisedUnits;
  if (!movement && (wanted === 0n || !isIssue)) {
    let unused = burnable - wanted;
    const covered = waiting.filter(({ units }) => {
      const isThere = whole(units, 'down') <= unused;
      if (isThere) unused -= whole(units, 'down');
      return isThere;
    });
    await letGoOn(tx, covered, now);
  }
  // Nobody has signed it yet, and by now fewer have to go, or fewer are there: what cannot happen would keep all others
  // from being asked for.
  const mostBurned = isIssue || burnable < 0n ? 0n : smaller(wanted, burnable);
  if (movement?.state === 'QUEUED' && !movement.isIssue && movement.units > mostBurned)
    await withdrawTransfer(tx, movement.id, now);
  if (wanted === 0n) return 'level';
  if (movement || (failedAt && now < addMs(failedAt, retryMs))) return 'waiting';
  // Tokens that somebody else holds cannot be burned: then the proof fails until they are bought back.
  const units = isIssue || wanted <= burnable ? wanted : whole(burnable > 0n ? burnable : 0n, 'down');
  if (units === 0n) return 'waiting';
  const id = `bridge:${newId()}`;
  const address = isIssue ? present(connector.exchangeAccount, 'our account on Stellar') : assetIssuer;
  const transfer = { id, network: stellar, asset, units, address, memo: null, memoType: null };
  await insertTransfers(tx, [{ ...transfer, purpose: 'bridge', merchantId: operatorId, isIssue }], now);
  if (isIssue) await coverPayments(tx, stellar, asset, id);
  return 'moved';
}

/** Whoever waited for tokens has them. */
async function letGoOn(tx: Tx, covered: readonly WaitingPayment[], now: Date): Promise<void> {
  if (covered.length === 0) return;
  const checkouts = await markLevelled(
    tx,
    covered.map(({ id }) => id),
    now,
  );
  await enqueue(
    tx,
    checkouts.map((payload) => ({ name: 'checkout.advance', payload, runAt: now }) as const),
  );
}
