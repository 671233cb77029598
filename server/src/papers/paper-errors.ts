import { GatewayError, invalidRequest, notFound, told } from '../lib/errors.ts';

export const paperNotFound = (id: string): GatewayError => notFound('paper', id);

const unprocessable = (code: string, message: string, facts: Record<string, string> = {}): GatewayError =>
  new GatewayError({ code, httpStatus: 422, message, facts });

export const notCorrectable = (what: string): GatewayError =>
  unprocessable('not_correctable', `A credit note corrects an invoice, or a receipt without one, but not ${what}.`);

export const nothingLeft = (number: string): GatewayError =>
  unprocessable('nothing_left_to_credit', `Credit notes have taken back all of ${number} already.`, { number });

export const moreThanLeft = (left: string, currency: string): GatewayError =>
  unprocessable('more_than_left', `At most ${left} ${currency} can be taken back: that is what is left of it.`, {
    most: `${left} ${currency}`,
  });

export const badCreditAmount = (decimals: number): GatewayError =>
  invalidRequest([
    told('credit_amount', `The amount must be a positive number with at most ${decimals} decimals.`, {
      decimals: String(decimals),
    }),
  ]);

export const reasonTooLong = (most: number): GatewayError =>
  invalidRequest([told('credit_reason', `The reason must be at most ${most} characters.`, { most: String(most) })]);

export const nobodyToMail = (number: string): GatewayError =>
  new GatewayError({
    code: 'nobody_to_mail',
    httpStatus: 409,
    message: `${number} cannot be sent: no e-mail address is known for it, or this service sends no e-mail.`,
    facts: { number },
  });
