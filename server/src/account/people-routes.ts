/** Who belongs to the account: inviting, roles, removing. */

import { personActor } from '../http/actor.ts';
import { notFound } from '../lib/errors.ts';
import { changeRole, removeMember, takeBackInvitation } from '../people/change-member.ts';
import { invite, inviteByEmail } from '../people/join-account.ts';
import { openInvitations, openRecoveries } from '../people/one-time-link-store.ts';
import { readEmail } from '../people/person.ts';
import { findRole, membersOf } from '../people/person-store.ts';
import { recoverMember, recoverMemberByEmail, takeBackRecovery } from '../people/recover-member.ts';
import { addsApprover, requestPolicy } from '../people/request-policy.ts';
import { isRole, type Role } from '../people/roles.ts';
import { accountReply } from './account-layout.ts';
import { redirect } from './account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from './account-route.ts';
import { invitedPage, peoplePage, recoveryPage } from './people-page.ts';
import { waitingPolicies } from './policy-routes.ts';

const here = '/account/people';

export function peopleRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const readRole = (text: string) => {
    if (!isRole(text)) throw notFound('role', text);
    return text;
  };
  /** Who approves already becomes no approver by another role. */
  async function isNewApprover(merchantId: string, personId: string, role: Role): Promise<boolean> {
    const before = await findRole(deps.db, merchantId, personId);
    return addsApprover(role) && before !== undefined && !addsApprover(before);
  }
  return [
    accountRoute({
      method: 'GET',
      path: here,
      access: { may: 'people' },
      async handle(context) {
        const { look, merchant, role, signedIn, now, request } = context;
        const [members, invitations, recoveries] = await Promise.all([
          membersOf(deps.db, merchant.id),
          openInvitations(deps.db, merchant.id, now),
          openRecoveries(deps.db, merchant.id, now),
        ]);
        const policies = await waitingPolicies(deps, context);
        const asked = (name: string): string | null => String(request.query[name] ?? '') || null;
        const told = {
          invited: asked('invited'),
          recovering: asked('recovering'),
          isWaiting: asked('did') === 'waiting',
        };
        const page = peoplePage(look, {
          members,
          invitations,
          recoveries,
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
      async handle({ look, merchant, form, signedIn }) {
        const email = readEmail(form.get('email') ?? '');
        const role = readRole(form.get('role') ?? '');
        const actor = personActor(signedIn.person.id);
        if (addsApprover(role)) {
          const by = { merchantId: merchant.id, personId: signedIn.person.id };
          const policy = { kind: 'invitation' as const, email, role, language: look.language };
          const { isWaiting, token } = await requestPolicy(deps, by, policy);
          if (isWaiting) return redirect(`${here}?did=waiting`);
          if (token === null) return redirect(`${here}?invited=${encodeURIComponent(email)}`);
          return accountReply(200, look, invitedPage(look, email, `${deps.accountUrl}/account/welcome#${token}`));
        }
        if (look.sendsEmail) {
          const invitation = { email, merchantId: merchant.id, role, language: look.language };
          await inviteByEmail(deps, invitation, actor);
          return redirect(`${here}?invited=${encodeURIComponent(email)}`);
        }
        const token = await invite(deps, { email, merchantId: merchant.id, role, staffRole: null }, actor);
        const url = `${deps.accountUrl}/account/welcome#${token}`;
        return accountReply(200, look, invitedPage(look, email, url));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/take-back`,
      access: { may: 'people' },
      async handle({ merchant, form, signedIn }) {
        const hash = Buffer.from(form.get('invitation') ?? '', 'hex');
        await takeBackInvitation(deps, { merchantId: merchant.id, by: signedIn.person.id, hash });
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/role`,
      access: { may: 'people' },
      async handle({ merchant, form, signedIn }) {
        const change = { merchantId: merchant.id, by: signedIn.person.id, personId: form.get('person') ?? '' };
        const role = readRole(form.get('role') ?? '');
        if (await isNewApprover(merchant.id, change.personId, role)) {
          const by = { merchantId: merchant.id, personId: signedIn.person.id };
          const { isWaiting } = await requestPolicy(deps, by, { kind: 'role', personId: change.personId, role });
          return redirect(isWaiting ? `${here}?did=waiting` : here);
        }
        await changeRole(deps, change, role);
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/remove`,
      access: { may: 'people' },
      async handle({ merchant, form, signedIn }) {
        const change = { merchantId: merchant.id, by: signedIn.person.id, personId: form.get('person') ?? '' };
        await removeMember(deps, change);
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/recover`,
      access: { may: 'people' },
      async handle({ look, merchant, form, signedIn }) {
        const change = { merchantId: merchant.id, by: signedIn.person.id, personId: form.get('person') ?? '' };
        if (look.sendsEmail) {
          const email = await recoverMemberByEmail(deps, change);
          return redirect(`${here}?recovering=${encodeURIComponent(email)}`);
        }
        const { token, goodFrom, email } = await recoverMember(deps, change);
        const url = `${deps.accountUrl}/account/welcome#${token}`;
        return accountReply(200, look, recoveryPage(look, { email, goodFrom, url }));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/take-back-recovery`,
      access: { may: 'people' },
      async handle({ merchant, form, signedIn }) {
        const change = { merchantId: merchant.id, by: signedIn.person.id, personId: form.get('person') ?? '' };
        await takeBackRecovery(deps, change);
        return redirect(here);
      },
    }),
  ];
}
