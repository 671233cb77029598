/** The wiring, by hand, on one page: what exists in a process and what it is made of. */
import { apiRoutes } from './api-routes.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { createUsedKeys } from './auth/used-keys.ts';
import { forgetBytes } from './bank-files/accept-store.ts';
import { forgetBankOrders } from './bank-files/bank-order-store.ts';
import { readDocuments } from './bank-files/document-store.ts';
import { forgetUnseen } from './bank-files/folder-file-store.ts';
import { forgetPaymentFiles } from './bank-files/forget-payment-files.ts';
import { forgetMakeOrders } from './bank-files/make-order-store.ts';
import { createFolderWatcher } from './bank-files/watch-folder.ts';
import { createBridge } from './bridge/bridge.ts';
import { countBooks } from './bridge/count-books.ts';
import { loadAnchoredAssets } from './catalog/anchored-asset-store.ts';
import { createAssetCatalog } from './catalog/asset-catalog.ts';
import { knownCurrencies } from './catalog/known-currencies.ts';
import { createCheckoutBatches } from './checkouts/checkout-batches.ts';
import { createTermFollower, type FollowResult } from './checkouts/follow-terms.ts';
import type { Config } from './config.ts';
import { forgetOldFailures } from './counterparties/mail-address-store.ts';
import type { Db } from './db/database.ts';
import { createDepositIndexes } from './deposits/deposit-index.ts';
import { createNetworkHealth, loadNetworkStatus } from './deposits/network-health.ts';
import { forgetMailCounts } from './emails/mail-count-store.ts';
import { createSendEmail } from './emails/send-email.ts';
import { createNeedsNotifier } from './finding/notify-people.ts';
import { createDemandRoom } from './http/demand-room.ts';
import { createHttpServer, type HttpServer } from './http/http-server.ts';
import { forgetOldIdempotencyKeys } from './http/idempotency.ts';
import { createKeyLocks } from './http/key-locks.ts';
import { createMetrics } from './http/metrics.ts';
import { forgetFullBuckets } from './http/rate-bucket-store.ts';
import { createReadiness } from './http/readiness.ts';
import { createSharedRateLimiter } from './http/shared-rate-limit.ts';
import { forgetUsedSignatures } from './http/used-signature.ts';
import { createJobRunners } from './job-runners.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import { forgetOldSamples, sampleQueue } from './jobs/sample-queue.ts';
import { addMs, type Clock, hours } from './lib/clock.ts';
import { createEncryption } from './lib/encryption.ts';
import { createGuardedFetch, createTextFetch } from './lib/guarded-fetch.ts';
import { createHeavyWork, type HeavyWork } from './lib/heavy-work.ts';
import type { Ticking } from './lib/keep-ticking.ts';
import type { Log } from './lib/log.ts';
import { loadBrandDomains } from './merchants/brand-domain-store.ts';
import { createBrandDomains } from './merchants/brand-domains.ts';
import { findBrand } from './merchants/brand-store.ts';
import { forgetOldFailedRequests, noteFailedRequests } from './merchants/failed-requests.ts';
import { findMerchant } from './merchants/merchant-store.ts';
import { createPictureWork } from './merchants/picture-work.ts';
import { webhookSecretsOf } from './merchants/webhook-secrets.ts';
import type { Connector } from './networks/port/connector.ts';
import { isFiling } from './networks/port/orders.ts';
import { createConnectors } from './networks/registry.ts';
import { registerBridgeGauges } from './operator/bridge-gauges.ts';
import { registerExposureGauges } from './operator/exposure-gauges.ts';
import { countHeavyWork, registerLoadGauges } from './operator/load-gauges.ts';
import { registerOperatorGauges } from './operator/operator-gauges.ts';
import { registerStoredGauges } from './operator/stored-gauges.ts';
import { registerTreasuryGauges } from './operator/treasury-gauges.ts';
import { pageRoutes } from './page-routes.ts';
import { eraseWhoWasLeft } from './papers/erase-customer.ts';
import { forgetUnpaid } from './payment-links/forget-unpaid.ts';
import { foldTallies } from './payment-links/payment-link-store.ts';
import { sweepUnchosen } from './payment-links/sweep-unchosen.ts';
import { takePlaces } from './payment-links/take-places.ts';
import { asLocalhost } from './people/account-url.ts';
import { forgetOldSignIns } from './people/forget-old-sign-ins.ts';
import { fixedRates } from './pricing/fixed-rates.ts';
import { liveRateSources } from './pricing/live-rate-sources.ts';
import { marketBuffer, tableDrift } from './pricing/market-buffer.ts';
import { pollRates } from './pricing/poll-rates.ts';
import { createRateBook } from './pricing/rate-book.ts';
import { createRateKeeper } from './pricing/rate-hours.ts';
import { loadRates } from './pricing/rate-store.ts';
import { createVolatilityBook } from './pricing/volatility-book.ts';
import { createDayFollower } from './reports/follow-days.ts';
import { createNetworkSender, type NetworkSender } from './sending/send-network.ts';
import { createCoverageCheck } from './venues/coverage.ts';
import { loadStock } from './venues/load-stock.ts';
import { createStockBook } from './venues/stock-book.ts';
import { forgetSwapQuotes } from './wallets/swap-store.ts';
import type { Count } from './watching/reconcile.ts';
import { createNetworkWatcher, type NetworkWatcher } from './watching/watch-network.ts';

