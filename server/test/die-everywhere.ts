/**
 * Death at any point. A story is told again and again, and each time the process in its middle dies one point later: a
 * point is where something was committed, or happened outside, since the one before, and between two of them a death
 * makes no difference to whoever goes on (see postgres-proxy). Then a healthy process goes on, and the end of the story
 * must be the same. Nothing in the service knows of this.
 *
 * The one that dies is a wiring in this process that is cut off from its database for ever, which the rest of the world
 * cannot tell from a death: starting a process takes longer than what it does here. `kill-nine` kills real ones too.
 */
import assert from 'node:assert/strict';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type App, createApp } from '../src/app.ts';
import { type Environment, readConfig } from '../src/config.ts';
import { type Db, openDatabase } from '../src/db/database.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import type { Clock } from '../src/lib/clock.ts';
import { isSound } from '../src/watching/reconcile.ts';
import { isSample, strideOfPoints } from './depth.ts';
import type { Gateway } from './gateway.ts';
import { type Halt, startPostgresProxy } from './postgres-proxy.ts';
import { patience } from './test-database.ts';
import { untilRested } from './until.ts';

export type Story<Told> = {
  /** Up to where the process takes over that dies. */
  begin(): Promise<Told>;
  /** What it does, if it lives, and what happens around it, one after the other. */
  readonly live: readonly Step<Told>[];
  /** A healthy process goes on, and everything must be as if nothing had happened. */
  end(told: Told): Promise<unknown>;
};

export type Step<Told> = (app: App, told: Told, process: { readonly db: Db; readonly clock: Clock }) => unknown;

export type Deaths = {
  /** Fewer points than this, and the story does not tell what it says. */
  readonly atLeast: number;
  /** What differs for the process that dies, e.g. networks that it need not know. */
  readonly env?: Environment;
};

export async function dieEverywhere<Told>(gateway: Gateway, story: Story<Told>, deaths: Deaths): Promise<void> {
  await dieAtEveryPoint((point) => tell(gateway, story, { point }, deaths.env ?? {}), deaths.atLeast);
  assert.deepEqual(await verifyLedger(gateway.db), []);
  const differences = (await gateway.count()).filter((each) => !isSound(each));
  assert.deepEqual(differences, [], 'the networks hold what the books say');
}

let storiesTold = 0;

/**
 * `dieAt` is false when all was done before that point. A sample is one death, in the middle. Where not every point is
 * tried, one story after the other begins at another one: what they have in common dies at all of them.
 */
export async function dieAtEveryPoint(dieAt: (point: number) => Promise<boolean>, atLeast: number): Promise<void> {
  if (isSample()) {
    const middle = Math.ceil(atLeast / 2);
    assert.ok(await dieAt(middle), `there was no point ${middle} to die at`);
    return;
  }
  const stride = strideOfPoints();
  let point = 1 + (storiesTold++ % stride);
  while (await dieAt(point)) point += stride;
  assert.ok(point > atLeast, `there were only ${point - 1} points to die at`);
}

/** False: the process had done its work before it came to that point. */
async function tell<Told>(gateway: Gateway, story: Story<Told>, halt: Halt, env: Environment): Promise<boolean> {
  const told = await story.begin();
  const hasDied = await liveUntil(gateway, halt, env, story.live, told);
  try {
    await story.end(told);
  } catch (cause) {
    throw new Error(`after a death at ${JSON.stringify(halt)}`, { cause });
  }
  return hasDied;
}

/** What a process does until then. False: it had done it before. */
export async function liveUntil<Told>(
  gateway: Gateway,
  halt: Halt,
  env: Environment,
  steps: readonly Step<Told>[],
  told: Told,
): Promise<boolean> {
  // Of all processes one leads per network: let it be the one that dies.
  for (const each of [...gateway.app.watchers, ...gateway.app.senders]) await each.stop();
  const proxy = await startPostgresProxy(gateway.databaseUrl);
  const config = readConfig({ ...gateway.env, ...env, DATABASE_URL: proxy.url });
  const db = openDatabase({ url: proxy.url, poolSize: config.databasePoolSize, ...patience });
  const { clock, log, furtherNetworks } = gateway;
  let isOver = false;
  async function live(app: App): Promise<void> {
    for (const step of steps) {
      if (isOver) return;
      await step(app, told, { db, clock });
      proxy.noteMove();
    }
  }
  try {
    const app = createApp({ config, publicUrl: config.publicUrl ?? '', db, clock, log, furtherNetworks });
    await app.refresh();
    for (const channel of requestChannels) subscribe(channel, proxy.noteMove);
    const halted = proxy.haltAt(halt).then(() => true);
    const living = live(app).then(() => false);
    const hasDied = await Promise.race([halted, living]);
    isOver = true;
    await proxy.cut();
    await living.catch(() => undefined);
    return hasDied;
  } finally {
    for (const channel of requestChannels) unsubscribe(channel, proxy.noteMove);
    await proxy.cut();
    await db.close();
    await proxy.close();
  }
}

/** For stories in which something happens that is neither a request nor in the database, such as on a disk. */
export const noteMovedOutside = (): void => movedOutside.publish(null);
const movedOutside = channel('quittance-test:moved-outside');

/** Whom a process asks, it may have moved: when it asks and when it is answered, by `fetch` or by `node:http`. */
const requestChannels = [
  movedOutside.name,
  ...['undici:request:create', 'undici:request:headers'],
  ...['http.client.request.start', 'http.client.response.finish'],
];

/**
 * The books know of each thing that happened to a transfer, a swap, a checkout or a deposit once, the merchant is told
 * of it, and no job is left.
 */
export async function assertHappenedOnce(
  { db, clock, webhooks }: Gateway,
  id: string,
  expected: { readonly entries: readonly string[]; readonly events: readonly string[] },
): Promise<void> {
  const entries = await db<{ kind: string }>`
    select kind from ledger_entry
     where subject_id = ${id} or subject_id in (select id from refund where checkout_id = ${id})`;
  assert.deepEqual(entries.map(({ kind }) => kind).toSorted(), [...expected.entries].toSorted());
  const events = await db<{
    id: string;
    type: string;
  }>`
    select id, type from event
     where subject = ${id} or subject in (select id from payment where owner_id = ${id} and purpose = 'deposit')
     order by sequence`;
  assert.deepEqual(
    events.map(({ type }) => type),
    expected.events,
  );
  for (const event of events)
    assert.ok(
      webhooks.some(({ headers }) => headers['webhook-id'] === event.id),
      `${event.type} was delivered`,
    );
  assert.deepEqual(await db`select name, payload from job where run_at <= ${clock.now()}`, [], 'no job is left');
}

/** One round of each, as far as there is something to do. */
export async function watchAll({ watchers }: App): Promise<void> {
  for (const watcher of watchers) await untilRested(watcher);
}

export async function sendAll({ senders }: App): Promise<void> {
  for (const sender of senders) await untilRested(sender);
}

export async function workAll({ runners }: App): Promise<void> {
  for (const runner of runners) await runner.runDue();
}
