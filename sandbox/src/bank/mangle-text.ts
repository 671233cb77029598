/** What happens to a reference on its way: banks cut, join, spell and prefix texts, and people mistype them. */

type Mangle = (text: string) => string;

const dropEvery = (text: string, every: number): string =>
  Array.from(text)
    .filter((_, at) => at % every !== every - 1)
    .join('');

/** The second check digit of a creditor's reference, or else the last digit of the text, becomes another one. */
function spoilDigits(text: string): string {
  const changed = (digit: string): string => String((Number(digit) + 1) % 10);
  const spoiled = text.replace(/(RF\s?\d\s?)(\d)/i, (_, head: string, digit: string) => head + changed(digit));
  return spoiled !== text ? spoiled : text.replace(/\d(?=\D*$)/, changed);
}

export const manglings = {
  cut27: (text) => text.slice(0, 27),
  cut35: (text) => text.slice(0, 35),
  upperCase: (text) => text.toUpperCase(),
  spaces: (text) => text.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/gs, '$1 '),
  /** One in the middle of every 27 characters, where a line of an MT940 ends. */
  brokenLines: (text) => text.replaceAll(/(.{27})(?=.)/gs, '$1 '),
  lostCharacters: (text) => dropEvery(text, 7),
  wrongCheckDigits: spoilDigits,
  bankText: (text) => `SVWZ+DATUM 18.11.2026, 09.41 UHR 1.TAN 482911 ${text}`,
  keyedTwice: (text) => `${text} ${text}`,
  zeroForO: (text) => text.replaceAll('O', '0').replaceAll('o', '0'),
  oneForI: (text) => text.replaceAll('I', '1').replaceAll('i', '1'),
  nothing: () => '',
} as const satisfies Readonly<Record<string, Mangle>>;

export type Mangling = keyof typeof manglings;

export const isMangling = (name: string): name is Mangling => Object.hasOwn(manglings, name);
