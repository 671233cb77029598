/** What the treasury promises to several checkouts that are committed at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { decimal } from '../money/decimal.ts';
import { createPromiser } from './promise-stock.ts';
import type { StockPromise } from './treasury-promise-store.ts';
import { promisableUnits } from './treasury-stock.ts';
import { usualVenues } from './venue-plan.ts';

const issuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const anchor = 'GBSTRUSD7IRX73RQZBL3RQUH6KS3O4NYFY3QCALDLZD77XMZOPWAVTUK';
const facts = { issuerName: 'Us', issuerDomain: 'us.test', issuerAddress: 'here' };
const assets = createAssetCatalog({ issuerAccount: issuer, ...facts }, [
  { code: 'BTC', issuer: anchor, domain: 'anchor.test' },
]);
const assetNamed = (name: string) => present(findAsset(assets, name), name);
const [ether, bitcoin, ofAnchor] = [assetNamed('ETH'), assetNamed('BTC'), assetNamed(`BTC:${anchor}`)];
const deps = { assets, connectors: new Map(), venueRules: usualVenues };

type Ask = { readonly merchantId: string; readonly checkoutId: string; readonly units: bigint };

/** `others`: what was promised to whom, that of `standing` among it. */
function open(
  units: bigint,
  others: Readonly<Record<string, bigint>> = {},
  standing: readonly StockPromise[] = [],
  share = '1',
) {
  const stock = { units, promised: new Map(Object.entries(others)) };
  const promiser = createPromiser(deps, { byBacking: new Map([[bitcoin.id, stock]]), share: decimal(share) }, standing);
  const ask = (checkoutId: string, asked: bigint, { merchantId = 'shop', paid = ether, credited = bitcoin } = {}) =>
    promiser.ask({ merchantId, checkoutId, paid, credited, units: asked }) === null;
  return { ask, made: () => promiser.made().map(({ checkoutId, units: each }) => `${checkoutId} ${each}`) };
}

test('all of the stock is promised, and not a unit more, to one or to several', () => {
  for (const [first, second, isSecond] of [
    [10n, 1n, false],
    [9n, 1n, true],
    [9n, 2n, false],
    [4n, 6n, true],
    [4n, 7n, false],
  ] as const) {
    const { ask, made } = open(10n);
    assert.equal(ask('one', first), true);
    assert.equal(ask('two', second), isSecond, `${first} and ${second}`);
    assert.deepEqual(made(), isSecond ? [`one ${first}`, `two ${second}`] : [`one ${first}`]);
  }
  assert.equal(open(10n).ask('one', 11n), false);
});

test('who was promised something asks for the rest of it only, and keeps the larger', () => {
  const standing = [{ merchantId: 'shop', checkoutId: 'one', asset: bitcoin.id, units: 6n }];
  const again = () => open(10n, { shop: 6n }, standing);
  for (const [units, isPromised, made] of [
    [5n, true, []],
    [6n, true, []],
    [7n, true, ['one 7']],
    [10n, true, ['one 10']],
    [11n, false, []],
  ] as const) {
    const stock = again();
    assert.equal(stock.ask('one', units), isPromised, String(units));
    assert.deepEqual(stock.made(), made, String(units));
  }
  const stock = again();
  assert.deepEqual(
    [stock.ask('one', 8n), stock.ask('one', 9n), stock.ask('two', 1n), stock.ask('two', 2n)],
    [true, true, true, false],
  );
  assert.deepEqual(stock.made(), ['one 9', 'two 1']);
});

test('what was promised is kept also where there is less by now than nothing', () => {
  const standing = [{ merchantId: 'shop', checkoutId: 'one', asset: bitcoin.id, units: 6n }];
  const { ask } = open(-5n, { shop: 6n }, standing);
  assert.deepEqual([ask('one', 6n), ask('one', 7n), ask('two', 1n)], [true, false, false]);
});

test('an asset of an anchor is promised from the coin itself, and who pays with the coin needs nothing', () => {
  const { ask, made } = open(10n);
  assert.equal(ask('paid in bitcoin', 99n, { paid: bitcoin, credited: ofAnchor }), true);
  assert.equal(ask('paid in that of the anchor', 99n, { paid: ofAnchor, credited: bitcoin }), true);
  assert.deepEqual(made(), [], 'the payment brings it');
  assert.deepEqual(
    [ask('one', 6n), ask('two', 5n, { credited: ofAnchor }), ask('two', 4n, { credited: ofAnchor })],
    [true, false, true],
  );
});

test('whoever asks for whatever in whatever order, each merchant has its share at most, and all together what is there', () => {
  const asks = fc.array(
    fc.record({
      merchantId: fc.constantFrom('shop', 'other'),
      checkoutId: fc.constantFrom('1', '2'),
      units: fc.bigInt({ min: 1n, max: 12n }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 20n }),
      fc.constantFrom('1', '0.5'),
      asks,
      (units, share, all: readonly Ask[]) => {
        const { ask } = open(units, {}, [], share);
        const held = new Map<string, bigint>();
        const heldBy = (merchantId: string): bigint =>
          [...held].filter(([name]) => name.startsWith(`${merchantId} `)).reduce((sum, [, each]) => sum + each, 0n);
        for (const { merchantId, checkoutId, units: asked } of all) {
          const name = `${merchantId} ${checkoutId}`;
          const promised = new Map(['shop', 'other'].map((each) => [each, heldBy(each)]));
          const has = held.get(name) ?? 0n;
          const isPossible =
            asked <= has || asked - has <= promisableUnits({ units, promised }, merchantId, decimal(share));
          assert.equal(ask(name, asked, { merchantId }), isPossible);
          if (isPossible && asked > has) held.set(name, asked);
        }
        assert.ok([...held.values()].reduce((sum, each) => sum + each, 0n) <= units);
      },
    ),
  );
});
