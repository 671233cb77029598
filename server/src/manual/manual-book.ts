/** All pages of the manual, the written and the generated, as Markdown whose links are addresses of this service. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { apiPath, endpointGroups, endpointPath, errorsPath, eventsPath, referencePages } from './api-reference.ts';
import { errorsMarkdown } from './errors-page.ts';
import { plainText } from './manual-markdown.ts';
import { manualParts, manualRoot, pathOfFile, startFile } from './manual-pages.ts';

export type ManualPage = {
  /** `/docs/operations`. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
};

/** In the menu. */
export type ManualGroup = { readonly title: string; readonly pages: readonly ManualPage[]; readonly isFolded: boolean };

export type ManualBook = {
  readonly pages: ReadonlyMap<string, ManualPage>;
  readonly groups: readonly ManualGroup[];
};

const docsFolder = new URL('../../../docs/', import.meta.url);

export const readManualFile = (file: string): string => readFileSync(new URL(file, docsFolder), 'utf8');

let made: ManualBook | undefined;

/** Made when it is read for the first time (`readManual`): a process that only works starts without it. */
export const manualBook = (): ManualBook => (made ??= makeBook());

const pageOf = (path: string, markdown: string): ManualPage => ({ path, title: titleOf(markdown), markdown });

export const titleOf = (markdown: string): string => plainText(/^# (.+)$/m.exec(markdown)?.[1] ?? 'Untitled');

function makeBook(): ManualBook {
  const written = manualParts.map(({ title, files }) => ({
    title,
    isFolded: false,
    pages: files.map((file) => pageOf(pathOfFile(file), withAddresses(readManualFile(file), file))),
  }));
  const reference = new Map(referencePages().map(({ path, markdown }) => [path, pageOf(path, markdown)]));
  const errors = pageOf(errorsPath, errorsMarkdown());
  const ofReference = (path: string): ManualPage[] => [reference.get(path)].filter((page) => page !== undefined);
  const groups: ManualGroup[] = [
    ...written,
    { title: 'Reference', isFolded: false, pages: [...ofReference(apiPath), ...ofReference(eventsPath), errors] },
    ...endpointGroups()
      .filter((group) => group.endpoints.length > 0)
      .map((group) => ({
        title: group.tag,
        isFolded: true,
        pages: group.endpoints.flatMap((endpoint) => ofReference(endpointPath(endpoint))),
      })),
  ];
  const start = pageOf(
    manualRoot,
    `${withAddresses(readManualFile(startFile), startFile).trim()}\n\n${contents(groups)}`,
  );
  const all = [start, ...groups.flatMap(({ pages }) => pages)];
  return { pages: new Map(all.map((page) => [page.path, page])), groups };
}

/** On the first page: everything but the single endpoints, which the page of the API lists. */
const contents = (groups: readonly ManualGroup[]): string =>
  groups
    .filter(({ isFolded }) => !isFolded)
    .map(({ title, pages }) => `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.path})`).join('\n')}`)
    .join('\n\n');

const filesByPath = new Map(
  [startFile, ...manualParts.flatMap(({ files }) => files)].map((file) => [file, pathOfFile(file)]),
);

/**
 * Links between files become links between pages; pictures are served beside them. What is in the repository and in no
 * page (a decision, the source) is named without a link: who reads this need not have the repository.
 */
export function withAddresses(markdown: string, file: string): string {
  const whyNot = / \(\[[^\]]+\]\([^)]*decisions\/[^)]+\)\)/g; // "(why)" would be a riddle without its link.
  return markdown
    .replaceAll(whyNot, '')
    .replaceAll(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (whole, mark: string, text: string, target: string) => {
        if (/^(?:[a-z]+:|\/|#)/.test(target)) return whole;
        const [name = '', anchor] = target.split('#');
        const inDocs = normalize(join(dirname(file), name));
        if (mark === '!') return `![${text}](${manualRoot}/${inDocs})`;
        const path = filesByPath.get(inDocs);
        if (path === undefined) return text;
        return `[${text}](${path}${anchor === undefined ? '' : `#${anchor}`})`;
      },
    );
}
