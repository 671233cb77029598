/** Settings that are exact numbers, in the form of `lib/setting-table.ts`. */
import { compare, type Decimal, decimal, parseDecimal, times } from './decimal.ts';

type Told = { readonly name: string; problem(text: string): undefined };
type DecimalKind = { read(text: string, told: Told): Decimal | undefined };

/** From 0 on. */
export const decimalUpTo = (max: string): DecimalKind => ({
  read(given, { name, problem }) {
    const value = parseDecimal(given);
    if (value && value.digits >= 0n && compare(value, decimal(max)) <= 0) return value;
    return problem(`${name} must be a number from 0 to ${max}, but is ${JSON.stringify(given)}.`);
  },
});

/** Written in percent, read as a part: 1 means 0.01. */
export const percentUpTo = (max: string): DecimalKind => ({
  read(given, told) {
    const value = decimalUpTo(max).read(given, told);
    return value && times(value, decimal('0.01'));
  },
});

/** A percentage for everybody, or what a word says instead, which is null. */
export const percentOr = (word: string, max: string) => ({
  read: (given: string, told: Told): Decimal | null | undefined =>
    given === word ? null : percentUpTo(max).read(given, told),
});

export const positiveDecimal: DecimalKind = {
  read(given, { name, problem }) {
    const value = parseDecimal(given);
    return value && value.digits > 0n ? value : problem(`${name} must be a positive amount such as 10.5.`);
  },
};

/** `BTC=0.5,*=0`: an amount for each of some names. */
export const amountsByName = (example: string, isGood: (name: string, amount: Decimal) => boolean) => ({
  read: (given: string, { name, problem }: Told): ReadonlyMap<string, Decimal> =>
    new Map(
      given
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .flatMap((part): [string, Decimal][] => {
          const [key = '', amount = ''] = part.split('=').map((each) => each.trim());
          const value = parseDecimal(amount);
          if (value && isGood(key, value)) return [[key, value]];
          problem(`${name} must be a list such as ${example}, but contains ${JSON.stringify(part)}.`);
          return [];
        }),
    ),
});
