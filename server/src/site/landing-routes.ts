/** The front door: what this is, and where its API is described. Also what is answered to a path that leads nowhere. */
import { readFileSync } from 'node:fs';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { html } from '../web/html.ts';
import { browserLanguage } from '../web/page-language.ts';
import { createLook, type PageLook, pageLayout, pageReply } from '../web/page-layout.ts';
import { plainPage } from '../web/plain-page.ts';

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
  ({ headers }: PageContext): PageReply => {
    const look = createLook(browserLanguage(headers['accept-language']), deps);
    return pageReply(404, look, plainPage(look, 'invalidTitle', 'invalidText'));
  };

function landingPage(deps: LandingDeps, isApiDescribed: boolean): PageReply {
  const look = createLook('en', deps);
  const main = html`<div class="card plain-page"><h1>Quittance</h1>
<p>This is a payment service for shops. Customers come here by a link that their shop gives them.</p>
<ul>
${isApiDescribed && html`<li><a href="/api/v1/openapi.json">Description of the API (OpenAPI)</a></li>`}
<li><a href="/api/v1/status">Status of the service</a></li>
</ul></div>`;
  return pageReply(200, look, pageLayout(look, { title: 'Quittance', main }));
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
