import { startEvmChainHarness } from '@quittance/sandbox/evm-chain-harness';
import { describeConformance } from '@quittance/server/networks/conformance';
import { describeSending } from '@quittance/server/networks/sending-conformance';

// A transaction carries ether to one address. What a contract passes on to several is found by their balances.
describeConformance('ETHEREUM with ether', () => startEvmChainHarness('ETH'), ['pay several targets at once']);
describeConformance('ETHEREUM with USDC', () => startEvmChainHarness('USDC'));
describeConformance('ETHEREUM with USDT, whose functions return nothing', () => startEvmChainHarness('USDT'));

describeSending('ETHEREUM with ether', () => startEvmChainHarness('ETH'));
describeSending('ETHEREUM with USDC', () => startEvmChainHarness('USDC'));
describeSending('ETHEREUM with USDT, whose functions return nothing', () => startEvmChainHarness('USDT'));
