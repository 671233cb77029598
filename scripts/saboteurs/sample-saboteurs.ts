import { createHash } from 'node:crypto';
import type { Saboteur } from '../../server/test/saboteurs/saboteur.ts';

/**
 * Those whose turn it is with this seed. Each has its own place in the order of the seed, whoever else is listed: a
 * saboteur that joins takes the place of one at most.
 */
export function sampleSaboteurs(saboteurs: readonly Saboteur[], seed: string, count: number): Saboteur[] {
  const placeOf = ({ file, fault }: Saboteur): string =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, fault]))
      .digest('hex');
  return saboteurs
    .map((saboteur) => ({ saboteur, place: placeOf(saboteur) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, count)
    .map(({ saboteur }) => saboteur);
}
