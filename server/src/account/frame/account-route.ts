/**
 * The only way into the account. A route names the permission that it needs, or says that it is for everybody who is
 * signed in, or for anybody; without that it does not compile. What changes something must come from our own pages, and
 * be meant for the account that is looked at. What the role allows only after a proof needs one (`demand-proof`).
 */
import { authenticatePerson, type SignedInPerson } from '../../auth/authenticate-person.ts';
import { demandFormWorks } from '../../auth/suspended.ts';
import type { Db, Query } from '../../db/database.ts';
import { needKindsFor } from '../../finding/need-kinds.ts';
import { isInRanges, parseRange } from '../../http/client-address.ts';
import { usualBodyBytes } from '../../http/read-body.ts';
import { type PageContext, type PageCost, type PageReply, type PageRoute, pageRoute } from '../../http/route.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { listAllowedAddresses } from '../../merchants/merchant-store.ts';
import { notYours } from '../../people/people-errors.ts';
import type { AccountPermission, Grant, Role } from '../../people/roles.ts';
import type { SignInDeps } from '../../people/sign-in.ts';
import type { SupportContact } from '../../web/support-contact.ts';
import type { NeedCounts } from '../home/need-counts.ts';
import { orderInAccount } from '../money/order-words.ts';
import { cookieNames, readCookie } from './account-cookies.ts';
import { problemPage } from './account-layout.ts';
import type { AccountLook } from './account-look.ts';
import type { AccountNews } from './account-news.ts';
import { notFromHere, onlyLooking, otherAccount, redirect } from './account-request.ts';
import { type Admitted, answerPerson, type Proof, type Visit, whoIsIn } from './answer-person.ts';
import { heldBySession } from './in-session.ts';
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
  /** Whom people ask for help; null: nobody is named. */
  readonly supportContact: SupportContact | null;
  readonly needCounts: NeedCounts;
  readonly news: AccountNews;
};

export type VisitorContext = Visit<AccountLook>;

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
  /**
   * It only takes something away from whoever might misuse it, or takes back what would leave: people of a suspended
   * account may do it, too.
   */
  readonly isProtective?: boolean;
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
  readonly isProtective: boolean;
};

export function createAccountRoutes(deps: AccountDeps) {
  return function accountRoute<const A extends Access>(definition: AccountRouteDefinition<A>): AccountRoute {
    const { method, path, access, needsProof = false, cost, takesFiles = false, isProtective = false } = definition;
    const answer = answerPerson<AccountLook, ContextOf<A>>(deps, {
      method,
      cost,
      look: counted,
      admit,
      placeBefore: async (context) => (definition.isOnce && 'merchant' in context ? placeOfForm(deps, context) : null),
      proofFor,
      handle,
      problem: problemPage,
    });
    const page = pageRoute({
      methods: [method],
      path,
      handle: answer,
      ...(cost && { cost }),
      ...(takesFiles && { bodyBytesMax: bodyBytesWith(deps, filesBytesMax, () => true) }),
    });
    return { ...page, access, needsProof, isOrder: definition.order !== undefined, isProtective };

    /** Pages have a menu, and in it how many things wait. */
    async function counted(look: AccountLook): Promise<AccountLook> {
      const { signedIn } = look;
      const hasMenu = method === 'GET' && cost === undefined && signedIn?.standing === 'in';
      if (!hasMenu || !signedIn.merchant) return look;
      const kinds = needKindsFor(look.may);
      return { ...look, waiting: await deps.needCounts.of(signedIn.merchant.id, kinds, signedIn.person.id) };
    }

    async function admit(visitor: VisitorContext): Promise<Admitted<ContextOf<A>>> {
      const { request, form } = visitor;
      if (access === 'anybody') return { context: visitor as ContextOf<A> };
      const step = whoIsIn(visitor, { isNews: cost === 'news', isHalfwayEnough: access === 'halfway' });
      if ('refusal' in step) return step;
      const { signedIn } = step;
      const person: PersonContext = { ...visitor, signedIn };
      if (typeof access === 'string') return { context: person as ContextOf<A> };
      const { merchant, role } = signedIn;
      if (!merchant || !role) return { refusal: redirect(signedIn.staffRole ? '/operator' : '/account/no-account') };
      if (method === 'POST' && signedIn.isLooking) throw onlyLooking();
      // Another tab may have chosen another account since this page was made.
      if (method === 'POST' && form.get('account') !== merchant.id) throw otherAccount();
      const grant = signedIn.grant(access.may);
      if (grant === 'no') throw notYours();
      if (!signedIn.isLooking && !(await isAllowedAddress(deps.db, merchant, request.address)))
        throw notFromHere(request.address);
      if (method === 'POST') demandFormWorks(merchant, { permission: access.may, isProtective });
      const once = sendOnce(deps, { ...person, merchant });
      const db = heldBySession(deps.db, signedIn);
      const member: MemberContext = { ...person, merchant, role, grant, once, db };
      return { context: member as ContextOf<A> };
    }

    async function proofFor(context: ContextOf<A>): Promise<Proof | null> {
      const isRoleProven = 'grant' in context && proofGrants.has(context.grant);
      if (needsProof === false && !isRoleProven && definition.needsProofFor?.(context) !== true) return null;
      return {
        order: definition.order ? orderIn(context, await definition.order(context)) : null,
        codeSuffices: definition.codeSuffices ? await definition.codeSuffices(context) : false,
        isFirstSetUp: needsProof === 'unlessFirst',
      };
    }

    /** What is signed for one account is worth nothing in another. */
    function orderIn(context: ContextOf<A>, order: string): string {
      return 'merchant' in context ? orderInAccount(order, context.merchant) : order;
    }

    async function handle(context: ContextOf<A>): Promise<PageReply> {
      const reply = await definition.handle(context);
      const { signedIn } = context;
      if (method === 'POST' && signedIn?.merchant) deps.needCounts.forget(signedIn.merchant.id);
      return reply;
    }
  };
}

/** An account may let people in only from the addresses of its list, as it does with keys. */
export async function isAllowedAddress(query: Query, merchant: Merchant, address: string): Promise<boolean> {
  if (!merchant.isAddressListForPeople) return true;
  const allowed = await listAllowedAddresses(query, merchant.id);
  const ranges = allowed.map(({ range }) => parseRange(range));
  return isInRanges(address, ranges);
}

/** How much a form with files may be, asked before it is read: as much as any other, unless it is of somebody who may. */
export const bodyBytesWith =
  (deps: SignInDeps, bytesMax: number, may: (person: SignedInPerson) => boolean) =>
  async (headers: PageContext['headers']): Promise<number> => {
    const token = readCookie({ headers }, cookieNames(deps.accountUrl).session);
    const person = token && (await authenticatePerson(deps.db, token, deps.clock.now(), { isUse: false }));
    return person && may(person) ? bytesMax + usualBodyBytes : usualBodyBytes;
  };

/** Of all files of a form together. */
export const filesBytesMax = 10 * 1024 * 1024;

const proofGrants = new Set<Grant>(['proof', 'smallProof', 'second']);
