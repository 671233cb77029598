/**
 * A regular expression as a graph of what it can do next: nodes that take a character, and free steps between them, some of which
 * ask what the character before was or what the next one must be. Characters that no part of the expression tells apart are one
 * class. Whatever is not known exactly is taken for possible: then it may be refused although it is harmless, and not the other way.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Classes of characters, as bits. */
export type Classes = bigint;

export type Free = {
  readonly to: number;
  /** What the character before must have been; the bit above all classes stands for none: it is the beginning. */
  readonly before?: Classes;
  readonly next?: Classes;
};
export type GraphNode = { readonly free: Free[]; takes: { readonly classes: Classes; readonly to: number } | null };

export type ExpressionGraph = {
  readonly nodes: readonly GraphNode[];
  readonly start: number;
  readonly end: number;
  /** The node that walks to the next place where the expression may begin. */
  readonly walk: number;
  readonly classCount: number;
  readonly atBeginning: Classes;
};

/** More often than this is as good as always. */
const repeatsMax = 200;

/** Asked of every part of an expression: letters, digits and signs of many kinds, also such as need two units. */
const samples = [
  ...Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)),
  ...Array.from(
    'σЖא٣٪ـ۵ก中あ한＝＋－＠\u0301\u200b\u200c\u200d\u200e\u2028\u2029\u2066\u202e\ufeff\u3000\ue000€−–“’⚡\ufe0f\ud800',
  ),
  '😀',
  '🏴',
  '\u{e0067}',
  '\u{1f3fb}',
  '\u{1f1e6}',
];

