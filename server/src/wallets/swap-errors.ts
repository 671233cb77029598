import { GatewayError, notFound, tryLater } from '../lib/errors.ts';

export const swapNotFound = (id: string): GatewayError => notFound('swap', id);
export const swapQuoteNotFound = (id: string): GatewayError => notFound('swap quote', id);

const unprocessable = (code: string, message: string): GatewayError =>
  new GatewayError({ code, httpStatus: 422, message });

export const quoteOver = (id: string): GatewayError =>
  unprocessable('quote_over', `The quote ${JSON.stringify(id)} is no longer valid. Ask for a new one.`);

export const quoteUsed = (id: string): GatewayError =>
  new GatewayError({
    code: 'quote_used',
    httpStatus: 409,
    message: `The quote ${JSON.stringify(id)} was used for a swap already. Ask for a new one.`,
  });

export const notEnough = (available: string, code: string): GatewayError =>
  unprocessable('not_enough', `There is not enough to swap: ${available} ${code} is available.`);

export const tooLittle = (code: string): GatewayError =>
  unprocessable('too_little', `This is too little to swap: after the fee no ${code} would be left.`);

export const noSwapRate = (code: string, why: string): GatewayError =>
  tryLater('no_rate', `There is no current rate for ${code}: ${why}.`, 30);

/** `why` is a whole sentence. */
export const noVenue = (why: string): GatewayError => tryLater('no_venue', why, 60);

export const noMarket = (source: string, credited: string): GatewayError =>
  unprocessable('no_venue', `There is no market for ${source} in ${credited}.`);
