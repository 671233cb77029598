/** What matched nobody and is too small to be read one by one: found, and taken as the operator's own together. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import { areTwoNeeded } from '../people/staff-approvers.ts';
import { adoptCrumbs, approveCrumbs, refuseCrumbs } from '../watching/adopt-crumbs.ts';
import { readReason } from '../watching/adopt-unmatched.ts';
import {
  type CountedUnits,
  type CrumbAdoption,
  findCrumbAdoption,
  freeCrumbs,
  waitingCrumbAdoptions,
} from '../watching/crumb-adoption-store.ts';
import { type CrumbRail, listCrumbs, unmatchedCrumbs } from '../watching/unmatched-crumb-store.ts';
import { unmatchedShown } from '../watching/unmatched-store.ts';
import { crumbsPage, crumbsPath, type WaitingCrumbsFacts } from './crumbs-page.ts';
import { readHandWords } from './hand-words.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { problemNote } from './staff-form.ts';
import { suspensePath, type WordDeps } from './suspense-page.ts';

const searchMax = 100;
const adoptions = `${crumbsPath}/adoptions/:id`;

export function crumbRoutes(deps: StaffDeps & WordDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;
  const byOf = ({ signedIn }: StaffContext) => ({
    actor: personActor(signedIn.person.id),
    begin: inSession(db, signedIn),
  });

  return [
    operatorRoute({
      method: 'GET',
      path: crumbsPath,
      access: { may: 'seeSuspense' },
      handle: (context) => pageOf(context, railIn(context), null),
    }),
    operatorRoute({
      method: 'POST',
      path: `${crumbsPath}/own`,
      access: { may: 'suspense' },
      order: orderOfAdoption,
      handle: (context) =>
        withPage(context, formRail(context), async () => {
          const wish = { ...formRail(context), upTo: inForm(context, 'upTo'), reason: inForm(context, 'reason') };
          const { isWaiting } = await adoptCrumbs(deps, { ...wish, signed: toldOf(context) }, byOf(context));
          return redirect(`${suspensePath}?did=${isWaiting ? 'small-own-waiting' : 'small-own'}`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${adoptions}/approve`,
      access: { may: 'suspense' },
      order: orderOfApproval,
      handle: (context) => decided(context, 'small-own', approveCrumbs),
    }),
    operatorRoute({
      method: 'POST',
      path: `${adoptions}/refuse`,
      access: { may: 'suspense' },
      handle: (context) => decided(context, 'small-own-refused', refuseCrumbs),
    }),
  ];

  async function decided(context: StaffContext, did: string, decide: typeof approveCrumbs): Promise<PageReply> {
    const adoption = await findCrumbAdoption(db, idOf(context));
    if (!adoption) throw notFound('adoption', idOf(context));
    return withPage(context, adoption, async () => {
      await decide(deps, adoption.id, byOf(context));
      return redirect(`${suspensePath}?did=${did}`);
    });
  }

  /** How many, up to which, what they come to, and why. */
  async function orderOfAdoption(context: StaffContext): Promise<string> {
    const rail = formRail(context);
    try {
      const reason = readReason(inForm(context, 'reason'));
      const upTo = inForm(context, 'upTo');
      const what = await wordsOf(rail, await freeCrumbs(db, { ...rail, upTo }));
      return `take ${what}, up to payment ${upTo}, as the operator's own: ${reason}`;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return 'an adoption that cannot be made'; // Why not is said to whoever has proven who it is.
    }
  }

  /** As it is stored. Some of them may have found their owner since: then it is less. */
  async function orderOfApproval(context: StaffContext): Promise<string> {
    const adoption = await findCrumbAdoption(db, idOf(context));
    if (!adoption) return `approve adoption ${idOf(context)}`;
    const { id, reason, requestedBy } = adoption;
    return `approve adoption ${id} of ${await wordsOf(adoption, adoption)} as the operator's own: ${reason}, asked for by ${requestedBy}`;
  }

  async function wordsOf({ network, asset }: CrumbRail, { count, units }: CountedUnits): Promise<string> {
    const amount = formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0);
    return `${count} small payments of ${network}, ${amount} ${asset} in all`;
  }

  async function pageOf(context: StaffContext, rail: CrumbRail, error: GatewayError | null): Promise<PageReply> {
    const { look, request, signedIn } = context;
    const asked = (name: string): string => String(request.query[name] ?? '').trim();
    const wanted = asked('q').slice(0, searchMax);
    const after = asked('cursor') || null;
    const [sums, payments, free, waiting, areTwo] = await Promise.all([
      unmatchedCrumbs(db),
      listCrumbs(db, rail, { after, wanted }),
      freeCrumbs(db, { ...rail, upTo: null }),
      waitingCrumbAdoptions(db),
      areTwoNeeded(db, context.now),
    ]);
    const isHere = ({ network, asset }: CrumbRail): boolean => network === rail.network && asset === rail.asset;
    const order = waiting.find(isHere);
    const [orderWords] = await waitingWords(db, signedIn.person.id, order ? [order] : []);
    const facts = {
      sum: sums.find(isHere) ?? { ...rail, count: 0, units: 0n },
      free,
      waiting: orderWords ?? null,
      areTwoNeeded: areTwo,
      reason: inForm(context, 'reason'),
      refusal: problemNote(look, error),
      payments,
      wanted,
      next: payments.length === unmatchedShown ? (payments.at(-1)?.id ?? null) : null,
      isFirst: after === null,
    };
    return accountReply(error?.httpStatus ?? 200, look, crumbsPage(deps, look, facts));
  }

  function withPage(context: StaffContext, rail: CrumbRail, act: () => Promise<PageReply>): Promise<PageReply> {
    return act().catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.code === 'not_found') throw error;
      return pageOf(context, rail, error);
    });
  }
}

/** With who asked for each, in words for this person. */
export async function waitingWords(
  query: Query,
  personId: string,
  orders: readonly CrumbAdoption[],
): Promise<WaitingCrumbsFacts[]> {
  const askers = orders.map(({ requestedBy }) => requestedBy);
  const hands = await readHandWords(query, askers);
  return orders.map((order) => ({
    ...order,
    asker: hands.askerOf(order.requestedBy),
    isOwn: order.requestedBy === personActor(personId),
  }));
}

const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';
const inForm = ({ form }: StaffContext, name: string): string => (form.get(name) ?? '').trim();
const railIn = ({ request: { query } }: StaffContext): CrumbRail => ({
  network: String(query['network'] ?? ''),
  asset: String(query['asset'] ?? ''),
});
const formRail = (context: StaffContext): CrumbRail => ({
  network: inForm(context, 'network'),
  asset: inForm(context, 'asset'),
});

/** What the page told that there is of them: what is signed is compared with it. */
function toldOf(context: StaffContext): CountedUnits {
  const [count, units] = [inForm(context, 'count'), inForm(context, 'units')];
  const isDigits = (text: string): boolean => /^\d{1,78}$/.test(text);
  return { count: isDigits(count) ? Number(count) : -1, units: isDigits(units) ? BigInt(units) : -1n };
}