export function expressionGraph(source: string, flags: string): ExpressionGraph {
  const has = (flag: string): boolean => flags.includes(flag);
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: has('u'),
    unicodeSets: has('v'),
  });
  const kept = Array.from(flags)
    .filter((flag) => 'iusv'.includes(flag))
    .join('');
  const members = new Map<string, boolean[]>();
  const letters = [...samples, ...writtenIn(source)];
  const membersOf = (raw: string): boolean[] => {
    const known = members.get(raw);
    if (known) return known;
    const form = new RegExp(`^(?:${raw})$`, kept);
    const found = letters.map((letter) => form.test(letter));
    members.set(raw, found);
    return found;
  };
  const atoms: string[] = ['\\w', '[\\n\\r\\u2028\\u2029]'];
  visit(pattern, (node) => {
    if (isAtom(node)) atoms.push(node.raw);
  });
  const signatures = letters.map((_, at) => atoms.map((atom) => (membersOf(atom)[at] ? '1' : '0')).join(''));
  const names = [...new Set(signatures)];
  const all: Classes = (1n << BigInt(names.length)) - 1n;
  const atBeginning: Classes = 1n << BigInt(names.length);
  const classesOf = (raw: string): Classes =>
    membersOf(raw).reduce(
      (bits, isIn, at) => (isIn ? bits | (1n << BigInt(names.indexOf(signatures[at] ?? ''))) : bits),
      0n,
    );
  const word = classesOf('\\w');
  const newline = classesOf('[\\n\\r\\u2028\\u2029]');

  const nodes: GraphNode[] = [];
  const add = (): number => nodes.push({ free: [], takes: null }) - 1;
  const step = (from: number, to: number, asks: Omit<Free, 'to'> = {}): void =>
    void nodes[from]?.free.push({ to, ...asks });
  const take = (from: number, classes: Classes): number => {
    const to = add();
    (nodes[from] as GraphNode).takes = { classes, to };
    return to;
  };

  function anyOf(alternatives: readonly AST.Alternative[], from: number): number {
    const out = add();
    for (const { elements } of alternatives) {
      let at = add();
      step(from, at);
      for (const element of elements) at = one(element, at);
      step(at, out);
    }
    return out;
  }

  function one(element: AST.Element, from: number): number {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return anyOf(element.alternatives, from);
      case 'Quantifier':
        return repeated(element, from);
      case 'Assertion':
        return asserted(element, from);
      case 'Backreference':
        return loop(from, (inner) => take(inner, all));
      default: {
        const place = add();
        step(from, place);
        return take(place, classesOf(element.raw));
      }
    }
  }

  function loop(from: number, body: (inner: number) => number): number {
    const [again, inner, out] = [add(), add(), add()];
    step(from, again);
    step(again, inner);
    step(again, out);
    step(body(inner), again);
    return out;
  }

  function repeated({ element, min, max }: AST.Quantifier, from: number): number {
    let at = from;
    const isEndless = max > repeatsMax;
    const copies = Math.min(max, 2);
    const needed = Math.min(min, isEndless ? 1 : copies);
    for (let copy = 0; copy < needed; copy += 1) at = one(element, at);
    if (isEndless) return loop(at, (inner) => one(element, inner));
    const out = add();
    for (let copy = needed; copy < copies; copy += 1) {
      step(at, out);
      at = one(element, at);
    }
    step(at, out);
    return out;
  }

  function asserted(assertion: AST.Assertion, from: number): number {
    const out = add();
    if (assertion.kind === 'start') step(from, out, { before: has('m') ? newline | atBeginning : atBeginning });
    else if (assertion.kind === 'end') step(from, out, { next: has('m') ? newline : 0n });
    else if (assertion.kind === 'word') {
      const [same, other] = [word, all & ~word];
      const [afterWord, afterOther] = assertion.negate ? [same, other] : [other, same];
      step(from, out, { before: word, next: afterWord });
      step(from, out, { before: other | atBeginning, next: afterOther });
    } else if (assertion.kind === 'lookahead') {
      const classes = singleClasses(assertion.alternatives);
      if (classes !== null) step(from, out, { next: assertion.negate ? all & ~classes : classes });
      else {
        // What it reads, it reads beside the way of the rest.
        anyOf(assertion.alternatives, from);
        step(from, out);
      }
    } else if (assertion.kind === 'lookbehind') {
      const classes = singleClasses(assertion.alternatives);
      if (classes !== null) step(from, out, { before: assertion.negate ? (all | atBeginning) & ~classes : classes });
      else {
        if (assertion.alternatives.some(isEndlessIn)) throw new Error('looks back over any number of characters');
        step(from, out);
      }
    }
    return out;
  }

  /** Of what is one character, or the beginning, in each alternative; null: it is more. */
  function singleClasses(alternatives: readonly AST.Alternative[]): Classes | null {
    let classes: Classes = 0n;
    for (const { elements } of alternatives) {
      const [only, ...more] = elements;
      if (only === undefined || more.length > 0) return null;
      if (only.type === 'Assertion' && only.kind === 'start') classes |= has('m') ? newline | atBeginning : atBeginning;
      else if (isAtom(only)) classes |= classesOf(only.raw);
      else return null;
    }
    return classes;
  }

  const start = add();
  const walk = add();
  const end = anyOf(pattern.alternatives, start);
  step(start, walk);
  if (!has('y')) (nodes[walk] as GraphNode).takes = { classes: all, to: start };
  return { nodes, start, end, walk, classCount: names.length, atBeginning };
}

const atomTypes: ReadonlySet<string> = new Set([
  'Character',
  'CharacterSet',
  'CharacterClass',
  'ExpressionCharacterClass',
]);
const isAtom = (node: AST.Node): boolean => atomTypes.has(node.type);

const isEndlessIn = (alternative: AST.Alternative): boolean => {
  let found = false;
  visit(alternative, (node) => {
    found ||= node.type === 'Quantifier' && node.max > repeatsMax;
  });
  return found;
};

function visit(node: AST.Node, look: (node: AST.Node) => void): void {
  look(node);
  if (isAtom(node)) return;
  if ('alternatives' in node) for (const each of node.alternatives) visit(each, look);
  if ('elements' in node) for (const each of node.elements) visit(each, look);
  if ('element' in node) visit(node.element, look);
}

/** What stands in the expression itself, and what comes before and after it. */
const writtenIn = (source: string): string[] =>
  Array.from(source)
    .map((letter) => letter.codePointAt(0) ?? 0)
    .filter((code) => code > 0x24f)
    .flatMap((code) => [code - 1, code, Math.min(code + 1, 0x10ffff)].map((near) => String.fromCodePoint(near)));
