/**
 * What has become of the payments that we asked the node for. Success is final, and so is an invoice that expired
 * before the node heard of it. A failure counts only after a while: an earlier request may still be on its way to the
 * node, and would begin the payment again.
 */
import { divideUnits } from '../../money/decimal.ts';
import type { OutgoingTransaction, SentUpdate } from '../port/sending.ts';
import type { Fraction } from './lightning-cursor.ts';
import { readOrder } from './lightning-order.ts';
import { failureOf, findPayment, type LndPayment, settledAt } from './lnd-payment.ts';
import type { LndRest } from './lnd-rest.ts';

type Place = { readonly nodeId: string; readonly height: number; readonly fraction: Fraction };

export type SentPayments = {
  /** Also returns what is left of the fraction once the fees are paid. */
  updates(open: readonly OutgoingTransaction[], at: Place): Promise<{ updates: SentUpdate[]; fraction: Fraction }>;
};

/** In millisatoshis; null: it has not happened. */
type Told = { readonly update: SentUpdate; readonly gone: { readonly booked: bigint; readonly spent: bigint } | null };

type Options = {
  readonly assetCode: string;
  /** For how long a failure must stand. */
  readonly quietMs: number;
  readonly now: () => Date;
};

/** The node's clock may be behind ours, and it alone decides whether an invoice can still be paid. */
const expiryMarginMs = 60_000;
const atATime = 8;

export function createSentPayments(lnd: LndRest, { assetCode, quietMs, now }: Options): SentPayments {
  /** Since when we know of a failure. If a restart forgets it, we wait once more. */
  const failures = new Map<string, { begun: string; since: number }>();

  function hasStood(hash: string, { creation_time_ns: begun }: LndPayment): boolean {
    const known = failures.get(hash);
    if (known?.begun === begun) return performance.now() - known.since >= quietMs;
    failures.set(hash, { begun, since: performance.now() });
    return quietMs === 0;
  }

  async function updateOf({ txHash, raw }: OutgoingTransaction, at: Place): Promise<Told | null> {
    const order = readOrder(raw);
    if (order.nodeId !== at.nodeId) return null; // Only the node that was asked can tell.
    const fee = { assetCode, units: 0n };
    const failed = (reason: string): Told => ({
      update: { txHash, outcome: 'failed', block: null, reason, fee },
      gone: null,
    });
    const payment = await findPayment(lnd, txHash);
    if (payment === null) {
      const isOver = now().getTime() > Date.parse(order.expiresAt) + expiryMarginMs;
      return isOver ? failed('The invoice expired before our node could pay it.') : null;
    }
    if (payment.status === 'FAILED') return hasStood(txHash, payment) ? failed(failureOf(payment)) : null;
    failures.delete(txHash);
    if (payment.status !== 'SUCCEEDED') return null;
    const block = { hash: txHash, height: at.height, time: settledAt(payment) };
    const spent = BigInt(payment.value_msat) + BigInt(payment.fee_msat);
    return {
      update: { txHash, outcome: 'included', block, fee },
      gone: { booked: 1_000n * BigInt(order.units), spent },
    };
  }

  /** Rounded up, so that the books never say more than is there. What was rounded up reduces the next fee. */
  function withFees(told: readonly Told[], before: Fraction): { updates: SentUpdate[]; fraction: Fraction } {
    let spare = BigInt(before.msat);
    const updates = told.map(({ update, gone }) => {
      if (gone === null) return update;
      const cost = divideUnits(gone.spent - gone.booked - spare, 1_000n, 'up');
      const units = cost > 0n ? cost : 0n;
      spare += gone.booked + 1_000n * units - gone.spent;
      return { ...update, fee: { assetCode, units } };
    });
    return { updates, fraction: { ...before, msat: Number(spare) } };
  }

  return {
    async updates(open, at) {
      const waiting = open.filter(({ block }) => block === null);
      for (const hash of failures.keys()) if (!waiting.some(({ txHash }) => txHash === hash)) failures.delete(hash);
      const told: (Told | null)[] = [];
      for (let first = 0; first < waiting.length; first += atATime)
        told.push(...(await Promise.all(waiting.slice(first, first + atATime).map((each) => updateOf(each, at)))));
      return withFees(
        told.filter((each) => each !== null),
        at.fraction,
      );
    },
  };
}
