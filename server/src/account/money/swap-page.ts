/** A swap: what is given for what, its price with a minute's clock, and what became of swaps so far. */
import type { SwapRecord } from '@quittance/contract/swap';
import type { WalletRecord } from '@quittance/contract/wallet';
import type { CatalogAsset } from '../../catalog/asset-catalog.ts';
import { homeNetwork } from '../../catalog/network-catalog.ts';
import type { GatewayError } from '../../lib/errors.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { formatUnits } from '../../money/amount.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { dateFormat } from '../../web/intl-formats.ts';
import { percentText, rateText } from '../../web/number-text.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import {
  type ActorNames,
  actorText,
  amountText,
  lessText,
  pairRow,
  railPart,
  transactionText,
} from '../frame/money-words.ts';
import { accountField, orderProof, signing } from '../sign-in/sign-in-parts.ts';
import { balancesCrumb, balancesPath, newDepositButton, swapPath } from './balances-page.ts';
import type { MoneyDeps } from './money-deps.ts';

export type SwapWishAsked = {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  /** What the amount is of. */
  readonly of: 'given' | 'wanted';
};

export const quotePath = (asked: SwapWishAsked, isOver = false): string =>
  `${swapPath}/quote?${new URLSearchParams({ ...asked, ...(isOver && { over: 'yes' }) }).toString()}`;

const tones = { PROCESSING: 'wait', COMPLETED: 'paid', FAILED: 'fail' } as const;

const stateOf = ({ say }: AccountLook, { state }: SwapRecord, isPill = false): Html =>
  html`<span class="state ${tones[state]}${isPill && ' pill'}">${icon(tones[state])}${say(`swapState_${state}`)}</span>`;

export type SwapFacts = {
  readonly asked: SwapWishAsked;
  /** What can be given: what is available. */
  readonly wallets: readonly WalletRecord[];
  readonly wanted: readonly CatalogAsset[];
  readonly swaps: readonly SwapRecord[];
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly problem: GatewayError | null;
};

