/**
 * Base from end to end: paid, confirmed, settled, collected, sent and given back. 60.00 USD are 0.02 ETH or 60 dollars.
 * What the chain below Base takes of each of our transactions is in the books, which hold what the chain holds.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { EvmChain } from '@quittance/sandbox/evm-chain';
import { HDKey } from '@scure/bip32';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { aCharge, type Gateway, startGateway, withoutBitcoin, withoutLitecoin } from './gateway.ts';
import { startRollup } from './networks/evm-nodes.ts';
import { openSender } from './transfer-story.ts';

const whole = 10n ** 18n;
const account = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/1'");
let gateway: Gateway;
let chain: EvmChain;
let wallet: Hex;

before(async () => {
  const now = '2026-03-01T12:00:00.000Z';
  chain = await startRollup({
    user: 'sandbox',
    password: 'sandbox',
    now: () => gateway?.clock.now() ?? new Date(now),
  });
  const env = {
    ...withoutBitcoin,
    ...withoutLitecoin,
    BASE_RPC_URL: chain.url,
    BASE_XPUB: account.publicExtendedKey,
    BASE_XPRV: account.privateExtendedKey,
    BASE_CHAIN_ID: String(chain.chainId),
    BASE_USDC_CONTRACT: chain.tokens.USDC,
  };
  gateway = await startGateway({ now, env });
  const [row] = await gateway.db<{ address: Hex }>`
    select address from deposit_target where network = 'BASE' and purpose = 'funding'`;
  assert.ok(row, 'the wallet is watched from the start');
  wallet = row.address;
  await chain.pay({ address: wallet, units: whole }); // The operator's own, for gas.
  await mine(64);
});
after(async () => {
  await gateway?.stop();
  await chain?.stop();
});

async function mine(blocks: number): Promise<void> {
  await gateway.runUntilIdle();
  await chain.mine(blocks);
  await gateway.runUntilIdle();
}

const somebody = (): Hex => `0x${randomBytes(20).toString('hex')}`;

async function unitsAt(address: string, assetCode: 'ETH' | 'USDC'): Promise<bigint> {
  if (assetCode === 'ETH') return BigInt(await chain.node.call<Hex>('eth_getBalance', address, 'latest'));
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address as Hex] });
  return BigInt(await chain.node.call<Hex>('eth_call', { to: chain.tokens.USDC, data }, 'latest'));
}

/** What all transactions of ours did cost, by their receipts, and what the chain below took of it. */
async function costOnChain(): Promise<{ all: bigint; below: bigint }> {
  const sent = await gateway.db<{ hash: string }>`
    select tx_hash as hash from outgoing_transaction where network = 'BASE' and state = 'DONE'`;
  let [all, below] = [0n, 0n];
  for (const { hash } of sent) {
    type Receipt = Record<'gasUsed' | 'effectiveGasPrice' | 'l1Fee', Hex>;
    const receipt = await chain.node.call<Receipt>('eth_getTransactionReceipt', hash);
    all += BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) + BigInt(receipt.l1Fee);
    below += BigInt(receipt.l1Fee);
  }
  return { all, below };
}

async function costInBooks(): Promise<bigint> {
  const [row] = await gateway.db<{ units: string }>`
    select sum(units)::text as units from ledger_line join ledger_entry using (reference)
     where reference like 'network-fee/BASE/%' and account_id like 'operator/costs/ETH:%'`;
  return -BigInt(row?.units ?? 0);
}

for (const { assetCode, due, scale, credited, sent, back } of [
  { assetCode: 'ETH', due: '0.02', scale: 18, credited: '19900000000000000', sent: '0.006', back: '0.003' },
  { assetCode: 'USDC', due: '60', scale: 6, credited: '597000000', sent: '20', back: '10' },
] as const) {
  test(`a checkout paid in ${assetCode} is settled and collected, and the money leaves again, to the last wei`, async () => {
    const units = (amount: string): bigint => toUnits(decimal(amount), scale, 'down');
    const shop = await openSender(gateway, '0');
    const { id, paymentMethods } = await shop.post('/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
    const offered = paymentMethods.map(({ blockchain, assetCode: code }: any) => `${blockchain} ${code}`);
    assert.deepEqual(offered, ['Base ETH', 'Base USDC']);
    const { address, amount } = await shop.commit(id, 'BASE', assetCode);
    assert.equal(amount, due);
    const walletBefore = await unitsAt(wallet, assetCode);
    const tx = await chain.pay({ address, units: units(due), assetCode });
    await gateway.runUntilIdle();
    assert.equal(await shop.state(id), 'PROCESSING');
    await chain.mine(4);
    await gateway.runUntilIdle();
    assert.equal(await shop.state(id), 'PROCESSING');
    await mine(1);
    assert.equal(await shop.state(id), 'COMPLETED');
    assert.deepEqual(await shop.balances(), { [`available/${assetCode}`]: credited });
    assert.equal((await shop.checkout(id)).blockchainTransactions[0].tx, tx);

    await mine(1);
    await mine(1);
    const left = await unitsAt(address, assetCode);
    assert.ok(left < units(due) / 100n, `${left} was not collected`);
    assert.ok((await unitsAt(wallet, assetCode)) > walletBefore + (units(due) * 9n) / 10n);

    const [merchant, customer] = [somebody(), somebody()];
    const order = { network: 'BASE', asset: assetCode, amount: sent, address: merchant };
    const transfer = await shop.send(order);
    assert.ok(Number(transfer.networkFee) > 0, 'sending costs something');
    const { refund } = await shop.post('/refund', { checkoutId: id, amount: back, address: customer });
    await mine(5);
    const done = await shop.transfer(transfer.id);
    assert.equal(done.state, 'COMPLETED', done.failure);
    assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'COMPLETED');
    assert.deepEqual(
      [await unitsAt(merchant, assetCode), await unitsAt(customer, assetCode)],
      [units(sent), units(back)],
    );

    await mine(64); // Costs are booked when nothing can undo them any more.
    const { all, below } = await costOnChain();
    assert.ok(below > 0n, 'the chain below has taken something');
    assert.equal(await costInBooks(), all);
    assert.deepEqual(
      (await gateway.count()).filter(({ difference }) => difference !== 0n),
      [],
      'Base holds what the books say',
    );
  });
}

test('a large amount waits until its block is safe, the largest until it is final', async () => {
  const shop = await openSender(gateway, '0');
  const open = async (price: string) => shop.commit(await shop.create(price), 'BASE', 'USDC');
  const [large, largest] = [await open('6000.00 USD'), await open('60000.00 USD')];
  await chain.pay({ address: large.address, units: 6_000_000_000n, assetCode: 'USDC' });
  await chain.pay({ address: largest.address, units: 60_000_000_000n, assetCode: 'USDC' });
  const states = () => Promise.all([shop.state(large.id), shop.state(largest.id)]);
  await mine(59);
  assert.deepEqual(await states(), ['PROCESSING', 'PROCESSING']);
  await mine(1);
  assert.deepEqual(await states(), ['COMPLETED', 'PROCESSING']);
});
