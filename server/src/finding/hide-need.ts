/**
 * What nobody loses money by can be hidden for 30 days, by each person for oneself. It is seen again after that, or as soon
 * as its cause has been gone and begins anew.
 */
import type { Db } from '../db/database.ts';
import { addMs, hours } from '../lib/clock.ts';
import { saveHiddenNeed } from './hidden-need-store.ts';
import { canBeHidden, needName } from './need-kinds.ts';
import { type NeedDeps, type NeedKind, needsYou } from './needs-you.ts';

const hiddenMs = hours(24 * 30);

/** False: it is not there, or no such item can be hidden. */
export async function hideNeed(
  deps: NeedDeps & { readonly db: Db },
  { merchantId, personId, kinds }: { merchantId: string; personId: string; kinds: readonly NeedKind[] },
  item: string,
): Promise<boolean> {
  const { items } = await needsYou(deps, merchantId, { limit: Number.POSITIVE_INFINITY, kinds, personId });
  const found = items.find((need) => canBeHidden(need.kind) && needName(need) === item);
  if (!found) return false;
  const until = addMs(deps.clock.now(), hiddenMs);
  await deps.db.begin((tx) => saveHiddenNeed(tx, merchantId, { personId, item, since: found.since, until }));
  return true;
}