export function swapPage(look: AccountLook, facts: SwapFacts): Html {
  const { say } = look;
  const isOwn = look.signedIn?.grant('moveMoney') === 'proof';
  return accountPage(look, {
    title: say('swap'),
    crumb: balancesCrumb(look, say('swap')),
    main: html`<p class="lead">${say('swapLead')}</p>${problemNotice(look, facts.problem)}
${!isOwn ? html`<p class="notice part">${icon('info')}<span>${say('swapOthers')}</span></p>` : facts.wallets.length === 0 ? html`<div class="empty">${icon('swap')}<p>${say('swapNothing')}</p>${newDepositButton(look)}</div>` : swapForm(look, facts)}
${
  facts.swaps.length > 0 &&
  html`<section class="part"><div class="part-head"><h2 id="h-swaps">${say('swapsSoFar')}</h2></div><div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-swaps"><table class="table list"><thead><tr><th scope="col">${say('swapFrom')}</th><th scope="col">${say('swapTo')}</th><th scope="col">${say('transferState')}</th><th scope="col" class="n desk">${say('entryTime')}</th></tr></thead><tbody>${facts.swaps.map((swap) => swapRow(look, swap))}</tbody></table></div>${pagerOf(look, swapPath, facts)}</section>`
}`,
  });
}

function swapForm(look: AccountLook, { asked, wallets, wanted }: SwapFacts): Html {
  const { say } = look;
  const option = (value: string, text: string, chosen: string): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  const kind = (of: SwapWishAsked['of'], text: string): Html =>
    html`<label><input type="radio" name="of" value="${of}"${asked.of === of && html` checked`}>${text}</label>`;
  return html`<form class="form part" method="get" action="${swapPath}/quote">
<div class="field"><label for="from">${say('swapFrom')}</label><span class="select"><select class="input" id="from" name="from">${wallets.map(({ assetId, assetCode, available }) => option(assetId, say('swapOption', { code: assetCode, amount: amountText(look, available, assetCode) }), asked.from))}</select></span></div>
<div class="field"><label for="to">${say('swapTo')}</label><span class="select"><select class="input" id="to" name="to">${wanted.map(({ id, assetCode, name }) => option(id, name === assetCode ? assetCode : `${assetCode}, ${name}`, asked.to))}</select></span></div>
<div class="field"><label for="amount">${say('swapAmount')}</label><input class="input mono" id="amount" name="amount" required maxlength="60" inputmode="decimal" autocomplete="off" value="${asked.amount}"></div>
<fieldset class="inline-choice"><legend>${say('swapAmountOf')}</legend><div class="seg">${kind('given', say('swapGiven'))}${kind('wanted', say('swapWanted'))}</div></fieldset>
<div class="bar"><button class="btn primary">${say('swapQuoteButton')}</button></div></form>`;
}

function swapRow(look: AccountLook, swap: SwapRecord): Html {
  const time = momentText(look, new Date(swap.timestamp));
  return html`<tr><th scope="row"><a href="${swapPath}/${swap.id}">${amountText(look, swap.sourceAmount, swap.sourceAssetCode)}</a><span class="sub">${time}</span></th><td>${amountText(look, swap.targetAmount, swap.targetAssetCode)}</td><td>${stateOf(look, swap)}</td><td class="n desk">${time}</td></tr>`;
}

export type QuoteFacts = {
  readonly asked: SwapWishAsked;
  readonly quoteId: string;
  readonly given: string;
  readonly wanted: string;
  readonly fee: string;
  readonly rate: { readonly code: string; readonly price: string; readonly currency: string };
  readonly spread: string;
  readonly validUntil: Date;
  readonly source: CatalogAsset;
  readonly availableUnits: bigint;
  readonly givenUnits: bigint;
  readonly wasOver: boolean;
};

export function quotePage(look: AccountLook, facts: QuoteFacts): Html {
  const { say, language } = look;
  const { given, wanted, source, availableUnits, givenUnits } = facts;
  const left = availableUnits - givenUnits;
  const text = (units: bigint): string => amountText(look, formatUnits(units, source.ledgerScale), source.assetCode);
  const isEnough = left >= 0n;
  return accountPage(look, {
    title: say('swapQuote'),
    crumb: balancesCrumb(look, say('swap')),
    main: html`${facts.wasOver && html`<p class="notice decide" role="status">${icon('decide')}<span>${say('swapWasOver')}</span></p>`}
<div class="work part"><div class="stack"><div class="amount two">${given} → ${wanted}</div>
<div class="minute" aria-hidden="true"></div>
<p class="lead">${say.html('swapHolds', { when: secondText(look, facts.validUntil) })}</p>
${
  isEnough
    ? html`<form class="form part" method="post" action="${swapPath}"${signing(look)}>${accountField(look)}<input type="hidden" name="quote" value="${facts.quoteId}">${orderProof(look)}<div class="bar"><button class="btn primary">${icon('finger')}${say('swapButton', { given, wanted })}</button><a class="btn quiet" href="${quotePath(facts.asked)}">${say('swapAgain')}</a></div><p class="small quiet">${say('swapSigns')}</p></form>`
    : html`<p class="notice fail" role="alert">${icon('alert')}<span>${say('swapTooLittle', { amount: text(availableUnits) })}</span></p><p><a class="btn" href="${swapPath}?${new URLSearchParams({ ...facts.asked }).toString()}">${icon('left')}${say('back')}</a></p>`
}</div>
<div class="rail">${railPart(
      say('swapQuote'),
      html`${pairRow(say('swapFrom'), given)}${pairRow(say('swapTo'), wanted, 'sum')}${pairRow(say('swapFee'), facts.fee)}${pairRow(say('swapRate'), rateText(language, facts.rate))}${pairRow(say('swapSpread'), percentText(language, facts.spread))}`,
    )}
${railPart(say('whatIsLeft'), html`${pairRow(say('leftAvailable'), text(availableUnits))}${pairRow(say('swapFrom'), lessText(given))}${pairRow(say('swapLeft', { code: source.assetCode }), isEnough ? text(left) : '–', 'sum')}`)}</div></div>`,
  });
}

/** To the second: it is about a minute. */
function secondText(look: AccountLook, moment: Date): Html {
  const timeZone = look.signedIn?.merchant ? timeZoneOf(look.signedIn.merchant.pageSettings) : 'UTC';
  const text = dateFormat(look.language, { timeStyle: 'medium', hourCycle: 'h23', timeZone }).format(moment);
  return html`<time datetime="${moment.toISOString()}">${text}</time>`;
}

export function oneSwapPage(
  deps: MoneyDeps,
  look: AccountLook,
  swap: SwapRecord,
  names: ActorNames,
  asker: string,
): Html {
  const { say, language } = look;
  const given = amountText(look, swap.sourceAmount, swap.sourceAssetCode);
  const wanted = amountText(look, swap.targetAmount, swap.targetAssetCode);
  const rate = { code: swap.sourceAssetCode, price: swap.rate, currency: swap.targetAssetCode };
  return accountPage(look, {
    title: say('swapTitle', { given, wanted }),
    crumb: html`<a href="${balancesPath}">${say('balances')}</a> <span class="quiet">/</span> <a href="${swapPath}">${say('swap')}</a>`,
    main: html`<p>${stateOf(look, swap, true)}</p><p class="lead">${say(`swapTold_${swap.state}`, { wanted })}</p>
<dl class="kv part narrow">${pairRow(say('swapFrom'), given)}${pairRow(say('swapTo'), wanted, 'sum')}${pairRow(say('swapFee'), amountText(look, swap.fee, swap.targetAssetCode))}${pairRow(say('swapRate'), rateText(language, rate))}${pairRow(say('swapSpread'), percentText(language, swap.spread))}${swap.venue !== null && pairRow(say('swapVenue'), say(swap.venue === 'treasury' ? 'swapVenue_treasury' : 'swapVenue_stellar-dex'))}${pairRow(say('swapAskedBy'), actorText(look, names, asker))}${pairRow(say('swapAskedAt'), momentText(look, new Date(swap.timestamp)))}${swap.completionTime !== null && pairRow(say('swapEndedAt'), momentText(look, new Date(swap.completionTime)))}${swap.tx !== null && pairRow(say('swapTransaction'), transactionText(deps, homeNetwork.id, swap.tx))}${swap.failure !== null && pairRow(say('swapWhy'), swap.failure)}</dl>`,
  });
}
