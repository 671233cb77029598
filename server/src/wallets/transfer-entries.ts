/** What transfers post. A merchant's money is set aside before anything is sent, and leaves the books when it has left. */
import { chainWallet, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, EntryKind, Line } from '../ledger/entry.ts';
import { smaller } from '../money/amount.ts';
import { feeUnitsOf, type Transfer, totalUnitsOf } from './transfer.ts';

const entry = ({ merchantId, id }: Transfer, kind: EntryKind, what: string, lines: readonly Line[]): Entry => ({
  reference: `transfer:${id}:${what}`,
  kind,
  merchantId,
  subject: { kind: 'transfer', id },
  lines,
});

export const reservedEntry = (transfer: Transfer): Entry =>
  entry(transfer, 'transfer_reserved', 'reserved', [
    { account: merchantAccount(transfer.merchantId, 'available', transfer.asset), units: -totalUnitsOf(transfer) },
    { account: merchantAccount(transfer.merchantId, 'reserved', transfer.asset), units: totalUnitsOf(transfer) },
  ]);

/** What the network really took is booked by `sending`; the merchant pays the fee that was quoted. */
export const sentEntry = (transfer: Transfer): Entry =>
  entry(transfer, 'transfer_sent', 'sent', [
    { account: merchantAccount(transfer.merchantId, 'reserved', transfer.asset), units: -totalUnitsOf(transfer) },
    { account: chainWallet(transfer.network, transfer.asset), units: transfer.units },
    { account: operatorAccount('fees', transfer.asset), units: feeUnitsOf(transfer) },
  ]);

/**
 * Nothing was sent. What the attempt cost stays with the operator, who has paid it. A debt that came up in the meantime is
 * repaid first, as from any other credit.
 */
export function releasedEntry(transfer: Transfer, owedUnits: bigint): Entry {
  const { merchantId, asset, costUnits } = transfer;
  const total = totalUnitsOf(transfer);
  const left = total - costUnits;
  const repaid = smaller(owedUnits, left);
  return entry(transfer, 'transfer_released', 'released', [
    { account: merchantAccount(merchantId, 'reserved', asset), units: -total },
    { account: operatorAccount('fees', asset), units: costUnits },
    { account: merchantAccount(merchantId, 'receivable', asset), units: repaid },
    { account: merchantAccount(merchantId, 'available', asset), units: left - repaid },
  ]);
}

/**
 * It had arrived, and so many units of it came back. The fees were paid for sending it, and stay paid. Each time has a name of
 * its own: what had come back by then.
 */
export function cameBackEntry(transfer: Transfer, units: bigint, owedUnits: bigint): Entry {
  const { merchantId, network, asset, cameBackUnits } = transfer;
  const repaid = smaller(owedUnits, units);
  return entry(transfer, 'transfer_came_back', `came-back:${cameBackUnits + units}`, [
    { account: chainWallet(network, asset), units: -units },
    { account: merchantAccount(merchantId, 'receivable', asset), units: repaid },
    { account: merchantAccount(merchantId, 'available', asset), units: units - repaid },
  ]);
}
