/** A transfer that waits for somebody else: approved with a passkey that signs this very order, or refused. */
import { findAsset } from '../catalog/asset-catalog.ts';
import { personActor } from '../http/actor.ts';
import { formatUnits } from '../money/amount.ts';
import type { ApprovalDeps } from '../wallets/approval-limit.ts';
import { approveTransfer } from '../wallets/approve-transfer.ts';
import { refuseTransfer } from '../wallets/cancel-transfer.ts';
import type { LetGoDeps } from '../wallets/let-transfer-go.ts';
import { findTransfer } from '../wallets/transfer-store.ts';
import { redirect } from './account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes, type MemberContext } from './account-route.ts';
import { needsYouPath } from './needs-you-path.ts';

const here = '/account/transfers/:id';
const idOf = ({ request }: MemberContext): string => request.params['id'] ?? '';

export function transferApprovalRoutes(deps: AccountDeps & LetGoDeps & ApprovalDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const begin = deps.db.begin;

  /** As it is stored: while it waits, nothing about it changes. */
  async function orderOfApproval(context: MemberContext): Promise<string> {
    const transfer = await findTransfer(deps.db, context.merchant.id, idOf(context));
    if (!transfer) return `approve transfer ${idOf(context)}`;
    const { id, asset, units, network, address, memo } = transfer;
    const amount = formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0);
    const withMemo = memo === null ? '' : ` with the memo ${memo}`;
    return `approve transfer ${id}: ${amount} ${asset} on ${network} to ${address}${withMemo}`;
  }

  return [
    accountRoute({
      method: 'POST',
      path: `${here}/approve`,
      access: { may: 'approve' },
      order: orderOfApproval,
      async handle(context) {
        const actor = personActor(context.signedIn.person.id);
        await approveTransfer(deps, context.merchant.id, idOf(context), { actor, begin });
        return redirect(needsYouPath({ did: 'approved' }));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/refuse`,
      access: { may: 'approve' },
      async handle(context) {
        const { merchant, signedIn } = context;
        await refuseTransfer({ begin, clock: deps.clock }, merchant.id, idOf(context), personActor(signedIn.person.id));
        return redirect(needsYouPath({ did: 'refused' }));
      },
    }),
  ];
}
