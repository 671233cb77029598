/** What we ask the node to pay, as it is stored before it is asked. It signs by itself, so this is the transaction. */
import { assert } from '../../lib/assert.ts';
import { divideUnits } from '../../money/decimal.ts';
import { NetworkError } from '../port/connector.ts';

export type LightningOrder = {
  readonly paymentHash: string;
  readonly invoice: string;
  readonly units: string; // satoshis
  /** An invoice without an amount is told how much it is paid; one with an amount must not be. */
  readonly isAmountOpen: boolean;
  readonly feeLimit: string; // satoshis
  readonly timeoutSeconds: number;
  /** Into how many parts the node may cut it: each of them takes a slot. Left out by earlier releases, like the next. */
  readonly partsMax?: number;
  /** For how many blocks it may be held on its way, that is from us to the payee. */
  readonly holdBlocksMax?: number;
  readonly expiresAt: string; // of the invoice
  /** The node that is asked: another one would know nothing of it, and might pay a second time. */
  readonly nodeId: string;
};

export type FeeLimit = { readonly partsPerMillion: bigint; readonly minimumUnits: bigint };

/** Whether it is whole satoshis. Parts of one are in no book: more or less would leave than is booked as gone. */
export const isWhole = (msat: bigint): boolean => msat % 1_000n === 0n;

/** Of whole ones. */
export function satoshisOf(msat: bigint): bigint {
  assert(isWhole(msat), 'an invoice over parts of a satoshi is refused before');
  return msat / 1_000n;
}

export function feeLimitOf(units: bigint, { partsPerMillion, minimumUnits }: FeeLimit): bigint {
  const share = divideUnits(units * partsPerMillion, 1_000_000n, 'up');
  return share > minimumUnits ? share : minimumUnits;
}

/** LND adds so many blocks to what the payee asks for, so that a block found meanwhile does no harm. */
export const paddingBlocks = 3;

const partsMost = 8;
const satoshisOfPart = 100_000n;

/** A part for each hundred thousand satoshis begun: small payments find a way whole, and each part takes a slot. */
export function partsOf(units: bigint, slotsMax = partsMost): number {
  const wanted = divideUnits(units, satoshisOfPart, 'up');
  return Math.max(1, Math.min(partsMost, slotsMax, Number(wanted < BigInt(partsMost) ? wanted : BigInt(partsMost))));
}

export const writeOrder = (order: LightningOrder): string => JSON.stringify(order);

export function readOrder(raw: string): LightningOrder {
  const order = JSON.parse(raw) as Partial<LightningOrder>;
  if (order.invoice === undefined || order.nodeId === undefined)
    throw new NetworkError('The stored payment was not made by this connector.', { isRetryable: false });
  return order as LightningOrder;
}
