/** Lightning with its channel on a real chain: LDK nodes on Litecoin Core, which is built like Bitcoin's. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lightningCannot, startLightningHarness } from '@quittance/sandbox/lightning/lightning-harness';
import { findLitecoind, type LitecoindHarness, startLitecoindHarness } from '@quittance/sandbox/litecoind';
import { createLitecoinConnector } from '@quittance/server/networks/litecoin/litecoin';
import type { DepositTarget } from '@quittance/server/networks/port/receiving';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { litecoinCoin } from './utxo-coins.ts';

const program = findLitecoind();

if (program === undefined) {
  test('NOT RUN: LIGHTNING on a real chain, because litecoind is missing (apt-get install litecoind)', () => {
    assert.notEqual(process.env['CI'], 'true', 'litecoind must be installed where CI=true');
  });
} else {
  let litecoin: LitecoindHarness | undefined;
  after(() => litecoin?.stop());
  describeConformance(
    'LIGHTNING on two LDK nodes, on litecoind',
    async () => {
      const node = await startLitecoindHarness(program, litecoinCoin, 'LTC', createLitecoinConnector);
      litecoin = node;
      return startLightningHarness({
        coin: litecoinCoin,
        rpc: node.rpc,
        pay: ({ address, units }) => node.pay({ target: { address } as DepositTarget, units }),
        mine: (count) => node.mine(count),
      });
    },
    lightningCannot,
  );
}
