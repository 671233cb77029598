/** Money leaves: to an address, for good, with a fee that was told before. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { balancesOf } from './shop.ts';
import { mine, openSender, receivedAt, somewhere } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ canSend: true });
});
after(() => gateway.stop());

test('a transfer is estimated, set aside, sent, confirmed and announced', async () => {
  const shop = await openSender(gateway, '0.01');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '995000' });
  const query = new URLSearchParams({ network: 'BITCOIN', asset: 'BTC', amount: '0.004', address: somewhere });
  const estimate = await shop.get(`/transfer/estimate?${query.toString()}`);
  assert.deepEqual(estimate, {
    network: 'BITCOIN',
    assetId: `BTC:${testIssuer}`,
    assetCode: 'BTC',
    amount: '0.004',
    fee: estimate.networkFee,
    networkFee: estimate.networkFee,
    serviceFee: '0',
    total: estimate.total,
    minimum: '0.00005',
    available: '0.00995',
    needsApproval: false,
    usableFrom: '2026-03-01T12:00:00+00:00',
  });

  const transfer = await shop.send({ amount: '0.004', address: somewhere, meta: { invoice: 7.1 } });
  assert.deepEqual(transfer, {
    id: transfer.id,
    timestamp: '2026-03-01T12:00:00+00:00',
    state: 'QUEUED',
    network: 'BITCOIN',
    networkName: 'Bitcoin',
    assetId: `BTC:${testIssuer}`,
    assetCode: 'BTC',
    amount: '0.004',
    fee: estimate.fee,
    networkFee: estimate.fee,
    serviceFee: '0',
    total: estimate.total,
    targetAccount: null,
    targetAccountId: null,
    address: somewhere,
    memo: null,
    memoType: null,
    usableFrom: '2026-03-01T12:00:00+00:00',
    createdBy: shop.merchant.apiKey,
    approvedBy: null,
    txHash: null,
    failure: null,
    endTime: null,
    meta: { invoice: 7.1 },
  });
  const feeUnits = BigInt(Math.round(Number(estimate.fee) * 1e8));
  assert.ok(feeUnits > 0n);
  const reserved = 400_000n + feeUnits;
  assert.deepEqual(await shop.balances(), {
    'available/BTC': String(995_000n - reserved),
    'reserved/BTC': String(reserved),
  });

  await gateway.runUntilIdle();
  const sent = await shop.transfer(transfer.id);
  assert.equal(sent.state, 'SENT');
  assert.match(sent.txHash, /^[0-9a-f]{64}$/);
  assert.deepEqual(shop.eventsOf(transfer.id), []);
  await mine(gateway, 1);
  const completed = await shop.transfer(transfer.id);
  assert.deepEqual([completed.state, completed.txHash], ['COMPLETED', sent.txHash]);
  assert.equal(await receivedAt(gateway, somewhere), 400_000n);
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(995_000n - reserved) });
  assert.deepEqual(shop.eventsOf(transfer.id), ['TRANSFER_COMPLETED COMPLETED']);
  const [event] = shop.webhooksOf(transfer.id);
  assert.deepEqual(event?.data, { transfer: completed });

  const operator = await balancesOf(gateway, 'operator/');
  assert.equal(BigInt(operator['fees/BTC'] ?? 0), 5_000n + feeUnits, 'the settlement fee, and the fee as quoted');
  assert.ok(BigInt(operator['costs/BTC'] ?? 0) < 0n, 'what the network really took');
});
