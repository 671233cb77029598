/**
 * Every asset of this installation, found by id or by bare code in one look-up. What an asset can be used for is not
 * data: it follows from the networks that are configured, so that the list never promises what cannot be done.
 */
import type { Asset } from '@quittance/contract/catalog';
import { assert } from '../lib/assert.ts';
import { isAccountId } from '../lib/strkey.ts';
import type { AssetDefinition, AssetIssuer } from '../networks/port/asset-definition.ts';
import { knownAssets } from './known-assets.ts';
import { networksCarrying } from './known-networks.ts';

type Usability = 'checkouts' | 'deposits' | 'settlement' | 'swaps' | 'transfers';

/** The public asset without what depends on configuration, plus what only we need to know. */
export type CatalogAsset = Readonly<Omit<Asset, Usability>> &
  Pick<AssetDefinition, 'ledgerScale' | 'currencyCode'> & {
    /** No longer offered. What accounts have of it is shown, and can be swapped for something else. */
    readonly isRetired: boolean;
  };

export type AssetCatalog = {
  readonly assets: readonly CatalogAsset[];
  readonly byIdOrCode: ReadonlyMap<string, CatalogAsset>;
  /** Assets that another process was configured with: not offered here, but somebody may be credited in them. */
  learn(anchored: readonly AnchoredAsset[]): void;
};

/** The networks with a connector, by id: whether the connector can send, and the codes of its assets. */
export type ConfiguredNetworks = ReadonlyMap<
  string,
  { readonly canSend: boolean; readonly assetCodes: ReadonlySet<string> }
>;

/** What a list depends on: the networks of this installation, and the merchant's high-risk assets (ids or codes). */
export type CatalogView = {
  readonly configured: ConfiguredNetworks;
  readonly enabledHighRisk: ReadonlySet<string>;
  readonly riskTolerance: RiskTolerance;
  /** Whether any venue can ever exchange one for the other. */
  readonly isConvertible: (given: CatalogAsset, wanted: CatalogAsset) => boolean;
};

export type Operator = {
  readonly issuerAccount: string;
  readonly issuerName: string;
  readonly issuerDomain: string;
  readonly issuerAddress: string;
};

/** An asset of ours that somebody else, an anchor with its own domain, issues on Stellar as well. */
export type AnchoredAsset = {
  readonly code: string;
  readonly issuer: string;
  readonly domain: string;
  readonly isRetired?: boolean;
};

export function createAssetCatalog(operator: Operator, anchored: readonly AnchoredAsset[] = []): AssetCatalog {
  assert(isAccountId(operator.issuerAccount), 'the issuing account is a Stellar account id');
  const operatorAsIssuer: AssetIssuer = {
    account: operator.issuerAccount,
    name: operator.issuerName,
    domain: operator.issuerDomain,
    address: operator.issuerAddress,
  };
  const assets = knownAssets.map((known) =>
    catalogAsset(known, known.issuer === 'operator' ? operatorAsIssuer : known.issuer),
  );
  const byIdOrCode = new Map(
    assets.flatMap((asset) => [
      [asset.id, asset],
      [asset.assetCode, asset], // The code alone means the operator's own asset.
    ]),
  );
  function learn(more: readonly AnchoredAsset[]): void {
    for (const asset of more.map(anchoredAsset)) {
      // An account that was an anchor's earlier may be the operator's now: then the asset is our own.
      if (byIdOrCode.has(asset.id)) continue;
      byIdOrCode.set(asset.id, asset);
      assets.push(asset);
    }
  }
  learn(anchored);
  return { assets, byIdOrCode, learn };
}

function anchoredAsset({ code, issuer, domain, isRetired = false }: AnchoredAsset): CatalogAsset {
  const known = knownAssets.find((each) => each.code === code);
  assert(known && isAccountId(issuer), `${code}:${issuer} is an asset of an anchor`);
  const facts = catalogAsset(known, { account: issuer, name: domain, domain, address: 'not given' });
  // It is on no network: we credit it, and it can be swapped.
  return { ...facts, bridge: true, networks: [], isRetired };
}

