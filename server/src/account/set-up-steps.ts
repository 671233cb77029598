/**
 * What is left to set up in an account. Each step is decided by a fact and leads to where it is done: who may not go there,
 * or where there is no such page, does not have the step.
 */
export const setUpSteps = ['key', 'payment', 'webhook', 'owner', 'passkey', 'business', 'addresses'] as const;
export type SetUpStep = (typeof setUpSteps)[number];

export type SetUpFacts = {
  readonly hasKey: boolean;
  /** Only who calls the API needs to be told of anything. */
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

export const setUpPaths: Readonly<Record<SetUpStep, string>> = {
  key: '/account/developers/keys',
  payment: '/account/checkouts/new',
  webhook: '/account/developers/webhooks',
  owner: '/account/people',
  passkey: '/account/my-sign-in',
  business: '/account/settings/business',
  addresses: '/account/settings/api',
};

export type SetUp = { readonly done: number; readonly all: number; readonly left: readonly SetUpStep[] };

/** Null: nothing is left. */
export function setUpLeft(facts: SetUpFacts, canOpen: (path: string) => boolean): SetUp | null {
  const isDone: Readonly<Record<SetUpStep, boolean>> = {
    key: facts.hasKey,
    payment: facts.wasPaid,
    webhook: facts.wasDelivered,
    // Somebody else, or the printed codes: without either, a lost phone is a lost account.
    owner: facts.owners > 1 || facts.codesLeft > 0,
    passkey: facts.passkeys > 0,
    business: facts.hasTimeZone,
    addresses: facts.isAddressListEnforced,
  };
  const needsKeys: readonly SetUpStep[] = ['webhook', 'addresses'];
  const listed = setUpSteps.filter(
    (step) => canOpen(setUpPaths[step]) && (facts.isKeyUsed || !needsKeys.includes(step)),
  );
  const left = listed.filter((step) => !isDone[step]);
  return left.length === 0 ? null : { done: listed.length - left.length, all: listed.length, left };
}
