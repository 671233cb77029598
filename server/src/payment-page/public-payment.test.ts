import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import { type AssetCatalog, createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { createNetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { decimal } from '../money/decimal.ts';
import { publicPayments } from './public-payment.ts';
import { publicSums } from './public-sums.ts';

const operator = {
  issuerAccount: newIssuerKeypair().accountId,
  issuerName: 'o',
  issuerDomain: 'o',
  issuerAddress: 'o',
};
const known = createAssetCatalog(operator);
const assets: AssetCatalog = {
  ...known,
  byIdOrCode: new Map([BTC, LTC].map((id) => [id, present(findAsset(known, id.slice(0, 3)), id)])),
};
const deps = { assets, connectors: new Map(), health: createNetworkHealth({ now: () => at(0) }) };

/** 100.00 of the bill are 3000 units of the one, or 7000 of the other. */
const byBitcoin = aCommitment({ id: 'c1', asset: BTC, due: 3000n, minute: 0, price: '100.00' });
const byLitecoin = aCommitment({ id: 'c2', asset: LTC, due: 7000n, minute: 1, price: '100.00' });

function pricesOf(bitcoin: bigint, litecoin: bigint, { litecoinAt = 3 } = {}): (string | null)[] {
  const story = tellStory([byBitcoin, byLitecoin]);
  story.decide({ total: decimal('100') });
  story.pay({ id: 'p1', units: bitcoin, minute: 2 });
  story.pay({ id: 'p2', units: litecoin, minute: litecoinAt, commitmentId: 'c2', asset: LTC });
  const before = publicPayments(deps, story.dossier, story.dossier.payments);
  assert.deepEqual(
    before.map(({ price }) => price),
    [null, null],
    'not before it was credited',
  );
  story.advance(litecoinAt + 1);
  return publicPayments(deps, story.dossier, story.dossier.payments).map(({ price }) => price);
}

test('payments in two ways are worth the price together, to the cent, and each by its own quote', () => {
  assert.deepEqual(pricesOf(1500n, 3500n), ['50.00', '50.00']);
  assert.deepEqual(pricesOf(1000n, 4667n), ['33.33', '66.67']);
  assert.deepEqual(pricesOf(1001n, 4665n), ['33.37', '66.63'], 'the cent that rounding won is the last one’s');
});

test('what was too much is not hidden in the price of a payment', () => {
  assert.deepEqual(pricesOf(1500n, 4200n), ['50.00', '60.00']);
});

test('what the shop accepted is what its payments are worth, also where half a cent was rounded', () => {
  const story = tellStory([{ ...byBitcoin, quote: { ...byBitcoin.quote, price: '100.01' } }]);
  story.decide({ total: decimal('100.01') });
  story.pay({ id: 'p1', units: 1500n, minute: 2 });
  story.advance(70);
  story.decide({ acceptedAt: at(71) });
  story.advance(71);
  const { acceptedPrice } = publicSums(assets, story.dossier, at(72));
  const [only] = publicPayments(deps, story.dossier, story.dossier.payments, acceptedPrice);
  assert.deepEqual([acceptedPrice, only?.price], ['50.00', '50.00']);
});
