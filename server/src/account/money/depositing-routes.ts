/** A person makes an address to which money is sent without a checkout, and closes one. */
import { depositAddressBody } from '@quittance/contract/deposit';
import { closeDeposit } from '../../deposits/close-deposit.ts';
import { type CreatedDeposit, createDeposit } from '../../deposits/create-deposit.ts';
import { findDeposit } from '../../deposits/custom-deposit-store.ts';
import { depositNotFound } from '../../deposits/deposit-errors.ts';
import { depositProblems } from '../../deposits/deposit-problems.ts';
import { listOpenDeposits } from '../../deposits/list-deposits.ts';
import { personActor } from '../../http/actor.ts';
import { readInput } from '../../http/read-input.ts';
import { GatewayError, invalidRequest } from '../../lib/errors.ts';
import { findBookings } from '../../payments/find-bookings.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { askedText, orProblem, withPoint } from '../frame/money-words.ts';
import { depositPath } from './balances-page.ts';
import { type DepositForm, depositsPage, oneDepositPage } from './deposit-page.ts';
import type { MoneyDeps } from './money-deps.ts';

const shownMax = 200;
const idOf = ({ request }: MemberContext): string => request.params['id'] ?? '';

export function depositingRoutes(deps: MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  return [
    accountRoute({
      method: 'GET',
      path: depositPath,
      access: { may: 'seeBalances' },
      handle: (context) =>
        listReply(context, { rail: askedText(context.request, 'asset'), use: 'once', amount: '', problem: null }),
    }),
    accountRoute({
      method: 'POST',
      path: depositPath,
      access: { may: 'moveMoney' },
      isOnce: true,
      async handle(context) {
        const { merchant, signedIn, form } = context;
        const actor = personActor(signedIn.person.id);
        const made = await orProblem(() =>
          context.once<CreatedDeposit>(
            ({ begin }) => createDeposit(deps, merchant, { body: readBody(context), actor, begin }),
            ({ deposit }) => `${depositPath}/${deposit.id}`,
          ),
        );
        if (!(made instanceof GatewayError)) return made;
        const use = form.get('use') === 'many' ? 'many' : 'once';
        return listReply(context, {
          rail: form.get('rail') ?? '',
          use,
          amount: form.get('amount') ?? '',
          problem: made,
        });
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${depositPath}/:id`,
      access: { may: 'seeBalances' },
      async handle(context) {
        const { look, merchant, request } = context;
        const dossier = await findDeposit(deps.db, merchant.id, idOf(context));
        if (!dossier) throw depositNotFound(idOf(context));
        const payments = dossier.payments.map((payment) => ({ ...payment, ownerId: dossier.deposit.id }));
        const bookings = await findBookings(deps.db, merchant.id, payments);
        const isClosedNow = request.query['did'] === 'closed';
        return accountReply(200, look, oneDepositPage(deps, look, { dossier, bookings, isClosedNow }));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${depositPath}/:id/close`,
      access: { may: 'moveMoney' },
      async handle(context) {
        const { merchant, signedIn } = context;
        const key = { merchantId: merchant.id, id: idOf(context) };
        await closeDeposit({ begin: context.db.begin, clock: deps.clock }, key, personActor(signedIn.person.id));
        return redirect(`${depositPath}/${encodeURIComponent(key.id)}?did=closed`);
      },
    }),
  ];

  async function listReply({ look, merchant }: MemberContext, form: DepositForm) {
    const open = await listOpenDeposits(deps, merchant.id, shownMax);
    return accountReply(form.problem?.httpStatus ?? 200, look, depositsPage(deps, look, merchant, open, form));
  }

  /** With the rules and sentences of the API. */
  function readBody({ form, merchant }: MemberContext) {
    const [network = '', asset = ''] = (form.get('rail') ?? '').split(' ');
    const amount = withPoint(form.get('amount') ?? '');
    const given = { network, asset, reusable: form.get('use') === 'many', ...(amount !== '' && { amount }) };
    const body = readInput(depositAddressBody, given, { name: 'The deposit' });
    const problems = depositProblems(deps, merchant, body);
    if (problems.length > 0) throw invalidRequest(problems);
    return body;
  }
}
