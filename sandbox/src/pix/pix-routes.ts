/** The provider over HTTP: the paths of the interface, what they refuse, and which scope each needs. */
import type { BookedCharge, BookedPix, PixBook } from './pix-book.ts';
import { chargeJson, pixJson, returnJson } from './pix-json.ts';
import { PixProblem } from './pix-problem.ts';
import type { PixProvider } from './pix-provider.ts';

export type Asked = {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly scopes: ReadonlySet<string>;
};
export type Answer = { readonly status: number; readonly body: unknown };

/** How lists are sorted; `turning`: otherwise at every page, so that what was on a later one is on an earlier one then. */
export type ListOrder = 'oldest' | 'newest' | 'turning';

export type RouteDeps = {
  readonly book: PixBook;
  readonly provider: PixProvider;
  readonly now: () => Date;
  readonly order: () => ListOrder;
  /** The most that a page has, whatever was asked for. */
  readonly pageSize: () => number;
};

const amountForm = /^\d{1,10}\.\d{2}$/;
const txidForm = /^[a-zA-Z0-9]{26,35}$/;

export function answerPix(deps: RouteDeps, asked: Asked): Answer {
  const [, kind = '', name = '', part = '', partName = ''] = asked.url.pathname.split('/').map(decodeURIComponent);
  const route = `${asked.method} ${[kind, name && '*', part, partName && '*'].filter((each) => each !== '').join('/')}`;
  const [scope, answer] = routes[route] ?? [];
  if (!scope || !answer) throw new PixProblem(404, 'NaoEncontrado', 'Entidade não encontrada.');
  if (!asked.scopes.has(scope)) throw new PixProblem(403, 'AcessoNegado', `Falta o escopo ${scope}.`);
  return answer(deps, { ...asked, name, partName });
}

type Named = Asked & { readonly name: string; readonly partName: string };
type Route = (deps: RouteDeps, asked: Named) => Answer;

const routes: Readonly<Record<string, readonly [scope: string, route: Route]>> = {
  'PUT cob/*': [
    'cob.write',
    ({ book, provider }, asked) => {
      const wanted = readCharge(asked);
      return { status: 201, body: chargeJson(book, provider.putCharge(wanted)) };
    },
  ],
  'PATCH cob/*': ['cob.write', patchCharge],
  'GET cob/*': ['cob.read', ({ book, provider }, { name }) => ok(chargeJson(book, provider.findCharge(name)))],
  'GET cob': ['cob.read', listCharges],
  'GET pix': ['pix.read', listPix],
  'GET pix/*': ['pix.read', ({ provider }, { name }) => ok(pixJson(provider.findPix(name)))],
  'PUT pix/*/devolucao/*': [
    'pix.write',
    ({ provider }, { name, partName, body }) => {
      const { valor, descricao } = readJson(body, 'PixDevolucaoInvalida');
      if (!isAmount(valor) || !/^[a-zA-Z0-9]{1,35}$/.test(partName))
        throw new PixProblem(400, 'PixDevolucaoInvalida', 'O campo devolucao.valor não respeita o schema.');
      const note = typeof descricao === 'string' ? descricao.slice(0, 140) : null;
      return { status: 201, body: returnJson(provider.giveBack(name, partName, centavosOf(valor), note)) };
    },
  ],
  'GET pix/*/devolucao/*': [
    'pix.read',
    ({ provider }, { name, partName }) => ok(returnJson(provider.findReturn(name, partName))),
  ],
  'PUT webhook/*': [
    'webhook.write',
    ({ book, now }, { name, body }) => {
      const { webhookUrl } = readJson(body, 'WebhookOperacaoInvalida');
      if (typeof webhookUrl !== 'string' || !URL.canParse(webhookUrl))
        throw new PixProblem(400, 'WebhookOperacaoInvalida', 'Campo webhook.webhookUrl não respeita o schema.');
      book.save({ hook: { key: name, url: webhookUrl, createdAt: now().getTime() } });
      return ok({});
    },
  ],
  'GET webhook/*': [
    'webhook.read',
    ({ book }, { name }) => {
      const { url, createdAt } = findHook(book, name);
      return ok({ webhookUrl: url, chave: name, criacao: new Date(createdAt).toISOString() });
    },
  ],
  'DELETE webhook/*': [
    'webhook.write',
    ({ book }, { name }) => {
      book.save({ hook: { ...findHook(book, name), url: null } });
      return { status: 204, body: undefined };
    },
  ],
};

const ok = (body: unknown): Answer => ({ status: 200, body });

function findHook(book: PixBook, key: string) {
  const hook = book.hooks.get(key);
  if (!hook || hook.url === null) throw new PixProblem(404, 'WebhookNaoEncontrado', 'O webhook não está estabelecido.');
  return hook;
}

function readCharge({ name: txid, body }: Named) {
  const { calendario, valor, chave, solicitacaoPagador } = readJson(body, 'CobOperacaoInvalida');
  const { expiracao = 86_400 } = (calendario ?? {}) as { expiracao?: unknown };
  const { original, modalidadeAlteracao = 0 } = (valor ?? {}) as Record<string, unknown>;
  const violations = [
    ...(txidForm.test(txid) ? [] : ['O txid não respeita o schema.']),
    ...(isAmount(original) ? [] : ['O campo cob.valor.original não respeita o schema.']),
    ...(isAmount(original) && centavosOf(original) === 0n && modalidadeAlteracao !== 1
      ? ['O campo cob.valor.original é zero.']
      : []),
    ...(Number.isInteger(expiracao) && (expiracao as number) > 0
      ? []
      : ['O campo cob.calendario.expiracao é igual ou menor que zero.']),
    ...(typeof chave === 'string' && chave.length <= 77 ? [] : ['O campo cob.chave não respeita o schema.']),
    ...(typeof solicitacaoPagador === 'string' && solicitacaoPagador.length > 140
      ? ['O campo solicitacaoPagador não respeita o schema.']
      : []),
  ];
  if (violations.length > 0) throw new PixProblem(400, 'CobOperacaoInvalida', ...violations);
  return {
    txid,
    original: original as string,
    isAmountOpen: modalidadeAlteracao === 1,
    expirySeconds: expiracao as number,
    key: chave as string,
    note: typeof solicitacaoPagador === 'string' ? solicitacaoPagador : null,
  };
}

