/** The operator's own money: withdrawals, asked for by one and approved by another, and addresses to bring more in. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import { goalWords } from '../account/money/order-words.ts';
import { numberOf } from '../account/settings/settings-parts.ts';
import { findAsset } from '../catalog/asset-catalog.ts';
import type { CreateDepositDeps } from '../deposits/create-deposit.ts';
import { createFundingTarget } from '../deposits/create-funding-target.ts';
import { networkAway } from '../deposits/deposit-errors.ts';
import { findFundingTarget } from '../deposits/deposit-target-store.ts';
import { personActor } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import type { WithdrawalOrder } from '../jobs/job-catalog.ts';
import { GiveUp } from '../jobs/job-runner.ts';
import { present } from '../lib/assert.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { formatUnits } from '../money/amount.ts';
import { formatDecimal, parseDecimal } from '../money/decimal.ts';
import { NetworkError, sendsAnywhere } from '../networks/port/connector.ts';
import { areTwoNeeded } from '../people/staff-approvers.ts';
import { findPayouts } from '../sending/payout-store.ts';
import { approveWithdrawal, refuseWithdrawal } from '../wallets/approve-withdrawal.ts';
import type { ReadOrder } from '../wallets/read-transfer-order.ts';
import { orderWithdrawal, readWithdrawal, type WithdrawalDeps } from '../wallets/withdraw-own-money.ts';
import {
  decidedWithdrawals,
  findWithdrawal,
  type Withdrawal,
  waitingWithdrawals,
} from '../wallets/withdrawal-store.ts';
import { readHandWords } from './hand-words.ts';
import { findMoney } from './money-facts.ts';
import {
  bringInPage,
  bringInPath,
  broughtInPage,
  moneyPage,
  moneyPath,
  type WithdrawalWords,
  withdrawalPage,
  withdrawalsPath,
  withdrawPage,
  withdrawPath,
} from './money-page.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { problemNote } from './staff-form.ts';
import { memoTypes } from './suspense-page.ts';

export type OwnMoneyDeps = StaffDeps & WithdrawalDeps & Omit<CreateDepositDeps, 'health' | 'openDepositsMax'>;

const decidedShown = 20;
const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';
const actorOf = ({ signedIn }: StaffContext) => personActor(signedIn.person.id);

export function moneyRoutes(deps: OwnMoneyDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;
  const decision = `${withdrawalsPath}/:id`;
  const access = { may: 'money' } as const;

  return [
    operatorRoute({
      method: 'GET',
      path: moneyPath,
      access: { may: 'seeMoney' },
      handle: (context) => pageOf(context, null),
    }),
    operatorRoute({
      method: 'GET',
      path: withdrawPath,
      access,
      handle: (context) => withdrawForm(context, null),
    }),
    operatorRoute({
      method: 'POST',
      path: withdrawPath,
      access,
      order: orderOfWithdrawal,
      isOnce: true,
      handle: (context) =>
        orPage(
          () =>
            context.once<Withdrawal>(
              ({ begin }) => orderWithdrawal(deps, wishOf(context.form), { actor: actorOf(context), begin }),
              ({ state }) => `${moneyPath}?did=${state === 'APPROVED' ? 'sent' : 'waiting'}`,
            ),
          (error) => withdrawForm(context, error),
        ),
    }),
    operatorRoute({
      method: 'GET',
      path: decision,
      access: { may: 'seeMoney' },
      async handle(context) {
        const { look } = context;
        const withdrawal = await findWithdrawal(db, idOf(context));
        if (!withdrawal) throw notFound('withdrawal', idOf(context));
        return accountReply(200, look, withdrawalPage(deps, look, withdrawal, await shownWith(context, [withdrawal])));
      },
    }),
    operatorRoute({
      method: 'POST',
      path: `${decision}/approve`,
      access,
      order: orderOfApproval,
      handle: (context) =>
        orPage(
          async () => {
            const by = { actor: actorOf(context), begin: inSession(db, context.signedIn) };
            await approveWithdrawal(deps, idOf(context), by);
            return redirect(`${moneyPath}?did=approved`);
          },
          (error) => pageOf(context, error),
        ),
    }),
    operatorRoute({
      method: 'POST',
      path: `${decision}/refuse`,
      access,
      handle: (context) =>
        orPage(
          async () => {
            const by = { actor: actorOf(context), begin: inSession(db, context.signedIn) };
            await refuseWithdrawal(deps, idOf(context), by);
            return redirect(`${moneyPath}?did=refused`);
          },
          (error) => pageOf(context, error),
        ),
    }),
    operatorRoute({
      method: 'GET',
      path: bringInPath,
      access,
      handle: (context) => bringInForm(context, null),
    }),
    operatorRoute({
      method: 'POST',
      path: bringInPath,
      access,
      handle: (context) =>
        orPage(
          () => bringIn(context),
          (error) => bringInForm(context, error),
        ),
    }),
  ];

  /** What is signed is read as what is done is read. */
  async function orderOfWithdrawal({ form }: StaffContext): Promise<string> {
    const read = await readOrder(form);
    if (!read) return 'a withdrawal that cannot be made'; // Why not is said to whoever has proven who it is.
    const { asset, connector } = read.method;
    const amount = formatUnits(read.units, asset.ledgerScale);
    return `withdraw ${amount} ${asset.id} ${goalWords({ network: connector.network.id, ...read.destination })}`;
  }

  async function readOrder(form: URLSearchParams): Promise<ReadOrder | undefined> {
    try {
      return (await readWithdrawal(deps, wishOf(form))).read;
    } catch (error) {
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  /** As it is stored: while it waits, nothing about it changes. */
  async function orderOfApproval(context: StaffContext): Promise<string> {
    const withdrawal = await findWithdrawal(db, idOf(context));
    if (!withdrawal) return `approve withdrawal ${idOf(context)}`;
    const { id, asset, units, requestedBy } = withdrawal;
    const amount = formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0);
    return `approve withdrawal ${id}: ${amount} ${asset} ${goalWords({ ...withdrawal, holder: null })}, asked for by ${requestedBy}`;
  }

  async function pageOf(context: StaffContext, error: GatewayError | null): Promise<PageReply> {
    const { look, request } = context;
    const [money, waiting, decided] = await Promise.all([
      findMoney(deps),
      waitingWithdrawals(db),
      decidedWithdrawals(db, decidedShown),
    ]);
    const facts = {
      money,
      waiting,
      decided,
      ...(await shownWith(context, [...waiting, ...decided])),
      problem: problemNote(look, error),
      did: String(request.query['did'] ?? '') || null,
    };
    return accountReply(error?.httpStatus ?? 200, look, moneyPage(deps, look, facts));
  }

  /** What became of them, and who had to do with them. */
  async function shownWith(context: StaffContext, withdrawals: readonly Withdrawal[]): Promise<WithdrawalWords> {
    const actors = withdrawals.flatMap(({ requestedBy, decidedBy }) => [
      requestedBy,
      ...(decidedBy === null ? [] : [decidedBy]),
    ]);
    const [hands, payouts] = await Promise.all([
      readHandWords(db, actors),
      findPayouts(
        db,
        withdrawals.map(({ id }) => id),
      ),
    ]);
    return {
      payouts: new Map(payouts.map((payout) => [payout.id, payout])),
      hands,
      own: actorOf(context),
    };
  }

  async function withdrawForm({ look, form, now }: StaffContext, error: GatewayError | null): Promise<PageReply> {
    const [money, isForTwo] = await Promise.all([findMoney(deps), areTwoNeeded(db, now)]);
    const senders = [...deps.connectors.values()].filter(sendsAnywhere).map(({ network }) => network);
    const networks = senders.filter(({ holderNeeds }) => !holderNeeds);
    const banks = senders.filter(({ holderNeeds }) => holderNeeds).map(({ name }) => name);
    const facts = { networks, banks, money, form, areTwoNeeded: isForTwo, problem: problemNote(look, error) };
    return accountReply(error?.httpStatus ?? 200, look, withdrawPage(deps, look, facts));
  }

  function bringInForm({ look, form }: StaffContext, error: GatewayError | null): PageReply {
    const facts = { networks: [...deps.connectors.keys()], form, problem: problemNote(look, error) };
    return accountReply(error?.httpStatus ?? 200, look, bringInPage(look, facts));
  }

  async function bringIn(context: StaffContext): Promise<PageReply> {
    const { form, look } = context;
    const network = form.get('network') ?? '';
    const connector = deps.connectors.get(network);
    if (!connector) throw invalidRequest('Choose a network from the list.');
    const given = numberOf(form, 'amount');
    const amount = given === '' || !connector.network.hasInvoices ? null : readAmount(given);
    const targetId = newId();
    await createFundingTarget(deps, { network, targetId, amount }).catch((error: unknown) => {
      if (error instanceof GiveUp) throw invalidRequest(error.message);
      throw error instanceof NetworkError ? networkAway(connector.network.name) : error;
    });
    await context.audited('funding.asked', { network, ...(amount !== null && { amount }) }, async () => undefined);
    const target = present(await findFundingTarget(db, network, targetId), 'the target');
    return accountReply(200, look, broughtInPage(look, connector.network, target));
  }
}

function wishOf(form: URLSearchParams): WithdrawalOrder {
  const memo = (form.get('memo') ?? '').trim() || null;
  return {
    transferId: newId(),
    network: form.get('network') ?? '',
    asset: form.get('asset') ?? '',
    amount: readAmount(numberOf(form, 'amount')),
    address: (form.get('address') ?? '').trim(),
    memo,
    memoType: memo === null ? null : (memoTypes.find((type) => type === form.get('memo-type')) ?? 'text'),
  };
}

function readAmount(text: string): string {
  const amount = parseDecimal(text);
  if (!amount || amount.digits <= 0n) throw invalidRequest('The amount must be a number greater than zero.');
  return formatDecimal(amount);
}

const orPage = (
  act: () => Promise<PageReply>,
  page: (error: GatewayError) => Promise<PageReply> | PageReply,
): Promise<PageReply> =>
  act().catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    return page(error);
  });
