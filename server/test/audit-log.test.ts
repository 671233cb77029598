/** Who moved money, and who decided about it: every such step of a merchant can be traced to the key that took it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { keyActor } from '../src/http/actor.ts';
import { testIssuer } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld();
});
after(() => world.gateway.stop());

/** What the merchant's key has done, without what the test did to set the shop up. */
async function audit(shop: Shop): Promise<[action: string, detail: any][]> {
  const { merchantId, apiKey } = shop.merchant;
  const rows = await world.gateway.db<{ action: string; detail: any }>`
    select action, detail from audit_log where merchant_id = ${merchantId} and actor = ${keyActor(apiKey)} order by id`;
  return rows.map(({ action, detail }) => [action, detail]);
}

test('decisions about what came in are in the audit log, once each', async () => {
  const shop = await world.shop();
  const { id: tooLittle } = await world.underpaid(shop, '0.0006');
  const { id: tooMuch } = await world.paid(shop, '0.0015');
  for (const _ of ['once', 'and again']) await shop.post('/checkout/accept-underpayment', { checkoutId: tooLittle });
  await shop.post('/checkout/accept-excess', { checkoutId: tooMuch });
  assert.deepEqual(await audit(shop), [
    ['underpayment.accepted', { checkoutId: tooLittle }],
    ['excess.accepted', { checkoutId: tooMuch, amounts: [{ asset: 'BTC', units: '50000' }] }],
  ]);
});

test('refunds and their cancellation are in the audit log', async () => {
  const shop = await world.shop();
  const { id: checkoutId } = await world.underpaid(shop, '0.0006');
  const { refund } = await shop.post('/refund', { checkoutId });
  for (const _ of ['once', 'and again']) await shop.post('/refund/cancel', { id: refund.id });
  assert.deepEqual(
    (await audit(shop)).map(([action, detail]) => [action, detail.refund ?? detail.id]),
    [
      ['refund.requested', refund.id],
      ['refund.canceled', refund.id],
    ],
  );
});

test('to whom money goes is in the audit log, without saying who that is', async () => {
  const shop = await world.shop();
  const { beneficiaryId: id } = await shop.post('/beneficiary', { beneficiary: { company: 'Engines' } });
  await shop.request('PUT', '/beneficiary', { beneficiary: { id, company: 'Thieves', townName: 'Paris' } });
  await shop.request('DELETE', '/beneficiary', { id });
  await shop.request('DELETE', '/beneficiary', { id });
  assert.deepEqual(await audit(shop), [
    ['beneficiary.created', { id, type: 'COMPANY', fields: ['company'] }],
    ['beneficiary.changed', { id, type: 'COMPANY', fields: ['company', 'townName'] }],
    ['beneficiary.deleted', { id }],
  ]);
});

test('a swap is in the audit log', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  await stockTreasury(world.gateway, `LTC:${testIssuer}`, 10_00000000n);
  const { swap } = await shop.post('/swap', { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount: '0.0005' });
  const [[action, detail] = []] = await audit(shop);
  assert.equal(action, 'swap.created');
  assert.deepEqual(detail, {
    id: swap.id,
    sourceAsset: swap.sourceAssetId,
    sourceUnits: '50000',
    targetAsset: swap.targetAssetId,
  });
});

test('a refund is cancelled by a signature only, like everything about refunds', async () => {
  const shop = await world.shop();
  const { id: checkoutId } = await world.underpaid(shop, '0.0006');
  const { refund } = await shop.post('/refund', { checkoutId, address: aBitcoinAddress() });
  const { apiKey, apiSecret } = shop.merchant;
  const headers = { 'x-basic': createHash('sha256').update(`${apiKey}:${apiSecret}`).digest('hex') };
  for (const [path, body] of [
    ['/refund', { checkoutId }],
    ['/refund/cancel', { id: refund.id }],
  ] as const) {
    const reply = await shop.request('POST', path, body, { unsigned: true, headers });
    assert.deepEqual([reply.status, reply.body.errors], [403, ['This endpoint needs digest authentication.']], path);
  }
});
