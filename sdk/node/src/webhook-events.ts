/** What webhooks say. A server may know more events than this: whoever gets one that it does not know answers 200. */
import type { Checkout, Deposit, DepositPayment, Refund, Swap, Transfer } from './contract.ts';

/** COMPLETED, DELAYED_COMPLETED and RESOLVED mean that the account was credited; CHECKOUT_REVERSED takes that back. */
export type CheckoutEvent = {
  readonly eventType: 'CHECKOUT_COMPLETED' | 'CHECKOUT_UNDERPAID' | 'UNDERPAID_ACCEPTED' | 'CHECKOUT_REVERSED';
  readonly data: { readonly checkout: Checkout };
};

export type RefundEvent = {
  readonly eventType: 'REFUND_COMPLETED' | 'REFUND_PARTIAL' | 'REFUND_FAILED';
  readonly data: { readonly checkout: Checkout; readonly refund: Refund };
};

export type DepositEvent = {
  readonly eventType: 'DEPOSIT_PENDING' | 'DEPOSIT_COMPLETED' | 'DEPOSIT_REVERSED';
  readonly data: { readonly deposit: Deposit; readonly payment: DepositPayment };
};

export type SwapEvent = {
  readonly eventType: 'SWAP_COMPLETED' | 'SWAP_FAILED';
  readonly data: { readonly swap: Swap };
};

export type TransferEvent = {
  readonly eventType: 'TRANSFER_COMPLETED' | 'TRANSFER_FAILED';
  readonly data: { readonly transfer: Transfer };
};

/** Sent from the account to try a receiver out. Nothing was paid. */
export type TestEvent = {
  readonly eventType: 'TEST';
  readonly data: { readonly id: string; readonly message: string; readonly timestamp: string };
};

export type WebhookEvent = CheckoutEvent | RefundEvent | DepositEvent | SwapEvent | TransferEvent | TestEvent;
