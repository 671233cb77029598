import { startUtxoChainHarness } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { describeConformance } from '@quittance/server/networks/conformance';
import { createLitecoinConnector } from '@quittance/server/networks/litecoin/litecoin';
import { describeSending } from '@quittance/server/networks/sending-conformance';

const startBitcoin = () => startUtxoChainHarness('bitcoin', 'BTC', createBitcoinConnector);
const startLitecoin = () => startUtxoChainHarness('litecoin', 'LTC', createLitecoinConnector);

describeConformance("BITCOIN on the sandbox's chain", startBitcoin);
describeConformance("LITECOIN on the sandbox's chain", startLitecoin);
describeSending("BITCOIN on the sandbox's chain", startBitcoin);
describeSending("LITECOIN on the sandbox's chain", startLitecoin);
