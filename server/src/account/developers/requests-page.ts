/** Requests that failed, with the sentence that was answered. */
import type { FailedRequest } from '../../merchants/failed-request-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { developerPage, pagerOf, partOf, requestsPath, tryItPath } from './developer-parts.ts';

export type RequestsFacts = {
  readonly requests: readonly FailedRequest[];
  readonly next: string | null;
  readonly isFirst: boolean;
  /** Of the account's keys, by their ids. */
  readonly keyNames: ReadonlyMap<string, string>;
};

export const requestsPage = (look: AccountLook, facts: RequestsFacts): Html => {
  const { say } = look;
  const { requests, isFirst, next } = facts;
  return developerPage(look, {
    name: 'menuRequests',
    main:
      requests.length === 0 && isFirst
        ? html`<div class="empty">${icon('check')}<p>${say('requestsEmpty')}</p><a class="btn" href="${tryItPath}">${say('menuTryIt')}</a></div>`
        : partOf(
            'requests',
            say('requests'),
            html`<p class="lead">${say('requestsLead')}</p><div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-requests"><table class="table list"><thead><tr><th scope="col">${say('requestWhat')}</th><th scope="col">${say('requestStatus')}</th><th scope="col" class="desk">${say('requestAnswer')}</th><th scope="col" class="desk roomy">${say('keyId')}</th><th scope="col" class="n desk">${say('requestTime')}</th></tr></thead><tbody>${requests.map((request) => requestRow(look, request, facts))}</tbody></table></div>${pagerOf(look, requestsPath, { next, isFirst })}`,
          ),
  });
};

function requestRow(look: AccountLook, request: FailedRequest, { keyNames }: RequestsFacts): Html {
  const { method, path, status, sentence, apiKey, requestId, createdAt } = request;
  const isOurs = status >= 500;
  const key = keyNames.get(apiKey) ?? html`<span class="mono">${apiKey}</span>`;
  return html`<tr><th scope="row" class="wrap"><span class="mono">${method} ${path.replace(/^\/api\/v1/i, '')}</span><span class="sub">${sentence}<br>${momentText(look, createdAt)}</span></th><td><span class="state ${isOurs ? 'decide' : 'fail'}">${icon(isOurs ? 'decide' : 'fail')}${status}</span></td><td class="wrap desk">${sentence}<br><span class="quiet small">${look.say('requestId')} <span class="mono">${requestId}</span></span><span class="sub cramped">${key}</span></td><td class="desk roomy">${key}</td><td class="n quiet desk">${momentText(look, createdAt)}</td></tr>`;
}
