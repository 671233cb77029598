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

export const writeOrder = (order: LightningOrder): string => JSON.stringify(order);

export function readOrder(raw: string): LightningOrder {
  const order = JSON.parse(raw) as Partial<LightningOrder>;
  if (order.invoice === undefined || order.nodeId === undefined)
    throw new NetworkError('The stored payment was not made by this connector.', { isRetryable: false });
  return order as LightningOrder;
}
