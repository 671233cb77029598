/** Everything under the root that is not the API. */

import { accountRoutes, atAccountHost, isForPeople, missingAccountPage } from './account/account-routes.ts';
import { pluginLinks } from './account/checkouts/plugin-links.ts';
import { apiSettingsRoute } from './account/developers/developer-routes.ts';
import { createAccountNews } from './account/frame/account-news.ts';
import { createNeedCounts } from './account/home/need-counts.ts';
import type { MoneyDeps } from './account/money/money-deps.ts';
import { banksAmong } from './bank-files/import-bank-file.ts';
import { findPublicCheckout } from './checkouts/checkout-store.ts';
import type { CommitDeps } from './checkouts/commit-checkout.ts';
import type { DemandRoom } from './http/demand-room.ts';
import type { HttpServerOptions } from './http/http-server.ts';
import type { KeyLocks } from './http/key-locks.ts';
import type { RateLimiter } from './http/rate-limit.ts';
import type { Route } from './http/route.ts';
import { paperRoutes } from './invoices/paper-routes.ts';
import type { Encryption } from './lib/encryption.ts';
import type { GuardedFetch } from './lib/guarded-fetch.ts';
import type { HeavyWork } from './lib/heavy-work.ts';
import type { Log } from './lib/log.ts';
import type { Secret } from './lib/secret.ts';
import { manualRoutes, readManual } from './manual/manual-routes.ts';
import type { Merchant } from './merchants/merchant.ts';
import type { PictureWork } from './merchants/picture-work.ts';
import { createHouseNews } from './operator/house-news.ts';
import { type OperatorPageDeps, operatorArea } from './operator/operator-area.ts';
import { type OperatorDeps, operatorRoutes } from './operator/operator-routes.ts';
import { type AskBackDeps, askBackRoutes } from './payment-page/ask-back-routes.ts';
import { createCheckoutFeed, type FeedLimits } from './payment-page/checkout-feed.ts';
import { checkoutPageRoutes } from './payment-page/checkout-page-routes.ts';
import { contactRoutes } from './payment-page/contact-routes.ts';
import { createPageFinder, type FinderDeps } from './payment-page/find-page.ts';
import { linkPageRoutes } from './payment-page/link-page-routes.ts';
import { liveRoutes } from './payment-page/live-routes.ts';
import { previewRoutes } from './payment-page/preview-routes.ts';
import { refundClaimRoutes } from './payment-page/refund-claim-routes.ts';
import { createSandboxPayer } from './payment-page/sandbox-payer.ts';
import { sandboxRoutes } from './payment-page/sandbox-routes.ts';
import { stopMailsRoutes } from './payment-page/stop-mails-routes.ts';
import { walletSigningRoutes } from './payment-page/wallet-signing-routes.ts';
import { warmUpPages } from './payment-page/warm-up-pages.ts';
import { brandFileRoutes } from './site/brand-file-routes.ts';
import { createFrontDoor } from './site/front-door.ts';
import { imageRoutes } from './site/image-routes.ts';
import { createNotFoundPage, landingRoutes } from './site/landing-routes.ts';
import { type PublishedFileDeps, publishedFileRoutes } from './site/published-file-routes.ts';
import { statementKeyRoutes } from './site/statement-key-routes.ts';
import { inSpokenLanguage } from './web/page-language.ts';
import { busyReply, costOf } from './web/page-limits.ts';
import { loadStaticFiles, versionedPath } from './web/static-files.ts';

export type AllPageDeps = CommitDeps &
  Omit<FinderDeps, 'files'> &
  AskBackDeps &
  Omit<OperatorDeps, 'networks'> &
  PublishedFileDeps &
  Omit<MoneyDeps, 'files' | 'sendsEmail' | 'needCounts' | 'news'> &
  Pick<OperatorPageDeps, 'rateSources' | 'shownSettings'> & {
    readonly log: Log;
    readonly heavyWork: HeavyWork;
    readonly pictures: PictureWork;
    readonly publicUrl: string;
    readonly encryption: Encryption;
    readonly bankFileBytesMax: number;
    readonly storedMegabytesMax: number;
    readonly demandRoom: DemandRoom;
    readonly rateLimiter: RateLimiter | null;
    readonly keyLocks: KeyLocks;
    /** What can be tried out in the manual. */
    readonly apiRoutes: readonly Route<Merchant>[];
    readonly feedLimits: FeedLimits;
    readonly fetch: GuardedFetch;
    /** Where the sandbox's chains can be controlled, by network; empty in production. */
    readonly sandboxChains: ReadonlyMap<string, Secret>;
  };

