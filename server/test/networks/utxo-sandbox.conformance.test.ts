import { startUtxoChainHarness } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { describeConformance } from '@quittance/server/networks/conformance';
import { createLitecoinConnector } from '@quittance/server/networks/litecoin/litecoin';

describeConformance("BITCOIN on the sandbox's chain", () =>
  startUtxoChainHarness('bitcoin', 'BTC', createBitcoinConnector),
);
describeConformance("LITECOIN on the sandbox's chain", () =>
  startUtxoChainHarness('litecoin', 'LTC', createLitecoinConnector),
);
