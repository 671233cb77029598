/**
 * How a shop's page looks, beyond its texts: a logo, an image, colours, a font. Always values and never markup; they
 * become CSS variables in one style element, so there is no second template. A shop's colour is kept as it is, and text
 * on it is black or white. Only where the colour is itself that of a text, as of a link, is it changed to be readable.
 */
import { assert } from '../lib/assert.ts';
import type { Brand, BrandFont } from '../merchants/brand.ts';
import type { BrandFile } from '../merchants/brand-store.ts';
import { contrast, isColour, isNeon, mixed, readableOn, textOn } from './readable-colour.ts';

export type PageBrand = {
  /** Paths on this server, inside what the brand container forwards: `/images/…`. */
  readonly logoSrc: string | null;
  readonly logoDarkSrc: string | null;
  readonly backgroundSrc: string | null;
  readonly fontSrc: string | null;
  readonly font: BrandFont;
  /** `#rrggbb` */
  readonly accentColour: string | null;
  readonly pageColour: string | null;
  readonly textColour: string | null;
  /** The name is not written beside the logo: the logo shows it. */
  readonly isNameHidden: boolean;
};

export const defaultBrand: PageBrand = {
  logoSrc: null,
  logoDarkSrc: null,
  backgroundSrc: null,
  fontSrc: null,
  font: 'system',
  accentColour: null,
  pageColour: null,
  textColour: null,
  isNameHidden: false,
};

export const brandFileFolder = '/images/brand';

/** A file that is not stored yet, inside the page itself. Only for who tries it out: payers' pages do not allow it. */
export const dataSrc = ({ contentType, body }: Pick<BrandFile, 'contentType' | 'body'>): string =>
  `data:${contentType};base64,${body.toString('base64')}`;

const isOwnData = (src: string): boolean => /^data:(image\/webp|font\/woff2);base64,[A-Za-z0-9+/]+={0,2}$/.test(src);

export function pageBrand(brand: Brand | undefined): PageBrand {
  if (!brand) return defaultBrand;
  const src = (name: string | null): string | null => (name === null ? null : `${brandFileFolder}/${name}`);
  const { logo, logoDark, background, fontFile, ...rest } = brand;
  return {
    ...rest,
    logoSrc: src(logo),
    logoDarkSrc: src(logoDark),
    backgroundSrc: src(background),
    fontSrc: src(fontFile),
  };
}

/** The backgrounds of links and marks in a shop's colour, from css/tokens.css: surfaces and the tints of states. */
export const surfaces = {
  light: ['#f8f7f4', '#ffffff', '#f1efea', '#e4f2e9', '#e4eff7', '#fcf0da', '#fcebe8'],
  dark: ['#12110f', '#1a1917', '#24231f', '#13291f', '#12283a', '#33260f', '#3b1915'],
} as const;
/** The quiet text of css/tokens.css in the dark. */
const quietInTheDark = '#b3aea3';
export const surfaceNames = ['paper', 'surface', 'sunken', 'paid-soft', 'wait-soft', 'decide-soft', 'fail-soft'];

const fontStacks: Readonly<Record<BrandFont, string | null>> = {
  system: null,
  humanist: 'Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",source-sans-pro,sans-serif',
  geometric: 'Avenir,Montserrat,Corbel,"URW Gothic",source-sans-pro,sans-serif',
  rounded: 'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Comfortaa,Manjari,"Arial Rounded MT",Calibri,sans-serif',
  serif: 'Charter,"Bitstream Charter","Sitka Text",Cambria,serif',
  slab: 'Rockwell,"Rockwell Nova","Roboto Slab","DejaVu Serif","Sitka Small",serif',
  mono: 'ui-monospace,"Cascadia Code","Source Code Pro",Menlo,Consolas,"DejaVu Sans Mono",monospace',
};

/** Without a file of the shop's own. Null: that of the device. */
export const fontStack = (font: BrandFont): string | null => fontStacks[font];

/** Empty for a page without any branding. */
export function brandStyle(brand: PageBrand): string {
  const { backgroundSrc, fontSrc, font } = brand;
  const rules: string[] = [];
  const stack = fontStacks[font] ?? (fontSrc === null ? null : 'system-ui,sans-serif');
  if (fontSrc !== null) rules.push(`@font-face{font-family:shop;src:url("${path(fontSrc)}");font-display:swap}`);
  if (stack !== null) rules.push(`:root{--font:${fontSrc === null ? '' : 'shop,'}${stack}}`);
  if (backgroundSrc !== null) rules.push(`.band{background-image:url("${path(backgroundSrc)}")}`);
  const colours = shopColours(brand);
  if (colours !== null) rules.push(colourRules(colours));
  if (brand.logoSrc !== null) {
    const isOnDark = isDark(colours === null ? ourAccent : colours.ground?.colour);
    rules.push(isOnDark ? litLogo : shadedLogo);
    const isLightAlone = colours !== null && (colours.ground === null || colours.dimmed !== null);
    if (isLightAlone && !isOnDark) rules.push(inTheDark(unshadedLogo + litLogo)); // There the plane is dark.
  }
  return rules.join('');
}

const isDark = (colour: string | undefined): boolean => colour !== undefined && textOn(colour) === '#ffffff';

/**
 * On a dark plane a black logo has a light edge. Where the script runs it measures the logo: a dark one is put on white
 * instead, and a light one needs nothing, as its own edge would only blur.
 */
const litLogo =
  '.shop img.logo{filter:drop-shadow(0 0 1px #fff)}.shop img.logo:is(.is-dark,.is-light){filter:none}' +
  '.shop img.logo.is-dark{padding:.2rem .4rem;background:#fff}';

