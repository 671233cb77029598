/** Lets an LDK node make the payments of the book, and stores how they end, in LND's words. */
import * as ldk from 'lightningdevkit';
import { beginPayment, fromHex, type ReadInvoice, toHex } from './ldk-invoice.ts';
import type { LdkNode } from './ldk-node.ts';
import type { OrderedPayment } from './lnd-router.ts';
import type { PaymentBook } from './payment-book.ts';

const { PaymentFailureReason, RetryableSendFailure } = ldk;

const failures: ReadonlyMap<ldk.PaymentFailureReason, string> = new Map([
  [PaymentFailureReason.LDKPaymentFailureReason_RecipientRejected, 'FAILURE_REASON_INCORRECT_PAYMENT_DETAILS'],
  [PaymentFailureReason.LDKPaymentFailureReason_UserAbandoned, 'FAILURE_REASON_CANCELED'],
  [PaymentFailureReason.LDKPaymentFailureReason_RetriesExhausted, 'FAILURE_REASON_NO_ROUTE'],
  [PaymentFailureReason.LDKPaymentFailureReason_PaymentExpired, 'FAILURE_REASON_TIMEOUT'],
  [PaymentFailureReason.LDKPaymentFailureReason_RouteNotFound, 'FAILURE_REASON_NO_ROUTE'],
]);

export type LdkPayments = {
  send(invoice: ReadInvoice, payment: OrderedPayment): void;
  estimateFee(payee: string, sat: bigint): bigint | null;
  /** After a start: payments in the book that the node never began, because we died in between, have failed. */
  failForgotten(): void;
  onEvent(event: ldk.Event): void;
};

export function createLdkPayments(node: () => LdkNode, book: PaymentBook): LdkPayments {
  const isUnderWay = (hash: string): boolean =>
    book.payments.get(hash)?.outcome === undefined && book.payments.has(hash);
  const canSend = (): bigint =>
    node()
      .channels.list_usable_channels()
      .reduce((sum, channel) => sum + channel.get_outbound_capacity_msat(), 0n);

  return {
    send(invoice, { msat, ...limits }) {
      const { hash } = invoice;
      if (canSend() < msat) return book.fail(hash, 'FAILURE_REASON_INSUFFICIENT_BALANCE');
      const given = invoice.msat === null ? { msat } : {};
      const answer = beginPayment(node(), invoice, { ...given, ...limits, paymentId: fromHex(hash) });
      if (answer === 'begun') return;
      const isLate = answer === RetryableSendFailure.LDKRetryableSendFailure_PaymentExpired;
      book.fail(hash, isLate ? 'FAILURE_REASON_TIMEOUT' : 'FAILURE_REASON_NO_ROUTE');
    },

    /** Zero to a neighbour; for everyone else nothing is known, because the channels are not announced. */
    estimateFee: (payee, sat) =>
      node()
        .channels.list_usable_channels()
        .some(
          (channel) =>
            toHex(channel.get_counterparty().get_node_id()) === payee &&
            channel.get_outbound_capacity_msat() >= 1_000n * sat,
        )
        ? 0n
        : null,

    failForgotten() {
      const known = new Set(node().channels.list_recent_payments().map(idOf));
      for (const { hash } of book.underWay()) if (!known.has(hash)) book.fail(hash, 'FAILURE_REASON_ERROR');
    },

    onEvent(event) {
      if (event instanceof ldk.Event_PaymentSent) {
        const hash = toHex(event.payment_hash);
        const { fee_paid_msat: fee } = event;
        if (isUnderWay(hash))
          book.succeed(hash, toHex(event.payment_preimage), fee instanceof ldk.Option_u64Z_Some ? fee.some : 0n);
      } else if (event instanceof ldk.Event_PaymentFailed) {
        const hash = toHex(event.payment_id);
        const { reason } = event;
        const known = reason instanceof ldk.Option_PaymentFailureReasonZ_Some ? failures.get(reason.some) : undefined;
        if (isUnderWay(hash)) book.fail(hash, known ?? 'FAILURE_REASON_ERROR');
      }
    },
  };
}

function idOf(payment: ldk.RecentPaymentDetails): string | null {
  const isNamed =
    payment instanceof ldk.RecentPaymentDetails_Pending ||
    payment instanceof ldk.RecentPaymentDetails_Fulfilled ||
    payment instanceof ldk.RecentPaymentDetails_Abandoned;
  return isNamed ? toHex(payment.payment_id) : null;
}
