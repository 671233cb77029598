/**
 * The states of something that is stored, and every legal move between them. The table decides, and SQL takes what it
 * says as values: a move that finds another state than it expects changes nothing. One test walks all tables, and another
 * finds a stored state that has none.
 */
import { assert } from './assert.ts';

export type StateTable<S extends string> = {
  /** Where it is stored: `table.column`. */
  readonly column: `${string}.${string}`;
  readonly noun: string;
  /** In which it can be made. */
  readonly first: readonly S[];
  /** Which it never leaves. */
  readonly last: readonly S[];
  readonly ways: Readonly<Record<S, readonly S[]>>;
  /** Staying is always legal. */
  canMove(from: S, to: S): boolean;
  assertMove(from: S, to: S): void;
  /** In which it may be found by whoever stores this state: those from which it can come, and itself. */
  before(to: S): S[];
};

type Facts<S extends string> = Pick<StateTable<S>, 'column' | 'noun' | 'first' | 'last'>;

/** For a state that is worked out anew from facts: the table only holds the answer against what is legal. */
export function derivedStates<S extends string>(
  facts: Facts<S> & { readonly ways: Readonly<Record<S, readonly S[]>> },
): StateTable<S> {
  const { noun, ways } = facts;
  const canMove = (from: S, to: S): boolean => from === to || ways[from].includes(to);
  return {
    ...facts,
    canMove,
    assertMove: (from, to) => assert(canMove(from, to), `a ${noun} that is ${from} cannot become ${to}`),
    before: (to) => (Object.keys(ways) as S[]).filter((from) => canMove(from, to)),
  };
}

/** What becomes of each state from which the move can be made. */
export type Move<S extends string> = { readonly [From in S]?: S };

/** A move as SQL takes it: for every state from which it can be made, the one that comes of it. */
export type MovePairs<S extends string> = { readonly from: S[]; readonly to: S[] };

export type MoveTable<S extends string, M extends string> = StateTable<S> & {
  readonly moves: Readonly<Record<M, Move<S>>>;
  can(state: S, move: M): boolean;
  /** What becomes of it. Throws where the move cannot be made. */
  moved(state: S, move: M): S;
  pairs(move: M): MovePairs<S>;
  /** Of a move that ends in one state, wherever it began. */
  from(move: M): S[];
  to(move: M): S;
};

/** For a state that is changed by what happens: each move has a name. */
export function statesByMove<S extends string, M extends string>(
  facts: Facts<S> & { readonly states: readonly S[]; readonly moves: Readonly<Record<M, Move<S>>> },
): MoveTable<S, M> {
  const { noun, states, moves } = facts;
  const targetsFrom = (state: S): S[] =>
    Object.values<Move<S>>(moves).flatMap((move) => {
      const target = move[state];
      return target === undefined || target === state ? [] : [target];
    });
  const ways = Object.fromEntries(states.map((state) => [state, [...new Set(targetsFrom(state))]])) as Record<S, S[]>;
  const can = (state: S, move: M): boolean => moves[move][state] !== undefined;
  const pairs = (move: M): MovePairs<S> => ({
    from: Object.keys(moves[move]) as S[],
    to: Object.values(moves[move]) as S[],
  });
  return {
    ...derivedStates({ ...facts, ways }),
    moves,
    can,
    moved(state, move) {
      const target = moves[move][state];
      assert(target !== undefined, `a ${noun} that is ${state} cannot ${move}`);
      return target;
    },
    pairs,
    from: (move) => pairs(move).from,
    to(move) {
      const [target, ...others] = new Set(pairs(move).to);
      assert(target !== undefined && others.length === 0, `what becomes of a ${noun} that can ${move} depends`);
      return target;
    },
  };
}
