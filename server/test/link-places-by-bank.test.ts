/** A link that can be paid only so often, and a bank, where there are days to pay: a place is kept for one of them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openPaperBank, type PaperBank } from './networks/paper-bank.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
let bank: PaperBank;
let shop: Shop;
before(async () => {
  gateway = await startGateway({
    env: withoutLitecoin,
    furtherNetworks(now) {
      bank = openPaperBank(now);
      return [bank.connector];
    },
  });
  shop = await openShop(gateway);
});
after(() => gateway.stop());

async function later(by: { hours: number }): Promise<void> {
  gateway.clock.advance(by);
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
}

const at = (path: string): string => String(new URL(path, gateway.url));
const press = (path: string, form: Record<string, string> = {}): Promise<Response> =>
  fetch(at(path), { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
const choose = async (id: string, network: string): Promise<number> =>
  (await press(`/en/checkout/${id}/commit`, { network })).status;
const page = async (id: string): Promise<string> =>
  (await (await fetch(at(`/en/checkout/${id}`))).text()).replace(/<[^>]*>|\s+/g, ' ');

async function linkWith(paymentsMax: number): Promise<{ id: string; begin: () => Promise<string> }> {
  const wish = { description: 'A painting', currency: 'EUR', amount: '25.00', paymentsMax };
  const { id } = (await shop.post('/payment-link', wish)).paymentLink;
  const begin = async (): Promise<string> => {
    const answer = await press(`/pay/${id}`);
    return /checkout\/([a-z0-9]{12})/.exec(answer.headers.get('location') ?? '')?.[1] ?? `refused: ${answer.status}`;
  };
  return { id, begin };
}

async function transfer(memo: string, cents: bigint): Promise<void> {
  bank.pay(memo, cents);
  await gateway.runUntilIdle();
}

test('a transfer has a place for a day; then others get it, and what comes all the same counts as any payment', async () => {
  const link = await linkWith(1);
  const [first, second, third] = [await link.begin(), await link.begin(), await link.begin()];
  const { memo } = (await shop.commit(first, 'SEPA')).reply.depositInstructions;
  assert.match(await page(first), /A place is kept for you until/);
  await later({ hours: 23 });
  assert.equal(await choose(second, 'SEPA'), 409, 'it is kept');
  assert.equal(await link.begin(), 'refused: 409');

  await later({ hours: 1 });
  assert.ok((await page(first)).includes(memo.slice(0, 4)), 'nobody else has it: it can be paid');
  assert.equal(await choose(second, 'SEPA'), 303, 'and now somebody has');
  const gone = await page(first);
  assert.match(gone, /Nothing is left to be paid here\.\s+Your payment has not arrived.*Please send nothing now/);
  assert.ok(!gone.includes(memo.slice(0, 4)), 'no account is shown');
  assert.equal(await choose(first, 'BITCOIN'), 409, 'another way would be a place that others have');
  assert.equal(await choose(third, 'BITCOIN'), 409);

  await transfer(memo, 2_500n);
  assert.equal(await shop.state(first), 'COMPLETED', 'it was on its way');
  assert.match(await page(second), /A place is kept for you until/, 'who has the place keeps it');
  await later({ hours: 24 });
  assert.match(await page(second), /Please send nothing now/, 'the one place is paid');
});

test('who comes back while places are left takes one again by choosing', async () => {
  const link = await linkWith(1);
  const [first, second] = [await link.begin(), await link.begin()];
  await shop.commit(first, 'SEPA');
  await later({ hours: 30 });
  await shop.commit(first, 'BITCOIN');
  assert.equal(await choose(second, 'SEPA'), 409);
});

test('the same way chosen again is a place asked for again: kept anew while there is one, refused when there is none', async () => {
  const link = await linkWith(1);
  const [first, second] = [await link.begin(), await link.begin()];
  const before = (await shop.commit(first, 'SEPA')).reply.depositInstructions;
  await later({ hours: 23 });
  const { expirationTime } = await shop.commit(first, 'SEPA');
  await later({ hours: 7 });
  assert.ok((await shop.commit(first, 'SEPA')).expirationTime > expirationTime, 'not the choice of thirty hours ago');
  assert.equal(await choose(second, 'SEPA'), 409, 'it is kept again');

  await later({ hours: 24 });
  assert.equal(await choose(second, 'SEPA'), 303);
  const refused = await shop.request('POST', '/checkout/commit', { checkoutId: first, network: 'SEPA' });
  assert.deepEqual([refused.status, JSON.stringify(refused.body).includes(before.memo)], [409, false]);
});

test('a transfer of which a part has come keeps its place', async () => {
  const link = await linkWith(1);
  const [first, second] = [await link.begin(), await link.begin()];
  await transfer((await shop.commit(first, 'SEPA')).reply.depositInstructions.memo, 1_000n);
  await later({ hours: 30 });
  assert.equal(await shop.state(first), 'PENDING PARTIAL');
  assert.equal(await choose(second, 'SEPA'), 409);
});
