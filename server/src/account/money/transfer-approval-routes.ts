/** A transfer that waits for somebody else: approved with a passkey that signs this very order, or refused. */
import { findAsset } from '../../catalog/asset-catalog.ts';
import { personActor } from '../../http/actor.ts';
import { formatUnits } from '../../money/amount.ts';
import { approveTransfer } from '../../wallets/approve-transfer.ts';
import { refuseTransfer } from '../../wallets/cancel-transfer.ts';
import type { LetGoDeps } from '../../wallets/let-transfer-go.ts';
import { findTransfer } from '../../wallets/transfer-store.ts';
import { redirect } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { inSession } from '../frame/in-session.ts';
import { needsYouPath } from '../home/needs-you-path.ts';
import { goalWords } from './order-words.ts';

const here = '/account/transfers/:id';
const idOf = ({ request }: MemberContext): string => request.params['id'] ?? '';

export function transferApprovalRoutes(deps: AccountDeps & LetGoDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);

  /** As it is stored: while it waits, nothing about it changes. */
  async function orderOfApproval(context: MemberContext): Promise<string> {
    const transfer = await findTransfer(deps.db, context.merchant.id, idOf(context));
    if (!transfer) return `approve transfer ${idOf(context)}`;
    const { id, asset, units, requestedBy, targetLabel } = transfer;
    const amount = formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0);
    return `approve transfer ${id}: ${amount} ${asset} ${goalWords(transfer, targetLabel)}, asked for by ${requestedBy}`;
  }

  return [
    accountRoute({
      method: 'POST',
      path: `${here}/approve`,
      access: { may: 'approve' },
      order: orderOfApproval,
      async handle(context) {
        const actor = personActor(context.signedIn.person.id);
        const begin = inSession(deps.db, context.signedIn);
        await approveTransfer(deps, context.merchant.id, idOf(context), { actor, begin });
        return redirect(needsYouPath({ did: 'approved' }));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/refuse`,
      access: { may: 'approve' },
      isProtective: true,
      async handle(context) {
        const { merchant, signedIn } = context;
        const begin = inSession(deps.db, signedIn);
        await refuseTransfer({ begin, clock: deps.clock }, merchant.id, idOf(context), personActor(signedIn.person.id));
        return redirect(needsYouPath({ did: 'refused' }));
      },
    }),
  ];
}
