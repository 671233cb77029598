/** The public JSON of a transfer. What is not listed here never leaves the house. */

import type { TransferRecord } from '@quittance/contract/transfer';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { shownActor } from '../http/actor.ts';
import { present } from '../lib/assert.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { formatUnits } from '../money/amount.ts';
import { feeUnitsOf, type Transfer, totalUnitsOf } from './transfer.ts';
import { shownTransferState } from './transfer-state.ts';

/** One that came back whole had arrived before: it failed when it came back. */
function endOf({ state, endedAt, cameBackAt }: Transfer): string | null {
  const end = state === 'FAILED' ? (cameBackAt ?? endedAt) : endedAt;
  return end && formatTimestamp(end);
}

export function transferRecord({ assets }: { readonly assets: AssetCatalog }, transfer: Transfer): TransferRecord {
  const asset = present(findAsset(assets, transfer.asset), `asset ${transfer.asset}`);
  const text = (units: bigint): string => formatUnits(units, asset.ledgerScale);
  return {
    id: transfer.id,
    timestamp: formatTimestamp(transfer.createdAt),
    state: shownTransferState(transfer.state, transfer.isSigned),
    network: transfer.network,
    networkName: findNetwork(transfer.network)?.name ?? transfer.network,
    assetId: asset.id,
    assetCode: asset.assetCode,
    amount: text(transfer.units),
    fee: text(feeUnitsOf(transfer)),
    networkFee: text(transfer.networkFeeUnits),
    serviceFee: text(transfer.serviceFeeUnits),
    total: text(totalUnitsOf(transfer)),
    targetAccount: transfer.targetLabel,
    targetAccountId: transfer.targetAccountId,
    address: transfer.address,
    memo: transfer.memo,
    memoType: transfer.memoType,
    holder: transfer.holder?.name ?? null,
    usableFrom: formatTimestamp(transfer.usableFrom),
    createdBy: shownActor(transfer.requestedBy),
    approvedBy: transfer.approvedBy && shownActor(transfer.approvedBy),
    txHash: transfer.txHash,
    ...(transfer.state === 'QUEUED' && transfer.waitsFor !== null && { waitsFor: transfer.waitsFor }),
    failure: transfer.failure,
    failureCost: transfer.state === 'FAILED' ? text(transfer.costUnits) : null,
    ...(transfer.cameBackUnits > 0n && { cameBack: text(transfer.cameBackUnits) }),
    endTime: endOf(transfer),
    ...(transfer.meta === null ? {} : { meta: transfer.meta }),
  };
}
