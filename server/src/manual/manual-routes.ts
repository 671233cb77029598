/** `/docs`: the manual, for everybody, in the sandbox and elsewhere. Every page is also there as Markdown. */
import type { AccountDeps } from '../account/frame/account-route.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { onceMade } from '../lib/once-made.ts';
import { type Html, html } from '../web/html.ts';
import { apiSentences } from './api-sentences.ts';
import { type ManualPage, manualBook, readManualFile } from './manual-book.ts';
import { type ManualFiles, type ManualFrame, manualPage, manualReply } from './manual-layout.ts';
import { type RenderedMarkdown, renderMarkdown } from './manual-markdown.ts';
import { manualRoot } from './manual-pages.ts';
import { forReader, type ManualReader, readerOf } from './manual-reader.ts';
import { createSearch, type Hit, wordsOf } from './manual-search.ts';
import { type Tried, type TryDeps, tryRoutes, trySection } from './try-endpoint.ts';

export type ManualDeps = TryDeps & { readonly manualFiles: ManualFiles };

const search = onceMade(() => createSearch(manualBook(), apiSentences()));

/** Reads all of it. It takes longer than anybody should wait for who opens a page of it first. */
export function readManual(): void {
  search()('checkout');
}

export function manualRoutes(deps: ManualDeps): Route[] {
  const route = (path: string, handle: (request: PageContext) => Promise<PageReply> | PageReply): Route =>
    pageRoute({ methods: ['GET'], path, handle });
  return [
    route(manualRoot, (request) => pageReply(deps, request)),
    route(`${manualRoot}.md`, (request) => markdownReply(deps, request, manualRoot)),
    ...['/llms.txt', `${manualRoot}/llms.txt`].map((path) => route(path, () => llmsText(deps))),
    route(`${manualRoot}/search`, (request) => searchReply(deps, request, search())),
    route(`${manualRoot}/*`, (request) => {
      const path = request.path.replace(/\/$/, '');
      if (path.endsWith('.svg')) return pictureReply(path);
      return path.endsWith('.md') ? markdownReply(deps, request, path.slice(0, -3)) : pageReply(deps, request);
    }),
    ...tryRoutes(deps, (request, tried) => pageReply(deps, request, tried)),
  ];
}

export const frameFor = (deps: ManualDeps, reader: ManualReader): ManualFrame => ({
  files: deps.manualFiles,
  book: manualBook(),
  reader,
  accountUrl: deps.accountUrl,
  isSandbox: deps.isSandbox,
});

/** The same for everybody who has no key. */
const forEverybody = new WeakMap<ManualPage, RenderedMarkdown>();

function shownTo({ publicUrl }: ManualDeps, page: ManualPage, apiKey: string | null): RenderedMarkdown {
  const known = apiKey === null ? forEverybody.get(page) : undefined;
  if (known) return known;
  const rendered = renderMarkdown(forReader(page.markdown, publicUrl, apiKey));
  if (apiKey === null) forEverybody.set(page, rendered);
  return rendered;
}

/** `tried`: what trying the endpoint of a page out has brought. */
async function pageReply(deps: ManualDeps, request: PageContext, tried: Tried | null = null): Promise<PageReply> {
  const path = tried?.path ?? request.path.replace(/\/$/, '');
  const reader = await readerOf(deps, request, tried?.signedIn);
  const frame = frameFor(deps, reader);
  const page = manualBook().pages.get(path);
  if (!page) return missing(frame, request);
  const { body, headings } = shownTo(deps, page, reader.apiKey);
  const trying = trySection(deps, { request, reader, path, answer: tried?.answer ?? null });
  const content = {
    title: page.title,
    path,
    headings: trying ? [...headings, { level: 2, text: 'Try it', anchor: 'try' }] : headings,
    body: html`${body}${trying}
<p class="plain"><a href="${path}.md">This page as plain text</a></p>`,
    hasForm: trying !== null && reader.signedIn !== null,
  };
  return manualReply(200, frame, manualPage(frame, content));
}

function missing(frame: ManualFrame, { path }: PageContext): PageReply {
  const body = html`<h1>There is no such page</h1>
<p>Nothing is at <code>${path}</code>. Look for it above, or go through the <a href="${manualRoot}">contents</a>.</p>`;
  return manualReply(404, frame, manualPage(frame, { title: 'No such page', path: manualRoot, headings: [], body }));
}

/** A key in it is a reader's own: kept by nobody. */
async function markdownReply(deps: ManualDeps, request: PageContext, path: string): Promise<PageReply> {
  const { apiKey } = await readerOf(deps, request);
  const page = manualBook().pages.get(path);
  if (!page) return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Not found.\n' };
  return plainReply('text/markdown', forReader(page.markdown, deps.publicUrl, apiKey), apiKey !== null);
}

const plainReply = (type: string, body: string, isPersonal: boolean): PageReply => ({
  status: 200,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': isPersonal ? 'no-store' : 'public, max-age=60',
    vary: 'cookie',
  },
  body,
});

/** Pictures of the manual are ours: their own styles may be in them. */
function pictureReply(path: string): PageReply {
  const name = /^\/docs\/(pictures\/[\w-]+\.svg)$/.exec(path)?.[1];
  const body = name === undefined ? null : readPicture(name);
  if (body === null)
    return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Not found.\n' };
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=3600',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
    body,
  };
}

function readPicture(name: string): string | null {
  try {
    return readManualFile(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function llmsText({ publicUrl }: Pick<AccountDeps, 'publicUrl'>): PageReply {
  const { groups } = manualBook();
  const parts = groups.map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages.map((page) => `- [${page.title}](${publicUrl}${page.path}.md)`).join('\n')}`,
  );
  const body = `# Quittance

> A self-hosted checkout service for crypto payments. A shop's server creates a checkout by a signed request to
> ${publicUrl}/api/v1, sends the customer to its page, and believes the webhook.

The whole manual is Markdown: add .md to any address under ${publicUrl}${manualRoot}. The API as OpenAPI 3.1:
${publicUrl}/api/v1/openapi.json

${parts.join('\n\n')}
`;
  return plainReply('text/plain', body, false);
}

async function searchReply(
  deps: ManualDeps,
  request: PageContext,
  search: (question: string) => readonly Hit[],
): Promise<PageReply> {
  const asked = request.query['q'];
  const question = (typeof asked === 'string' ? asked : '').slice(0, 100);
  const frame = frameFor(deps, await readerOf(deps, request));
  const hits = search(question);
  const words = wordsOf(question);
  const body = html`<h1>Search</h1>
${question !== '' && html`<p>${hits.length === 0 ? 'Nothing was found for' : `${hits.length} ${hits.length === 1 ? 'place' : 'places'} for`} “${question}”.</p>`}
<ol class="hits">${hits.map(
    ({ path, title, heading, excerpt }) =>
      html`<li><a href="${path}">${title}${heading !== null && html` <span>› ${heading}</span>`}</a><p>${marked(excerpt, words)}</p></li>`,
  )}</ol>`;
  const content = { title: 'Search', path: `${manualRoot}/search`, headings: [], body, question: question || ' ' };
  return manualReply(200, frame, manualPage(frame, content));
}

/** What was looked for stands out. */
function marked(text: string, words: readonly string[]): Html {
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  const parts = escaped.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join('|')})`, 'i'));
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
}
