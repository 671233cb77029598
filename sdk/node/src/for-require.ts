/**
 * What `require` gives: the client itself, as programs expect that were written for an earlier SDK, and everything else as
 * properties of it, for `const { Client, readWebhook } = require('@quittance/sdk')`.
 */
import { chargeTotal } from './charge-total.ts';
import { Client } from './client.ts';
import { isCredited } from './credited-states.ts';
import * as errors from './errors.ts';
import { signPaymentLink } from './payment-links.ts';
import { readWebhook } from './read-webhook.ts';
import { signRequest } from './sign-request.ts';

class RequiredClient extends Client {}

export const required = Object.assign(RequiredClient, {
  Client,
  readWebhook,
  chargeTotal,
  isCredited,
  signRequest,
  signPaymentLink,
  ApiError: errors.ApiError,
  AuthenticationError: errors.AuthenticationError,
  CannotBeDoneError: errors.CannotBeDoneError,
  ConflictError: errors.ConflictError,
  ConnectionError: errors.ConnectionError,
  InvalidRequestError: errors.InvalidRequestError,
  NotAllowedError: errors.NotAllowedError,
  NotFoundError: errors.NotFoundError,
  QuittanceError: errors.QuittanceError,
  ServerError: errors.ServerError,
  TooManyRequestsError: errors.TooManyRequestsError,
  UnavailableError: errors.UnavailableError,
});
