/**
 * A person sends money: fills in an order, looks at what it will cost and who must approve it, and signs this very order.
 * Some roles only prepare it.
 */
import { transferBody } from '@quittance/contract/transfer';
import { findAsset } from '../../catalog/asset-catalog.ts';
import { targetAccountsAfter } from '../../counterparties/target-account-store.ts';
import { keyActor, personActor } from '../../http/actor.ts';
import { readInput } from '../../http/read-input.ts';
import { GatewayError } from '../../lib/errors.ts';
import { listKeys } from '../../merchants/api-key-store.ts';
import { isOwnOrder } from '../../merchants/is-own-order.ts';
import { formatUnits } from '../../money/amount.ts';
import { decimal, toUnits } from '../../money/decimal.ts';
import { sendsAnywhere } from '../../networks/port/connector.ts';
import { membersOf } from '../../people/person-store.ts';
import { canApprove } from '../../people/second-approver.ts';
import { createTransfer, type OrderedTransfer } from '../../wallets/create-transfer.ts';
import { estimateTransfer } from '../../wallets/estimate-transfer.ts';
import { type ReadOrder, readTransferOrder } from '../../wallets/read-transfer-order.ts';
import { readWallets, worthOfUnits } from '../../wallets/read-wallets.ts';
import { feeUnitsOf } from '../../wallets/transfer.ts';
import { destinationChanged } from '../../wallets/transfer-errors.ts';
import { accountReply } from '../frame/account-layout.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { askedText, byWorth, orProblem, withPoint } from '../frame/money-words.ts';
import type { MoneyDeps } from './money-deps.ts';
import {
  type AskedOrder,
  goalText,
  newTransferPage,
  orderFields,
  otherAddress,
  reviewPage,
  reviewPath,
} from './new-transfer-page.ts';
import { goalWords } from './order-words.ts';
import { newTransferPath, transfersPath } from './transfers-page.ts';

const destinationsMax = 100;

const ordered = (read: (name: string) => string): AskedOrder =>
  Object.fromEntries(orderFields.map((name) => [name, read(name).trim()])) as AskedOrder;

const askedOf = ({ request }: MemberContext): AskedOrder => ordered((name) => askedText(request, name));
const sentOf = ({ form }: MemberContext): AskedOrder => ordered((name) => form.get(name) ?? '');

/** As the API would be asked for it. */
function bodyOf({ to, network, address, memo, memoType, asset, amount }: AskedOrder) {
  const where =
    to === otherAddress || to === ''
      ? { network, address, ...(memo !== '' && { memo, memoType: memoType || 'text' }) }
      : { targetAccount: to };
  return readInput(transferBody, { ...where, asset, amount: withPoint(amount) }, { name: 'The transfer' });
}

