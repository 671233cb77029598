/** The landing page: what this is, and where its API is described. Also the answer to a path that leads nowhere. */
import { readFileSync } from 'node:fs';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { html } from '../web/html.ts';
import { spokenLanguage } from '../web/page-language.ts';
import { createLook, type PageLook, pageReply } from '../web/page-layout.ts';
import { deadLinkPage, ourName, sheetPage } from '../web/plain-page.ts';
import { isPageLanguage } from '../web/texts/page-texts.ts';

type LandingDeps = Pick<PageLook, 'isSandbox' | 'files'>;

export function landingRoutes(deps: LandingDeps): Route[] {
  const openApi = readOpenApi();
  return [
    pageRoute({ methods: ['GET'], path: '/', handle: () => landingPage(deps, openApi !== undefined) }),
    ...(openApi === undefined
      ? []
      : [
          pageRoute({
            methods: ['GET'],
            path: '/api/v1/openapi.json',
            handle: () => ({
              status: 200,
              headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
              body: openApi,
            }),
          }),
        ]),
  ];
}

/** For the server's option of the same name. */
export const createNotFoundPage =
  (deps: LandingDeps) =>
  ({ headers, path }: PageContext): PageReply => {
    const [, first = '', ...rest] = path.split('/');
    const look = createLook(spokenLanguage(first, headers['accept-language']), deps);
    const others = isPageLanguage(first) ? rest.join('/') : 'page-not-found';
    return pageReply(
      404,
      look,
      deadLinkPage(look, 'missingPageTitle', (language) => `/${language}/${others}`),
    );
  };

function landingPage(deps: LandingDeps, isApiDescribed: boolean): PageReply {
  const look = createLook('en', deps);
  const sheet = html`<p>This is a payment service for shops. Customers come here by a link that their shop gives them.</p>
<ul class="stack">
<li><a href="/docs">Manual</a></li>
${isApiDescribed && html`<li><a href="/api/v1/openapi.json">Description of the API (OpenAPI)</a></li>`}
<li><a href="/api/v1/status">Status of the service</a></li>
</ul>`;
  return pageReply(200, look, sheetPage(look, { title: ourName, sheet }));
}

/** Generated from the contract; a checkout of the repository may not have it yet. */
function readOpenApi(): Buffer | undefined {
  try {
    return readFileSync(new URL('../../../contract/openapi.json', import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
