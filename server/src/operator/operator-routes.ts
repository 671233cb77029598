/**
 * For those who run the service: is the process alive, can it serve, are its parts well, what do its numbers say.
 * Health reports how the last reading of the shared state went, and asks nobody: it is always answered at once.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { StatusReply } from '@quittance/contract/account';
import { endpoints } from '@quittance/contract/endpoints';
import ipaddr from 'ipaddr.js';
import { answersInTime, type Db } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Readiness } from '../http/readiness.ts';
import { type PageContext, type PageReply, pageRoute, type Route, route } from '../http/route.ts';
import type { Secret } from '../lib/secret.ts';
import { holderOf } from '../merchants/branding-key.ts';

export type OperatorDeps = {
  readonly db: Db;
  readonly networks: readonly string[];
  readonly health: NetworkHealth;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Null: only this machine may read the metrics. */
  readonly metricsToken: Secret | null;
};

const healthy = { status: 'ok' } as const;
const alive = { status: 'alive' } as const;

export function operatorRoutes(deps: OperatorDeps): Route[] {
  const status = () => readStatus(deps);
  const health = (): typeof healthy => {
    deps.readiness.assertReady();
    return healthy;
  };
  return [
    route({ endpoint: endpoints.health, handle: health }),
    route({ endpoint: endpoints.status, handle: status }),
    // A brand container asks by these names whether it is well, that is, whether its key is valid.
    brandConnect('/api/v1/health/brand-connect', health),
    brandConnect('/api/v1/status/brand-connect', status),
    pageRoute({ methods: ['GET'], path: '/health', cost: 'free', handle: () => jsonReply(health()) }),
    // For programs that end a process that hangs. One that waits for its database does not hang.
    pageRoute({ methods: ['GET'], path: '/alive', cost: 'free', handle: () => jsonReply(alive) }),
    pageRoute({ methods: ['GET'], path: '/metrics', cost: 'free', handle: (context) => answerMetrics(deps, context) }),
  ];
}

const brandConnect = (path: string, answer: () => object | Promise<object>): Route =>
  pageRoute({
    methods: ['GET'],
    path,
    cost: 'news',
    async handle({ shopDomain }) {
      if (shopDomain) {
        const { domain } = shopDomain;
        return jsonReply({ ...(await answer()), domain, holder: holderOf(shopDomain) });
      }
      return jsonReply({ errors: ['A branding key is needed: this is for brand containers.'] }, 403);
    },
  });

/** Answered with 200 also when a part is away: the question was answered. */
async function readStatus({ db, networks, health }: OperatorDeps): Promise<StatusReply> {
  const parts: StatusReply['parts'] = { database: (await answersInTime(db)) ? 'ok' : 'away' };
  for (const network of networks) parts[network] = health.isUp(network) ? 'ok' : 'away';
  return { status: Object.values(parts).every((part) => part === 'ok') ? 'ok' : 'degraded', parts };
}

async function answerMetrics({ metrics, metricsToken }: OperatorDeps, context: PageContext): Promise<PageReply> {
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };
  if (metricsToken && !isSame(bearerOf(context), metricsToken.reveal()))
    return { status: 401, headers: { ...headers, 'www-authenticate': 'Bearer' }, body: 'A bearer token is needed.\n' };
  if (!metricsToken && !isFromThisMachine(context))
    return { status: 403, headers, body: 'Metrics are readable from this machine only. METRICS_TOKEN opens them.\n' };
  return { status: 200, headers, body: await metrics.render() };
}

const bearerOf = ({ headers }: PageContext): string =>
  /^Bearer (.+)$/i.exec(String(headers['authorization'] ?? ''))?.[1]?.trim() ?? '';

/** Digests, because comparing in constant time needs equal lengths. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What a proxy on this machine forwards comes from elsewhere, whatever the address of the connection says. */
const isFromThisMachine = ({ address, headers }: PageContext): boolean =>
  ipaddr.isValid(address) &&
  ipaddr.process(address).range() === 'loopback' &&
  headers['x-forwarded-for'] === undefined &&
  headers['forwarded'] === undefined;

const jsonReply = (body: unknown, status = 200): PageReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});
