import { GatewayError, notFound } from '../lib/errors.ts';

export const customerNotFound = (id: string): GatewayError => notFound('customer', id);

export const emailTaken = (email: string): GatewayError =>
  new GatewayError({
    code: 'email_taken',
    httpStatus: 409,
    message: `Another customer already has the e-mail address ${JSON.stringify(email)}.`,
  });
