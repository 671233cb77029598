/** How checkouts and their parts look in the database, and how they get there and back. */
import type { Row } from '../db/database.ts';
import { type RailSumRow, toRailSum } from '../deposits/payment-totals.ts';
import { parseExactly } from '../http/parse-json.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import type { Holder } from '../networks/port/sending.ts';
import type { Checkout, CheckoutDossier, Commitment, KeptRate, Payment, Settlement } from './checkout.ts';
import type { CheckoutException, CheckoutState, PaymentPlace, PaymentState } from './checkout-state.ts';
import {
  type AcceptedExcess,
  type Cover,
  type FeePayer,
  type Refund,
  type RefundBasis,
  type RefundContext,
  type RefundPlace,
  type RefundState,
  recountTaken,
  type Take,
} from './refund.ts';

/** A column of its own is a date; inside JSON it is a text. */
type Moment = Date | string;

const toDate = (moment: Moment | null): Date | null => (moment === null ? null : new Date(moment));

export type CheckoutRow = Row &
  Record<'merchant_id' | 'id' | 'billing_currency' | 'total' | 'tolerance' | 'late_tolerance', string> & {
    api_key: string | null;
    type: Checkout['type'];
    origin: string;
    state: CheckoutState;
    exceptions: CheckoutException[];
    settlement_asset: string;
    language: string;
    webhook: string | null;
    customer_id: string | null;
    accept_from: string | null;
    extra_confirmations: number;
    payload: string;
    quotes: Checkout['quotes'];
    quoted_at: Moment;
    created_at: Moment;
    window_ends_at: Moment | null;
    canceled_at: Moment | null;
    accepted_at: Moment | null;
    accepted_excess: AcceptedExcess[];
    kept_rates: KeptRate[];
    awaits_bridge_since: Moment | null;
    awaits_decision: boolean;
    settlements: number;
  };

export const toCheckout = (row: CheckoutRow): Checkout => ({
  merchantId: row.merchant_id,
  id: row.id,
  apiKey: row.api_key,
  type: row.type,
  origin: row.origin,
  state: row.state,
  exceptions: row.exceptions,
  billingCurrency: row.billing_currency,
  total: decimal(row.total),
  settlementAsset: row.settlement_asset,
  language: row.language,
  webhook: row.webhook,
  customerId: row.customer_id,
  tolerance: decimal(row.tolerance),
  lateTolerance: decimal(row.late_tolerance),
  acceptFrom: row.accept_from === null ? null : decimal(row.accept_from),
  extraConfirmations: row.extra_confirmations,
  payload: parseExactly(row.payload) as Checkout['payload'],
  quotes: row.quotes,
  quotedAt: new Date(row.quoted_at),
  createdAt: new Date(row.created_at),
  windowEndsAt: toDate(row.window_ends_at),
  canceledAt: toDate(row.canceled_at),
  acceptedAt: toDate(row.accepted_at),
  acceptedExcess: row.accepted_excess,
  keptRates: row.kept_rates,
  awaitsBridgeSince: toDate(row.awaits_bridge_since),
  awaitsDecision: row.awaits_decision,
  settlements: row.settlements,
});

export const fromCheckout = (checkout: Checkout) => ({
  merchant_id: checkout.merchantId,
  id: checkout.id,
  api_key: checkout.apiKey,
  type: checkout.type,
  origin: checkout.origin,
  state: checkout.state,
  exceptions: checkout.exceptions,
  billing_currency: checkout.billingCurrency,
  total: formatDecimal(checkout.total),
  settlement_asset: checkout.settlementAsset,
  language: checkout.language,
  webhook: checkout.webhook,
  customer_id: checkout.customerId,
  tolerance: formatDecimal(checkout.tolerance),
  late_tolerance: formatDecimal(checkout.lateTolerance),
  accept_from: checkout.acceptFrom && formatDecimal(checkout.acceptFrom),
  extra_confirmations: checkout.extraConfirmations,
  payload: checkout.payload,
  quotes: checkout.quotes,
  quoted_at: checkout.quotedAt,
  created_at: checkout.createdAt,
  settlements: checkout.settlements,
});

/** The parts arrive as JSON inside the row of their checkout: times are text, and so are amounts. */
export type DossierRow = CheckoutRow & {
  commitment_rows: CommitmentRow[] | null;
  payment_rows: PaymentRow[] | null;
  crumb_rows: RailSumRow[] | null;
  settlement_rows: SettlementRow[] | null;
  refund_rows: RefundRow[] | null;
  has_strays: boolean;
};

export const toDossier = (row: DossierRow): CheckoutDossier =>
  recountTaken({
    checkout: toCheckout(row),
    commitments: partsOf<CommitmentRow>(row.commitment_rows).map(toCommitment),
    payments: partsOf<PaymentRow>(row.payment_rows).map(toPayment),
    crumbs: partsOf<RailSumRow>(row.crumb_rows).map(toRailSum),
    settlements: partsOf<SettlementRow>(row.settlement_rows).map(toSettlement),
    refunds: partsOf<RefundRow>(row.refund_rows).map(toRefund),
    hasStrays: row.has_strays,
  });

