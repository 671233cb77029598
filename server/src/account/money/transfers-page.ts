/** Transfers: what waits for approval, what is on its way, what is over; and one of them, with who did what. */
import type { AssetCatalog } from '../../catalog/asset-catalog.ts';
import { findNetwork } from '../../catalog/network-catalog.ts';
import { isPaidByFile } from '../../finding/bank-needs.ts';
import type { SlotWait } from '../../sending/slot-share.ts';
import { feeUnitsOf, nextTryOf, type Transfer, totalUnitsOf } from '../../wallets/transfer.ts';
import { shownTransferState, transferStates } from '../../wallets/transfer-state.ts';
import type { TransferGroup } from '../../wallets/transfer-store.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { type IconName, icon } from '../../web/icons.ts';
import { shortMoment, unitsText } from '../checkouts/checkout-words.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import { exportButton } from '../exports/list-reply.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import {
  type ActorNames,
  actorText,
  addressName,
  addressText,
  doneNotice,
  holderRow,
  isAtBank,
  networkFeeRow,
  networkName,
  networkRow,
  pairRow,
  railPart,
  shortened,
  transactionName,
  transactionText,
  worthRow,
} from '../frame/money-words.ts';
import { accountField, approvalAnswers, proofField, proving } from '../sign-in/sign-in-parts.ts';
import type { MoneyDeps } from './money-deps.ts';

export const transfersPath = '/account/transfers';
export const newTransferPath = `${transfersPath}/new`;
export const destinationsPath = `${transfersPath}/destinations`;

export const transferGroups: readonly TransferGroup[] = ['toApprove', 'underWay', 'over'];

type Shown = ReturnType<typeof shownTransferState>;

const tones: Readonly<Record<Shown, 'decide' | 'wait' | 'paid' | 'fail' | 'none'>> = {
  AWAITING_APPROVAL: 'decide',
  WAITING: 'wait',
  QUEUED: 'wait',
  SENT: 'wait',
  COMPLETED: 'paid',
  FAILED: 'fail',
  CANCELED: 'none',
};

const shownOf = ({ state, isSigned }: Transfer): Shown => shownTransferState(state, isSigned);

function stateMark({ say }: AccountLook, transfer: Transfer, isPill = false): Html {
  const shown = shownOf(transfer);
  return html`<span class="state ${tones[shown]}${isPill && ' pill'}">${icon(tones[shown])}${say(`transferState_${shown}`)}</span>`;
}

export type TransferListFacts = {
  readonly group: TransferGroup;
  readonly items: readonly Transfer[];
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly names: ActorNames;
};

export function transfersPage(
  deps: { readonly assets: AssetCatalog },
  look: AccountLook,
  facts: TransferListFacts,
): Html {
  const { say, may } = look;
  const { group, items } = facts;
  const isSomething = items.length > 0 || !facts.isFirst;
  const isNew =
    may('moveMoney') && html`<a class="btn primary" href="${newTransferPath}">${icon('plus')}${say('newTransfer')}</a>`;
  return accountPage(look, {
    title: say('transfers'),
    actions: html`${items.length > 0 && exportButton(look, `${transfersPath}/export?tab=${group}`)}<a class="btn" href="${destinationsPath}">${say('destinations')}</a>${isSomething && isNew}`,
    main: html`<nav class="tabs" aria-label="${say('transferGroups')}">${transferGroups.map(
      (each) =>
        html`<a href="${transfersPath}?tab=${each}"${each === group && html` aria-current="page"`}>${say(`transferTab_${each}`)}</a>`,
    )}</nav>
${isSomething ? table(deps, look, facts) : html`<div class="empty">${icon('send')}<p>${say(`noTransfers_${group}`)}</p>${isNew}</div>`}
${pagerOf(look, transfersPath, { ...facts, rest: `tab=${group}` })}`,
  });
}

