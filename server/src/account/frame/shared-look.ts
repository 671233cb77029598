/**
 * One look for all who look at the same time: what is found for one of them is given to the others for a second, unless
 * something happened meanwhile. For what does not depend on who looks.
 */
import type { Clock } from '../../lib/clock.ts';

export type SharedLook<Found> = (key: string, version: string, find: () => Promise<Found>) => Promise<Found>;

const keptMs = 1_000;
const keysMax = 1_000;

export function createSharedLook<Found>(clock: Clock): SharedLook<Found> {
  const looks = new Map<string, { readonly version: string; readonly at: number; readonly found: Promise<Found> }>();

  return (key, version, find) => {
    const now = clock.now().getTime();
    const known = looks.get(key);
    const age = known ? now - known.at : keptMs;
    if (known?.version === version && age >= 0 && age < keptMs) return known.found;
    if (looks.size >= keysMax) looks.clear();
    const look = { version, at: now, found: find() };
    looks.set(key, look);
    // What failed is not shared with who comes later.
    look.found.catch(() => looks.get(key) === look && looks.delete(key));
    return look.found;
  };
}
