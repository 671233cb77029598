import { GatewayError, notFound, type ToldProblem, told, tryLater } from '../lib/errors.ts';
import type { CheckoutState } from './checkout-state.ts';

export const checkoutNotFound = (id: string): GatewayError => notFound('checkout', id);

export const networkNotOffered = (network: string, offered: readonly string[]): GatewayError =>
  new GatewayError({
    code: 'network_not_offered',
    httpStatus: 422,
    message: `${network} is not among this checkout's payment methods. It can be paid with ${list(offered)}.`,
  });

export const assetNotOffered = (asset: string, network: string, offered: readonly string[]): GatewayError =>
  new GatewayError({
    code: 'asset_not_offered',
    httpStatus: 422,
    message: `${asset} cannot be paid on ${network} for this checkout. There it can be paid with ${list(offered)}.`,
  });

export type LeftOutMethod = {
  readonly network: string;
  readonly assetId: string | null; // null: all that the network carries
  readonly reason: ToldProblem; // a whole sentence
  readonly isPassing: boolean;
};

export type NothingOffered = {
  readonly leftOut: readonly LeftOutMethod[];
  /** Sentences that say what would be right. */
  readonly advice: readonly ToldProblem[];
};

/** It was offered before and may be offered again: only the moment is bad. */
export const methodAway = ({ reason }: LeftOutMethod): GatewayError =>
  tryLater('method_away', `${reason.sentence} Choose another payment method or try again later.`, 30);

/** If no network can ever take this charge, the request is wrong. Otherwise only the moment is bad. */
export function noPaymentMethod({ leftOut, advice }: NothingOffered): GatewayError {
  const code = 'no_payment_method';
  const reasons = leftOut.map(({ reason }) => reason);
  const opening = told('nothing_takes_it', 'There is no payment method for this charge at the moment.');
  const message = [opening, ...reasons, ...advice];
  return leftOut.some(({ isPassing }) => isPassing)
    ? tryLater(code, message, 30)
    : new GatewayError({ code, httpStatus: 422, message });
}

export const notInStock = ({ sentence }: ToldProblem): GatewayError =>
  tryLater('not_in_stock', `${sentence} Choose another payment method or try again later.`, 60);

export const assetNotCreditable = (asset: string): GatewayError =>
  new GatewayError({
    code: 'asset_not_creditable',
    httpStatus: 400,
    message:
      `The account cannot be credited in ${asset}: it is not offered here, or is riskier than the account takes. Choose ` +
      'another asset, a higher risk tolerance, or ORIGIN.',
    facts: { asset },
  });

/** `instead`: what can be credited all the same. */
export function nothingPayable(instead: readonly string[]): GatewayError {
  const advice = [...(instead.length === 0 ? [] : [instead.join(' or ')]), 'a risk tolerance of MEDIUM'].join(', or ');
  return new GatewayError({
    code: instead.length === 0 ? 'nothing_payable_but_medium' : 'nothing_payable',
    httpStatus: 400,
    message:
      'Nothing could be paid: what is paid would be credited as it is (ORIGIN), and all that can be paid with here is ' +
      `riskier than the account takes. Choose ${advice}.`,
    facts: { assets: instead.join(' / ') },
  });
}

export const accountAssetGone = (asset: string): GatewayError =>
  new GatewayError({
    code: 'account_asset_gone',
    httpStatus: 400,
    message: `${asset}, which the account is credited in, is not offered any more: choose another one in its settlement settings.`,
    facts: { asset },
  });

export const acceptanceNotInStock = (): GatewayError =>
  tryLater(
    'not_in_stock',
    'The service has not enough in stock to credit this in the settlement asset at the moment. Try again later, or refund it.',
    60,
  );

export const cannotCommit = (state: CheckoutState): GatewayError =>
  new GatewayError({
    code: 'cannot_commit',
    httpStatus: 409,
    message: `This checkout is ${state}: a payment method can no longer be chosen.`,
  });

export const cannotCancel = (state: CheckoutState, hasPayments: boolean): GatewayError =>
  new GatewayError({
    code: 'cannot_cancel',
    httpStatus: 409,
    message: hasPayments
      ? 'This checkout has received a payment and can no longer be cancelled.'
      : `This checkout is ${state} and can no longer be cancelled.`,
  });

export const cannotAccept = (state: CheckoutState): GatewayError =>
  new GatewayError({
    code: 'cannot_accept',
    httpStatus: 409,
    message: `This checkout is ${state}: only an UNDERPAID checkout can be accepted.`,
  });

export const nothingToAccept = (): GatewayError =>
  new GatewayError({
    code: 'nothing_to_accept',
    httpStatus: 409,
    message: 'All that this checkout received is set aside for a refund: cancel that first.',
  });

export const noReceiptToSend = (): GatewayError =>
  new GatewayError({
    code: 'no_receipt_to_send',
    httpStatus: 409,
    message:
      'There is no receipt to send: the checkout is not paid on a page of ours, or nobody left an e-mail address.',
  });

export const receiptSentOften = (seconds: number): GatewayError =>
  tryLater(
    'receipt_sent_often',
    'Papers of this checkout were sent several times within an hour. Wait a while.',
    seconds,
    409,
  );

const list = (names: readonly string[]): string => (names.length === 0 ? 'nothing at the moment' : names.join(', '));
