import { connectEvm } from '../families/evm/connect-evm.ts';
import type { EvmToken } from '../families/evm/evm-connector.ts';
import { rewindEvmCursor } from '../families/evm/evm-cursor.ts';
import { evmInstructions } from '../families/evm/evm-payer.ts';
import { type EvmChainSettings, type EvmSettings, evmSettings } from '../families/evm/evm-settings.ts';
import { issuedAsset, rateSymbols } from '../port/asset-definition.ts';
import type { Connector } from '../port/connector.ts';
import { type NetworkAsset, type NetworkDefinition, type NetworkIdentity, namedAlike } from '../port/definition.ts';
import type { ConnectedNetwork } from '../port/registered-network.ts';

const identity: NetworkIdentity = {
  id: 'ETHEREUM',
  name: 'Ethereum',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/ethereum.svg',
  bridged: true,
  assets: namedAlike('ETH', 'USDC', 'USDT'),
};

const whole = 10n ** 18n;

/** Both tokens are dollars. To collect a token takes two transfers: the first brings the ether for the second's gas. */
function dollarToken({ assetCode, decimals }: EvmToken): NetworkAsset {
  const dollar = 10n ** BigInt(decimals);
  return {
    assetCode,
    paymentCode: assetCode,
    scale: decimals,
    minimumUnits: 2n * dollar,
    confirmationTiers: [
      { belowUnits: 300n * dollar, confirmations: 3 },
      { belowUnits: 3_000n * dollar, confirmations: 6 },
      { belowUnits: 30_000n * dollar, confirmations: 32, until: 'safe' },
      { confirmations: 64, until: 'final' },
    ],
  };
}

const mainChainId = 1;

const explorers: ReadonlyMap<number, string> = new Map([
  [mainChainId, 'https://etherscan.io/tx/'],
  [11_155_111, 'https://sepolia.etherscan.io/tx/'],
  [17_000, 'https://holesky.etherscan.io/tx/'],
  [560_048, 'https://hoodi.etherscan.io/tx/'],
]);

export const ethereum = ({ chainId, tokens, walletNodeUrl }: EvmChainSettings): NetworkDefinition => {
  const name = chainId === mainChainId ? identity.name : `${identity.name} ${chainId}`;
  const explorer = explorers.get(chainId);
  return {
    ...identity,
    assets: [
      // 0.0005 ETH: collecting takes 21,000 gas, which at a busy 20 gwei costs 0.00042.
      { assetCode: 'ETH', paymentCode: 'ETH', scale: 18, minimumUnits: whole / 2_000n },
      ...tokens.map(dollarToken),
    ],
    // Since validators vote on every block, reorganisations deeper than two blocks have been rare accidents, and none
    // was deeper than seven: so a few blocks are enough for small amounts. A large amount waits until two thirds of the
    // validators have voted for its epoch, after 32 blocks or more; the largest until they have voted for the next one
    // too, after 64.
    confirmationTiers: [
      { belowUnits: whole / 10n, confirmations: 3 },
      { belowUnits: whole, confirmations: 6 },
      { belowUnits: 10n * whole, confirmations: 32, until: 'safe' },
      { confirmations: 64, until: 'final' },
    ],
    finalityDepth: 128,
    averageBlockSeconds: 12,
    ...(explorer !== undefined && { explorer }),
    payerInstructions: evmInstructions({ chainId, name, explorer, walletNodeUrl }, [
      { assetCode: 'ETH', contract: null, scale: 18 },
      ...tokens.map(({ assetCode, contract, decimals }) => ({ assetCode, contract, scale: decimals })),
    ]),
  };
};

export const createEthereumConnector = (settings: EvmSettings): Connector => connectEvm(ethereum(settings), settings);

export const ethereumNetwork: ConnectedNetwork<EvmSettings> = {
  identity,
  assets: [
    issuedAsset('ETH', 'Ether', {
      hexColor: '#627eea',
      ledgerScale: 18,
      coin: { decimals: 8, isBilled: true }, // Nobody bills in wei; the amount to pay has more decimals.
      sandboxUsd: '3000',
      rateSymbols: rateSymbols('ETH', { coingecko: 'ethereum', kraken: { asked: 'ETHUSD', answered: 'XETHZUSD' } }),
    }),
    issuedAsset('USDT', 'Tether USD', {
      riskLevel: 'HIGH',
      group: 'USD',
      hexColor: '#26a17b',
      ledgerScale: 7,
      coin: { decimals: 7, isBilled: true },
      sandboxUsd: '1',
      rateSymbols: rateSymbols('USDT', {
        bitfinex: 'tUSTUSD',
        coingecko: 'tether',
        kraken: { asked: 'USDTUSD', answered: 'USDTZUSD' },
      }),
    }),
  ],
  images: new URL('./images/', import.meta.url),
  settings: evmSettings({
    id: identity.id,
    mainChainId,
    chainIdMeaning: '1 is the main chain, 11155111 the test chain Sepolia.',
    accountPath: "m/44'/60'/0'",
    feeCeilingGwei: 100,
    coin: { assetCode: 'ETH', collectMinimum: '0.0025' },
    // As their issuers publish them.
    tokens: [
      { assetCode: 'USDC', mainContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', collectMinimum: '10' },
      { assetCode: 'USDT', mainContract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', collectMinimum: '10' },
    ],
  }),
  connect: createEthereumConnector,
  rewind: rewindEvmCursor,
};
