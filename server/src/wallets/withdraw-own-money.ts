/**
 * The operator takes out its own money: what was brought in and earned, never what is owed or promised to merchants. Where
 * two of the staff are needed, it waits for the second one (`approve-withdrawal`); the money is set aside under the lock when
 * it is let go, like a merchant's. A page asks for it, or a command by way of a job.
 */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Db, Query, Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { JobCatalog, WithdrawalOrder } from '../jobs/job-catalog.ts';
import { chainWallet, type OperatorPurpose, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, EntryKind, Line, Subject } from '../ledger/entry.ts';
import { lockBalances, lockReceivables, postEntries } from '../ledger/ledger-store.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest } from '../lib/errors.ts';
import { listAudit } from '../merchants/audit-store.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import { needsSecondHand } from '../people/staff-approvers.ts';
import { findPayout, insertPayouts, lockPayouts } from '../sending/payout-store.ts';
import { backedBy, backingOf } from '../venues/backing-asset.ts';
import { loadStock, type StockDeps } from '../venues/load-stock.ts';
import { lockStock } from '../venues/treasury-promise-store.ts';
import { noStock, promisedUnits, freeUnits as unpromisedUnits } from '../venues/treasury-stock.ts';
import { assertSendable } from './assert-sendable.ts';
import { type NetworkFee, networkFeeOf } from './quote-transfer.ts';
import { type OrderDeps, type ReadOrder, readTransferOrder } from './read-transfer-order.ts';
import { findWithdrawal, insertWithdrawal, type Withdrawal } from './withdrawal-store.ts';

export type WithdrawalDeps = OrderDeps &
  StockDeps & { readonly db: Db; readonly clock: Clock; readonly health: NetworkHealth };

/**
 * For who has only the database: the running service reads the order, which needs connectors. What is refused is over: as a
 * parked job somebody could let it run days later, when there is enough. Why is in the audit log, where the command looks.
 */
export async function requestWithdrawal(deps: WithdrawalDeps, order: JobCatalog['withdrawal.request']): Promise<void> {
  const actor = 'operator';
  const begin = (work: (tx: Tx) => Promise<Withdrawal>) => deps.db.begin(work);
  await orderWithdrawal(deps, order, { actor, begin }).catch(async (error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    const detail = { id: order.transferId, why: error.problems.join(' ') };
    const declined = { merchantId: operatorId, at: deps.clock.now(), actor, action: declinedAction, detail } as const;
    await deps.db.begin((tx) => insertAudit(tx, declined));
  });
}

const declinedAction = 'withdrawal.declined';

/** Why an order of the command was refused, if it is among the newest that were; undefined: it was not, or not yet. */
export async function whyDeclined(query: Query, transferId: string): Promise<string | undefined> {
  const filter = { actor: 'operator', beginnings: [declinedAction], from: null, to: null, before: null, limit: 50 };
  const declined = (await listAudit(query, operatorId, filter)).find(({ detail }) => detail['id'] === transferId);
  return declined && String(declined.detail['why']);
}

/** Under an id that whoever asks has chosen: asking twice asks once. */
export async function orderWithdrawal(
  deps: WithdrawalDeps,
  order: WithdrawalOrder,
  { actor, begin }: { readonly actor: Actor; readonly begin: Begin<Withdrawal> },
): Promise<Withdrawal> {
  const { read, problems } = await readWithdrawal(deps, order);
  if (!read) throw invalidRequest(problems);
  const fee = await networkFeeOf(deps, read);
  const now = deps.clock.now();
  return begin(async (tx) => {
    const isToApprove = await needsSecondHand(tx, now);
    // Under its lock: the job ran before and only its acknowledgement was lost.
    const before = await findWithdrawal(tx, order.transferId);
    if (before) return before;
    const withdrawal: Withdrawal = {
      ...read.destination,
      id: order.transferId,
      network: read.method.connector.network.id,
      asset: read.method.asset.id,
      units: read.units,
      state: isToApprove ? 'AWAITING_APPROVAL' : 'APPROVED',
      requestedBy: actor,
      requestedAt: now,
      decidedBy: null,
      decidedAt: isToApprove ? null : now,
    };
    await insertWithdrawal(tx, withdrawal);
    const detail = { ...auditDetail(withdrawal), state: withdrawal.state };
    await insertAudit(tx, { merchantId: operatorId, at: now, actor, action: 'withdrawal.requested', detail });
    if (isToApprove) await demandOwn(deps, tx, read, fee);
    else await letWithdrawalGo(deps, tx, withdrawal, { read, fee });
    return withdrawal;
  });
}

export const auditDetail = ({ id, network, asset, units, address, memo }: Withdrawal) => ({
  id,
  network,
  asset,
  units: units.toString(),
  address,
  memo,
});

export const readWithdrawal = (deps: OrderDeps, { memo, memoType, ...order }: Omit<WithdrawalOrder, 'transferId'>) =>
  readTransferOrder(deps, operatorId, {
    ...order,
    ...(memo === null ? {} : { memo }),
    ...(memoType === null ? {} : { memoType }),
  });

/** Sets the money aside and asks for the payout. Throws when there is too little, or it cannot be sent from there. */
export async function letWithdrawalGo(
  deps: WithdrawalDeps,
  tx: Tx,
  { id, network, asset, units, address, memo, memoType }: Withdrawal,
  { read, fee }: { readonly read: ReadOrder; readonly fee: NetworkFee },
): Promise<void> {
  const payout = {
    id,
    network,
    asset,
    units,
    address,
    memo,
    memoType,
    purpose: 'withdrawal' as const,
    merchantId: operatorId,
  };
  const now = deps.clock.now();
  await lockPayouts(tx, network, asset);
  if (await findPayout(tx, id)) return; // The previous release made it.
  await demandOwn(deps, tx, read, fee);
  // The operator's own money may be on another network. Then this payout would wait for ever, and merchants behind it.
  await assertSendable({ db: tx, health: deps.health }, read);
  await Promise.all([postEntries(tx, [entryOf(payout, 'reserved')], now), insertPayouts(tx, [payout], now)]);
}

