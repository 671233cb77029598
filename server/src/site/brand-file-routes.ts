/** `/images/brand/{hash}.webp`: merchants' own images and fonts, which we have encoded or checked. */
import type { Query } from '../db/database.ts';
import { pageRoute, type Route } from '../http/route.ts';
import { findBrandFile } from '../merchants/brand-store.ts';
import { brandFileFolder } from '../web/page-brand.ts';

export const brandFileRoutes = ({ db }: { readonly db: Query }): Route[] => [
  pageRoute({
    methods: ['GET'],
    path: `${brandFileFolder}/:name`,
    cost: 'file',
    async handle({ params, shopDomain }) {
      const name = params['name'] ?? '';
      const file = /^[0-9a-f]{32}\.(webp|woff2)$/.test(name)
        ? await findBrandFile(db, name, shopDomain?.merchantId ?? null)
        : undefined;
      if (!file) return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Not found.\n' };
      // The name is the hash of the content, so it never changes.
      const headers = { 'content-type': file.contentType, 'cache-control': 'public, max-age=31536000, immutable' };
      return { status: 200, headers, body: file.body };
    },
  }),
];
