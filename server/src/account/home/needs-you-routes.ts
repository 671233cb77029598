/** *Needs you*. A person sees what it may decide or must know; the rest is somebody else's. */
import { findDossiers } from '../../checkouts/checkout-store.ts';
import { type Customer, findCustomers } from '../../counterparties/customer-store.ts';
import { hideNeed } from '../../finding/hide-need.ts';
import { needKindsFor, needName } from '../../finding/need-kinds.ts';
import { type Need, needsYou } from '../../finding/needs-you.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { LetGoDeps } from '../../wallets/let-transfer-go.ts';
import { type CheckoutView, findView } from '../checkouts/one-checkout-facts.ts';
import type { CheckoutPageDeps } from '../checkouts/one-checkout-replies.ts';
import { accountReply } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { elsewhereOf } from '../frame/elsewhere.ts';
import { transferApprovalRoutes } from '../money/transfer-approval-routes.ts';
import { waitingPolicies } from '../settings/policy-routes.ts';
import type { NeedFacts } from './need-words.ts';
import { needsYouPage } from './needs-you-page.ts';
import { type NeedGroup, needDeeds, needGroups, needsYouPath } from './needs-you-path.ts';

const shownMax = 50;

export function needsYouRoutes(deps: CheckoutPageDeps & LetGoDeps): AccountRoute[] {
  return [
    createAccountRoutes(deps)({
      method: 'GET',
      path: '/account/needs-you',
      access: { may: 'seeCheckouts' },
      async handle(context) {
        const { look, merchant, request, now } = context;
        const { query } = request;
        const news = await deps.news.pageNews(merchant.id);
        const group = (Object.keys(needGroups) as NeedGroup[]).find((each) => each === query['group']) ?? 'all';
        const { items, count } = await needsYou(deps, merchant.id, { limit: shownMax, ...seenIn(look) });
        const facts = await factsOf(deps, look, merchant.id, items, now);
        const opened = items.find((need) => needName(need) === query['open']);
        const open = opened ? { name: needName(opened), view: await viewOf(look, merchant.id, opened) } : null;
        const did = needDeeds.find((each) => each === query['did']) ?? null;
        const policies = await waitingPolicies(deps, context);
        const elsewhere = elsewhereOf(context);
        const seen = { ...look, waiting: count };
        const page = { ...facts, group, items, count, open, did, policies, elsewhere, news };
        return accountReply(200, seen, needsYouPage(deps, seen, page));
      },
    }),
    createAccountRoutes(deps)({
      method: 'POST',
      path: `${needsYouPath()}/hide`,
      access: { may: 'seeCheckouts' },
      async handle({ look, merchant, signedIn, form, db }) {
        const seen = { merchantId: merchant.id, personId: signedIn.person.id, kinds: needKindsFor(look.may) };
        const isHidden = await hideNeed({ ...deps, db }, seen, form.get('item') ?? '');
        return redirect(needsYouPath(isHidden ? { did: 'hidden' } : {}));
      },
    }),
    ...transferApprovalRoutes(deps),
  ];

  /** Null: it is about no checkout, or about one that is gone. */
  async function viewOf(look: AccountLook, merchantId: string, { checkoutId }: Need): Promise<CheckoutView | null> {
    if (checkoutId === undefined) return null;
    try {
      return await findView(deps, look, merchantId, checkoutId);
    } catch (error) {
      if (error instanceof GatewayError) return null;
      throw error;
    }
  }
}

/** What whoever looks may decide, and has not hidden. */
export const seenIn = (look: AccountLook) => ({
  kinds: needKindsFor(look.may),
  ...(look.signedIn && { personId: look.signedIn.person.id }),
});

export async function factsOf(
  { db }: Pick<CheckoutPageDeps, 'db'>,
  look: AccountLook,
  merchantId: string,
  needs: readonly Need[],
  now: Date,
): Promise<NeedFacts> {
  const ids = [...new Set(needs.flatMap(({ checkoutId }) => checkoutId ?? []))];
  const found = await findDossiers(
    db,
    ids.map((id) => ({ merchantId, id })),
    { hasQuotes: false },
  );
  const dossiers = found.filter((dossier) => dossier !== undefined);
  const named = dossiers.flatMap(({ checkout }) => checkout.customerId ?? []);
  const customers: Customer[] = look.may('seeCustomers') ? await findCustomers(db, merchantId, named) : [];
  return {
    dossiers: new Map(dossiers.map((dossier) => [dossier.checkout.id, dossier])),
    customers: new Map(customers.map((customer) => [customer.id, customer])),
    now,
  };
}
