/**
 * What Home shows, found for who looks: what the role may not see is not asked for. Numbers that are the same for all who
 * may see them are counted once for all who look at the account within a second.
 */
import type { WalletRecord } from '@quittance/contract/wallet';
import { findNetwork } from '../../catalog/network-catalog.ts';
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import { findDossiers } from '../../checkouts/checkout-store.ts';
import { anyCheckout, findPage } from '../../checkouts/list-checkouts.ts';
import { type Customer, findCustomers } from '../../counterparties/customer-store.ts';
import type { NetworkHealth } from '../../deposits/network-health.ts';
import { type Need, needsYou } from '../../finding/needs-you.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Day, dayOf } from '../../lib/local-day.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { readDays, type ShownDay } from '../../reports/read-days.ts';
import { readToday, type TodayNumbers } from '../../reports/today-numbers.ts';
import { readWallets, type WalletDeps } from '../../wallets/read-wallets.ts';
import type { CheckoutPageDeps } from '../checkouts/one-checkout-replies.ts';
import type { MemberContext } from '../frame/account-route.ts';
import { createSharedLook, type SharedLook } from '../frame/shared-look.ts';
import type { NeedFacts } from './need-words.ts';
import { factsOf, seenIn } from './needs-you-routes.ts';
import { findSetUp } from './set-up-facts.ts';
import type { SetUp } from './set-up-steps.ts';

export type HomeDeps = CheckoutPageDeps & WalletDeps & { readonly health: NetworkHealth };

export type HomeFacts = {
  readonly now: Date;
  readonly day: Day;
  readonly currency: string;
  readonly setUp: SetUp | null;
  /** Names of networks that do not answer. */
  readonly away: readonly string[];
  readonly needs: { readonly items: readonly Need[]; readonly count: number; readonly about: NeedFacts };
  readonly today: TodayNumbers;
  /** Twice as many as are shown, today last: the first half is what the other one is compared with. */
  readonly days: readonly ShownDay[];
  /** Null: not for this role. */
  readonly wallets: readonly WalletRecord[] | null;
  readonly newest: readonly CheckoutDossier[];
  /** Of the newest, by id; empty for who may not see them. */
  readonly customers: ReadonlyMap<string, Customer>;
};

export const shownDays = 30;
const needsShown = 5;
const checkoutsShown = 10;

/** What everybody sees, and apart from it what only some do. */
export type HomeLooks = {
  readonly numbers: SharedLook<Pick<HomeFacts, 'today' | 'days' | 'newest'>>;
  readonly wallets: SharedLook<readonly WalletRecord[]>;
};

export const createHomeLooks = (clock: Clock): HomeLooks => ({
  numbers: createSharedLook(clock),
  wallets: createSharedLook(clock),
});

/** `version`: of the news of the account, asked for before. */
export async function findHome(
  deps: HomeDeps,
  looks: HomeLooks,
  { look, merchant, now, version }: Pick<MemberContext, 'look' | 'merchant' | 'now'> & { readonly version: string },
): Promise<HomeFacts> {
  const { db, health, connectors } = deps;
  const timeZone = timeZoneOf(merchant.pageSettings);
  const day = dayOf(timeZone, now);
  const findNumbers = async () => {
    const [today, days, newest] = await Promise.all([
      readToday(deps, merchant.id, { day, timeZone }),
      readDays(deps, merchant, { now, count: 2 * shownDays }),
      findNewest(deps, merchant.id),
    ]);
    return { today, days, newest };
  };
  const [setUp, needs, { today, days, newest }, wallets] = await Promise.all([
    findSetUp(deps, look, merchant),
    needsYou(deps, merchant.id, { limit: needsShown, ...seenIn(look), first: 'oldest' }),
    looks.numbers(merchant.id, version, findNumbers),
    look.may('seeBalances') ? looks.wallets(merchant.id, version, () => readWallets(deps, merchant)) : null,
  ]);
  const about = await factsOf(deps, look, merchant.id, needs.items, now);
  const named = newest.flatMap(({ checkout }) => checkout.customerId ?? []);
  const customers: Customer[] = look.may('seeCustomers') ? await findCustomers(db, merchant.id, named) : [];
  return {
    now,
    day,
    currency: merchant.accountCurrency,
    setUp,
    away: [...connectors.keys()].filter((id) => !health.isUp(id)).map((id) => findNetwork(id)?.name ?? id),
    needs: { ...needs, about },
    today,
    days,
    wallets,
    newest,
    customers: new Map(customers.map((customer) => [customer.id, customer])),
  };
}

async function findNewest({ db }: HomeDeps, merchantId: string): Promise<CheckoutDossier[]> {
  const cut = { from: null, to: null, before: null, limit: checkoutsShown };
  const { keys } = await findPage(db, merchantId, anyCheckout, cut);
  return (await findDossiers(db, keys, { hasQuotes: false })).filter((dossier) => dossier !== undefined);
}
