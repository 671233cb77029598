import { startEvmChainHarness } from '@quittance/sandbox/evm-chain-harness';
import { type Capability, describeConformance } from '@quittance/server/networks/conformance';
import { describeSending } from '@quittance/server/networks/sending-conformance';
import { describeOnEvmNodes } from './evm-nodes.ts';

describeOnEvmNodes('ETHEREUM', ({ name, startChain }) => {
  const usdt = 'USDT, whose functions return nothing';
  // On Anvil each of these takes seconds; three hundred payments tell nothing about a node, and a node is lost once.
  const slow: Capability[] = name === 'Anvil' ? ['fill a block'] : [];
  const leftOut: Capability[] = name === 'Anvil' ? [...slow, 'lose its node'] : [];
  // A transaction carries ether to one address. What a contract passes on to several is found by their balances.
  describeConformance('ether', () => startEvmChainHarness('ETH', startChain), ['pay several targets at once', ...slow]);
  describeConformance('USDC', () => startEvmChainHarness('USDC', startChain), leftOut);
  describeConformance(usdt, () => startEvmChainHarness('USDT', startChain), leftOut);

  const startSending = async (assetCode: 'ETH' | 'USDC' | 'USDT') => ({
    ...(await startEvmChainHarness(assetCode, startChain)),
    // Anvil makes a block the more slowly the more it has. What is final was shown on EDR.
    ...(name === 'Anvil' && { settledAfterBlocks: 2 }),
  });
  describeSending('ether', () => startSending('ETH'));
  describeSending('USDC', () => startSending('USDC'));
  describeSending(usdt, () => startSending('USDT'));
});
