/**
 * Every function of a store that takes a merchant, called by the owner of what it is about and by a stranger: the owner
 * finds or changes something, the stranger finds nothing and changes nothing of anybody's.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import type { Tx } from '../src/db/database.ts';
import { present } from '../src/lib/assert.ts';
import { type Owned, ownedBy, type StoreCall } from './store-call.ts';
import { storeCalls, withoutMerchant } from './store-calls.ts';
import { changedTables, digestsWithout, startTenants, type Tenants } from './tenant-world.ts';

const source = new URL('../src/', import.meta.url);

let tenants: Tenants;
let own: Owned;
/** A merchant that has nothing at all. */
let stranger: string;
before(async () => {
  tenants = await startTenants();
  stranger = (await tenants.world.gateway.createMerchant('A stranger')).merchantId;
  own = await ownedBy(tenants);
});
after(() => tenants.world.gateway.stop());

const sourceFiles = async (): Promise<string[]> =>
  (await readdir(source, { recursive: true })).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));

test('every function of a store that speaks of merchants is in a table', async () => {
  const stores = (await sourceFiles()).filter((path) => path.endsWith('-store.ts'));
  assert.ok(stores.length > 35, stores.join());
  const missing: string[] = [];
  const found = new Set<string>();
  for (const path of stores) {
    const module = (await import(new URL(path, source).href)) as Record<string, unknown>;
    for (const [name, exported] of Object.entries(module)) {
      if (typeof exported !== 'function') continue;
      found.add(name);
      const isKnown = storeCalls[path]?.[name] !== undefined || withoutMerchant[name] !== undefined;
      if (!isKnown && /merchant/i.test(String(exported))) missing.push(`${name} of ${path}`);
    }
  }
  assert.deepEqual(missing, []);
  const tables = [...Object.values(storeCalls).flatMap(Object.keys), ...Object.keys(withoutMerchant)];
  assert.deepEqual(
    tables.filter((name) => !found.has(name)),
    [],
    'nothing is called that is no more',
  );
});

test('SQL about merchants is in stores, and in the one other place that has a story of its own', async () => {
  const others: string[] = [];
  for (const path of await sourceFiles()) {
    if (path.endsWith('-store.ts')) continue;
    const text = await readFile(new URL(path, source), 'utf8');
    const statements = [...text.matchAll(/\b(?:db|tx|query|session)(?:<[^`;]*>)?`([^`]*)`/g)].map(([, sql]) => sql);
    if (statements.some((sql) => sql?.includes('merchant_id'))) others.push(path);
  }
  assert.deepEqual(others, ['http/idempotency.ts']); // tenancy.test.ts
});

type Outcome = { readonly result: unknown; readonly changed: readonly string[] };

/** Before any call: nothing of one stays. */
let untouched: ReadonlyMap<string, string> | undefined;

/** What a call gives and what it changes for everybody but the stranger. Nothing of it stays. */
async function tried(call: StoreCall, merchantId: string): Promise<Outcome> {
  const rollback = new Error('nothing of this stays');
  let outcome: Outcome | undefined;
  const work = async (tx: Tx): Promise<void> => {
    const first = typeof call === 'function' ? undefined : call.first;
    await first?.(tx, own.merchantId, own);
    const before = (first ? undefined : untouched) ?? (await digestsWithout(tx, stranger));
    if (!first) untouched = before;
    await tx`savepoint called`;
    const result = await (typeof call === 'function' ? call : call.ask)(tx, merchantId, own).catch(
      async (error: unknown) => {
        await tx`rollback to savepoint called`;
        assert.ok(merchantId === stranger, error as Error);
      },
    );
    outcome = { result, changed: changedTables(before, await digestsWithout(tx, stranger)) };
    throw rollback;
  };
  await tenants.world.gateway.db.begin(work).catch((error: unknown) => assert.equal(error, rollback));
  return present(outcome, 'an outcome');
}

const isNothing = (result: unknown): boolean =>
  result === undefined ||
  result === null ||
  result === false ||
  result === 0 ||
  (Array.isArray(result) && result.every(isNothing)) ||
  (result instanceof Set && result.size === 0) ||
  (result instanceof Map && [...result.values()].every(isNothing));

for (const [path, calls] of Object.entries(storeCalls))
  test(`${path}: another merchant finds nothing and changes nothing`, async () => {
    for (const [name, call] of Object.entries(calls)) {
      const asOwner = await tried(call, own.merchantId);
      assert.ok(asOwner.changed.length > 0 || !isNothing(asOwner.result), `${name} does something for the owner`);

      const asStranger = await tried(call, stranger);
      assert.deepEqual(asStranger.changed, [], `${name} changes nothing of anybody's`);
      const expected = typeof call === 'function' ? undefined : call.strangerGets;
      if (expected === undefined) assert.ok(isNothing(asStranger.result), `${name} gave ${inspect(asStranger.result)}`);
      else assert.deepEqual(asStranger.result, expected, name);
    }
  });
