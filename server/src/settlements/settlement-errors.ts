import { GatewayError, tryLater } from '../lib/errors.ts';

export const beingUnsettled = (): GatewayError =>
  tryLater(
    'being_unsettled',
    'A payment of this checkout is being confirmed again. Please try again in a minute.',
    60,
    409,
  );

export const noExcess = (state: string): GatewayError =>
  new GatewayError({
    code: 'no_excess',
    httpStatus: 409,
    message: `This checkout is ${state} and has received nothing beyond its price.`,
  });
