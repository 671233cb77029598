/**
 * How a shop's page looks, beyond its texts: a logo, an image, a colour, a font. Always values and never markup; they
 * become CSS variables in one style element, so there is no second template.
 */
import { assert } from '../lib/assert.ts';
import { isColour, readableOn, textOn } from './readable-colour.ts';

export type PageBrand = {
  /** Paths on this server, inside what the brand container forwards: `/images/…`. */
  readonly logoSrc: string | null;
  readonly backgroundSrc: string | null;
  readonly fontSrc: string | null;
  /** `#rrggbb` */
  readonly accent: string | null;
};

export const defaultBrand: PageBrand = { logoSrc: null, backgroundSrc: null, fontSrc: null, accent: null };

/** The colours of cards in css/page.css, which a shop's accent must be readable on. */
export const cardColours = { light: '#ffffff', dark: '#16181d' };

/** Empty for a page without any branding. */
export function brandStyle({ backgroundSrc, fontSrc, accent }: PageBrand): string {
  const rules: string[] = [];
  if (fontSrc !== null) rules.push(`@font-face{font-family:shop;src:url("${path(fontSrc)}");font-display:swap}`);
  if (fontSrc !== null) rules.push(':root{--font:shop,system-ui,sans-serif}');
  if (backgroundSrc !== null) rules.push(`:root{--background:url("${path(backgroundSrc)}")}`);
  if (accent !== null) {
    rules.push(`:root{${accentVariables(accent, cardColours.light)}}`);
    rules.push(`@media(prefers-color-scheme:dark){:root{${accentVariables(accent, cardColours.dark)}}}`);
  }
  return rules.join('');
}

function accentVariables(accent: string, card: string): string {
  assert(isColour(accent), 'a brand colour is #rrggbb');
  const readable = readableOn(accent, card);
  return `--accent:${readable};--on-accent:${textOn(readable)}`;
}

/** Nothing that could end the string or the style element. */
function path(src: string): string {
  assert(/^\/[\w./-]+(\?[\w=.-]*)?$/.test(src), 'a brand file is a path on this server');
  return src;
}
