/** Runs every operation once and writes down its statements: pgbench then repeats them. */
import { commitRequest, createRequest } from './api-requests.ts';
import { type Baseline, recordStatements } from './pgbench.ts';
import { type Payment, runPipeline } from './pipeline.ts';
import { type ApiRequest, callApi } from './signed-request.ts';
import type { World } from './world.ts';

export type Baselines = {
  readonly create: Baseline;
  readonly commit: Baseline;
  readonly ledger: Baseline;
  /** The checkouts that seeds are copied from: one that is CREATED, and one that is PENDING. */
  readonly createdId: string;
  readonly pendingId: string;
  readonly dueUnits: string;
};

/** Counted ids have twelve digits, in ranges that nothing else uses. */
const firstIds = { create: 100_000_000_000, commit: 200_000_000_000, ledger: 300_000_000_000 };

export async function recordBaselines(world: World): Promise<Baselines> {
  const recorder = recordStatements(world.db);
  const app = world.createApp(recorder.db);
  await world.refresh();
  await app.refresh();
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const call = async (request: ApiRequest): Promise<string> =>
    (JSON.parse(await callApi(origin, world.shop, request)) as { id: string }).id;
  const create = (): Promise<string> => call(createRequest('/checkout', 1));

  async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; statements: Baseline['statements'] }> {
    recorder.statements.length = 0;
    const result = await work();
    return { result, statements: [...recorder.statements] };
  }

  try {
    // The first operation of each kind also reads what is then kept in memory: credentials, derivation indexes.
    const paidId = await create();
    await call(commitRequest(paidId));
    const creation = await statementsOf(create);
    const pendingId = creation.result;
    const commitment = await statementsOf(() => call(commitRequest(pendingId)));
    const target = await targetOf(world, paidId);
    const advance = await statementsOf(() => runPipeline(recorder.db, app, world.env, [target]));
    const paymentIds = await paymentIdsOf(world, paidId);
    const ledger = advance.statements.filter(({ text }) => text.includes('ledger_'));
    return {
      create: { statements: creation.statements, unique: [pendingId], firstId: firstIds.create },
      commit: {
        statements: commitment.statements,
        unique: await commitmentIdsOf(world, pendingId),
        firstId: firstIds.commit,
      },
      ledger: {
        statements: [{ text: 'begin', values: [] }, ...ledger, { text: 'commit', values: [] }],
        unique: [paidId, ...paymentIds],
        firstId: firstIds.ledger,
      },
      createdId: await create(),
      pendingId,
      dueUnits: target.units,
    };
  } finally {
    await app.server.close();
    for (const runner of app.runners) await runner.stop();
  }
}

async function targetOf(world: World, checkoutId: string): Promise<Payment> {
  const [row] = await world.db<{ target_key: string; due_units: string }>`
    select target_key, due_units from commitment where checkout_id = ${checkoutId}`;
  if (!row) throw new Error('the checkout was not committed');
  return { targetKey: row.target_key, units: row.due_units };
}

async function commitmentIdsOf(world: World, checkoutId: string): Promise<string[]> {
  const rows = await world.db<{ ids: string[] }>`
    select array[commitment.checkout_id, commitment.id, target.id, target.key] as ids
      from commitment join deposit_target target on target.key = commitment.target_key
     where commitment.checkout_id = ${checkoutId}`;
  return rows.flatMap((row) => row.ids);
}

async function paymentIdsOf(world: World, checkoutId: string): Promise<string[]> {
  const rows = await world.db<{ id: string }>`select id from payment where owner_id = ${checkoutId}`;
  return rows.map((row) => row.id);
}
