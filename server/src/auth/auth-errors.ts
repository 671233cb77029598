import { GatewayError } from '../lib/errors.ts';

export const notAuthenticated = (message: string): GatewayError =>
  new GatewayError({ code: 'not_authenticated', httpStatus: 401, message });

export const notAllowed = (message: string): GatewayError =>
  new GatewayError({ code: 'not_allowed', httpStatus: 403, message });
