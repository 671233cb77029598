/** Transfers on Ethereum: out of one wallet, into which deposits are collected first; dollars pay for gas in ether. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { EvmChain } from '@quittance/sandbox/evm-chain';
import { encodeFunctionData, erc20Abi, type Hex, toHex } from 'viem';
import { Secret } from '../src/lib/secret.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { openEvmKeys } from '../src/networks/families/evm/evm-keys.ts';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, withoutBitcoin, withoutLitecoin } from './gateway.ts';
import { balancesOf } from './shop.ts';
import { openSender, type Sender } from './transfer-story.ts';

const whole = 10n ** 18n;
let gateway: Gateway;
let chain: EvmChain;
before(async () => {
  gateway = await startGateway({ withEthereum: true, env: { ...withoutBitcoin, ...withoutLitecoin } });
  chain = gateway.ethereum as EvmChain;
  const { address } = await gateway.db<{ address: string }>`
    select address from deposit_target where network = 'ETHEREUM' and purpose = 'funding'`.then(([row]) => {
    assert.ok(row, 'the wallet is watched from the start');
    return row;
  });
  await chain.pay({ address, units: whole }); // The operator's own, for gas.
  await mine(70);
});
after(() => gateway?.stop());

async function mine(blocks: number): Promise<void> {
  await gateway.runUntilIdle();
  await chain.mine(blocks);
  await gateway.runUntilIdle();
}

/** Paid to a deposit address, credited, and collected into the wallet. */
async function fund(shop: Sender, asset: 'ETH' | 'USDC', units: bigint): Promise<void> {
  const { depositInstructions: to } = await shop.post('/deposit-address', { network: 'ETHEREUM', asset });
  await chain.pay({ address: to.address, units, assetCode: asset });
  for (let step = 0; step < 4; step += 1) await mine(20);
}

const stranger = (): Hex => `0x${randomBytes(20).toString('hex')}`;

const weiAt = async (address: Hex) => BigInt(await chain.node.call<Hex>('eth_getBalance', address, 'latest'));

async function tokensAt(address: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] });
  return BigInt(await chain.node.call<Hex>('eth_call', { to: chain.tokens.USDC, data }, 'latest'));
}

test('ether is sent out of the wallet', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'ETH', whole / 10n);
  const address = stranger();
  const { id } = await shop.send({ network: 'ETHEREUM', asset: 'ETH', amount: '0.05', address });
  await mine(12);
  const transfer = await shop.transfer(id);
  assert.equal(transfer.state, 'COMPLETED', transfer.failure);
  assert.equal(await weiAt(address), whole / 20n);
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
});

deepTest(
  'a recipient whose code breaks, or becomes dear after the quote, gets nothing and keeps nobody waiting',
  async () => {
    const shop = await openSender(gateway, '0');
    await fund(shop, 'ETH', whole / 10n);
    const before = await shop.balances();
    const traps = [
      { code: '0x5b600056', failure: /200000 gas/ }, // Never ends.
      { code: '0x620186a05b60019003806004570000', failure: /200000 gas/ }, // Ends, after 2.6 million.
      { code: '0xfe', failure: /would not carry it out/ },
    ];
    const ordered = [];
    for (const { code, failure } of traps) {
      const address = stranger();
      const { id } = await shop.send({ network: 'ETHEREUM', asset: 'ETH', amount: '0.01', address });
      await chain.node.call('hardhat_setCode', address, code);
      ordered.push({ id, failure });
    }
    const good = await shop.send({ network: 'ETHEREUM', asset: 'ETH', amount: '0.02', address: stranger() });
    await mine(12);
    for (const { id, failure } of ordered) {
      const transfer = await shop.transfer(id);
      assert.deepEqual([transfer.state, shop.eventsOf(id)], ['FAILED', ['TRANSFER_FAILED FAILED']]);
      assert.match(transfer.failure, failure);
    }
    const transfer = await shop.transfer(good.id);
    assert.equal(transfer.state, 'COMPLETED', transfer.failure);
    const spent = BigInt(before['available/ETH'] ?? 0) - BigInt((await shop.balances())['available/ETH'] ?? 0);
    assert.ok(spent < (whole * 21n) / 1_000n, 'only what arrived, and its fee');
  },
);

deepTest('dollars pay for gas that is taken in ether', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'USDC', 100_000_000n);
  const address = stranger();
  const { id, networkFee } = await shop.send({ network: 'ETHEREUM', asset: 'USDC', amount: '60', address });
  assert.ok(Number(networkFee) > 0, networkFee);
  await mine(40);
  const transfer = await shop.transfer(id);
  assert.equal(transfer.state, 'COMPLETED', transfer.failure);
  assert.equal(await tokensAt(address), 60_000_000n);
});