export type App = {
  readonly server: HttpServer;
  /** Ended last: both the server and jobs have it done. */
  readonly heavyWork: HeavyWork;
  readonly runners: readonly JobRunner[];
  readonly watchers: readonly NetworkWatcher[];
  readonly senders: readonly NetworkSender[];
  /** What is written down later about what happened, so that nothing that happens waits for it. */
  readonly followers: readonly Ticking<FollowResult>[];
  /** Before the door opens: see `page-routes`. */
  warmUp(): Promise<void>;
  /** Asks the rate sources. */
  pollRates(): Promise<void>;
  /** Reads what other processes stored: rates, the health of networks, own domains, the stock, assets of anchors. */
  refresh(): Promise<void>;
  /**
   * Compares the books with what the networks say that we hold and issued, where that was not done since then. Waits
   * while another process does it.
   */
  reconcile(since?: Date): Promise<Count>;
  /** Warns when less of an asset is held than is owed and promised. */
  checkCoverage(): Promise<void>;
  /** Notes how many jobs wait, for the operator's overview. */
  sampleQueue(): Promise<void>;
  /** Deletes what is no longer needed. */
  cleanUp(): Promise<void>;
  /** Forgets clients that have not asked for a while: anybody can make many of them. */
  forgetVisitors(): Promise<void>;
  /** Adds up what came of payment links since the last time. */
  addUpLinks(): Promise<void>;
  /** When API keys were last used. */
  writeUsedKeys(): Promise<void>;
};

export type AppDeps = {
  readonly config: Config;
  readonly publicUrl: string;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Beside those that are configured: what a story brings with it. */
  readonly furtherNetworks?: readonly Connector[];
  /** What credentials are remembered by: left out, the time since this process began. */
  readonly nowMs?: () => number;
};

