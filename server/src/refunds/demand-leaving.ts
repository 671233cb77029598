/**
 * A refund takes money out of the service, like a transfer. What the merchant pays must be free to leave the account,
 * and what is taken from payments that nobody was credited for must be deep enough by the same rule.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Checkout } from '../checkouts/checkout.ts';
import { heldUnits, type Refund } from '../checkouts/refund.ts';
import type { Query } from '../db/database.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { mustWait, paymentMustWait } from '../wallets/leaving-errors.ts';
import { blocksOfPayments } from '../wallets/unfinal-store.ts';
import { asIfLocked, type LeavingDeps, whatMayLeave } from '../wallets/what-may-leave.ts';

export async function demandLeaving(
  deps: LeavingDeps,
  query: Query,
  { merchantId, id: ownerId }: Checkout,
  refund: Pick<Refund, 'asset' | 'takes' | 'units' | 'feeUnits' | 'feePaidBy'>,
  { availableUnits, locked }: { readonly availableUnits: bigint; readonly locked: ReadonlySet<string> },
): Promise<void> {
  const { asset, takes } = refund;
  const units = heldUnits(refund) - (takes.length > 0 ? refund.units : 0n);
  const ids = takes.map(({ paymentId }) => paymentId);
  const places = takes.length === 0 ? [] : await blocksOfPayments(query, { merchantId, ownerId }, ids);
  const taken = places.map((place) => ({
    ...place,
    units: takes.reduce((sum, take) => (take.paymentId === place.id ? sum + BigInt(take.units) : sum), 0n),
  }));
  const leaving = await whatMayLeave(deps, query, { merchantId, asset, availableUnits }, { units, locked, taken });
  for (const { network: id, height } of taken) {
    const block = leaving.waiting.get(id)?.find((each) => each.height === height);
    if (!block) continue;
    const { confirmations } = block;
    const network = present(deps.connectors.get(id)?.network, `network ${id}`);
    const waitMs = confirmations === null ? null : confirmations * network.averageBlockSeconds * 1_000;
    throw paymentMustWait(network.name, confirmations, waitMs === null ? null : addMs(deps.clock.now(), waitMs));
  }
  if (units > leaving.mostUnits && (units > 0n || leaving.wait?.reason === 'ceiling'))
    throw mustWait(present(findAsset(deps.assets, asset), `asset ${asset}`), leaving);
}

/**
 * The same question before any lock, so that a refund that would be refused anyway locks nothing, whoever pays its fee.
 */
export async function demandLikelyLeaving(
  deps: LeavingDeps,
  query: Query,
  checkout: Checkout,
  refund: Pick<Refund, 'asset' | 'takes' | 'units'>,
): Promise<void> {
  const account = merchantAccount(checkout.merchantId, 'available', refund.asset);
  const availableUnits = (await readBalances(query, [account])).get(account) ?? 0n;
  if (refund.takes.length === 0 && availableUnits < refund.units) return;
  const free = { ...refund, feeUnits: 0n, feePaidBy: 'customer' as const };
  await demandLeaving(deps, query, checkout, free, { availableUnits, locked: asIfLocked(deps) });
}
