/**
 * The only way into the account. A route names the permission that it needs, or says that it is for everybody who is
 * signed in, or for anybody; without that it does not compile. What changes something must come from our own pages, and
 * be meant for the account that is looked at. What the role allows only after a proof needs one (`demand-proof`).
 */
import { authenticatePerson, type SignedInPerson } from '../auth/authenticate-person.ts';
import type { Db, Query } from '../db/database.ts';
import { needKindsFor } from '../finding/need-kinds.ts';
import { isInRanges, parseRange } from '../http/client-address.ts';
import { usualBodyBytes } from '../http/read-body.ts';
import { type PageContext, type PageCost, type PageReply, type PageRoute, pageRoute } from '../http/route.ts';
import { leavingTrail } from '../http/trail.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { listAllowedAddresses } from '../merchants/merchant-store.ts';
import { notYours } from '../people/people-errors.ts';
import type { AccountPermission, Grant, Role } from '../people/roles.ts';
import type { SignInDeps } from '../people/sign-in.ts';
import { cookieNames, readCookie } from './account-cookies.ts';
import { problemPage, problemReply } from './account-layout.ts';
import { type AccountLook, createAccountLook } from './account-look.ts';
import type { AccountNews } from './account-news.ts';
import {
  forged,
  isOurOwn,
  json,
  notFromHere,
  otherAccount,
  readForm,
  redirect,
  sessionCookie,
  signInFirst,
} from './account-request.ts';
import { askForProof, demandProof, nothingProven, type ProofDemand, type Proven } from './demand-proof.ts';
import { heldBySession } from './in-session.ts';
import type { NeedCounts } from './need-counts.ts';
import { orderInAccount } from './order-words.ts';
import { placeOfForm, type SendOnce, sendOnce } from './send-once.ts';

export type AccountDeps = SignInDeps & {
  readonly files: { readonly stylesheet: string; readonly script: string; readonly styleguide: string };
  readonly isSandbox: boolean;
  readonly sandboxUrl: string | null;
  /** Where programs call the API. */
  readonly publicUrl: string;
  readonly sendsEmail: boolean;
  /** People ask for accounts of their own. */
  readonly isSignUpOpen: boolean;
  readonly needCounts: NeedCounts;
  readonly news: AccountNews;
};

export type VisitorContext = {
  readonly request: PageContext;
  readonly look: AccountLook;
  readonly form: URLSearchParams;
  /** Where the route takes files: those that were chosen, by their fields. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly now: Date;
  /** Null: nobody is signed in. */
  readonly signedIn: SignedInPerson | null;
};

export type PersonContext = VisitorContext & { readonly signedIn: SignedInPerson };

export type MemberContext = PersonContext & {
  readonly merchant: Merchant;
  readonly role: Role;
  readonly grant: Grant;
  /** Does what the form asks for, once, however often it is sent. */
  readonly once: SendOnce;
  /** In whose transactions nothing is changed by who was signed out meanwhile. */
  readonly db: Db;
};

/** `anybody`: also who is not signed in. `halfway`: signed in, a second factor may be missing. `person`: all of it. */
export type Access = 'anybody' | 'halfway' | 'person' | { readonly may: AccountPermission };

type ContextOf<A extends Access> = A extends 'anybody'
  ? VisitorContext
  : A extends 'halfway' | 'person'
    ? PersonContext
    : MemberContext;

/** `unlessFirst`: not of who has nothing to sign in with yet. */
type OwnProof = boolean | 'unlessFirst';

export type AccountRouteDefinition<A extends Access> = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: A;
  /** What is about to be done, in words and numbers that a passkey signs. Left out: being who one is suffices. */
  readonly order?: (context: ContextOf<A>) => Promise<string> | string;
  /** For who has no passkey, a code of an app is enough for this order. Left out: never. */
  readonly codeSuffices?: (context: ContextOf<A>) => Promise<boolean> | boolean;
  /** Left out: a page, or a form if it is posted. */
  readonly cost?: PageCost;
  /** The handler goes through `once`: a form that is sent again, leads to where it led. Also with a used proof. */
  readonly isOnce?: boolean;
  /** The form has files. Who is not signed in can send no more than to every other page. */
  readonly takesFiles?: boolean;
  /** The own sign-in, which no role is about. */
  readonly needsProof?: OwnProof;
  /** Of what the form would change, some needs a proof though the role does not. Left out: the role decides. */
  readonly needsProofFor?: (context: ContextOf<A>) => boolean;
  readonly handle: (context: ContextOf<A>) => Promise<PageReply> | PageReply;
};

export type AccountRoute = PageRoute & {
  readonly access: Access;
  readonly needsProof: OwnProof;
  readonly isOrder: boolean;
};

