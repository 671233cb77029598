/**
 * The frame of every page: head, notices, main part, language switch. Scripts and styles need the nonce of the reply, so
 * that nothing which found its way into a page could run; every URL is relative to the origin and on the list that the
 * brand container forwards.
 */
import { randomBytes } from 'node:crypto';
import { languages } from '../catalog/language-catalog.ts';
import type { PageReply } from '../http/route.ts';
import { type Html, html, trustedHtml } from './html.ts';
import { brandStyle, defaultBrand, type PageBrand } from './page-brand.ts';
import { type PageLanguage, type Say, sayIn } from './texts/page-texts.ts';

/** The addresses of our own files, with their version, so that a new release is not dressed by an old stylesheet. */
export type PageFiles = { readonly stylesheet: string; readonly script: string };

export type PageLook = {
  readonly language: PageLanguage;
  readonly say: Say;
  readonly isSandbox: boolean;
  /** Mail is configured: a page may offer and promise a receipt by e-mail. */
  readonly sendsReceipts: boolean;
  readonly files: PageFiles;
  readonly brand: PageBrand;
  readonly nonce: string;
};

export const createLook = (
  language: PageLanguage,
  options: Pick<PageLook, 'isSandbox' | 'files'> & { readonly sendsReceipts?: boolean; readonly brand?: PageBrand },
): PageLook => ({
  language,
  say: sayIn(language),
  isSandbox: options.isSandbox,
  sendsReceipts: options.sendsReceipts ?? false,
  files: options.files,
  brand: options.brand ?? defaultBrand,
  nonce: randomBytes(16).toString('base64url'),
});

/** None of our languages yet. The stylesheet knows no left and no right, so one more text file is all it takes. */
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);

export type PageContent = {
  readonly title: string;
  readonly main: Html;
  /** For browsers without JavaScript; all others learn of changes at once. */
  readonly refreshSeconds?: number | undefined;
  /** Where this page is in another language; no switch without it. */
  readonly inLanguage?: ((language: PageLanguage) => string) | undefined;
  readonly notice?: string | undefined;
};

const policyFor = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self'; font-src 'self'; ` +
  "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export const pageReply = (status: number, { nonce }: PageLook, document: Html): PageReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policyFor(nonce),
    'x-robots-tag': 'noindex, nofollow',
  },
  body: document.toString(),
});

export function pageLayout(look: PageLook, content: PageContent): Html {
  const { language, say, nonce, files } = look;
  const style = brandStyle(look.brand);
  const notices = [look.isSandbox && say('sandbox'), content.notice].filter(Boolean) as string[];
  const refresh =
    content.refreshSeconds !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${content.refreshSeconds}"></noscript>`;
  return html`<!doctype html>
<html lang="${language}" dir="${rightToLeft.has(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
${refresh}
<title>${content.title}</title>
<link rel="stylesheet" nonce="${nonce}" href="${files.stylesheet}">
${style !== '' && html`<style nonce="${nonce}">${trustedHtml(style)}</style>`}
<link rel="icon" type="image/svg+xml" href="/images/icon.svg">
<link rel="manifest" href="/manifest.json">
<script type="module" nonce="${nonce}" src="${files.script}"></script>
</head>
<body>
${notices.length > 0 && html`<header>${notices.map((notice) => html`<p class="notice">${notice}</p>`)}</header>`}
<main>
${content.main}
</main>
${content.inLanguage && languageSwitch(look, content.inLanguage)}
<p id="announce" class="unseen" role="status"></p>
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
