import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { createNetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { decimal } from '../money/decimal.ts';
import { bitcoin } from '../networks/bitcoin/bitcoin.ts';
import { ethereum } from '../networks/ethereum/ethereum.ts';
import { lightning } from '../networks/lightning/lightning.ts';
import { litecoin } from '../networks/litecoin/litecoin.ts';
import type { NetworkFacts } from '../networks/port/receiving.ts';
import { publicPassphrase, stellarDefinition } from '../networks/stellar/stellar.ts';
import { createLook } from '../web/page-layout.ts';
import { type PricedMethod, publicCoins } from './public-coins.ts';
import { costText, durationText } from './way-text.ts';

const now = new Date('2026-03-01T12:00:00Z');
const operator = {
  issuerAccount: newIssuerKeypair().accountId,
  issuerName: 'o',
  issuerDomain: 'o',
  issuerAddress: 'o',
};
const assets = createAssetCatalog(operator);
const idOf = (code: string): string => present(findAsset(assets, code), code).id;
const usdc = { assetCode: 'USDC', contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 };
const networks = [
  bitcoin,
  lightning,
  litecoin,
  ethereum({ chainId: 1, tokens: [usdc] }),
  stellarDefinition({ assets: ['XLM', 'USDC'], passphrase: publicPassphrase }),
];
const connectors = new Map(networks.map((network) => [network.id, { network }]));
const usd: Record<string, string> = { BTC: '50000', LTC: '100', ETH: '2000', XLM: '0.1', USDC: '1', EUR: '1.25' };
const rates = {
  rate: (code: string) => {
    const known = usd[code];
    return known ? { usd: decimal(known), sources: ['test'], at: now } : { missing: 'no source' };
  },
};

const method = (network: string, code: string, dueUnits: string, paymentCode = code): PricedMethod => ({
  quote: { network, assetId: idOf(code), paymentCode, dueUnits },
  amount: '1',
});

function coinsWith(facts: Record<string, NetworkFacts>, ...methods: PricedMethod[]) {
  const health = createNetworkHealth({ now: () => now });
  health.record(
    Object.entries(facts).map(([network, known]) => ({
      network,
      tipHeight: 1,
      blocksBehind: 0,
      observedAt: now,
      failingSince: null,
      lastError: null,
      facts: known,
    })),
  );
  return publicCoins({ assets, connectors, rates, health }, 'EUR', methods);
}

const satoshis = (units: string): NetworkFacts => ({ payerCost: { BTC: { assetCode: 'BTC', units } } });
const onChain = method('BITCOIN', 'BTC', '100000');
const byLightning = method('LIGHTNING', 'BTCLN', '100000', 'SAT');

test('one row per coin, its networks inside, the cheapest fast one first and marked', () => {
  const coins = coinsWith({ BITCOIN: satoshis('2500') }, onChain, method('LITECOIN', 'LTC', '1'), byLightning);
  assert.deepEqual(
    coins.map(({ key, name, ways }) => [key, name, ways.map((way) => [way.name, way.assetCode, way.isBest])]),
    [
      [
        'BTC',
        'Bitcoin',
        [
          ['Lightning', 'SAT', true],
          [bitcoin.wayName, 'BTC', false],
        ],
      ],
      ['LTC', 'Litecoin', [['Litecoin', 'LTC', false]]],
    ],
  );
});

test('what the network takes is said in the currency of the bill, and less than its smallest coin as less than that', () => {
  const [coin] = coinsWith({ BITCOIN: satoshis('2500') }, onChain, byLightning);
  assert.deepEqual(
    coin?.ways.map(({ cost }) => cost),
    [
      { amount: '0.01', currency: 'EUR', isLess: true },
      { amount: '1.00', currency: 'EUR', isLess: false }, // 2,500 satoshis are 1.25 dollars.
    ],
  );
});

test('a token is paid for in the coin of its chain, and the dearer way comes later', () => {
  const gas = { payerCost: { USDC: { assetCode: 'ETH', units: String(650_000n * 10n ** 9n) } } };
  const [coin] = coinsWith({ ETHEREUM: gas }, method('ETHEREUM', 'USDC', '1'), method('STELLAR', 'USDC', '1'));
  assert.deepEqual(
    coin?.ways.map(({ name, cost, isBest }) => [name, cost?.amount, isBest]),
    [
      ['Stellar', '0.01', true],
      ['Ethereum', '1.04', false],
    ],
  );
});

test('ways that cost the same in words keep their order, whatever the networks charge at the moment', () => {
  const gas = (units: string) => ({ payerCost: { USDC: { assetCode: 'ETH', units } } });
  const methods = [method('ETHEREUM', 'USDC', '1'), method('STELLAR', 'USDC', '1')];
  const namesAt = (units: string, ...offered: PricedMethod[]) =>
    coinsWith({ ETHEREUM: gas(units) }, ...offered)[0]?.ways.map(({ name }) => name);
  for (const units of ['1', String(10n ** 11n), String(10n ** 12n)]) {
    assert.deepEqual(namesAt(units, ...methods), ['Stellar', 'Ethereum'], units);
    assert.deepEqual(namesAt(units, ...methods.toReversed()), ['Stellar', 'Ethereum'], units);
  }
});

test('what nobody knows is not made up, and is not the best', () => {
  const [coin] = coinsWith({}, onChain, byLightning);
  assert.deepEqual(
    coin?.ways.map(({ name, cost }) => [name, cost === null]),
    [
      ['Lightning', false],
      [bitcoin.wayName, true],
    ],
  );
  const unrated = publicCoins(
    {
      assets,
      connectors,
      rates: { rate: () => ({ missing: 'none' }) },
      health: createNetworkHealth({ now: () => now }),
    },
    'EUR',
    [onChain, byLightning],
  );
  assert.deepEqual(
    unrated[0]?.ways.map(({ cost, isBest }) => [cost, isBest]),
    [
      [null, false],
      [null, false],
    ],
  );
});

test('how long it takes follows the confirmations that so much needs', () => {
  const secondsFor = (priced: PricedMethod) => coinsWith({}, priced)[0]?.ways[0]?.seconds;
  assert.deepEqual(secondsFor(onChain), { from: 600, to: 1200 });
  assert.deepEqual(secondsFor(method('BITCOIN', 'BTC', '100000000')), { from: 3600, to: 4200 }); // 1 BTC: six blocks
  assert.deepEqual(secondsFor(byLightning), { from: 1, to: 2 });
});

test('time and cost in words', () => {
  const look = createLook('en', { isSandbox: false, files: { stylesheet: '', script: '' } });
  assert.equal(durationText(look, { from: 5, to: 10 }), 'in seconds');
  assert.equal(durationText(look, { from: 600, to: 1200 }), '10 to 20 minutes');
  assert.equal(durationText(look, { from: 100, to: 112 }), 'about 2 minutes');
  assert.equal(durationText(look, { from: 6000, to: 7200 }), 'about 2 hours');
  assert.equal(costText(look, { amount: '0.01', currency: 'EUR', isLess: true }), 'fee under €0.01');
  assert.equal(costText(look, { amount: '0.85', currency: 'EUR', isLess: false }), 'fee about €0.85');
});
