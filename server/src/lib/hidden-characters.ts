/**
 * Characters that nobody sees. They turn a name around on the screen, or make two names look alike that are not the same. Where
 * people decide by a text, such as to whom money goes, it is refused with them; what a bank or network tells is shown without.
 */

/** Scripts in which a joiner that is not seen changes the letters beside it, and so belongs to a name. */
const joining =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}]';
const withinWord = `(?<=${joining})[\\u200c\\u200d](?=${joining})`;
/** What makes one picture of several, and a coloured one of a sign. */
const withinPicture = '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])[\\u200d\\ufe0f]';
/** Among them what turns around the direction (U+202A to U+202E, U+2066 to U+2069), and blanks that are letters to a machine. */
const hidden = '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]';

const found = new RegExp(`(?<belongs>${withinWord}|${withinPicture})|${hidden}`, 'gu');

export const hasHidden = (text: string): boolean =>
  Array.from(text.matchAll(found)).some(({ groups }) => groups?.['belongs'] === undefined);

/** One line, in which everything can be seen. What breaks a line parts words. */
export const withoutHidden = (text: string): string =>
  text
    .replaceAll(
      found,
      (sign, belongs: string | undefined) => belongs ?? (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(sign) ? ' ' : ''),
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
