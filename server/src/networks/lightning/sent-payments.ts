/**
 * What has become of the payments that we asked the node for. Success is final, and so is an invoice that expired
 * before the node had heard of it. A failure counts after a while only: a request that set out before it may still be
 * under way, and would begin the payment anew.
 */
import { divideUnits } from '../../money/decimal.ts';
import type { OutgoingTransaction, SentUpdate } from '../port.ts';
import { readOrder } from './lightning-order.ts';
import { failureOf, findPayment, type LndPayment, settledAt } from './lnd-payment.ts';
import type { LndRest } from './lnd-rest.ts';

export type SentPayments = {
  updates(open: readonly OutgoingTransaction[], at: { nodeId: string; height: number }): Promise<SentUpdate[]>;
};

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
  /** Since when we know of a failure. Lost in a restart, it is waited for again. */
  const failures = new Map<string, { begun: string; since: number }>();

  function hasStood(hash: string, { creation_time_ns: begun }: LndPayment): boolean {
    const known = failures.get(hash);
    if (known?.begun === begun) return performance.now() - known.since >= quietMs;
    failures.set(hash, { begun, since: performance.now() });
    return quietMs === 0;
  }

  async function updateOf(
    { txHash, raw }: OutgoingTransaction,
    at: { nodeId: string; height: number },
  ): Promise<SentUpdate | null> {
    const order = readOrder(raw);
    if (order.nodeId !== at.nodeId) return null; // Only the node that was asked can tell.
    const failed = (reason: string): SentUpdate => ({
      ...{ txHash, outcome: 'failed', block: null, reason },
      fee: { assetCode, units: 0n },
    });
    const payment = await findPayment(lnd, txHash);
    if (payment === null) {
      const isOver = now().getTime() > Date.parse(order.expiresAt) + expiryMarginMs;
      return isOver ? failed('The invoice expired before our node could pay it.') : null;
    }
    if (payment.status === 'FAILED') return hasStood(txHash, payment) ? failed(failureOf(payment)) : null;
    failures.delete(txHash);
    if (payment.status !== 'SUCCEEDED') return null;
    const spent = divideUnits(BigInt(payment.value_msat) + BigInt(payment.fee_msat), 1_000n, 'up');
    const cost = spent - BigInt(order.units);
    return {
      txHash,
      outcome: 'included',
      block: { hash: txHash, height: at.height, time: settledAt(payment) },
      fee: { assetCode, units: cost > 0n ? cost : 0n },
    };
  }

  return {
    async updates(open, at) {
      const waiting = open.filter(({ block }) => block === null);
      for (const hash of failures.keys()) if (!waiting.some(({ txHash }) => txHash === hash)) failures.delete(hash);
      const updates: (SentUpdate | null)[] = [];
      for (let first = 0; first < waiting.length; first += atATime)
        updates.push(...(await Promise.all(waiting.slice(first, first + atATime).map((each) => updateOf(each, at)))));
      return updates.filter((update) => update !== null);
    },
  };
}
