import { startEvmChainHarness } from '@quittance/sandbox/evm-chain-harness';
import { type Capability, describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';
import { isSample } from '../depth.ts';
import { describeOnEvmNodes } from './evm-nodes.ts';

describeOnEvmNodes('ETHEREUM', ({ name, startChain }) => {
  const usdt = 'USDT, whose functions return nothing';
  // Anvil is slow where it is emulated. Three hundred payments tell nothing about a node, and a node is lost once; of
  // the tokens the unusual one runs there, and the usual one in the stories of checkouts.
  const slow: Capability[] = name === 'Anvil' ? ['fill a block'] : [];
  const leftOut: Capability[] = name === 'Anvil' ? [...slow, 'lose its node'] : [];
  // A transaction carries ether to one address. What a contract passes on to several is found by their balances.
  describeConformance('ether', () => startEvmChainHarness('ETH', startChain), ['pay several targets at once', ...slow]);
  if (name === 'EDR' && !isSample()) describeConformance('USDC', () => startEvmChainHarness('USDC', startChain));
  if (!isSample()) describeConformance(usdt, () => startEvmChainHarness('USDT', startChain), leftOut);

  const startSending = async (assetCode: 'ETH' | 'USDC' | 'USDT') => ({
    ...(await startEvmChainHarness(assetCode, startChain)),
    // Anvil makes a block the more slowly the more it has. What is final was shown on EDR.
    ...(name === 'Anvil' && { settledAfterBlocks: 2 }),
  });
  if (!isSample()) describeSending('ether', () => startSending('ETH'));
  if (name === 'EDR' && !isSample()) describeSending('USDC', () => startSending('USDC'));
  if (!isSample()) describeSending(usdt, () => startSending('USDT'));
});
