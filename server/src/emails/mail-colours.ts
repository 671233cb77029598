/**
 * The colours of a mail in the light and in the dark: those of the payment page, as values, because mail programs know
 * no variables. The shop's own colour is kept, and what is written on it is black or white.
 */
import { ourAccent, type PageBrand, shopColours } from '../web/page-brand.ts';
import { readableOn, textOn } from '../web/readable-colour.ts';

export type MailColours = {
  readonly paper: string;
  readonly sheet: string;
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly paid: string;
  readonly notice: string;
  readonly onNotice: string;
  /** The shop's plane at the head. */
  readonly band: string;
  readonly onBand: string;
  readonly button: string;
  readonly onButton: string;
  /** Where the button's colour is nearly that of the sheet, its edge is what shows it. */
  readonly buttonEdge: string;
  readonly link: string;
};

type Scheme = Pick<MailColours, 'paper' | 'sheet' | 'ink' | 'quiet' | 'line' | 'paid' | 'notice' | 'onNotice'>;

/** The same as in css/tokens.css. */
const light: Scheme = {
  paper: '#f8f7f4',
  sheet: '#ffffff',
  ink: '#1b1a17',
  quiet: '#5c5850',
  line: '#e7e4dd',
  paid: '#0d6540',
  notice: '#fcf0da',
  onNotice: '#7d4900',
};
const dark: Scheme = {
  paper: '#12110f',
  sheet: '#1a1917',
  ink: '#f2f0ea',
  quiet: '#b3aea3',
  line: '#2e2c28',
  paid: '#82d8aa',
  notice: '#33260f',
  onNotice: '#f3c06d',
};

type Colours = Pick<PageBrand, 'accentColour' | 'pageColour' | 'textColour'>;

export type BothColours = { readonly light: MailColours; readonly dark: MailColours };

/** A logo was made for the plane that it stands on: with one, the plane in the dark is that of the light. */
export function mailColours(brand: Colours, hasLogo: boolean): BothColours {
  const shop = shopColours(brand);
  const accent = shop?.accent ?? ourAccent;
  const ground = shop === null ? { colour: ourAccent, text: textOn(ourAccent) } : shop.ground;
  const inScheme = (scheme: Scheme): MailColours => {
    const isDimmed = scheme === dark && !hasLogo;
    const paper = isDimmed ? dark : light;
    const band = (isDimmed && shop?.dimmed) || ground || { colour: paper.sheet, text: paper.ink };
    return {
      ...scheme,
      band: band.colour,
      onBand: band.text,
      button: accent,
      onButton: textOn(accent),
      buttonEdge: readableOn(accent, scheme.sheet, 3),
      link: readableOn(accent, [scheme.sheet, scheme.paper]),
    };
  };
  return { light: inScheme(light), dark: inScheme(dark) };
}
