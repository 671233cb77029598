/**
 * All Pix of a span of time, page by page. Pages are numbered, not held: while we read them, what arrives pushes others
 * onto the next page, and what is sorted anew may be on none that we saw. So a reading counts when it has as many as the
 * provider counts; else what was seen is good, and the span is read again later.
 */
import type { PixApi } from './pix-api.ts';
import { isSamePayment, type ListedPix, malformed, readListed } from './received-pix.ts';

export type Span = { readonly from: Date; readonly to: Date; readonly onlyReturned?: boolean };

export type Listing = {
  readonly pix: readonly ListedPix[];
  /** What time it was at the provider when it began to answer. */
  readonly at: Date;
  /** False: some of the span may be missing. */
  readonly isWhole: boolean;
};

/** `too many`: ask for a shorter span. */
export type Listed = Listing | 'too many';

const perPage = 1_000; // the most that the interface gives
/** Of which the last is not read but says that there are too many: one look is bounded. */
export const pagesMax = 20;
const readingsMax = 3;

export async function listPix(api: PixApi, span: Span, isShortest: boolean): Promise<Listed> {
  const all = new Map<string, ListedPix>();
  let at: Date | undefined;
  for (let reading = 1; ; reading += 1) {
    const found = await readPages(api, span, isShortest);
    if (found === 'too many') return found;
    at ??= found.at;
    for (const pix of found.pix.values()) merge(all, pix);
    const isWhole = all.size >= found.total;
    if (isWhole || reading === readingsMax) return { pix: [...all.values()], at, isWhole };
  }
}

type Pages = { readonly pix: ReadonlyMap<string, ListedPix>; readonly total: number; readonly at: Date };

async function readPages(api: PixApi, span: Span, isShortest: boolean): Promise<Pages | 'too many'> {
  const pix = new Map<string, ListedPix>();
  let at: Date | undefined;
  for (let page = 0; ; page += 1) {
    const reply = await api.get(`/pix?${queryOf(span, page)}`);
    at ??= reply.at;
    const { entries, pages, total } = readPage(reply.body);
    if (pages > pagesMax && !isShortest) return 'too many';
    for (const entry of entries) merge(pix, readListed(entry));
    if (page + 1 >= pages || entries.length === 0) return { pix, total, at };
    // A minute of more than any bank books: what counts pages like that is not believed.
    if (page + 1 >= 50 * pagesMax) throw malformed('pages without end');
  }
}

/** Without the fraction: not every provider reads it. The end is rounded up. */
const written = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

function queryOf({ from, to, onlyReturned }: Span, page: number): string {
  return new URLSearchParams({
    inicio: written(Math.floor(from.getTime() / 1000) * 1000),
    fim: written(Math.ceil(to.getTime() / 1000) * 1000),
    ...(onlyReturned && { devolucaoPresente: 'true' }),
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(perPage),
  }).toString();
}

function readPage(body: unknown): { entries: readonly unknown[]; pages: number; total: number } {
  const { pix, parametros } = body as { pix?: unknown; parametros?: { paginacao?: unknown } };
  const { quantidadeDePaginas: pages, quantidadeTotalDeItens: total } = (parametros?.paginacao ?? {}) as Record<
    string,
    unknown
  >;
  const entries = pix ?? [];
  if (!Array.isArray(entries)) throw malformed('what is no list');
  if (!isCount(pages) || !isCount(total)) throw malformed('pages that it does not count');
  return { entries, pages, total };
}

const isCount = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) >= 0;

/** What moved to the next page is there twice, and says the same about the payment, or nothing can be believed. */
function merge(found: Map<string, ListedPix>, pix: ListedPix): void {
  const known = found.get(pix.endToEndId);
  if (known && !isSamePayment(known, pix)) throw malformed(`two different Pix as ${pix.endToEndId}`);
  found.set(pix.endToEndId, pix);
}
