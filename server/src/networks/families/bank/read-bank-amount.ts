/**
 * Amounts as banks write them: at most 18 digits, 5 of them after the point (ISO 20022) or comma (MT940), leading zeros
 * and zeros beyond the currency's decimals. Never negative: a direction is told apart from the amount.
 */
import { power10 } from '../../../money/decimal.ts';
import { quoted, refused } from './bank-file-refused.ts';
import { currencyDecimals } from './currency-decimals.ts';

const digitsMax = 18;
const decimalsMax = 5;
const lengthMax = 60;

const forms = { point: /^\+?(\d*)(?:\.(\d*))?$/, comma: /^(\d*)(?:,(\d*))?$/ } as const;

export function readBankAmount(text: string, currency: string, form: keyof typeof forms = 'point'): bigint {
  const [, whole = '', fraction = ''] = (text.length <= lengthMax && forms[form].exec(text)) || [];
  const digits = whole.replace(/^0+/, '').length + fraction.length;
  if (whole + fraction === '' || digits > digitsMax || fraction.length > decimalsMax)
    throw refused(
      'bank_amount',
      `The amount ${quoted(text)} must be a number such as ${form === 'point' ? '12.50' : '12,50'}, without a sign, ` +
        `with at most ${digitsMax} digits, ${decimalsMax} of them decimals.`,
      { amount: text.slice(0, lengthMax) },
    );
  const decimals = currencyDecimals(currency);
  const kept = fraction.slice(0, decimals);
  if (/[1-9]/.test(fraction.slice(decimals)))
    throw refused(
      'bank_amount_decimals',
      `The amount ${quoted(text)} has more decimals than ${currency}, which has ${decimals}.`,
      { amount: text, currency, decimals: String(decimals) },
    );
  return BigInt(`0${whole}${kept}`) * power10(decimals - kept.length);
}

export function readCurrency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text;
  throw refused('bank_currency_form', `The currency ${quoted(text)} must be three letters of ISO 4217, such as EUR.`, {
    currency: text.slice(0, lengthMax),
  });
}
