/** The frame of the manual: the contents beside it, the search above it, what is on this page. */
import type { PageReply } from '../http/route.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { ManualBook, ManualGroup } from './manual-book.ts';
import type { Heading } from './manual-markdown.ts';
import { manualRoot } from './manual-pages.ts';
import type { ManualReader } from './manual-reader.ts';

export type ManualFiles = {
  readonly stylesheet: string;
  readonly script: string;
  /** For forms that a passkey signs. */
  readonly accountScript: string;
};

export type ManualFrame = {
  readonly files: ManualFiles;
  readonly book: ManualBook;
  readonly reader: ManualReader;
  readonly accountUrl: string;
  readonly isSandbox: boolean;
};

export type ManualContent = {
  readonly title: string;
  readonly path: string;
  readonly body: HtmlValue;
  readonly headings: readonly Heading[];
  /** What was looked for. */
  readonly question?: string;
  /** The page has a form of the account. */
  readonly hasForm?: boolean;
};

/** No nonces: nothing is written into the page, and what it loads is ours. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What is for one person is kept by nobody. */
export const manualReply = (status: number, { reader }: Pick<ManualFrame, 'reader'>, document: Html): PageReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': reader.signedIn === null && status === 200 ? 'public, max-age=60' : 'no-store',
    vary: 'cookie',
    'content-security-policy': policy,
    'x-robots-tag': 'noindex, nofollow',
  },
  body: document.toString(),
});

export function manualPage(frame: ManualFrame, content: ManualContent): Html {
  const { files, reader, accountUrl, isSandbox } = frame;
  const { title, path, question = '' } = content;
  const inner = content.headings.filter(({ level }) => level === 2);
  return html`<!doctype html>
<html lang="en" dir="ltr"${reader.theme !== 'auto' && html` data-theme="${reader.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="same-origin">
<meta name="color-scheme" content="light dark">
<title>${title} · Quittance manual</title>
<link rel="stylesheet" href="${files.stylesheet}">
<link rel="icon" type="image/svg+xml" href="/images/icon.svg">
${question === '' && html`<link rel="alternate" type="text/markdown" href="${path}.md">`}
<script type="module" src="${files.script}"></script>
${content.hasForm && html`<script type="module" src="${files.accountScript}"></script>`}
</head>
<body>
<a class="unseen" href="#main">Skip to the text</a>
<div class="app manual">
${isSandbox && html`<aside class="sandbox">This is a sandbox: the money in it is play money.</aside>`}
<nav class="side" id="menu" popover aria-label="Contents">
<a class="who" href="${manualRoot}"><span class="qmark">${icon('quittance')}</span><span>Quittance<small>Manual</small></span></a>
${frame.book.groups.map((group) => groupMenu(group, path))}
</nav>
<header class="top">
<button class="btn quiet icon burger" type="button" popovertarget="menu" aria-label="Contents">${icon('menu')}</button>
<form class="look-up" role="search" method="get" action="${manualRoot}/search"><label class="unseen" for="look-up">Search the manual</label><input class="input" id="look-up" name="q" type="search" maxlength="100" placeholder="Search the manual" value="${question}"><button class="btn icon" aria-label="Search">${icon('search')}</button></form>
${reader.signedIn ? html`<a class="btn quiet" href="/account">${icon('home')}<span class="hide">Account</span></a>` : html`<a class="btn quiet" href="${signInAt(accountUrl, path)}">${icon('key')}<span>Sign in</span></a>`}
</header>
<main id="main" tabindex="-1"><div class="in-main pages">
<article class="prose">
${content.body}
</article>
${inner.length > 1 && html`<nav class="on-this-page" aria-labelledby="on-this-page"><h2 id="on-this-page">On this page</h2><ul>${inner.map(({ text, anchor }) => html`<li><a href="#${anchor}">${text}</a></li>`)}</ul></nav>`}
</div></main>
</div>
<p id="announce" class="unseen" role="status"></p>
<template id="passkey-failed"><p class="notice fail" role="alert">${icon('alert')}<span>The passkey was not used. Nothing was sent.</span></p></template>
</body>
</html>
`;
}

/** A form of the account leads back to the page. */
export const signInAt = (accountUrl: string, path: string): string =>
  `${accountUrl}/account/sign-in?next=${encodeURIComponent(path)}`;

function groupMenu({ title, pages, isFolded }: ManualGroup, here: string): Html {
  const links = pages.map(
    (page) => html`<a href="${page.path}"${page.path === here && html` aria-current="page"`}>${page.title}</a>`,
  );
  if (!isFolded) return html`<h2>${title}</h2>${links}`;
  const isOpen = pages.some(({ path }) => path === here);
  return html`<details${isOpen && html` open`}><summary>${title}${icon('down')}</summary>${links}</details>`;
}
