/** What the shop's server was told: deliveries by their state, sending again, a test event, the secret that signs. */
import type { ListedKey } from '../../merchants/api-key-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { numberFormat } from '../../web/intl-formats.ts';
import type { DeliveryFilter, ListedDelivery } from '../../webhooks/delivery-list-store.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { agoText } from '../frame/ago-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { developerPage, keysPath, pagerOf, partOf, webhooksPath } from './developer-parts.ts';
import { keyLabel } from './keys-page.ts';

/** From here on nobody needs the exact number, and to count on would take time. */
export const countMax = 1_000;

/** What was given up how long ago is sent again. */
export const resendPeriods = { all: null, week: 7 * 24, day: 24 } as const;

export type DeliveriesFacts = {
  readonly deliveries: readonly ListedDelivery[];
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly filter: DeliveryFilter;
  readonly counts: { readonly failed: number; readonly waiting: number };
  readonly keys: readonly ListedKey[];
  /** Where the newest event went. */
  readonly url: string | undefined;
  readonly formerSecretUntil: Date | null;
  /** How many were sent again a moment ago; null: nobody asked. */
  readonly resent: number | null;
  readonly now: Date;
};

export const deliveriesPage = (look: AccountLook, facts: DeliveriesFacts): Html => {
  const { say } = look;
  const { filter, counts, resent } = facts;
  const isNew = facts.deliveries.length === 0 && filter === 'all' && facts.isFirst;
  return developerPage(look, {
    name: 'menuWebhooks',
    main: html`${resent !== null && html`<p class="notice paid" role="status">${icon('check')}<span>${resent === 0 ? say('resentNone') : say('resent', { count: resent })}</span></p>`}
${
  isNew
    ? html`<div class="empty">${icon('hook')}<p>${say('webhooksEmpty')}</p><a class="btn primary" href="#url">${say('testSend')}</a></div>`
    : partOf(
        'deliveries',
        say('webhooks'),
        html`<div class="filters"><nav class="seg" aria-label="${say('filters')}">${filterLink(look, 'all', filter, '')}${filterLink(look, 'failed', filter, countText(look, counts.failed))}${filterLink(look, 'waiting', filter, countText(look, counts.waiting))}</nav>${facts.url !== undefined && html`<span class="push small quiet mono desk">${facts.url}</span>`}</div>${deliveryList(look, facts)}`,
        counts.failed > 0 && resendForm(look, counts.failed),
      )
}
${partOf('test', say('testTitle'), html`<div class="part-body"><p>${say('testText')}</p>${testForm(look, facts)}</div>`)}
${look.may('chargeKeys') && partOf('secret', say('secretTitle'), secretForm(look, facts.formerSecretUntil, facts.now))}`,
  });
};

const countText = ({ language }: AccountLook, count: number): string =>
  `${numberFormat(language, {}).format(count)}${count >= countMax ? '+' : ''}`;

const filterLink = ({ say }: AccountLook, filter: DeliveryFilter, chosen: DeliveryFilter, count: string): Html =>
  html`<a href="${webhooksPath}${filter !== 'all' && `?state=${filter}`}"${filter === chosen && html` aria-current="true"`}>${say(`filter_${filter}`, { count })}</a>`;

const resendForm = (look: AccountLook, count: number): Html => {
  const { say } = look;
  const text = count >= countMax ? say('resendFailedMany') : say('resendFailed', { count });
  return html`<form class="resend" method="post" action="${webhooksPath}/resend">${accountField(look)}<label class="unseen" for="since">${say('resendSince')}</label><span class="select"><select class="input" id="since" name="since">${(
    Object.keys(resendPeriods) as (keyof typeof resendPeriods)[]
  ).map(
    (period) => html`<option value="${period}">${say(`since_${period}`)}</option>`,
  )}</select></span><button class="btn">${icon('refresh')}${text}</button></form>`;
};

function deliveryList(look: AccountLook, facts: DeliveriesFacts): Html {
  const { say } = look;
  const { deliveries, filter } = facts;
  if (deliveries.length === 0)
    return html`<div class="empty">${icon('check')}<p>${say(filter === 'waiting' ? 'webhooksNoneWaiting' : 'webhooksNoneFailed')}</p></div>`;
  const rest = filter === 'all' ? '' : `state=${filter}`;
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-deliveries"><table class="table list"><thead><tr><th scope="col">${say('deliveryEvent')}</th><th scope="col">${say('deliveryState')}</th><th scope="col" class="desk">${say('deliveryAbout')}</th><th scope="col" class="n desk">${say('deliveryAttempts')}</th><th scope="col" class="n desk roomy">${say('deliveryTook')}</th><th scope="col" class="n desk">${say('deliveryTime')}</th></tr></thead><tbody>${deliveries.map((each) => deliveryRow(look, each, facts.now))}</tbody></table></div>${pagerOf(look, webhooksPath, { next: facts.next, isFirst: facts.isFirst, rest })}`;
}

