/** A change of limits, addresses or who approves, decided by a second person: approved by a passkey that signs this very change. */
import { approvePolicy, refusePolicy } from '../../people/decide-policy.ts';
import { membersOf } from '../../people/person-store.ts';
import { findPolicyChange, waitingPolicyChanges } from '../../people/policy-change-store.ts';
import { hasSecondApprover } from '../../people/second-approver.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { needsYouPath } from '../home/needs-you-path.ts';
import { invitedPage } from './people-page.ts';
import type { WaitingPolicies } from './policy-words.ts';
import { policiesPath } from './settings-parts.ts';

const shownMax = 50;

export async function waitingPolicies(
  { db }: Pick<AccountDeps, 'db'>,
  { merchant, signedIn }: Pick<MemberContext, 'merchant' | 'signedIn'>,
): Promise<WaitingPolicies> {
  const own = signedIn.person.id;
  const [changes, members] = await Promise.all([
    waitingPolicyChanges(db, merchant.id, shownMax),
    membersOf(db, merchant.id),
  ]);
  return { changes, members, merchant, own, hasSecond: hasSecondApprover(members, own) };
}

export function policyRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const idOf = ({ request }: MemberContext): string => request.params['id'] ?? '';
  const byOf = ({ merchant, signedIn, request }: MemberContext) => ({
    merchantId: merchant.id,
    personId: signedIn.person.id,
    address: request.address,
  });
  /** As it is stored: while it waits, nothing about it changes. */
  async function orderOfApproval(context: MemberContext): Promise<string> {
    const change = await findPolicyChange(deps.db, context.merchant.id, idOf(context));
    if (!change) return `approve change ${idOf(context)}`;
    // Limits are numbers of the account currency.
    const { accountCurrency } = context.merchant;
    return `approve change ${change.id} of person ${change.requestedBy}: ${JSON.stringify(change.policy)} in ${accountCurrency}`;
  }
  return [
    accountRoute({
      method: 'POST',
      path: `${policiesPath}/:id/approve`,
      access: { may: 'approve' },
      order: orderOfApproval,
      async handle(context) {
        const { policy, token } = await approvePolicy(deps, byOf(context), idOf(context));
        if (token === null || policy.kind !== 'invitation') return redirect(needsYouPath({ did: 'policyApproved' }));
        const url = `${deps.accountUrl}/account/welcome#${token}`;
        return accountReply(200, context.look, invitedPage(context.look, policy.email, url));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${policiesPath}/:id/refuse`,
      access: { may: 'approve' },
      async handle(context) {
        const change = await findPolicyChange(deps.db, context.merchant.id, idOf(context));
        await refusePolicy(deps, byOf(context), idOf(context));
        const isOwn = change?.requestedBy === context.signedIn.person.id;
        return redirect(needsYouPath({ did: isOwn ? 'policyWithdrawn' : 'policyRefused' }));
      },
    }),
  ];
}
