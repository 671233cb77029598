/** The ledger of checkouts as the API and the file say it. */
import type { CheckoutLedgerRecord, LineTotalRecord } from '@quittance/contract/report-lists';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import type { Checkout } from '../checkouts/checkout.ts';
import { orderOf } from '../checkouts/order-of-checkout.ts';
import { present } from '../lib/assert.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { formatUnits } from '../money/amount.ts';
import { formatDecimal, formatFixed } from '../money/decimal.ts';
import { roundPrice } from '../pricing/round-price.ts';
import type { CheckoutLedgerRow } from './checkout-ledger.ts';
import type { LineSum } from './statement-day-store.ts';
import { valueText } from './statement-record.ts';

export const worthText = (currency: string, value: bigint | null): string | null =>
  value === null ? null : valueText(currency, value);

/** An amount with its asset. */
export function amountRecord(assets: AssetCatalog, { asset: id, units }: { asset: string; units: bigint }) {
  const asset = present(findAsset(assets, id), `the asset ${id}`);
  return { assetId: asset.id, assetCode: asset.assetCode, amount: formatUnits(units, asset.ledgerScale) };
}

/** As it was asked for. */
function priceOf({ total, billingCurrency }: Checkout): string {
  const decimals = findCurrency(billingCurrency)?.decimals ?? 2;
  return formatFixed(roundPrice(total, decimals), decimals);
}

export function checkoutLedgerRecord(
  assets: AssetCatalog,
  currency: string,
  row: CheckoutLedgerRow,
): CheckoutLedgerRecord {
  const { checkout, country, paid, rate, asset } = row;
  return {
    timestamp: formatTimestamp(row.postedAt),
    kind: row.kind,
    line: row.line,
    reference: row.reference,
    checkoutId: row.checkoutId,
    refundId: row.refundId,
    order: checkout ? orderOf(checkout) : null,
    customerId: checkout?.customerId ?? null,
    country,
    price: checkout ? priceOf(checkout) : null,
    billingCurrency: checkout?.billingCurrency ?? null,
    paid: paid && { network: paid.network, ...amountRecord(assets, paid) },
    rate: rate && {
      basis: rate.basis,
      price: rate.price && formatDecimal(rate.price),
      sources: [...rate.sources],
    },
    ...amountRecord(assets, row),
    fee: amountRecord(assets, { asset, units: row.feeUnits }).amount,
    value: worthText(currency, row.value),
    feeValue: worthText(currency, row.feeValue),
    transactions: [...row.transactions],
  };
}

export const lineTotalRecord = (assets: AssetCatalog, currency: string, sum: LineSum): LineTotalRecord => ({
  line: sum.line,
  ...amountRecord(assets, sum),
  entries: sum.entries,
  value: worthText(currency, sum.value),
});
