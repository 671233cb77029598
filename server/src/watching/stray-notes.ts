/**
 * What timelines say about tokens that are no asset of ours. Anybody can make a token and send it a thousand times, so
 * there is one note for everything that came to an owner at once, and after many none any more.
 */
import type { Tx } from '../db/database.ts';
import { type ChangedStray, countStrays } from './stray-store.ts';

const straysNoted = 50;

export async function strayNotes(
  tx: Tx,
  network: string,
  lost: readonly ChangedStray[],
  came: readonly ChangedStray[],
) {
  if (lost.length + came.length === 0) return [];
  const arrived = byOwner(came);
  const counts = await countStrays(
    tx,
    arrived.map(({ first, count }) => ({ ...first, limit: count + straysNoted + 1 })),
  );
  const note = (what: string, { first, count }: Strays) => ({
    purpose: first.purpose,
    merchantId: first.merchant_id,
    checkoutId: first.owner_id,
    what,
    why: { network, tx: first.tx_hash, token: first.what, ...(count > 1 && { transfers: count }) },
  });
  return [
    ...byOwner(lost).map((strays) => ({ ...note('wrong_token_vanished', strays), isWorthANote: true })),
    ...arrived.map((strays) => {
      const before = (counts.get(strays.first.owner_id) ?? 0) - strays.count;
      return { ...note('wrong_token_received', strays), isWorthANote: before <= straysNoted };
    }),
  ];
}

type Strays = { readonly first: ChangedStray; count: number };

function byOwner(strays: readonly ChangedStray[]): Strays[] {
  const owners = new Map<string, Strays>();
  for (const stray of strays) {
    const known = owners.get(stray.owner_id);
    if (known) known.count += 1;
    else owners.set(stray.owner_id, { first: stray, count: 1 });
  }
  return [...owners.values()];
}
