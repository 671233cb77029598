import { GatewayError, notFound, tryLater } from '../lib/errors.ts';

export const depositNotFound = (id: string): GatewayError => notFound('deposit', id);

export const networkAway = (name: string): GatewayError =>
  tryLater('network_away', `${name} is not reachable at the moment. Please try again.`, 10, 503, { network: name });

export const tooManyOpen = (most: number): GatewayError =>
  new GatewayError({
    code: 'too_many_open_deposits',
    httpStatus: 422,
    message:
      `An account may have at most ${most} open deposits, and this one has them: use a reusable one again, ` +
      'or close those that are no longer needed with POST /deposit/close.',
    facts: { most: String(most) },
  });

/** Less could be received at once, and the same amount later. */
export const cannotReceive = (name: string, most: string): GatewayError =>
  tryLater('cannot_receive', `So much cannot be received on ${name} at the moment: the most is ${most}.`, 60, 422, {
    network: name,
    most,
  });
