/** XML of a few elements, escaped. An element without content is left out: neither EN 16931 nor ISO 20022 knows an empty one. */

export type Xml = { readonly markup: string };

export type XmlContent = string | Xml | null | readonly XmlContent[];

/** Null: there is nothing in it. Attributes without a value are left out. */
export function element(
  name: string,
  content: XmlContent,
  attributes: Readonly<Record<string, string>> = {},
): Xml | null {
  const inside = markupOf(content);
  if (inside === '') return null;
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return { markup: `<${name}${named.join('')}>${inside}</${name}>` };
}

/** The element that holds all others. */
export const xmlDocument = (root: Xml | null): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root?.markup ?? ''}\n`;

function markupOf(content: XmlContent): string {
  if (content === null) return '';
  if (typeof content === 'string') return escaped(content);
  return 'markup' in content ? content.markup : content.map(markupOf).join('');
}

/** Characters that XML has no way to write are left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
