/**
 * What is left to set up in an account, in the order in which it is done. Each step is decided by a fact and leads to where
 * it is done: who may not do it does not have the step.
 */
import type { AccountPermission } from '../../people/roles.ts';

export const setUpSteps = ['business', 'key', 'payment', 'webhook', 'owner', 'passkey', 'addresses'] as const;
export type SetUpStep = (typeof setUpSteps)[number];

export type SetUpFacts = {
  readonly hasKey: boolean;
  /** Only who calls the API, or is about to, needs to be told of anything. */
  readonly isKeyUsed: boolean;
  readonly wasPaid: boolean;
  readonly wasDelivered: boolean;
  readonly owners: number;
  /** The own ones of who looks. */
  readonly passkeys: number;
  readonly codesLeft: number;
  readonly hasTimeZone: boolean;
  readonly isAddressListEnforced: boolean;
};

export const setUpPath = '/account/set-up';

/** Where it is done, and who may; null: everybody. */
export const setUpPlaces: Readonly<
  Record<SetUpStep, { readonly path: string; readonly may: AccountPermission | null }>
> = {
  business: { path: `${setUpPath}/business`, may: 'business' },
  key: { path: '/account/developers/keys/new', may: 'chargeKeys' },
  payment: { path: '/account/checkouts/new?first=yes', may: 'charge' },
  webhook: { path: '/account/developers/webhooks#h-test', may: 'webhooks' },
  owner: { path: '/account/people', may: 'people' },
  passkey: { path: '/account/my-sign-in', may: null },
  addresses: { path: '/account/settings/api', may: 'business' },
};

export type SetUp = { readonly steps: readonly SetUpStep[]; readonly left: readonly SetUpStep[] };

/** Null: nothing is left. */
export function setUpLeft(facts: SetUpFacts, canDo: (step: SetUpStep) => boolean): SetUp | null {
  const isDone: Readonly<Record<SetUpStep, boolean>> = {
    business: facts.hasTimeZone,
    key: facts.hasKey,
    payment: facts.wasPaid,
    webhook: facts.wasDelivered,
    // Somebody else, or the printed codes: without either, a lost phone is a lost account.
    owner: facts.owners > 1 || facts.codesLeft > 0,
    passkey: facts.passkeys > 0,
    addresses: facts.isAddressListEnforced,
  };
  const needsKeys: readonly SetUpStep[] = ['webhook', 'addresses'];
  const steps = setUpSteps.filter((step) => canDo(step) && (facts.isKeyUsed || !needsKeys.includes(step)));
  const left = steps.filter((step) => !isDone[step]);
  return left.length === 0 ? null : { steps, left };
}

/** Where to go on: what comes after this step, else what was left out before it. Undefined: nothing but the step itself. */
export function stepAfter(left: readonly SetUpStep[], step: SetUpStep): SetUpStep | undefined {
  const at = setUpSteps.indexOf(step);
  return left.find((each) => setUpSteps.indexOf(each) > at) ?? left.find((each) => each !== step);
}

/** At which step a page is; undefined: at none. What comes of a payment link is still the payment. */
export function stepAt(path: string): SetUpStep | undefined {
  const places: readonly (readonly [SetUpStep, string])[] = [
    ['key', '/account/developers/keys'],
    ['payment', '/account/checkouts'],
    ['webhook', '/account/developers/webhooks'],
    ['owner', '/account/people'],
    ['passkey', '/account/my-sign-in'],
    ['addresses', '/account/settings/api'],
  ];
  return places.find(([, place]) => path === place || path.startsWith(`${place}/`))?.[0];
}
