/**
 * Races without luck. A gate is something that a transaction of the test's holds: a locked row, a table that nobody may
 * write to, a change that is not committed. Those who race start one after the other, each when all before it wait for
 * the gate or are done; then the gate is opened. So whoever decides before it has the lock it needs has decided by then,
 * on what was true before, and every run of the test shows what comes of that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Db, openDatabase, type Tx } from '../src/db/database.ts';
import { digestHeaders, type Gateway, type Reply, type TestMerchant } from './gateway.ts';
import { patience } from './test-database.ts';

export type Gate = (tx: Tx) => Promise<unknown>;

/** In their order, what became of each. */
export async function meetAt<T>(db: Db, gate: Gate, racers: readonly (() => Promise<T>)[]): Promise<T[]> {
  const outcomes = await db.begin(async (tx) => {
    await gate(tx);
    const started: Promise<T>[] = [];
    let done = 0;
    for (const race of racers) {
      const outcome = race();
      const count = (): void => {
        done += 1;
      };
      outcome.then(count, count);
      started.push(outcome);
      await untilStanding(tx, () => started.length - done);
    }
    return started;
  });
  return Promise.all(outcomes);
}

/** Like `meetAt`, for a crowd of which only so many have a connection each: they start together. */
export async function crowdAt<T>(db: Db, gate: Gate, connections: number, start: () => Promise<T>): Promise<T> {
  const [outcome] = await db.begin(async (tx) => {
    await gate(tx);
    const started = start();
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    started.then(end, end);
    await untilStanding(tx, () => (isOver ? 0 : connections));
    return [started];
  });
  return outcome;
}

/** The limit only ends a test that would never end. Asked on the connection of the gate, which may not be silent. */
async function untilStanding(tx: Tx, underWay: () => number): Promise<void> {
  const startedAt = performance.now();
  while ((await waitingAtGate(tx)) < underWay()) {
    if (performance.now() - startedAt > 120_000) throw new Error('nobody came to the gate');
    await sleep(5);
  }
}

/**
 * Who waits for the gate, or for somebody who does. Whoever waits for anything else is not at the gate yet. What an
 * idle session has locked is kept by somebody who waits for the gate on another connection.
 */
export async function waitingAtGate(tx: Tx): Promise<number> {
  await tx`select pg_stat_clear_snapshot()`; // Else a transaction sees the same all the time.
  const rows = await tx`
    with recursive blocked as (
      select pid, pg_blocking_pids(pid) as blockers from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'
    ), standing (pid) as (
      select pid from pg_stat_activity
       where datname = current_database() and (pid = pg_backend_pid() or state = 'idle')
      union
      select blocked.pid from blocked join standing on standing.pid = any(blocked.blockers)
    )
    select pid from standing join blocked using (pid)`;
  return rows.length;
}

/** Nobody writes to these tables, everybody may read them: whoever looks before writing has looked. */
export const nobodyWrites = {
  deposits: (tx: Tx) => tx`lock table deposit in share row exclusive mode`,
  entries: (tx: Tx) => tx`lock table ledger_entry in share row exclusive mode`,
  outgoingTransfers: (tx: Tx) => tx`lock table outgoing_transfer in share row exclusive mode`,
  promises: (tx: Tx) => tx`lock table treasury_promise in share row exclusive mode`,
  refunds: (tx: Tx) => tx`lock table refund in share row exclusive mode`,
  transfers: (tx: Tx) => tx`lock table transfer in share row exclusive mode`,
} satisfies Record<string, Gate>;

/** The account is locked, as by somebody else who is taking from it. */
export const accountIsLocked =
  (account: string): Gate =>
  (tx) =>
    tx`select from ledger_account where id = ${account} for update`;

/** A second process's worth of wiring on the same database, with batches and connections of its own. */
export type Twin = {
  readonly app: App;
  post(as: TestMerchant, path: string, body: unknown): Promise<Reply>;
  stop(): Promise<void>;
};

export async function startTwin(gateway: Gateway): Promise<Twin> {
  const config = readConfig(gateway.env);
  const db = openDatabase({ url: gateway.databaseUrl, poolSize: 8, ...patience });
  const { clock, log } = gateway;
  const app = createApp({ config, publicUrl: 'https://pay.test', db, clock, log });
  await app.refresh();
  const url = `${await app.server.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
  return {
    app,
    async post(as, path, body) {
      const raw = JSON.stringify(body);
      const headers = digestHeaders(as, 'POST', path, raw, clock.now());
      const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: raw });
      return { status: reply.status, headers: reply.headers, body: await reply.json() };
    },
    async stop() {
      await app.server.close();
      await Promise.all(app.runners.map((runner) => runner.stop()));
      await db.close();
    },
  };
}
