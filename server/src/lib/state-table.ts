/**
 * The states of something that is stored, and every legal move between them. The table decides, and SQL gets its answer
 * as values: a move that finds another state than it expects changes nothing. One test walks all tables, and another
 * finds a stored state that has no table.
 */
import { assert } from './assert.ts';

export type StateTable<S extends string> = {
  /** Where it is stored: `table.column`. */
  readonly column: `${string}.${string}`;
  readonly noun: string;
  /** The states in which it can begin. */
  readonly first: readonly S[];
  /** The states that it never leaves. */
  readonly last: readonly S[];
  readonly ways: Readonly<Record<S, readonly S[]>>;
  /** Staying in a state is always legal. */
  canMove(from: S, to: S): boolean;
  assertMove(from: S, to: S): void;
  /** The states that may be stored when this one is written: those from which it can be reached, and itself. */
  before(to: S): S[];
};

type Facts<S extends string> = Pick<StateTable<S>, 'column' | 'noun' | 'first' | 'last'>;

/** For a state that is derived from facts: the table only checks whether the change is legal. */
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

/** For each state from which the move can be made, the state that follows. */
export type Move<S extends string> = { readonly [From in S]?: S };

/** A move as SQL gets it: two lists of the same length, from and to. */
export type MovePairs<S extends string> = { readonly from: S[]; readonly to: S[] };

export type MoveTable<S extends string, M extends string> = StateTable<S> & {
  readonly moves: Readonly<Record<M, Move<S>>>;
  can(state: S, move: M): boolean;
  /** The state after the move. Throws if the move cannot be made. */
  moved(state: S, move: M): S;
  pairs(move: M): MovePairs<S>;
  /** For a move that always ends in the same state. */
  from(move: M): S[];
  to(move: M): S;
};

/** For a state that changes when something happens: each move has a name. */
export function statesByMove<S extends string, M extends string>(
  facts: Facts<S> & { readonly states: readonly S[]; readonly moves: Readonly<Record<M, Move<S>>> },
): MoveTable<S, M> {
  const { noun, states, moves } = facts;
  const statesAfter = (state: S): S[] =>
    Object.values<Move<S>>(moves).flatMap((move) => {
      const next = move[state];
      return next === undefined || next === state ? [] : [next];
    });
  const ways = Object.fromEntries(states.map((state) => [state, [...new Set(statesAfter(state))]])) as Record<S, S[]>;
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
      const next = moves[move][state];
      assert(next !== undefined, `a ${noun} that is ${state} cannot ${move}`);
      return next;
    },
    pairs,
    from: (move) => pairs(move).from,
    to(move) {
      const [next, ...others] = new Set(pairs(move).to);
      assert(next !== undefined && others.length === 0, `what becomes of a ${noun} that can ${move} depends`);
      return next;
    },
  };
}
