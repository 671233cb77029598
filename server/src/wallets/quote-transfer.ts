/**
 * What a transfer would cost, and from when on it may go to its destination. The network is asked now, outside any
 * transaction.
 */
import type { AssetCatalog, CatalogAsset } from '../catalog/asset-catalog.ts';
import { findAsset } from '../catalog/asset-catalog.ts';
import { networkAway } from '../deposits/deposit-errors.ts';
import type { DepositMethod } from '../deposits/deposit-method.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { rescale } from '../money/amount.ts';
import type { Decimal } from '../money/decimal.ts';
import { NetworkError } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import { SendRefused } from '../networks/port/sending.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import type { FeeSchedule } from '../pricing/settlement-fee.ts';
import { openWallet } from '../sending/open-wallet.ts';
import { assertSendable } from './assert-sendable.ts';
import type { OrderDeps, ReadOrder } from './read-transfer-order.ts';
import { cannotSend, noRateForFee } from './transfer-errors.ts';
import { isTransferFee, type TransferFee, transferFee } from './transfer-fee.ts';
import { hasSentTo } from './transfer-store.ts';

export type QuoteDeps = OrderDeps & {
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly health: NetworkHealth;
  readonly rates: RateBook;
  readonly transferFees: FeeSchedule;
  /** What the house keeps of a conversion, as a part. */
  readonly swapSpread: Decimal;
};

export type TransferQuote = TransferFee & {
  readonly usableFrom: Date;
  /** The network's fee in the asset in which it is taken: what sending may cost at most. */
  readonly heldFeeUnits: bigint;
};

export async function quoteTransfer(deps: QuoteDeps, merchant: Merchant, order: ReadOrder): Promise<TransferQuote> {
  await assertSendable(deps, order);
  const { asset } = order.method;
  const [networkFee, usableFrom] = await Promise.all([networkFeeOf(deps, order), usableFromOf(deps, merchant, order)]);
  const fee = transferFee({
    asset,
    units: order.units,
    networkFee,
    fees: deps.transferFees,
    rateOf: deps.rates.rate,
    spread: deps.swapSpread,
  });
  if (!isTransferFee(fee)) throw noRateForFee(fee.missing);
  return { ...fee, heldFeeUnits: networkFee.units, usableFrom };
}

export type NetworkFee = { readonly asset: CatalogAsset; readonly units: bigint };

/** What sending may cost at most, in the asset in which the network takes it. */
export async function networkFeeOf(
  deps: Pick<QuoteDeps, 'db' | 'assets'>,
  {
    method,
    sender,
    railUnits,
    destination,
  }: Pick<ReadOrder, 'sender' | 'railUnits' | 'destination'> & {
    readonly method: Pick<DepositMethod, 'connector' | 'asset'>;
  },
): Promise<NetworkFee> {
  const { network } = method.connector;
  const transfer = { ...destination, id: 'estimate', assetCode: method.asset.assetCode, units: railUnits };
  const fee = await sender.estimateFee(transfer, openWallet(deps, method.connector)).catch((error: unknown) => {
    if (error instanceof SendRefused) throw cannotSend(network.name, error.message);
    throw error instanceof NetworkError ? networkAway(network.name) : error;
  });
  const asset = present(findAsset(deps.assets, fee.assetCode), `asset ${fee.assetCode}`);
  const units = rescale(fee.units, networkAsset(network, fee.assetCode).scale, asset.ledgerScale, 'up');
  return { asset, units };
}

/** An address given in full must wait like a new target account, unless money has arrived there before. */
async function usableFromOf(deps: QuoteDeps, merchant: Merchant, { account, destination, method }: ReadOrder) {
  const now = deps.clock.now();
  if (account) return account.usableFrom;
  if (merchant.destinationWaitMinutes === 0) return now;
  const isKnown = await hasSentTo(deps.db, merchant.id, method.connector.network.id, destination);
  return isKnown ? now : addMs(now, minutes(merchant.destinationWaitMinutes));
}
