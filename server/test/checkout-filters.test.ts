/** GET /checkouts with every filter, alone and together: what is listed is what fits, each once, newest first. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { anyCheckout, type CheckoutFilter, findPage } from '../src/checkouts/list-checkouts.ts';
import type { PagePosition } from '../src/http/page-cursor.ts';
import { withoutLitecoin } from './gateway.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
});
after(() => world.gateway.stop());

const idsOf = async (shop: Shop, query: string): Promise<string[]> =>
  (await shop.get(`/checkouts?${query}`)).checkouts.map(({ id }: { id: string }) => id);

test('a list is filtered by several states, exceptions, network, asset, price and currency', async () => {
  const shop = await world.shop();
  const created = await shop.create('61.00 USD');
  const { id: underpaid } = await world.underpaid(shop, '0.0006');
  const { id: overpaid } = await world.paid(shop, '0.002');
  const { id: pending } = await shop.open('60.00 EUR', 'BITCOIN');

  const listed = async (query: string, expected: readonly string[]): Promise<void> =>
    assert.deepEqual((await idsOf(shop, query)).toSorted(), expected.toSorted(), query);
  await listed('state=CREATED,UNDERPAID', [created, underpaid]);
  await listed('state=PENDING', [pending]);
  await listed('exception=ANY', [underpaid, overpaid]);
  await listed('exception=OVERPAID', [overpaid]);
  await listed('exception=PARTIAL,OVERPAID', [underpaid, overpaid]);
  await listed('exception=REORGED', []);
  await listed('network=BITCOIN', [underpaid, overpaid, pending]);
  await listed('network=STELLAR', []);
  await listed('asset=BTC', [underpaid, overpaid, pending]);
  await listed('asset=BTC&network=BITCOIN&state=PENDING', [pending]);
  await listed('asset=LTC', []);
  await listed('amount=60', [underpaid, overpaid, pending]);
  await listed('amount=60.00&currency=EUR', [pending]);
  await listed('amount=61', [created]);
  await listed('currency=EUR', [pending]);
  await listed('amount=60&state=UNDERPAID&exception=PARTIAL&network=BITCOIN', [underpaid]);
  await listed('amount=60&state=CREATED', []);
  await listed(`search=${overpaid}&state=CREATED`, []);
  await listed(`search=${overpaid}&exception=OVERPAID`, [overpaid]);
});

test('a filter that makes no sense is refused with a sentence', async () => {
  const shop = await world.shop();
  for (const [query, sentence] of [
    [
      'state=PENDING,PAID',
      /^state must be one of CREATED, .*, or several with commas between them, but is "PENDING,PAID"/,
    ],
    ['state=,', /^state must be one of/],
    ['exception=ODD', /^exception must be one of ANY, PARTIAL/],
    ['network=DOGECOIN', /^network must be one of BITCOIN/],
    ['asset=DOGE', /^asset must be the id or code of an asset/],
    ['amount=cheap', /^amount must be a number such as 12\.50, but is "cheap"/],
    ['currency=XXX', /^currency must be a code/],
  ] as const) {
    const [first] = await shop.refused(400, 'GET', `/checkouts?${query}`);
    assert.match(first as string, sentence, query);
  }
});

type Made = {
  id: string;
  at: number;
  state: string;
  exceptions: string[];
  total: string;
  customer: string;
  rail: string;
};

const states = ['CREATED', 'PENDING', 'COMPLETED', 'UNDERPAID'];
const rails = ['BITCOIN', 'LITECOIN'];

/** Few values of each, so that they meet. */
const made = fc.record({
  at: fc.nat(4),
  state: fc.constantFrom(...states),
  exceptions: fc.subarray(['LATE', 'PARTIAL']),
  total: fc.constantFrom('5', '5.004', '7.5'),
  customer: fc.constantFrom('customer0001', 'customer0002'),
  rail: fc.constantFrom(...rails),
});
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const filters = fc.record({
  states: orNull(fc.subarray(states, { minLength: 1 })),
  exceptions: orNull(fc.subarray(['LATE', 'PARTIAL'])),
  price: orNull(fc.constantFrom('5', '7.5')),
  customerId: orNull(fc.constantFrom('customer0001')),
  rails: orNull(
    fc.constantFrom(...rails).map((network) => [
      { network, asset: 'A' },
      { network, asset: 'B' },
    ]),
  ),
});

