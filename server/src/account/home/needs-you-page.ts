/** *Needs you*: everything that waits for a person, worst first. One item can be opened, and is decided where it is read. */
import { isTakenForGood } from '../../finding/checkout-sentence.ts';
import { canBeHidden, needName } from '../../finding/need-kinds.ts';
import type { Need, NeedKind } from '../../finding/needs-you.ts';
import { personActor } from '../../http/actor.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { coinText } from '../../web/number-text.ts';
import { approvalParts } from '../checkouts/one-checkout-approval.ts';
import { decisionPart } from '../checkouts/one-checkout-decision.ts';
import type { CheckoutView } from '../checkouts/one-checkout-facts.ts';
import { accountPage, type PageNews } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { type Elsewhere, elsewhereNotice } from '../frame/elsewhere.ts';
import { actorText, goalRows, pairRow } from '../frame/money-words.ts';
import { policyDecision, type WaitingPolicies } from '../settings/policy-words.ts';
import { notificationsPath } from '../settings/settings-parts.ts';
import { accountField, approvalAnswers } from '../sign-in/sign-in-parts.ts';
import { type NeedFacts, needLine, needTitle, needTone } from './need-words.ts';
import { isIn, type NeedDeed, type NeedGroup, needGroups, needsYouPath } from './needs-you-path.ts';

export type NeedsYouFacts = NeedFacts & {
  readonly group: NeedGroup;
  readonly items: readonly Need[];
  readonly count: number;
  /** The one that is opened, and the checkout that it is about. */
  readonly open: { readonly name: string; readonly view: CheckoutView | null } | null;
  readonly did: NeedDeed | null;
  readonly policies: WaitingPolicies;
  readonly elsewhere: Elsewhere | null;
  readonly news: PageNews;
};

export function needsYouPage(deps: RequestRefundDeps, look: AccountLook, facts: NeedsYouFacts): Html {
  const { say } = look;
  const { items, count, did } = facts;
  const shown = items.filter(({ kind }) => isIn(facts.group, kind));
  return accountPage(look, {
    title: say('needsYou'),
    ...(count > 0 && { lead: say('thingsWait', { count }) }),
    actions: html`<a class="btn quiet desk" href="${notificationsPath}">${icon('mail')}${say('menuNotifications')}</a>`,
    news: facts.news,
    ...(count > 0 && { documentTitle: `(${count}) ${say('needsYou')}` }),
    main: html`${facts.elsewhere !== null && elsewhereNotice(look, facts.elsewhere)}${did !== null && html`<p class="notice paid" role="status">${icon('check')}<span>${say(`needDid_${did}`)}</span></p>`}
${
  count === 0
    ? html`<div class="empty">${icon('check')}<p>${say('nothingNeedsYou')}</p></div>`
    : html`${tabs(look, facts)}
${shown.length === 0 ? html`<p class="quiet part">${say('noneOfThis')}</p>` : html`<ul class="asks" data-parts>${shown.map((need) => item(deps, look, need, facts))}</ul>`}
<div class="older"><span>${items.length < count ? say('needsMore', { count: count - items.length }) : say('thatIsAll')}</span></div>`
}`,
  });
}

function tabs({ say }: AccountLook, { group: here, items }: NeedsYouFacts): Html {
  const groups = (Object.keys(needGroups) as NeedGroup[]).map((group) => ({
    group,
    many: items.filter(({ kind }) => isIn(group, kind)).length,
  }));
  return html`<nav class="tabs" aria-label="${say('needKinds')}">${groups.map(
    ({ group, many }) =>
      html`<a href="${needsYouPath({ group })}"${group === here && html` aria-current="page"`}>${say(`needGroup_${group}`)}${many > 0 && html` <span class="count">${many}</span>`}</a>`,
  )}</nav>`;
}

function item(deps: RequestRefundDeps, look: AccountLook, need: Need, facts: NeedsYouFacts): Html {
  const { open } = facts;
  if (open === null || open.name !== needName(need)) return closedItem(deps, look, need, facts, facts.group);
  const inside = insideOf(deps, look, need, open.view, facts.policies);
  return html`<li class="${needTone(need)} open" id="open" data-held><div class="first">${icon(needTone(need))}<div><b>${needTitle(deps, look, need, facts)}</b><p>${needLine(look, need, facts)}</p></div><a class="btn quiet icon" href="${needsYouPath({ group: facts.group })}" aria-label="${look.say('close')}">${icon('x')}</a></div>
<div class="decision">${inside}${need.checkoutId !== undefined && html`<p><a href="/account/checkouts/${need.checkoutId}">${look.say('openCheckout')}</a></p>`}</div></li>`;
}

