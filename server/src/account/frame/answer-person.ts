/**
 * What every request of a person goes through, to the account and to the operator's area alike: whose browser it is, whether
 * a form comes from our own pages, whether this person is let in, the proof that a change needs, the trail in the audit log.
 * Who is let in and what must be proven is for the two ways in to say: `account-route` and `operator/operator-route`.
 */
import { authenticatePerson, type SignedInPerson } from '../../auth/authenticate-person.ts';
import type { PageContext, PageCost, PageReply } from '../../http/route.ts';
import { leavingTrail } from '../../http/trail.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { SignInDeps } from '../../people/sign-in.ts';
import type { Html } from '../../web/html.ts';
import { cookieNames, readCookie } from './account-cookies.ts';
import { problemReply } from './account-layout.ts';
import { type AccountLook, createAccountLook } from './account-look.ts';
import { forged, isOurOwn, json, readForm, redirect, sessionCookie, signInFirst } from './account-request.ts';
import { askForProof, demandProof, nothingProven, type ProofDemand, type Proven } from './demand-proof.ts';

export type PersonDeps = SignInDeps & Parameters<typeof createAccountLook>[0];

export type Visit<Look> = {
  readonly request: PageContext;
  readonly look: Look;
  readonly form: URLSearchParams;
  /** Where the route takes files: those that were chosen, by their fields. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly fileNames: ReadonlyMap<string, string>;
  readonly now: Date;
  /** Null: nobody is signed in. */
  readonly signedIn: SignedInPerson | null;
};

export type Admitted<Context> = { readonly context: Context } | { readonly refusal: PageReply };

/** What is asked of who is let in. */
export type Proof = Pick<ProofDemand, 'order' | 'codeSuffices' | 'isFirstSetUp'>;

export type PersonDoor<Look extends AccountLook, Context> = {
  readonly method: 'GET' | 'POST';
  readonly cost: PageCost | undefined;
  look(look: AccountLook): Promise<Look> | Look;
  /** Throws what a page says. */
  admit(visit: Visit<Look>): Promise<Admitted<Context>>;
  /** Where this very form led when it was sent before; null: it was not. */
  placeBefore(context: Context): Promise<string | null>;
  /** Of a form. Null: being signed in is enough. */
  proofFor(context: Context): Promise<Proof | null>;
  handle(context: Context): Promise<PageReply>;
  problem(look: Look, error: GatewayError): Html;
};

export function answerPerson<Look extends AccountLook, Context>(deps: PersonDeps, door: PersonDoor<Look, Context>) {
  const { method } = door;
  const { origin } = new URL(deps.accountUrl);

  return async function answer(request: PageContext): Promise<PageReply> {
    const now = deps.clock.now();
    const token = readCookie(request, cookieNames(deps.accountUrl).session);
    // What an open page fetches by itself is no use of it: whoever left hours ago is signed out all the same.
    const isUse = door.cost !== 'news' && request.headers['x-refresh'] === undefined;
    const signedIn = (token === null ? undefined : await authenticatePerson(deps.db, token, now, { isUse })) ?? null;
    const look = await door.look(createAccountLook(deps, request, signedIn, now));
    let proven = nothingProven;
    try {
      if (method === 'POST' && !isOurOwn(request, origin)) throw forged();
      const { form, files, fileNames } = await readForm(request);
      const admitted = await door.admit({ request, look, form, files, fileNames, now, signedIn });
      if ('refusal' in admitted) return admitted.refusal;
      const { context } = admitted;
      if (!signedIn) return await door.handle(context);
      const before = await door.placeBefore(context);
      if (before !== null) return redirect(before);
      const proof = method === 'POST' ? await door.proofFor(context) : null;
      if (proof !== null) {
        const { session, person } = signedIn;
        const demand = { request, form, session, person, ...proof };
        if (request.headers['x-ask'] === 'passkey') return json(await askForProof(deps, demand));
        proven = await demandProof(deps, demand);
      }
      const trail = { sessionId: signedIn.session.id, address: request.address, proof: proven.proof };
      return withToken(await leavingTrail(trail, async () => door.handle(context)), proven);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // The proof was good and gave the session a new token, whatever became of the rest.
      return withToken(problemReply(look, error, door.problem(look, error)), proven);
    }
  };

  function withToken(reply: PageReply, { token }: Proven): PageReply {
    if (token === null || reply.headers?.['set-cookie'] !== undefined) return reply;
    return { ...reply, headers: { ...reply.headers, ...sessionCookie(deps.accountUrl, token) } };
  }
}

/** Who is not, or not wholly, signed in is led to the next step. */
export function whoIsIn(
  { signedIn, request }: Pick<Visit<unknown>, 'signedIn' | 'request'>,
  { isNews, isHalfwayEnough }: { readonly isNews: boolean; readonly isHalfwayEnough: boolean },
): { readonly signedIn: SignedInPerson } | { readonly refusal: PageReply } {
  // News are for a script, which could do nothing with a page.
  if (!signedIn) return { refusal: isNews ? signedOut : signInFirst(request) };
  if (isHalfwayEnough || signedIn.standing === 'in') return { signedIn };
  return { refusal: redirect(signedIn.standing === 'code' ? '/account/sign-in/code' : '/account/sign-in/secure') };
}

const signedOut: PageReply = { status: 401, headers: { 'cache-control': 'no-store' } };
