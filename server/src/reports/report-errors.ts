/** Expected failures of reports. */
import { GatewayError, invalidRequest, tryLater } from '../lib/errors.ts';

export const daysBeingCounted = (): GatewayError =>
  tryLater('days_being_counted', 'The days of the account are being counted. Ask again in a minute.', 60);

export const noClosedDay = (): GatewayError =>
  new GatewayError({
    code: 'no_closed_day',
    httpStatus: 404,
    message:
      'No day of this period is closed. A day is closed ten minutes after its end in the time zone of the account.',
  });

export const noPeriod = (name: string): GatewayError =>
  invalidRequest(
    `A period must be a day, month, quarter or year such as 2026-10-17, 2026-10, 2026-Q4 or 2026, but is ${JSON.stringify(name.slice(0, 40))}.`,
  );

export const tooLongForPdf = (rowsMax: number): GatewayError =>
  new GatewayError({
    code: 'too_long_for_pdf',
    httpStatus: 422,
    message: `A PDF has at most ${rowsMax} rows. Take the CSV, which has all of them, or a shorter period.`,
  });

export const camtNeedsCurrency = (currency: string): GatewayError =>
  new GatewayError({
    code: 'camt_needs_currency',
    httpStatus: 422,
    message: `Amounts of camt.053 are in currencies of states only, and this account counts in ${currency}.`,
  });

export const camtNeedsRates = (): GatewayError =>
  new GatewayError({
    code: 'camt_needs_rates',
    httpStatus: 422,
    message: 'No wallet of this period has a value in the account currency, so there is nothing to write as camt.053.',
  });
