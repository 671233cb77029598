/**
 * The frame of every page: head, sandbox notice, main part, language switch. No script and no inline style, so the
 * policy can forbid both; every URL is relative to the origin and on the list that the brand container forwards.
 */
import { languages } from '../catalog/language-catalog.ts';
import type { PageReply } from '../http/route.ts';
import { type Html, html } from './html.ts';
import type { PageLanguage, Say } from './texts/page-texts.ts';

export type PageLook = {
  readonly language: PageLanguage;
  readonly say: Say;
  readonly isSandbox: boolean;
  /** With its version in the query, so that a new release is not dressed by an old stylesheet. */
  readonly stylesheet: string;
};

export type PageContent = {
  readonly title: string;
  readonly main: Html;
  readonly refreshSeconds?: number | undefined;
  /** Where this page is in another language; no switch without it. */
  readonly inLanguage?: ((language: PageLanguage) => string) | undefined;
};

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex, nofollow',
};

export const pageReply = (status: number, document: Html): PageReply => ({
  status,
  headers: pageHeaders,
  body: document.toString(),
});

export function pageLayout(look: PageLook, content: PageContent): Html {
  const { language, say } = look;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
${content.refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${content.refreshSeconds}">`}
<title>${content.title}</title>
<link rel="stylesheet" href="${look.stylesheet}">
<link rel="icon" type="image/svg+xml" href="/images/icon.svg">
<link rel="manifest" href="/manifest.json">
</head>
<body>
${look.isSandbox && html`<p class="sandbox">${say('sandbox')}</p>`}
<main>
${content.main}
</main>
${content.inLanguage && languageSwitch(look, content.inLanguage)}
</body>
</html>
`;
}

const languageSwitch = ({ language, say }: PageLook, inLanguage: (language: PageLanguage) => string): Html =>
  html`<nav class="languages" aria-label="${say('language')}"><ul>${languages.map(({ languageCode, name }) => {
    const current = languageCode === language ? html` aria-current="true"` : '';
    const href = inLanguage(languageCode as PageLanguage);
    return html`<li><a href="${href}" lang="${languageCode}" hreflang="${languageCode}"${current}>${name}</a></li>`;
  })}</ul></nav>`;
