/**
 * "Try it" on the page of an endpoint: in the sandbox, somebody who is signed in sends the request as themselves. It goes
 * through the door of the account (`account-route`: role, proof, a form from our own pages), and then to the handler that
 * answers the API, with the name of the form as its Idempotency-Key. Outside the sandbox there is nothing of it.
 */
import type { Endpoint } from '@quittance/contract/endpoints';
import { type Example, readExamples } from '@quittance/contract/examples';
import { atAccountHost } from '../account/account-routes.ts';
import { demandSession } from '../account/frame/account-request.ts';
import { type AccountDeps, createAccountRoutes, type MemberContext } from '../account/frame/account-route.ts';
import { accountField, orderProof, proofField, proving, signing } from '../account/sign-in/sign-in-parts.ts';
import type { SignedInPerson } from '../auth/authenticate-person.ts';
import { personActor } from '../http/actor.ts';
import { answerKnownCaller, type KnownCallerDeps } from '../http/answer-request.ts';
import type { Caller } from '../http/caller.ts';
import { parseJson } from '../http/parse-json.ts';
import { type Answer, renderError } from '../http/render-error.ts';
import type { ApiRoute, PageContext, PageReply, Route } from '../http/route.ts';
import { invalidRequest } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { notYours } from '../people/people-errors.ts';
import type { AccountPermission } from '../people/roles.ts';
import { type Html, html } from '../web/html.ts';
import { endpointPath, findEndpoint } from './api-reference.ts';
import { signInAt } from './manual-layout.ts';
import { lookOf, type ManualReader } from './manual-reader.ts';
import { fieldsOf } from './schema-fields.ts';
import { isTryable, mayAsPerson, personPermission } from './try-permissions.ts';

export type TryDeps = AccountDeps &
  Omit<KnownCallerDeps, 'db' | 'clock'> & { readonly apiRoutes: readonly Route<Merchant>[] };

/** What came of it, on which page, and who did it. */
export type Tried = { readonly path: string; readonly answer: Html; readonly signedIn: SignedInPerson };

type ShowPage = (request: PageContext, tried: Tried) => Promise<PageReply>;

const tryPath = (endpoint: Endpoint): string => `${endpointPath(endpoint)}/try`;

/** A form sends whatever changes something; what only reads is an address. */
const formMethod = ({ method }: Endpoint): 'GET' | 'POST' => (method === 'GET' ? 'GET' : 'POST');

export function tryRoutes(deps: TryDeps, show: ShowPage): Route[] {
  if (!deps.isSandbox) return [];
  const routes = deps.apiRoutes.filter((route): route is ApiRoute<Merchant> => route.kind === 'api');
  return routes.flatMap((route) => {
    const may = personPermission(route.endpoint);
    if (may === null) return [];
    const { endpoint } = route;
    const page = createAccountRoutes(deps)<{ readonly may: AccountPermission }>({
      method: formMethod(endpoint),
      path: tryPath(endpoint),
      access: { may },
      ...(endpoint.isMoneyMoving && { order: ({ form }) => orderOf(endpoint, form.get('body') ?? '') }),
      async handle(context) {
        if (!isTryable(endpoint, context.grant)) throw notYours();
        const sent = sentOf(endpoint, context);
        const answer = await answerAs(deps, route, context, sent);
        const { request, signedIn } = context;
        return show(request, { path: endpointPath(endpoint), answer: answerPart(answer, sent), signedIn });
      },
    });
    return [atAccountHost(deps, page)];
  });
}

/** What a passkey signs. */
const orderOf = ({ method, path }: Endpoint, body: string): string => `${method} ${path} ${body}`;

type Sent = { readonly query: Readonly<Record<string, string>>; readonly body: string };

/** An empty field is left out, as a program would. */
function sentOf(endpoint: Endpoint, { request, form }: MemberContext): Sent {
  const names = parametersOf(endpoint).map(({ name }) => name);
  const given = names.map((name): [string, string] => [name, String(request.query[name] ?? '')]);
  return {
    query: Object.fromEntries(given.filter(([, value]) => value !== '')),
    body: form.get('body') ?? '',
  };
}

async function answerAs(
  deps: TryDeps,
  route: ApiRoute<Merchant>,
  { request, form, merchant, signedIn, db }: MemberContext,
  { query, body }: Sent,
): Promise<Answer> {
  const { endpoint } = route;
  const caller: Caller<Merchant> = {
    merchant,
    actor: personActor(signedIn.person.id),
    method: 'digest',
    signature: null,
    may: mayAsPerson(signedIn.grant),
    hold: (tx) => demandSession(tx, signedIn),
  };
  const { address, crowd, requestId, log } = request;
  const search = new URLSearchParams(query).toString();
  const asked = {
    method: endpoint.method,
    path: endpoint.path,
    search: search === '' ? '' : `?${search}`,
    query,
    headers: endpoint.method === 'GET' ? {} : { 'idempotency-key': form.get('form') ?? '' },
    rawBody: Buffer.from(body),
    address,
    crowd,
    requestId,
  };
  try {
    demandNoWebhook(body);
    return await answerKnownCaller({ ...deps, db, log }, route, asked, caller);
  } catch (error) {
    return renderError(error, log);
  }
}

