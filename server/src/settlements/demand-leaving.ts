/**
 * A refund takes money out like a transfer does: what the merchant pays must be free to leave the account, and what it
 * takes from payments that nobody was credited for must be deep enough by the same rule.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Checkout } from '../checkouts/checkout.ts';
import { heldUnits, type Refund } from '../checkouts/refund.ts';
import type { Tx } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { mustWait, paymentMustWait } from '../wallets/leaving-errors.ts';
import { blocksOfPayments } from '../wallets/unfinal-store.ts';
import { type LeavingDeps, whatMayLeave } from '../wallets/what-may-leave.ts';

export async function demandLeaving(
  deps: LeavingDeps,
  tx: Tx,
  { merchantId, id: ownerId }: Checkout,
  refund: Refund,
  { availableUnits, locked }: { readonly availableUnits: bigint; readonly locked: ReadonlySet<string> },
): Promise<void> {
  const { asset, takes } = refund;
  const units = heldUnits(refund) - (takes.length > 0 ? refund.units : 0n);
  const ids = takes.map(({ paymentId }) => paymentId);
  const places = takes.length === 0 ? [] : await blocksOfPayments(tx, { merchantId, ownerId }, ids);
  const taken = places.map((place) => ({
    ...place,
    units: takes.reduce((sum, take) => (take.paymentId === place.id ? sum + BigInt(take.units) : sum), 0n),
  }));
  const leaving = await whatMayLeave(deps, tx, { merchantId, asset, availableUnits }, { units, locked, taken });
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
