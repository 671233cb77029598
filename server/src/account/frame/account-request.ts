/** What comes with a request of the account, as far as it can be believed, and the short answers to it. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Tx } from '../../db/database.ts';
import { isStorable } from '../../http/parse-json.ts';
import type { PageContext, PageReply } from '../../http/route.ts';
import { GatewayError } from '../../lib/errors.ts';
import { notYours } from '../../people/people-errors.ts';
import { hashOf, type Session } from '../../people/session.ts';
import { holdSession } from '../../people/session-store.ts';
import type { Visitor } from '../../people/sign-in.ts';
import { cookieNames, readCookie, setCookie } from './account-cookies.ts';

export const sessionCookie = (accountUrl: string, token: string): Record<string, string> =>
  setCookie(accountUrl, cookieNames(accountUrl).session, token);

/** `knownBy`: the browser names itself, by what the page to sign in gave it. */
export const visitorOf = (request: PageContext, accountUrl: string): Visitor => {
  const token = readCookie(request, cookieNames(accountUrl).browser);
  const knownBy = token === null ? null : hashOf(token);
  return { address: request.address, browser: String(request.headers['user-agent'] ?? ''), knownBy };
};

export const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): PageReply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...headers },
});

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): PageReply => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
});

const anywhere = 'https://account.invalid';

/** Where somebody wanted to go, for after the sign-in. Only ever a page for people, also after `..` and its like. */
export function safeNext(next: string | null): string {
  if (next === null || !/^\/(?:account|operator|docs)(?:[/?][\w./?=&%+~:-]*)?$/.test(next) || next.includes('//'))
    return '/account';
  const { origin, pathname, search } = new URL(next, anywhere);
  const isOurs = origin === anywhere && /^\/(?:account|operator|docs)(?:\/|$)/.test(pathname);
  return isOurs ? `${pathname}${search}` : '/account';
}

export const askedFor = ({ path, query }: PageContext): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs).toString()}` : path;
};

export const signInFirst = (request: PageContext): PageReply => {
  const next = request.method === 'GET' ? safeNext(askedFor(request)) : '/account';
  return redirect(next === '/account' ? '/account/sign-in' : `/account/sign-in?next=${encodeURIComponent(next)}`);
};

/** Every browser says where a form comes from; who says nothing is none. */
export function isOurOwn({ headers }: PageContext, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers['origin'] === origin;
}

export type ReadForm = {
  readonly form: URLSearchParams;
  /** What was chosen to be uploaded, by the names of the fields. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** What each is called where it comes from. */
  readonly fileNames: ReadonlyMap<string, string>;
};

/** None of our forms has as many. What was sent is shown again where a proof is asked for, and a quarter of a megabyte could be 80,000. */
const fieldsMost = 1_000;

/** Also what stands in the path is good enough to be looked for. */
export async function readForm(request: PageContext): Promise<ReadForm> {
  const read = isWithFiles(request)
    ? await readMultipart(request)
    : { form: readFields(request), files: new Map(), fileNames: new Map() };
  if (read.form.size > fieldsMost) throw unreadable();
  const given = [...read.form.values(), ...read.fileNames.values(), ...Object.values(request.params)];
  if (!given.every(isStorable)) throw unreadable();
  return read;
}

const readFields = ({ rawBody, method }: PageContext): URLSearchParams =>
  new URLSearchParams(method === 'POST' ? rawBody.toString('utf8') : '');

const isWithFiles = ({ method, headers }: PageContext): boolean =>
  method === 'POST' && /^multipart\/form-data\b/i.test(headers['content-type']?.toString() ?? '');

/** By the reader that Node has for answers of others. A field in which no file was chosen comes as an empty one without a name. */
async function readMultipart({ rawBody, headers }: PageContext): Promise<ReadForm> {
  const sent = new Response(new Uint8Array(rawBody), { headers: { 'content-type': String(headers['content-type']) } });
  const fields = await sent.formData().catch(() => {
    throw unreadable();
  });
  const [form, files] = [new URLSearchParams(), new Map<string, Buffer>()];
  const fileNames = new Map<string, string>();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else {
      if (value.size > 0) files.set(name, Buffer.from(await value.arrayBuffer()));
      if (value.name !== '') fileNames.set(name, value.name);
    }
  }
  return { form, files, fileNames };
}

/** What a browser says that a passkey answered. Whether it is true is for the ceremony to find out. */
export function readAnswer(text: string): AuthenticationResponseJSON & RegistrationResponseJSON {
  try {
    const answer: { id?: unknown } | null = JSON.parse(text);
    if (typeof answer?.id === 'string') return answer as AuthenticationResponseJSON & RegistrationResponseJSON;
  } catch {
    // Answered below.
  }
  throw unreadable();
}

const failure = (httpStatus: number, code: string, message: string): GatewayError =>
  new GatewayError({ code, httpStatus, message });

export const forged = () => failure(403, 'forged', 'This form was not sent from this site.');
export const unreadable = () => failure(400, 'unreadable', 'The form could not be read.');
export const otherAccount = () =>
  failure(409, 'other_account', 'In the meantime you chose another account in this browser. Nothing was changed.');
export const onlyLooking = () =>
  failure(403, 'only_looking', 'You only look at this account: what its people do, nobody does in their place.');
export const notFromHere = (address: string) =>
  failure(403, 'not_from_here', `This account is not reachable from ${address}, which is not on its list.`);
export const proofNeeded = () => failure(403, 'proof_needed', 'Prove that it is you, and send the form once more.');

/** Whoever was signed out, put out or given another role while a request was under way does nothing by it any more. */
export async function demandSession(
  tx: Tx,
  { session }: { readonly session: Pick<Session, 'id' | 'notFor'> },
): Promise<void> {
  if (!(await holdSession(tx, session))) throw notYours();
}
