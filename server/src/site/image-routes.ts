/** Images, the stylesheet, the script, the icon and the manifest: what a browser fetches beside a page. */
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { type StaticFile, staticFile, versionOf } from '../web/static-files.ts';

const manifest = {
  name: 'Quittance',
  display: 'browser',
  icons: [{ src: '/images/icon.svg', type: 'image/svg+xml', sizes: 'any' }],
};

export function imageRoutes(files: ReadonlyMap<string, StaticFile>): Route[] {
  const manifestFile = staticFile(Buffer.from(JSON.stringify(manifest)), 'application/manifest+json');
  const iconFile = files.get('/images/favicon.ico');
  return [
    ...['/images/*', '/css/*', '/js/*'].map((path) =>
      pageRoute({
        methods: ['GET'],
        path,
        cost: 'file',
        handle: (context) => answer(files.get(context.path), context),
      }),
    ),
    pageRoute({
      methods: ['GET'],
      path: '/manifest.json',
      cost: 'file',
      handle: (context) => answer(manifestFile, context),
    }),
    pageRoute({ methods: ['GET'], path: '/favicon.ico', cost: 'file', handle: (context) => answer(iconFile, context) }),
  ];
}

function answer(file: StaticFile | undefined, { headers, query }: PageContext): PageReply {
  if (!file) return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Not found.\n' };
  const maxAge = query['v'] === versionOf(file) ? 'max-age=31536000, immutable' : 'max-age=86400';
  const cache = { etag: file.etag, 'cache-control': `public, ${maxAge}` };
  const known = String(headers['if-none-match'] ?? '')
    .split(',')
    .map((etag) => etag.trim().replace(/^W\//, ''));
  if (known.includes(file.etag)) return { status: 304, headers: cache };
  return { status: 200, headers: { ...cache, 'content-type': file.contentType }, body: file.body };
}
