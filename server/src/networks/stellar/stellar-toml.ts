/**
 * SEP-1: what we say about ourselves on Stellar, where wallets and explorers look for it: our accounts, and the assets
 * that the operator issues against what it holds elsewhere.
 */
import type { PublishedFile, Publisher } from '../port/published-file.ts';
import { type Sep7Settings, sep7SigningKey } from './sep7-signer.ts';

export type StellarTomlSettings = { readonly account: string; readonly passphrase: string } & Sep7Settings;

export const stellarTomlFile = (publisher: Publisher, settings: StellarTomlSettings): PublishedFile => ({
  path: '/.well-known/stellar.toml',
  contentType: 'text/plain; charset=utf-8',
  body: stellarToml(publisher, settings),
});

function stellarToml(
  { operator, issued }: Publisher,
  { account, passphrase, uriSigningSeed }: StellarTomlSettings,
): string {
  const accounts = [...new Set([account, operator.issuerAccount])];
  const signingKey = sep7SigningKey(uriSigningSeed ? { uriSigningSeed } : {});
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
      `code=${quoted(asset.code)}`,
      `issuer=${quoted(operator.issuerAccount)}`,
      `name=${quoted(asset.name)}`,
      `display_decimals=${Math.min(7, asset.ledgerScale)}`,
      'is_asset_anchored=true',
      `anchor_asset_type=${quoted(asset.isCoin ? 'crypto' : 'fiat')}`,
      `anchor_asset=${quoted(asset.currencyCode)}`,
    ]),
    '',
  ].join('\n');
}

/** A basic string of TOML escapes what a string of JSON escapes, in the same way. */
const quoted = (text: string): string => JSON.stringify(text);
