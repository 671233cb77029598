/**
 * Death between any two statements. A story is told again and again, and each time the process in its middle dies one
 * statement later: before PostgreSQL hears of it, or after PostgreSQL has done it and before anybody is told. Then a
 * healthy process goes on, and the end of the story must be the same. Nothing in the service knows of this.
 *
 * The one that dies is a wiring in this process that is cut off from its database for ever, which the rest of the world
 * cannot tell from a death: starting a process takes longer than what it does here. `kill-nine` kills real ones too.
 */
import assert from 'node:assert/strict';
import { type App, createApp } from '../src/app.ts';
import { type Environment, readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { isSound } from '../src/payments/reconcile.ts';
import type { Gateway } from './gateway.ts';
import { type Halt, startPostgresProxy } from './postgres-proxy.ts';

export type Story<Told> = {
  /** Up to where the process takes over that dies. */
  begin(): Promise<Told>;
  /** What it does, if it lives. */
  live(app: App, told: Told): Promise<unknown>;
  /** A healthy process goes on, and everything must be as if nothing had happened. */
  end(told: Told): Promise<unknown>;
};

export type Deaths = {
  /** Fewer statements than this, and the story does not tell what it says. */
  readonly atLeast: number;
  /**
   * At every second statement unless said otherwise, before and after it: so there is a death between any two, either
   * when the first was done or when the second was about to be.
   */
  readonly every?: number;
  /** What differs for the process that dies, e.g. networks that it need not know. */
  readonly env?: Environment;
};

export async function dieEverywhere<Told>(gateway: Gateway, story: Story<Told>, deaths: Deaths): Promise<void> {
  const { every = 2 } = deaths;
  let statements = 0;
  for (const moment of ['before', 'after'] as const)
    for (let statement = 1; ; statement += every) {
      const hasDied = await tell(gateway, story, { statement, moment }, deaths.env ?? {});
      if (!hasDied) break;
      statements = Math.max(statements, statement);
    }
  assert.ok(statements >= deaths.atLeast, `only ${statements} statements came by`);
  assert.deepEqual(await verifyLedger(gateway.db), []);
  const differences = (await gateway.count()).filter((each) => !isSound(each));
  assert.deepEqual(differences, [], 'the networks hold what the books say');
}

/** False: the process had done its work before that statement. */
async function tell<Told>(gateway: Gateway, story: Story<Told>, halt: Halt, env: Environment): Promise<boolean> {
  const told = await story.begin();
  const hasDied = await liveUntil(gateway, halt, env, (app) => story.live(app, told));
  try {
    await story.end(told);
  } catch (cause) {
    throw new Error(`after a death ${halt.moment} statement ${halt.statement}`, { cause });
  }
  return hasDied;
}

/** What a process does until that statement. False: it had done it before. */
export async function liveUntil(
  gateway: Gateway,
  halt: Halt,
  env: Environment,
  live: (app: App) => Promise<unknown>,
): Promise<boolean> {
  // Of all processes one leads per network: let it be the one that dies.
  for (const each of [...gateway.app.watchers, ...gateway.app.senders]) await each.stop();
  const proxy = await startPostgresProxy(gateway.databaseUrl);
  const config = readConfig({ ...gateway.env, ...env, DATABASE_URL: proxy.url });
  const db = openDatabase({ url: proxy.url, poolSize: config.databasePoolSize });
  const { clock, log } = gateway;
  const app = createApp({ config, publicUrl: config.publicUrl ?? '', db, clock, log });
  await app.refresh();
  const halted = proxy.haltAt(halt).then(() => true);
  const living = live(app).then(() => false);
  const hasDied = await Promise.race([halted, living]);
  await proxy.cut();
  await living.catch(() => undefined);
  await db.close();
  await proxy.close();
  return hasDied;
}

/**
 * The books know of each thing that happened to a transfer, a swap, a checkout or a deposit once, the merchant is told
 * of it, and no job is left.
 */
export async function assertHappenedOnce(
  { db, clock, webhooks }: Gateway,
  id: string,
  expected: { readonly entries: readonly string[]; readonly events: readonly string[] },
): Promise<void> {
  const entries = await db<{ kind: string }>`select kind from ledger_entry where checkout_id = ${id}`;
  assert.deepEqual(entries.map(({ kind }) => kind).toSorted(), [...expected.entries].toSorted());
  const events = await db<{
    id: string;
    type: string;
  }>`select id, type from event where subject = ${id} order by sequence`;
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
  for (const watcher of watchers) while ((await watcher.tick()) === 'progress');
}

export async function sendAll({ senders }: App): Promise<void> {
  for (const sender of senders) while ((await sender.tick()) === 'progress');
}

export async function workAll({ runners }: App): Promise<void> {
  for (const runner of runners) await runner.runDue();
}
