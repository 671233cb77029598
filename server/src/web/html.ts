/**
 * HTML in tagged templates. Every value is escaped unless it was made by `html` itself or by `trustedHtml`, so a shop
 * name or a line item can never become markup. The same escaping is right for texts and quoted attributes.
 */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template takes. Null, undefined and false print nothing, so `condition && html…` works. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(
    strings.reduce((text, part, position) => {
      const before = strings[position - 1] ?? '';
      if (/\s[\w-]+=$/.test(before)) throw new Error(`an attribute value must be in quotes: …${before.slice(-40)}`);
      return `${text}${rendered(values[position - 1])}${part}`;
    }),
  );
}

/** Marks text as HTML without escaping it. Only for what this program wrote itself. */
export const trustedHtml = (text: string): Html => new Html(text);

export const escapeHtml = (text: string): string => text.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function rendered(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(rendered).join('');
}