test('more than there is cannot be sent, and an address with a wrong checksum is refused', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'ETH', whole / 10n);
  const tooMuch = await shop.order({ network: 'ETHEREUM', asset: 'ETH', amount: '0.1', address: stranger() });
  assert.equal(tooMuch.status, 422, JSON.stringify(tooMuch.body));
  const misspelt = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5aA', '5AA');
  const wrong = await shop.order({ network: 'ETHEREUM', asset: 'ETH', amount: '0.01', address: misspelt });
  assert.equal(wrong.status, 400, JSON.stringify(wrong.body));
});

/** Done and announced after three blocks, which are all that is known of it. */
async function sendAndComplete(shop: Sender, amount: string): Promise<{ id: string; address: Hex }> {
  const address = stranger();
  const { id } = await shop.send({ network: 'ETHEREUM', asset: 'ETH', amount, address });
  await mine(3);
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  return { id, address };
}

deepTest(
  'gas that became dearer than what a block was given up with holds up neither that nor what comes after it',
  async () => {
    const shop = await openSender(gateway, '0');
    await fund(shop, 'ETH', whole / 10n);
    const { id, address } = await sendAndComplete(shop, '0.02');
    await chain.reorganise(3);
    const mineDear = async (gweiPerGas: bigint) => {
      await chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(gweiPerGas * 10n ** 9n));
      await mine(1);
    };
    await mineDear(30n);
    const next = { address: stranger(), amount: '0.01' };
    await shop.send({ network: 'ETHEREUM', asset: 'ETH', ...next });
    for (let round = 0; round < 12 && (await weiAt(next.address)) === 0n; round += 1) {
      await mineDear(30n);
      gateway.clock.advance({ minutes: 5 });
    }
    assert.equal(await weiAt(address), whole / 50n);
    assert.equal(await weiAt(next.address), whole / 100n);
    assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
    await mineDear(1n);
    await mine(70);
  },
);

deepTest('what was done, and is undone in the block that takes the place of its own, is sent anew', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'ETH', whole / 10n);
  const { id, address } = await sendAndComplete(shop, '0.05');
  await chain.reorganise(3);
  await chain.node.call('hardhat_setCode', address, '0x5b600056'); // Never ends.
  await mine(3);
  await chain.node.call('hardhat_setCode', address, '0x');
  assert.equal(await weiAt(address), 0n);
  await mine(70); // A failure counts when it is final.
  await mine(3);
  assert.equal(await weiAt(address), whole / 20n);
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
  const undone = await gateway.db`select from outgoing_transaction where network = 'ETHEREUM' and state = 'FAILED'`;
  assert.equal(undone.length, 1);
  await mine(70);
});

deepTest('what was announced as sent and is refused the second time waits, and keeps nobody else waiting', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'ETH', whole / 10n);
  const { id, address } = await sendAndComplete(shop, '0.05');
  await chain.reorganise(3, { keepTransactions: false });
  await useNumberOf(id);
  await chain.node.call('hardhat_setCode', address, '0xfe'); // Takes nothing.
  await mine(70);
  const next = { address: stranger(), amount: '0.01' };
  await shop.send({ network: 'ETHEREUM', asset: 'ETH', ...next });
  await mine(3);
  assert.deepEqual([await weiAt(address), await weiAt(next.address)], [0n, whole / 100n]);
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');

  await chain.node.call('hardhat_setCode', address, '0x');
  await mine(3);
  assert.equal(await weiAt(address), 0n, 'it is not tried all the time');
  gateway.clock.advance({ hours: 2 });
  await mine(3);
  assert.equal(await weiAt(address), whole / 20n);
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
  await mine(70);
});

/** Somebody with a copy of our key sends something else under the number that a transfer had. */
async function useNumberOf(transferId: string): Promise<void> {
  const [row] = await gateway.db<{ nonce: string }>`
    select trace ->> 'nonce' as nonce from outgoing_transaction
     where id = (select transaction_id from outgoing_transfer where id = ${transferId})`;
  const { wallet } = openEvmKeys(
    new Secret(String(gateway.env['ETHEREUM_XPRV'])),
    String(gateway.env['ETHEREUM_XPUB']),
  );
  const maxFeePerGas = 10n ** 10n;
  const raw = await wallet.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    nonce: Number(row?.nonce),
    to: stranger(),
    value: 1n,
    gas: 21_000n,
    maxFeePerGas,
    maxPriorityFeePerGas: maxFeePerGas, // It pays just that.
  });
  await chain.submit(raw);
  await chain.mine(1);
  gateway.takenByStory['ETH'] = 1n + 21_000n * maxFeePerGas;
}

