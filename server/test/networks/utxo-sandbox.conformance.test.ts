import { startUtxoChainHarness } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { createLitecoinConnector } from '@quittance/server/networks/litecoin/litecoin';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';

const startBitcoin = () => startUtxoChainHarness('bitcoin', 'BTC', createBitcoinConnector);
const startLitecoin = () => startUtxoChainHarness('litecoin', 'LTC', createLitecoinConnector);

describeConformance("BITCOIN on the sandbox's chain", startBitcoin);
describeConformance("LITECOIN on the sandbox's chain", startLitecoin);
describeSending("BITCOIN on the sandbox's chain", startBitcoin);
describeSending("LITECOIN on the sandbox's chain", startLitecoin);
