/** The shop's plane at the head of a page: who is paid, where the customer is, in which language, and how much. */
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import type { PageBrand } from './page-brand.ts';
import type { PageLook } from './page-layout.ts';
import { languageCodes, type PageLanguage, sayIn } from './texts/page-texts.ts';

export type GroundContent = {
  readonly shopName: string;
  /** The address of this page in another language. Left out: no menu of languages. */
  readonly inLanguage?: ((language: PageLanguage) => string) | undefined;
  /** Two lines on a phone: the sheet needs the room. */
  readonly isCompact?: boolean | undefined;
  /** Below the name. */
  readonly more?: Html | undefined;
};

export function ground(look: PageLook, { shopName, inLanguage, isCompact, more }: GroundContent): Html {
  const { brand, domain } = look;
  // Nothing is written on the picture: nobody can say which colours are readable there.
  return html`<header id="head" class="ground${isCompact && ' compact'}">
${brand.backgroundSrc !== null && html`<div class="band"></div>`}
<div class="shop">
${logo(brand, shopName)}
<div>${!isNameInLogo(brand) && html`<b${nameSize(shopName)}>${shopName}</b>`}${domain !== null && html`<span class="domain">${icon('lock')}${domain}</span>`}</div>
${inLanguage && languageMenu(look, inLanguage)}
</div>
${more}
</header>`;
}

/** Beside a logo a phone has room for two lines of a few words: a long name is written smaller instead of being cut. */
const nameSize = ({ length }: string): Html | false =>
  length > 22 && html` class="${length > 40 ? 'long longest' : 'long'}"`;

const isNameInLogo = ({ isNameHidden, logoSrc }: PageBrand): boolean => isNameHidden && logoSrc !== null;

/** Screen readers get the shop's name from the logo only if the name is not written beside it. */
function logo(brand: PageBrand, shopName: string): Html {
  const { logoSrc, logoDarkSrc } = brand;
  if (logoSrc === null) return html`<span class="logo initial" aria-hidden="true">${initialOf(shopName)}</span>`;
  const image = html`<img class="logo" src="${logoSrc}" alt="${isNameInLogo(brand) ? shopName : ''}">`;
  if (logoDarkSrc === null) return image;
  return html`<picture><source srcset="${logoDarkSrc}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

export const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? '•';

const languageMenu = ({ language, say }: PageLook, inLanguage: (language: PageLanguage) => string): Html =>
  html`<details class="lang" id="lang"><summary><span class="unseen">${say('labelled', { name: say('language') })} </span>${icon('globe')}${language.toUpperCase()}</summary>
<ul>${languageCodes.map((code) => {
    const current = code === language && html` aria-current="true"`;
    return html`<li><a href="${inLanguage(code)}" lang="${code}" hreflang="${code}"${current}>${sayIn(code)('languageName')}</a></li>`;
  })}</ul></details>`;
