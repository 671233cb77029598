import type { Connector, NetworkAsset, NetworkDefinition } from '../port.ts';
import { createHorizonApi } from './horizon-api.ts';
import { createStellarConnector } from './stellar-connector.ts';

/** Circle's account on the public network, which is what the catalogue means by USDC on Stellar. */
const usdcIssuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';

const stellarAssets: Readonly<Record<StellarAssetCode, NetworkAsset & { readonly stellarName: string }>> = {
  // Receiving costs nothing on Stellar: a cent's worth is worth having.
  XLM: { assetCode: 'XLM', paymentCode: 'XLM', scale: 7, minimumUnits: 100_000n, stellarName: 'native' },
  USDC: { assetCode: 'USDC', paymentCode: 'USDC', scale: 7, minimumUnits: 100_000n, stellarName: `USDC:${usdcIssuer}` },
};

export type StellarAssetCode = 'XLM' | 'USDC';
export const stellarAssetCodes: readonly StellarAssetCode[] = ['XLM', 'USDC'];

export type StellarSettings = {
  readonly horizonUrl: string;
  readonly account: string;
  readonly passphrase: string;
  readonly assets: readonly StellarAssetCode[];
  readonly timeoutMs?: number;
};

export const publicPassphrase = 'Public Global Stellar Network ; September 2015';

export const stellarNetwork = ({
  assets,
  passphrase,
}: Pick<StellarSettings, 'assets' | 'passphrase'>): NetworkDefinition => ({
  id: 'STELLAR',
  name: 'Stellar',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/stellar.svg',
  bridged: false,
  assets: assets.map((code) => {
    const { stellarName, ...asset } = stellarAssets[code];
    const issuer = stellarName.split(':')[1] ?? null;
    return { ...asset, sep7: { issuer, passphrase: passphrase === publicPassphrase ? null : passphrase } };
  }),
  // A ledger is agreed upon before it closes and never given up afterwards.
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1,
  averageBlockSeconds: 5,
});

export const createStellarNetworkConnector = (settings: StellarSettings): Connector =>
  createStellarConnector(stellarNetwork(settings), {
    api: createHorizonApi(settings.horizonUrl, settings.timeoutMs),
    account: settings.account,
    passphrase: settings.passphrase,
    assetCodes: new Map(settings.assets.map((code) => [stellarAssets[code].stellarName, code])),
  });