export function createAccountRoutes(deps: AccountDeps) {
  const { origin } = new URL(deps.accountUrl);

  return function accountRoute<const A extends Access>(definition: AccountRouteDefinition<A>): AccountRoute {
    const { method, path, access, needsProof = false, cost, takesFiles = false } = definition;
    const page = pageRoute({
      methods: [method],
      path,
      handle: answer,
      ...(cost && { cost }),
      ...(takesFiles && { bodyBytesMax }),
    });
    return { ...page, access, needsProof, isOrder: definition.order !== undefined };

    async function bodyBytesMax(headers: PageContext['headers']): Promise<number> {
      const token = readCookie({ headers }, cookieNames(deps.accountUrl).session);
      const person = token && (await authenticatePerson(deps.db, token, deps.clock.now(), { isUse: false }));
      return person ? filesBytesMax + usualBodyBytes : usualBodyBytes;
    }

    async function answer(request: PageContext): Promise<PageReply> {
      const now = deps.clock.now();
      const token = readCookie(request, cookieNames(deps.accountUrl).session);
      // What an open page fetches by itself is no use of it: whoever left hours ago is signed out all the same.
      const isUse = cost !== 'news' && request.headers['x-refresh'] === undefined;
      const signedIn = (token === null ? undefined : await authenticatePerson(deps.db, token, now, { isUse })) ?? null;
      const look = await counted(createAccountLook(deps, request, signedIn, now));
      let proven = nothingProven;
      try {
        if (method === 'POST' && !isOurOwn(request, origin)) throw forged();
        const { form, files } = await readForm(request);
        const admitted = admit({ request, look, form, files, now, signedIn });
        if ('refusal' in admitted) return admitted.refusal;
        const { context } = admitted;
        if ('grant' in context) await demandAllowedAddress(deps.db, context.merchant, request.address);
        if (!signedIn) return await definition.handle(context);
        const before = definition.isOnce && 'merchant' in context ? await placeOfForm(deps.db, context) : null;
        if (before !== null) return redirect(before);
        if (isProofNeeded(context)) {
          const demand = await demandOf(context, signedIn);
          if (request.headers['x-ask'] === 'passkey') return json(await askForProof(deps, demand));
          proven = await demandProof(deps, demand);
        }
        const trail = { sessionId: signedIn.session.id, address: request.address, proof: proven.proof };
        const reply = await leavingTrail(trail, async () => definition.handle(context));
        if (method === 'POST' && signedIn.merchant) deps.needCounts.forget(signedIn.merchant.id);
        return withToken(reply, proven);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        // The proof was good and gave the session a new token, whatever became of the rest.
        return withToken(problemReply(look, error, problemPage(look, error)), proven);
      }
    }

    /** Pages have a menu, and in it how many things wait. */
    async function counted(look: AccountLook): Promise<AccountLook> {
      const { signedIn } = look;
      const hasMenu = method === 'GET' && cost === undefined && signedIn?.standing === 'in';
      if (!hasMenu || !signedIn.merchant) return look;
      const kinds = needKindsFor(look.may);
      return { ...look, waiting: await deps.needCounts.of(signedIn.merchant.id, kinds, signedIn.person.id) };
    }

    function admit(visitor: VisitorContext): { readonly context: ContextOf<A> } | { readonly refusal: PageReply } {
      const { signedIn, request, form } = visitor;
      if (access === 'anybody') return { context: visitor as ContextOf<A> };
      // News are for a script, which could do nothing with a page.
      if (!signedIn) return { refusal: cost === 'news' ? signedOut : signInFirst(request) };
      if (access !== 'halfway' && signedIn.standing !== 'in')
        return {
          refusal: redirect(signedIn.standing === 'code' ? '/account/sign-in/code' : '/account/sign-in/secure'),
        };
      const person: PersonContext = { ...visitor, signedIn };
      if (typeof access === 'string') return { context: person as ContextOf<A> };
      const { merchant, role } = signedIn;
      if (!merchant || !role) return { refusal: redirect('/account/no-account') };
      // Another tab may have chosen another account since this page was made.
      if (method === 'POST' && form.get('account') !== merchant.id) throw otherAccount();
      const grant = signedIn.grant(access.may);
      if (grant === 'no') throw notYours();
      const member: MemberContext = {
        ...person,
        merchant,
        role,
        grant,
        once: sendOnce(deps.db, { ...person, merchant }),
        db: heldBySession(deps.db, signedIn),
      };
      return { context: member as ContextOf<A> };
    }

    function isProofNeeded(context: ContextOf<A>): boolean {
      if (method !== 'POST') return false;
      if (needsProof !== false || definition.needsProofFor?.(context) === true) return true;
      return 'grant' in context && proofGrants.has(context.grant);
    }

    async function demandOf(context: ContextOf<A>, { session, person }: SignedInPerson): Promise<ProofDemand> {
      return {
        request: context.request,
        form: context.form,
        session,
        person,
        order: definition.order ? orderIn(context, await definition.order(context)) : null,
        codeSuffices: definition.codeSuffices ? await definition.codeSuffices(context) : false,
        isFirstSetUp: needsProof === 'unlessFirst',
      };
    }

    /** What is signed for one account is worth nothing in another. */
    function orderIn(context: ContextOf<A>, order: string): string {
      return 'merchant' in context ? orderInAccount(order, context.merchant) : order;
    }

    function withToken(reply: PageReply, { token }: Proven): PageReply {
      if (token === null || reply.headers?.['set-cookie'] !== undefined) return reply;
      return { ...reply, headers: { ...reply.headers, ...sessionCookie(deps.accountUrl, token) } };
    }
  };
}

/** An account may let people in only from the addresses of its list, as it does with keys. */
async function demandAllowedAddress(query: Query, merchant: Merchant, address: string): Promise<void> {
  if (!merchant.isAddressListForPeople) return;
  const allowed = await listAllowedAddresses(query, merchant.id);
  const ranges = allowed.map(({ range }) => parseRange(range));
  if (!isInRanges(address, ranges)) throw notFromHere(address);
}

/** Of all files of a form together. */
export const filesBytesMax = 10 * 1024 * 1024;

const signedOut: PageReply = { status: 401, headers: { 'cache-control': 'no-store' } };

const proofGrants = new Set<Grant>(['proof', 'smallProof', 'second']);
