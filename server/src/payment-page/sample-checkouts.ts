/** One checkout in every state that a customer can meet, made up: for merchants who want to see their page. */
import { knownAssets } from '../catalog/known-assets.ts';
import { present } from '../lib/assert.ts';
import { addMs, minutes } from '../lib/clock.ts';
import type { AssetDefinition } from '../networks/port/asset-definition.ts';
import { invoiceSample, memoSample, plainSample, type SamplePayment } from '../networks/sample-payments.ts';
import type { PayInstructions, PublicCheckout, PublicMethod } from './public-checkout.ts';
import type { PublicPayment } from './public-payment.ts';

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
};
const confirmed: PublicPayment = { ...payment, isConfirmed: true, confirmations: 2 };

const assetOf = ({ assetCode }: SamplePayment): AssetDefinition =>
  present(
    knownAssets.find(({ code }) => code === assetCode),
    `asset ${assetCode}`,
  );
const groupOf = (sample: SamplePayment): AssetDefinition =>
  assetOf({ ...sample, assetCode: assetOf(sample).currencyCode });

const methodOf = (sample: SamplePayment): PublicMethod => ({
  network: sample.network,
  networkName: sample.networkName,
  assetId: `${sample.assetCode}:SAMPLE`,
  assetName: groupOf(sample).name,
  assetCode: sample.paymentCode,
  imageSrc: `/images/assets/${sample.assetCode.toLowerCase()}.svg`,
  group: assetOf(sample).group,
  groupName: groupOf(sample).name,
  amount: sample.amount,
});

function payBy(sample: SamplePayment, now: Date): PayInstructions {
  const { network, networkName, assetId, assetName, assetCode } = methodOf(sample);
  const { amount, address, memo, instructions } = sample;
  const code = assetOf(sample).currencyCode;
  return {
    ...{ network, networkName, assetId, assetName, assetCode, amount, address, memo, instructions },
    isOutdated: false,
    payUntil: addMs(now, minutes(59)),
    takesRefundAddress: true,
    rate: { code, price: sample.price, currency: 'EUR', sources: ['kraken', 'bitstamp'], conversionPercent: '1' },
  };
}

export function sampleCheckout(state: SampleState, now: Date, language: string): PublicCheckout {
  const pay = payBy(plainSample, now);
  const base: PublicCheckout = {
    id: 'sample123456',
    state: 'PENDING',
    exceptions: [],
    language,
    shopName: 'Sample shop',
    sellerEmail: 'shop@example.com',
    buyer: ['Ada Example', '1 Sample Street', '12345 Sampletown', 'ada@example.com'],
    total: '25.50',
    currency: 'EUR',
    lines: [
      { label: 'Coffee beans', detail: { pieces: '2', each: '9.00' }, amount: '18.00' },
      { label: 'Voucher', detail: null, amount: '-2.00' },
      { label: 'Shipping', detail: null, amount: '5.50' },
      { label: 'VAT', detail: { percent: '19' }, amount: '4.00' },
    ],
    methods: [plainSample, invoiceSample, memoSample].map(methodOf),
    pay,
    chosen: null,
    payments: [],
    lost: [],
    isConverted: true,
    completedAt: null,
    contact: { maskedEmail: null, hasRefundAddress: false, canChange: true },
    hasInvoice: false,
    canReturn: true,
    canCancel: true,
  };
  const paid: PublicCheckout = {
    ...base,
    state: 'COMPLETED',
    pay: null,
    payments: [confirmed],
    completedAt: now,
    contact: { maskedEmail: 'a…@example.com', hasRefundAddress: true, canChange: false },
  };
  const part: PublicPayment = { ...payment, amount: '0.0002' };
  const rest: PayInstructions = { ...pay, amount: '0.00031' };
  const samples: Record<SampleState, PublicCheckout> = {
    created: { ...base, state: 'CREATED', pay: null },
    pending: base,
    memo: { ...base, pay: payBy(memoSample, now) },
    partial: { ...base, pay: rest, payments: [part], exceptions: ['PARTIAL'] },
    processing: { ...paid, state: 'PROCESSING', payments: [payment], completedAt: null },
    converting: { ...paid, state: 'PROCESSING', completedAt: null },
    completed: paid,
    late: { ...paid, state: 'DELAYED_COMPLETED', exceptions: ['LATE'] },
    overpaid: { ...paid, exceptions: ['OVERPAID'] },
    underpaid: {
      ...paid,
      state: 'UNDERPAID',
      pay: rest,
      payments: [{ ...confirmed, amount: '0.0002' }],
      completedAt: null,
    },
    expired: { ...base, state: 'EXPIRED' },
    canceled: { ...base, state: 'CANCELED', pay: null },
    replaced: { ...base, lost: ['replacedByOther', 'dropped'] },
    refunded: { ...paid, state: 'REFUNDED', payments: [] },
  };
  return samples[state];
}
