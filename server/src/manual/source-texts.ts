/** Texts in our own source, as somebody reads them: what is filled in stands in braces, by the name that the source has for it. */

/** The arguments of a call, as they are written; `begin` is behind its bracket. */
export function argumentsAt(source: string, begin: number): { readonly parts: string[]; readonly end: number } {
  const parts: string[] = [];
  let depth = 0;
  let from = begin;
  let at = begin;
  for (; at < source.length; at += 1) {
    const letter = source[at] ?? '';
    if (`'"\``.includes(letter)) at = endOfText(source, at);
    else if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) {
      if (depth === 0) break;
      depth -= 1;
    } else if (letter === ',' && depth === 0) {
      parts.push(source.slice(from, at));
      from = at + 1;
    }
  }
  const last = source.slice(from, at);
  return { parts: last.trim() === '' ? parts : [...parts, last], end: at };
}

/** Where a text in quotes ends, with whatever is filled into it. */
function endOfText(source: string, begin: number): number {
  const quote = source[begin];
  for (let at = begin + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote) return at;
    else if (quote === '`' && source.startsWith('${', at)) at = argumentsAt(source, at + 2).end;
  }
  return source.length;
}

/** The texts of an expression: those with a plus between them are one. A choice between several gives all of them. */
export const literalsIn = (expression: string): string[] => textsIn(expression, false);

/** `isDeep`: also those inside brackets. */
export function textsIn(expression: string, isDeep: boolean): string[] {
  const found: string[] = [];
  let isContinued = false;
  for (let at = 0; at < expression.length; at += 1) {
    const letter = expression[at] ?? '';
    if (`'"\``.includes(letter)) {
      const end = endOfText(expression, at);
      const text = spoken(expression.slice(at + 1, end), letter === '`');
      if (isContinued) found.push(`${found.pop() ?? ''}${text}`);
      else found.push(text);
      at = end;
      isContinued = /^\s*\+/.test(expression.slice(end + 1));
    } else if (expression.startsWith('//', at)) at = expression.indexOf('\n', at);
    else if (letter === '(' && !isDeep) at = argumentsAt(expression, at + 1).end;
  }
  return found;
}

function spoken(text: string, isTemplate: boolean): string {
  const plain = text.replaceAll(/\\(.)/g, '$1');
  if (!isTemplate) return plain;
  let said = '';
  for (let at = 0; at < text.length; at += 1) {
    if (!text.startsWith('${', at)) {
      said += text[at] === '\\' ? (text[(at += 1)] ?? '') : text[at];
      continue;
    }
    const { parts, end } = argumentsAt(text, at + 2);
    said += `{${placeholder(parts.join(','))}}`;
    at = end;
  }
  return said;
}

/** What is filled in, by its name: `JSON.stringify(network.name)` is a name. */
export function placeholder(expression: string): string {
  const words = expression
    .replaceAll(/'[^']*'|JSON\.stringify|\.(?:slice|join|length|trim|toString|text)\b|String\(/g, ' ')
    .match(/[A-Za-z]\w*/g);
  const name = words?.at(-1) ?? 'value';
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}
