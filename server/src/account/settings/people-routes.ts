/** Who belongs to the account: inviting, roles, removing. */

import { personActor } from '../../http/actor.ts';
import type { PageReply } from '../../http/route.ts';
import { notFound } from '../../lib/errors.ts';
import { listKeys } from '../../merchants/api-key-store.ts';
import { signMemberOut, takeBackInvitation } from '../../people/change-member.ts';
import { invite, inviteByEmail } from '../../people/join-account.ts';
import { isHand } from '../../people/new-hand.ts';
import { openInvitations, openRecoveries } from '../../people/one-time-link-store.ts';
import { readEmail } from '../../people/person.ts';
import { membersOf, namesOfPeople } from '../../people/person-store.ts';
import type { Policy } from '../../people/policy-change-store.ts';
import { recoverMember, takeBackRecovery } from '../../people/recover-member.ts';
import { requestPolicy } from '../../people/request-policy.ts';
import { isRole } from '../../people/roles.ts';
import { keysInOtherHands } from '../developers/keys-in-other-hands.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { invitedPage, peoplePage } from './people-page.ts';
import { waitingPolicies } from './policy-routes.ts';

const here = '/account/people';

export function peopleRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const readRole = (text: string) => {
    if (!isRole(text)) throw notFound('role', text);
    return text;
  };
  /** At once, or when a second person has agreed: `request-policy` decides which. */
  async function change({ merchant, signedIn, db }: MemberContext, policy: Policy): Promise<PageReply> {
    const { isWaiting } = await requestPolicy(
      { ...deps, db },
      { merchantId: merchant.id, personId: signedIn.person.id },
      policy,
    );
    return redirect(isWaiting ? `${here}?did=waiting` : here);
  }
  return [
    accountRoute({
      method: 'GET',
      path: here,
      access: { may: 'people' },
      async handle(context) {
        const { look, merchant, role, signedIn, now, request } = context;
        const [members, keys, invitations, recoveries] = await Promise.all([
          membersOf(deps.db, merchant.id),
          listKeys(deps.db, merchant.id),
          openInvitations(deps.db, merchant.id, now),
          openRecoveries(deps.db, merchant.id, now),
        ]);
        const policies = await waitingPolicies(deps, context);
        const otherHands = keysInOtherHands(keys, members, now);
        const names = await namesOfPeople(
          deps.db,
          otherHands.flatMap(({ personIds }) => personIds),
        );
        const asked = (name: string): string | null => String(request.query[name] ?? '') || null;
        const told = {
          invited: asked('invited'),
          recovering: asked('recovering'),
          signedOut: asked('signed-out'),
          isWaiting: asked('did') === 'waiting',
        };
        const page = peoplePage(look, {
          members,
          invitations,
          recoveries,
          otherHands,
          names,
          own: signedIn.person.id,
          role,
          told,
          policies,
        });
        return accountReply(200, look, page);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/invite`,
      access: { may: 'people' },
      async handle({ look, merchant, form, signedIn, db }) {
        const held = { ...deps, db };
        const email = readEmail(form.get('email') ?? '');
        const role = readRole(form.get('role') ?? '');
        const actor = personActor(signedIn.person.id);
        if (isHand(role)) {
          const by = { merchantId: merchant.id, personId: signedIn.person.id };
          const policy = { kind: 'invitation' as const, email, role, language: look.language };
          const { isWaiting, token } = await requestPolicy(held, by, policy);
          if (isWaiting) return redirect(`${here}?did=waiting`);
          if (token === null) return redirect(`${here}?invited=${encodeURIComponent(email)}`);
          return accountReply(200, look, invitedPage(look, email, `${deps.accountUrl}/account/welcome#${token}`));
        }
        if (look.sendsEmail) {
          const invitation = { email, merchantId: merchant.id, role, language: look.language };
          await inviteByEmail(held, invitation, actor);
          return redirect(`${here}?invited=${encodeURIComponent(email)}`);
        }
        const token = await invite(held, { email, merchantId: merchant.id, role, staffRole: null }, actor);
        const url = `${deps.accountUrl}/account/welcome#${token}`;
        return accountReply(200, look, invitedPage(look, email, url));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/take-back`,
      access: { may: 'people' },
      async handle({ merchant, form, signedIn, db }) {
        const id = form.get('invitation') ?? '';
        await takeBackInvitation({ ...deps, db }, { merchantId: merchant.id, by: signedIn.person.id, id });
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/role`,
      access: { may: 'people' },
      handle(context) {
        const role = readRole(context.form.get('role') ?? '');
        return change(context, { kind: 'role', personId: context.form.get('person') ?? '', role });
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/remove`,
      access: { may: 'people' },
      handle: (context) => change(context, { kind: 'removal', personId: context.form.get('person') ?? '' }),
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/sign-out`,
      access: { may: 'people' },
      isProtective: true,
      async handle({ merchant, form, signedIn, db, now }) {
        const change = { merchantId: merchant.id, by: signedIn.person.id, personId: form.get('person') ?? '' };
        const name = await db.begin((tx) => signMemberOut(tx, change, now));
        return redirect(`${here}?${new URLSearchParams({ 'signed-out': name }).toString()}`);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/recover`,
      access: { may: 'people' },
      async handle({ merchant, form, signedIn, db }) {
        const change = { merchantId: merchant.id, by: signedIn.person.id, personId: form.get('person') ?? '' };
        const email = await recoverMember({ ...deps, db }, change);
        return redirect(`${here}?recovering=${encodeURIComponent(email)}`);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/take-back-recovery`,
      access: { may: 'people' },
      async handle({ merchant, form, signedIn, db }) {
        const change = { merchantId: merchant.id, by: signedIn.person.id, personId: form.get('person') ?? '' };
        await takeBackRecovery({ ...deps, db }, change);
        return redirect(here);
      },
    }),
  ];
}
