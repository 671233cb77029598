/** One delivery, attempt by attempt. */

import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { findDelivery } from '../../webhooks/webhook-log-store.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { agoText } from '../frame/ago-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import { deliveryState, durationText } from './deliveries-page.ts';
import { partOf, webhooksPath } from './developer-parts.ts';

export type ShownDelivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;
type Attempt = ShownDelivery['attempts'][number];

const excerptMax = 300;

/** An event carries the record that it is about: shown to those who see that elsewhere, as the API does. */
const isShown = ({ may }: AccountLook, eventType: string): boolean =>
  may(/^(TRANSFER|SWAP)_/.test(eventType) ? 'seeBalances' : 'seeCheckouts');

export function deliveryPage(look: AccountLook, delivery: ShownDelivery, now: Date): Html {
  const { say } = look;
  const { attempts } = delivery;
  const isTest = delivery.replacedBy === delivery.id;
  const last = attempts.at(-1);
  const isReplaced = delivery.replacedBy !== null && !isTest;
  const state = { ...delivery, attempts: attempts.length, isReplaced, lastStatus: last?.responseStatus ?? null };
  const facts: [string, Html | string][] = [
    [say('deliveryState'), deliveryState(look, state, now)],
    [say('deliveryTime'), momentText(look, delivery.createdAt)],
    [say('deliveryUrl'), html`<span class="mono">${delivery.url}</span>`],
    [say('deliveryAbout'), html`<span class="mono">${delivery.subject}</span>`],
    [say('deliverySignedWith'), html`<span class="mono">${delivery.apiKey}</span>`],
    [say('deliveryEventId'), html`<span class="mono">${delivery.eventId}</span>`],
  ];
  if (delivery.nextAt) facts.push([say('deliveryNext'), agoText(look, delivery.nextAt, now)]);
  const again = html`<form method="post" action="${webhooksPath}/${delivery.id}/resend">${accountField(look)}<button class="btn">${icon('refresh')}${say('resendOne')}</button></form>`;
  return accountPage(look, {
    title: delivery.eventType,
    crumb: html`<a href="${webhooksPath}">${say('menuDevelopers')}: ${say('menuWebhooks')}</a>`,
    main: html`<div class="work"><div>${partOf('attempts', say('deliveryAttempts'), attemptList(look, delivery), delivery.state !== 'PENDING' && again)}
${partOf('body', say('requestBody'), bodyOf(look, delivery))}</div>
<div class="rail"><dl class="kv">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div></div>`,
  });
}

function attemptList(look: AccountLook, delivery: ShownDelivery): Html {
  const { say } = look;
  const { attempts, failure } = delivery;
  if (attempts.length === 0)
    return html`<div class="part-body"><p>${failure ?? say('attemptNone')}</p>${delivery.state === 'PENDING' && html`<p><a class="btn" href="${webhooksPath}/${delivery.id}">${icon('refresh')}${say('lookAgain')}</a></p>`}</div>`;
  const [newest, ...older] = attempts.toReversed() as [Attempt, ...Attempt[]];
  return html`<ol class="timeline">${attemptItem(look, newest, delivery, failure)}${older.map((attempt) => attemptItem(look, attempt, delivery, null))}</ol>`;
}

function attemptItem(look: AccountLook, attempt: Attempt, { eventType }: ShownDelivery, failure: string | null): Html {
  const { say } = look;
  const { responseStatus, responseExcerpt, error } = attempt;
  const isGood = responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
  const answer = responseStatus === null ? say('deliveryNoAnswer') : String(responseStatus);
  const excerpt = isShown(look, eventType) ? (responseExcerpt ?? '').slice(0, excerptMax).trim() : '';
  return html`<li class="${isGood ? 'paid' : 'fail'}"><span class="dot">${icon(isGood ? 'check' : 'x')}</span><p class="head"><b>${say('attempt', { number: attempt.number, answer })}</b>${momentText(look, attempt.at)}</p><p class="quiet small">${durationText(look, attempt.durationMs)}${error && ` · ${error}`}${failure && ` · ${failure}`}</p>${excerpt && html`<p class="quiet small">${say('attemptAnswer')} <span class="mono">${excerpt}</span></p>`}</li>`;
}

function bodyOf(look: AccountLook, { body, eventType }: ShownDelivery): Html {
  if (!isShown(look, eventType)) return html`<div class="part-body"><p>${look.say('requestBodyHidden')}</p></div>`;
  // As numbers in it have all their digits, it is laid out and not read.
  return html`<code class="code" tabindex="0" role="region" aria-label="${look.say('requestBody')}">${laidOut(body)}</code>`;
}

/** A line for every member, without touching a character of the values. */
function laidOut(json: string): string {
  let depth = 0;
  return json.replaceAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:]/g, (token) => {
    if (token.startsWith('"')) return token;
    if (token === ':') return ': ';
    if (token === ',') return `,\n${'  '.repeat(depth)}`;
    depth += token === '{' || token === '[' ? 1 : -1;
    const line = `\n${'  '.repeat(depth)}`;
    return token === '{' || token === '[' ? `${token}${line}` : `${line}${token}`;
  });
}
