/**
 * Every job there is, and what it carries. Payloads hold ids, never state: a handler reads what is true when it runs,
 * in one transaction, and must be safe to run twice.
 */
export type JobCatalog = {
  /** Something about this checkout may have changed (a payment, the clock): look again and do what is due. */
  'checkout.advance': { merchantId: string; checkoutId: string };
  /**
   * Note of odd checkouts, so many at once, whether they await a decision: once, after an upgrade from a release that
   * did not. `after`: those up to there are done.
   */
  'checkout.recount': { after?: WalkedTo };
  /** Make the terms by which checkouts are found anew, so many at once: first what is missing, then what is too much. */
  'terms.rebuild': { after?: WalkedTo; sweptTo?: SweptTo };
  /** Something about this custom deposit may have changed. */
  'deposit.advance': { merchantId: string; depositId: string };
  /** The operator brought in money of its own, or a reorganisation took it away again. */
  'funding.book': { network: string };
  /** Make the target, with this id, at which the operator brings in money. An invoice needs the amount. */
  'funding.address': { network: string; targetId: string; amount: string | null };
  /**
   * A payout has ended, well or badly. One job for each purpose of a payout; the payout's id has the name `transferId`,
   * which the previous release knows.
   */
  'transfer.advance': { merchantId: string; transferId: string };
  'refund.advance': { merchantId: string; transferId: string };
  'settlement.advance': { merchantId: string; transferId: string };
  'return.advance': { merchantId: string; transferId: string };
  'withdrawal.advance': { merchantId: string; transferId: string };
  'bridge.advance': { merchantId: string; transferId: string };
  /** A market has answered about this swap, or has had enough time to answer. */
  'swap.advance': { merchantId: string; swapId: string };
  /**
   * Compare the books with what the networks say that we hold, where that was not done since then. One job is enough.
   */
  'books.reconcile': { since?: string };
  /** The operator takes out its own money, under an id that it chose. */
  'withdrawal.request': WithdrawalOrder;
  /**
   * The operator sends back what nobody asked for, under an id that it chose. Without an address: to where it came from. The
   * previous release does not know this name.
   */
  'return.request': {
    transferId: string;
    paymentId: string;
    address: string | null;
    memo: string | null;
    memoType: string | null;
    feeUnits: string;
  };
  /** Read a file of a bank that came by the command line. The previous release does not know this name. */
  'bank.import': { orderId: string };
  /** Compare the books with the balance of a document that was accepted. The previous release does not know this name. */
  'bank.compare': { network: string; position: number };
  /** Make a payment file that was asked for by the command line. The previous release does not know this name. */
  'bank.file': { orderId: string };
  /** The operator takes back an order that waits to leave a suspended account. The previous release does not know this name. */
  'order.cancel': { merchantId: string; orderId: string };
  /** Bring one event to the merchant's server, or try again later. */
  'webhook.deliver': { merchantId: string; deliveryId: string };
  /**
   * Write the link to a refund that the payer asked for. The previous release does not know this name, so it leaves the
   * job to others.
   */
  'refund.mail': { merchantId: string; refundId: string };
  /** Write to the payer who left an address, about the settlement that stands when the job runs. */
  'email.send': { merchantId: string; checkoutId: string; kind: 'receipt' };
  /**
   * Issue what is due of this checkout: the invoice of its settlement, credit notes for what was refunded or taken back. The
   * previous release does not know this name.
   */
  'paper.issue': { merchantId: string; checkoutId: string };
  /**
   * Write to the customer whom the shop linked what has become of the order, if that is still so. `cause`: which settlement,
   * which refund, or when. The previous release does not know this name.
   */
  'status.mail': {
    merchantId: string;
    checkoutId: string;
    kind: 'created' | 'paid' | 'underpaid' | 'expired' | 'refunded';
    cause: string;
    at: string;
  };
  /** Forget this deleted customer, once every invoice is issued. The previous release does not know this name. */
  'customer.erase': { merchantId: string; customerId: string };
  /** Write the receipt once more, because somebody asked for it then. */
  'receipt.again': { merchantId: string; checkoutId: string; askedAt: string };
  /** Likewise a paper. The previous release does not know this name: it would write the receipt in its place. */
  'paper.mail': { merchantId: string; checkoutId: string; paperId: string; askedAt: string };
  /** Write to somebody what waits for them. `items`: their names; what is gone by then is left out. */
  'needs.mail': { merchantId: string; personId: string; items: readonly string[]; isDigest: boolean; at: string };
  /** Likewise to somebody of the operator's staff, about the house. The previous release does not know this name. */
  'staff.mail': { personId: string; items: readonly string[]; isDigest: boolean; at: string };
  /**
   * Write to somebody who moves the operator's money what has changed about the staff. `about`: the address of the one it is
   * about. The previous release does not know this name.
   */
  'staff.news': {
    personId: string;
    what:
      | 'invited'
      | 'joined'
      | 'role-changed'
      | 'removed'
      | 'recovery-asked'
      | 'recovered'
      | 'owner-invited'
      | 'passkey-added';
    about: string;
    role: string | null;
    /** By name: which somebody shall own. */
    account?: string;
    by: string;
    at: string;
  };
  /**
   * Write to somebody who moves the operator's money that some of it, or of what nobody asked for, is about to leave or does,
   * or is assigned. `orderId`: of the withdrawal or the return, or of the payment that is assigned. The previous release does not know this name.
   */
  'staff.order': { personId: string; what: OrderNews; orderId: string; by: string; at: string };
  /** Make the next part of a file that somebody asked for. The previous release knows none of these six. */
  'export.make': { merchantId: string; exportId: string };
  /** Tell who asked for it that it is ready. */
  'export.mail': { merchantId: string; exportId: string };
  /** It was kept long enough. */
  'export.delete': { merchantId: string; exportId: string };
  /** Somebody lost a role or a key: files of who may not have them any more are deleted. */
  'export.review': { merchantId: string };
  /** A month of this account may be over: tell those who want to know that its statement is there. */
  'statement.announce': { merchantId: string };
  'statement.mail': { merchantId: string; personId: string; month: string };
  /** Write to somebody who signs in or is to. The link in it is made when it is written: no job holds its token. */
  'person.email':
    | { kind: 'sign-in'; email: string; browserHash: string }
    /** Give the link a token, and mail it. */
    | { kind: 'link'; linkId: string; language: string }
    /** This and the next two are of the previous release, which made the link when it was mailed. */
    | {
        kind: 'invitation';
        email: string;
        language: string;
        merchantId: string;
        role: string;
        madeBy: string;
        isFirstOwner?: boolean;
      }
    | { kind: 'staff-invitation'; email: string; role: string; madeBy: string }
    | { kind: 'recovery'; personId: string; merchantId: string; madeBy: string }
    | { kind: 'recovery-announced'; personId: string; merchantId: string; lost: string; goodFrom: string }
    /** To the address of the account itself: somebody shall own it, which nobody did. */
    | { kind: 'owner-invited'; merchantId: string; email: string; goodFrom: string }
    | { kind: 'approver-lost'; personId: string; merchantId: string }
    /** Somebody whom the others do not know yet can approve there from then on. The previous release knows neither this kind nor the next. */
    | { kind: 'new-hand'; personId: string; merchantId: string; about: string; from: string }
    | { kind: 'credential-added'; personId: string; what: 'passkey' | 'password' | 'app' | 'codes'; at: string }
    | { kind: 'sign-up'; email: string; language: string }
    | { kind: 'sign-up-decided'; personId: string; business: string; isApproved: boolean };
};

export type OrderNews =
  | 'withdrawal-asked'
  | 'withdrawal-let-go'
  | 'return-asked'
  | 'return-let-go'
  | 'own-asked'
  | 'own-taken'
  | 'small-own-asked'
  | 'small-own-taken'
  | 'assigned';

/** How far a walk over the checkouts of all merchants has come. */
export type WalkedTo = { readonly merchantId: string; readonly createdAt: string; readonly id: string };

/** Likewise a walk over terms; null: at their beginning. */
export type SweptTo = (WalkedTo & { readonly term: string }) | null;

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

/** Those that write to somebody, and wait for a mail server. */
export const mailJobs = [
  'email.send',
  'status.mail',
  'receipt.again',
  'paper.mail',
  'refund.mail',
  'needs.mail',
  'staff.mail',
  'staff.news',
  'staff.order',
  'person.email',
  'export.mail',
  'statement.mail',
] as const satisfies readonly JobName[];
