/**
 * How a merchant's pages look: values and files, never markup. What customers read there (the shop's name, its mail
 * address, whose details are shown) are page settings of the account.
 */
import { invalidRequest } from '../lib/errors.ts';
import { noColour } from './brand-errors.ts';

/** Stacks of fonts that devices have. */
export const brandFonts = ['system', 'humanist', 'geometric', 'rounded', 'serif', 'slab', 'mono'] as const;
export type BrandFont = (typeof brandFonts)[number];

export type Brand = {
  /** `#rrggbb`, as the merchant gave them: the page makes them readable. */
  readonly accentColour: string | null;
  readonly pageColour: string | null;
  readonly textColour: string | null;
  readonly font: BrandFont;
  /** Names of files. */
  readonly logo: string | null;
  /** For dark screens; null: the same logo there. */
  readonly logoDark: string | null;
  readonly background: string | null;
  /** Comes before `font`, if there is one. */
  readonly fontFile: string | null;
  /** The logo is the name already, so the name is not written beside it. */
  readonly isNameHidden: boolean;
};

export const plainBrand: Brand = {
  accentColour: null,
  pageColour: null,
  textColour: null,
  font: 'system',
  logo: null,
  logoDark: null,
  background: null,
  fontFile: null,
  isNameHidden: false,
};

/** `#1D4ED8`, `1d4ed8` or `#fff` as `#rrggbb` in small letters. */
export function readColour(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) throw noColour(text);
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}

export function readFont(text: string): BrandFont {
  const font = brandFonts.find((name) => name === text);
  if (!font) throw invalidRequest(`The font must be one of ${brandFonts.join(', ')}.`);
  return font;
}
