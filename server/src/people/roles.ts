/**
 * Who may do what in an account: the matrix of roles, as data. `people/` holds it, `auth/authenticate-person` decides by
 * it, and the manual is written from it.
 */

export const roles = ['owner', 'admin', 'accountant', 'support', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const staffRoles = ['operator', 'treasury', 'support', 'viewer'] as const;
export type StaffRole = (typeof staffRoles)[number];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
export const isStaffRole = (text: string): text is StaffRole => (staffRoles as readonly string[]).includes(text);

/**
 * `yes`: may. `proof`: after proving anew who it is. `small`: only what stays below the account's limit for support.
 * `smallProof`: both. `prepare`: may ask for it, and another person approves. `second`: proof, and a second person where
 * there is one.
 */
export type Grant = 'yes' | 'proof' | 'small' | 'smallProof' | 'prepare' | 'second' | 'no';

type Row = Readonly<Record<Role, Grant>>;

const row = (
  ...[owner, admin, accountant, support, developer, viewer]: [Grant, Grant, Grant, Grant, Grant, Grant]
): Row => ({
  owner,
  admin,
  accountant,
  support,
  developer,
  viewer,
});

export const grants = {
  seeCheckouts: row('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  seeCustomers: row('yes', 'yes', 'yes', 'yes', 'no', 'no'),
  /** A customer's e-mail address is where the link to a refund goes: whoever changes it could have the money. */
  changeCustomers: row('proof', 'proof', 'no', 'no', 'no', 'no'),
  /** Payment links, cancelling, sending a receipt again. */
  charge: row('yes', 'yes', 'no', 'yes', 'no', 'no'),
  /** Accept an underpayment, keep an excess. */
  decideCheckouts: row('yes', 'yes', 'no', 'small', 'no', 'no'),
  refund: row('proof', 'proof', 'prepare', 'smallProof', 'no', 'no'),
  /** Credit notes by hand: they move no money, and change what is owed to the tax office. Books are the accountant's. */
  creditPapers: row('proof', 'proof', 'proof', 'no', 'no', 'no'),
  seeBalances: row('yes', 'yes', 'yes', 'no', 'no', 'yes'),
  /** Swaps, transfers, destinations. */
  moveMoney: row('proof', 'proof', 'prepare', 'no', 'no', 'no'),
  /** Never one's own order. */
  approve: row('proof', 'proof', 'no', 'no', 'no', 'no'),
  seeReports: row('yes', 'yes', 'yes', 'no', 'no', 'yes'),
  exportReports: row('yes', 'yes', 'yes', 'no', 'no', 'no'),
  webhooks: row('yes', 'yes', 'no', 'yes', 'yes', 'no'),
  chargeKeys: row('proof', 'proof', 'no', 'no', 'proof', 'no'),
  moneyKeys: row('proof', 'proof', 'no', 'no', 'no', 'no'),
  /** Only owners give a key the right to approve. */
  approveKeys: row('proof', 'no', 'no', 'no', 'no', 'no'),
  brand: row('yes', 'yes', 'no', 'no', 'yes', 'no'),
  /**
   * Where customers are sent to pay, and what speaks for that domain. Links to refunds lead there: who gives no money back
   * must not say where they go.
   */
  brandDomain: row('proof', 'proof', 'no', 'no', 'no', 'no'),
  /** What is credited, tolerance, risk. */
  settlement: row('proof', 'proof', 'no', 'no', 'no', 'no'),
  /** Name, address, e-mail, currency and time zone of the business, and how programs sign their requests. */
  business: row('proof', 'proof', 'no', 'no', 'no', 'no'),
  /** Limits and the list of addresses. */
  limits: row('second', 'second', 'no', 'no', 'no', 'no'),
  /** Admins cannot make, change or remove owners: `people/change-member` says so. */
  people: row('proof', 'proof', 'no', 'no', 'no', 'no'),
  seeAudit: row('yes', 'yes', 'yes', 'no', 'no', 'no'),
} as const satisfies Readonly<Record<string, Row>>;

export type AccountPermission = keyof typeof grants;

export const accountPermissions = Object.keys(grants) as readonly AccountPermission[];

export const grantOf = (permission: AccountPermission, role: Role): Grant => grants[permission][role];

/** Without a second factor these could give away what the account holds. */
export const needsSecondFactor = (role: Role): boolean => role === 'owner' || role === 'admin';
