/**
 * Horizon goes silent at any moment of an exchange and of the bridge: before it hears of a request, or after it has done
 * what was asked and before it says so, which for whoever only wanted to read is the same. However it is, it happens
 * exactly once.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { type BridgeWorld, startBridgeWorld } from './bridge-stories.ts';
import type { Story } from './die-everywhere.ts';
import { type ExchangeWorld, startExchangeWorld } from './exchange-stories.ts';
import type { Gateway } from './gateway.ts';
import { type Cut, type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { turns } from './until.ts';

let proxy: NodeProxy;
let market: ExchangeWorld;
let bridge: BridgeWorld;
before(async () => {
  proxy = await startNodeProxy();
  market = await startExchangeWorld();
  bridge = await startBridgeWorld();
});
after(async () => {
  await market.gateway.stop();
  await bridge.gateway.stop();
  await proxy.close();
});

/** Tells at which request Horizon went silent; null: there were not so many. */
async function tell(gateway: Gateway, story: Story<string>, cut: Cut): Promise<string | null> {
  const told = await story.begin();
  for (const each of [...gateway.app.watchers, ...gateway.app.senders]) await each.stop();
  const config = readConfig({ ...gateway.env, STELLAR_HORIZON_URL: proxy.url });
  const { db, clock, log } = gateway;
  const app = createApp({ config, publicUrl: config.publicUrl ?? '', db, clock, log });
  await app.refresh();
  proxy.passTo(gateway.stellar.url);
  proxy.cutAt(cut);
  for (const step of story.live) await step(app, told, { db, clock });
  const at = proxy.mend();
  await app.server.close();
  for (const each of [...app.watchers, ...app.senders, ...app.runners]) await each.stop();
  try {
    await story.end(told);
  } catch (cause) {
    throw new Error(`silent ${cut.moment} request ${cut.request}, ${at}`, { cause });
  }
  return at;
}

async function goSilentEverywhere(gateway: Gateway, story: Story<string>): Promise<void> {
  const silentAt = new Set<string>();
  const submissions = [];
  for (const turn of turns()) {
    const request = turn + 1;
    const at = await tell(gateway, story, { request, moment: 'before' });
    if (at === null) break;
    silentAt.add(at);
    if (at.startsWith('POST')) submissions.push(request);
  }
  assert.ok(silentAt.size >= 4, [...silentAt].join(', '));
  assert.ok(submissions.length > 0);
  for (const request of submissions)
    assert.equal(await tell(gateway, story, { request, moment: 'after' }), 'POST /transactions_async');
  assert.deepEqual(await verifyLedger(gateway.db), []);
}

test('a swap on the market is exchanged once', () => goSilentEverywhere(market.gateway, market.swap));

test('tokens for coins that came are issued once', () => goSilentEverywhere(bridge.gateway, bridge.issue));