/** Events are signed by the key that asked for what they are about, and a person has none. */
function demandNoWebhook(body: string): void {
  const sent: unknown = body === '' ? {} : parseJson(Buffer.from(body));
  if (typeof sent === 'object' && sent !== null && 'webhook' in sent)
    throw invalidRequest(
      'webhook must be left out here: events are signed by an API key, and this is sent by a person.',
    );
}

/** The example, without what only a program can ask for. */
const bodyToTry = ({ body = {} }: Example): string => {
  const { webhook: _webhook, ...rest } = body;
  return JSON.stringify(rest, null, 2);
};

/** A file is fetched by a program: here stands that it is there. */
function answerPart({ status, body, file }: Answer, sent: Sent): Html {
  file?.destroy();
  const shown = file ? 'A file.' : prettyJson(body);
  const again = sent.body === '' ? JSON.stringify(sent.query) : sent.body;
  return html`<div class="tried" id="tried" data-sent="${again}"><p role="status"><b>Answered ${status}</b>${status === 200 ? '' : ': nothing was done.'}</p><pre class="code" tabindex="0" role="group" aria-label="Answer"><code>${shown}</code></pre></div>`;
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The form of an endpoint, or how to get to it; null: this page has none. */
export function trySection(
  deps: TryDeps,
  shown: {
    readonly request: PageContext;
    readonly reader: ManualReader;
    readonly path: string;
    readonly answer: Html | null;
  },
): Html | null {
  const endpoint = findEndpoint(shown.path.replace(/^.*\//, ''));
  if (!deps.isSandbox || endpoint === undefined || shown.path !== endpointPath(endpoint)) return null;
  return html`<section class="try"><h2 id="try">Try it</h2>
${tryContent(deps, endpoint, shown)}</section>`;
}

function tryContent(
  deps: TryDeps,
  endpoint: Endpoint,
  { request, reader, path, answer }: Parameters<typeof trySection>[1],
): Html {
  const may = personPermission(endpoint);
  if (may === null) return html`<p>Anybody may ask: <a href="/api/v1${endpoint.path}">open it</a>.</p>`;
  const { signedIn } = reader;
  if (!signedIn)
    return html`<p><a href="${signInAt(deps.accountUrl, path)}">Sign in to an account</a>, and send it from here.</p>`;
  const grant = signedIn.grant(may);
  if (!isTryable(endpoint, grant))
    return html`<p>Your role in ${signedIn.merchant?.name ?? 'this account'} does not send this from here.</p>`;
  const look = lookOf(deps, request, signedIn);
  const example = readExamples().operations[endpoint.id] ?? { reply: null };
  if (endpoint.method === 'GET')
    return html`<form class="form" method="get" action="${tryPath(endpoint)}#tried">${queryFields(endpoint, example, request)}
<button class="btn primary">Send ${endpoint.method} ${endpoint.path}</button></form>${answer}`;
  const isProven = grant === 'proof';
  const isSigned = isProven && endpoint.isMoneyMoving === true;
  const mark = isSigned ? signing(look) : isProven && proving(look);
  const proof = isSigned ? orderProof(look) : isProven && proofField(look);
  const typed = new URLSearchParams(request.method === 'POST' ? request.rawBody.toString() : '').get('body');
  const body = typed ?? bodyToTry(example);
  return html`<p>It is done in ${signedIn.merchant?.name ?? 'your account'}, in your name. Ids of the example are not yours: put in your own.</p>
<form class="form" method="post" action="${tryPath(endpoint)}#tried"${mark}>${accountField(look)}${proof}
<div class="field"><label for="try-body">Body</label><textarea class="input mono" id="try-body" name="body" rows="${Math.min(24, body.split('\n').length + 1)}" spellcheck="false">${body}</textarea></div>
<button class="btn primary">Send ${endpoint.method} ${endpoint.path}</button></form>${answer}`;
}

function queryFields(endpoint: Endpoint, { query = {} }: Example, request: PageContext): Html[] {
  const isTried = request.path.endsWith('/try');
  return parametersOf(endpoint).map(({ name, isRequired }) => {
    const value = isTried ? String(request.query[name] ?? '') : String(query[name] ?? '');
    return html`<div class="field"><label for="try-${name}">${name}</label><input class="input mono" id="try-${name}" name="${name}" value="${value}"${isRequired && html` required`}></div>`;
  });
}

const parametersOf = ({ query }: Endpoint): { readonly name: string; readonly isRequired: boolean }[] =>
  query === undefined ? [] : fieldsOf(query, 1).map(({ path, isRequired }) => ({ name: path, isRequired }));
