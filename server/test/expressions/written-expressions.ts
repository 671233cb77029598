/** The regular expressions of a program: those that are written in it, and where it makes others of texts. */
import { parse } from '@babel/parser';

export type WrittenExpression = { readonly line: number; readonly source: string; readonly flags: string };

/** An expression begins after one of these signs or words: most programs have none and need not be parsed. */
const mayHave = /[(,=:[!&|?{};>+][ \n]*\/[^/*]|(?:return|typeof|case)\s\/|RegExp/;

type Syntax = { readonly type?: string; readonly loc?: { readonly start: { readonly line: number } } } & Record<
  string,
  any
>;

export function writtenExpressions(program: string): {
  readonly expressions: readonly WrittenExpression[];
  /** Lines in which one is made of a text that is not written there. */
  readonly made: readonly number[];
} {
  const expressions: WrittenExpression[] = [];
  const made: number[] = [];
  const look = (node: Syntax): void => {
    const line = node.loc?.start.line ?? 0;
    const isMade =
      (node.type === 'NewExpression' || node.type === 'CallExpression') && node['callee']?.name === 'RegExp';
    if (node.type === 'RegExpLiteral') expressions.push({ line, source: node['pattern'], flags: node['flags'] });
    else if (isMade) {
      const [text, flags] = node['arguments'];
      if (text?.type === 'StringLiteral') expressions.push({ line, source: text.value, flags: flags?.value ?? '' });
      else made.push(line);
    }
    for (const [name, inner] of Object.entries(node))
      if (name !== 'loc' && typeof inner === 'object' && inner !== null)
        for (const each of Array.isArray(inner) ? inner : [inner]) if (each?.type !== undefined) look(each);
  };
  if (mayHave.test(program)) look(parse(program, { sourceType: 'module', plugins: ['typescript'] }).program as Syntax);
  return { expressions, made };
}
