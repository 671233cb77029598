/** The operator's *Needs you*: everything that waits for somebody of the staff who may do something about it. */
import type { PageNews } from '../account/frame/account-layout.ts';
import type { HouseNeed } from '../finding/house-needs.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { needItem, type WordDeps } from './need-sentences.ts';
import { needsPath, operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';

export type StaffNeedsFacts = { readonly needs: readonly HouseNeed[]; readonly news: PageNews };

const shownMax = 200;

export const staffNeedsPage = (deps: WordDeps, look: OperatorLook, { needs, news }: StaffNeedsFacts): Html =>
  operatorPage(look, {
    title: 'Needs you',
    actions: html`<a class="btn quiet" href="${needsPath}/notifications">${icon('mail')}Be told by e-mail</a>`,
    news,
    main:
      needs.length === 0
        ? html`<p class="lead">Nothing waits for you. What networks, jobs, books and mail cannot settle by themselves would be here.</p>`
        : html`<ul class="asks" data-parts>${needs.slice(0, shownMax).map((need) => needItem(deps, look, need))}</ul>
<div class="older"><span>${needs.length > shownMax ? `The worst ${shownMax} of ${needs.length}.` : 'That is all.'}</span></div>`,
  });
