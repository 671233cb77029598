/** One checkout in every state that a customer can meet, made up: for merchants who want to see their page. */
import { addMs, minutes } from '../lib/clock.ts';
import type { PayInstructions, PublicCheckout } from './public-checkout.ts';
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
  amount: '0.00051',
  assetCode: 'BTC',
  network: 'BITCOIN',
  networkName: 'Bitcoin',
  txHash: '7d1f3ac0b58e44f6a92c3d0e8b7a6c5f4e3d2c1b0a9f8e7d6c5b4a3928170615',
  href: null,
  isConfirmed: false,
  confirmations: 1,
  confirmationsRequired: 2,
};
const confirmed: PublicPayment = { ...payment, isConfirmed: true, confirmations: 2 };

export function sampleCheckout(state: SampleState, now: Date, language: string): PublicCheckout {
  // The addresses belong to nobody and are for test networks, so that a preview can never be paid.
  const pay: PayInstructions = {
    network: 'BITCOIN',
    networkName: 'Bitcoin',
    assetId: 'BTC:SAMPLE',
    assetName: 'Bitcoin',
    assetCode: 'BTC',
    amount: '0.00051',
    address: 'bcrt1qsamplesamplesamplesamplesamplesample',
    isOutdated: false,
    memo: null,
    muxedAddress: null,
    sep7: null,
    payUntil: addMs(now, minutes(59)),
    eip681: null,
    lightning: null,
    wallet: null,
    rate: { code: 'BTC', price: '50000.00', currency: 'EUR', sources: ['kraken', 'bitstamp'], conversionPercent: '1' },
  };
  const memo: PayInstructions = {
    ...pay,
    network: 'STELLAR',
    networkName: 'Stellar',
    assetName: 'Stellar Lumens',
    assetCode: 'XLM',
    amount: '102.0408164',
    address: 'GSAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLES',
    memo: 'sample123456',
    muxedAddress: `MSAMPLES${'AMPLES'.repeat(10)}A`,
    sep7: { issuer: null, passphrase: 'Sample network' },
  };
  const method = {
    assetId: 'BTC:SAMPLE',
    group: 'BTC',
    groupName: 'Bitcoin',
    network: 'BITCOIN',
    networkName: 'Bitcoin',
  };
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
    methods: [
      { ...method, assetName: 'Bitcoin', assetCode: 'BTC', imageSrc: '/images/assets/btc.svg', amount: '0.00051' },
      {
        ...method,
        network: 'LIGHTNING',
        networkName: 'Lightning',
        assetName: 'Bitcoin',
        assetCode: 'SAT',
        imageSrc: '/images/assets/btcln.svg',
        amount: '51000',
      },
      {
        ...method,
        network: 'STELLAR',
        networkName: 'Stellar',
        group: 'XLM',
        groupName: 'Stellar Lumens',
        assetId: 'XLM:NATIVE',
        assetName: 'Stellar Lumens',
        assetCode: 'XLM',
        imageSrc: '/images/assets/xlm.svg',
        amount: '102.0408164',
      },
    ],
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
    memo: { ...base, pay: memo },
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