export function createApp(deps: AppDeps): App {
  const { config, publicUrl, db, clock, log } = deps;
  const accountUrl = config.accountUrl ?? asLocalhost(publicUrl);
  const encryption = createEncryption(Buffer.from(config.masterKey.reveal(), 'hex'));
  const assets = createAssetCatalog(config.operator, config.anchoredAssets);
  const further = (deps.furtherNetworks ?? []).map((connector) => [connector.network.id, connector] as const);
  const connectors = new Map([...createConnectors(config.networks, clock.now), ...further]);
  const networks = [...connectors.keys()];
  const health = createNetworkHealth(clock);
  const metrics = createMetrics();
  const heavyWork = createHeavyWork({ onEnd: countHeavyWork(metrics) });
  const pictures = createPictureWork(heavyWork);
  const readiness = createReadiness(clock);
  const domains = createBrandDomains(publicUrl);
  const rateLimiter = config.isRateLimited ? createSharedRateLimiter({ db, log }) : null;

  const sources = [fixedRates, ...liveRateSources].filter((source) => config.rateSources.includes(source.name));
  const currencies = knownCurrencies.map(({ code, type }) => ({
    code,
    kind: type === 'CRYPTO' ? ('crypto' as const) : ('fiat' as const),
  }));
  const volatility = createVolatilityBook({ clock });
  const driftOf = (code: string, ageMs: number) => tableDrift(config.buffer, volatility.variance(code, 'USD'), ageMs);
  const rates = createRateBook({ sources, currencies, clock, margins: config.rateMargins, driftOf });
  const keepRates = createRateKeeper({ db, clock, rates, currencies });
  const fetchText = createTextFetch({ allowLoopback: false });

  const { fees, transferFees, venueRules, venueSlippagePercent } = config;
  const { treasuryLimits, treasuryShare, swapSpread, unfinalCeilings } = config;
  const stock = createStockBook();
  const stockDeps = { db, assets, connectors, venueRules, treasuryLimits, treasuryShare };
  const checkoutDeps = {
    ...stockDeps,
    clock,
    health,
    rates,
    stock,
    fees,
    bufferOf: (paid: string, credited: string, heldMs: number) =>
      marketBuffer(config.buffer, volatility.variance(paid, credited), heldMs),
    originFor: domains.originFor,
    venueSlippagePercent,
    swapSpread,
    unfinalCeilings,
    nextDepositIndex: createDepositIndexes(db),
    openDepositsMax: config.openDepositsMax,
    allowLoopbackWebhooks: config.allowLoopbackWebhooks,
    batches: createCheckoutBatches({ ...stockDeps, takePlaces }),
  };

  const countDeps = { db, clock, log, assets, connectors };
  const transferDeps = { ...checkoutDeps, transferFees };

  const fetch = createGuardedFetch({ allowLoopback: config.allowLoopbackWebhooks });
  const secretsOf = (merchantId: string, apiKey: string) =>
    webhookSecretsOf({ db, clock, encryption }, merchantId, apiKey);
  const isSandbox = config.mode === 'sandbox';
  const merchantOf = (merchantId: string) => findMerchant(db, merchantId);
  const sendEmail = config.mail && createSendEmail(config.mail);
  const runners = createJobRunners({
    ...transferDeps,
    log,
    isSandbox,
    encryption,
    merchantOf,
    pictures,
    sendEmail,
    mailLimits: config.mailLimits,
    publicUrl,
    accountUrl,
    supportContact: config.supportContact,
    networks,
    fetch,
    secretsOf,
    bankFileBytesMax: config.bankFileBytesMax,
    workerConcurrency: config.workerConcurrency,
  });
  const wakeJobs = (): void => {
    for (const runner of runners) runner.wake();
  };

  const watchers = Array.from(connectors.values(), (connector) =>
    createNetworkWatcher(
      { db, clock, log, assets, pollMs: config.watchPollMs, onChange: wakeJobs, readDocuments },
      connector,
    ),
  );

  const sendDeps = {
    db,
    clock,
    log,
    assets,
    pollMs: config.watchPollMs,
    onChange: wakeJobs,
    nextDepositIndex: checkoutDeps.nextDepositIndex,
  };
  const senders = Array.from(connectors.values()).flatMap((connector) =>
    connector.sender && !isFiling(connector.sender) ? [createNetworkSender(sendDeps, connector, connector.sender)] : [],
  );

  const bridge = createBridge({ ...sendDeps, connectors });
  registerOperatorGauges({ db, clock, metrics });
  registerLoadGauges({ metrics, heavyWork });
  registerBridgeGauges({ db, clock, metrics });
  registerExposureGauges({ ...checkoutDeps, metrics });
  registerTreasuryGauges({ db, metrics, assets, treasuryLimits });
  const checkCoverage = createCoverageCheck({
    clock,
    log,
    assets,
    treasuryLimits,
    coverageWarning: config.coverageWarning,
  });
  const keyLocks = createKeyLocks(db);
  const sendsEmail = sendEmail !== null;
  const importDeps = { db, clock, encryption, connectors, bankFileBytesMax: config.bankFileBytesMax };
  const { bankFolder, bankFolderPauseMs: pauseMs } = config;
  const api = apiRoutes({ ...transferDeps, encryption, publicUrl, isSandbox, sendsEmail });
  const storedBytesMax = config.storedMegabytesMax * 1024 * 1024;
  const demandRoom = createDemandRoom({ db, bytesMax: storedBytesMax, nowMs: deps.nowMs });
  const pages = pageRoutes({
    ...transferDeps,
    keyLocks,
    demandRoom,
    apiRoutes: api,
    publicUrl,
    metrics,
    heavyWork,
    pictures,
    metricsToken: config.metricsToken,
    isSandbox,
    operator: config.operator,
    log,
    feedLimits: config.feedLimits,
    sandboxChains: config.sandboxChains,
    domains,
    encryption,
    rateLimiter,
    fetch,
    readiness,
    merchantOf,
    sendsReceipts: config.mail !== null,
    accountUrl,
    sandboxUrl: config.sandboxUrl,
    isSignUpOpen: config.isSignUpOpen,
    supportContact: config.supportContact,
    rateSources: sources.map(({ name }) => name),
    shownSettings: config.shownSettings,
    bankFileBytesMax: config.bankFileBytesMax,
    storedMegabytesMax: config.storedMegabytesMax,
    brandOf: (merchantId) => findBrand(db, merchantId),
  });
  const usedKeys = createUsedKeys();
  const failedRequests = noteFailedRequests({ db, log });
  registerStoredGauges({ db, metrics, storedBytesMax });
  const httpServer = createHttpServer({
    db,
    demandRoom,
    clock,
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    rateLimiter,
    encryption,
    keyLocks,
    authenticate: createAuthenticate({ db, clock, encryption, usedKeys }, deps.nowMs),
    onRefused: (request) => failedRequests.note(request, clock.now()),
    notFoundPage: pages.notFoundPage,
    busyPage: pages.busyPage,
    routes: [...pages.routes, ...api],
  });

  const server: HttpServer = {
    ...httpServer,
    async close() {
      await httpServer.close();
      await failedRequests.end();
    },
  };

  async function refresh(): Promise<void> {
    const names = sources.map((source) => source.name);
    const [observations, statuses, known, stocks, anchored] = await Promise.all([
      loadRates(db, names),
      loadNetworkStatus(db),
      loadBrandDomains(db),
      loadStock(stockDeps, db),
      loadAnchoredAssets(db),
      volatility.refresh(db),
    ]);
    assets.learn(anchored);
    domains.record(known);
    rates.record(observations);
    health.record(statuses);
    stock.record(stocks);
  }

  return {
    server,
    heavyWork,
    runners,
    watchers,
    senders: [...senders, ...(bridge ? [bridge] : [])],
    followers: [
      createTermFollower({ db, clock, log }),
      createDayFollower({ db, clock, log, assets, encryption }),
      createNeedsNotifier({ db, clock, log, assets, networks, sendsEmail: sendEmail !== null }),
      ...(bankFolder === null ? [] : [createFolderWatcher({ ...importDeps, assets, log, bankFolder, pauseMs })]),
    ],
    warmUp: pages.warmUp,
    async pollRates() {
      rates.record(await pollRates({ db, clock, log, fetchText, sources, currencies }));
      // For reports of later: what is paid now does not wait for it.
      await keepRates().catch((error: unknown) => log.warn({ err: error }, 'cannot keep the rates of this hour'));
    },
    refresh: () => readiness.noting(refresh),
    reconcile: (since) => countBooks(countDeps, since ?? null),
    checkCoverage: () => checkCoverage(db),
    sampleQueue: () => sampleQueue(db, clock.now()),
    async cleanUp() {
      const now = clock.now();
      await Promise.all([
        forgetOldIdempotencyKeys(db, now),
        forgetUsedSignatures(db, now),
        forgetSwapQuotes(db, addMs(now, -hours(48))),
        forgetOldSignIns(db, now),
        forgetOldFailedRequests(db, now),
        forgetOldSamples(db, now),
        forgetMailCounts(db, addMs(now, -hours(48))),
        forgetOldFailures(db, addMs(now, -hours(90 * 24))),
        forgetUnseen(db, addMs(now, -hours(24 * 30))),
        forgetBytes(db, addMs(now, -hours(config.bankFileDays * 24))),
        forgetBankOrders(db, addMs(now, -hours(24))),
        forgetPaymentFiles(db, addMs(now, -hours(config.bankFileDays * 24))),
        forgetMakeOrders(db, addMs(now, -hours(24))),
        eraseWhoWasLeft(db, now),
        sweepUnchosen(db, now),
        config.forgetUnpaidDays > 0 && forgetUnpaid(db, addMs(now, -hours(config.forgetUnpaidDays * 24))),
      ]);
    },
    forgetVisitors: () => forgetFullBuckets(db),
    addUpLinks: () => foldTallies(db),
    writeUsedKeys: () => usedKeys.write(db),
  };
}
