/**
 * Stories of money that is exchanged and sent on Stellar, to be told with a process that dies in their middle or a node
 * that goes silent. No other network is there. 1 XLM is 0.1 dollars.
 */
import assert from 'node:assert/strict';
import { Asset, Keypair } from '@stellar/stellar-sdk';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { assertHappenedOnce, type Story, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, withoutBitcoin, withoutLitecoin } from './gateway.ts';
import { startGatewayWithMarket, usdc } from './stellar-market.ts';
import { openSender } from './transfer-story.ts';

export type ExchangeWorld = {
  readonly gateway: Gateway;
  /** A swap on the market. */
  readonly swap: Story<string>;
  /** A checkout that is paid in lumens and credited in dollars. */
  readonly settlement: Story<string>;
  readonly transfer: Story<string>;
};

export async function startExchangeWorld(): Promise<ExchangeWorld> {
  const env = { ...withoutBitcoin, ...withoutLitecoin, VENUES: 'XLM/USDC:stellar-dex' };
  const { gateway, market } = await startGatewayWithMarket({ env });
  const { stellar } = gateway;
  const shop = await openSender(gateway, '0');
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'STELLAR', asset: 'XLM' });
  pay(depositInstructions.memo, 100_000_0000000n);
  await market.settle();
  await market.sell(usdc, '500000', Asset.native(), { n: 99, d: 10 });
  const receiver = Keypair.random();
  stellar.openAccount(receiver, '10');

  function pay(memo: string, units: bigint): void {
    stellar.pay(memo, { address: String(gateway.env['STELLAR_ACCOUNT']), units });
    stellar.close();
  }

  /** Signs and submits what is asked for, lets a ledger close, sees what became of it, and books it. */
  const send = [sendAll, () => stellar.close(), watchAll, workAll];

  const received = (): bigint => stellar.ledger.entries.accounts.get(receiver.publicKey())?.balance ?? 0n;
  const balance = async (name: string): Promise<bigint> => BigInt((await shop.balances())[name] ?? 0);
  let [lumens, dollars, sent] = [await balance('available/XLM'), 0n, received()];

  async function assertBalances(): Promise<void> {
    assert.equal(await balance('reserved/XLM'), 0n);
    assert.equal(await balance('pending/XLM'), 0n);
    assert.equal(await balance('available/XLM'), lumens);
    assert.equal(await balance('available/USDC'), dollars);
    assert.equal(received(), sent);
  }

  return {
    gateway,
    swap: {
      async begin() {
        gateway.clock.advance({ seconds: 1 }); // A signature is good for one request.
        const wish = { sourceAsset: 'XLM', targetAsset: 'USDC', sourceAmount: '10' };
        return (await shop.post('/swap', { ...wish, webhook: gateway.webhookUrl })).id;
      },
      live: send,
      async end(id) {
        await market.finish();
        const { swap } = await shop.get(`/swap?id=${id}`);
        assert.equal(swap.state, 'COMPLETED', swap.failure);
        lumens -= 10_0000000n;
        dollars += toUnits(decimal(swap.targetAmount), 7, 'down');
        await assertBalances();
        const entries = ['swap_reserved', 'exchange', 'swap'];
        await assertHappenedOnce(gateway, id, { entries, events: ['SWAP_COMPLETED'] });
      },
    },
    settlement: {
      async begin() {
        const { id, reply } = await shop.open('1.00 USD', 'STELLAR', { settlementAsset: 'USDC' });
        pay(reply.depositInstructions.memo, toUnits(decimal(reply.depositInstructions.amount), 7, 'down'));
        return id;
      },
      live: [watchAll, workAll, ...send], // First the exchange is planned.
      async end(id) {
        await market.finish();
        assert.equal(await shop.state(id), 'COMPLETED');
        dollars += 9_950_000n;
        await assertBalances();
        const entries = ['payment_received', 'exchange', 'settlement'];
        await assertHappenedOnce(gateway, id, { entries, events: ['CHECKOUT_COMPLETED'] });
      },
    },
    transfer: {
      async begin() {
        const order = { network: 'STELLAR', asset: 'XLM', amount: '3', address: receiver.publicKey() };
        return (await shop.send(order)).id;
      },
      live: send,
      async end(id) {
        await market.finish();
        const { state, amount, fee } = await shop.transfer(id);
        assert.equal(state, 'COMPLETED');
        lumens -= toUnits(decimal(amount), 7, 'down') + toUnits(decimal(fee), 7, 'down');
        sent += 3_0000000n;
        await assertBalances();
        const entries = ['transfer_reserved', 'transfer_sent'];
        await assertHappenedOnce(gateway, id, { entries, events: ['TRANSFER_COMPLETED'] });
      },
    },
  };
}
