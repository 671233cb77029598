import { startStellarHarness } from '@quittance/sandbox/stellar/stellar-harness';
import { createStellarNetworkConnector } from '@quittance/server/networks/stellar/stellar';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';

const cannot = ['show unconfirmed transfers', 'pay several targets at once', 'reorganise', 'replace', 'drop'] as const;

describeConformance(
  'STELLAR with lumens on the local ledger',
  () => startStellarHarness('XLM', createStellarNetworkConnector),
  cannot,
);
describeConformance(
  'STELLAR with USDC on the local ledger',
  () => startStellarHarness('USDC', createStellarNetworkConnector),
  cannot,
);

describeSending('STELLAR with lumens on the local ledger', () =>
  startStellarHarness('XLM', createStellarNetworkConnector),
);
describeSending('STELLAR with USDC on the local ledger', () =>
  startStellarHarness('USDC', createStellarNetworkConnector),
);