/** Every filter leads into the list alone, whatever chance brings; and several are of one moment. */
const alone: readonly Partial<CheckoutFilter>[] = [
  {},
  { states: ['COMPLETED', 'PENDING'] },
  { exceptions: [] },
  { exceptions: ['LATE'] },
  { price: '5' },
  { customerId: 'customer0001' },
  { rails: ['A', 'B'].map((asset) => ({ network: 'BITCOIN', asset })) },
];
const one = { at: 2, state: 'COMPLETED', exceptions: ['LATE'], total: '5', customer: 'customer0001', rail: 'BITCOIN' };
const sameMoment = Array.from({ length: 6 }, () => one);

const epoch = Date.parse('2020-01-01T00:00:00Z');

async function insert(merchantId: string, checkouts: readonly Made[]): Promise<void> {
  const { db } = world.gateway;
  for (const { id, at, state, exceptions, total, customer, rail } of checkouts) {
    const createdAt = new Date(epoch + at);
    await db`
      insert into checkout (merchant_id, id, api_key, type, origin, state, exceptions, billing_currency, total,
                            settlement_asset, language, customer_id, tolerance, late_tolerance, extra_confirmations,
                            payload, quotes, quoted_at, created_at, updated_at)
      values (${merchantId}, ${id}, 'key', 'API', 'API', ${state}, ${exceptions}, 'USD', ${total}, 'ORIGIN', 'en',
              ${customer}, 0, 0, 0, '{}', '[]', ${createdAt}, ${createdAt}, ${createdAt})`;
    await db`
      insert into commitment (merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address,
                              committed_at, expires_at)
      values (${merchantId}, ${id}, ${id}, ${rail}, 'A', 1, '{}', ${id}, ${id}, ${createdAt}, ${createdAt}),
             (${merchantId}, ${id}, ${`${id} again`}, ${rail}, 'B', 1, '{}', ${id}, ${id}, ${createdAt}, ${createdAt})`;
  }
}

const fits = (each: Made, { states: of, exceptions, price, customerId, rails: on }: CheckoutFilter): boolean =>
  (of === null || of.includes(each.state)) &&
  (exceptions === null ||
    (exceptions.length === 0 ? each.exceptions.length > 0 : each.exceptions.some((odd) => exceptions.includes(odd)))) &&
  (price === null || Number(each.total).toFixed(2) === Number(price).toFixed(2)) &&
  (customerId === null || each.customer === customerId) &&
  (on === null || on.some(({ network }) => network === each.rail));

test('page by page each checkout that fits is shown once, newest first, whatever is made meanwhile', async () => {
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  let number = 0;
  const seed = randomInt(2 ** 31);
  const named = (each: Omit<Made, 'id'>): Made => ({ ...each, id: String(++number * 7_919).padStart(12, '0') });
  const all = [...sameMoment, ...fc.sample(made, { numRuns: 34, seed })].map(named);
  await insert(merchantId, all);
  for (const given of [...alone, ...fc.sample(filters, { numRuns: 30, seed })]) {
    const filter = { ...anyCheckout, ...given };
    const seen: string[] = [];
    const before = [...all];
    for (let next: PagePosition | null = null, pages = 0; pages === 0 || next !== null; pages += 1) {
      const cut = { from: null, to: null, before: next, limit: 3 };
      const page: Awaited<ReturnType<typeof findPage>> = await findPage(
        world.gateway.db,
        merchantId,
        filter,
        cut,
        [5, 9],
      );
      assert.ok(page.keys.length <= 3);
      seen.push(...page.keys.map(({ id }) => id));
      next = page.next;
      if (pages > 1) continue;
      const newer = fc
        .sample(made, { numRuns: 1, seed: seed + number })
        .map((each) => named({ ...each, at: 10 + number }));
      await insert(merchantId, newer);
      all.push(...newer);
    }
    const expected = before
      .filter((each) => fits(each, filter))
      .toSorted((a, b) => b.at - a.at || (b.id < a.id ? -1 : 1))
      .map(({ id }) => id);
    const shown = seen.filter((id) => expected.includes(id));
    assert.deepEqual(shown, expected, `${JSON.stringify(given)}, seed ${seed}`);
    assert.equal(new Set(seen).size, seen.length, `none twice, seed ${seed}`);
    assert.deepEqual(seen, shown, 'nothing that is newer than the first page');
  }
});
