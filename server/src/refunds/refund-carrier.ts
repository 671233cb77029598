/** Which network takes a refund to the customer, what that costs, and what arrives. */
import { type AssetCatalog, findAsset, isOfAnchor } from '../catalog/asset-catalog.ts';
import type { Payment } from '../checkouts/checkout.ts';
import type { Refund } from '../checkouts/refund.ts';
import { isOwnAddress } from '../counterparties/own-address.ts';
import type { Query, Tx } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { told } from '../lib/errors.ts';
import { rescale } from '../money/amount.ts';
import type { Decimal } from '../money/decimal.ts';
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import { carriedAsset, missingOfHolder, type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import { type Destination, type NetworkFee, type Pricing, SendRefused } from '../networks/port/sending.ts';
import { convertUnits, costRate, isConversion } from '../pricing/conversion.ts';
import { formatPayment } from '../pricing/quote.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { openWallet } from '../sending/open-wallet.ts';
import { lockAndAssertSendable } from '../wallets/assert-sendable.ts';
import {
  badAddress,
  cannotSendThere,
  goesBackOnly,
  networkIsAway,
  noRateForRefund,
  notGivenBack,
} from './refund-errors.ts';

export type CarrierDeps = {
  readonly assets: AssetCatalog;
  readonly health: NetworkHealth;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly rates: RateBook;
  /** What the house keeps of a conversion, as a part. */
  readonly swapSpread: Decimal;
};

export type RefundCarrier = {
  readonly connector: Connector;
  readonly sender: Pricing;
  readonly assetCode: string;
  readonly ledgerScale: number;
  /** How much of so many units can be sent, at the ledger's scale: the network may have fewer decimals. */
  sendable(units: bigint): bigint;
  /** Below this nothing can be sent. */
  readonly leastUnits: bigint;
  /** More is not sent in one piece; null: there is no such limit. */
  readonly mostUnits: bigint | null;
};

/** The network that was asked for, or the one it was paid on, or the only one that has the asset. */
export function refundCarrier(
  deps: CarrierDeps,
  asset: string,
  networks: { readonly wished: string | undefined; readonly paidOn: string; readonly isAsPaid: boolean },
): RefundCarrier {
  const refunded = present(findAsset(deps.assets, asset), `asset ${asset}`);
  const { assetCode, ledgerScale } = refunded;
  // A connector knows only the codes of our own assets, and would send ours with the same code.
  if (isOfAnchor(refunded))
    throw cannotSendThere([
      told(
        'asset_not_sent',
        `${assetCode} of ${refunded.issuerDomain} is on no network: leave out the asset, or name the one that was paid.`,
        { asset: assetCode },
      ),
    ]);
  // What was paid with a token of ours goes back as that token. In any other refund the coin is meant, unless the
  // request names the token's network.
  const isTokenMeant = ({ id }: NetworkDefinition): boolean =>
    id === networks.paidOn && (networks.isAsPaid || id === networks.wished);
  const carries = ({ network, sender }: Connector): boolean =>
    sender !== undefined &&
    (network.givesBackOnly !== true || network.id === networks.paidOn) &&
    (network.assets.some((each) => each.assetCode === assetCode) ||
      (isTokenMeant(network) && carriedAsset(network, assetCode) !== undefined));
  const able = [...deps.connectors.values()].filter(carries);
  const wanted = networks.wished ?? networks.paidOn;
  const connector =
    able.find(({ network }) => network.id === wanted) ??
    (networks.wished === undefined && able.length === 1 ? able[0] : undefined);
  if (!connector?.sender) {
    const where = able.map(({ network }) => network.id).join(' or ');
    throw cannotSendThere([
      told(
        'asset_not_sent',
        where === '' ? `${assetCode} cannot be sent at the moment.` : `${assetCode} can be sent on ${where}: name one.`,
        { asset: assetCode },
      ),
    ]);
  }
  const rail = networkAsset(connector.network, assetCode);
  return {
    connector,
    sender: connector.sender,
    assetCode,
    ledgerScale,
    sendable: (units) => rescale(rescale(units, ledgerScale, rail.scale, 'down'), rail.scale, ledgerScale, 'down'),
    leastUnits: rescale(rail.minimumUnits, rail.scale, ledgerScale, 'up'),
    mostUnits: rail.mostSentUnits === undefined ? null : rescale(rail.mostSentUnits, rail.scale, ledgerScale, 'down'),
  };
}

/** In the refunded asset, and in the network's own asset, where it is the most that sending may cost. */
export type RefundFee = { readonly feeUnits: bigint; readonly heldFeeUnits: bigint };

/** A refund to be claimed has no address yet: paying to one of our own addresses on the same network costs the same. */
export async function estimatedFee(
  deps: CarrierDeps & { readonly db: Query },
  { connector, sender, assetCode }: RefundCarrier,
  refund: { readonly id: string; readonly asset: string; readonly units: bigint },
  destination: Destination,
  isStandIn: boolean,
): Promise<RefundFee> {
  const { ledgerScale } = present(findAsset(deps.assets, refund.asset), `asset ${refund.asset}`);
  const { scale } = networkAsset(connector.network, assetCode);
  const units = rescale(refund.units, ledgerScale, scale, 'down');
  try {
    const payout = { ...destination, id: refund.id, assetCode, units };
    const fee = await sender.estimateFee(payout, openWallet(deps, connector));
    const taken = present(findAsset(deps.assets, fee.assetCode), `asset ${fee.assetCode}`);
    const { scale: feeScale } = networkAsset(connector.network, fee.assetCode);
    const heldFeeUnits = rescale(fee.units, feeScale, taken.ledgerScale, 'up');
    return { feeUnits: feeInAsset(deps, connector, fee, refund.asset), heldFeeUnits };
  } catch (error) {
    if (error instanceof NetworkError) throw networkIsAway(connector.network.name);
    if (!(error instanceof SendRefused)) throw error;
    if (connector.network.givesBackOnly) throw notGivenBack(connector.network.name, error.message);
    if (isStandIn)
      throw cannotSendThere([
        told('address_needed', 'Give the address: without it nobody can say what sending will cost.'),
      ]);
    throw badAddress(told('receiver_refuses', error.message, { network: connector.network.name }));
  }
}

/**
 * The customer may give an address that costs more to pay to than was set aside, and the network may cost more by now.
 * It is better to say so now than after a day of waiting. An estimate has something to spare for this.
 */
export async function demandPaidFor(
  deps: Pick<CarrierDeps, 'assets'> & { readonly db: Query },
  connector: Connector,
  { id, asset, sentUnits, heldFeeUnits }: Refund,
  destination: Destination,
): Promise<void> {
  const { sender, network } = connector;
  if (!sender || heldFeeUnits === null) return;
  const { assetCode, ledgerScale } = present(findAsset(deps.assets, asset), `asset ${asset}`);
  const units = rescale(sentUnits, ledgerScale, networkAsset(network, assetCode).scale, 'down');
  const fee = await sender
    .estimateFee({ ...destination, id, assetCode, units }, openWallet(deps, connector))
    .catch((error: unknown) => {
      if (error instanceof NetworkError) throw networkIsAway(network.name);
      throw error instanceof SendRefused ? badAddress(error.message) : error;
    });
  const { ledgerScale: feeLedgerScale } = present(findAsset(deps.assets, fee.assetCode), `asset ${fee.assetCode}`);
  const now = rescale(fee.units, networkAsset(network, fee.assetCode).scale, feeLedgerScale, 'up');
  if ((now * 4n) / 5n > heldFeeUnits)
    throw badAddress(
      'Sending to this address costs more now than was set aside for it: give another address, or try again later.',
    );
}

/** In the refunded asset, at its ledger scale. */
export function feeInAsset(deps: CarrierDeps, { network }: Connector, fee: NetworkFee, asset: string): bigint {
  const refunded = present(findAsset(deps.assets, asset), `asset ${asset}`);
  const paid = present(findAsset(deps.assets, fee.assetCode), `asset ${fee.assetCode}`);
  const { scale } = networkAsset(network, fee.assetCode);
  if (paid.id === refunded.id) return rescale(fee.units, scale, refunded.ledgerScale, 'up');
  const cost = costRate(deps.rates.rate, paid.currencyCode, refunded.currencyCode, deps.swapSpread);
  if (!isConversion(cost)) throw noRateForRefund(`There is no current rate to count the fee in ${refunded.assetCode}.`);
  return convertUnits(cost, fee.units, { from: scale, to: refunded.ledgerScale }, 'up');
}

/** The amount that an invoice must have, as wallets there write it. Null: an address there is no invoice. */
export function invoiceAmount(
  { assets }: Pick<CarrierDeps, 'assets'>,
  { network }: Connector,
  { asset, units }: { readonly asset: string; readonly units: bigint },
): { readonly railUnits: bigint; readonly amount: string; readonly code: string } | null {
  if (!network.hasInvoices) return null;
  const { assetCode, ledgerScale } = present(findAsset(assets, asset), `asset ${asset}`);
  const { scale: railScale, paymentCode: code } = networkAsset(network, assetCode);
  const railUnits = rescale(units, ledgerScale, railScale, 'down');
  return { railUnits, code, amount: formatPayment(railUnits, { paymentCode: code, railScale }) };
}

/** An invoice for another amount would be refused when it is to be paid, and whoever gave it would not learn why. */
export function demandRightAmount(
  deps: Pick<CarrierDeps, 'assets'>,
  connector: Connector,
  { asset, sentUnits: units }: Pick<Refund, 'asset' | 'sentUnits'>,
  destination: Destination,
): void {
  const wanted = invoiceAmount(deps, connector, { asset, units });
  const asked = connector.targetUnits?.(destination) ?? null;
  if (wanted && asked !== null && asked !== wanted.railUnits)
    throw badAddress(`The invoice must be for ${wanted.amount} ${wanted.code}, which is what would be sent.`);
}

/**
 * If the network does not have enough, the payout would wait for ever, and so would all that are asked for after it.
 * Money that was paid on this network is there, perhaps not collected yet, and the refund can wait for it; only an
 * invoice cannot wait.
 */
export async function demandSendable(
  deps: Pick<CarrierDeps, 'assets' | 'health'>,
  tx: Tx,
  connector: Connector,
  refund: { readonly asset: string; readonly units: bigint; readonly merchantId: string },
  payments: readonly Pick<Payment, 'network' | 'asset'>[],
): Promise<void> {
  const { network } = connector;
  const cameIn = payments.some((each) => each.network === network.id && each.asset === refund.asset);
  if (!cameIn || network.hasInvoices) await lockAndAssertSendable(deps, tx, connector, refund);
}

/** Throws what is wrong with an address, before anything is set aside. */
export async function demandGoodAddress(query: Query, connector: Connector, destination: Destination): Promise<void> {
  const problem = connector.addressProblem?.(destination) ?? null;
  if (problem !== null) throw badAddress(told('address_wrong', problem, { network: connector.network.name }));
  if (missingOfHolder(connector.network, destination.holder).length > 0) throw goesBackOnly(connector.network.name);
  if (await isOwnAddress(query, connector, destination))
    throw badAddress(
      told(
        'address_ours',
        'This address belongs to this service, so nothing would be sent: give an address of the customer.',
      ),
    );
}
