/** One checkout in every state that a customer can meet, made up: for merchants who want to see their page. */
import { knownAssets } from '../catalog/known-assets.ts';
import { present } from '../lib/assert.ts';
import { addMs, minutes } from '../lib/clock.ts';
import type { AssetDefinition } from '../networks/port/asset-definition.ts';
import { invoiceSample, memoSample, plainSample, type SamplePayment } from '../networks/sample-payments.ts';
import { topOfPage } from '../web/page-language.ts';
import type { PayInstructions, PublicCheckout } from './public-checkout.ts';
import type { PublicCoin, PublicWay } from './public-coins.ts';
import type { PublicPayment } from './public-payment.ts';
import type { PublicRefund } from './public-refund.ts';
import type { PublicSum } from './public-sums.ts';
import type { PublicWayBack } from './public-way-back.ts';

export const sampleStates = [
  'created',
  'pending',
  'memo',
  'partial',
  'processing',
  'converting',
  'completed',
  'late',
  'overpaid',
  'underpaid',
  'expired',
  'canceled',
  'replaced',
  'refunded',
] as const;
export type SampleState = (typeof sampleStates)[number];

export const isSampleState = (name: string): name is SampleState => sampleStates.some((state) => state === name);

const payment: PublicPayment = {
  amount: plainSample.amount,
  assetCode: plainSample.paymentCode,
  network: plainSample.network,
  networkName: plainSample.networkName,
  txHash: '7d1f3ac0b58e44f6a92c3d0e8b7a6c5f4e3d2c1b0a9f8e7d6c5b4a3928170615',
  href: null,
  isConfirmed: false,
  confirmations: 1,
  confirmationsRequired: 2,
  rate: null,
  price: null,
};
const confirmed: PublicPayment = { ...payment, isConfirmed: true, confirmations: 2 };

const refund: PublicRefund = {
  amount: plainSample.amount,
  assetCode: plainSample.paymentCode,
  network: plainSample.network,
  networkName: plainSample.networkName,
  address: plainSample.address,
  isToAccount: false,
  txHash: payment.txHash,
  href: null,
  underWay: null,
};

const assetOf = ({ assetCode }: SamplePayment): AssetDefinition =>
  present(
    knownAssets.find(({ code }) => code === assetCode),
    `asset ${assetCode}`,
  );
const groupOf = (sample: SamplePayment): AssetDefinition =>
  assetOf({ ...sample, assetCode: assetOf(sample).currencyCode });

const idOf = ({ assetCode }: SamplePayment): string => `${assetCode}:SAMPLE`;

const wayOf = (sample: SamplePayment, facts: Pick<PublicWay, 'name' | 'seconds' | 'cost' | 'isBest'>): PublicWay => {
  const { network, paymentCode, amount } = sample;
  return { value: `${network} ${idOf(sample)}`, network, assetCode: paymentCode, amount, takes: null, ...facts };
};

const coinWith = (sample: SamplePayment, ways: readonly PublicWay[]): PublicCoin => {
  const { code, name } = groupOf(sample);
  return { key: code, name, offeredAs: null, imageSrc: `/images/assets/${code.toLowerCase()}.svg`, ways };
};

const tiny = { amount: '0.01', currency: 'EUR', isLess: true };
const coins: readonly PublicCoin[] = [
  coinWith(plainSample, [
    wayOf(invoiceSample, { name: 'Lightning', seconds: { from: 1, to: 2 }, cost: tiny, isBest: true }),
    wayOf(plainSample, {
      name: plainSample.wayName,
      seconds: { from: 600, to: 1200 },
      cost: { amount: '0.85', currency: 'EUR', isLess: false },
      isBest: false,
    }),
  ]),
  coinWith(memoSample, [
    wayOf(memoSample, { name: 'Stellar', seconds: { from: 5, to: 10 }, cost: tiny, isBest: false }),
  ]),
];

function payBy(sample: SamplePayment, now: Date): PayInstructions {
  const { network, networkName, amount, address, memo, instructions } = sample;
  const code = assetOf(sample).currencyCode;
  return {
    network,
    networkName,
    assetId: idOf(sample),
    assetName: groupOf(sample).name,
    assetCode: sample.paymentCode,
    amount,
    address,
    memo,
    instructions,
    wayName: networkName,
    codeText: instructions.link.qrText,
    joint: null,
    isOutdated: false,
    payUntil: addMs(now, minutes(59)),
    windowMs: minutes(60),
    isFollowed: false,
    takesRefundAddress: true,
    offeredAs: null,
    rate: { code, price: sample.price, currency: 'EUR', sources: ['kraken', 'bitstamp'], conversionPercent: '1' },
  };
}

const due: PublicSum = { amount: plainSample.amount, assetCode: plainSample.paymentCode, price: '25.50' };

