/** How custom deposits and their payments are read from the database. */
import type { Row } from '../db/database.ts';
import { parseExactly } from '../http/parse-json.ts';
import type {
  CustomDeposit,
  DepositDossier,
  DepositException,
  DepositPayment,
  DepositState,
  UnreadPayments,
} from './custom-deposit.ts';
import { isAlive } from './payment-state.ts';
import { type RailSumRow, toRailSum } from './payment-totals.ts';

export type DepositDossierRow = Row &
  Record<'merchant_id' | 'id' | 'network' | 'asset' | 'target_key' | 'address', string> &
  Record<'api_key' | 'expected_units' | 'memo' | 'memo_type' | 'webhook' | 'meta', string | null> &
  Record<'payment_rows' | 'total_rows' | 'waiting_rows' | 'crumb_rows', string | null> & {
    state: DepositState;
    exceptions: DepositException[];
    is_reusable: boolean;
    extra_confirmations: number;
    reversals: number;
    created_at: Date;
    expires_at: Date | null;
    closed_at: Date | null;
    has_strays: boolean;
  };

export const toDepositDossier = (row: DepositDossierRow): DepositDossier => {
  const payments = partsOf<PaymentRow>(row.payment_rows).map(toPayment);
  const total = partsOf<TotalRow>(row.total_rows);
  return {
    deposit: toDeposit(row),
    payments,
    unread: unreadOf(payments, total, partsOf<WaitingRow>(row.waiting_rows)),
    crumbs: partsOf<RailSumRow>(row.crumb_rows).map(toRailSum),
    hasStrays: row.has_strays,
  };
};

/** It arrives as text, because JSON's numbers would become floats. */
const partsOf = <Part>(json: string | null): Part[] => (json === null ? [] : (JSON.parse(json) as Part[]));

type TotalRow = Record<'asset' | 'gross_units' | 'fee_units' | 'net_units', string> & { count: number };
type WaitingRow = Record<'asset' | 'units', string> & { count: number };

/** Everything there is, less what was read. */
function unreadOf(
  payments: readonly DepositPayment[],
  totals: readonly TotalRow[],
  waiting: readonly WaitingRow[],
): UnreadPayments[] {
  return [...new Set([...totals, ...waiting].map(({ asset }) => asset))].map((asset) => {
    const total = totals.find((each) => each.asset === asset);
    const waits = waiting.find((each) => each.asset === asset);
    const read = payments.filter((payment) => payment.asset === asset);
    const credits = read.flatMap(({ credit }) => (credit ? [credit] : []));
    const readWaiting = read.filter((payment) => isAlive(payment) && payment.place !== 'settled');
    const sum = (units: readonly bigint[]): bigint => units.reduce((all, each) => all + each, 0n);
    return {
      asset,
      creditedCount: (total?.count ?? 0) - credits.length,
      grossUnits: BigInt(total?.gross_units ?? 0) - sum(credits.map(({ grossUnits }) => grossUnits)),
      feeUnits: BigInt(total?.fee_units ?? 0) - sum(credits.map(({ feeUnits }) => feeUnits)),
      netUnits: BigInt(total?.net_units ?? 0) - sum(credits.map(({ netUnits }) => netUnits)),
      waitingCount: (waits?.count ?? 0) - readWaiting.length,
      waitingUnits: BigInt(waits?.units ?? 0) - sum(readWaiting.map(({ units }) => units)),
    };
  });
}

const toDeposit = (row: DepositDossierRow): CustomDeposit => ({
  merchantId: row.merchant_id,
  id: row.id,
  apiKey: row.api_key,
  state: row.state,
  exceptions: row.exceptions,
  network: row.network,
  asset: row.asset,
  isReusable: row.is_reusable,
  expectedUnits: row.expected_units === null ? null : BigInt(row.expected_units),
  targetKey: row.target_key,
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  webhook: row.webhook,
  meta: row.meta === null ? null : parseExactly(row.meta),
  extraConfirmations: row.extra_confirmations,
  reversals: row.reversals,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  closedAt: row.closed_at,
});

/** Arrives as JSON inside the row of its deposit: times are text, and so are amounts. */
type PaymentRow = Record<'id' | 'network' | 'tx_hash' | 'asset' | 'units' | 'first_seen_at', string> &
  Record<'reference' | 'gross_units' | 'fee_units' | 'net_units' | 'credited_at' | 'block_time', string | null> &
  Pick<DepositPayment, 'state' | 'place' | 'generation' | 'announced'>;

const toPayment = (row: PaymentRow): DepositPayment => ({
  id: row.id,
  network: row.network,
  txHash: row.tx_hash,
  asset: row.asset,
  units: BigInt(row.units),
  state: row.state,
  place: row.place,
  generation: row.generation,
  blockTime: row.block_time === null ? null : new Date(row.block_time),
  firstSeenAt: new Date(row.first_seen_at),
  announced: row.announced,
  credit:
    row.reference === null
      ? null
      : {
          reference: row.reference,
          grossUnits: BigInt(row.gross_units ?? 0),
          feeUnits: BigInt(row.fee_units ?? 0),
          netUnits: BigInt(row.net_units ?? 0),
          creditedAt: new Date(row.credited_at ?? 0),
        },
});
