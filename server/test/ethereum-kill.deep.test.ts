/**
 * Death at any point while money is collected and leaves on Ethereum, where nonces are used up instead of coins and the
 * wallet is watched like any other target. See die-everywhere.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { EvmChain } from '@quittance/sandbox/evm-chain';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { present } from '../src/lib/assert.ts';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutBitcoin, withoutLitecoin } from './gateway.ts';
import { openSender, type Sender } from './transfer-story.ts';

const onlyEthereum = { ...withoutBitcoin, ...withoutLitecoin };
const whole = 10n ** 18n;

let gateway: Gateway;
let chain: EvmChain;
let shop: Sender;
let wallet: Hex;
let collected = 0n;
before(async () => {
  gateway = await startGateway({ withEthereum: true, env: onlyEthereum });
  chain = gateway.ethereum as EvmChain;
  shop = await openSender(gateway, '0');
  const { depositInstructions: to } = await shop.post('/deposit-address', { network: 'ETHEREUM', asset: 'ETH' });
  await chain.pay({ address: to.address, units: whole });
  for (const _ of ['seen', 'final', 'collected', 'final']) {
    await chain.mine(70);
    await gateway.runUntilIdle();
  }
  const [target] = await gateway.db<{ key: Hex }>`select key from deposit_target where purpose = 'funding'`;
  wallet = present(target, 'the wallet').key;
});
after(() => gateway?.stop());

async function dollarsAt(address: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] });
  return BigInt(await chain.node.call<Hex>('eth_call', { to: chain.tokens.USDC, data }, 'latest'));
}

test('ether is sent once, wherever the process dies', () =>
  dieEverywhere(
    gateway,
    {
      async begin() {
        const address: Hex = `0x${randomBytes(20).toString('hex')}`;
        const { id } = await shop.send({ network: 'ETHEREUM', asset: 'ETH', amount: '0.001', address });
        return { id: id as string, address };
      },
      live: [sendAll, () => chain.mine(3), watchAll, workAll],
      async end({ id, address }) {
        gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
        await gateway.runUntilIdle();
        await chain.mine(3);
        await gateway.runUntilIdle();
        assert.equal((await shop.transfer(id)).state, 'COMPLETED');
        assert.equal(BigInt(await chain.node.call<Hex>('eth_getBalance', address, 'latest')), whole / 1000n);
        const entries = ['transfer_reserved', 'transfer_sent'];
        await assertHappenedOnce(gateway, id, { entries, events: ['TRANSFER_COMPLETED'] });
      },
    },
    { atLeast: 25 },
  ));

test('what a customer paid is collected once, wherever the process dies', () =>
  dieEverywhere(
    gateway,
    {
      async begin() {
        const { depositInstructions: to } = await shop.post('/deposit-address', { network: 'ETHEREUM', asset: 'USDC' });
        await chain.pay({ address: to.address, units: 60_000_000n, assetCode: 'USDC' });
        await chain.mine(3);
        await watchAll(gateway.app);
        await workAll(gateway.app);
        collected += 60_000_000n;
        return to.address as Hex;
      },
      // The address gets ether for the fee, and gives its dollars.
      live: [sendAll, () => chain.mine(3), watchAll, workAll, sendAll, () => chain.mine(3), watchAll, workAll],
      async end(address) {
        for (const _ of ['topped up', 'collected']) {
          gateway.clock.advance({ minutes: 2 });
          await gateway.runUntilIdle();
          await chain.mine(3);
          await gateway.runUntilIdle();
        }
        assert.deepEqual([await dollarsAt(address), await dollarsAt(wallet)], [0n, collected]);
      },
    },
    { atLeast: 32 },
  ));
