/** How far the set-up of an account is, for who looks: only what this role could do something about is asked for. */
import { countOfStates } from '../../checkouts/checkout-count-store.ts';
import { findCheckout } from '../../checkouts/checkout-store.ts';
import { anyCheckout, findPage } from '../../checkouts/list-checkouts.ts';
import type { Query } from '../../db/database.ts';
import { isKeyActor } from '../../http/actor.ts';
import { listKeys } from '../../merchants/api-key-store.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { membersOf } from '../../people/person-store.ts';
import { hasDelivered } from '../../webhooks/undelivered-store.ts';
import { isOwnLink } from '../checkouts/one-checkout-page.ts';
import { mayRefund } from '../checkouts/one-checkout-refund.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { type SetUp, setUpLeft, setUpPlaces } from './set-up-steps.ts';

const paidStates = ['COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED'];

/** The only payment so far, if it is of a link that somebody made here: whoever tries this out has paid it. */
export async function findFirstPayment(
  { db }: { readonly db: Query },
  look: AccountLook,
  merchantId: string,
): Promise<string | null> {
  if (!mayRefund(look)) return null;
  const cut = { from: null, to: null, before: null, limit: 2 };
  const { keys } = await findPage(db, merchantId, { ...anyCheckout, states: paidStates }, cut);
  const [only] = keys.length === 1 ? keys : [];
  const checkout = only && (await findCheckout(db, merchantId, only.id));
  return checkout && isOwnLink(checkout) ? checkout.id : null;
}

/** Null: nothing is left, or nothing of it is this role's. */
export async function findSetUp(
  { db }: { readonly db: Query },
  look: AccountLook,
  merchant: Merchant,
): Promise<SetUp | null> {
  const mayDoAny = look.may('charge') || look.may('chargeKeys') || look.may('people');
  const person = look.signedIn?.person;
  if (!mayDoAny || !person) return null;
  const [keys, paid, wasDelivered, members] = await Promise.all([
    listKeys(db, merchant.id),
    countOfStates(db, merchant.id, [...paidStates, 'REFUNDED'], 1),
    hasDelivered(db, merchant.id),
    membersOf(db, merchant.id),
  ]);
  const working = keys.filter(({ revokedAt }) => revokedAt === null);
  return setUpLeft(
    {
      hasKey: working.length > 0,
      // Whoever makes a key here is about to use it; every account has one of the operator's.
      isKeyUsed:
        keys.some(({ lastUsedAt }) => lastUsedAt !== null) ||
        working.some(({ madeBy }) => madeBy !== null && madeBy !== 'operator' && !isKeyActor(madeBy)),
      wasPaid: paid > 0,
      wasDelivered,
      owners: members.filter(({ role }) => role === 'owner').length,
      passkeys: person.passkeys,
      codesLeft: person.codesLeft,
      hasTimeZone: typeof merchant.pageSettings['timeZone'] === 'string',
      isAddressListEnforced: merchant.isAddressListEnforced,
    },
    (step) => {
      const { may } = setUpPlaces[step];
      return may === null || look.may(may);
    },
  );
}
