import type { MoveTable, StateTable } from '../src/lib/state-table.ts';

/** A table of moves as a reader would write it down, to be held against what it should be. */
export const movesOf = <S extends string, M extends string>({ moves }: MoveTable<S, M>): Record<string, string> =>
  Object.fromEntries(
    Object.entries<Partial<Record<S, S>>>(moves).map(([name, move]) => [
      name,
      Object.entries<string>(move as Record<string, string>)
        .map(([from, to]) => `${from} → ${to}`)
        .join(', '),
    ]),
  );

/** What a table says about itself. */
export const headOf = <S extends string>({ column, noun, first, last }: StateTable<S>): string =>
  `${noun} (${column}): from ${first.join(', ')} to ${last.join(', ')}`;