/** What may be taken out, and what the network takes for it, under the locks of all that it is counted from. */
async function demandOwn(
  deps: WithdrawalDeps,
  tx: Tx,
  { method: { asset }, units }: ReadOrder,
  fee: NetworkFee,
): Promise<void> {
  const ids = backedBy(deps.assets, backingOf(deps.assets, asset)).map(({ id }) => id);
  await lockStock(tx, ids);
  const owing = await lockReceivables(tx, ids); // Merchants' accounts come first, as everywhere.
  const books = await lockBalances(tx, ids.flatMap(ownAccounts));
  const free = await freeUnits(deps, tx, { asset, books, owedByMerchants: owing.get(asset.id) ?? 0n });
  if (free < units) throw notOwn(asset, free);
  // What is taken in another asset is gas, of which the house keeps a reserve for the transfers of all.
  if (fee.asset.id === asset.id && free - units < fee.units) throw noFee(fee, free);
}

const ownText = ({ ledgerScale, assetCode }: CatalogAsset, units: bigint): string =>
  `${formatUnits(units < 0n ? 0n : units, ledgerScale)} ${assetCode}`;
const notOwn = (asset: CatalogAsset, free: bigint): GatewayError =>
  new GatewayError({
    code: 'not_own_money',
    httpStatus: 422,
    message: `Only ${ownText(asset, free)} are the operator's own: the rest belongs to merchants or is promised to them.`,
  });
/** The network takes its fee from what we hold: without this, from what belongs to merchants. */
const noFee = ({ asset, units }: NetworkFee, own: bigint): GatewayError =>
  new GatewayError({
    code: 'no_own_fee',
    httpStatus: 422,
    message: `The network takes up to ${ownText(asset, units)} for this, and only ${ownText(asset, own)} are the operator's own.`,
  });

/**
 * What was brought in and earned, less what merchants owe of it and what is promised beyond what was bought. An anchor's
 * asset and the coin behind it count together: who is credited in the one is owed the other.
 */
export async function freeUnits(
  deps: StockDeps,
  query: Query,
  of: {
    readonly asset: CatalogAsset;
    /** Balances of the operator's own accounts. */
    readonly books: ReadonlyMap<string, bigint>;
    readonly owedByMerchants: bigint;
  },
): Promise<bigint> {
  const { id } = of.asset;
  // The limits of the treasury are for what it sells: below zero they would let the operator take what is owed.
  const { byBacking } = await loadStock({ ...deps, treasuryLimits: new Map() }, query, [of.asset]);
  const stock = byBacking.get(backingOf(deps.assets, of.asset).id) ?? noStock;
  const promised = byBacking.has(id) ? promisedUnits(stock) : 0n;
  const single = ownUnits(of.books, id) - of.owedByMerchants - beyondBought(of.books, id, promised);
  const together = unpromisedUnits(stock);
  return single < together ? single : together;
}

/** Books the end of the payout. Running it twice books nothing more. */
export async function advanceWithdrawal(
  { db, clock }: Pick<WithdrawalDeps, 'db' | 'clock'>,
  { transferId }: JobCatalog['withdrawal.advance'],
): Promise<void> {
  await db.begin(async (tx) => {
    const payout = await findPayout(tx, transferId);
    if (payout?.state === 'DONE') await postEntries(tx, [entryOf(payout, 'sent')], clock.now());
    if (payout?.state === 'FAILED') await postEntries(tx, [entryOf(payout, 'released')], clock.now());
  });
}

const ownPurposes: readonly OperatorPurpose[] = ['equity', 'fees', 'costs', 'fx'];
const ownAccounts = (asset: string): string[] => ownPurposes.map((purpose) => operatorAccount(purpose, asset));

/**
 * What was brought in and earned, including what merchants owe of it, less what networks took and what was sold without
 * having been bought.
 */
function ownUnits(balances: ReadonlyMap<string, bigint>, asset: string): bigint {
  const [equity = 0n, fees = 0n, costs = 0n, fx = 0n] = ownAccounts(asset).map((account) => balances.get(account));
  return equity + fees + costs + (fx < 0n ? fx : 0n);
}

/** What was bought in conversions is not taken out, so promises use it first. */
function beyondBought(balances: ReadonlyMap<string, bigint>, asset: string, promised: bigint): bigint {
  const fx = balances.get(operatorAccount('fx', asset)) ?? 0n;
  const bought = fx > 0n ? fx : 0n;
  return promised > bought ? promised - bought : 0n;
}

type Moved = Pick<Withdrawal, 'id' | 'network' | 'asset' | 'units'>;

function entryOf({ id, network, asset, units }: Moved, what: 'reserved' | 'sent' | 'released'): Entry {
  const equity = operatorAccount('equity', asset);
  const reserved = operatorAccount('reserved', asset);
  const wallet = chainWallet(network, asset);
  const [kind, from, to] = (
    {
      reserved: ['withdrawal_reserved', equity, reserved],
      sent: ['withdrawal_sent', reserved, wallet],
      released: ['withdrawal_released', reserved, equity],
    } satisfies Record<string, [EntryKind, string, string]>
  )[what];
  const lines: Line[] = [
    { account: from, units: -units },
    { account: to, units },
  ];
  const subject: Subject = { kind: 'withdrawal', id };
  return { reference: `withdrawal:${id}:${what}`, kind, merchantId: null, subject, lines };
}
