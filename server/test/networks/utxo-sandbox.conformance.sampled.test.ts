import { startUtxoChainHarness } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { createLitecoinConnector } from '@quittance/server/networks/litecoin/litecoin';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';
import { sampleOf } from '../depth.ts';
import { createDogecoinConnector } from './dogecoin.ts';
import { bitcoinCoin, dogecoinCoin, litecoinCoin } from './utxo-coins.ts';

const startBitcoin = () => startUtxoChainHarness(bitcoinCoin, 'BTC', createBitcoinConnector);
const startLitecoin = () => startUtxoChainHarness(litecoinCoin, 'LTC', createLitecoinConnector);
const startDogecoin = () => startUtxoChainHarness(dogecoinCoin, 'DOGE', createDogecoinConnector);

const coins = [
  { name: "BITCOIN on the sandbox's chain", start: startBitcoin },
  { name: "LITECOIN on the sandbox's chain", start: startLitecoin },
  { name: "DOGECOIN, which has no segwit, on the sandbox's chain", start: startDogecoin },
];
// One family, one code: a sample receives with the first and sends with the one that is most unlike it.
for (const { name, start } of sampleOf(coins, (_, at) => at === 0)) describeConformance(name, start);
for (const { name, start } of sampleOf(coins, (_, at) => at === 2)) describeSending(name, start);
