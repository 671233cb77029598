/**
 * Who may do what: every endpoint names the permission that it needs, and this table says which scopes of an API key
 * give it. One of them is enough. `read` changes nothing; `money` and `approve` may look at what they decide about.
 */
export const scopes = ['charge', 'read', 'money', 'approve'] as const;
export type Scope = (typeof scopes)[number];

/** The words of the API reference. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  charge: 'what a shop needs: create and read checkouts, payment links and deposits, save customers, the catalogue',
  read: 'lists of customers, balances, transfers, swaps and refunds, papers, reports, and the settings; changes nothing',
  money: 'transfers, swaps, refunds, credit notes, destinations and beneficiaries, and what is kept of odd payments',
  approve: 'agree to transfers and refunds that another key asked for, or refuse them',
};

export const scopesFor = {
  useCatalogue: scopes,
  charge: ['charge'],
  readCheckouts: ['charge', 'read'],
  /** Whether less than the price is enough, or the merchant keeps more than the price: decisions about money. */
  decideCheckouts: ['money'],
  saveCustomers: ['charge'],
  /** Names and addresses. Not with `charge`, which can learn customers' ids from a list of checkouts. */
  readCustomers: ['read'],
  readBalances: ['read', 'money'],
  /** Whole periods of an account, with what it is worth. */
  readReports: ['read'],
  readOrders: ['read', 'money', 'approve'],
  /** Among them limits and the list of addresses: nothing that a shop needs. */
  readSettings: ['read'],
  orderMoney: ['money'],
  /** Whoever may approve an order may also refuse it: then the money stays where it is. */
  cancelOrders: ['money', 'approve'],
  approveOrders: ['approve'],
  readWebhooks: ['charge', 'read', 'money'],
  resendWebhooks: ['charge', 'money'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

export type Permission = keyof typeof scopesFor;

export const isGranted = (permission: Permission, held: readonly Scope[]): boolean =>
  scopesFor[permission].some((scope) => held.includes(scope));