deepTest('what a transfer that failed in its block has cost is charged to whoever asked for it', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'ETH', whole / 10n);
  await fund(shop, 'USDC', 100_000_000n);
  const before = await shop.balances();
  const fees = await operatorHas('fees/ETH');
  const burner = stranger();
  const dollars = await shop.send({ network: 'ETHEREUM', asset: 'USDC', amount: '60', address: stranger() });
  const ether = [];
  for (let times = 0; times < 3; times += 1)
    ether.push(await shop.send({ network: 'ETHEREUM', asset: 'ETH', amount: '0.01', address: burner }));
  await gateway.runUntilIdle();
  const token = await chain.node.call<Hex>('eth_getCode', chain.tokens.USDC, 'latest');
  for (const address of [burner, chain.tokens.USDC]) await chain.node.call('hardhat_setCode', address, '0x5b600056');
  await chain.mine(1);
  await chain.node.call('hardhat_setCode', chain.tokens.USDC, token);
  await mine(70);

  const after = await shop.balances();
  let charged = 0n;
  for (const { id, networkFee } of ether) {
    const { state, failureCost } = await shop.transfer(id);
    const spent = toUnits(decimal(failureCost), 18, 'down');
    assert.equal(state, 'FAILED');
    assert.equal(spent, await feeOf((await shop.transfer(id)).txHash), 'what the chain says that it took');
    assert.ok(spent <= toUnits(decimal(networkFee), 18, 'down'), 'never more than the fee that was quoted');
    assert.deepEqual(shop.eventsOf(id), ['TRANSFER_FAILED FAILED']);
    charged += spent;
  }
  assert.equal(BigInt(before['available/ETH'] ?? 0) - BigInt(after['available/ETH'] ?? 0), charged);
  assert.equal((await operatorHas('fees/ETH')) - fees, charged, 'what the operator spent, it has again');
  assert.equal(after['reserved/ETH'] ?? '0', '0');

  // The gas is ether, the balance dollars: charged by the rate at which the fee was quoted, rounded up.
  const { failureCost, networkFee, state } = await shop.transfer(dollars.id);
  assert.equal(state, 'FAILED');
  assert.ok(Number(failureCost) > 0 && Number(failureCost) <= Number(networkFee), failureCost);
  const lost = toUnits(decimal(failureCost), 7, 'down');
  assert.equal(BigInt(before['available/USDC'] ?? 0) - BigInt(after['available/USDC'] ?? 0), lost);
  const [told] = shop.webhooksOf(dollars.id);
  assert.equal(told?.data.transfer.failureCost, failureCost);

  // It is all that left the account: what could not be sent is no disposal, what was lost by trying is.
  const { rows, totals } = await disposalsOfToday(shop);
  const listed = rows.map(({ kind, subjectId, fee, network }: any) => [kind, subjectId, fee, network].join(' '));
  assert.deepEqual(new Set(listed), new Set([dollars, ...ether].map(({ id }) => `attempt ${id}  ETHEREUM`)));
  assert.equal(listed.length, 4);
  const sums = totals.map((sum: any) => [sum.kind, sum.assetCode, toUnits(decimal(sum.amount), 18, 'down')]);
  assert.deepEqual(sums, [
    ['attempt', 'ETH', charged],
    ['attempt', 'USDC', toUnits(decimal(failureCost), 18, 'down')],
  ]);
});

/** The report of the day that it still is, once it is closed. */
async function disposalsOfToday(shop: Sender): Promise<any> {
  const day = gateway.clock.now().toISOString().slice(0, 10);
  gateway.clock.advance({ hours: 24 });
  await gateway.runUntilIdle();
  return shop.get(`/reports/disposals?period=${day}`);
}

