/** The refunds, deliveries and ledger entries of an account, page by page. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
});
after(() => world.gateway.stop());

/** All pages of two, one after the other. */
async function pages(shop: Shop, path: string, name: string): Promise<any[]> {
  const all: any[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: any = await shop.get(`${path}${path.includes('?') ? '&' : '?'}limit=2${next && `&cursor=${next}`}`);
    assert.ok(page[name].length <= 2);
    all.push(...page[name]);
    next = page.next;
  }
  return all;
}

test('refunds of the account come newest first, by state too, and those of a checkout as ever', async () => {
  const [shop, stranger] = [await world.shop(), await world.shop()];
  const { id } = await world.underpaid(shop, '0.0008');
  const asked: string[] = [];
  for (const amount of ['0.0001', '0.00011', '0.00012', '0.00013']) {
    asked.push((await shop.post('/refund', { checkoutId: id, amount })).refund.id);
    world.gateway.clock.advance({ seconds: 1 });
  }
  await shop.post('/refund/cancel', { id: asked[1] });
  const idsOf = (refunds: { id: string }[]) => refunds.map((refund) => refund.id);
  assert.deepEqual(idsOf(await pages(shop, '/refunds', 'refunds')), asked.toReversed());
  assert.deepEqual(idsOf(await pages(shop, '/refunds?state=CANCELED', 'refunds')), [asked[1]]);
  const open = [asked[3], asked[2], asked[0]];
  assert.deepEqual(idsOf(await pages(shop, '/refunds?state=CLAIMABLE,SENDING', 'refunds')), open);
  assert.deepEqual(await shop.get(`/refunds?checkoutId=${id}`), {
    refunds: (await shop.checkout(id)).refunds,
    next: null,
  });
  assert.deepEqual(idsOf((await shop.get(`/refunds?checkoutId=${id}&state=CANCELED`)).refunds), [asked[1]]);
  assert.deepEqual(await stranger.get('/refunds'), { refunds: [], next: null });
  assert.match((await shop.refused(400, 'GET', '/refunds?state=LOST'))[0] as string, /^state must be one of/);
});

test('the webhook log of the account comes newest first, by state too', async () => {
  const [shop, stranger] = [await world.shop(), await world.shop()];
  const paid: string[] = [];
  for (const _ of [1, 2, 3]) {
    paid.push((await world.paid(shop, '0.001')).id);
    await world.pass({ minutes: 1 });
  }
  const deliveries = await pages(shop, '/webhook-deliveries', 'deliveries');
  const about = deliveries.map(({ requestBody }) => JSON.parse(requestBody).data.checkout.id);
  assert.deepEqual(about, paid.toReversed());
  assert.equal(deliveries[0].attempts.length, 1);
  assert.deepEqual(await pages(shop, '/webhook-deliveries?state=DELIVERED', 'deliveries'), deliveries);
  assert.deepEqual(await pages(shop, '/webhook-deliveries?state=FAILED,PENDING', 'deliveries'), []);
  assert.deepEqual(await stranger.get('/webhook-deliveries'), { deliveries: [], next: null });
  assert.match((await shop.refused(400, 'GET', '/webhook-deliveries?state=x'))[0] as string, /^state must be one of/);
});

test('the entries of a wallet add up to its balance, newest first, and are nobody else’s', async () => {
  const [shop, stranger] = [await world.shop(), await world.shop()];
  const { id } = await world.paid(shop, '0.0015');
  await world.mine(6);
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0004', address: aBitcoinAddress() };
  await shop.post('/transfer', order);
  await world.send();

  const entries = await pages(shop, '/ledger-entries', 'entries');
  const moments = entries.map(({ timestamp }) => timestamp);
  assert.deepEqual(
    moments,
    moments.toSorted((one, other) => other.localeCompare(one)),
  );
  assert.equal(new Set(entries.map(({ reference }) => reference)).size, entries.length);
  const sums = new Map<string, number>();
  for (const { account, amount } of entries.flatMap(({ lines }) => lines))
    sums.set(account, (sums.get(account) ?? 0) + Math.round(Number(amount) * 1e8));
  const { wallet } = await shop.get('/wallet?assetCode=BTC');
  for (const account of ['available', 'suspense', 'reserved', 'pending'])
    assert.equal(sums.get(account) ?? 0, Math.round(Number(wallet[account] ?? 0) * 1e8), account);

  assert.ok(entries.some(({ kind, subject }) => kind === 'settlement' && subject.id === id));
  assert.deepEqual(await pages(shop, '/ledger-entries?asset=BTC', 'entries'), entries);
  assert.deepEqual(await shop.get('/ledger-entries?assetCode=XLM'), { entries: [], next: null });
  assert.deepEqual(await stranger.get('/ledger-entries'), { entries: [], next: null });
  for (const [query, sentence] of [
    ['asset=DOGE', /^asset must be the id or code/],
    ['cursor=x', /^cursor must be/],
    ['cursor=1.AAAA', /^cursor must be/],
  ] as const)
    assert.match((await shop.refused(400, 'GET', `/ledger-entries?${query}`))[0] as string, sentence, query);
});
