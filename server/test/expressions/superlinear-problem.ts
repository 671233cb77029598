/**
 * Whether there are texts for which an expression takes longer than they are long. An engine that goes back tries one way after
 * the other, so the question is how many ways there are to read the same text. There are many when a part of it, repeated, can be
 * read by staying in one loop, by staying in a second one, and by going from the first to the second: for each repetition the
 * change can be made at another time (in the literature: infinite ambiguity of an automaton). To look for the next place where the
 * expression might begin is such a loop too, as `\s+$` shows. Where the expression has matched already, nothing is tried any more.
 */
import { type Classes, type ExpressionGraph, expressionGraph } from './expression-graph.ts';

type Way = { readonly to: number; readonly isDouble: boolean };
/** What can be read next: by node and what the next character must be; and what follows then, by class. */
type State = { readonly node: number; readonly ways: readonly (readonly Way[])[] };

/** Null: it is as fast as the text is long. Otherwise why not. */
export function superlinearProblem(source: string, flags: string): string | null {
  const states = statesOf(expressionGraph(source, flags));
  const loopOf = loopsOf(states);
  for (const [at, { ways }] of states.entries())
    if (ways.flat().some(({ to, isDouble }) => isDouble && loopOf[at] !== -1 && loopOf[to] === loopOf[at]))
      return 'one loop is inside of another in more than one way';
  const looping = [...states.keys()].filter((at) => loopOf[at] !== -1);
  for (const first of looping)
    for (const second of looping)
      if (first !== second && isReadTwice(states, loopOf, first, second))
        return `${wordOf(first)} and ${wordOf(second)} can read the same text`;
  return null;
}

const wordOf = (state: number): string => (state === 0 ? 'the search for its beginning' : `loop ${state}`);

/** State 0 walks to the next beginning. */
function statesOf(graph: ExpressionGraph): State[] {
  const numbers = new Map<string, number>();
  const open: { node: number; next: Classes | null }[] = [];
  const numberOf = (node: number, next: Classes | null): number => {
    const name = `${node} ${next}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, open.length);
    return open.push({ node, next }) - 1;
  };
  numberOf(graph.walk, null);
  for (const { node, next } of after(graph, graph.start, graph.atBeginning).places) numberOf(node, next);
  const states: State[] = [];
  for (let at = 0; at < open.length; at += 1) {
    const { node, next } = open[at] as (typeof open)[number];
    const { takes } = graph.nodes[node] as (typeof graph.nodes)[number];
    const ways = Array.from({ length: graph.classCount }, (_, index): Way[] => {
      const bit = 1n << BigInt(index);
      if (!takes || (takes.classes & bit) === 0n || (next !== null && (next & bit) === 0n)) return [];
      const { places, hasMatched } = after(graph, takes.to, bit);
      if (hasMatched && node !== graph.walk) return [];
      return places.map((place) => ({ to: numberOf(place.node, place.next), isDouble: place.isDouble }));
    });
    states.push({ node, ways });
  }
  return states;
}

type Place = { node: number; next: Classes | null; isDouble: boolean };

/** Where one is after a character of this class, by every row of free steps in which none is made twice. */
function after(graph: ExpressionGraph, from: number, before: Classes): { places: Place[]; hasMatched: boolean } {
  const found = new Map<string, Place>();
  const used = new Set<object>();
  let hasMatched = false;
  const go = (node: number, next: Classes | null): void => {
    const { free, takes } = graph.nodes[node] as (typeof graph.nodes)[number];
    if (node === graph.end && next === null) hasMatched = true;
    if (takes && next !== 0n) {
      const name = `${node} ${next}`;
      const known = found.get(name);
      if (known) known.isDouble = true;
      else found.set(name, { node, next, isDouble: false });
    }
    for (const step of free) {
      if (used.has(step) || (step.before !== undefined && (step.before & before) === 0n)) continue;
      used.add(step);
      go(step.to, step.next === undefined ? next : next === null ? step.next : next & step.next);
      used.delete(step);
    }
  };
  go(from, null);
  return { places: [...found.values()], hasMatched };
}

/** For each state which loop it is in; -1: none. Two are in one loop if each leads to the other. */
function loopsOf(states: readonly State[]): number[] {
  const reached = states.map((_, from) => {
    const seen = new Set<number>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const { to } of (states[at] as State).ways.flat())
        if (!seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
    return seen;
  });
  return states.map((_, at) =>
    reached[at]?.has(at) ? states.findIndex((__, other) => reached[at]?.has(other) && reached[other]?.has(at)) : -1,
  );
}

/** Whether some text leads from the first to itself, from the first to the second, and from the second to itself. */
function isReadTwice(states: readonly State[], loopOf: readonly number[], first: number, second: number): boolean {
  const size = states.length;
  const nameOf = (a: number, b: number, c: number): number => (a * size + b) * size + c;
  const goal = nameOf(first, second, second);
  const begun = nameOf(first, first, second);
  const seen = new Set([begun]);
  const open = [[first, first, second] as const];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [a, b, c] = at.map((state) => (states[state] as State).ways);
    for (const [index, ofA] of (a ?? []).entries())
      for (const { to: x } of ofA) {
        if (loopOf[x] !== loopOf[first]) continue;
        for (const { to: z } of c?.[index] ?? []) {
          if (loopOf[z] !== loopOf[second]) continue;
          for (const { to: y } of b?.[index] ?? []) {
            const name = nameOf(x, y, z);
            if (name === goal) return true;
            if (seen.has(name)) continue;
            seen.add(name);
            open.push([x, y, z]);
          }
        }
      }
  }
  return false;
}
