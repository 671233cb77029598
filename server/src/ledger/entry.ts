/** An entry is something that happened; its lines move units between accounts and add up to zero for each asset. */
import { assert } from '../lib/assert.ts';
import { assetOfAccount } from './chart-of-accounts.ts';

export type Line = { readonly account: string; readonly units: bigint };

/** What something that happened is about: for each kind of subject, the slice that posts says which id it means. */
export type Subject = { readonly kind: SubjectKind; readonly id: string };

/**
 * Every kind of entry, and what one of it may be about. The ledger only holds a posting against this table; whether there
 * is such a subject, and what it is, is the business of the slices that post.
 */
export const subjectsOfKind = {
  payment_received: ['checkout', 'deposit'],
  payment_reversed: ['checkout', 'deposit'],
  moved_to_suspense: ['checkout'],
  settlement: ['checkout'],
  settlement_reversed: ['checkout'],
  excess_accepted: ['checkout'],
  refund_followed: ['checkout'], // A payment of the checkout is booked again.
  refund_held: ['refund'],
  refund_sent: ['refund'],
  refund_returned: ['refund'],
  refund_came_back: ['refund'],
  deposit_credited: ['deposit'],
  deposit_reversed: ['deposit'],
  funding_received: ['funding'],
  funding_reversed: ['funding'],
  unmatched_received: ['unmatched_payment'],
  unmatched_returned: ['unmatched_payment'],
  unmatched_own: ['unmatched_payment', 'crumb_adoption'],
  unmatched_own_reversed: ['unmatched_payment'],
  return_fee_reserved: ['unmatched_payment'],
  return_fee_released: ['unmatched_payment'],
  unmatched_assigned: ['checkout', 'deposit'], // Whose it is from then on.
  swap: ['swap'],
  swap_reserved: ['swap'],
  swap_released: ['swap'],
  exchange: ['checkout', 'swap'], // Whoever needed it.
  transfer_reserved: ['transfer'],
  transfer_released: ['transfer'],
  transfer_sent: ['transfer'],
  transfer_came_back: ['transfer'],
  withdrawal_reserved: ['withdrawal'],
  withdrawal_released: ['withdrawal'],
  withdrawal_sent: ['withdrawal'],
  withdrawal_came_back: ['withdrawal'],
  bridge_issued: ['bridge_payout'],
  bridge_burned: ['bridge_payout'],
  network_fee: ['outgoing_transaction'],
  network_fee_reversed: ['outgoing_transaction'],
  token_fee: ['outgoing_transaction'],
  token_fee_reversed: ['outgoing_transaction'],
  movement_received: ['network_movement'],
  movement_explained: ['network_movement'],
  opening_balance: ['holding'],
  difference_adopted: ['holding'],
} as const satisfies Record<string, readonly string[]>;

export type EntryKind = keyof typeof subjectsOfKind;
export type SubjectKind = (typeof subjectsOfKind)[EntryKind][number];

export type Entry = {
  readonly reference: string; // one for each thing that happens, so that it is posted once, however often that is tried
  readonly kind: EntryKind;
  readonly merchantId: string | null; // null: about the operator's own accounts
  readonly subject: Subject;
  readonly lines: readonly Line[];
};

/** An entry that takes a credit back is called like the credit, with this behind it: so the one is found by the other. */
export const reversalEnding = ':reversed';

export const reversalReference = (reference: string): string => `${reference}${reversalEnding}`;

/** Of which entry this is the reversal; null: of none. */
export const reversedReference = (reference: string): string | null =>
  reference.endsWith(reversalEnding) ? reference.slice(0, -reversalEnding.length) : null;

/**
 * Lines on the same account are added up, lines of zero disappear, and the rest must balance per asset. And the entry is
 * about something that its kind can be about.
 */
export function balancedEntry(entry: Entry): Entry {
  const subjects: readonly SubjectKind[] = subjectsOfKind[entry.kind];
  const { kind, id } = entry.subject;
  assert(subjects.includes(kind), `the entry ${entry.reference} is about a ${kind}, not a ${subjects.join(' or a ')}`);
  assert(id !== '', `the entry ${entry.reference} is about nothing`);
  const byAccount = new Map<string, bigint>();
  for (const { account, units } of entry.lines) byAccount.set(account, (byAccount.get(account) ?? 0n) + units);
  const lines = [...byAccount].filter(([, units]) => units !== 0n).map(([account, units]) => ({ account, units }));
  assert(lines.length >= 2, `the entry ${entry.reference} moves nothing`);

  const byAsset = new Map<string, bigint>();
  for (const { account, units } of lines) {
    const asset = assetOfAccount(account);
    byAsset.set(asset, (byAsset.get(asset) ?? 0n) + units);
  }
  for (const [asset, units] of byAsset)
    assert(units === 0n, `the entry ${entry.reference} is off by ${units} ${asset}`);
  return { ...entry, lines };
}

/** The opposite of an entry: how a mistake or a reorganisation is corrected, since rows are never changed. */
export const opposite = (lines: readonly Line[]): Line[] =>
  lines.map(({ account, units }) => ({ account, units: -units }));