export function pageRoutes(all: AllPageDeps): {
  routes: Route[];
  notFoundPage: NonNullable<HttpServerOptions['notFoundPage']>;
  busyPage: NonNullable<HttpServerOptions['busyPage']>;
  /** What takes longer the first time than anybody should wait for somebody else, before there is anybody. */
  warmUp(): Promise<void>;
} {
  const files = loadStaticFiles();
  const stylesheet = versionedPath(files, '/css/page.css');
  const script = versionedPath(files, '/js/pay.mjs');
  const sandbox = all.isSandbox ? createSandboxPayer(all.sandboxChains) : null;
  const deps = { ...all, files: { stylesheet, script }, sandbox };
  const feed = createCheckoutFeed({ ...all, limits: all.feedLimits });
  const finder = createPageFinder(deps);
  const needCounts = createNeedCounts(all);
  const news = createAccountNews({ ...all, limits: all.feedLimits, onNews: needCounts.forget });
  const account = {
    ...all,
    needCounts,
    news,
    files: {
      stylesheet: versionedPath(files, '/css/account.css'),
      script: versionedPath(files, '/js/account.mjs'),
      styleguide: versionedPath(files, '/css/styleguide.css'),
    },
    sendsEmail: all.sendsReceipts,
    pageFiles: { stylesheet, script },
    brandScript: versionedPath(files, '/js/brand.mjs'),
    manualFiles: {
      stylesheet: versionedPath(files, '/css/manual.css'),
      script: versionedPath(files, '/js/manual.mjs'),
      accountScript: versionedPath(files, '/js/account.mjs'),
    },
    banks: banksAmong(all.connectors).map(({ network }) => network.id),
    houseNews: createHouseNews({ ...all, networks: [...all.connectors.keys()] }),
  };
  all.metrics.gauge('quittance_page_viewers', 'Open payment pages that are told of changes at once.', feed.viewers);
  all.metrics.gauge('quittance_account_viewers', 'Open pages of accounts that are told of news.', news.listeners);
  const door = createFrontDoor(deps);
  const missingForPayers = createNotFoundPage(deps);
  const missingForPeople = missingAccountPage(account);
  return {
    routes: door.allBehind(
      [
        ...operatorRoutes({ ...deps, networks: [...deps.connectors.keys()] }),
        ...imageRoutes(files),
        ...brandFileRoutes(deps),
        ...landingRoutes(deps),
        ...publishedFileRoutes(deps),
        ...statementKeyRoutes(deps),
        ...checkoutPageRoutes(deps, finder),
        ...linkPageRoutes(deps),
        ...stopMailsRoutes(deps),
        ...contactRoutes(deps, finder),
        ...askBackRoutes(deps, finder),
        ...paperRoutes(deps, finder),
        ...previewRoutes(deps),
        ...refundClaimRoutes(deps),
        ...liveRoutes({
          feed,
          isShownAt: async ({ merchantId }, id) => (await findPublicCheckout(deps.db, id))?.merchantId === merchantId,
        }),
        ...walletSigningRoutes(deps, finder),
        ...(sandbox ? sandboxRoutes({ ...deps, sandbox }, finder) : []),
        ...[...accountRoutes(account), ...operatorArea(account)].map((route) => atAccountHost(all, route)),
        ...manualRoutes(account),
        ...pluginLinks(all),
        apiSettingsRoute(all),
      ].map(inSpokenLanguage),
    ),
    busyPage: (route, context, { httpStatus: status, headers }) =>
      door.framed(context, busyReply(deps, { cost: costOf(route, context), context }, { status, headers })),
    notFoundPage: door.behind({
      methods: ['GET'],
      handle: (context) => (isForPeople(context.path) ? missingForPeople(context) : missingForPayers(context)),
    }),
    async warmUp() {
      await warmUpPages(deps, deps.clock.now());
      readManual();
    },
  };
}
