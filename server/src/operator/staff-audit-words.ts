/** A row of the operator's own audit log as a sentence. What accounts have sentences for too is said as there. */
import { type AuditNames, actorText, auditSentence } from '../account/settings/audit-words.ts';
import type { AuditRow } from '../merchants/audit-store.ts';
import type { OperatorLook } from './operator-look.ts';
import { unitsOf } from './operator-parts.ts';

/** Kinds of what staff do, by what their actions begin with. */
export const staffAuditKinds = {
  merchants: ['merchant.', 'sign_up.', 'staff.looked'],
  money: ['withdrawal.', 'funding.'],
  suspense: ['unmatched.', 'movement.'],
  staff: ['staff.'],
  signIn: ['person.'],
  jobs: ['job.'],
  files: ['export.', 'bank.'],
} as const satisfies Record<string, readonly string[]>;

export type StaffAuditKind = keyof typeof staffAuditKinds;

export const staffKindWords: Readonly<Record<StaffAuditKind, string>> = {
  merchants: 'Merchants',
  money: 'Money',
  suspense: 'Suspense',
  staff: 'Staff',
  signIn: 'Sign-in',
  jobs: 'Jobs',
  files: 'Files',
};

export type StaffAuditNames = AuditNames & { readonly merchants: ReadonlyMap<string, string> };

/** What a sentence is made of. */
type Words = {
  readonly text: (name: string) => string;
  readonly merchant: string;
  readonly person: string;
  /** Where money goes: the address, and the memo where there is one. */
  readonly goal: string;
};

