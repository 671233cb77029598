/**
 * Base, a rollup on Ethereum: the asset is the same ether, but on another chain. For a minute or two only its sequencer
 * decides about a block; then the block is written to Ethereum, and it is final when that block of Ethereum is. Its
 * addresses look like Ethereum's, so they come from an account of their own: docs/decisions/0035.
 */
import { connectEvm } from '../families/evm/connect-evm.ts';
import type { EvmToken } from '../families/evm/evm-connector.ts';
import { rewindEvmCursor } from '../families/evm/evm-cursor.ts';
import { evmInstructions } from '../families/evm/evm-payer.ts';
import { type EvmChainSettings, type EvmSettings, evmSettings } from '../families/evm/evm-settings.ts';
import type { Connector } from '../port/connector.ts';
import {
  type ConfirmationTier,
  type NetworkAsset,
  type NetworkDefinition,
  type NetworkIdentity,
  namedAlike,
} from '../port/definition.ts';
import type { ConnectedNetwork } from '../port/registered-network.ts';

const identity: NetworkIdentity = {
  id: 'BASE',
  name: 'Base',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/base.svg',
  bridged: true,
  assets: namedAlike('ETH', 'USDC'),
};

const whole = 10n ** 18n;

/**
 * Before a block is written to Ethereum, only the sequencer can give it up, and it has promised not to. For small
 * amounts this is enough, after ten seconds. A large one waits until its block is written to Ethereum (safe), the
 * largest until it is final there, after fifteen minutes or more. `unit`: about three thousand dollars.
 */
const tiersIn = (unit: bigint): ConfirmationTier[] => [
  { belowUnits: unit / 10n, confirmations: 5 },
  { belowUnits: unit, confirmations: 30 },
  { belowUnits: 10n * unit, confirmations: 60, until: 'safe' },
  { confirmations: 450, until: 'final' },
];

function dollarToken({ assetCode, decimals }: EvmToken): NetworkAsset {
  const dollar = 10n ** BigInt(decimals);
  return {
    assetCode,
    paymentCode: assetCode,
    scale: decimals,
    minimumUnits: dollar / 5n,
    confirmationTiers: tiersIn(3_000n * dollar),
  };
}

const mainChainId = 8453;

const explorers: ReadonlyMap<number, string> = new Map([
  [mainChainId, 'https://basescan.org/tx/'],
  [84_532, 'https://sepolia.basescan.org/tx/'],
]);

export const base = ({ chainId, tokens, walletNodeUrl }: EvmChainSettings): NetworkDefinition => {
  const name = chainId === mainChainId ? identity.name : `${identity.name} ${chainId}`;
  const explorer = explorers.get(chainId);
  return {
    ...identity,
    assets: [
      // 0.00005 ETH: collecting takes 21,000 gas, which at 2 gwei, a hundred times the usual, costs 0.000042.
      { assetCode: 'ETH', paymentCode: 'ETH', scale: 18, minimumUnits: whole / 20_000n },
      ...tokens.map(dollarToken),
    ],
    confirmationTiers: tiersIn(whole),
    // Half an hour: normally a block is final in half of that time.
    finalityDepth: 1_024,
    averageBlockSeconds: 2,
    ...(explorer !== undefined && { explorer }),
    payerInstructions: evmInstructions({ chainId, name, explorer, walletNodeUrl }, [
      { assetCode: 'ETH', contract: null, scale: 18 },
      ...tokens.map(({ assetCode, contract, decimals }) => ({ assetCode, contract, scale: decimals })),
    ]),
  };
};

export const createBaseConnector = (settings: EvmSettings): Connector =>
  connectEvm(base(settings), { ...settings, rollup: 'op-stack', usualGasGwei: 2 });

export const baseNetwork: ConnectedNetwork<EvmSettings> = {
  identity,
  assets: [],
  images: new URL('./images/', import.meta.url),
  settings: evmSettings({
    id: identity.id,
    mainChainId,
    chainIdMeaning: '8453 is the main chain, 84532 the test chain Sepolia.',
    accountPath: "m/44'/60'/1'",
    feeCeilingGwei: 10,
    coin: { assetCode: 'ETH', collectMinimum: '0.00025' },
    // As its issuer publishes it.
    tokens: [{ assetCode: 'USDC', mainContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', collectMinimum: '1' }],
  }),
  connect: createBaseConnector,
  rewind: rewindEvmCursor,
};
