/**
 * The UTXO family on a real node. Bitcoin Core is not packaged for every machine we test on, so Bitcoin's definition
 * runs here with Litecoin's addresses and dust limit; what Bitcoin Core writes differently is in bitcoin-core-json.test.ts.
 * Dogecoin Core is not packaged either: a coin without segwit runs here with Litecoin's version bytes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLitecoind, startLitecoindHarness } from '@quittance/sandbox/litecoind';
import { bitcoin, bitcoinChain } from '@quittance/server/networks/bitcoin/bitcoin';
import { createUtxoConnector } from '@quittance/server/networks/families/utxo/utxo-connector';
import { createLitecoinConnector, litecoinChain } from '@quittance/server/networks/litecoin/litecoin';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';
import { connectDogecoinOnLitecoind } from './dogecoin.ts';
import { dogecoinOnLitecoind, litecoinCoin } from './utxo-coins.ts';

const program = findLitecoind();

if (program === undefined) {
  test('NOT RUN: LITECOIN and BITCOIN on a real node, because litecoind is missing (apt-get install litecoind)', () => {
    assert.notEqual(process.env['CI'], 'true', 'litecoind must be installed where CI=true');
    console.error(
      '\n*** The networks were NOT tested on a real node. Install it with: apt-get install litecoind ***\n',
    );
  });
} else {
  const startLitecoin = () => startLitecoindHarness(program, litecoinCoin, 'LTC', createLitecoinConnector);
  const startBitcoin = () =>
    startLitecoindHarness(program, litecoinCoin, 'BTC', (settings) => {
      const { bech32Prefixes, base58Forms, spendingRules } = litecoinChain;
      const { dustRate } = spendingRules;
      return createUtxoConnector(bitcoin, {
        ...settings,
        ...bitcoinChain,
        bech32Prefixes,
        base58Forms,
        spendingRules: { ...bitcoinChain.spendingRules, dustRate },
      });
    });
  const startDogecoin = () => startLitecoindHarness(program, dogecoinOnLitecoind, 'DOGE', connectDogecoinOnLitecoind);
  describeConformance('LITECOIN on litecoind', startLitecoin);
  describeConformance(
    'BITCOIN, with Litecoin addresses, on litecoind',
    startBitcoin,
    // Each takes seconds of the node's shutting down and shows nothing that Litecoin has not shown.
    ['drop', 'lose its node'],
  );
  describeConformance('DOGECOIN, with Litecoin version bytes, on litecoind', startDogecoin, ['drop', 'lose its node']);
  describeSending('LITECOIN on litecoind', startLitecoin);
  describeSending('BITCOIN, with Litecoin addresses, on litecoind', startBitcoin);
  describeSending('DOGECOIN, with Litecoin version bytes, on litecoind', startDogecoin);
}
