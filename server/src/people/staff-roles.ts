/**
 * Who of the operator's staff may do what, as data, as `roles` says it of an account. *Operator*: all. *Treasury*: money and
 * what nobody asked for. *Support*: sees, and runs jobs. *Viewer*: sees.
 */
import type { AccountPermission, Grant, StaffRole } from './roles.ts';

/** A second person is for the use case to ask for; here it is yes, with a proof, or no. */
export type StaffGrant = Extract<Grant, 'yes' | 'proof' | 'no'>;

type Row = Readonly<Record<StaffRole, StaffGrant>>;

const row = (...[operator, treasury, support, viewer]: [StaffGrant, StaffGrant, StaffGrant, StaffGrant]): Row => ({
  operator,
  treasury,
  support,
  viewer,
});

export const staffGrants = {
  /** How the house is: overview, what waits, what is being sent, jobs, networks, rates. */
  seeHouse: row('yes', 'yes', 'yes', 'yes'),
  /** A parked job does again what it was made for, never anything else. */
  runJobs: row('yes', 'no', 'yes', 'no'),
  seeMerchants: row('yes', 'yes', 'yes', 'yes'),
  /** Create, invite an owner, fees, suspend. */
  merchants: row('proof', 'no', 'no', 'no'),
  /** See the pages of an account, which its people are told. */
  lookAtMerchants: row('yes', 'no', 'yes', 'no'),
  seeSuspense: row('yes', 'yes', 'yes', 'yes'),
  /** Assign or return what nobody asked for. */
  suspense: row('proof', 'proof', 'no', 'no'),
  seeBank: row('yes', 'yes', 'yes', 'yes'),
  /** Import what a bank tells: payments are credited for it. Make the files by which a bank is told to pay. */
  bank: row('proof', 'proof', 'no', 'no'),
  seeMoney: row('yes', 'yes', 'yes', 'yes'),
  /** Withdraw and bring in what is the operator's own; approve what another asked for. */
  money: row('proof', 'proof', 'no', 'no'),
  staff: row('proof', 'no', 'no', 'no'),
  seeAudit: row('yes', 'yes', 'no', 'yes'),
  seeConfiguration: row('yes', 'no', 'yes', 'yes'),
} as const satisfies Readonly<Record<string, Row>>;

/** What somebody sees who only looks at an account. No form is taken from them, whatever this says. */
const shownToLookers: ReadonlySet<AccountPermission> = new Set<AccountPermission>([
  'seeCheckouts',
  'seeCustomers',
  'seeBalances',
  'seeReports',
  'webhooks',
  'seeAudit',
]);

export const grantToLooker = (permission: AccountPermission): Grant => (shownToLookers.has(permission) ? 'yes' : 'no');

export type StaffPermission = keyof typeof staffGrants;

export const staffGrantOf = (permission: StaffPermission, role: StaffRole): StaffGrant => staffGrants[permission][role];
