import { GatewayError, notFound } from '../lib/errors.ts';

export const customerNotFound = (id: string): GatewayError => notFound('customer', id);

export const emailTaken = (email: string): GatewayError =>
  new GatewayError({
    code: 'email_taken',
    httpStatus: 409,
    message: `Another customer already has the e-mail address ${JSON.stringify(email)}.`,
  });

export const mailsDoNotArrive = (): GatewayError =>
  new GatewayError({
    code: 'mails_do_not_arrive',
    httpStatus: 409,
    message:
      'Mails to this address do not arrive. Give the customer another address, or press Try again at the customer in the account.',
  });
