/**
 * The operator takes out its own money: what was brought in and earned, never what is owed or promised to merchants. Where
 * two of the staff are needed, it waits for the second one (`approve-withdrawal`); the money is set aside under the lock when
 * it is let go, like a merchant's. A page asks for it, or a command by way of a job.
 */
import type { Db, Query, Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { JobCatalog, WithdrawalOrder } from '../jobs/job-catalog.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { type Entry, type Line, opposite } from '../ledger/entry.ts';
import { linesOfEntry, postEntries } from '../ledger/ledger-store.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest } from '../lib/errors.ts';
import { listAudit } from '../merchants/audit-store.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { needsSecondHand } from '../people/staff-approvers.ts';
import { tellHandsOfOrder } from '../people/tell-hands.ts';
import { type StoredComeback, takeComebacks } from '../sending/comeback-store.ts';
import { findPayout, insertPayouts, lockPayouts } from '../sending/payout-store.ts';
import type { StockDeps } from '../venues/load-stock.ts';
import { assertSendable } from './assert-sendable.ts';
import { demandSlot } from './demand-slot.ts';
import { demandOwn, heldFeeLines } from './own-money.ts';
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
    if (isToApprove) await demandOwn(deps, tx, { asset: read.method.asset, units: read.units }, fee);
    else await letWithdrawalGo(deps, tx, withdrawal, { read, fee });
    const news = { what: isToApprove ? 'withdrawal-asked' : 'withdrawal-let-go', orderId: withdrawal.id } as const;
    await tellHandsOfOrder(tx, news, { actor, now });
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

export async function readWithdrawal(
  deps: OrderDeps,
  { memo, memoType, ...order }: Omit<WithdrawalOrder, 'transferId'>,
): ReturnType<typeof readTransferOrder> {
  const network = deps.connectors.get(order.network)?.network;
  if (network?.holderNeeds) return { problems: [movedAtBank(network.name)], read: undefined };
  return readTransferOrder(deps, operatorId, {
    ...order,
    ...(memo === null ? {} : { memo }),
    ...(memoType === null ? {} : { memoType }),
  });
}

const movedAtBank = (name: string): string =>
  `Your own money on ${name} is moved in the bank's portal: when a statement shows that it has left, say under Suspense that it was a transfer of your own.`;

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
    holder: null, // Where one is needed nothing is withdrawn: it is the operator's own account (`movedAtBank`).
    purpose: 'withdrawal' as const,
    merchantId: operatorId,
  };
  const now = deps.clock.now();
  await lockPayouts(tx, network, asset);
  if (await findPayout(tx, id)) return; // The previous release made it.
  await demandOwn(deps, tx, { asset: read.method.asset, units }, fee);
  // The operator's own money may be on another network. Then this payout would wait for ever, and merchants behind it.
  await assertSendable({ db: tx, health: deps.health }, read);
  await demandSlot({ db: tx, health: deps.health }, read.method.connector.network, operatorId);
  await Promise.all([postEntries(tx, [reservedEntry(payout, fee)], now), insertPayouts(tx, [payout], now)]);
}

/** Books the end of the payout, and what came back of it afterwards. Running it twice books nothing more. */
export async function advanceWithdrawal(
  { db, clock }: Pick<WithdrawalDeps, 'db' | 'clock'>,
  { transferId }: JobCatalog['withdrawal.advance'],
): Promise<void> {
  await db.begin(async (tx) => {
    const payout = await findPayout(tx, transferId);
    if (payout?.state !== 'DONE' && payout?.state !== 'FAILED') return;
    const held = await linesOfEntry(tx, referenceOf(transferId, 'reserved'));
    const isSent = payout.state === 'DONE';
    if (isSent || held.length > 0) await postEntries(tx, [endEntry(payout, held, isSent)], clock.now());
    const back = isSent ? await takeComebacks(tx, transferId, clock.now()) : [];
    await postEntries(tx, back.map(cameBackEntry), clock.now());
  });
}

type Moved = Pick<Withdrawal, 'id' | 'network' | 'asset' | 'units'>;

const referenceOf = (id: string, what: 'reserved' | 'sent' | 'released'): string => `withdrawal:${id}:${what}`;
const entryAbout = (id: string) => ({ merchantId: null, subject: { kind: 'withdrawal', id } as const });

const reservedEntry = ({ id, asset, units }: Moved, fee: NetworkFee): Entry => ({
  ...entryAbout(id),
  reference: referenceOf(id, 'reserved'),
  kind: 'withdrawal_reserved',
  lines: [
    { account: operatorAccount('equity', asset), units: -units },
    { account: operatorAccount('reserved', asset), units },
    ...heldFeeLines(fee),
  ],
});

/** It had arrived, and this much came back. Each has a name of its own at its network. */
const cameBackEntry = ({ payoutId, comebackId, network, asset, takenUnits }: StoredComeback): Entry => ({
  ...entryAbout(payoutId),
  reference: `withdrawal:${payoutId}:came-back:${comebackId}`,
  kind: 'withdrawal_came_back',
  lines: [
    { account: chainWallet(network, asset), units: -takenUnits },
    { account: operatorAccount('equity', asset), units: takenUnits },
  ],
});

/** All that was held is the operator's again, but for what has left. What the network took is a cost by now. */
const endEntry = ({ id, network, asset, units }: Moved, held: readonly Line[], isSent: boolean): Entry => ({
  ...entryAbout(id),
  reference: referenceOf(id, isSent ? 'sent' : 'released'),
  kind: isSent ? 'withdrawal_sent' : 'withdrawal_released',
  lines: [
    ...opposite(held),
    ...(isSent
      ? [
          { account: operatorAccount('equity', asset), units: -units },
          { account: chainWallet(network, asset), units },
        ]
      : []),
  ],
});
