import { GatewayError, notFound } from '../lib/errors.ts';

export const paymentLinkNotFound = (id: string): GatewayError => notFound('payment link', id);

const refusal = (code: string, httpStatus: number, message: string) => (): GatewayError =>
  new GatewayError({ code, httpStatus, message });

export const paymentLinkClosed = refusal('payment_link_closed', 410, 'This payment link is closed.');

/** Also answered by the API, to who chooses a way to pay there. */
export const paymentLinkUsedUp = (): GatewayError =>
  new GatewayError({
    code: 'payment_link_used_up',
    httpStatus: 409,
    message: 'This payment link has been paid as often as it can be.',
  });

export const shopSuspended = refusal('shop_suspended', 409, 'This shop takes no payments at the moment.');

export const signatureWrong = refusal(
  'payment_link_signature_wrong',
  403,
  'The signature does not fit the link, the amount and the reference: something in this address was changed.',
);

export const referenceTaken = refusal(
  'payment_link_reference_taken',
  409,
  'This reference was used with another amount: a reference can be paid once.',
);

/** `limit`: what is asked for, for who says it in another language. */
export const linkAmountWrong = (
  code: 'link_amount_unreadable' | 'link_amount_decimals' | 'link_amount_too_small' | 'link_amount_too_large',
  message: string,
  limit = '',
): GatewayError => new GatewayError({ code, httpStatus: 400, message, facts: { limit } });
