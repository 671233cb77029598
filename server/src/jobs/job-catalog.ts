/**
 * Every job there is, and what it carries. Payloads hold ids, never state: a handler reads what is true when it runs,
 * in one transaction, and must be safe to run twice.
 */
export type JobCatalog = {
  /** Something about this checkout may have changed (a payment, the clock): look again and do what is due. */
  'checkout.advance': { merchantId: string; checkoutId: string };
  /** Something about this custom deposit may have changed. */
  'deposit.advance': { merchantId: string; depositId: string };
  /** The operator brought in money of its own, or a reorganisation took it away again. */
  'funding.book': { network: string };
  /** Make the target, with this id, at which the operator brings in money; an invoice needs the amount. */
  'funding.address': { network: string; targetId: string; amount: string | null };
  /** What was asked of `sending` has ended, well or badly. One job for each purpose for which money is sent. */
  'transfer.advance': { merchantId: string; transferId: string };
  'refund.advance': { merchantId: string; transferId: string };
  'settlement.advance': { merchantId: string; transferId: string };
  'return.advance': { merchantId: string; transferId: string };
  'withdrawal.advance': { merchantId: string; transferId: string };
  'bridge.advance': { merchantId: string; transferId: string };
  /** A market has answered about this swap, or has had long enough to. */
  'swap.advance': { merchantId: string; swapId: string };
  /** Hold the books against what the networks say that we hold, where that was not done since then. One is enough. */
  'books.reconcile': { since?: string };
  /** The operator takes out money of its own, under the id that it chose. */
  'withdrawal.request': WithdrawalOrder;
  /** Bring one event to the merchant's server, or try again later. */
  'webhook.deliver': { merchantId: string; deliveryId: string };
  /** Write to the payer who left an address, about the settlement that stands when this runs. */
  'email.send': { merchantId: string; checkoutId: string; kind: 'receipt' };
};

export type WithdrawalOrder = {
  readonly transferId: string;
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: 'text' | 'id' | 'hash' | 'return' | null;
};

export type JobName = keyof JobCatalog;
