const creditedStates: readonly (string | null)[] = ['COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED'];

/**
 * Whether a checkout, or its state, means that the account was credited: ship the goods. A newer server may have other
 * states, which do not.
 */
export const isCredited = (checkout: { readonly state: string | null } | string | null): boolean =>
  creditedStates.includes(typeof checkout === 'object' && checkout !== null ? checkout.state : checkout);