const partsOf = <Part>(json: Part[] | null): Part[] => json ?? [];

type CommitmentRow = Record<'id' | 'network' | 'asset' | 'due_units' | 'target_key' | 'address', string> & {
  quote: Commitment['quote'];
  memo: string | null;
  memo_type: string | null;
  committed_at: string;
  expires_at: string;
};

const toCommitment = (row: CommitmentRow): Commitment => ({
  id: row.id,
  network: row.network,
  asset: row.asset,
  dueUnits: BigInt(row.due_units),
  quote: row.quote,
  targetKey: row.target_key,
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  committedAt: new Date(row.committed_at),
  expiresAt: new Date(row.expires_at),
});

type PaymentRow = Record<'id' | 'network' | 'tx_hash' | 'asset' | 'units', string> & {
  commitment_id: string | null;
  state: PaymentState;
  place: PaymentPlace;
  generation: number;
  replaced_by: string | null;
  rest_of: string | null;
  confirmations_required: number;
  block_height: number | null;
  block_time: string | null;
  first_seen_at: string;
  day_began_at: string | null;
  inherited: Payment['inherited'];
  valuations: Payment['valuations'];
  bridge_tx: string | null;
  bridged_at: string | null;
};

const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  commitmentId: row.commitment_id,
  network: row.network,
  txHash: row.tx_hash,
  asset: row.asset,
  units: BigInt(row.units),
  takenUnits: 0n,
  state: row.state,
  place: row.place,
  generation: row.generation,
  replacedBy: row.replaced_by,
  restOf: row.rest_of,
  confirmationsRequired: row.confirmations_required,
  blockHeight: row.block_height,
  blockTime: toDate(row.block_time),
  firstSeenAt: new Date(row.first_seen_at),
  dayBegan: toDate(row.day_began_at),
  inherited: row.inherited,
  valuations: row.valuations,
  bridge: row.bridged_at === null ? null : { txHash: row.bridge_tx, at: new Date(row.bridged_at) },
});

type SettlementRow = {
  generation: number;
  reference: string;
  parts: Settlement['parts'];
  settled_at: string;
  reversed_at: string | null;
};

const toSettlement = (row: SettlementRow): Settlement => ({
  generation: row.generation,
  reference: row.reference,
  parts: row.parts,
  settledAt: new Date(row.settled_at),
  reversedAt: toDate(row.reversed_at),
});

export type RefundRow = Record<
  'id' | 'network' | 'asset' | 'units' | 'sent_units' | 'fee_units' | 'cost_units' | 'came_back_units',
  string
> & {
  came_back_at: Moment | null;
  held_fee_units: string | null;
  context: RefundContext;
  state: RefundState;
  place: RefundPlace;
  fee_paid_by: FeePayer;
  takes: Take[];
  covers: Cover[];
  basis: RefundBasis;
  rates: Refund['rates'];
  address: string | null;
  memo: string | null;
  memo_type: string | null;
  holder: Holder | null;
  claim_expires_at: Moment | null;
  tx_hash: string | null;
  failure: string | null;
  meta: string | null;
  requested_at: Moment;
  ended_at: Moment | null;
};

export const toRefund = (row: RefundRow): Refund => ({
  id: row.id,
  context: row.context,
  state: row.state,
  place: row.place,
  network: row.network,
  asset: row.asset,
  units: BigInt(row.units),
  sentUnits: BigInt(row.sent_units),
  feeUnits: BigInt(row.fee_units),
  feePaidBy: row.fee_paid_by,
  heldFeeUnits: row.held_fee_units === null ? null : BigInt(row.held_fee_units),
  cameBackUnits: BigInt(row.came_back_units),
  cameBackAt: toDate(row.came_back_at),
  comingBack: null,
  costUnits: BigInt(row.cost_units),
  takes: row.takes,
  covers: row.covers,
  basis: row.basis,
  rates: row.rates,
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  holder: row.holder,
  claimExpiresAt: toDate(row.claim_expires_at),
  txHash: row.tx_hash,
  failure: row.failure,
  meta: row.meta === null ? null : parseExactly(row.meta),
  requestedAt: new Date(row.requested_at),
  endedAt: toDate(row.ended_at),
});

type Key = { readonly merchantId: string; readonly id: string };

export const fromCommitment = (checkout: Key, commitment: Commitment) => ({
  merchant_id: checkout.merchantId,
  checkout_id: checkout.id,
  id: commitment.id,
  network: commitment.network,
  asset: commitment.asset,
  due_units: commitment.dueUnits.toString(),
  quote: commitment.quote,
  target_key: commitment.targetKey,
  address: commitment.address,
  memo: commitment.memo,
  memo_type: commitment.memoType,
  committed_at: commitment.committedAt,
  expires_at: commitment.expiresAt,
});

export const fromSettlement = (checkout: Key, settlement: Settlement) => ({
  merchant_id: checkout.merchantId,
  checkout_id: checkout.id,
  generation: settlement.generation,
  reference: settlement.reference,
  parts: settlement.parts,
  settled_at: settlement.settledAt,
});
