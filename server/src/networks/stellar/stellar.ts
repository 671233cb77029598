import type { Secret } from '../../lib/secret.ts';
import { readSeed } from '../../lib/strkey.ts';
import type { Connector } from '../port/connector.ts';
import { type NetworkAsset, type NetworkDefinition, type NetworkIdentity, namedAlike } from '../port/definition.ts';
import { createHorizonApi } from './horizon-api.ts';
import { createSep7Signer } from './sep7-signer.ts';
import { circle } from './stellar-assets.ts';
import { channelSigners, type StellarSigner, signerOf } from './stellar-channels.ts';
import { createStellarConnector } from './stellar-connector.ts';
import type { StellarLedgerApi } from './stellar-ledger-api.ts';
import { stellarInstructions } from './stellar-payer.ts';
import { stellarTomlFile } from './stellar-toml.ts';
import type { StellarWallet } from './stellar-wallet.ts';
import { createStellarSigning } from './stellar-wallet-signing.ts';

export const stellarIdentity: NetworkIdentity = {
  id: 'STELLAR',
  name: 'Stellar',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/stellar.svg',
  bridged: false,
  // The operator's own tokens are on Stellar too. But few payers hold "BTC on Stellar" of this very operator, and if it
  // were offered beside Bitcoin, others would send coins to the wrong chain.
  assets: namedAlike('XLM', 'USDC'),
  hasMemos: true,
};

const carriedAssets: Readonly<Record<StellarAssetCode, NetworkAsset & { readonly stellarName: string }>> = {
  // Receiving costs nothing on Stellar, so even a cent is worth it. Less is cheap to send and expensive to keep.
  XLM: { assetCode: 'XLM', paymentCode: 'XLM', scale: 7, minimumUnits: 1_000_000n, stellarName: 'native' },
  USDC: {
    assetCode: 'USDC',
    paymentCode: 'USDC',
    scale: 7,
    minimumUnits: 100_000n,
    stellarName: `USDC:${circle.account}`,
  },
};

export type StellarAssetCode = 'XLM' | 'USDC';
export const stellarAssetCodes: readonly StellarAssetCode[] = ['XLM', 'USDC'];

export type StellarSettings = {
  readonly horizonUrl: Secret;
  readonly account: string;
  readonly passphrase: string;
  readonly assets: readonly StellarAssetCode[];
  readonly timeoutMs?: number;
  /** The seed of the account. Left out, it only receives. */
  readonly secret?: Secret;
  readonly channels?: number;
  /** The seed that signs links of SEP-7, and the domain that they are from. */
  readonly uriSigningSeed?: Secret;
  readonly originDomain?: string;
  /** Who issues our tokens, which of them are held here, and the seed that brings them into being. */
  readonly bridge?: { readonly issuer: string; readonly secret: Secret; readonly codes: readonly string[] };
};

/** Five payments in every ledger, one a second, at five times one lumen of reserve. */
export const defaultChannels = 5;

export const publicPassphrase = 'Public Global Stellar Network ; September 2015';
const testPassphrase = 'Test SDF Network ; September 2015';

const explorerOf = (passphrase: string): { explorer?: string } => {
  if (passphrase === publicPassphrase) return { explorer: 'https://stellar.expert/explorer/public/tx/' };
  return passphrase === testPassphrase ? { explorer: 'https://stellar.expert/explorer/testnet/tx/' } : {};
};

export const stellarDefinition = ({
  assets,
  passphrase,
  ...settings
}: Pick<
  StellarSettings,
  'assets' | 'passphrase' | 'uriSigningSeed' | 'originDomain' | 'bridge'
>): NetworkDefinition => ({
  ...stellarIdentity,
  assets: assets.map((code) => {
    const { stellarName: _stellarName, ...asset } = carriedAssets[code];
    return asset;
  }),
  tokens: (settings.bridge?.codes ?? []).map(tokenOf),
  // A ledger is agreed upon before it closes, and never vanishes afterwards.
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1,
  averageBlockSeconds: 5,
  payerCost: { assetCode: 'XLM', units: 100n }, // The base fee of one operation, unless the ledger is full.
  ...explorerOf(passphrase),
  payerInstructions: stellarInstructions({
    issuers: issuersOf(assets),
    passphrase: passphrase === publicPassphrase ? null : passphrase,
    sign: createSep7Signer(settings),
  }),
});

/** Null: Stellar's own coin. */
const issuersOf = (codes: readonly StellarAssetCode[]): ReadonlyMap<string, string | null> =>
  new Map(codes.map((code) => [code, carriedAssets[code].stellarName.split(':')[1] ?? null]));

export function createStellarNetworkConnector(settings: StellarSettings): Connector {
  const { horizonUrl, passphrase, assets } = settings;
  const api = createHorizonApi(horizonUrl.reveal(), settings.timeoutMs);
  const connector = createStellarConnector(stellarDefinition(settings), {
    api,
    account: settings.account,
    passphrase,
    assetCodes: new Map(assets.map((code) => [carriedAssets[code].stellarName, code])),
    wallet: walletOf(settings, api),
  });
  const walletSigning = createStellarSigning({ horizonUrl, passphrase, issuers: issuersOf(assets) });
  return { ...connector, walletSigning, publishedFiles: (publisher) => [stellarTomlFile(publisher, settings)] };
}

/** Seven decimal places, whatever the coin has elsewhere. */
const tokenOf = (code: string): NetworkAsset => ({ assetCode: code, paymentCode: code, scale: 7, minimumUnits: 100n });

function issuerOf({ bridge }: StellarSettings): StellarSigner | null {
  const seed = bridge && readSeed(bridge.secret.reveal());
  return seed ? signerOf(seed) : null;
}

function walletOf(settings: StellarSettings, api: StellarLedgerApi): StellarWallet | null {
  const seed = settings.secret && readSeed(settings.secret.reveal());
  if (!seed) return null;
  return {
    api,
    passphrase: settings.passphrase,
    owner: signerOf(seed),
    channels: channelSigners(seed, settings.channels ?? defaultChannels),
    issuer: issuerOf(settings),
    assetNames: new Map([
      ...settings.assets.map((code): [string, string] => [code, carriedAssets[code].stellarName]),
      ...(settings.bridge?.codes ?? []).map((code): [string, string] => [code, `${code}:${settings.bridge?.issuer}`]),
    ]),
  };
}