function patchCharge({ book, provider }: RouteDeps, { name, body }: Named): Answer {
  const { status, valor, calendario } = readJson(body, 'CobOperacaoInvalida');
  const { original } = (valor ?? {}) as { original?: unknown };
  const { expiracao } = (calendario ?? {}) as { expiracao?: unknown };
  const refuse = (violation: string): never => {
    throw new PixProblem(400, 'CobOperacaoInvalida', violation);
  };
  if (status !== undefined && status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    refuse('o campo cob.status não respeita o schema.');
  if (status !== undefined && (original !== undefined || expiracao !== undefined))
    refuse('A requisição propõe remover a cobrança juntamente com outras alterações.');
  if (original !== undefined && !isAmount(original)) refuse('O campo cob.valor.original não respeita o schema.');
  if (expiracao !== undefined && !(Number.isInteger(expiracao) && (expiracao as number) > 0))
    refuse('O campo cob.calendario.expiracao é igual ou menor que zero.');
  const changed = {
    ...(status !== undefined && { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' as const }),
    ...(original !== undefined && { original: original as string }),
    ...(expiracao !== undefined && { expirySeconds: expiracao as number }),
  };
  return ok(chargeJson(book, provider.changeCharge(name, changed)));
}

function listCharges(deps: RouteDeps, { url }: Named): Answer {
  const query = readQuery(url, 'CobConsultaInvalida');
  const found = [...deps.book.charges.values()].filter(
    ({ createdAt, status }: BookedCharge) =>
      createdAt >= query.from && createdAt <= query.to && status === (url.searchParams.get('status') ?? status),
  );
  const { page, parametros } = paged(deps, query, found);
  return ok({ parametros, cobs: page.map((charge) => chargeJson(deps.book, charge)) });
}

function listPix(deps: RouteDeps, { url }: Named): Answer {
  const query = readQuery(url, 'PixConsultaInvalida');
  const wished = (name: string, value: boolean): boolean => {
    const wish = url.searchParams.get(name);
    return wish === null || (wish === 'true') === value;
  };
  const found = deps.provider
    .all()
    .filter(
      ({ at, txid, returns }: BookedPix) =>
        at >= query.from &&
        at <= query.to &&
        txid === (url.searchParams.get('txid') ?? txid) &&
        wished('txIdPresente', txid !== null) &&
        wished('devolucaoPresente', returns.length > 0),
    );
  const { page, parametros } = paged(deps, query, found);
  return ok({ parametros, pix: page.map(pixJson) });
}

type Query = ReturnType<typeof readQuery>;

function readQuery({ searchParams }: URL, problem: string) {
  const [inicio, fim] = [searchParams.get('inicio') ?? '', searchParams.get('fim') ?? ''];
  const [from, to] = [timeOf(inicio), timeOf(fim)];
  const number = searchParams.get('paginacao.paginaAtual') ?? '0';
  const size = searchParams.get('paginacao.itensPorPagina') ?? '100';
  if (Number.isNaN(from) || Number.isNaN(to))
    throw new PixProblem(400, problem, 'algum dos parâmetros informados para a consulta não respeita o schema.');
  if (to < from) throw new PixProblem(400, problem, 'o timestamp fim é anterior ao timestamp inicio.');
  if (!/^\d+$/.test(number)) throw new PixProblem(400, problem, 'o parâmetro paginacao.paginaAtual é negativo.');
  if (!/^\d+$/.test(size) || Number(size) < 1 || Number(size) > 1000)
    throw new PixProblem(400, problem, 'o parâmetro paginacao.itensPorPagina não respeita o schema.');
  return { inicio, fim, from, to, number: Number(number), size: Number(size) };
}

const timeOf = (text: string): number =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;

function paged<T>(deps: RouteDeps, { inicio, fim, number, size }: Query, found: readonly T[]) {
  const order = deps.order();
  const itensPorPagina = Math.min(size, deps.pageSize());
  const sorted =
    order === 'oldest' ? found : order === 'newest' ? found.toReversed() : turned(found, number * itensPorPagina);
  return {
    page: sorted.slice(number * itensPorPagina, (number + 1) * itensPorPagina),
    parametros: {
      inicio,
      fim,
      paginacao: {
        paginaAtual: number,
        itensPorPagina,
        quantidadeDePaginas: Math.max(1, Math.ceil(found.length / itensPorPagina)),
        quantidadeTotalDeItens: found.length,
      },
    },
  };
}

/** The first page again and again, under other numbers. */
const turned = <T>(found: readonly T[], by: number): readonly T[] => {
  const at = found.length === 0 ? 0 : found.length - (by % found.length);
  return [...found.slice(at), ...found.slice(0, at)];
};

const isAmount = (given: unknown): given is string => typeof given === 'string' && amountForm.test(given);
const centavosOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

function readJson(body: string, problem: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new PixProblem(400, problem, 'A requisição não respeita o schema.');
}
