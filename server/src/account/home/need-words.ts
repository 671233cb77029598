/** An item of *Needs you* as a sentence, and the quieter line below it. */
import { printedAddress } from '../../catalog/network-catalog.ts';
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import type { Customer } from '../../counterparties/customer-store.ts';
import type { Need, NeedAmount, NeedKind } from '../../finding/needs-you.ts';
import { coinText, listed } from '../../web/number-text.ts';
import {
  agoText,
  customerName,
  orderOf,
  sentenceOf,
  sentenceText,
  type WordDeps,
} from '../checkouts/checkout-words.ts';
import type { AccountLook } from '../frame/account-look.ts';

/** What the items are about, found for those that are shown. */
export type NeedFacts = {
  readonly dossiers: ReadonlyMap<string, CheckoutDossier>;
  /** By id; empty for who may not see them. */
  readonly customers: ReadonlyMap<string, Customer>;
  readonly now: Date;
};

export type NeedTone = 'decide' | 'fail' | 'wait';

const tones: Readonly<Record<NeedKind, NeedTone>> = {
  policyToApprove: 'decide',
  transferToApprove: 'decide',
  refundToApprove: 'decide',
  newHand: 'wait',
  takenBack: 'fail',
  balanceOwed: 'fail',
  underpaid: 'decide',
  surplus: 'decide',
  refundFailed: 'fail',
  claimExpires: 'wait',
  webhooksGivenUp: 'fail',
  webhooksFailing: 'wait',
  destinationUsable: 'wait',
  keyUnused: 'wait',
  noPasskey: 'wait',
  onlyOneOwner: 'wait',
};

export const needTone = ({ kind }: Need): NeedTone => tones[kind];

const amountsOf = ({ language }: AccountLook, amounts: readonly NeedAmount[] = []): string =>
  listed(
    language,
    amounts.map(({ amount, assetCode }) => coinText(language, amount, assetCode)),
  );

export function needTitle(deps: WordDeps, look: AccountLook, need: Need, { dossiers, now }: NeedFacts): string {
  const dossier = dossiers.get(need.checkoutId ?? '');
  const order = dossier ? orderOf(dossier.checkout) : (need.checkoutId ?? '');
  // What came and what is missing is told as everywhere else.
  if (dossier && (need.kind === 'underpaid' || need.kind === 'surplus'))
    return `${order}: ${sentenceText(deps, look, sentenceOf(dossier, now), now)}`;
  if (need.policy)
    return look.say(`needPolicy_${need.policy.kind}`, { email: 'email' in need.policy ? need.policy.email : '' });
  const sentence = need.isRecovery ? 'recoveryOpen' : need.kind;
  return look.say(`need_${sentence}`, {
    order,
    amounts: amountsOf(look, need.amounts),
    host: hostOf(need.url),
    count: need.events ?? 0,
    key: need.apiKey ?? '',
    label: need.label ?? '',
  });
}

export function needLine(look: AccountLook, need: Need, { dossiers, customers, now }: NeedFacts): string {
  const { say } = look;
  const dossier = dossiers.get(need.checkoutId ?? '');
  const customer = customers.get(dossier?.checkout.customerId ?? '');
  const isUndecided = need.kind === 'underpaid' || need.kind === 'surplus';
  const parts: (string | undefined)[] = [
    customer && customerName(customer),
    isUndecided ? say('needWaiting', { amounts: amountsOf(look, need.amounts) }) : undefined,
    need.address === undefined ? undefined : say('needTo', { address: shortened(need.network ?? '', need.address) }),
    need.until === undefined || need.kind === 'newHand'
      ? undefined
      : say('needUntil', { when: agoText(look, need.until, now) }),
    need.kind === 'newHand' ? say(need.isRecovery ? 'needRecoveryMeans' : 'needNewHandMeans') : undefined,
    need.kind === 'balanceOwed' ? say('needOwedMeans') : undefined,
    need.kind === 'noPasskey' ? say('needNoPasskeyMeans') : undefined,
    need.kind === 'onlyOneOwner' ? say('needOneOwnerMeans') : undefined,
    // Of a payment the sentence itself says when.
    isUndecided || timeless.includes(need.kind) ? undefined : agoText(look, need.since, now),
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Since when does not matter. */
const timeless: readonly NeedKind[] = ['balanceOwed', 'noPasskey', 'onlyOneOwner'];

/** Enough to recognise it; all of it is shown where it is approved. */
const shortened = (network: string, address: string): string => {
  const printed = printedAddress(network, address);
  return printed === address && address.length > 24 ? `${address.slice(0, 10)}…${address.slice(-6)}` : printed;
};

const hostOf = (url: string | undefined): string => {
  if (url === undefined) return '';
  return URL.canParse(url) ? new URL(url).host : url;
};
