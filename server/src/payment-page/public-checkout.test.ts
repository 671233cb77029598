import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier, Commitment, Payment, Quote, SettledPart } from '../checkouts/checkout.ts';
import { missingAmount } from '../checkouts/missing-amount.ts';
import { missingUnits } from '../checkouts/missing-share.ts';
import type { Customer } from '../counterparties/customer-store.ts';
import { createNetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { decimal, toUnits } from '../money/decimal.ts';
import { bitcoin } from '../networks/bitcoin/bitcoin.ts';
import { litecoin } from '../networks/litecoin/litecoin.ts';
import { publicCheckout } from './public-checkout.ts';

const now = new Date('2026-03-01T12:00:00Z');
const { accountId: issuerAccount } = newIssuerKeypair();
const operator = { issuerAccount, issuerName: 'o', issuerDomain: 'o', issuerAddress: 'o' };
const assets = createAssetCatalog(operator);
const idOf = (code: string): string => present(findAsset(assets, code), code).id;
const explorer = 'https://explorer.example/tx/';
const connectors = new Map([{ ...bitcoin, explorer }, litecoin].map((network) => [network.id, { network }]));
const health = createNetworkHealth({ now: () => now });
const observed = { tipHeight: 101, blocksBehind: 0, observedAt: now, failingSince: null };
health.record([{ network: 'BITCOIN', ...observed, lastError: 'secret', facts: {} }]);
const usd: Record<string, string> = { BTC: '50000', LTC: '100', USD: '1' };
const rates = {
  rate: (code: string) => {
    const known = usd[code];
    return known ? { usd: decimal(known), sources: ['test'], at: now } : { missing: 'no source' };
  },
};
const deps = { assets, connectors, health, rates };

const quote = (network: string, code: string, paymentAmount: string): Quote => ({
  network,
  assetId: idOf(code),
  paymentCode: code,
  paymentAmount,
  dueUnits: toUnits(decimal(paymentAmount), 8, 'up').toString(),
  price: '25.00',
  settlement: { assetId: 'secret', amount: '1', netAmount: '1', fee: '1', grossUnits: '1', feeUnits: '1' },
  buffer: 'secret',
  rates: [],
});

const commitment = (id: string, of: Quote): Commitment => ({
  id,
  network: of.network,
  asset: of.assetId,
  dueUnits: BigInt(of.dueUnits),
  quote: of,
  targetKey: 'secret',
  address: 'bcrt1qexample',
  memo: null,
  memoType: null,
  committedAt: now,
  expiresAt: addMs(now, minutes(60)),
});

const payment = (id: string, to: Commitment, units: bigint, more: Partial<Payment> = {}): Payment => ({
  id,
  commitmentId: to.id,
  network: to.network,
  asset: to.asset,
  txHash: `hash-${id}`,
  units,
  takenUnits: 0n,
  state: 'SEEN',
  place: 'none',
  generation: 0,
  replacedBy: null,
  restOf: null,
  confirmationsRequired: 3,
  bridge: null,
  blockHeight: null,
  blockTime: null,
  firstSeenAt: now,
  dayBegan: null,
  inherited: [],
  valuations: [],
  ...more,
});

const bitcoinQuote = quote('BITCOIN', 'BTC', '0.0005');
const used = (code: string, usd: string) => ({ code, usd, sources: ['kraken'], at: now.toISOString() });
const priced = { ...bitcoinQuote, buffer: '0', rates: [used('BTC', '50000'), used('USD', '1')] };
const byBitcoin = commitment('commit1bitco', bitcoinQuote);
const byLitecoin = commitment('commit2litec', quote('LITECOIN', 'LTC', '0.25'));

const dossier: CheckoutDossier = {
  hasStrays: false,
  crumbs: [],
  checkout: {
    merchantId: 'secret',
    id: 'abcdefghijkl',
    apiKey: 'secret',
    type: 'HOSTED',
    origin: 'API',
    state: 'PENDING',
    exceptions: ['PARTIAL'],
    billingCurrency: 'USD',
    total: decimal('25'),
    settlementAsset: 'secret',
    language: 'de',
    webhook: 'https://secret.example',
    customerId: 'secret',
    tolerance: decimal('0.005'),
    lateTolerance: decimal('0.05'),
    acceptFrom: null,
    extraConfirmations: 0,
    payload: {
      charge: {
        currency: 'USD',
        customerId: 'secret',
        lineItems: [{ description: 'Mug', netAmount: 12.5, quantity: 2, productId: 'secret' }],
      },
      webhook: 'https://secret.example',
      meta: { note: 'secret', orderReference: 'secret' },
      anchors: { BITCOIN: 'secret' },
      links: { returnUrl: 'https://secret.example/thanks' },
    },
    quotes: [bitcoinQuote],
    quotedAt: now,
    createdAt: now,
    windowEndsAt: addMs(now, minutes(60)),
    canceledAt: null,
    acceptedAt: null,
    acceptedExcess: [],
    keptRates: [],
    awaitsBridgeSince: null,
    awaitsDecision: false,
    settlements: 0,
  },
  commitments: [byBitcoin],
  payments: [payment('1', byBitcoin, 20_000n, { blockHeight: 100 }), payment('2', byBitcoin, 7n, { state: 'DROPPED' })],
  settlements: [],
  refunds: [],
};
const merchant = {
  id: 'secret',
  name: 'The shop',
  email: 'secret@shop.example',
  highRiskAssets: ['secret'],
  riskTolerance: 'MEDIUM' as const,
  takesRateOfBooking: false,
  feePercent: null,
  feeMinimumUsd: null,
  suspended: null,
  pageSettings: { logo: 'secret' },
};
const customer: Customer = {
  id: 'secret',
  email: 'secret@customer.example',
  fields: { firstname: 'secret' },
  meta: 'secret',
  createdAt: now,
};
const contact = {
  email: 'payer-secret@payer.example',
  refundNetwork: 'BITCOIN',
  refundAddress: 'secret',
  language: 'en',
};
const surroundings = { merchant, buyer: customer, contact };

test('the page sees exactly this of a checkout, and nothing else', () => {
  const shown = publicCheckout(deps, dossier, surroundings, { now });
  assert.deepEqual(shown, {
    id: 'abcdefghijkl',
    orderReference: null,
    state: 'PENDING',
    exceptions: ['PARTIAL'],
    language: 'de',
    shopName: 'The shop',
    sellerEmail: null,
    helpEmail: null,
    legalLinks: { legalNotice: null, privacy: null, terms: null },
    legalLine: null,
    buyer: null,
    total: '25.00',
    currency: 'USD',
    lines: [{ label: 'Mug', detail: { pieces: '2', each: '12.50' }, amount: '25.00' }],
    coins: [
      {
        key: 'BTC',
        name: 'Bitcoin',
        offeredAs: null,
        imageSrc: '/images/assets/btc.svg',
        ways: [
          {
            value: `BITCOIN ${idOf('BTC')}`,
            network: 'BITCOIN',
            name: bitcoin.wayName,
            amount: '0.0003',
            assetCode: 'BTC',
            seconds: { from: 600, to: 1200 },
            takes: null,
            cost: null,
            isBest: false,
          },
        ],
      },
    ],
    pay: {
      network: 'BITCOIN',
      networkName: 'Bitcoin',
      wayName: bitcoin.wayName,
      assetId: idOf('BTC'),
      assetName: 'Bitcoin',
      assetCode: 'BTC',
      amount: '0.0003',
      address: 'bcrt1qexample',
      isOutdated: false,
      memo: null,
      payUntil: addMs(now, minutes(60)),
      windowMs: minutes(60),
      isFollowed: false,
      instructions: {
        link: { href: 'bitcoin:bcrt1qexample?amount=0.0003', qrText: 'BITCOIN:BCRT1QEXAMPLE?amount=0.0003' },
        fields: [],
        wallet: null,
        target: 'address',
        addressOnly: { qrText: 'bcrt1qexample', hint: null },
        isPaidFromExchanges: true,
        wallets: ['BlueWallet', 'Electrum', 'Muun', 'Trust Wallet'],
        takes: null,
      },
      codeText: 'BITCOIN:BCRT1QEXAMPLE?amount=0.0003',
      joint: null,
      takesRefundAddress: true,
      offeredAs: null,
      rate: null,
    },
    commitmentId: 'commit1bitco',
    choiceId: 'commit1bitco',
    arePricesHeld: true,
    place: { way: null, open: null },
    sums: {
      due: { amount: '0.0005', assetCode: 'BTC', price: '25.00' },
      received: [{ amount: '0.0002', assetCode: 'BTC', price: '10.00' }],
      receivedPrice: '10.00',
      missingPrice: '15.00',
      acceptedPrice: null,
      excess: [],
      returned: [],
    },
    payments: [
      {
        amount: '0.0002',
        assetCode: 'BTC',
        network: 'BITCOIN',
        networkName: 'Bitcoin',
        txHash: 'hash-1',
        href: 'https://explorer.example/tx/hash-1',
        isConfirmed: false,
        confirmations: 2,
        confirmationsRequired: 3,
        rate: null,
        price: null,
      },
    ],
    lost: ['dropped'],
    isConverted: true,
    completedAt: null,
    timeZone: 'UTC',
    contact: { maskedEmail: 'p…@payer.example', refundEnding: 'ecret', canChange: false },
    wayBack: null,
    goesBackToPayer: false,
    keptPlace: null,
    refunds: [],
    hasInvoice: false,
    canReturn: true,
    canCancel: false,
    isSuspended: false,
  });
  assert.doesNotMatch(JSON.stringify(shown), /secret/);
});

test('cancelling ends the time to pay, and with it the rate; the prices of an order end an hour after they were made', () => {
  const checkout = { ...dossier.checkout, canceledAt: addMs(now, minutes(10)) };
  const canceled = { ...dossier, checkout, commitments: [{ ...byBitcoin, quote: priced }] };
  const { pay } = publicCheckout(deps, canceled, surroundings, { now: addMs(now, minutes(20)) });
  assert.deepEqual([pay?.payUntil, pay?.rate], [checkout.canceledAt, null]);
  assert.equal(publicCheckout(deps, dossier, surroundings, { now: addMs(now, minutes(60)) }).arePricesHeld, false);
});

test('every way says what is left to pay by it, in its own asset', () => {
  const amountsAfter = (...payments: Payment[]) => {
    const quotes = [byBitcoin.quote, byLitecoin.quote];
    const { coins } = publicCheckout(deps, { ...dossier, payments }, surroundings, { now, quotes });
    return coins.flatMap(({ ways }) => ways.map(({ amount }) => amount));
  };
  assert.deepEqual(amountsAfter(), ['0.0005', '0.25']);
  assert.deepEqual(amountsAfter(payment('1', byBitcoin, 20_000n)), ['0.0003', '0.15']);
  assert.deepEqual(amountsAfter(payment('1', byBitcoin, 50_000n)), [null, null]);
});

test('parts on two networks leave the exact rest, rounded up, on either of them', () => {
  const commitments = [byBitcoin, byLitecoin];
  const payments = [payment('1', byBitcoin, 10_000n), payment('2', byLitecoin, 5_000_000n)]; // 20 % each
  assert.equal(missingAmount(deps, { ...dossier, commitments, payments }, byBitcoin, now), '0.0003');
  assert.equal(missingAmount(deps, { ...dossier, commitments, payments }, byLitecoin, now), '0.15');
  const third = [payment('1', byBitcoin, 16_667n)];
  // 0.166665 exactly: the seventh digit would cost more to type than it is worth.
  assert.equal(missingAmount(deps, { ...dossier, commitments, payments: third }, byLitecoin, now), '0.16667');
  assert.equal(missingAmount(deps, inLitecoin({ commitments, payments: third }), byLitecoin, now), '0.166665');
});

/** The bill is in litecoins: whoever pays in the money of the bill pays to the unit. */
const inLitecoin = (more: Partial<CheckoutDossier>): CheckoutDossier => ({
  ...dossier,
  ...more,
  checkout: { ...dossier.checkout, billingCurrency: 'LTC' },
});

test('the rest is never rounded to more than the whole price, nor the whole price once more', () => {
  // Rounded up once more it would be 0.1235: the cost of that is less than a ten-thousandth.
  const due = commitment('commit3litec', quote('LITECOIN', 'LTC', '0.12349'));
  const missing = (...payments: Payment[]) =>
    missingAmount(deps, { ...dossier, commitments: [due], payments }, due, now);
  assert.equal(missing(), '0.12349');
  assert.equal(missing(payment('1', due, 10n)), '0.12349');
});

test('nothing is missing once everything has arrived, and a rest too small to be sent is raised to what can be', () => {
  const missing = (units: bigint) =>
    missingAmount(
      deps,
      { ...dossier, commitments: [byBitcoin], payments: [payment('1', byBitcoin, units)] },
      byBitcoin,
      now,
    );
  assert.equal(missing(50_000n), undefined);
  assert.equal(missing(60_000n), undefined);
  const least = present(bitcoin.assets[0], 'BTC').minimumUnits;
  assert.equal(toUnits(decimal(missing(49_999n) ?? '0'), 8, 'up'), least);
});

test('after the window what is missing is asked for at the rate of the day, never below the quote', () => {
  const later = addMs(now, minutes(70));
  const missing = (btc?: string) => {
    const rate = (code: string) =>
      code === 'USD' || btc
        ? { usd: decimal(code === 'USD' ? '1' : (btc ?? '')), sources: [], at: later }
        : { missing: 'no source' };
    const payments = [payment('1', byBitcoin, 25_000n)];
    return missingAmount({ ...deps, rates: { rate } }, { ...dossier, payments }, byBitcoin, later);
  };
  assert.equal(missing('50000'), '0.00025');
  assert.equal(missing('40000'), '0.0003125');
  assert.equal(missing('90000'), '0.00025');
  assert.equal(missing(), undefined, 'nobody can say');
});

test('whatever arrived in parts, sending the missing amount is enough', () => {
  const commitments = [byBitcoin, byLitecoin];
  const part = fc.record({ isBitcoin: fc.boolean(), units: fc.bigInt(1n, 20_000n) });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, finishesByBitcoin) => {
      const payments = parts.map(({ isBitcoin, units }, position) =>
        payment(String(position), isBitcoin ? byBitcoin : byLitecoin, isBitcoin ? units : units * 500n),
      );
      const last = finishesByBitcoin ? byBitcoin : byLitecoin;
      const amount = missingAmount(deps, { ...dossier, commitments, payments }, last, now);
      if (amount === undefined) return;
      const rest = payment('rest', last, toUnits(decimal(amount), 8, 'down'));
      const exact = missingUnits({ ...dossier, commitments, payments }, last.dueUnits, now);
      const least = (finishesByBitcoin ? bitcoin : litecoin).assets[0]?.minimumUnits ?? 0n;
      assert.ok(rest.units === least || (rest.units - exact) * 10_000n <= exact, 'it costs no more than 0.01 %');
      assert.ok(rest.units - exact < least, 'nothing has to be given back');
      assert.equal(
        missingAmount(deps, { ...dossier, commitments, payments: [...payments, rest] }, last, now),
        undefined,
      );
    }),
  );
});

test('a credited payment tells the rate of its quote, and one that was counted otherwise tells none', () => {
  const rateAfter = (basis: SettledPart['basis'], currency = 'USD') => {
    const part = { commitmentId: byBitcoin.id, network: 'BITCOIN', paidAsset: byBitcoin.asset };
    const units = { countedUnits: '20000', excessUnits: '0', grossUnits: '1', feeUnits: '0', netUnits: '1' };
    const parts = [{ ...part, ...units, creditedAsset: 'secret', basis }];
    const credited: CheckoutDossier = {
      ...dossier,
      checkout: { ...dossier.checkout, billingCurrency: currency },
      commitments: [{ ...byBitcoin, quote: priced }],
      settlements: [{ generation: 1, reference: 'secret', parts, settledAt: now, reversedAt: null }],
    };
    return publicCheckout(deps, credited, surroundings, { now }).payments[0]?.rate?.price;
  };
  assert.equal(rateAfter('QUOTE'), '50000.00');
  assert.equal(rateAfter('RATE_OF_ARRIVAL'), undefined, 'it came too late for the quote');
  assert.equal(rateAfter('QUOTE', 'BTC'), undefined, 'bitcoin for bitcoin');
});
