import { GatewayError, notFound, type Problem, told, tryLater } from '../lib/errors.ts';

export const swapNotFound = (id: string): GatewayError => notFound('swap', id);
export const swapQuoteNotFound = (id: string): GatewayError => notFound('swap quote', id);

const unprocessable = (code: string, message: string, facts: Record<string, string> = {}): GatewayError =>
  new GatewayError({ code, httpStatus: 422, message, facts });

export const quoteOver = (id: string): GatewayError =>
  unprocessable('quote_over', `The quote ${JSON.stringify(id)} is no longer valid. Ask for a new one.`);

export const quoteOutrun = (id: string): GatewayError =>
  unprocessable(
    'quote_over',
    `The quote ${JSON.stringify(id)} is no longer valid, because the market has moved since. Ask for a new one.`,
  );

export const quoteUsed = (id: string): GatewayError =>
  new GatewayError({
    code: 'quote_used',
    httpStatus: 409,
    message: `The quote ${JSON.stringify(id)} was used for a swap already. Ask for a new one.`,
  });

export const notEnough = (available: string, code: string): GatewayError =>
  unprocessable('not_enough', `There is not enough to swap: ${available} ${code} is available.`, {
    available: `${available} ${code}`,
  });

export const tooLittle = (code: string): GatewayError =>
  unprocessable('too_little', `This is too little to swap: after the fee no ${code} would be left.`, { code });

export const noSwapRate = (code: string, why: string): GatewayError =>
  tryLater('no_rate', `There is no current rate for ${code}: ${why}.`, 30, 503, { code });

/** Of the service's stock, or a whole sentence about a market. */
export const noVenue = (why: Problem): GatewayError => tryLater('no_venue', [why], 60);

export const noMarket = (source: string, credited: string): GatewayError =>
  new GatewayError({
    code: 'no_venue',
    httpStatus: 422,
    message: [told('no_market', `There is no market for ${source} in ${credited}.`, { source, credited })],
  });
