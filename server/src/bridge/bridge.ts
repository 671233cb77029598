/**
 * The operator's bridge. For coins on other networks the operator's issuing account issues tokens on Stellar, as many
 * as there are coins: for coins that arrived tokens are issued, for coins that left they are burned by paying them back
 * to the issuer. One movement per asset at a time, for everything that changed since the last one.
 *
 * It compares two numbers of the books, so it does not matter why coins came or went, nor what was missed while the
 * process was down. Stellar has seven decimals: what is smaller is held and not issued.
 *
 * If as many coins come as leave, nothing changes: the tokens of the coins that left now stand for the new ones.
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
  bridgePayments,
  markLevelled,
  type WaitingPayment,
  waitingPayments,
} from '../payments/bridged-payment-store.ts';
import { insertPayouts, withdrawPayout } from '../sending/payout-store.ts';
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

  /** Only now and then: it only says that the bridge is not behind. */
  async function noteLevel(tx: Tx, asset: string): Promise<void> {
    const [now, before] = [deps.clock.now(), levelAt.get(asset)];
    if (before && now < addMs(before, noteLevelMs)) return;
    await markLevel(tx, asset, now);
    levelAt.set(asset, now);
  }

  async function levelAll(issuing: Connector, tx: Tx): Promise<boolean> {
    await takeTurns(tx, lockClass);
    // The movement at work is read before the books: if it is booked in between, it still counts as at work, and
    // nothing is asked for. The other way round it would be asked for twice. Likewise the payments that wait: so their
    // coins are in the books.
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

/** Asks for the one movement that makes issued and held equal. 'waiting': not now. */
async function level(
  deps: BridgeDeps,
  connector: Connector,
  tx: Tx,
  books: BridgeBooks,
  { movement, failedAt, unsentUnits }: BridgeActivity,
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
  const burnable = books.ownUnits - unsentUnits;
  if (!movement && (wanted === 0n || !isIssue)) {
    let unused = burnable - wanted;
    const bridged = waiting.filter(({ units }) => {
      const isThere = whole(units, 'down') <= unused;
      if (isThere) unused -= whole(units, 'down');
      return isThere;
    });
    await letGoOn(tx, bridged, now);
  }
  // Nobody has signed it yet, and by now fewer tokens must go, or fewer are there: a movement that cannot happen would
  // stop all others.
  const mostBurned = isIssue || burnable < 0n ? 0n : smaller(wanted, burnable);
  if (movement?.state === 'QUEUED' && !movement.isIssue && movement.units > mostBurned)
    await withdrawPayout(tx, movement.id, now);
  if (wanted === 0n) return 'level';
  if (movement || (failedAt && now < addMs(failedAt, retryMs))) return 'waiting';
  // Tokens that somebody else holds cannot be burned: then the proof fails until the operator has bought them back.
  const units = isIssue || wanted <= burnable ? wanted : whole(burnable > 0n ? burnable : 0n, 'down');
  if (units === 0n) return 'waiting';
  const id = `bridge:${newId()}`;
  const address = isIssue ? present(connector.exchangeAccount, 'our account on Stellar') : assetIssuer;
  const payout = { id, network: stellar, asset, units, address, memo: null, memoType: null, holder: null };
  await insertPayouts(tx, [{ ...payout, purpose: 'bridge', merchantId: operatorId, isIssue }], now);
  if (isIssue) await bridgePayments(tx, stellar, asset, id);
  return 'moved';
}

/** The payments that waited for tokens have them now. */
async function letGoOn(tx: Tx, bridged: readonly WaitingPayment[], now: Date): Promise<void> {
  if (bridged.length === 0) return;
  const checkouts = await markLevelled(
    tx,
    bridged.map(({ id }) => id),
    now,
  );
  await enqueue(
    tx,
    checkouts.map((payload) => ({ name: 'checkout.advance', payload, runAt: now }) as const),
  );
}
