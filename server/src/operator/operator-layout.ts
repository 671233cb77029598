/** The frame of every page of the operator's area: a dark column, so that nobody takes it for the account of a shop. */
import {
  accountDocument,
  findLink,
  newsMarks,
  ownMenu,
  type PageNews,
  problemNotice,
  problemPage,
  waitingMark,
} from '../account/frame/account-layout.ts';
import { keyRowsWith, overlaysFor } from '../account/frame/account-overlays.ts';
import type { GatewayError } from '../lib/errors.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { OperatorLook } from './operator-look.ts';
import { operatorMenuFor } from './operator-menu.ts';

export type OperatorContent = {
  readonly title: string;
  /** In place of the title, where the heading is more than a name. */
  readonly heading?: Html;
  readonly main: Html;
  /** Below the title, in a sentence. */
  readonly lead?: HtmlValue;
  /** Beside the title: what can be done here. */
  readonly actions?: HtmlValue;
  /** Above the title: where this belongs. */
  readonly crumb?: HtmlValue;
  /** Left out: nothing here changes by itself. */
  readonly news?: PageNews;
};

export function operatorPage(look: OperatorLook, content: OperatorContent): Html {
  const { title, heading, lead, actions, crumb, main, news } = content;
  const pages = operatorMenuFor(look);
  return accountDocument(
    look,
    `${title} · Operator`,
    html`<div class="app operator"${swappable(look)}>
${look.isSandbox && html`<aside class="sandbox">${look.say('sandboxBar')}</aside>`}
<nav class="side" id="menu" popover aria-label="Operator">
<a class="who" href="/operator"><span class="qmark">${icon('quittance')}</span><span>Quittance<small>Operator</small></span></a>
${pages.map(({ path, isHere, text, key, icon: sign }) => html`<a href="${path}" data-go="${key}"${isHere && html` aria-current="page"`}>${icon(sign)}${text}${path === needsPath && waitingMark(look)}</a>`)}
${look.signedIn?.merchant && html`<a class="gap" href="/account">${icon('out')}My account</a>`}
</nav>
<header class="top">
<button class="btn quiet icon burger" type="button" popovertarget="menu" aria-label="${look.say('menu')}">${icon('menu')}</button>
${findLink(look, houseSearchPath, findLabel)}
${ownMenu(look)}
</header>
<main id="main" tabindex="-1"${news && newsMarks(look, news)}><div class="in-main">
<div class="page-head">${crumb && html`<p class="crumb">${crumb}</p>`}<div>${heading ?? html`<h1>${title}</h1>`}${lead && html`<p>${lead}</p>`}</div>${actions && html`<div class="bar">${actions}</div>`}</div>
${main}
</div></main>
</div>
${look.signedIn && overlaysFor(look, { path: houseSearchPath, label: findLabel }, operatorKeys(look))}`,
  );
}

const operatorKeys = (look: OperatorLook): Html =>
  keyRowsWith(
    look,
    [],
    operatorMenuFor(look).map(({ text, key }) => [text, key] as const),
  );

export const houseSearchPath = '/operator/search';
export const findLabel = 'Merchant, order, transaction, address';
export const needsPath = '/operator/needs-you';

/** For whom this page is: the script puts another one in its place only if that is for the same person and role. */
const swappable = ({ signedIn, isAnswer, hasKeys }: OperatorLook): Html | false =>
  signedIn !== null &&
  !isAnswer &&
  html` data-for="${['operator', signedIn.person.id, signedIn.staffRole].join(' ')}"${!hasKeys && html` data-keys="off"`}`;

/** Whoever is not of the staff sees what everybody sees who follows a wrong link. */
export const operatorProblem = (look: OperatorLook, error: GatewayError): Html =>
  look.signedIn?.staffRole && look.signedIn.standing === 'in'
    ? operatorPage(look, {
        title: look.say('didNotWork'),
        main: html`${problemNotice(look, error)}
<p><a class="btn" href="/operator">${icon('left')}${look.say('back')}</a></p>`,
      })
    : problemPage(look, error);
