/**
 * A deposit that nobody is expected to pay any more: it no longer counts as open and is not offered again. What arrives
 * there after all is credited as before, as long as its network tells of it: an address is known for ever.
 */
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { DepositDossier } from './custom-deposit.ts';
import { findDeposit, markClosed } from './custom-deposit-store.ts';
import { depositNotFound } from './deposit-errors.ts';

/** Closing it twice closes it once. */
export async function closeDeposit(
  { begin, clock }: { readonly begin: Begin<DepositDossier>; readonly clock: Clock },
  key: { readonly merchantId: string; readonly id: string },
  actor: Actor,
): Promise<DepositDossier> {
  const { merchantId, id } = key;
  const at = clock.now();
  return begin(async (tx) => {
    const isClosed = await markClosed(tx, key, at);
    const dossier = await findDeposit(tx, merchantId, id);
    if (!dossier) throw depositNotFound(id);
    if (isClosed) await insertAudit(tx, { merchantId, at, actor, action: 'deposit.closed', detail: { id } });
    return dossier;
  });
}
