/**
 * Texts as every bank in SEPA takes them: its Latin set, `a–z A–Z 0–9 / - ? : ( ) . , ' +` and the space. What is no such
 * letter is written with some, as the EPC's best practices recommend (EPC217-08: Ä becomes A); what has none becomes a
 * full stop. Only what goes to a bank is changed, never our own records.
 */

/** Of ISO 20022, in characters. */
export const latinLimits = { id: 35, name: 70, text: 140 } as const;

/** At most so many characters, cut between words where that costs little. Empty where nothing can be written. */
export function latinText(text: string, most: number): string {
  const written = Array.from(text.toWellFormed().normalize('NFC').replaceAll(/ο[υύ]/gi, greekOu))
    .map(letters)
    .join('')
    // Banks read // as a mark of their own.
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cut(/[a-z0-9]/i.test(written) ? written : '', most);
}

/** Of who pays or is paid: a bank refuses an empty one. */
export const latinName = (name: string, most: number = latinLimits.name): string =>
  latinText(name, most) || 'NOTPROVIDED';

/** Whether a bank would still know whose name it is: it has letters that can be written in Latin ones. */
export const hasLatinLetters = (name: string): boolean => /[a-z]/i.test(latinText(name, latinLimits.name));

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const space = text.lastIndexOf(' ', most);
  return text.slice(0, space * 3 >= most * 2 ? space : most).trim();
}

function letters(character: string): string {
  if (allowed.test(character)) return character;
  const known = table.get(character);
  if (known !== undefined) return known;
  const capital = table.get(character.toLowerCase());
  // Щ in a name becomes Sht: a bank compares without regard to case.
  if (capital !== undefined) return `${capital.slice(0, 1).toUpperCase()}${capital.slice(1)}`;
  if (/\s/.test(character)) return ' ';
  const parts = Array.from(character.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
  if (parts.length === 0) return '';
  // What is made of other characters: é, ﬁ, №, …
  return parts.length === 1 && parts[0] === character ? '.' : parts.map(letters).join('');
}

const allowed = /^[a-zA-Z0-9/\-?:().,'+ ]$/;

const greekOu = (pair: string): string => `${pair.startsWith('Ο') ? 'O' : 'o'}${/[ΥΎ]$/.test(pair) ? 'U' : 'u'}`;

/** Small letters; a capital one is written like its small one. */
const spellings = `
  ß ss  æ ae  œ oe  ø o  ł l  đ d  ð d  þ th  ħ h  ŧ t  ŋ n  ı i  ĸ k  ə a  ƒ f
  а a  б b  в v  г g  д d  е e  ё e  ж zh  з z  и i  й y  к k  л l  м m  н n  о o  п p  р r  с s  т t  у u  ф f  х h
  ц ts  ч ch  ш sh  щ sht  ъ a  ы y  э e  ю yu  я ya  і i  ї yi  є ye  ґ g  ў u
  ђ dj  ј j  љ lj  њ nj  ћ c  џ dz  ѓ gj  ќ kj  ѕ dz
  α a  β v  γ g  δ d  ε e  ζ z  η i  θ th  ι i  κ k  λ l  μ m  ν n  ξ x  ο o  π p  ρ r  σ s  ς s  τ t  υ y  φ f  χ ch
  ψ ps  ω o  ά a  έ e  ή i  ί i  ό o  ύ y  ώ o  ϊ i  ϋ y  ΐ i  ΰ y
  & +  _ -  – -  — -  ‐ -  ‑ -  − -  ; ,  ! .  \` '  ´ '  ‘ '  ’ '  ‚ '  “ '  ” '  „ '  « '  » '  ‹ '  › '  " '
  < (  > )  [ (  ] )  { (  } )  \\ /  | /  € EUR  · .  • .
`;

const table: ReadonlyMap<string, string> = new Map([
  ...Array.from(spellings.matchAll(/(\S) +(\S+)/g), ([, from = '', to = '']) => [from, to] as const),
  // These have no sound of their own.
  ['ь', ''],
  ['\u00ad', ''],
  ['\u200b', ''],
]);