export function sampleCheckout(state: SampleState, now: Date, language: string): PublicCheckout {
  const pay = payBy(plainSample, now);
  const base: PublicCheckout = {
    id: 'sample123456',
    orderReference: null,
    state: 'PENDING',
    exceptions: [],
    language,
    shopName: 'Sample shop',
    sellerEmail: 'shop@example.com',
    helpEmail: 'shop@example.com',
    legalLine: null,
    legalLinks: {
      legalNotice: 'https://shop.example/legal',
      privacy: 'https://shop.example/privacy',
      terms: 'https://shop.example/terms',
    },
    buyer: ['Ada Example', '1 Sample Street', '12345 Sampletown', { country: 'AT' }, 'ada@example.com'],
    total: '25.50',
    currency: 'EUR',
    lines: [
      { label: 'Coffee beans', detail: { pieces: '2', each: '9.00' }, amount: '18.00' },
      { label: 'Voucher', detail: null, amount: '-2.00' },
      { label: 'Shipping', detail: null, amount: '5.25' },
      { label: 'VAT', detail: { percent: '20' }, amount: '4.25' },
    ],
    coins,
    pay,
    commitmentId: 'sample',
    choiceId: 'sample',
    arePricesHeld: true,
    place: topOfPage,
    sums: {
      due,
      received: [],
      receivedPrice: '0.00',
      missingPrice: '25.50',
      acceptedPrice: null,
      excess: [],
      returned: [],
    },
    payments: [],
    lost: [],
    isConverted: true,
    completedAt: null,
    timeZone: 'UTC',
    contact: { maskedEmail: null, refundEnding: null, canChange: true },
    wayBack: null,
    goesBackToPayer: false,
    keptPlace: null,
    refunds: [],
    hasInvoice: false,
    canReturn: true,
    canCancel: true,
    isSuspended: false,
  };
  const paid: PublicCheckout = {
    ...base,
    state: 'COMPLETED',
    pay: null,
    sums: {
      due,
      received: [due],
      receivedPrice: '25.50',
      missingPrice: null,
      acceptedPrice: null,
      excess: [],
      returned: [],
    },
    payments: [{ ...confirmed, rate: pay.rate, price: '25.50' }],
    completedAt: now,
    contact: { maskedEmail: 'a…@example.com', refundEnding: 'xad6u', canChange: false },
  };
  const part: PublicPayment = { ...payment, amount: '0.0002' };
  const partial = {
    due,
    received: [{ ...due, amount: '0.0002', price: '10.00' }],
    receivedPrice: '10.00',
    missingPrice: '15.50',
    acceptedPrice: null,
    excess: [],
    returned: [],
  };
  const tooMuch = {
    due,
    received: [{ ...due, amount: '0.0006', price: '30.00' }],
    receivedPrice: '30.00',
    missingPrice: null,
    acceptedPrice: null,
    excess: [{ ...due, amount: '0.00009', price: '4.50' }],
    returned: [],
  };
  const wayBack: PublicWayBack = { maskedEmail: 'a…@example.com', kept: 'something', offers: [] };
  const rest: PayInstructions = { ...pay, amount: '0.00031' };
  const unchosen = {
    pay: null,
    commitmentId: null,
    choiceId: null,
    sums: { ...base.sums, due: null, missingPrice: null },
  };
  const samples: Record<SampleState, PublicCheckout> = {
    created: { ...base, ...unchosen, state: 'CREATED' },
    pending: base,
    memo: { ...base, pay: payBy(memoSample, now) },
    partial: { ...base, pay: rest, sums: partial, payments: [part], exceptions: ['PARTIAL'] },
    processing: { ...paid, state: 'PROCESSING', payments: [payment], completedAt: null },
    converting: { ...paid, state: 'PROCESSING', payments: [confirmed], completedAt: null },
    completed: paid,
    late: { ...paid, state: 'DELAYED_COMPLETED', exceptions: ['LATE'] },
    overpaid: {
      ...paid,
      sums: tooMuch,
      payments: [{ ...confirmed, amount: '0.0006' }],
      wayBack,
      exceptions: ['OVERPAID'],
    },
    underpaid: {
      ...paid,
      state: 'UNDERPAID',
      pay: rest,
      sums: partial,
      payments: [{ ...confirmed, amount: '0.0002' }],
      wayBack,
      completedAt: null,
    },
    expired: { ...base, state: 'EXPIRED', pay: { ...pay, payUntil: addMs(now, -minutes(3)) } },
    canceled: { ...base, ...unchosen, state: 'CANCELED' },
    replaced: {
      ...base,
      pay: { ...pay, wayName: plainSample.wayName, joint: payBy(invoiceSample, now) },
      lost: ['replacedByOther', 'dropped'],
    },
    refunded: { ...paid, state: 'REFUNDED', payments: [], refunds: [refund] },
  };
  return samples[state];
}
