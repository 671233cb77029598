/** What customers paid on Ethereum is collected into the operator's wallet, and the books know what that did cost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CompiledContract, readCompiledContracts } from '@quittance/sandbox/compile-contracts';
import { type EvmChain, startEvmChain } from '@quittance/sandbox/evm-chain';
import { HDKey } from '@scure/bip32';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { Secret } from '../src/lib/secret.ts';
import { openEvmKeys } from '../src/networks/families/evm/evm-keys.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { describeOnEvmNodes } from './networks/evm-nodes.ts';
import { openShop } from './shop.ts';

const account = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'");
const wallet = openEvmKeys(new Secret(account.privateExtendedKey), account.publicExtendedKey).wallet.address;
const whole = 10n ** 18n;

describeOnEvmNodes('collecting on Ethereum', ({ startChain }) => {
  let gateway: Gateway;
  let chain: EvmChain;
  before(async () => {
    gateway = await startGateway({ withEthereum: startChain, env: { ETHEREUM_XPRV: account.privateExtendedKey } });
    chain = gateway.ethereum as EvmChain;
  });
  after(() => gateway?.stop());

  async function mine(blocks: number): Promise<void> {
    await chain.mine(blocks);
    await gateway.runUntilIdle();
  }

  async function tokensAt(address: string, token: Hex): Promise<bigint> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address as Hex] });
    return BigInt(await chain.node.call<Hex>('eth_call', { to: token, data }, 'latest'));
  }

  const etherAt = async (address: string): Promise<bigint> =>
    BigInt(await chain.node.call<Hex>('eth_getBalance', address, 'latest'));

  test('ether and tokens are collected once, also across restarts, and every fee is booked', async () => {
    const shop = await openShop(gateway, { highRiskAssets: ['USDT'] });
    const commit = async (assetCode: string) => shop.commit(await shop.create('60.00 USD'), 'ETHEREUM', assetCode);
    const [ether, usdc, usdt] = [await commit('ETH'), await commit('USDC'), await commit('USDT')];
    await chain.pay({ address: wallet, units: whole });
    await chain.pay({ address: ether.address, units: whole / 50n });
    await chain.pay({ address: usdc.address, units: 60_000_000n, assetCode: 'USDC' });
    await chain.pay({ address: usdt.address, units: 60_000_000n, assetCode: 'USDT' });
    await mine(3);
    for (const { id } of [ether, usdc, usdt]) assert.equal(await shop.state(id), 'COMPLETED');
    for (let round = 0; round < 4; round += 1) {
      await gateway.restart(async () => undefined);
      await mine(1);
    }
    assert.deepEqual(
      [await tokensAt(wallet, chain.tokens.USDC), await tokensAt(wallet, chain.tokens.USDT)],
      [60_000_000n, 60_000_000n],
    );
    await mine(70); // Its costs are booked when nothing can undo it any more.
    const notes = await gateway.db<{ note: string; state: string }>`
    select note, state from outgoing_transaction where network = 'ETHEREUM' order by note, state`;
    assert.deepEqual(
      notes.map(({ note, state }) => `${note} ${state}`),
      [...Array(3).fill('collect DONE'), ...Array(2).fill('top up DONE')],
    );

    const held = await Promise.all([wallet, ether.address, usdc.address, usdt.address].map(etherAt));
    const cost = whole + whole / 50n - held.reduce((sum, units) => sum + units, 0n);
    const [costs] = await gateway.db<{ balance: string }>`
    select balance::text from ledger_account where id like 'operator/costs/%ETH%'`;
    assert.equal(BigInt(costs?.balance ?? '0'), -cost);
  });

  test('a payment from inside a contract, after the collection, is seen and collected too', async () => {
    const { Forwarder } = (await readCompiledContracts()) as { Forwarder: CompiledContract };
    const forwarder = await chain.deploy(Forwarder, []);
    const shop = await openShop(gateway);
    const checkout = await shop.commit(await shop.create('60.00 USD'), 'ETHEREUM', 'ETH');
    await chain.pay({ address: checkout.address, units: whole / 100n });
    await mine(4);
    assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
    await mine(1);
    assert.ok((await etherAt(checkout.address)) < whole / 1_000n, 'the first half has been collected');

    const data = encodeFunctionData({ abi: Forwarder.abi, functionName: 'forward', args: [[checkout.address]] });
    await chain.send({ to: forwarder, data, value: whole / 100n });
    await mine(1);
    await mine(2);
    assert.equal(await shop.state(checkout.id), 'COMPLETED');
    await mine(1);
    assert.ok((await etherAt(checkout.address)) < whole / 1_000n);
    assert.deepEqual(await shop.balances(), { 'available/ETH': '19900000000000000' });
  });

  test('five addresses are topped up in one block and collected from in one block, and the books agree', async () => {
    const shop = await openShop(gateway);
    await chain.pay({ address: wallet, units: whole });
    for (let count = 0; count < 5; count += 1) {
      const { address } = await shop.commit(await shop.create('60.00 USD'), 'ETHEREUM', 'USDC');
      await chain.pay({ address, units: 60_000_000n, assetCode: 'USDC' });
    }
    const batches = async () => {
      const rows = await gateway.db<{ said: string }>`
        select note || ' ' || count(*) as said from outgoing_transaction
         where network = 'ETHEREUM' and state = 'INCLUDED' and block_height > ${before}
         group by note, block_height order by block_height`;
      return rows.map(({ said }) => said);
    };
    const before = Number(await chain.node.call<Hex>('eth_blockNumber'));
    await mine(3);
    await mine(1);
    assert.deepEqual(await batches(), ['top up 5']);
    await mine(1);
    assert.deepEqual(await batches(), ['top up 5', 'collect 5']);
    assert.deepEqual(
      (await gateway.count()).filter(({ difference }) => difference !== 0n),
      [],
    );
    await mine(70);
    const [{ booked } = { booked: '' }] = await gateway.db<{ booked: string }>`
      select count(*)::text as booked from outgoing_transaction join ledger_entry
          on ledger_entry.reference = 'network-fee/ETHEREUM/' || tx_hash where block_height > ${before}`;
    assert.equal(booked, '10', 'each has its own entry');
    assert.deepEqual(
      (await gateway.count()).filter(({ difference }) => difference !== 0n),
      [],
    );
  });
});

test('what a token keeps while it is collected is a cost of collecting', async (t) => {
  const { FeeToken } = (await readCompiledContracts()) as { FeeToken: CompiledContract };
  const gateway = await startGateway({
    env: { ETHEREUM_XPRV: account.privateExtendedKey },
    async withEthereum(options) {
      const chain = await startEvmChain(options);
      return { ...chain, tokens: { ...chain.tokens, USDT: await chain.deploy(FeeToken, ['USDT', 6]) } };
    },
  });
  t.after(() => gateway.stop()); // Where the books and the chain are compared once more.
  const chain = gateway.ethereum as EvmChain;
  const shop = await openShop(gateway, { highRiskAssets: ['USDT'] });
  await chain.pay({ address: wallet, units: whole });
  const { address, id } = await shop.commit(await shop.create('59.40 USD'), 'ETHEREUM', 'USDT');
  const args = [address as Hex, 60_000_000n] as const;
  await chain.send({
    to: chain.tokens.USDT,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  });
  for (const blocks of [3, 1, 1]) {
    await chain.mine(blocks);
    await gateway.runUntilIdle();
    assert.deepEqual(
      (await gateway.count()).filter(({ difference }) => difference > 0n),
      [],
    );
  }
  assert.equal(await shop.state(id), 'COMPLETED', 'the merchant is credited what arrived at the address');
  await chain.mine(70);
  await gateway.runUntilIdle();
  const costs = await gateway.db<{ units: string }>`
    select units::text from ledger_line join ledger_entry using (reference)
     where kind = 'token_fee' and account_id like 'operator/costs/USDT%'`;
  assert.deepEqual(costs, [{ units: '-5940000' }], 'one percent of 59.40, at the scale of the books');
});
