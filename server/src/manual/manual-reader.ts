/** Who reads the manual, as far as a page differs for them: somebody signed in to an account finds their own key in it. */
import { cookieNames, readCookie, themeCookie } from '../account/frame/account-cookies.ts';
import { type AccountLook, createAccountLook, themeOf } from '../account/frame/account-look.ts';
import { type AccountDeps, isAllowedAddress } from '../account/frame/account-route.ts';
import { authenticatePerson, type SignedInPerson } from '../auth/authenticate-person.ts';
import type { PageContext } from '../http/route.ts';
import { listKeys } from '../merchants/api-key-store.ts';
import { manualBase, manualKey } from './example-requests.ts';

export type ManualReader = {
  /** Null: nobody, or not wholly signed in, or in no account. */
  readonly signedIn: SignedInPerson | null;
  /** Of the chosen account, the newest that works; null: none, or not for this role to see. Never its secret. */
  readonly apiKey: string | null;
  readonly theme: AccountLook['theme'];
};

/** `known`: who the account has let in already; a proof may have changed what the browser will say of itself. */
export async function readerOf(
  deps: AccountDeps,
  request: PageContext,
  known: SignedInPerson | null = null,
): Promise<ManualReader> {
  const theme = themeOf(readCookie(request, themeCookie));
  const signedIn = known ?? (await personOf(deps, request));
  if (!signedIn?.merchant) return { signedIn: null, apiKey: null, theme };
  const keys = signedIn.grant('chargeKeys') === 'no' ? [] : await listKeys(deps.db, signedIn.merchant.id);
  const works = keys.filter(({ revokedAt }) => revokedAt === null);
  const newest = works.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
  return { signedIn, apiKey: newest?.apiKey ?? null, theme };
}

/** Reading is no use of a session: who left hours ago is signed out all the same. */
async function personOf(deps: AccountDeps, request: PageContext): Promise<SignedInPerson | null> {
  const token = readCookie(request, cookieNames(deps.accountUrl).session);
  if (token === null) return null;
  const found = await authenticatePerson(deps.db, token, deps.clock.now(), { isUse: false });
  if (!found?.merchant || found.standing !== 'in' || found.isLooking) return null;
  return (await isAllowedAddress(deps.db, found.merchant, request.address)) ? found : null;
}

/** As pages of the account look to this person: for their forms. */
export const lookOf = (deps: AccountDeps, request: PageContext, signedIn: SignedInPerson): AccountLook =>
  createAccountLook(deps, request, signedIn, deps.clock.now());

/** The base URL everywhere, the key where code is. */
export function forReader(markdown: string, publicUrl: string, apiKey: string | null): string {
  const addressed = markdown.replaceAll(manualBase, publicUrl);
  return apiKey === null
    ? addressed
    : addressed.replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(manualKey, apiKey));
}
