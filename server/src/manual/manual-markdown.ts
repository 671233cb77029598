/**
 * Markdown as HTML. What a page writes as HTML is shown and not obeyed. Code in several languages, one block after the
 * other, becomes one block with tabs, which are radio buttons: they need no script, and on paper all of it is there.
 */
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml, type Html, html, trustedHtml } from '../web/html.ts';
import { icon } from '../web/icons.ts';

export type Heading = { readonly level: number; readonly text: string; readonly anchor: string };

export type RenderedMarkdown = { readonly body: Html; readonly headings: readonly Heading[] };

/** A heading in an address: what people would type. The second of a name gets a number. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');

/** Words of a heading or cell without its marks. */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

const languageNames: Readonly<Record<string, string>> = {
  js: 'Node.js',
  php: 'PHP',
  ruby: 'Ruby',
  sh: 'Shell',
  json: 'JSON',
};

const nameOf = ({ lang = '', text }: Tokens.Code): string =>
  lang === 'sh' && text.includes('curl ') ? 'curl' : (languageNames[lang] ?? lang);

const isSafe = (href: string): boolean => /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/.test(href);

export function renderMarkdown(markdown: string): RenderedMarkdown {
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  let groups = 0;
  let tables = 0;

  function heading({ depth, tokens, text }: Tokens.Heading, inline: string): string {
    const base = anchorOf(plainText(text));
    const times = used.get(base) ?? 0;
    used.set(base, times + 1);
    const anchor = times === 0 ? base : `${base}-${times}`;
    headings.push({ level: depth, text: plainText(text), anchor });
    if (depth === 1 || tokens.length === 0) return html`<h1>${trustedHtml(inline)}</h1>\n`.toString();
    const level = `h${Math.min(depth, 6)}`;
    return `<${level} id="${escapeHtml(anchor)}">${inline} <a class="here" href="#${escapeHtml(anchor)}" aria-label="Link to this heading">#</a></${level}>\n`;
  }

  const block = ({ text, lang = '' }: Tokens.Code, name: string): Html =>
    html`<div class="snippet"><button class="btn quiet small needs-script" type="button" data-copy-code data-copied="Copied">${icon('copy')}<span>Copy</span></button><pre class="code" tabindex="0" role="group" aria-label="${name === '' ? 'Code' : name}"><code data-lang="${lang}">${text}</code></pre></div>`;

  function tabs(codes: readonly Tokens.Code[]): string {
    groups += 1;
    const parts = codes.map((code, at) => {
      const id = `code-${groups}-${at}`;
      const name = nameOf(code);
      return html`<input type="radio" name="code-${groups}" id="${id}" data-lang="${code.lang ?? ''}"${at === 0 && html` checked`}><label for="${id}">${name}</label>${block(code, name)}`;
    });
    return html`<div class="code-tabs" role="group" aria-label="Language">${parts}</div>\n`.toString();
  }

  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading(token) {
        return heading(token, this.parser.parseInline(token.tokens));
      },
      code: (token) => `${block(token, nameOf(token)).toString()}\n`,
      // A long name is broken between its words.
      codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll(/([._/])(?=\w)/g, '$1<wbr>')}</code>`,
      html: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return isSafe(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text;
      },
      image: ({ href, text }) =>
        isSafe(href) ? `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}">` : escapeHtml(text),
      table(token) {
        tables += 1;
        const isHeadless = token.header.every(({ text }) => text.trim() === '');
        const inside = ({ tokens }: Tokens.TableCell): string => this.parser.parseInline(tokens);
        // A cell of the head that says nothing is no heading: then the first column says what is what.
        const isNaming = token.header.some(({ text }) => text.trim() === '');
        const head = token.header.map((each) => (each.text.trim() === '' ? '<td></td>' : `<th>${inside(each)}</th>`));
        // On a phone a row is a paragraph, and of many columns each says which it is.
        const named = (at: number): string => {
          const name = plainText(token.header[at]?.text.trim() ?? '');
          return name === '' || token.header.length < 4 ? '' : ` data-head="${escapeHtml(name)}: "`;
        };
        const rows = token.rows.map(([first, ...rest]) => {
          const begins = first && (isNaming ? `<th scope="row">${inside(first)}</th>` : `<td>${inside(first)}</td>`);
          return `<tr>${begins ?? ''}${rest.map((each, at) => `<td${named(at + 1)}>${inside(each)}</td>`).join('')}</tr>`;
        });
        const top = isHeadless ? '' : `<thead><tr>${head.join('')}</tr></thead>`;
        return `<div class="scrolls" tabindex="0" role="region" aria-label="Table ${tables}"><table class="facts">${top}<tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
    },
    // An address in a sentence is an example: nothing leads there.
    tokenizer: { url: () => undefined },
    extensions: [
      {
        name: 'tabs',
        renderer: (token) => tabs(token['codes'] as Tokens.Code[]),
      },
    ],
  });
  const tokens = withTabs(marked.lexer(markdown));
  const body = marked.parser(tokens);
  return { body: trustedHtml(body), headings };
}

/** Blocks of code of different languages with nothing between them. */
function withTabs(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  let run: Tokens.Code[] = [];
  const flush = (): void => {
    if (run.length > 1) result.push({ type: 'tabs', raw: '', codes: run });
    else result.push(...run);
    run = [];
  };
  for (const token of tokens) {
    if (token.type === 'space' && run.length > 0) continue;
    if (token.type !== 'code') {
      flush();
      result.push(token);
      continue;
    }
    const code = token as Tokens.Code;
    if (!tabLanguages.has(code.lang ?? '') || run.some(({ lang }) => lang === code.lang)) flush();
    run.push(code);
    if (!tabLanguages.has(code.lang ?? '')) flush();
  }
  flush();
  return result;
}

const tabLanguages = new Set(['sh', 'js', 'php', 'ruby']);