function table(deps: { readonly assets: AssetCatalog }, look: AccountLook, { items, names }: TransferListFacts): Html {
  const { say, now } = look;
  const row = (transfer: Transfer): Html => {
    const time = shortMoment(look, transfer.createdAt, now);
    const actor = actorText(look, names, transfer.requestedBy);
    return html`<tr><th scope="row" class="wrap"><a href="${transfersPath}/${transfer.id}">${targetText(transfer)}</a><span class="sub">${networkName(transfer.network)} · ${time}</span></th><td class="desk">${networkName(transfer.network)}</td><td class="n">${unitsText(deps, look, transfer)}<span class="sub">${stateMark(look, transfer)}</span></td><td class="desk">${stateMark(look, transfer)}<span class="sub cramped">${actor}</span></td><td class="desk roomy">${actor}</td><td class="n desk">${time}</td></tr>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('transfers')}"><table class="table list"><thead><tr><th scope="col">${say('transferTo')}</th><th scope="col" class="desk">${say('factNetwork')}</th><th scope="col" class="n">${say('transferAmount')}</th><th scope="col" class="desk">${say('transferState')}</th><th scope="col" class="desk roomy">${say('transferAsker')}</th><th scope="col" class="n desk">${say('transferTime')}</th></tr></thead><tbody>${items.map(row)}</tbody></table></div>
<p class="small quiet older">${say('shownTransfers', { count: items.length })}</p>`;
}

const targetText = ({ targetLabel, network, address }: Transfer): HtmlValue =>
  targetLabel ??
  (isAtBank(network) ? addressText(network, address) : html`<span class="mono">${shortened(address)}</span>`);

export const transferDeeds = ['created', 'canceled'] as const;

export type OneTransferFacts = {
  readonly transfer: Transfer;
  readonly names: ActorNames;
  /** Of whoever looks at it, who therefore cannot approve it. */
  readonly isOwn: boolean;
  /** The transaction that brings it; at a bank it is known by that while it is under way. Null: it is not signed yet. */
  readonly sentAs: string | null;
  /** What came back of it while it is under way. */
  readonly backSoFar: bigint;
  /** It could leave, were it not for the limit of a day. */
  readonly isOverDay: boolean;
  readonly did: (typeof transferDeeds)[number] | null;
};

export function oneTransferPage(deps: MoneyDeps, look: AccountLook, facts: OneTransferFacts): Html {
  const { say } = look;
  const { transfer, did } = facts;
  const amount = unitsText(deps, look, transfer);
  const when = momentText(look, nextTryOf(transfer, look.now));
  const { backSoFar } = facts;
  const back = unitsText(deps, look, { asset: transfer.asset, units: transfer.cameBackUnits || backSoFar });
  const told = facts.isOverDay
    ? say.html('transferTold_overDay', { when })
    : say.html(`transferTold_${toldOf(transfer, backSoFar)}`, { when, why: transfer.failure ?? '', amount: back });
  return accountPage(look, {
    title: say('transferTitle', { amount }),
    crumb: html`<a href="${transfersPath}">${say('transfers')}</a> <span class="quiet">/ ${transfer.id}</span>`,
    main: html`${did !== null && doneNotice(say(`transferDid_${did}`))}
<p>${stateMark(look, transfer, true)}</p><p class="lead">${told}</p>
<div class="work part"><div>${approvalPart(look, facts)}
<section class="part"><div class="part-head"><h2>${say('transferSteps')}</h2></div><ol class="timeline">${steps(deps, look, facts).map(stepItem)}</ol></section>
${cancelPart(look, facts)}</div>
<div class="rail">${railPart(say('transferFacts'), factRows(deps, look, facts))}</div></div>`,
  });
}

type Told = ReturnType<typeof shownOf> | SlotWait | 'cameBack' | 'partBack' | 'backSoFar' | 'toOrder' | 'ordered';

function toldOf(transfer: Transfer, backSoFar: bigint): Told {
  if (transfer.cameBackUnits > 0n) return transfer.state === 'FAILED' ? 'cameBack' : 'partBack';
  const shown = shownOf(transfer);
  if (backSoFar > 0n && shown === 'SENT') return 'backSoFar';
  if (shown === 'QUEUED' && transfer.waitsFor !== null) return transfer.waitsFor;
  if (!isPaidByFile(transfer.network)) return shown;
  return shown === 'QUEUED' ? 'toOrder' : shown === 'SENT' ? 'ordered' : shown;
}

function factRows(deps: MoneyDeps, look: AccountLook, { transfer, sentAs }: OneTransferFacts): Html {
  const { say } = look;
  const units = (each: bigint): string => unitsText(deps, look, { asset: transfer.asset, units: each });
  const { targetLabel, memo, state, costUnits } = transfer;
  return html`${targetLabel !== null && pairRow(say('factTo'), targetLabel)}${pairRow(addressName(look, transfer.network, transfer.address), addressText(transfer.network, transfer.address))}${holderRow(look, transfer.holder)}${memo !== null && pairRow(say('factMemo'), html`<span class="mono breaks">${memo}</span>`)}${networkRow(look, transfer.network)}${pairRow(say('factArrives'), units(transfer.units))}${shownOf(transfer) === 'AWAITING_APPROVAL' && worthRow(deps, look, transfer)}${networkFeeRow(look, transfer.network, transfer.networkFeeUnits, units(transfer.networkFeeUnits))}${feeUnitsOf(transfer) > transfer.networkFeeUnits && pairRow(say('factServiceFee'), units(transfer.serviceFeeUnits))}${pairRow(say('factTotal'), units(totalUnitsOf(transfer)), 'sum')}${sentAs !== null && pairRow(transactionName(look, transfer.network), transactionText(deps, transfer.network, sentAs))}${state === 'FAILED' && costUnits > 0n && pairRow(say('factFailureCost'), units(costUnits))}`;
}

type Step = { readonly icon: IconName; readonly tone: string; readonly text: HtmlValue; readonly at: Html | false };

/** Newest first, as everywhere. */
function steps(deps: MoneyDeps, look: AccountLook, { transfer, names, isOverDay, sentAs }: OneTransferFacts): Step[] {
  const { say } = look;
  const { state, approvedBy, approvedAt, canceledBy, endedAt, txHash, isSigned, cameBackUnits, cameBackAt } = transfer;
  const hasComeBack = cameBackUnits > 0n;
  const back = unitsText(deps, look, { asset: transfer.asset, units: cameBackUnits });
  const who = (actor: string): string => actorText(look, names, actor);
  const ended = endedAt !== null && momentText(look, endedAt);
  // At a bank it stands beside, with what it is called there.
  const isLink = sentAs !== null && findNetwork(transfer.network)?.knownAs === undefined;
  const link = isLink && html` ${transactionText(deps, transfer.network, sentAs)}`;
  const list: (Step | false)[] = [
    hasComeBack && {
      icon: 'x',
      tone: 'fail',
      text: say('step_cameBack', { amount: back }),
      at: cameBackAt !== null && momentText(look, cameBackAt),
    },
    (state === 'COMPLETED' || hasComeBack) && { icon: 'check', tone: 'paid', text: say('step_completed'), at: ended },
    state === 'FAILED' &&
      !hasComeBack && {
        icon: 'x',
        tone: 'fail',
        text: html`${say('step_failed')}: ${transfer.failure}`,
        at: ended,
      },
    state === 'CANCELED' && {
      icon: 'x',
      tone: '',
      text: canceledBy === null ? say('step_canceledSomehow') : say('step_canceled', { who: who(canceledBy) }),
      at: ended,
    },
    (isSigned || txHash !== null) && {
      icon: 'send',
      tone: 'paid',
      text: html`${say(isPaidByFile(transfer.network) ? 'step_ordered' : 'step_sent')}${link}`,
      at: false,
    },
    state === 'WAITING' && {
      icon: 'clock',
      tone: 'wait',
      text: say.html(isOverDay ? 'step_waitsForDay' : 'step_waits', {
        when: momentText(look, nextTryOf(transfer, look.now)),
      }),
      at: false,
    },
    approvedBy !== null && {
      icon: 'check',
      tone: 'paid',
      text: say('step_approved', { who: who(approvedBy) }),
      at: approvedAt !== null && momentText(look, approvedAt),
    },
    {
      icon: 'users',
      tone: '',
      text: say('step_asked', { who: who(transfer.requestedBy) }),
      at: momentText(look, transfer.createdAt),
    },
  ];
  return list.filter((step) => step !== false);
}

const stepItem = ({ icon: sign, tone, text, at }: Step): Html =>
  html`<li class="${tone}"><span class="dot">${icon(sign)}</span><p class="head"><b>${text}</b>${at}</p></li>`;

function approvalPart(look: AccountLook, { transfer, isOwn }: OneTransferFacts): Html | false {
  const { say } = look;
  if (transfer.state !== 'AWAITING_APPROVAL') return false;
  if (isOwn) return html`<p class="notice">${icon('users')}<span>${say('transferOwn')}</span></p>`;
  if (!look.may('approve')) return false;
  return approvalAnswers(look, `${transfersPath}/${transfer.id}`);
}

function cancelPart(look: AccountLook, { transfer, isOwn }: OneTransferFacts): Html | false {
  const { say } = look;
  const grant = look.signedIn?.grant('moveMoney') ?? 'no';
  const mayCancel = grant === 'proof' || (grant === 'prepare' && isOwn);
  // Who may approve it refuses it instead.
  const isToRefuse = transfer.state === 'AWAITING_APPROVAL' && !isOwn && look.may('approve');
  if (!mayCancel || isToRefuse || transfer.isSigned || !transferStates.can(transfer.state, 'cancel')) return false;
  return html`<section class="part"><form class="form" method="post" action="${transfersPath}/${transfer.id}/cancel"${proving(look)}>${accountField(look)}${grant === 'proof' && proofField(look)}<div class="bar"><button class="btn danger">${say('cancelTransfer')}</button><span class="small quiet">${say('cancelTransferMeans')}</span></div></form></section>`;
}
