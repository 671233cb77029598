/**
 * Makes the terms of all checkouts anew, a part in each job, while everybody goes on finding: first what is missing is
 * written, then what is too much is taken away. At the end there is what the follower would have written.
 */
import type { Db } from '../db/database.ts';
import { enqueue, enqueueUnlessThere } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import type { Clock } from '../lib/clock.ts';
import { findCharges, listCharges } from './checkout-walk-store.ts';
import { termsOfCharge } from './follow-terms.ts';
import { deleteTerms, insertTerms, listTerms, type Term } from './term-store.ts';

const atOnce = 1_000;

export async function askForTerms({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.begin((tx) => enqueueUnlessThere(tx, { name: 'terms.rebuild', payload: {}, runAt: clock.now() }));
}

export async function rebuildTerms(
  { db, clock }: { db: Db; clock: Clock },
  { after, sweptTo }: JobCatalog['terms.rebuild'],
): Promise<void> {
  const next = sweptTo === undefined ? await writeMissing(db, after ?? null) : await sweepAway(db, sweptTo);
  if (next) await db.begin((tx) => enqueue(tx, [{ name: 'terms.rebuild', payload: next, runAt: clock.now() }]));
}

type Next = JobCatalog['terms.rebuild'] | null;

async function writeMissing(db: Db, after: Parameters<typeof listCharges>[1]): Promise<Next> {
  const charges = await listCharges(db, after, atOnce);
  const last = charges.at(-1);
  if (!last) return { sweptTo: null };
  await db.begin((tx) => insertTerms(tx, charges.flatMap(termsOfCharge)));
  return { after: { merchantId: last.merchantId, createdAt: last.createdAt, id: last.id } };
}

async function sweepAway(db: Db, after: Parameters<typeof listTerms>[1]): Promise<Next> {
  const terms = await listTerms(db, after, atOnce);
  const last = terms.at(-1);
  if (!last) return null;
  const ofCheckouts = new Map(
    terms.map(({ merchantId, checkoutId: id }) => [`${merchantId}/${id}`, { merchantId, id }]),
  );
  const charges = await findCharges(db, [...ofCheckouts.values()]);
  const nameOf = (each: Term): string => JSON.stringify([each.merchantId, each.term, each.createdAt, each.checkoutId]);
  const right = new Set(charges.flatMap(termsOfCharge).map(nameOf));
  await db.begin((tx) =>
    deleteTerms(
      tx,
      terms.filter((each) => !right.has(nameOf(each))),
    ),
  );
  const { merchantId, term, createdAt, checkoutId } = last;
  return { sweptTo: { merchantId, term, createdAt, id: checkoutId } };
}
