const creditedStates: readonly (string | null)[] = ['COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED'];

/** Whether a checkout was credited to the account: ship the goods. A newer server may have other states, which are not. */
export const isCredited = ({ state }: { readonly state: string | null }): boolean => creditedStates.includes(state);
