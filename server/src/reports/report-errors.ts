/** Expected failures of reports. */
import { GatewayError, invalidRequest, notFound, told, tryLater } from '../lib/errors.ts';

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
  invalidRequest([
    told(
      'period_wrong',
      `A period must be a day, month, quarter or year such as 2026-10-17, 2026-10, 2026-Q4 or 2026, but is ${JSON.stringify(name.slice(0, 40))}.`,
    ),
  ]);

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

export const exportNotFound = (id: string): GatewayError => notFound('export', id);

/** Not found once it is gone: nothing will come of asking again. */
export const exportNotReady = (id: string, state: string): GatewayError =>
  state === 'WAITING' || state === 'MAKING'
    ? tryLater('export_not_ready', `The file of the export ${id} is still being made. Ask again later.`, 5, 409)
    : new GatewayError({
        code: 'export_gone',
        httpStatus: 404,
        message: `The export ${id} has no file: it is ${state}. Files are kept for seven days.`,
      });

export const tooManyExports = (most: number): GatewayError =>
  new GatewayError({
    code: 'too_many_exports',
    httpStatus: 409,
    message: `${most} exports of this account are being made already. Wait until one is ready, or cancel one.`,
    headers: { 'retry-after': '30' },
    facts: { most: String(most) },
  });

export const tooManyExportsInAll = (): GatewayError =>
  tryLater('too_many_exports_in_all', 'Many exports are being made at the moment. Ask again in a minute.', 60);

export const tooManyKeptExports = (most: number): GatewayError =>
  new GatewayError({
    code: 'too_many_kept_exports',
    httpStatus: 409,
    message: `An account keeps ${most} exports at once. Delete one that is not needed any more.`,
    facts: { most: String(most) },
  });
