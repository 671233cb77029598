/** Checkouts for tests of pure rules: small round numbers, and only what the rule under test looks at. */
import type { CheckoutDossier, Commitment, Payment } from '../src/checkouts/checkout.ts';
import type { Refund } from '../src/checkouts/refund.ts';
import { addMs, minutes } from '../src/lib/clock.ts';
import { decimal } from '../src/money/decimal.ts';
import type { CombinedRate, MissingRate } from '../src/pricing/combine-rates.ts';
import type { SettlementTerms } from '../src/settlements/settlement-parts.ts';

const start = new Date('2026-03-01T12:00:00Z');

/** So many minutes after the checkout was made. */
export const at = (afterMinutes: number): Date => addMs(start, minutes(afterMinutes));

export const BTC = 'BTC:GISSUER';
export const LTC = 'LTC:GISSUER';
export const USDC = 'USDC:GISSUER';
const scales: Readonly<Record<string, number>> = { [BTC]: 8, [LTC]: 8, [USDC]: 7 };
const networks: Readonly<Record<string, string>> = { [BTC]: 'BITCOIN', [LTC]: 'LITECOIN', [USDC]: 'STELLAR' };
export const networkOf = (asset: string): string => networks[asset] ?? 'NOWHERE';

export type CommitmentTerms = {
  readonly id: string;
  readonly asset: string;
  readonly due: bigint;
  readonly minute: number;
  readonly credited?: string; // another asset than the paid one: the credit is converted
  readonly gross?: bigint;
  readonly fee?: bigint;
  readonly price?: string; // in the billing currency
};

export function aCommitment(terms: CommitmentTerms): Commitment {
  const credited = terms.credited ?? terms.asset;
  const gross = terms.gross ?? terms.due;
  const network = networkOf(terms.asset);
  return {
    id: terms.id,
    network,
    asset: terms.asset,
    dueUnits: terms.due,
    quote: {
      network,
      assetId: terms.asset,
      paymentCode: terms.asset.slice(0, 3),
      paymentAmount: '',
      dueUnits: terms.due.toString(),
      price: terms.price ?? '100',
      settlement: {
        assetId: credited,
        amount: '',
        netAmount: '',
        fee: '',
        grossUnits: gross.toString(),
        feeUnits: (terms.fee ?? 0n).toString(),
      },
      buffer: '0',
      rates: [],
    },
    targetKey: `target-${terms.id}`,
    address: `address-${terms.id}`,
    memo: null,
    memoType: null,
    committedAt: at(terms.minute),
    expiresAt: at(terms.minute + 60),
  };
}

export type PaymentTerms = Partial<Payment> & { readonly id: string; readonly units: bigint; readonly minute: number };

/** A payment that was seen in the given minute and is confirmed, unless said otherwise. */
export function aPayment({ minute, ...terms }: PaymentTerms): Payment {
  const state = terms.state ?? 'CONFIRMED';
  const asset = terms.asset ?? BTC;
  return {
    commitmentId: 'c1',
    takenUnits: 0n,
    place: 'none',
    inherited: [],
    valuations: [],
    firstSeenAt: at(minute),
    dayBegan: null,
    blockTime: state === 'CONFIRMED' || state === 'FINAL' ? at(minute + 1) : null,
    network: networkOf(asset),
    txHash: `tx-${terms.id}`,
    confirmationsRequired: 1,
    blockHeight: null,
    replacedBy: null,
    restOf: null,
    generation: 0,
    bridge: null,
    ...terms,
    asset,
    state,
  };
}

/** Asked for by the merchant, with an address, and not yet in the books. */
export function aRefund(terms: Pick<Refund, 'id' | 'asset' | 'units' | 'takes'> & Partial<Refund>): Refund {
  return {
    context: 'UNDERPAID_CHECKOUT',
    state: 'SENDING',
    place: 'none',
    network: networkOf(terms.asset),
    sentUnits: terms.units,
    feeUnits: 0n,
    feePaidBy: 'customer',
    heldFeeUnits: null,
    costUnits: 0n,
    cameBackUnits: 0n,
    cameBackAt: null,
    comingBack: null,
    covers: [],
    basis: 'PAID_UNITS',
    rates: [],
    address: 'there',
    memo: null,
    memoType: null,
    holder: null,
    claimExpiresAt: null,
    txHash: null,
    failure: null,
    meta: null,
    requestedAt: at(0),
    endedAt: null,
    ...terms,
  };
}

export function aDossier(parts: {
  readonly commitments: readonly Commitment[];
  readonly payments?: readonly Payment[];
  readonly checkout?: Partial<CheckoutDossier['checkout']>;
}): CheckoutDossier {
  return {
    hasStrays: false,
    crumbs: [],
    checkout: {
      merchantId: 'm',
      id: 'checkout',
      apiKey: 'key',
      type: 'API',
      origin: 'API',
      state: parts.commitments.length === 0 ? 'CREATED' : 'PENDING',
      exceptions: [],
      billingCurrency: 'USD',
      total: decimal('100'),
      settlementAsset: 'ORIGIN',
      language: 'en',
      webhook: null,
      customerId: null,
      tolerance: decimal('0.005'),
      lateTolerance: decimal('1'),
      acceptFrom: null,
      extraConfirmations: 0,
      payload: {},
      quotes: [],
      quotedAt: start,
      createdAt: start,
      windowEndsAt: parts.commitments.at(-1)?.expiresAt ?? null,
      canceledAt: null,
      acceptedAt: null,
      acceptedExcess: [],
      keptRates: [],
      awaitsBridgeSince: null,
      awaitsDecision: false,
      settlements: 0,
      ...parts.checkout,
    },
    commitments: parts.commitments,
    payments: parts.payments ?? [],
    settlements: [],
    refunds: [],
  };
}

/** Half a percent and no minimum; 10 units are dust; dollars per coin as given, and no market for the rest. */
export function sampleTerms(usd: Readonly<Record<string, string>> = {}): SettlementTerms {
  return {
    fees: { percent: decimal('0.005'), minimumUsd: decimal('0') },
    spread: decimal(0),
    rateOf(code): CombinedRate | MissingRate {
      const rate = usd[code];
      return rate === undefined ? { missing: 'no source' } : { usd: decimal(rate), sources: ['test'], at: start };
    },
    assetFacts: (assetId) => ({
      ledgerScale: scales[assetId] ?? 0,
      currencyCode: assetId.split(':')[0] ?? '',
      networks: [networkOf(assetId)],
    }),
    dustUnits: () => 10n,
  };
}
