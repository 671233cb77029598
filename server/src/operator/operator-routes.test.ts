import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../db/database.ts';
import { createNetworkHealth } from '../deposits/network-health.ts';
import { createMetrics } from '../http/metrics.ts';
import { createReadiness } from '../http/readiness.ts';
import type { PageContext, PageReply } from '../http/route.ts';
import { systemClock } from '../lib/clock.ts';
import { holderOf } from '../merchants/branding-key.ts';
import { operatorRoutes } from './operator-routes.ts';

test('without its database a process is alive, and says that the database is away', async () => {
  const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nowhere', poolSize: 1 });
  const routes = operatorRoutes({
    db,
    networks: ['BITCOIN'],
    health: createNetworkHealth(systemClock),
    readiness: createReadiness(systemClock),
    metrics: createMetrics(),
    metricsToken: null,
  });
  const ask = async (path: string, address = '127.0.0.1'): Promise<PageReply> => {
    const route = routes.find((each) => each.kind === 'page' && each.path === path);
    assert.ok(route?.kind === 'page');
    const shopDomain = { merchantId: 'merchant1234', domain: 'pay.shop.example' };
    return route.handle({ address, headers: {}, shopDomain } as unknown as PageContext);
  };
  assert.equal((await ask('/alive')).body, JSON.stringify({ status: 'alive' }));
  for (const path of ['/health', '/api/v1/health/brand-connect'])
    await assert.rejects(ask(path), { httpStatus: 503, headers: { 'retry-after': '2' } }, path);
  const status = await ask('/api/v1/status/brand-connect');
  assert.equal(status.status, 200);
  assert.deepEqual(JSON.parse(status.body as string), {
    status: 'degraded',
    parts: { database: 'away', BITCOIN: 'away' },
    domain: 'pay.shop.example',
    holder: holderOf({ merchantId: 'merchant1234', domain: 'pay.shop.example' }),
  });

  const addresses = { '127.0.0.1': 200, '::1': 200, '::ffff:127.0.0.2': 200, '10.0.0.1': 403, unknown: 403 };
  for (const [address, expected] of Object.entries(addresses))
    assert.equal((await ask('/metrics', address)).status, expected, address);
  await db.close();
});
