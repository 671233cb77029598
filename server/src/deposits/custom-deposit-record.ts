/** The public JSON of a custom deposit. What is not listed here never leaves the house. */
import type { DepositAddressReply, DepositPaymentRecord, DepositRecord } from '@quittance/contract/deposit';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { present } from '../lib/assert.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { formatUnits } from '../money/amount.ts';
import {
  type CustomDeposit,
  type DepositDossier,
  type DepositPayment,
  paymentException,
  receivedUnits,
  type UnreadPayments,
  unreadCount,
} from './custom-deposit.ts';
import { isAlive } from './payment-state.ts';
import { paymentsShown, paymentTotals, type RailSum } from './payment-totals.ts';

export type DepositRecordDeps = { readonly assets: AssetCatalog };

/** Every payment has one or two events, and each of them shows the deposit. */
export const paymentsInEvent = 10;

export function depositRecord(
  deps: DepositRecordDeps,
  dossier: DepositDossier,
  paymentsMax: number = paymentsShown,
): DepositRecord {
  const { deposit, payments, unread } = dossier;
  const asset = assetOf(deps, deposit.asset);
  const credits = [
    ...payments.flatMap(({ asset: paid, credit }) => (credit && paid === deposit.asset ? [credit] : [])),
    ...unread.filter((each) => each.asset === deposit.asset),
  ];
  const alive = payments.filter(isAlive);
  const total = (units: readonly bigint[]): string =>
    formatUnits(
      units.reduce((sum, each) => sum + each, 0n),
      asset.ledgerScale,
    );
  return {
    id: deposit.id,
    timestamp: formatTimestamp(deposit.createdAt),
    state: deposit.state,
    exceptions: [...deposit.exceptions],
    reusable: deposit.isReusable,
    network: deposit.network,
    networkName: networkName(deposit.network),
    assetId: asset.id,
    assetCode: asset.assetCode,
    amountExpected: deposit.expectedUnits === null ? null : formatUnits(deposit.expectedUnits, asset.ledgerScale),
    amountReceived: total([receivedUnits(dossier)]),
    amountCredited: total(credits.map(({ netUnits }) => netUnits)),
    amountFeePaid: total(credits.map(({ feeUnits }) => feeUnits)),
    depositAddress: deposit.address,
    memo: deposit.memo,
    memoType: deposit.memoType,
    expirationTime: deposit.expiresAt && formatTimestamp(deposit.expiresAt),
    closedTime: deposit.closedAt && formatTimestamp(deposit.closedAt),
    payments: alive.slice(-paymentsMax).map((payment) => depositPaymentRecord(deps, dossier, payment)),
    paymentTotals: paymentTotals(
      deps.assets,
      [...alive.map((payment) => ({ ...payment, count: 1 })), ...unread.flatMap((each) => unreadSum(deposit, each))],
      dossier.crumbs,
    ),
    ...(deposit.meta === null ? {} : { meta: deposit.meta }),
  };
}

function unreadSum({ network }: CustomDeposit, unread: UnreadPayments): RailSum[] {
  const { asset, grossUnits, waitingUnits } = unread;
  const count = unreadCount(unread);
  return count === 0 ? [] : [{ network, asset, count, units: grossUnits + waitingUnits }];
}

export function depositPaymentRecord(
  deps: DepositRecordDeps,
  dossier: DepositDossier,
  payment: DepositPayment,
): DepositPaymentRecord {
  const { ledgerScale, assetCode, id: assetId } = assetOf(deps, payment.asset);
  const { credit } = payment;
  return {
    id: payment.id,
    tx: payment.txHash,
    network: payment.network,
    networkName: networkName(payment.network),
    timestamp: formatTimestamp(payment.blockTime ?? payment.firstSeenAt),
    state: !isAlive(payment) ? 'DROPPED' : credit ? 'COMPLETED' : 'PENDING',
    amount: formatUnits(payment.units, ledgerScale),
    amountAssetCode: assetCode,
    amountAssetId: assetId,
    fee: credit && formatUnits(credit.feeUnits, ledgerScale),
    netAmount: credit && formatUnits(credit.netUnits, ledgerScale),
    exception: paymentException(dossier, payment),
  };
}

/** The amount in the unit of the payer's wallet, as in checkouts: satoshis on Lightning. */
export const depositAddressReply = (
  deposit: CustomDeposit,
  shown: {
    readonly paymentCode: string;
    readonly amount: string | null;
    readonly holder: string | null;
    readonly bic: string | null;
  },
): DepositAddressReply => ({
  id: deposit.id,
  depositInstructions: {
    assetCode: shown.paymentCode,
    blockchain: networkName(deposit.network),
    network: deposit.network,
    amount: shown.amount,
    address: deposit.address,
    holder: shown.holder,
    bic: shown.bic,
    memo: deposit.memo,
    memoType: deposit.memoType,
  },
  expirationTime: deposit.expiresAt && formatTimestamp(deposit.expiresAt),
});

const assetOf = (deps: DepositRecordDeps, id: string) => present(findAsset(deps.assets, id), `asset ${id}`);
const networkName = (id: string): string => findNetwork(id)?.name ?? id;
