/** Transfers in their tabs, one of them, and cancelling it. */
import { findNetwork } from '../../catalog/network-catalog.ts';
import { personActor } from '../../http/actor.ts';
import { isOwnOrder } from '../../merchants/is-own-order.ts';
import { notYours } from '../../people/people-errors.ts';
import { comingBackUnits } from '../../sending/comeback-store.ts';
import { namesOfSigned } from '../../sending/payout-search-store.ts';
import { cancelTransfer } from '../../wallets/cancel-transfer.ts';
import { exceedsDailyLimit } from '../../wallets/daily-limit.ts';
import { listTransfersIn } from '../../wallets/list-transfers.ts';
import type { Transfer } from '../../wallets/transfer.ts';
import { transferNotFound } from '../../wallets/transfer-errors.ts';
import { findTransfer } from '../../wallets/transfer-store.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { actorNames, askedText } from '../frame/money-words.ts';
import type { MoneyDeps } from './money-deps.ts';
import { oneTransferPage, transferDeeds, transferGroups, transfersPage, transfersPath } from './transfers-page.ts';

const pageSize = 50;

export function transfersRoutes(deps: MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db } = deps;
  const access = { may: 'seeBalances' } as const;

  async function found({ merchant, request }: MemberContext): Promise<Transfer> {
    const id = request.params['id'] ?? '';
    const transfer = await findTransfer(db, merchant.id, id);
    if (!transfer) throw transferNotFound(id);
    return transfer;
  }
  const isOwn = ({ signedIn }: MemberContext, { merchantId, requestedBy }: Transfer): Promise<boolean> =>
    isOwnOrder(db, merchantId, requestedBy, personActor(signedIn.person.id));

  return [
    accountRoute({
      method: 'GET',
      path: transfersPath,
      access,
      async handle({ look, merchant, request }) {
        const wished = transferGroups.find((each) => each === request.query['tab']);
        const cursor = askedText(request, 'cursor');
        const page = { limit: pageSize, ...(cursor !== '' && { cursor }) };
        const names = await actorNames(db, merchant.id);
        // Without a tab: the first one in which there is something.
        for (const group of wished ? [wished] : transferGroups) {
          const { items, next } = await listTransfersIn(db, merchant.id, group, page);
          if (items.length === 0 && !wished && group !== 'over') continue;
          return accountReply(
            200,
            look,
            transfersPage(deps, look, { group, items, next, isFirst: cursor === '', names }),
          );
        }
        throw new Error('no tab was shown');
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${transfersPath}/:id`,
      access,
      async handle(context) {
        const { look, merchant, request, now } = context;
        const transfer = await found(context);
        const isHeldUp = transfer.state === 'WAITING' && transfer.usableFrom <= now;
        const isFiled = findNetwork(transfer.network)?.knownAs !== undefined;
        const [names, signed, own, isOverDay, backSoFar] = await Promise.all([
          actorNames(db, merchant.id),
          namesOfSigned(db, isFiled ? [transfer.id] : []),
          isOwn(context, transfer),
          isHeldUp && exceedsDailyLimit(deps, db, merchant, transfer),
          comingBackUnits(db, transfer.id),
        ]);
        const did = transferDeeds.find((each) => each === request.query['did']) ?? null;
        const sentAs = transfer.txHash ?? signed.get(transfer.id) ?? null;
        const facts = { transfer, names, backSoFar, sentAs, isOwn: own, isOverDay, did };
        return accountReply(200, look, oneTransferPage(deps, look, facts));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${transfersPath}/:id/cancel`,
      access: { may: 'moveMoney' },
      isProtective: true,
      async handle(context) {
        const { merchant, signedIn, grant } = context;
        const transfer = await found(context);
        // Who only prepares takes back what they prepared, and nothing of others.
        if (grant === 'prepare' && !(await isOwn(context, transfer))) throw notYours();
        const actor = personActor(signedIn.person.id);
        await cancelTransfer({ begin: context.db.begin, clock: deps.clock }, merchant.id, transfer.id, actor);
        return redirect(`${transfersPath}/${transfer.id}?did=canceled`);
      },
    }),
  ];
}
