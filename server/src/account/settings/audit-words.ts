/** A row of the audit log as a sentence: what was done, by whom, with which proof. */
import { type AssetCatalog, findAsset } from '../../catalog/asset-catalog.ts';
import type { AuditRow } from '../../merchants/audit-store.ts';
import { formatUnits } from '../../money/amount.ts';
import { isRole } from '../../people/roles.ts';
import { coinText, listed } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { type AccountTextKey, hasAuditText } from '../texts/account-texts.ts';

export type AuditNames = {
  readonly assets: AssetCatalog;
  /** Of people, by their ids. */
  readonly people: ReadonlyMap<string, string>;
  /** Of the account's keys, by their ids. */
  readonly keys: ReadonlyMap<string, string>;
};

/** Kinds of what is done, by what their actions begin with. */
export const auditKinds = {
  money: ['transfer.', 'refund.', 'swap.', 'withdrawal.', 'unmatched.', 'target_account.', 'beneficiary.'],
  checkouts: ['checkout.', 'underpayment.', 'excess.', 'deposit.', 'payment_link.', 'paper.'],
  settings: ['settings.', 'address.', 'policy.', 'brand', 'merchant.'],
  people: ['person.', 'staff.'],
  exports: ['export.'],
  developers: ['key.', 'webhook'],
} as const satisfies Record<string, readonly string[]>;
export type AuditKind = keyof typeof auditKinds;

export const auditKeyOf = (action: string): string => `audit_${action.replaceAll(/[.-]/g, '_')}`;

export function auditSentence(look: AccountLook, names: AuditNames, { action, detail }: AuditRow): string {
  const { say } = look;
  const key = auditKeyOf(action);
  const facts = factsOf(look, names, detail);
  return hasAuditText(key) ? say(key, facts) : say('auditOther', { action });
}

function factsOf(look: AccountLook, names: AuditNames, detail: AuditRow['detail']) {
  const { say } = look;
  const text = (name: string): string => {
    const value = detail[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const role = text('role');
  return {
    id: text('checkoutId') || text('id') || text('refund') || text('deliveryId'),
    amount: amountOf(look, names, detail),
    address: text('address') || say('auditByLink'),
    key: names.keys.get(text('apiKey')) || text('apiKey') || text('keyId'),
    range: text('range'),
    email: text('email'),
    label: text('label'),
    domain: text('domain'),
    url: text('url'),
    role: isRole(role) ? say(`role_${role}`) : role,
    name: names.people.get(text('person')) ?? names.people.get(text('personId')) ?? say('somebodyElse'),
    settings: listed(look.language, settingNames(look, detail)),
  };
}

function amountOf({ language }: AccountLook, { assets }: AuditNames, detail: AuditRow['detail']): string {
  const [id, units] = [detail['asset'] ?? detail['sourceAsset'], detail['units'] ?? detail['sourceUnits']];
  if (typeof id !== 'string' || typeof units !== 'string' || !/^\d+$/.test(units)) return '';
  const asset = findAsset(assets, id);
  return asset ? coinText(language, formatUnits(BigInt(units), asset.ledgerScale), asset.assetCode) : '';
}

const settingTexts: Readonly<Record<string, AccountTextKey>> = {
  name: 'businessName',
  email: 'email',
  accountCurrency: 'businessCurrency',
  isBasicAllowed: 'basicAllowed',
  preferredAuth: 'authPreferred',
  isAddressListEnforced: 'setting_isAddressListEnforced',
  isAddressListForPeople: 'setting_isAddressListForPeople',
  settlementAsset: 'creditAsset',
  riskTolerance: 'riskTitle',
  highRiskAssets: 'riskHigh',
  tolerancePercent: 'tolerancePercent',
  toleranceAbsolute: 'toleranceAmount',
  lateTolerancePercent: 'latePercent',
  underpaidAcceptPercent: 'acceptPercent',
  extraConfirmations: 'extraConfirmations',
  takesRateOfBooking: 'rateOfBooking',
  destinationWaitMinutes: 'setting_destinationWaitMinutes',
  transferApprovalAbove: 'setting_transferApprovalAbove',
  refundApprovalAbove: 'setting_refundApprovalAbove',
  dailyLimit: 'setting_dailyLimit',
  supportLimit: 'setting_supportLimit',
  isWebhookHttpsRequired: 'auditHttps',
  feePercent: 'auditFees',
  feeMinimumUsd: 'auditFees',
  storedMegabytesMax: 'auditRoom',
  pageSettings: 'auditPage',
};

const settingNames = ({ say }: AccountLook, detail: AuditRow['detail']): string[] => [
  ...new Set(
    Object.keys(detail).flatMap((name) =>
      settingTexts[name] ? [say('auditQuoted', { text: say(settingTexts[name]) })] : [],
    ),
  ),
];

export function actorText({ say }: AccountLook, names: AuditNames, actor: string): string {
  if (actor === 'operator') return say('keyByOperator');
  if (actor === 'payer') return say('auditPayer');
  const [kind, id = ''] = actor.split(':');
  if (kind === 'person') return names.people.get(id) ?? say('somebodyElse');
  const apiKey = kind === 'key' ? id : actor;
  return say('auditKey', { key: names.keys.get(apiKey) || apiKey });
}

const proofs = ['passkey', 'totp', 'code', 'password', 'link'] as const;

/** Empty: it needed none. */
export function proofText({ say }: AccountLook, proof: string | null): string {
  if (proof === null) return '';
  const kind = proofs.find((each) => proof.startsWith(each));
  if (kind === undefined) return proof;
  if (proof.includes(' signed: ')) return say('auditSigned');
  return proof.endsWith('not long ago')
    ? `${say(`auditProof_${kind}`)} ${say('auditBefore')}`
    : say(`auditProof_${kind}`);
}
