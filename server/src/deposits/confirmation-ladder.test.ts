import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stepFor } from '../../test/ladder-step.ts';
import { createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { bitcoin } from '../networks/bitcoin/bitcoin.ts';
import { ethereum as ethereumOf } from '../networks/ethereum/ethereum.ts';
import { lightning } from '../networks/lightning/lightning.ts';
import { litecoin } from '../networks/litecoin/litecoin.ts';
import { confirmationTier, type NetworkDefinition } from '../networks/port/definition.ts';
import { publicPassphrase, stellarAssetCodes, stellarDefinition } from '../networks/stellar/stellar.ts';
import {
  confirmationLadder,
  type LadderStep,
  openHeight,
  stepReached,
  weightAt,
  wholeWeight,
} from './confirmation-ladder.ts';

const assets = createAssetCatalog({
  issuerAccount: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  issuerName: 'Operator',
  issuerDomain: 'localhost',
  issuerAddress: '',
});
const idOf = (code: string): string => present(findAsset(assets, code), code).id;
const contract = `0x${'1'.repeat(40)}`;
const tokens = ['USDC', 'USDT'].map((assetCode) => ({ assetCode, contract, decimals: 6 }));
const ethereum = ethereumOf({ chainId: 1, tokens });
const stellar = stellarDefinition({ passphrase: publicPassphrase, assets: [...stellarAssetCodes] });
const networks: readonly NetworkDefinition[] = [bitcoin, litecoin, ethereum, lightning, stellar];

test('one amount needs what its tier says, on every network and in every asset', () => {
  for (const network of networks) {
    const ladder = confirmationLadder(assets, network);
    for (const rail of network.assets) {
      const asset = findAsset(assets, rail.assetCode);
      if (!asset) continue;
      const factor = 10n ** BigInt(asset.ledgerScale - rail.scale);
      const limits = (rail.confirmationTiers ?? network.confirmationTiers).flatMap(
        ({ belowUnits }) => belowUnits ?? [],
      );
      for (const units of [1n, ...limits.flatMap((limit) => [limit - 1n, limit, limit + 1n])]) {
        const { confirmations, until } = confirmationTier(network, rail.assetCode, units);
        const step: LadderStep | undefined = ladder.steps[stepFor(ladder, new Map([[asset.id, units * factor]]))];
        assert.deepEqual(step, { confirmations, ...(until && { until }) }, `${units} ${rail.assetCode}`);
      }
    }
  }
});

test('two assets that are each below a limit are together above it', () => {
  const ladder = confirmationLadder(assets, ethereum);
  const ether = [idOf('ETH'), 9n * 10n ** 18n] as const; // 9 of 10
  const dollars = [idOf('USDC'), 3_000n * 10n ** 7n] as const; // 3,000 of 30,000
  const safe = { confirmations: 32, until: 'safe' };
  assert.deepEqual(ladder.steps[stepFor(ladder, new Map([ether]))], safe);
  assert.deepEqual(ladder.steps[stepFor(ladder, new Map([dollars]))], safe);
  assert.deepEqual(ladder.steps[stepFor(ladder, new Map([ether, dollars]))], { confirmations: 64, until: 'final' });
});

test('a block rises with its depth, and only as far as the network itself says', () => {
  const ladder = confirmationLadder(assets, ethereum);
  const heights = { tip: 1_000, safe: 960, final: 930 };
  const reached = (height: number | null) => ladder.steps[stepReached(ladder, height, heights)]?.confirmations ?? null;
  assert.deepEqual([null, 1_000, 998, 995, 961, 960, 931, 930].map(reached), [null, null, 3, 6, 6, 32, 32, 64]);
  assert.equal(openHeight(ladder, heights), 930);
  assert.equal(openHeight(confirmationLadder(assets, bitcoin), { tip: 100, safe: 1, final: 1 }), 95);
});

test('splitting a sum into any parts changes nothing, and more money never needs less', () => {
  const ladder = confirmationLadder(assets, bitcoin);
  const asset = idOf('BTC');
  const part = fc.bigInt({ min: 1n, max: 2n * 10n ** 8n });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 20 }), part, (parts, more) => {
      const sum = parts.reduce((total, units) => total + units, 0n);
      const step = stepFor(ladder, new Map([[asset, sum]]));
      const weight = parts.reduce((total, units) => total + weightAt(ladder, step, new Map([[asset, units]])), 0n);
      assert.ok(weight < wholeWeight);
      assert.ok(stepFor(ladder, new Map([[asset, sum + more]])) >= step);
    }),
  );
});
