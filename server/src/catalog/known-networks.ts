/**
 * The networks the API names (spec §2.1), whether or not a connector is configured for them. Which asset travels on
 * which network is said here and nowhere else: the asset catalogue reads it from here.
 */
import type { NetworkAsset, NetworkDefinition } from '../networks/port/definition.ts';

export type KnownNetwork = Pick<NetworkDefinition, 'id' | 'name' | 'type' | 'imageSrc' | 'bridged' | 'hasInvoices'> & {
  /** The first is the default of POST /checkout/commit. */
  readonly assets: readonly Pick<NetworkAsset, 'assetCode' | 'paymentCode'>[];
};

/** The payer's wallet calls most assets as we do. */
const sameName = (...codes: string[]) => codes.map((code) => ({ assetCode: code, paymentCode: code }));

export const knownNetworks: readonly KnownNetwork[] = [
  {
    id: 'BITCOIN',
    name: 'Bitcoin',
    type: 'BLOCKCHAIN',
    imageSrc: '/images/networks/bitcoin.svg',
    bridged: true,
    assets: sameName('BTC'),
  },
  {
    id: 'LIGHTNING',
    name: 'Lightning',
    type: 'BLOCKCHAIN',
    imageSrc: '/images/networks/lightning.svg',
    bridged: true,
    assets: [{ assetCode: 'BTCLN', paymentCode: 'SAT' }],
    hasInvoices: true,
  },
  {
    id: 'LITECOIN',
    name: 'Litecoin',
    type: 'BLOCKCHAIN',
    imageSrc: '/images/networks/litecoin.svg',
    bridged: true,
    assets: sameName('LTC'),
  },
  {
    id: 'ETHEREUM',
    name: 'Ethereum',
    type: 'BLOCKCHAIN',
    imageSrc: '/images/networks/ethereum.svg',
    bridged: true,
    assets: sameName('ETH', 'USDC', 'USDT'),
  },
  {
    id: 'STELLAR',
    name: 'Stellar',
    type: 'BLOCKCHAIN',
    imageSrc: '/images/networks/stellar.svg',
    bridged: false,
    // The operator's own tokens live on Stellar too, but a payer who holds "BTC on Stellar" of this very operator is
    // rare, and offering it beside Bitcoin would make others send coins to the wrong chain.
    assets: sameName('XLM', 'USDC'),
  },
  {
    id: 'SEPA',
    name: 'SEPA',
    type: 'BANK',
    imageSrc: '/images/networks/sepa.svg',
    bridged: true,
    assets: sameName('EUR'),
  },
  {
    id: 'SWIFT',
    name: 'SWIFT',
    type: 'BANK',
    imageSrc: '/images/networks/swift.svg',
    bridged: true,
    assets: sameName('USD', 'EUR'),
  },
  {
    id: 'PIX',
    name: 'Pix',
    type: 'BANK',
    imageSrc: '/images/networks/pix.svg',
    bridged: true,
    assets: sameName('BRL'),
  },
];

export const networksCarrying = (assetCode: string): string[] =>
  knownNetworks
    .filter(({ assets }) => assets.some((carried) => carried.assetCode === assetCode))
    .map((network) => network.id);