export function closedItem(
  deps: RequestRefundDeps,
  look: AccountLook,
  need: Need,
  facts: NeedFacts,
  group: NeedGroup,
): Html {
  const tone = needTone(need);
  const to = linkOf(need, group);
  return html`<li class="${tone}" data-key="${needName(need)}">${icon(tone)}<div><b><a href="${to.path}">${needTitle(deps, look, need, facts)}</a></b><p>${needLine(look, need, facts)}</p></div><div class="bar"><a class="btn" href="${to.path}">${look.say(`needDo_${to.action}`)}</a>${canBeHidden(need.kind) && hideForm(look, needName(need))}</div></li>`;
}

const hideForm = (look: AccountLook, item: string): Html =>
  html`<form class="inline" method="post" action="${needsYouPath()}/hide">${accountField(look)}<button class="btn quiet" name="item" value="${item}">${look.say('hideNeed')}</button></form>`;

type NeedAction = 'review' | 'decide' | 'explain' | 'open' | 'details' | 'send' | 'invite' | 'addPasskey' | 'people';
type NeedLink = { readonly path: string; readonly action: NeedAction };

/** What can be decided here is opened here; the rest leads to where it is done. */
const links: Readonly<Record<NeedKind, { readonly action: NeedAction; readonly to: string }>> = {
  policyToApprove: { action: 'review', to: 'here' },
  transferToApprove: { action: 'review', to: 'here' },
  refundToApprove: { action: 'review', to: 'here' },
  newHand: { action: 'people', to: '/account/people' },
  takenBack: { action: 'explain', to: 'here' },
  balanceOwed: { action: 'explain', to: 'here' },
  underpaid: { action: 'decide', to: 'here' },
  surplus: { action: 'decide', to: 'here' },
  refundFailed: { action: 'open', to: 'checkout' },
  claimExpires: { action: 'open', to: 'checkout' },
  webhooksGivenUp: { action: 'details', to: '/account/developers/webhooks' },
  webhooksFailing: { action: 'details', to: '/account/developers/webhooks' },
  destinationUsable: { action: 'send', to: 'destination' },
  keyUnused: { action: 'details', to: '/account/developers/keys' },
  noPasskey: { action: 'addPasskey', to: '/account/my-sign-in' },
  onlyOneOwner: { action: 'invite', to: '/account/people' },
};

function linkOf(need: Need, group: NeedGroup): NeedLink {
  const { action, to } = links[need.kind];
  if (to === 'here') return { path: `${needsYouPath({ group, open: needName(need) })}#open`, action };
  if (to === 'destination')
    return { path: `/account/transfers/new?to=${encodeURIComponent(need.targetAccountId ?? '')}`, action };
  return { path: to === 'checkout' ? `/account/checkouts/${need.checkoutId ?? ''}` : to, action };
}

function insideOf(
  deps: RequestRefundDeps,
  look: AccountLook,
  need: Need,
  view: CheckoutView | null,
  policies: WaitingPolicies,
): Html | Html[] {
  const { say } = look;
  const change = policies.changes.find(({ id }) => id === need.policyId);
  if (need.kind === 'policyToApprove')
    return change ? policyDecision(look, policies, change) : html`<p>${say('needGone')}</p>`;
  if (need.kind === 'transferToApprove') return transferPart(look, need, policies);
  if (need.kind === 'takenBack') {
    const isByBank = view !== null && isTakenForGood(view.dossier);
    return html`<p>${say(isByBank ? 'needTakenBackByBankMeans' : 'needTakenBackMeans')}</p>`;
  }
  if (need.kind === 'balanceOwed') return html`<p>${say('needOwedExplained')}</p>`;
  if (view === null) return html`<p>${say('needGone')}</p>`;
  if (need.kind === 'refundToApprove') return approvalParts(deps, look, view);
  const decision = decisionPart(deps, look, view);
  return decision === false ? html`<p>${say('needGone')}</p>` : decision;
}

function transferPart(look: AccountLook, need: Need, { members, merchant }: WaitingPolicies): Html {
  const { say } = look;
  const {
    transferId = '',
    network = '',
    address = '',
    memo = null,
    memoType = null,
    holder = null,
    asker = 'operator',
  } = need;
  const names = new Map(members.map(({ personId, name }) => [personActor(personId), name]));
  const [amount] = need.amounts ?? [];
  const path = `/account/transfers/${encodeURIComponent(transferId)}`;
  return html`<dl class="kv">${amount && pairRow(say('factArrives'), coinText(look.language, amount.amount, amount.assetCode))}${goalRows(look, { network, address, memo, memoType, holder })}${pairRow(say('orderAskedBy'), actorText(look, names, asker))}${pairRow(say('orderAccount'), merchant.name)}</dl>
${approvalAnswers(look, path)}`;
}
