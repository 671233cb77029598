/**
 * The frame of every page: head, notices, and what the page itself puts between them. Scripts and styles need the nonce
 * of the reply, so that markup which somebody smuggled into a page could not run. Every URL is relative to the origin
 * and on the list that the brand container forwards.
 */
import { randomBytes } from 'node:crypto';
import type { PageReply } from '../http/route.ts';
import { type Html, html, trustedHtml } from './html.ts';
import { brandStyle, defaultBrand, type PageBrand } from './page-brand.ts';
import { type PageLanguage, type Say, sayIn } from './texts/page-texts.ts';

/** The addresses of our own files, with their version, so that a new release never gets an old stylesheet. */
export type PageFiles = { readonly stylesheet: string; readonly script: string };

export type PageLook = {
  readonly language: PageLanguage;
  readonly say: Say;
  readonly isSandbox: boolean;
  /** Mail is configured: money can be fetched by a link in a mail. */
  readonly sendsMail: boolean;
  /** The shop wants them too: a page may offer and promise a receipt by e-mail. */
  readonly sendsReceipts: boolean;
  readonly files: PageFiles;
  readonly brand: PageBrand;
  /** The domain in the address bar, shown to the customer; null where it is not shown. */
  readonly domain: string | null;
  /** For who looks at it in another scheme than the device has; null: as the device has it. */
  readonly theme: 'light' | 'dark' | null;
  readonly nonce: string;
};

type LookOptions = Pick<PageLook, 'isSandbox' | 'files'> &
  Partial<Pick<PageLook, 'sendsMail' | 'sendsReceipts' | 'brand' | 'domain' | 'theme'>>;

export const createLook = (language: PageLanguage, options: LookOptions): PageLook => ({
  language,
  say: sayIn(language),
  isSandbox: options.isSandbox,
  sendsMail: options.sendsMail ?? options.sendsReceipts ?? false,
  sendsReceipts: options.sendsReceipts ?? false,
  files: options.files,
  brand: options.brand ?? defaultBrand,
  domain: options.domain ?? null,
  theme: options.theme ?? null,
  nonce: randomBytes(16).toString('base64url'),
});

export type PageContent = {
  readonly title: string;
  /** It has the landmarks of a page: a header, a main part with the id `sheet`, a footer. */
  readonly page: Html;
  /** For browsers without JavaScript; all others learn of changes at once. */
  readonly refreshSeconds?: number | undefined;
  /** Left out: the address that it has. */
  readonly refreshTo?: string | undefined;
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
  const { language, say, nonce, files, theme } = look;
  const style = brandStyle(look.brand);
  const notices = [look.isSandbox && say('sandbox'), content.notice].filter(Boolean) as string[];
  const refresh =
    content.refreshSeconds !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${content.refreshSeconds}${content.refreshTo !== undefined && `;url=${content.refreshTo}`}"></noscript>`;
  return html`<!doctype html>
<html lang="${language}" dir="${say('direction')}"${theme !== null && html` data-theme="${theme}"`}>
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
<body class="branded">
<a class="unseen" href="#sheet">${say('skipToPayment')}</a>
${notices.length > 0 && html`<aside class="top-notes">${notices.map((notice) => html`<p>${notice}</p>`)}</aside>`}
${content.page}
<p id="announce" class="unseen" role="status"></p>
</body>
</html>
`;
}