export function newTransferRoutes(deps: MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const access = { may: 'moveMoney' } as const;
  return [
    accountRoute({
      method: 'GET',
      path: newTransferPath,
      access,
      handle: (context) => formReply(context, askedOf(context), null),
    }),
    accountRoute({
      method: 'GET',
      path: reviewPath,
      access,
      async handle(context) {
        const { look, merchant, grant } = context;
        const asked = askedOf(context);
        const estimated = await orProblem(async () => estimateTransfer(deps, merchant, bodyOf(asked)));
        if (estimated instanceof GatewayError) return formReply(context, asked, estimated);
        const { read, quote, availableUnits } = estimated;
        const leftUnits = availableUnits - read.units - feeUnitsOf(quote);
        const facts = {
          asked,
          estimated,
          merchant,
          ...(await approversFor(context)),
          isPreparing: grant === 'prepare',
          leftWorth: worthOfUnits(deps.rates, read.method.asset, leftUnits, merchant.accountCurrency),
        };
        return accountReply(200, look, reviewPage(deps, look, facts));
      },
    }),
    accountRoute({
      method: 'POST',
      path: newTransferPath,
      access,
      isOnce: true,
      order: orderOfTransfer,
      // Only below the limit for approvals: see `approvalFor`.
      codeSuffices: () => true,
      handle(context) {
        const { merchant, signedIn, form } = context;
        const body = bodyOf(sentOf(context));
        const actor = personActor(signedIn.person.id);
        const demand = (read: ReadOrder): void => demandShown(context, read);
        const request = { body, actor, demand, ...approvalFor(context), ...feeMax(body.asset, form.get('fee') ?? '') };
        return context.once<OrderedTransfer>(
          ({ begin }) => createTransfer(deps, merchant, { ...request, begin }),
          ({ transfer }) => `${transfersPath}/${transfer.id}?did=created`,
        );
      },
    }),
  ];

  /** What is signed is read as what is done is read: whatever a destination is called, this is where the money goes. */
  async function orderOfTransfer(context: MemberContext): Promise<string> {
    const { read } = await readTransferOrder(deps, context.merchant.id, bodyOf(sentOf(context)));
    if (!read) return 'a transfer that cannot be made'; // Why not is said to whoever has proven who it is.
    demandShown(context, read);
    const { asset, connector } = read.method;
    const goal = goalWords({ network: connector.network.id, ...read.destination }, read.account?.label);
    const fee = context.form.get('fee')?.trim() ?? '';
    const amount = formatUnits(read.units, asset.ledgerScale);
    return `transfer ${amount} ${asset.id} ${goal}, for a fee of at most ${fee}`;
  }

  /** What was shown is the most that it may cost. */
  function feeMax(wanted: string, shown: string): { readonly feeUnitsMax: bigint } {
    const asset = findAsset(deps.assets, wanted);
    if (!asset || !/^\d{1,40}(\.\d{1,40})?$/.test(shown)) return { feeUnitsMax: 0n };
    return { feeUnitsMax: toUnits(decimal(shown), asset.ledgerScale, 'down') };
  }

  async function formReply({ look, merchant }: MemberContext, asked: AskedOrder, problem: GatewayError | null) {
    const [wallets, destinations] = await Promise.all([
      readWallets(deps, merchant),
      targetAccountsAfter(deps.db, merchant.id, { position: null, network: null, limit: destinationsMax }),
    ]);
    const page = newTransferPage(look, {
      asked,
      destinations,
      wallets: byWorth(wallets).filter(({ available }) => available !== '0'),
      networks: [...deps.connectors.values()].filter(sendsAnywhere).map(({ network }) => network.id),
      waitMinutes: merchant.destinationWaitMinutes,
      problem,
    });
    return accountReply(problem?.httpStatus ?? 200, look, page);
  }

  async function approversFor({ merchant, signedIn }: MemberContext) {
    const [members, keys] = await Promise.all([membersOf(deps.db, merchant.id), listKeys(deps.db, merchant.id)]);
    const others = members.filter((each) => each.personId !== signedIn.person.id && canApprove(each));
    const approving = keys.filter(({ revokedAt, scopes }) => revokedAt === null && scopes.includes('approve'));
    const self = personActor(signedIn.person.id);
    const own = await Promise.all(approving.map((key) => isOwnOrder(deps.db, merchant.id, self, keyActor(key.apiKey))));
    const hasApprovingKey = own.includes(false);
    return { approvers: others.map(({ name }) => name), hasApprovingKey };
  }
}

/** A destination that is called by its name may have become another one since it was shown. */
function demandShown({ form }: MemberContext, read: ReadOrder): void {
  if (read.account !== null && form.get('goal') !== goalText(read)) throw destinationChanged();
}

/** Some roles only prepare. A code of an app, which signs nothing, asks for nothing that others must approve. */
function approvalFor({ grant, signedIn }: MemberContext): { readonly approval?: 'always' | 'never' } {
  if (grant === 'prepare') return { approval: 'always' };
  return signedIn.person.passkeys > 0 ? {} : { approval: 'never' };
}
