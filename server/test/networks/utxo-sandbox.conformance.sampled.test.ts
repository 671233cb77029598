import { startUtxoChainHarness } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { createLitecoinConnector } from '@quittance/server/networks/litecoin/litecoin';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';
import { createDogecoinConnector } from './dogecoin.ts';
import { bitcoinCoin, dogecoinCoin, litecoinCoin } from './utxo-coins.ts';

const startBitcoin = () => startUtxoChainHarness(bitcoinCoin, 'BTC', createBitcoinConnector);
const startLitecoin = () => startUtxoChainHarness(litecoinCoin, 'LTC', createLitecoinConnector);
const startDogecoin = () => startUtxoChainHarness(dogecoinCoin, 'DOGE', createDogecoinConnector);

describeConformance("BITCOIN on the sandbox's chain", startBitcoin);
describeConformance("LITECOIN on the sandbox's chain", startLitecoin);
describeConformance("DOGECOIN, which has no segwit, on the sandbox's chain", startDogecoin);
describeSending("BITCOIN on the sandbox's chain", startBitcoin);
describeSending("LITECOIN on the sandbox's chain", startLitecoin);
describeSending("DOGECOIN, which has no segwit, on the sandbox's chain", startDogecoin);
