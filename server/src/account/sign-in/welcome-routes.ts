/** Where one-time links lead: somebody new names themselves, somebody known accepts. */
import { GatewayError } from '../../lib/errors.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { isFor, joinAsKnown, joinAsNew, readLink } from '../../people/join-account.ts';
import { recoverSignIn } from '../../people/recover-sign-in.ts';
import { deleteSession } from '../../people/session-store.ts';
import { findOpenSignUp } from '../../people/sign-up-store.ts';
import { accountReply, problemReply } from '../frame/account-layout.ts';
import { redirect, sessionCookie, visitorOf } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type VisitorContext,
} from '../frame/account-route.ts';
import { joinPage, namePage, recoverPage, welcomePage } from './welcome-page.ts';

export function welcomeRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);

  async function invitationOf(token: string) {
    const link = await readLink(deps, token);
    const merchant = link.merchantId === null ? undefined : await findMerchant(deps.db, link.merchantId);
    const signUp =
      link.purpose === 'sign-up' && link.email !== null ? await findOpenSignUp(deps.db, link.email) : undefined;
    return { token, link, accountName: merchant?.name ?? null, business: signUp?.business ?? null };
  }

  /** Whoever was signed in in this browser before is not any more. */
  async function endEarlier({ signedIn }: VisitorContext): Promise<void> {
    if (signedIn) await deleteSession(deps.db, signedIn.person.id, signedIn.session.id);
  }

  return [
    accountRoute({
      method: 'GET',
      path: '/account/welcome',
      access: 'anybody',
      handle: ({ look }) => accountReply(200, look, welcomePage(look, null)),
    }),
    // Reads what the link is for; it is not used up by that.
    accountRoute({
      method: 'POST',
      path: '/account/welcome',
      access: 'anybody',
      async handle({ look, form, signedIn }) {
        try {
          const invitation = await invitationOf(form.get('token') ?? '');
          if (invitation.link.purpose === 'recover') return accountReply(200, look, recoverPage(look, invitation));
          const { link } = invitation;
          const isForThem = signedIn !== null && link.email !== null && isFor(link, signedIn.person);
          const isNew = form.get('as') === 'new' || !isForThem;
          const page =
            link.isFor === 'owner' || !isNew
              ? joinPage(look, invitation, isForThem ? signedIn.person : null)
              : namePage(look, invitation, { name: '', email: '' }, null);
          return accountReply(200, look, page);
        } catch (problem) {
          if (!(problem instanceof GatewayError)) throw problem;
          return problemReply(look, problem, welcomePage(look, problem));
        }
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/welcome/name',
      access: 'anybody',
      async handle(context) {
        const { look, form, request } = context;
        const given = {
          token: form.get('token') ?? '',
          email: form.get('email') ?? '',
          name: form.get('name') ?? '',
          language: look.language,
        };
        try {
          const { token } = await joinAsNew(deps, given, visitorOf(request, deps.accountUrl));
          await endEarlier(context);
          return redirect('/account/sign-in/secure', sessionCookie(deps.accountUrl, token));
        } catch (problem) {
          if (!(problem instanceof GatewayError)) throw problem;
          if (problem.code === 'link_not_good') return problemReply(look, problem, welcomePage(look, problem));
          const page = namePage(look, await invitationOf(given.token), given, problem);
          return problemReply(look, problem, page);
        }
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/welcome/recover',
      access: 'anybody',
      async handle(context) {
        const { look, form, request } = context;
        try {
          const { token } = await recoverSignIn(deps, form.get('token') ?? '', visitorOf(request, deps.accountUrl));
          await endEarlier(context);
          return redirect('/account/my-sign-in', sessionCookie(deps.accountUrl, token));
        } catch (problem) {
          if (!(problem instanceof GatewayError)) throw problem;
          return problemReply(look, problem, welcomePage(look, problem));
        }
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/welcome/join',
      access: 'person',
      async handle({ form, signedIn }) {
        const purpose = await joinAsKnown(deps, signedIn.session, form.get('token') ?? '');
        if (purpose === 'prove') return redirect('/account/my-sign-in');
        return redirect(purpose === 'sign-up' ? '/account/sign-up/waiting' : '/account');
      },
    }),
  ];
}
