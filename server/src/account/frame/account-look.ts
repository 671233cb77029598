/** In which language and for whom a page of the account is written. */
import { randomBytes } from 'node:crypto';
import type { SignedInPerson } from '../../auth/authenticate-person.ts';
import type { PageContext } from '../../http/route.ts';
import type { AccountPermission } from '../../people/roles.ts';
import { browserLanguage } from '../../web/page-language.ts';
import type { SupportContact } from '../../web/support-contact.ts';
import { type AccountLanguage, type AccountSay, isAccountLanguage, sayInAccount } from '../texts/account-texts.ts';
import { keysCookie, readCookie, setUpCookie, themeCookie } from './account-cookies.ts';
import { safeNext } from './account-request.ts';

/** `auto`: as the device has it. */
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const themeOf = (text: string | null): Theme => themes.find((each) => each === text) ?? 'auto';

export type AccountLook = {
  readonly language: AccountLanguage;
  readonly say: AccountSay;
  readonly nonce: string;
  readonly files: { readonly stylesheet: string; readonly script: string };
  readonly isSandbox: boolean;
  readonly sandboxUrl: string | null;
  readonly sendsEmail: boolean;
  readonly isSignUpOpen: boolean;
  readonly supportContact: SupportContact | null;
  readonly path: string;
  /** The page on which a form was sent; null: nobody knows, or nothing was sent. */
  readonly cameFrom: string | null;
  /** The answer to a form: a browser shows it once, and may have to forget it. */
  readonly isAnswer: boolean;
  /** Whether single keys do something, such as `j` and `k` in a list. */
  readonly hasKeys: boolean;
  readonly now: Date;
  readonly theme: Theme;
  /** Walks through the set-up: pages offer the next step. */
  readonly isSettingUp: boolean;
  /** Null: nobody is signed in. */
  readonly signedIn: SignedInPerson | null;
  readonly may: (permission: AccountPermission) => boolean;
  /** How many things wait for this person; null: it was not counted. */
  readonly waiting: number | null;
};

/** As much of it as a file needs, which may be written when nobody is there. */
export type FileLook = Pick<AccountLook, 'say' | 'may' | 'language'>;

export function createAccountLook(
  deps: Pick<AccountLook, 'files' | 'isSandbox' | 'sandboxUrl' | 'sendsEmail' | 'isSignUpOpen' | 'supportContact'>,
  request: Pick<PageContext, 'method' | 'path' | 'headers'>,
  signedIn: SignedInPerson | null,
  now: Date,
): AccountLook {
  const { method, path, headers } = request;
  const wished = signedIn?.person.language ?? browserLanguage(headers['accept-language']);
  const language = isAccountLanguage(wished) ? wished : 'en';
  return {
    language,
    say: sayInAccount(language),
    nonce: randomBytes(16).toString('base64url'),
    files: deps.files,
    isSandbox: deps.isSandbox,
    sandboxUrl: deps.sandboxUrl,
    sendsEmail: deps.sendsEmail,
    isSignUpOpen: deps.isSignUpOpen,
    supportContact: deps.supportContact,
    path,
    cameFrom: method === 'POST' ? pageBefore(headers['referer']) : null,
    isAnswer: method === 'POST',
    hasKeys: readCookie(request, keysCookie) !== 'off',
    now,
    theme: themeOf(readCookie(request, themeCookie)),
    isSettingUp: readCookie(request, setUpCookie) === 'on',
    signedIn,
    may: (permission) => signedIn !== null && signedIn.grant(permission) !== 'no',
    waiting: null,
  };
}

/** As the browser says it. Wherever that is, only a page of ours is led back to. */
function pageBefore(referer: PageContext['headers'][string]): string | null {
  const before = typeof referer === 'string' ? URL.parse(referer) : null;
  return before && safeNext(`${before.pathname}${before.search}`);
}
