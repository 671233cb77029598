import { startEvmChainHarness } from '@quittance/sandbox/evm-chain-harness';
import { createBaseConnector } from '@quittance/server/networks/base/base';
import { type Capability, describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';
import { startRollup } from './evm-nodes.ts';

const start = (assetCode: 'ETH' | 'USDC') => () => startEvmChainHarness(assetCode, startRollup, createBaseConnector);
// Shown for the family on Ethereum: three hundred payments in a block, and a node that is away.
const shown: Capability[] = ['fill a block', 'lose its node'];
// What the sandbox's chain calls final.
const startSending = (assetCode: 'ETH' | 'USDC') => async () => ({
  ...(await start(assetCode)()),
  settledAfterBlocks: 64,
});

const assets = [
  { assetCode: 'ETH', name: 'ether on Base', leftOut: ['pay several targets at once', ...shown] },
  { assetCode: 'USDC', name: 'USDC on Base', leftOut: shown },
] as const;
for (const { assetCode, name, leftOut } of assets) describeConformance(name, start(assetCode), leftOut);
for (const { assetCode, name } of assets) describeSending(name, startSending(assetCode));
