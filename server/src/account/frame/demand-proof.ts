/**
 * The proof that a change needs. Being who one is: a proof that is fresh, or that comes with the form. An order, which
 * moves money: a passkey's signature of that very order, or a code of an app where the route says that it suffices and
 * the person has no passkey. A password never moves money.
 */
import type { PageContext } from '../../http/route.ts';
import { Secret } from '../../lib/secret.ts';
import { askForPasskey, checkPasskey } from '../../people/passkey-ceremony.ts';
import type { Person } from '../../people/person.ts';
import { isFresh, type Session } from '../../people/session.ts';
import { anyCode, proveSession, type SignInDeps, showCode, showPassword } from '../../people/sign-in.ts';
import { proofNeeded, readAnswer, visitorOf } from './account-request.ts';

/** How this very change was proven, for the audit log; and the new token of the session, where there is one. */
export type Proven = { readonly proof: string | null; readonly token: string | null };

export const nothingProven: Proven = { proof: null, token: null };

export type ProofDemand = {
  readonly request: PageContext;
  readonly form: URLSearchParams;
  readonly session: Session;
  readonly person: Person;
  /** What is about to be done, as the passkey signs it; null: no order. */
  readonly order: string | null;
  /** A code of an app is enough for this order. */
  readonly codeSuffices: boolean;
  /** Who has nothing to sign in with yet sets up the first thing: the session is all there is. */
  readonly isFirstSetUp: boolean;
};

const expectedOf = ({ order, person }: ProofDemand) =>
  order === null
    ? { purpose: 'prove' as const, personId: person.id }
    : { purpose: 'order' as const, personId: person.id, order };

/** What the browser's passkey shall sign, for the form as it is filled in. */
export const askForProof = (deps: SignInDeps, demand: ProofDemand) => askForPasskey(deps, expectedOf(demand));

export async function demandProof(deps: SignInDeps, demand: ProofDemand): Promise<Proven> {
  const { form, session, person, order } = demand;
  const answered = form.get('proof') ?? '';
  if (answered !== '') return provenByPasskey(deps, demand, answered);
  const code = form.get('code') ?? '';
  if (code !== '' && person.passkeys === 0) return provenByCode(deps, demand, code);
  if (order !== null) throw proofNeeded();
  const password = form.get('current-password') ?? '';
  if (password !== '' && hasOnlyPassword(person)) {
    const token = await showPassword(
      deps,
      session,
      person,
      new Secret(password),
      visitorOf(demand.request, deps.accountUrl),
    );
    return { proof: 'password', token };
  }
  if (isFresh(session, deps.clock.now())) return { proof: `${session.provedHow}, not long ago`, token: null };
  if (demand.isFirstSetUp && hasNothing(person)) return { proof: session.provedHow, token: null };
  throw proofNeeded();
}

const hasNothing = ({ hasPassword, hasTotp, passkeys }: Person): boolean => !hasPassword && !hasTotp && passkeys === 0;

export const hasOnlyPassword = ({ hasPassword, hasTotp, passkeys }: Person): boolean =>
  hasPassword && !hasTotp && passkeys === 0;

async function provenByPasskey(deps: SignInDeps, demand: ProofDemand, answered: string): Promise<Proven> {
  const { session, order } = demand;
  const answer = readAnswer(answered);
  const { passkeyId, token } = await deps.db.begin(async (tx) => ({
    ...(await checkPasskey(deps, tx, answer, expectedOf(demand))),
    token: await proveSession(deps, tx, session.id, 'passkey'),
  }));
  return { proof: `passkey ${passkeyId}${order === null ? '' : ` signed: ${order}`}`, token };
}

async function provenByCode(deps: SignInDeps, demand: ProofDemand, code: string): Promise<Proven> {
  const { session, order, codeSuffices, request } = demand;
  if (order !== null && !codeSuffices) throw proofNeeded();
  // A printed code opens the account to somebody who lost everything. It signs no order.
  const kinds = order === null ? anyCode : (['totp'] as const);
  const { token, how } = await showCode(deps, session, { code, kinds }, visitorOf(request, deps.accountUrl));
  return { proof: how, token };
}
