/** What a busy API does all the time, done in batches for everyone who asks at the same moment. One per process. */
import { type Batch, type BatchLimits, coalesce } from '../db/coalesce.ts';
import { answersInTime, type Tx } from '../db/database.ts';
import type { Checkout, CheckoutDossier } from './checkout.ts';
import { type CheckoutKey, findDossiers, insertCheckouts } from './checkout-store.ts';
import { type Choice, type ChoiceDeps, type Committed, storeChoices } from './store-choices.ts';

export type NewCheckout = {
  readonly checkout: Checkout;
  /** How long the request was. */
  readonly bytes: number;
  /** Runs in the same transaction. Null: there is nothing to remember. */
  readonly remember: ((tx: Tx) => Promise<void>) | null;
};

export type CheckoutBatches = {
  /** Done when the checkout is committed on disk. */
  insert(item: NewCheckout): Promise<void>;
  find(key: CheckoutKey): Promise<CheckoutDossier | undefined>;
  /** For showing: without the quotes of methods that were not chosen. */
  show(key: CheckoutKey): Promise<CheckoutDossier | undefined>;
  /** Done when the commitment is committed on disk. */
  commit(choice: Choice): Promise<Committed>;
};

/** Two: while PostgreSQL works on one batch, the next is made or its answers are sent. */
const limits = { batchesAtOnce: 2, itemsMax: 64 };
/** So much of what was posted is written as one statement: as much as the largest request, so that nothing waits longer. */
const bytesAtOnce = 256 * 1024;

export function createCheckoutBatches(deps: ChoiceDeps): CheckoutBatches {
  const { db } = deps;
  const together = <Item, Result>(run: Batch<Item, Result>, weighed: Partial<BatchLimits<Item>> = {}) =>
    coalesce(run, { ...limits, ...weighed }, () => answersInTime(db));
  const choose = together((choices: readonly Choice[]) => storeChoices(deps, choices));
  return {
    insert: together(
      async (items: readonly NewCheckout[]) => {
        const checkouts = items.map(({ checkout }) => checkout);
        const remembered = items.flatMap(({ remember }) => remember ?? []);
        if (remembered.length === 0) await insertCheckouts(db, checkouts);
        else
          await db.begin((tx) =>
            Promise.all([insertCheckouts(tx, checkouts), ...remembered.map((remember) => remember(tx))]),
          );
        return items.map(() => undefined);
      },
      { weightMax: bytesAtOnce, weightOf: ({ bytes }) => bytes },
    ),
    find: together((keys: readonly CheckoutKey[]) => findDossiers(db, keys)),
    show: together((keys: readonly CheckoutKey[]) => findDossiers(db, keys, { hasQuotes: false })),
    async commit(choice) {
      const chosen = await choose(choice);
      if ('refusal' in chosen) throw chosen.refusal;
      return chosen;
    },
  };
}
