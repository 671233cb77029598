/** What left an account, as the API and the file say it. */
import type { DisposalRecord, DisposalTotalRecord } from '@quittance/contract/report-lists';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { beneficiaryName } from '../counterparties/beneficiary-fields.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { amountRecord, worthText } from './checkout-ledger-record.ts';
import type { DisposalSum } from './disposal-day-store.ts';
import type { Disposal } from './disposals.ts';

export const disposalRecord = (assets: AssetCatalog, currency: string, row: Disposal): DisposalRecord => ({
  timestamp: formatTimestamp(row.postedAt),
  kind: row.kind,
  reference: row.reference,
  subjectId: row.subjectId,
  checkoutId: row.checkoutId,
  order: row.order,
  ...amountRecord(assets, row),
  value: worthText(currency, row.value),
  received: row.received && amountRecord(assets, row.received),
  fee: row.fee && amountRecord(assets, row.fee),
  feeValue: worthText(currency, row.feeValue),
  network: row.network,
  address: row.address,
  memo: row.memo,
  target: row.target,
  beneficiary: row.beneficiary && { id: row.beneficiary.id, name: beneficiaryName(row.beneficiary) },
  transactions: [...row.transactions],
});

export const disposalTotalRecord = (assets: AssetCatalog, currency: string, sum: DisposalSum): DisposalTotalRecord => ({
  kind: sum.kind,
  ...amountRecord(assets, sum),
  entries: sum.entries,
  value: worthText(currency, sum.value),
});