const deliveryRow = (look: AccountLook, delivery: ListedDelivery, now: Date): Html =>
  html`<tr><th scope="row"><div><a class="mono" href="${webhooksPath}/${delivery.id}">${delivery.eventType}</a></div><span class="sub">${momentText(look, delivery.createdAt)}</span></th><td class="wrap">${deliveryState(look, delivery, now)}</td><td class="mono desk">${delivery.subject}</td><td class="n desk">${delivery.attempts}</td><td class="n desk roomy">${delivery.lastDurationMs !== null && durationText(look, delivery.lastDurationMs)}</td><td class="n quiet desk">${momentText(look, delivery.createdAt)}</td></tr>`;

export const durationText = ({ language }: AccountLook, ms: number): string =>
  ms < 1_000
    ? numberFormat(language, { style: 'unit', unit: 'millisecond' }).format(ms)
    : numberFormat(language, { style: 'unit', unit: 'second', maximumFractionDigits: 1 }).format(ms / 1_000);

type Stateful = Pick<ListedDelivery, 'eventType' | 'state' | 'attempts' | 'nextAt' | 'isReplaced' | 'lastStatus'>;

/** The state with its shape and a word. */
export function deliveryState(look: AccountLook, delivery: Stateful, now: Date): Html {
  const { say } = look;
  const { state, attempts, nextAt, lastStatus } = delivery;
  const status = lastStatus === null ? say('deliveryNoAnswer') : String(lastStatus);
  if (state === 'DELIVERED') return html`<span class="state paid">${icon('paid')}${status}</span>`;
  if (state === 'SUPERSEDED') return html`<span class="state">${icon('none')}${say('deliverySuperseded')}</span>`;
  if (state === 'FAILED') {
    if (delivery.isReplaced)
      return html`<span class="state">${icon('none')}${say('deliveryReplaced', { status })}</span>`;
    // Nobody waits for a test, so nothing was given up, and it is not among what is sent again.
    const text = delivery.eventType === 'TEST' ? status : say('deliveryGivenUp', { status });
    return html`<span class="state fail">${icon('fail')}${text}</span>`;
  }
  const isNext = attempts > 0 && nextAt !== null;
  const text = isNext ? say.html('deliveryNextIn', { time: agoText(look, nextAt, now) }) : say('deliveryOnItsWay');
  return html`<span class="state wait">${icon('wait')}<span>${text}</span></span>`;
}

const testForm = (look: AccountLook, { keys, url }: DeliveriesFacts): Html => {
  const { say } = look;
  if (keys.length === 0)
    return html`<p>${say('testNoKeys')} ${look.may('chargeKeys') && html`<a href="${keysPath}/new">${say('keyNew')}</a>`}</p>`;
  return html`<form class="form" method="post" action="${webhooksPath}/test">${accountField(look)}
<div class="field"><label for="url">${say('testUrl')}</label><input class="input mono" id="url" name="url" type="url" required maxlength="2000" placeholder="https://" value="${url ?? ''}"></div>
<div class="field"><label for="key">${say('testKey')}</label><span class="select"><select class="input" id="key" name="key">${keys.map(
    (key) => html`<option value="${key.apiKey}">${keyLabel(look, key)} (${key.apiKey})</option>`,
  )}</select></span></div>
<button class="btn">${icon('send')}${say('testSend')}</button></form>`;
};

const secretForm = (look: AccountLook, until: Date | null, now: Date): Html => {
  const { say } = look;
  const isOverlapping = until !== null && until > now;
  return html`<div class="part-body"><p>${say('secretText')}</p>
${isOverlapping && html`<p class="notice wait">${icon('info')}<span>${say.html('secretFormerUntil', { until: momentText(look, until) })}</span></p>`}
<form class="form" method="post" action="${webhooksPath}/secret"${proving(look)}>${accountField(look)}<label class="check"><input type="checkbox" name="at-once" value="yes"><span>${say('rotateAtOnce')}</span></label>${proofField(look)}<button class="btn">${icon('refresh')}${say('secretRotate')}</button></form></div>`;
};
