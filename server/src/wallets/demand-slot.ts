/** Whether a merchant may have one more payment under way on a network, where those take slots. */
import type { Query } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { type GatewayError, tryLater } from '../lib/errors.ts';
import type { NetworkDefinition } from '../networks/port/definition.ts';
import { slotShare, slotWaitOf } from '../sending/slot-share.ts';
import { slotsTaken } from '../sending/slot-store.ts';

/**
 * Under `lockPayouts`. What is queued counts as if it had its slot, so that nobody is told yes who would then wait. What the
 * node told of its slots is a moment old; who signs asks it anew.
 */
export async function demandSlot(
  { db, health }: { readonly db: Query; readonly health: NetworkHealth },
  network: Pick<NetworkDefinition, 'id' | 'name'>,
  merchantId: string,
): Promise<void> {
  const slots = health.status(network.id)?.facts.slots;
  if (slots === undefined) return;
  const all = await slotsTaken(db, network.id);
  const heldBy = new Map(all.map((each) => [each.merchantId, each.signed + each.queued]));
  const own = heldBy.get(merchantId) ?? 0;
  // Of what is queued only the first of each merchant who has none goes before the first of this one.
  const unsent = all.reduce((sum, each) => sum + each.unsent + (each.signed === 0 && each.queued > 0 ? 1 : 0), 0);
  if (slotShare(slots, { held: [...heldBy.values()], unsent, own }) > 0) return;
  throw slotWaitOf({ own }) === 'OWN_PAYMENTS' ? ownSlotsTaken(network.name) : allSlotsTaken(network.name);
}

/** Most payments take seconds, and nobody can say for how long whoever is paid holds one. */
const retrySeconds = 60;

const ownSlotsTaken = (network: string): GatewayError =>
  tryLater(
    'own_slots_taken',
    `This account has as many payments under way on ${network} as it may have at once, because the rest is kept for others: order this one again when one of them has ended.`,
    retrySeconds,
    503,
    { network },
  );

const allSlotsTaken = (network: string): GatewayError =>
  tryLater(
    'all_slots_taken',
    `As many payments are under way on ${network} as it carries at once: order this one again in a minute.`,
    retrySeconds,
    503,
    { network },
  );
