/** Destinations of transfers. A new one is as dangerous as a transfer: a passkey signs it, never a code. */
import { beneficiaryBody } from '@quittance/contract/beneficiary';
import { targetAccountBody } from '@quittance/contract/target-account';
import { beneficiaryName } from '../../counterparties/beneficiary-fields.ts';
import { findBeneficiary } from '../../counterparties/beneficiary-store.ts';
import { listBeneficiaries } from '../../counterparties/list-beneficiaries.ts';
import { createBeneficiary } from '../../counterparties/save-beneficiary.ts';
import { deleteTargetAccount, saveTargetAccount } from '../../counterparties/save-target-account.ts';
import type { TargetAccount } from '../../counterparties/target-account.ts';
import { findTargetAccount, targetAccountsAfter } from '../../counterparties/target-account-store.ts';
import { personActor } from '../../http/actor.ts';
import { pageOf, readPageCursor } from '../../http/page-cursor.ts';
import { readInput } from '../../http/read-input.ts';
import { GatewayError } from '../../lib/errors.ts';
import { sendsAnywhere } from '../../networks/port/connector.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { askedText, demandNoPreparing, isAtBank, orProblem } from '../frame/money-words.ts';
import {
  type AskedDestination,
  destinationFields,
  destinationsPage,
  newBeneficiary,
  newDestinationPage,
  newDestinationPath,
} from './destinations-page.ts';
import type { MoneyDeps } from './money-deps.ts';
import { destinationsPath } from './transfers-page.ts';

const pageSize = 50;
const beneficiariesMax = 200;

const askedOf = (read: (name: string) => string): AskedDestination =>
  Object.fromEntries(destinationFields.map((name) => [name, read(name).trim()])) as AskedDestination;

/** One form for all of them: who holds an account at a bank is asked in another field than whose an address is. */
function sentOf({ form }: MemberContext): AskedDestination {
  const sent = askedOf((name) => form.get(name) ?? '');
  const isBank = isAtBank(sent.network);
  if (!isBank) return { ...sent, bic: '' };
  return { ...sent, memo: '', beneficiary: sent.holder || sent.beneficiary };
}

export function destinationsRoutes(deps: MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db, clock } = deps;
  return [
    accountRoute({
      method: 'GET',
      path: destinationsPath,
      access: { may: 'seeBalances' },
      async handle({ look, merchant, request }) {
        const cursor = askedText(request, 'cursor');
        const position = readPageCursor(cursor || undefined);
        const found = await targetAccountsAfter(db, merchant.id, { position, network: null, limit: pageSize + 1 });
        const { items, next } = pageOf(found, pageSize);
        const ids = new Set(items.flatMap(({ beneficiaryId }) => beneficiaryId ?? []));
        const named = await Promise.all(Array.from(ids, (id) => findBeneficiary(db, merchant.id, id)));
        const page = destinationsPage(look, {
          accounts: items,
          beneficiaries: new Map(named.flatMap((each) => (each ? [[each.id, each] as const] : []))),
          next,
          isFirst: cursor === '',
          added: (await findTargetAccount(db, merchant.id, { id: askedText(request, 'added') })) ?? null,
          isRemovedNow: request.query['did'] === 'removed',
        });
        return accountReply(200, look, page);
      },
    }),
    accountRoute({
      method: 'GET',
      path: newDestinationPath,
      access: { may: 'moveMoney' },
      handle: (context) =>
        formReply(
          context,
          askedOf((name) => askedText(context.request, name)),
          null,
        ),
    }),
    accountRoute({
      method: 'POST',
      path: destinationsPath,
      access: { may: 'moveMoney' },
      isOnce: true,
      order: orderOfDestination,
      async handle(context) {
        demandNoPreparing(context.grant);
        const made = await orProblem(() => save(context));
        return made instanceof GatewayError ? formReply(context, sentOf(context), made) : made;
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${destinationsPath}/:id/remove`,
      access: { may: 'moveMoney' },
      async handle({ merchant, signedIn, grant, request, db: held }) {
        demandNoPreparing(grant);
        const actor = personActor(signedIn.person.id);
        await deleteTargetAccount({ begin: held.begin, clock }, merchant.id, { id: request.params['id'] ?? '' }, actor);
        return redirect(`${destinationsPath}?did=removed`);
      },
    }),
  ];

  /** A beneficiary that is new is made with it, or neither. */
  async function save(context: MemberContext) {
    const { merchant, signedIn } = context;
    const actor = personActor(signedIn.person.id);
    const { label, network, address, memo, memoType, bic, beneficiary, company, firstname, lastname, ...lives } =
      sentOf(context);
    const { street, postCode, town, country } = lives;
    const given = {
      label,
      network,
      address,
      ...(memo !== '' && { memo, memoType: memoType || 'text' }),
      ...(bic !== '' && { bic }),
    };
    const body = readInput(targetAccountBody, given, { name: 'The destination' });
    const person = {
      ...(company !== '' && { company }),
      ...(firstname !== '' && { firstname }),
      ...(lastname !== '' && { lastname }),
      ...(street !== '' && { streetName: street }),
      ...(postCode !== '' && { postCode }),
      ...(town !== '' && { townName: town }),
      ...(country !== '' && { country }),
    };
    const whose =
      beneficiary === newBeneficiary &&
      readInput(beneficiaryBody, { beneficiary: person }, { name: 'The beneficiary' });
    return context.once<TargetAccount>(
      ({ begin }) =>
        begin(async (tx) => {
          const inside = <Result>(work: (within: typeof tx) => Promise<Result>): Promise<Result> => work(tx);
          const beneficiaryId = whose
            ? await createBeneficiary({ begin: inside, clock }, merchant.id, whose.beneficiary, actor)
            : beneficiary;
          return saveTargetAccount({ ...deps, begin: inside }, merchant, { ...body, beneficiaryId }, actor);
        }),
      ({ id }) => `${destinationsPath}?added=${id}`,
    );
  }

  /** Everything of it is signed: where, under which name, and whose it is. */
  async function orderOfDestination(context: MemberContext): Promise<string> {
    const { label, network, address, memo, memoType, bic, beneficiary, company, firstname, lastname, ...lives } =
      sentOf(context);
    const { street, postCode, town, country } = lives;
    const withMemo = memo === '' ? '' : ` with the memo ${memo} (${memoType})`;
    const atBank = bic === '' ? '' : `, BIC ${bic}`;
    const known = await findBeneficiary(deps.db, context.merchant.id, beneficiary);
    const whose =
      beneficiary === newBeneficiary
        ? [[company, firstname, lastname].join(' ').trim(), street, postCode, town, country]
            .filter((part) => part !== '')
            .join(', ')
        : known && beneficiaryName(known);
    return `add the destination ${JSON.stringify(label)}: ${address} on ${network}${atBank}${withMemo}${whose ? ` of ${whose}` : ''}`;
  }

  async function formReply({ look, merchant }: MemberContext, asked: AskedDestination, problem: GatewayError | null) {
    const page = newDestinationPage(look, {
      asked,
      networks: [...deps.connectors.values()].filter(sendsAnywhere).map(({ network }) => network.id),
      beneficiaries: (await listBeneficiaries(db, merchant.id, { limit: beneficiariesMax })).items,
      waitMinutes: merchant.destinationWaitMinutes,
      problem,
    });
    return accountReply(problem?.httpStatus ?? 200, look, page);
  }
}
