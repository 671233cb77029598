/** A link from an e-mail is about one account; another one may be chosen in this browser. */
import type { Membership } from '../../people/person-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';
import { accountPage } from './account-layout.ts';
import type { AccountLook } from './account-look.ts';
import { askedFor } from './account-request.ts';
import type { MemberContext } from './account-route.ts';

/** Another account of this person, which the link was about; and where it led. */
export type Elsewhere = Membership & { readonly next: string };

export function elsewhereOf({ signedIn, merchant, request }: MemberContext): Elsewhere | null {
  const meant = signedIn.memberships.find(({ merchantId }) => merchantId === request.query['account']);
  return meant && meant.merchantId !== merchant.id ? { ...meant, next: askedFor(request) } : null;
}

export const elsewhereNotice = ({ say }: AccountLook, { merchantId, merchantName, next }: Elsewhere): Html =>
  html`<div class="notice decide" role="status">${icon('decide')}<div><p>${say('needElsewhere', { account: merchantName })}</p><form method="post" action="/account/choose"><input type="hidden" name="next" value="${next}"><button class="btn" name="merchant" value="${merchantId}">${say('needElsewhereGo', { account: merchantName })}</button></form></div></div>`;

/** Instead of a page that means nothing in this account. */
export const elsewherePage = (look: AccountLook, title: AccountTextKey, elsewhere: Elsewhere): Html =>
  accountPage(look, { title: look.say(title), main: elsewhereNotice(look, elsewhere) });
