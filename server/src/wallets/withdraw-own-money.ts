/**
 * The operator takes out its own money. A job asks for it, because only the service has the connectors; whoever asked
 * finds the payout by the id that they chose. The money is set aside under the lock, like a merchant's.
 */
import type { Db } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp } from '../jobs/job-runner.ts';
import { chainWallet, type OperatorPurpose, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, EntryKind, Line, Subject } from '../ledger/entry.ts';
import { lockBalances, lockReceivables, postEntries } from '../ledger/ledger-store.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import { findPayout, insertPayouts, lockPayouts, type StoredPayout } from '../sending/payout-store.ts';
import { loadStock, type StockDeps } from '../venues/load-stock.ts';
import { lockStock } from '../venues/treasury-promise-store.ts';
import { noStock, promisedUnits } from '../venues/treasury-stock.ts';
import { assertSendable } from './quote-transfer.ts';
import { type OrderDeps, readTransferOrder } from './read-transfer-order.ts';

export type WithdrawalDeps = OrderDeps &
  StockDeps & { readonly db: Db; readonly clock: Clock; readonly health: NetworkHealth };

export async function requestWithdrawal(
  deps: WithdrawalDeps,
  { transferId, memo, memoType, ...order }: JobCatalog['withdrawal.request'],
): Promise<void> {
  const withMemo = { ...order, ...(memo === null ? {} : { memo }), ...(memoType === null ? {} : { memoType }) };
  const { read, problems } = await readTransferOrder(deps, operatorId, withMemo);
  if (!read) throw new GiveUp(problems.join(' '));
  const { asset, connector } = read.method;
  const payout = {
    ...read.destination,
    id: transferId,
    network: connector.network.id,
    asset: asset.id,
    units: read.units,
    purpose: 'withdrawal' as const,
    merchantId: operatorId,
  };
  const now = deps.clock.now();
  await deps.db.begin(async (tx) => {
    await lockPayouts(tx, connector.network.id, asset.id);
    await lockStock(tx, [asset.id]);
    const owedByMerchants = await lockReceivables(tx, asset.id); // Merchants' accounts come first, as everywhere.
    const books = await lockBalances(tx, ownAccounts(asset.id));
    const promised = promisedUnits((await loadStock(deps, tx, [asset])).byBacking.get(asset.id) ?? noStock);
    const free = ownUnits(books, asset.id) - owedByMerchants - beyondBought(books, asset.id, promised);
    if (await findPayout(tx, transferId)) return; // This job ran before and only its acknowledgement was lost.
    if (free < payout.units) {
      const text = formatUnits(free < 0n ? 0n : free, asset.ledgerScale);
      throw new GiveUp(
        `Only ${text} ${asset.assetCode} are the operator's own: the rest belongs to merchants or is promised to them.`,
      );
    }
    // The operator's own money may be on another network. Then this payout would wait for ever, and merchants behind
    // it.
    await assertSendable({ db: tx, health: deps.health }, read).catch((error: unknown) => {
      throw error instanceof GatewayError ? new GiveUp(error.message) : error;
    });
    const { network, units, address } = payout;
    const detail = { id: transferId, network, asset: asset.id, units: units.toString(), address, memo };
    await Promise.all([
      postEntries(tx, [entryOf(payout, 'reserved')], now),
      insertPayouts(tx, [payout], now),
      insertAudit(tx, { merchantId: operatorId, at: now, actor: 'operator', action: 'withdrawal.requested', detail }),
    ]);
  });
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

type Withdrawal = Pick<StoredPayout, 'id' | 'network' | 'asset' | 'units'>;

function entryOf({ id, network, asset, units }: Withdrawal, what: 'reserved' | 'sent' | 'released'): Entry {
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