const sentences: Readonly<Record<string, (words: Words, amount: string) => string>> = {
  'merchant.opened': ({ merchant }) => `Opened the account ${merchant}`,
  'merchant.invitation_taken_back': ({ merchant }) => `Took back the invitation of an owner of ${merchant}`,
  'merchant.owner_invited': ({ merchant, text }) => `Invited ${text('email') || 'somebody'} to own ${merchant}`,
  'merchant.fees_changed': ({ merchant }) => `Changed the fees of ${merchant}`,
  'merchant.room_changed': ({ merchant }) => `Changed how much ${merchant} may keep`,
  'merchant.suspended': ({ merchant, text }) => `Suspended ${merchant}: ${text('why')}`,
  'merchant.resumed': ({ merchant }) => `Let ${merchant} work again`,
  'merchant.order_canceled': ({ merchant, text }) => `Took back ${text('order')}, which waited to leave ${merchant}`,
  'sign_up.approved': ({ text }) => `Opened the account of sign-up ${text('id')}`,
  'sign_up.refused': ({ text }) => `Refused sign-up ${text('id')}`,
  'staff.looked': ({ merchant }) => `Looked at ${merchant}`,
  'staff.joined': ({ text }) => `Joined the staff as ${text('role')}`,
  'staff.invited': ({ text }) => `Invited ${text('email')} to the staff as ${text('role')}`,
  'staff.invitation_taken_back': () => 'Took back an invitation to the staff',
  'staff.role_changed': ({ person, text }) => `Gave ${person} the role ${text('role')}`,
  'staff.removed': ({ person }) => `Removed ${person} from the staff`,
  'staff.signed_out': ({ person }) => `Signed ${person} out everywhere`,
  'withdrawal.requested': ({ text, goal }, amount) => `Asked to withdraw ${amount} to ${goal} (${text('id')})`,
  'withdrawal.declined': ({ text }) => `A withdrawal by command was not taken: ${text('why')} (${text('id')})`,
  'bank.imported': ({ text }) => `Imported ${text('file')}: documents of ${text('network')}`,
  'bank.refused_put_aside': ({ text }) =>
    `Put aside ${text('file')}, which was refused in the folder of ${text('network')}`,
  'bank.bytes_read': ({ text }) => `Downloaded ${text('file')} of ${text('network')} as it came`,
  'bank.file_made': ({ text }, amount) =>
    `Made payment file ${text('id')} for ${text('network')}: ${text('orders')} payments, ${amount}`,
  'bank.file_downloaded': ({ text }) =>
    text('times') === '1'
      ? `Downloaded payment file ${text('id')}`
      : `Downloaded payment file ${text('id')} once more, for the ${text('times')}. time`,
  'bank.file_voided': ({ text }) => `Made payment file ${text('id')} void, which nobody had downloaded`,
  'bank.file_declared_void': ({ text }) =>
    `Declared that payment file ${text('id')} was not signed, or was deleted at the bank`,
  'bank.payment_refused': ({ text }, amount) => `Refused payment ${text('payout')} of ${amount}: ${text('why')}`,
  'job.dropped': ({ text }) => `Dropped job ${text('id')}, ${text('name')}`,
  'withdrawal.approved': ({ text, goal }, amount) => `Approved the withdrawal of ${amount} to ${goal} (${text('id')})`,
  'withdrawal.refused': ({ text, goal }, amount) => `Refused the withdrawal of ${amount} to ${goal} (${text('id')})`,
  'funding.asked': ({ text }) => `Asked for an address on ${text('network')} to bring money in`,
  'unmatched.assigned': ({ text }) => `Assigned payment ${text('id')} to ${text('checkoutId')}`,
  'movement.assigned': ({ text }) => `Said that movement ${text('id')} was ${text('as')} ${text('of')}`,
  'unmatched.return_requested': ({ text, goal }) => `Asked to send payment ${text('id')} back to ${goal}`,
  'unmatched.return_declined': ({ text }) => `Payment ${text('id')} was not sent back by command: ${text('why')}`,
  'unmatched.return_refused': ({ text, goal }) => `Refused to send payment ${text('id')} back to ${goal}`,
  'unmatched.own_requested': ({ text }) => `Asked to take payment ${text('id')} as our own: ${text('reason')}`,
  'unmatched.own_refused': ({ text }) => `Refused to take payment ${text('id')} as our own: ${text('reason')}`,
  'unmatched.own': ({ text }) => `Took payment ${text('id')} as our own: ${text('reason')}`,
  'unmatched.small_own_requested': ({ text }, amount) =>
    `Asked to take ${text('count')} small payments by ${text('network')}, ${amount}, as our own: ${text('reason')}`,
  'unmatched.small_own_refused': ({ text }, amount) =>
    `Refused to take ${text('count')} small payments by ${text('network')}, ${amount}, as our own: ${text('reason')}`,
  'unmatched.small_own': ({ text }, amount) =>
    `Took ${text('count')} small payments by ${text('network')}, ${amount}, as our own: ${text('reason')}`,
  'unmatched.returned': ({ text, goal }) => `Sent payment ${text('id')} back to ${goal}`,
  'export.audit': () => 'Took along the audit log as a file',
};

/** Who may not look at merchants reads what was done with an account, and no address of its people. */
export function seenByStaff(look: OperatorLook, row: AuditRow): AuditRow {
  if (look.staffMay('lookAtMerchants') || !row.action.startsWith('merchant.')) return row;
  const { email: _, ...detail } = row.detail;
  return { ...row, detail };
}

export const hasStaffSentence = (action: string): boolean => Object.hasOwn(sentences, action);

export function staffSentence(look: OperatorLook, names: StaffAuditNames, row: AuditRow): string {
  const { action, detail } = row;
  const text = (name: string): string => {
    const value = detail[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const make = sentences[action];
  if (!make) return auditSentence(look, names, row);
  const merchant = names.merchants.get(text('merchant')) ?? text('merchant');
  const person = names.people.get(text('person')) ?? 'somebody';
  const goal = text('memo') === '' ? text('address') : `${text('address')}, memo ${text('memo')}`;
  return make({ text, merchant, person, goal }, amountIn(names, row));
}

/** As accounts write it. */
const amountIn = ({ assets }: StaffAuditNames, { detail }: AuditRow): string => {
  const [asset, units] = [detail['asset'], detail['units']];
  return typeof asset === 'string' && typeof units === 'string' && /^\d+$/.test(units)
    ? unitsOf(assets, { asset, units: BigInt(units) })
    : '';
};

export const staffActor = (look: OperatorLook, names: StaffAuditNames, actor: string): string =>
  actor === 'operator' ? 'a command' : actorText(look, names, actor);
