import { createEvmConnector, type EvmOptions, type EvmToken } from '../families/evm/evm-connector.ts';
import type { Connector } from '../port/connector.ts';
import type { NetworkAsset, NetworkDefinition } from '../port/definition.ts';

/** `tokens`: USDC and USDT, where this chain has them. */
export type EthereumSettings = Omit<EvmOptions, 'timeoutMs'>;

const whole = 10n ** 18n;

/** Both are dollars. Collecting a token takes two transfers, the first of which brings the gas for the second. */
function dollarToken({ assetCode, contract, decimals }: EvmToken, chainId: number): NetworkAsset {
  const dollar = 10n ** BigInt(decimals);
  return {
    assetCode,
    paymentCode: assetCode,
    scale: decimals,
    minimumUnits: 2n * dollar,
    eip681: { chainId, contract },
    confirmationTiers: [
      { belowUnits: 300n * dollar, confirmations: 3 },
      { belowUnits: 3_000n * dollar, confirmations: 6 },
      { belowUnits: 30_000n * dollar, confirmations: 32, until: 'safe' },
      { confirmations: 64, until: 'final' },
    ],
  };
}

const explorers: ReadonlyMap<number, string> = new Map([
  [1, 'https://etherscan.io/tx/'],
  [11_155_111, 'https://sepolia.etherscan.io/tx/'],
  [17_000, 'https://holesky.etherscan.io/tx/'],
  [560_048, 'https://hoodi.etherscan.io/tx/'],
]);

const explorerOf = (chainId: number): { explorer?: string } => {
  const explorer = explorers.get(chainId);
  return explorer === undefined ? {} : { explorer };
};

export const ethereum = ({ chainId, tokens }: Pick<EthereumSettings, 'chainId' | 'tokens'>): NetworkDefinition => ({
  id: 'ETHEREUM',
  name: 'Ethereum',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/ethereum.svg',
  bridged: true,
  assets: [
    // 0.0005 ETH: collecting takes 21,000 gas, which at a busy 20 gwei costs 0.00042.
    {
      ...{ assetCode: 'ETH', paymentCode: 'ETH', scale: 18, minimumUnits: whole / 2_000n },
      eip681: { chainId, contract: null },
    },
    ...tokens.map((token) => dollarToken(token, chainId)),
  ],
  // Since validators vote on every block, reorganisations deeper than two blocks have been rare accidents, and none
  // was deeper than seven: enough for small amounts. A large one waits until two thirds have voted for its epoch, after
  // 32 blocks or more, and the largest until they have voted for the next one too, after 64.
  confirmationTiers: [
    { belowUnits: whole / 10n, confirmations: 3 },
    { belowUnits: whole, confirmations: 6 },
    { belowUnits: 10n * whole, confirmations: 32, until: 'safe' },
    { confirmations: 64, until: 'final' },
  ],
  finalityDepth: 128,
  averageBlockSeconds: 12,
  ...explorerOf(chainId),
});

export const createEthereumConnector = (settings: EthereumSettings): Connector =>
  createEvmConnector(ethereum(settings), settings);
