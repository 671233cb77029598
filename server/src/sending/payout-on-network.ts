/** A payout as the sender of a network takes it: by the code of its asset, in the units in which the network counts. */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import type { Payout, Pricing } from '../networks/port/sending.ts';
import type { StoredPayout } from './payout-store.ts';

/** How long a payout waits for the network's fee to be as low again as when it was quoted. */
const feePatienceMs = hours(24);

export type PayoutsOn = {
  readonly assetOf: (asset: string) => CatalogAsset;
  readonly toOutgoing: (payout: StoredPayout) => Payout;
  readonly inFeeUnits: (units: bigint) => bigint;
  /** Whether the network cannot carry all of it: less would leave than is booked as gone. */
  readonly isFinerThanCarried: (payout: StoredPayout) => boolean;
  readonly isMoreThanSent: (payout: StoredPayout) => boolean;
};

export function payoutsOn(
  assets: AssetCatalog,
  { network }: Pick<Connector, 'network'>,
  { feeAssetCode }: Pick<Pricing, 'feeAssetCode'>,
): PayoutsOn {
  const assetOf = (asset: string) => present(findAsset(assets, asset), `asset ${asset}`);
  const atNetworkScale = (assetCode: string, units: bigint): bigint =>
    rescale(units, assetOf(assetCode).ledgerScale, networkAsset(network, assetCode).scale, 'down');
  const inFeeUnits = (units: bigint): bigint => atNetworkScale(feeAssetCode, units);
  const leastOf = ({ leastUnits }: { leastUnits: bigint }, { assetCode, ledgerScale }: CatalogAsset): bigint =>
    rescale(leastUnits, ledgerScale, networkAsset(network, assetCode).scale, 'up');

  function toOutgoing({ id, address, memo, memoType, holder, ...payout }: StoredPayout): Payout {
    const { assetCode } = assetOf(payout.asset);
    const { exchange, isIssue = false, heldFeeUnits, wasDone, requestedAt } = payout;
    const wanted = exchange && assetOf(exchange.asset);
    return {
      id,
      assetCode,
      units: atNetworkScale(assetCode, payout.units),
      address,
      memo,
      memoType,
      holder,
      isIssue,
      // Rounded up: less than the least would not be enough.
      ...(wanted && { exchange: { assetCode: wanted.assetCode, leastUnits: leastOf(exchange, wanted) } }),
      ...(heldFeeUnits !== null &&
        !wasDone && { heldFee: { units: inFeeUnits(heldFeeUnits), until: addMs(requestedAt, feePatienceMs) } }),
    };
  }

  function isFinerThanCarried({ asset, units }: StoredPayout): boolean {
    const { assetCode, ledgerScale } = assetOf(asset);
    const { scale } = networkAsset(network, assetCode);
    return rescale(atNetworkScale(assetCode, units), scale, ledgerScale, 'down') !== units;
  }

  function isMoreThanSent({ asset, units }: StoredPayout): boolean {
    const { assetCode } = assetOf(asset);
    const { mostSentUnits } = networkAsset(network, assetCode);
    return mostSentUnits !== undefined && atNetworkScale(assetCode, units) > mostSentUnits;
  }

  return { assetOf, toOutgoing, inFeeUnits, isFinerThanCarried, isMoreThanSent };
}
