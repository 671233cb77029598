/**
 * How a shop's page looks, beyond its texts: a logo, an image, colours, a font. Always values and never markup; they
 * become CSS variables in one style element, so there is no second template. Whatever colours a shop gives, what is
 * written in them or on them stays readable, on a light screen and on a dark one.
 */
import { assert } from '../lib/assert.ts';
import type { Brand, BrandFont } from '../merchants/brand.ts';
import { darkened, easilyReadOn, isColour, readableOn, textOn } from './readable-colour.ts';

export type PageBrand = {
  /** Paths on this server, inside what the brand container forwards: `/images/…`. */
  readonly logoSrc: string | null;
  readonly backgroundSrc: string | null;
  readonly fontSrc: string | null;
  readonly font: BrandFont;
  /** `#rrggbb` */
  readonly accentColour: string | null;
  readonly pageColour: string | null;
  readonly textColour: string | null;
};

export const defaultBrand: PageBrand = {
  logoSrc: null,
  backgroundSrc: null,
  fontSrc: null,
  font: 'system',
  accentColour: null,
  pageColour: null,
  textColour: null,
};

export const brandFileFolder = '/images/brand';

export function pageBrand(brand: Brand | undefined): PageBrand {
  if (!brand) return defaultBrand;
  const src = (name: string | null): string | null => (name === null ? null : `${brandFileFolder}/${name}`);
  const { logo, background, fontFile, ...rest } = brand;
  return { ...rest, logoSrc: src(logo), backgroundSrc: src(background), fontSrc: src(fontFile) };
}

type Scheme = {
  readonly page: string;
  readonly text: string;
  readonly quiet: string;
  readonly accent: string;
  /** What text and links lie on, besides the page: --card, --panel, --good-panel, --alert-panel. */
  readonly surfaces: readonly string[];
};

/** The colours of css/page.css, as far as a shop's must go with them. */
export const schemes: Readonly<Record<'light' | 'dark', Scheme>> = {
  light: {
    page: '#f4f5f7',
    text: '#14171c',
    quiet: '#565e69',
    accent: '#1d4ed8',
    surfaces: ['#ffffff', '#f1f4f9', '#e7f6ec', '#fff3d9'],
  },
  dark: {
    page: '#0c0e11',
    text: '#eceef2',
    quiet: '#a6aeba',
    accent: '#8fb4ff',
    surfaces: ['#16181d', '#20242b', '#10301d', '#362806'],
  },
};

const fontStacks: Readonly<Record<BrandFont, string | null>> = {
  system: null,
  humanist: 'Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",source-sans-pro,sans-serif',
  geometric: 'Avenir,Montserrat,Corbel,"URW Gothic",source-sans-pro,sans-serif',
  rounded: 'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Comfortaa,Manjari,"Arial Rounded MT",Calibri,sans-serif',
  serif: 'Charter,"Bitstream Charter","Sitka Text",Cambria,serif',
  slab: 'Rockwell,"Rockwell Nova","Roboto Slab","DejaVu Serif","Sitka Small",serif',
  mono: 'ui-monospace,"Cascadia Code","Source Code Pro",Menlo,Consolas,"DejaVu Sans Mono",monospace',
};

/** Empty for a page without any branding. */
export function brandStyle(brand: PageBrand): string {
  const { backgroundSrc, fontSrc, font, accentColour, pageColour, textColour } = brand;
  const rules: string[] = [];
  const stack = fontStacks[font] ?? (fontSrc === null ? null : 'system-ui,sans-serif');
  if (fontSrc !== null) rules.push(`@font-face{font-family:shop;src:url("${path(fontSrc)}");font-display:swap}`);
  if (stack !== null) rules.push(`:root{--font:${fontSrc === null ? '' : 'shop,'}${stack}}`);
  if (backgroundSrc !== null) {
    // Nothing is written on the image itself: nobody can say which colours are readable there.
    rules.push(`@media screen{:root{--background:url("${path(backgroundSrc)}")}${onImage}}`);
  }
  if ([accentColour, pageColour, textColour].some((colour) => colour !== null)) {
    rules.push(`@media screen{${colourRules(shopColours(brand, 'light'))}}`);
    rules.push(`@media screen and (prefers-color-scheme:dark){${colourRules(shopColours(brand, 'dark'))}}`);
  }
  return rules.join('');
}

const onImage = '.page,.languages{padding:1rem;border-radius:var(--radius);background:var(--page)}';

type Ink = { readonly text: string; readonly quiet: string; readonly accent: string; readonly onAccent: string };

/** What is written directly on the page, and what is written on cards. */
export type ShopColours = { readonly page: string; readonly onPage: Ink; readonly onCards: Ink };

export function shopColours(
  { accentColour, pageColour, textColour }: Pick<PageBrand, 'accentColour' | 'pageColour' | 'textColour'>,
  mode: 'light' | 'dark',
): ShopColours {
  for (const each of [accentColour, pageColour, textColour]) assert(each === null || isColour(each), 'a brand colour');
  const scheme = schemes[mode];
  // Whoever asks for a dark screen gets one, in the shop's hue.
  const page = pageColour === null ? scheme.page : mode === 'dark' ? darkened(pageColour) : pageColour;
  const ink = (surfaces: readonly string[]): Ink => {
    const accent = readableOn(accentColour ?? scheme.accent, surfaces);
    return {
      text: easilyReadOn(textColour ?? scheme.text, surfaces),
      quiet: readableOn(scheme.quiet, surfaces),
      accent,
      onAccent: textOn(accent),
    };
  };
  return { page, onPage: ink([page]), onCards: ink(scheme.surfaces) };
}

/** On a desk the order has no card of its own. */
const colourRules = ({ page, onPage, onCards }: ShopColours): string =>
  `:root{--page:${page}}body{${variables(onPage)}}.card:not(.bare){${variables(onCards)}}` +
  `@media(min-width:52rem){#order{${variables(onPage)}}}`;

const variables = ({ text, quiet, accent, onAccent }: Ink): string =>
  `--text:${text};--quiet:${quiet};--accent:${accent};--on-accent:${onAccent};color:${text}`;

/** Nothing that could end the string or the style element. */
function path(src: string): string {
  assert(/^\/[\w-][\w./-]*(\?[\w=.-]*)?$/.test(src), 'a brand file is a path on this server');
  return src;
}
