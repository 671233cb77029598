/** By what checkouts are found: written a moment after they were made, and the same when it is made anew. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createTermFollower } from '../src/checkouts/follow-terms.ts';
import { askForTerms } from '../src/checkouts/rebuild-terms.ts';
import { addMs, minutes } from '../src/lib/clock.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

const termsOf = async (merchantId: string): Promise<string[]> => {
  const rows = await gateway.db<{ term: string; id: string }>`
    select term, checkout_id as id from checkout_term where merchant_id = ${merchantId} order by term, checkout_id`;
  return rows.map(({ term, id }) => `${term} ${id}`);
};

const follow = () => {
  const [follower] = gateway.app.followers;
  assert.ok(follower);
  return follower.tick();
};

test('one look after it was made, a checkout has its terms', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD', { meta: { order: 'A-77' } });
  assert.deepEqual(await termsOf(shop.merchant.merchantId), []);
  assert.equal(await follow(), 'idle');
  assert.ok((await termsOf(shop.merchant.merchantId)).includes(`a-77 ${id}`));
});

test('a checkout that becomes visible two minutes after its date is not missed', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD', { meta: { order: 'late' } });
  await follow();
  const { merchantId } = shop.merchant;
  // As if its transaction had been open until now.
  const made = addMs(gateway.clock.now(), -minutes(2) + 1_000);
  await gateway.db`delete from checkout_term where merchant_id = ${merchantId}`;
  await gateway.db`update checkout set id = 'visiblelater', created_at = ${made} where merchant_id = ${merchantId} and id = ${id}`;
  await follow();
  assert.ok((await termsOf(merchantId)).includes('late visiblelater'));
});

test('what was made while nobody followed is written when somebody does', async () => {
  const shop = await openShop(gateway);
  await follow();
  const id = await shop.create('60.00 USD', { meta: { order: 'alone' } });
  gateway.clock.advance({ hours: 3 });
  await follow();
  assert.ok((await termsOf(shop.merchant.merchantId)).includes(`alone ${id}`));
  await gateway.runUntilIdle();
});

test('one process follows at a time, and another one goes on when it ends', async () => {
  const other = createTermFollower({ db: gateway.db, clock: gateway.clock, log: gateway.log });
  await follow();
  assert.equal(await other.tick(), 'not leading');
  await gateway.app.followers[0]?.stop();
  assert.equal(await other.tick(), 'idle');
  await other.stop();
  assert.equal(await follow(), 'idle');
});

test('made anew they are what was followed, whatever was lost or too much', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const words = fc.constantFrom('North', '#1', 'ä b', 'x'.repeat(80), '', '%', '_', '2024-1');
  const seed = randomInt(2 ** 31);
  const some = fc.array(fc.array(words, { maxLength: 9 }), { minLength: 12, maxLength: 12 });
  const [metas] = fc.sample(some, { numRuns: 1, seed });
  for (const meta of metas ?? []) await shop.create('60.00 USD', { meta: Object.fromEntries(meta.entries()) });
  await gateway.runUntilIdle();
  const followed = await termsOf(merchantId);
  assert.ok(followed.length >= 12, followed.join());

  await gateway.db`delete from checkout_term where merchant_id = ${merchantId} and random() < 0.5`;
  await gateway.db`
    insert into checkout_term (merchant_id, term, created_at, checkout_id)
    select merchant_id, 'no longer right', created_at, id from checkout where merchant_id = ${merchantId}`;
  await gateway.db`
    insert into checkout_term (merchant_id, term, created_at, checkout_id)
    values (${merchantId}, 'of nothing', now(), 'unknown12345')`;
  await askForTerms(gateway);
  await askForTerms(gateway);
  await gateway.runUntilIdle();
  assert.deepEqual(await termsOf(merchantId), followed, `seed ${seed}`);
});
