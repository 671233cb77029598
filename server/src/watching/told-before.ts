/**
 * What was made of something when its network told it first. A network that is read again from further back is understood by
 * what is known now; what was booked in one way must not be booked in another way too.
 */
import type { Query } from '../db/database.ts';
import type { ToldBefore } from '../networks/port/receiving.ts';
import { knownMovements } from '../payments/movement-store.ts';
import { knownComebacks } from '../sending/comeback-store.ts';
import { knownUnmatched } from './unmatched-store.ts';

export async function toldBefore(
  query: Query,
  network: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ToldBefore>> {
  if (names.length === 0) return new Map();
  const [unmatched, movements, comebacks] = await Promise.all([
    knownUnmatched(query, network, names),
    knownMovements(query, network, names),
    knownComebacks(query, network, names),
  ]);
  return new Map<string, ToldBefore>([
    ...unmatched.map((name) => [name, 'unmatched'] as const),
    ...movements.map((name) => [name, 'movement'] as const),
    ...comebacks.map((name) => [name, 'comeback'] as const),
  ]);
}