/** On a light plane a white one needs the same; where no script can measure it, all have a faint edge. */
const shadedLogo =
  '.shop img.logo.is-light{padding:.2rem .4rem;background:#1b1a17}' +
  '@media (scripting:none){.shop img.logo{filter:drop-shadow(0 0 1px #0009)}}';

const unshadedLogo = '.shop img.logo.is-light{padding:0;background:none}';

const inTheDark = (rules: string): string => `@media (prefers-color-scheme:dark){${rules}}`;

type Plane = { readonly colour: string; readonly text: string };

export type ShopColours = {
  /** The shop's plane. Null for a neon colour, which would be too much on a whole plane: it stays as our paper is. */
  readonly ground: Plane | null;
  /** A light plane in the dark: dark, with the shop's colour for what is written on it. Null: it stays as it is. */
  readonly dimmed: Plane | null;
  readonly accent: string;
  readonly onAccent: string;
  /** What a button has in the dark instead of an accent that is nearly as dark as the sheet. Null: the accent. */
  readonly litAccent: Plane | null;
  /** The accent as the colour of text. */
  readonly accentText: { readonly light: string; readonly dark: string };
};

/** The same as in css/further.css. */
export const ourAccent = '#3540c0';

/** Null where the shop gave no colour. */
export function shopColours({
  accentColour,
  pageColour,
  textColour,
}: Pick<PageBrand, 'accentColour' | 'pageColour' | 'textColour'>): ShopColours | null {
  for (const each of [accentColour, pageColour, textColour]) assert(each === null || isColour(each), 'a brand colour');
  if ((pageColour ?? accentColour ?? textColour) === null) return null;
  const colour = pageColour ?? accentColour ?? ourAccent;
  const accent = accentColour ?? pageColour ?? ourAccent;
  const isWished = textColour !== null && contrast(textColour, colour) >= 4.5;
  return {
    ground: isNeon(colour) ? null : { colour, text: isWished ? textColour : textOn(colour) },
    dimmed: isNeon(colour) ? null : dimmedPlane(colour),
    accent,
    onAccent: textOn(accent),
    litAccent: litAccent(accent),
    accentText: { light: readableOn(accent, surfaces.light), dark: linkInTheDark(accent) },
  };
}

/** A nearly black accent that could just be read would look switched off beside the quiet text around it. */
function linkInTheDark(accent: string): string {
  const [, sheet] = surfaces.dark;
  return readableOn(readableOn(accent, sheet, contrast(quietInTheDark, sheet)), surfaces.dark);
}

/** From here on a whole plane of a colour dazzles whoever has asked for a dark page. */
const dazzling = 12;

function dimmedPlane(colour: string): Plane | null {
  if (contrast(colour, '#000000') < dazzling) return null;
  const plane = mixed(colour, surfaces.dark[0], 0.14);
  return { colour: plane, text: readableOn(colour, plane) };
}

/** Below this a button has no shape beside the sheet. */
const hardlySeen = 1.25;

/** So bright that nobody takes the button for one that is switched off. */
const lit = 10;

/** With an edge alone the button to press would look like the quiet ones beside it. A pale one on white has its hue. */
function litAccent(accent: string): Plane | null {
  if (contrast(accent, surfaces.dark[1]) >= hardlySeen) return null;
  const colour = readableOn(accent, surfaces.dark[1], lit);
  return { colour, text: textOn(colour) };
}

/** Browsers that do not know light-dark() have the light colours alone. */
function colourRules(colours: ShopColours): string {
  const { ground, dimmed, accent, onAccent, litAccent: inDark, accentText } = colours;
  const [plane, text] = ground ? [ground.colour, ground.text] : ['var(--paper)', 'var(--ink)'];
  const byScheme = (light: string, dark: string): string => `light-dark(${light},${dark})`;
  const planes = dimmed && `--brand:${byScheme(plane, dimmed.colour)};--on-brand:${byScheme(text, dimmed.text)};`;
  const fills = `--accent:${accent};--on-accent:${onAccent}`;
  const litFills =
    inDark && `--accent:${byScheme(accent, inDark.colour)};--on-accent:${byScheme(onAccent, inDark.text)}`;
  const edge =
    contrast(accent, surfaces.light[1]) < hardlySeen
      ? `@media (prefers-color-scheme:light){.branded .btn.primary{border-color:${readableOn(accent, surfaces.light[1], 3)}}}`
      : '';
  const tint = (rest: string): string => `oklch(from ${accent} ${rest} h)`;
  return (
    `.branded{--brand:${plane};--on-brand:${text};${fills};--accent-text:${accentText.light}}` +
    // Success is green for everybody; whose it is, the head and the button say.
    '.moment #head{--brand:var(--shop);--on-brand:var(--on-shop)}' +
    `.moment .backing{${fills}}` +
    `@supports (color:light-dark(#000,#fff)){.branded{${planes ?? ''}--accent-text:${byScheme(accentText.light, accentText.dark)}}` +
    `${litFills ? `.branded,.moment .backing{${litFills}}` : ''}}` +
    edge +
    `@supports (color:oklch(from red l c h)){.branded{--accent-soft:light-dark(${tint('.965 min(c,.014)')},${tint('.27 min(c,.03)')})}}`
  );
}

/** It must contain nothing that could end the text or the style element. */
function path(src: string): string {
  const isPath = /^\/[\w-][\w./-]*(\?[\w=.-]*)?$/.test(src);
  assert(isPath || isOwnData(src), 'a brand file is a path on this server, or a file of ours itself');
  return src;
}
