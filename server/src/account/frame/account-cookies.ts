/** The cookies of the account. */
import type { PageContext } from '../../http/route.ts';

/**
 * `__Host-` makes a browser refuse a cookie that another host or a page without TLS wants to plant. Without TLS, which
 * is the sandbox only, some browsers would refuse ours too.
 */
export const cookieNames = (accountUrl: string) => {
  const prefix = isSecure(accountUrl) ? '__Host-' : '';
  return { session: `${prefix}quittance-session`, browser: `${prefix}quittance-browser` };
};

const isSecure = (accountUrl: string): boolean => accountUrl.startsWith('https:');

export const setCookie = (accountUrl: string, name: string, value: string): Record<string, string> => ({
  'set-cookie': `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure(accountUrl) ? '; Secure' : ''}${value === '' ? '; Max-Age=0' : ''}`,
});

/** By which a browser is known again for a year. */
export const keptCookie = (accountUrl: string, name: string, value: string): Record<string, string> => ({
  'set-cookie': `${setCookie(accountUrl, name, value)['set-cookie']}; Max-Age=31536000`,
});

/** Nothing that anybody could use against anybody: it says whether pages are light or dark. */
export const themeCookie = 'quittance-theme';
/** Likewise: `off` where single keys do nothing. */
export const keysCookie = 'quittance-keys';

export const keptForYear = (name: string, value: string): Record<string, string> => ({
  'set-cookie': `${name}=${value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`,
});

/** Likewise: whether somebody walks through the set-up. */
export const setUpCookie = 'quittance-set-up';

export function readCookie({ headers }: Pick<PageContext, 'headers'>, name: string): string | null {
  const pairs = String(headers['cookie'] ?? '').split(';');
  const found = pairs.map((pair) => pair.trim().split('=')).filter(([key]) => key === name);
  // Two of one name: somebody planted one.
  return found.length === 1 ? (found[0]?.[1] ?? null) : null;
}