function catalogAsset(known: AssetDefinition, issuer: AssetIssuer): CatalogAsset {
  return {
    id: `${known.code}:${issuer.account}`,
    assetCode: known.code,
    assetIssuer: issuer.account,
    name: known.name,
    group: known.group,
    groupImageSrc: `/images/groups/${known.group.toLowerCase()}.svg`,
    issuerName: issuer.name,
    issuerDomain: issuer.domain,
    issuerAddress: issuer.address,
    imageSrc: `/images/assets/${known.code.toLowerCase()}.svg`,
    hexColor: known.hexColor,
    riskLevel: known.riskLevel,
    bridge: known.issuer === 'operator',
    networks: networksCarrying(known.code),
    ledgerScale: known.ledgerScale,
    currencyCode: known.currencyCode,
    isRetired: false,
  };
}

/** Ids are case-sensitive. Older clients send the bare code (`USDC`). */
export const findAsset = (catalog: AssetCatalog, idOrCode: string): CatalogAsset | undefined =>
  catalog.byIdOrCode.get(idOrCode);

/** For an id that comes from our own records. */
export function assetScale(catalog: AssetCatalog, idOrCode: string): number {
  const asset = findAsset(catalog, idOrCode);
  if (!asset) throw new Error(`no asset ${idOrCode} in the catalogue`);
  return asset.ledgerScale;
}

/**
 * A high-risk asset does not exist for a merchant who has not enabled it (spec §2.2); a retired one exists for nobody.
 */
export const isAvailable = (asset: CatalogAsset, enabledHighRisk: ReadonlySet<string>): boolean =>
  !asset.isRetired &&
  (asset.riskLevel !== 'HIGH' || enabledHighRisk.has(asset.id) || enabledHighRisk.has(asset.assetCode));

export type RiskTolerance = 'LOW' | 'MEDIUM';

/**
 * What a merchant may be credited in. The tolerance is about what an account holds: with LOW a bridged coin can be paid
 * with, and is exchanged. An asset of HIGH risk that was enabled by its name is wanted whatever the tolerance is.
 */
export const isCreditable = ({ riskLevel }: Pick<CatalogAsset, 'riskLevel'>, tolerance: RiskTolerance): boolean =>
  riskLevel !== 'MEDIUM' || tolerance === 'MEDIUM';

/** Only in the books, on no network. */
export const isOfAnchor = ({ networks }: Carried): boolean => networks.length === 0;

type Carried = Pick<CatalogAsset, 'networks'>;
type Received = Pick<CatalogAsset, 'networks' | 'assetCode'>;

export const canReceive = (asset: Received, configured: ConfiguredNetworks): boolean =>
  asset.networks.some((network) => configured.get(network)?.assetCodes.has(asset.assetCode));

/** A network that is configured may have only some of its assets: an account at a bank is in one currency. */
export const isOn = (network: string, assetCode: string, configured: ConfiguredNetworks): boolean =>
  configured.get(network)?.assetCodes.has(assetCode) ?? true;

const canSend = (asset: Received, configured: ConfiguredNetworks): boolean =>
  asset.networks.some((network) => {
    const found = configured.get(network);
    return found?.canSend === true && found.assetCodes.has(asset.assetCode);
  });

/** It can be paid with, or something that can be paid with is exchanged for it. */
export const canSettle = (catalog: AssetCatalog, view: CatalogView, asset: CatalogAsset): boolean =>
  isCreditable(asset, view.riskTolerance) &&
  catalog.assets.some(
    (paid) =>
      isAvailable(paid, view.enabledHighRisk) &&
      canReceive(paid, view.configured) &&
      (paid.id === asset.id || view.isConvertible(paid, asset)),
  );

/** Given or wanted. An asset that is no longer offered can still be given, if an account holds it. */
const canSwap = (
  catalog: AssetCatalog,
  { enabledHighRisk, isConvertible }: CatalogView,
  asset: CatalogAsset,
): boolean =>
  catalog.assets.some(
    (other) => isConvertible(other, asset) || (isAvailable(other, enabledHighRisk) && isConvertible(asset, other)),
  );

export function listAssets(catalog: AssetCatalog, view: CatalogView): Asset[] {
  const available = catalog.assets.filter((asset) => isAvailable(asset, view.enabledHighRisk));
  return available.map((asset) => {
    const { ledgerScale: _ledgerScale, currencyCode: _currencyCode, isRetired: _isRetired, ...shown } = asset;
    const isReceived = canReceive(asset, view.configured);
    return {
      ...shown,
      networks: asset.networks.filter((network) => isOn(network, asset.assetCode, view.configured)),
      checkouts: isReceived,
      deposits: isReceived && isCreditable(asset, view.riskTolerance),
      settlement: canSettle(catalog, view, asset),
      swaps: canSwap(catalog, view, asset),
      transfers: canSend(asset, view.configured),
    };
  });
}
