/**
 * SEP-1: what we say about ourselves on Stellar, where wallets and explorers look for it: our accounts, and the assets
 * that the operator issues against what it holds elsewhere.
 */
import type { AssetCatalog, Operator } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { pageRoute, type Route } from '../http/route.ts';
import { type Sep7Settings, sep7SigningKey } from '../networks/stellar/sep7-signer.ts';

export type StellarTomlDeps = {
  readonly assets: AssetCatalog;
  readonly operator: Operator;
  /** Null: Stellar is not configured, and there is nothing to say. */
  readonly stellar: ({ readonly account: string; readonly passphrase: string } & Sep7Settings) | null;
};

export function stellarTomlRoutes(deps: StellarTomlDeps): Route[] {
  if (deps.stellar === null) return [];
  const body = stellarToml(deps, deps.stellar);
  return [
    pageRoute({
      methods: ['GET'],
      path: '/.well-known/stellar.toml',
      handle: () => ({
        status: 200,
        // Wallets read it from other origins.
        headers: { 'content-type': 'text/plain; charset=utf-8', 'access-control-allow-origin': '*' },
        body,
      }),
    }),
  ];
}

export function stellarToml(
  { assets, operator }: Omit<StellarTomlDeps, 'stellar'>,
  { account, passphrase, ...sep7 }: NonNullable<StellarTomlDeps['stellar']>,
): string {
  const accounts = [...new Set([account, operator.issuerAccount])];
  const signingKey = sep7SigningKey(sep7);
  const issued = assets.assets.filter(({ assetIssuer }) => assetIssuer === operator.issuerAccount);
  return [
    'VERSION="2.7.0"',
    `NETWORK_PASSPHRASE=${quoted(passphrase)}`,
    `ACCOUNTS=[${accounts.map(quoted).join(', ')}]`,
    ...(signingKey === null ? [] : [`URI_REQUEST_SIGNING_KEY=${quoted(signingKey)}`]), // SEP-7
    '',
    '[DOCUMENTATION]',
    `ORG_NAME=${quoted(operator.issuerName)}`,
    `ORG_URL=${quoted(`https://${operator.issuerDomain}`)}`,
    `ORG_PHYSICAL_ADDRESS=${quoted(operator.issuerAddress)}`,
    ...issued.flatMap((asset) => [
      '',
      '[[CURRENCIES]]',
      `code=${quoted(asset.assetCode)}`,
      `issuer=${quoted(asset.assetIssuer)}`,
      `name=${quoted(asset.name)}`,
      `display_decimals=${Math.min(7, asset.ledgerScale)}`,
      'is_asset_anchored=true',
      `anchor_asset_type=${quoted(findCurrency(asset.currencyCode)?.type === 'CRYPTO' ? 'crypto' : 'fiat')}`,
      `anchor_asset=${quoted(asset.currencyCode)}`,
    ]),
    '',
  ].join('\n');
}

/** A basic string of TOML escapes what a string of JSON escapes, in the same way. */
const quoted = (text: string): string => JSON.stringify(text);