deepTest(
  'a refund that failed in its block has cost whoever bears its fee, and the rest can be given back',
  async () => {
    const shop = await openSender(gateway, '0');
    await fund(shop, 'ETH', whole / 10n);
    const { id: checkoutId, address: payTo } = await shop.commit(await shop.create('60.00 USD'), 'ETHEREUM', 'ETH');
    await chain.pay({ address: payTo, units: whole / 100n, assetCode: 'ETH' }); // Half of it.
    await mine(20);
    gateway.clock.advance({ minutes: 61 });
    await mine(20);
    assert.equal(await shop.state(checkoutId), 'UNDERPAID PARTIAL');
    const before = await shop.balances();

    const ask = async (more: Record<string, unknown>): Promise<{ id: string; address: Hex }> =>
      (await shop.post('/refund', { checkoutId, address: stranger(), ...more })).refund;
    const refundOf = async ({ id }: { id: string }): Promise<any> => (await shop.get(`/refund?id=${id}`)).refund;
    const bad = [await ask({ amount: '0.003' }), await ask({ amount: '0.004', feePaidBy: 'merchant' })];
    await gateway.runUntilIdle();
    for (const { address } of bad) await chain.node.call('hardhat_setCode', address, '0x5b600056'); // Never ends.
    await mine(70);
    const [byCustomer, byMerchant] = await Promise.all(bad.map(refundOf));
    assert.deepEqual([byCustomer.state, byCustomer.feePaidBy], ['FAILED', 'customer']);
    const [lost, paid] = [byCustomer, byMerchant].map(({ failureCost }) => toUnits(decimal(failureCost), 18, 'down'));
    assert.deepEqual([lost, paid], [await feeOf(byCustomer.tx), await feeOf(byMerchant.tx)]);
    const after = await shop.balances();
    const less = (account: string): bigint => BigInt(before[account] ?? 0) - BigInt(after[account] ?? 0);
    assert.deepEqual([less('suspense/ETH'), less('available/ETH')], [lost, paid], 'each of what bears its fee');
    gateway.clock.advance({ minutes: 1 }); // The second event waits for the first.
    await gateway.runUntilIdle();
    const told = shop.webhooksOf(checkoutId).map(({ eventType, data }: any) => [eventType, data.refund?.failureCost]);
    assert.deepEqual(told.slice(-2), [
      ['REFUND_FAILED', byCustomer.failureCost],
      ['REFUND_FAILED', byMerchant.failureCost],
    ]);

    const good = await ask({});
    await mine(3);
    const done = await refundOf(good);
    assert.deepEqual(
      [done.state, toUnits(decimal(done.amount), 18, 'down')],
      ['COMPLETED', whole / 100n - (lost ?? 0n)],
    );
    assert.equal(await shop.state(checkoutId), 'REFUNDED PARTIAL');

    const { rows } = await disposalsOfToday(shop);
    const wei = (amount: string): bigint => toUnits(decimal(amount), 18, 'down');
    assert.deepEqual(
      new Map(rows.map(({ kind, subjectId, amount }: any) => [`${kind} ${subjectId}`, wei(amount)])),
      new Map([
        [`attempt ${byCustomer.id}`, wei(byCustomer.failureCost)],
        [`attempt ${byMerchant.id}`, wei(byMerchant.failureCost)],
        [`return ${done.id}`, await weiAt(good.address)],
      ]),
    );
  },
);

deepTest(
  'gas that became dearer than quoted is waited for, not paid by the operator, and after a day given up',
  async () => {
    const shop = await openSender(gateway, '0');
    await fund(shop, 'ETH', whole / 10n);
    const before = await shop.balances();
    const mineAt = async (gweiPerGas: bigint) => {
      await chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(gweiPerGas * 10n ** 9n));
      await chain.mine(1);
      await gateway.runUntilIdle();
    };
    await mineAt(2n);
    const order = { network: 'ETHEREUM', asset: 'ETH', amount: '0.01' };
    const [patient, unlucky] = [stranger(), stranger()];
    const waits = await shop.send({ ...order, address: patient });
    await chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(20n * 10n ** 9n));
    await chain.mine(1);
    await mineAt(20n);
    assert.equal((await shop.transfer(waits.id)).state, 'QUEUED');
    const dear = await shop.send({ ...order, address: stranger() });
    await mineAt(20n);
    await mine(3);
    assert.equal((await shop.transfer(dear.id)).state, 'COMPLETED', 'what was quoted since then is not held up');
    await mineAt(1n);
    const costs = await operatorHas('costs/ETH');
    await mine(3);
    assert.equal((await shop.transfer(waits.id)).state, 'COMPLETED');
    const spent = costs - (await operatorHas('costs/ETH'));
    assert.ok(spent <= toUnits(decimal(waits.networkFee), 18, 'down'), 'it cost no more than was quoted');

    const gone = await shop.send({ ...order, address: unlucky });
    await chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(50n * 10n ** 9n));
    await chain.mine(1);
    await mineAt(50n);
    gateway.clock.advance({ hours: 25 });
    await mineAt(50n);
    const given = await shop.transfer(gone.id);
    assert.deepEqual([given.state, given.failureCost], ['FAILED', '0']);
    assert.match(given.failure, /fee rose above what was set aside .* new quote\.$/);
    await mineAt(1n);
    await mine(70);
    const left = BigInt(before['available/ETH'] ?? 0) - BigInt((await shop.balances())['available/ETH'] ?? 0);
    const sent = [waits, dear].map(({ total }) => toUnits(decimal(total), 18, 'down'));
    assert.equal(
      left,
      sent.reduce((sum, units) => sum + units, 0n),
    );
  },
);

const operatorHas = async (account: string): Promise<bigint> =>
  BigInt((await balancesOf(gateway, 'operator/'))[account] ?? 0);

async function feeOf(txHash: Hex): Promise<bigint> {
  type Receipt = { gasUsed: Hex; effectiveGasPrice: Hex };
  const { gasUsed, effectiveGasPrice } = await chain.node.call<Receipt>('eth_getTransactionReceipt', txHash);
  return BigInt(gasUsed) * BigInt(effectiveGasPrice);
}
