/**
 * The frame of every page of the account: the column with what this role may open, the top line, the content. Pages that
 * come before the account (sign-in, welcome) are one sheet in the middle.
 */
import type { PageReply } from '../../http/route.ts';
import type { GatewayError } from '../../lib/errors.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { waitingMax } from '../home/need-counts.ts';
import { setUpPath, stepAt } from '../home/set-up-steps.ts';
import { helpMenu } from './account-help.ts';
import { type AccountLook, themes } from './account-look.ts';
import { actionsFor, menuFor } from './account-menu.ts';
import { overlays, searchLabel, searchPath } from './account-overlays.ts';
import { problemText } from './problem-text.ts';

/** Where a page hears that something happened, and as of when it is. */
export type PageNews = {
  readonly path: string;
  readonly version: string;
  /** Said aloud when it changes. */
  readonly announce?: string;
};

export type AccountContent = {
  readonly title: string;
  /** Of the window, where it says more than the heading. */
  readonly documentTitle?: string;
  readonly main: Html;
  /** Below the title: one quiet sentence. */
  readonly lead?: string;
  /** Beside the title: what can be done here. */
  readonly actions?: HtmlValue;
  /** Above the title: where this belongs. */
  readonly crumb?: HtmlValue;
  /** What the other pages of the area are asked with too, such as the period of reports. */
  readonly tabQuery?: string;
  /** Left out: nothing here changes by itself. */
  readonly news?: PageNews;
};

const policyFor = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'nonce-${nonce}'; img-src 'self' data:; ` +
  "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export const accountReply = (
  status: number,
  { nonce }: AccountLook,
  document: Html,
  headers: Readonly<Record<string, string>> = {},
): PageReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policyFor(nonce),
    'x-robots-tag': 'noindex, nofollow',
    ...headers,
  },
  body: document.toString(),
});

/** A page that says what was wrong, with what a program reads of it: how long to wait. */
export const problemReply = (look: AccountLook, { httpStatus, headers }: GatewayError, document: Html): PageReply =>
  accountReply(httpStatus, look, document, headers);

export function accountPage(look: AccountLook, content: AccountContent): Html {
  const areas = menuFor(look);
  const beside = areas.find(({ isHere }) => isHere)?.pages ?? [];
  return accountDocument(
    look,
    content.documentTitle ?? content.title,
    html`<div class="app"${swappable(look)}>
${look.isSandbox && html`<aside class="sandbox">${look.say('sandboxBar')}</aside>`}
<nav class="side" id="menu" popover aria-label="${look.say('account')}">
${switcher(look)}
${areas.map(({ path, isHere, text, key, icon: sign }) => html`<a href="${path}" data-go="${key}"${isHere && html` aria-current="page"`}>${icon(sign)}${look.say(text)}${text === 'menuNeedsYou' && waitingMark(look)}</a>`)}
${look.sandboxUrl !== null && html`<a class="gap" href="${look.sandboxUrl}/account">${icon('out')}${look.say('openSandbox')}</a>`}
</nav>
<header class="top">
<button class="btn quiet icon burger" type="button" popovertarget="menu" aria-label="${look.say('menu')}">${icon('menu')}</button>
${look.signedIn?.merchant ? findLink(look, searchPath, searchLabel(look)) : html`<span class="find-place"></span>`}
${helpMenu(look)}${ownMenu(look)}
</header>
<main id="main" tabindex="-1"${content.news && !look.signedIn?.isLooking && newsMarks(look, content.news)}><div class="in-main">
${lookingBar(look)}${suspendedBar(look)}${walkBar(look)}<div class="page-head">${content.crumb && html`<p class="crumb">${content.crumb}</p>`}<div><h1>${content.title}</h1>${content.lead !== undefined && html`<p>${content.lead}</p>`}</div>${content.actions && html`<div class="bar">${content.actions}</div>`}</div>
${beside.length > 1 && html`<nav class="tabs" aria-label="${look.say('inThisArea')}">${beside.map(({ path, isHere, text }) => html`<a href="${path}${content.tabQuery}"${isHere && html` aria-current="page"`}>${look.say(text)}</a>`)}</nav>`}
${content.main}
</div></main>
</div>
${overlays(look)}`,
  );
}

/** The search in the top line: the script opens the palette in its place. */
export const findLink = ({ hasKeys }: AccountLook, path: string, label: string): Html =>
  html`<a class="find" href="${path}" data-find>${icon('search')}<span>${label}</span>${hasKeys && html`<span class="key" aria-hidden="true">/</span>`}</a>`;

/** Whoever only looks always knows it, and gets out with one press. News are for people of the account. */
const lookingBar = ({ signedIn, say }: AccountLook): Html | false =>
  signedIn?.isLooking === true &&
  html`<div class="notice wait" id="looking">${icon('eye')}<span>${say('lookingBar', { name: signedIn.merchant?.name ?? '' })}</span><form method="post" action="/operator/stop-looking"><button class="btn">${say('lookingEnd')}</button></form></div>`;

function suspendedBar({ signedIn, say }: AccountLook): Html | false {
  const suspended = signedIn?.merchant?.suspended;
  return (
    !!suspended &&
    html`<p class="notice fail" id="suspended">${icon('alert')}<span>${say('suspendedBar', { why: suspended.why })}</span></p>`
  );
}

/** Where one is in the set-up, and what comes next. */
function walkBar({ isSettingUp, path, say }: AccountLook): Html | false {
  const step = isSettingUp ? stepAt(path) : undefined;
  if (step === undefined) return false;
  return html`<aside class="todo walk" id="walk" aria-label="${say('setUp')}"><span><b>${say('setUp')}:</b> ${say(`setUpTitle_${step}`)}</span>${step === 'owner' && html`<a href="/account/my-sign-in">${say('setUpCodes')}</a>`}<a href="${setUpPath}">${say('setUpAll')}</a><a class="btn" href="${setUpPath}/after/${step}">${say('setUpNext')}${icon('right')}</a></aside>`;
}

/**
 * For whom this page is: the script puts another one in its place only if that is for the same person, role and account. An
 * answer to a form says nothing, and is left and come back to as the browser does it: it may show a secret once.
 */
function swappable(look: AccountLook): Html | false {
  const { signedIn, isAnswer, hasKeys } = look;
  if (!signedIn || isAnswer) return false;
  const { person, merchant, role } = signedIn;
  const making = actionsFor(look).find(({ key }) => key === 'n');
  return html` data-for="${[person.id, merchant?.id, role].join(' ')}"${!hasKeys && html` data-keys="off"`}${making && html` data-new="${making.path}"`}`;
}

export const waitingMark = ({ waiting, say, language }: AccountLook): Html => {
  const count = waiting === null || waiting === 0 ? null : waiting > waitingMax ? `${waitingMax}+` : String(waiting);
  return html`<span id="menu-waiting">${count !== null && html`<span class="n" lang="${language}" aria-hidden="true">${count}</span><span class="unseen">, ${say('thingsOpen', { count })}</span>`}</span>`;
};

export const newsMarks = ({ signedIn }: AccountLook, { path, version, announce }: PageNews): Html =>
  html` data-news="${path}" data-version="${version}" data-account="${signedIn?.merchant?.id ?? ''}"${announce !== undefined && html` data-announce="${announce}"`}`;

/** One account: its name. Several: a list to choose from. */
function switcher({ signedIn, say, isSandbox }: AccountLook): Html {
  const mode = say(isSandbox ? 'sandbox' : 'production');
  const here = signedIn?.merchant;
  const name = html`<span class="qmark">${icon('quittance')}</span><span>${here?.name ?? 'Quittance'}<small>${mode}</small></span>`;
  const others = signedIn?.memberships.filter(({ merchantId }) => merchantId !== here?.id) ?? [];
  if (others.length === 0) return html`<a class="who" href="/account">${name}</a>`;
  return html`<details class="accounts"><summary class="who">${name}${icon('updown')}</summary>
<form method="post" action="/account/choose">${others.map(
    ({ merchantId, merchantName }) =>
      html`<button class="btn quiet wide" name="merchant" value="${merchantId}">${merchantName}</button>`,
  )}</form></details>`;
}

export function ownMenu(look: AccountLook): Html | false {
  const { signedIn, say } = look;
  if (!signedIn) return false;
  const { name, email } = signedIn.person;
  return html`<details class="own" name="top"><summary class="btn quiet icon"><span class="face" aria-hidden="true">${initials(name)}</span><span class="unseen">${say('ownMenu', { name })}</span></summary>
<div class="own-menu"><p><b>${name}</b><br><span class="quiet small">${email}</span></p>
<a class="btn quiet wide" href="/account/my-sign-in">${icon('finger')}${say('menuMySignIn')}</a>
${signedIn.staffRole !== null && html`<a class="btn quiet wide" href="/operator">${icon('server')}${say('menuOperator')}</a>`}
${themeForm(look)}
<form method="post" action="/account/sign-out"><button class="btn quiet wide">${icon('out')}${say('signOut')}</button></form></div></details>`;
}

const themeForm = ({ say, theme, path }: AccountLook): Html =>
  html`<form method="post" action="/account/theme"><input type="hidden" name="back" value="${path}"><fieldset class="themes"><legend>${say('theme')}</legend>${themes.map(
    (each) =>
      html`<button class="btn quiet small" name="theme" value="${each}" aria-pressed="${each === theme ? 'true' : 'false'}">${say(`theme_${each}`)}</button>`,
  )}</fieldset></form>`;

const initials = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => Array.from(word ?? '')[0] ?? '',
  );
  return letters.join('').toUpperCase();
};

/** One sheet in the middle, for who is not in the account yet. */
export const bareAccountPage = (look: AccountLook, { title, main }: { title: string; main: Html }): Html =>
  accountDocument(
    look,
    title,
    html`<div class="gate">
${look.isSandbox && html`<aside class="sandbox">${look.say('sandboxBar')}</aside>`}
<main id="main" tabindex="-1" class="gate-sheet">
<p class="gate-name"><span class="qmark">${icon('quittance')}</span>Quittance</p>
<h1>${title}</h1>
${main}
${askAtTheGate(look)}</main>
</div>`,
  );

/** Who cannot get in has no menu with help in it. */
const askAtTheGate = ({ say, supportContact }: AccountLook): Html | false =>
  supportContact !== null &&
  html`<p class="quiet small breaks" id="ask-operator">${say('helpAsk')}<br><a href="${supportContact.href}">${supportContact.text}</a></p>
`;

export const accountDocument = (
  { language, say, nonce, files, theme }: AccountLook,
  title: string,
  body: Html,
  furtherStylesheet?: string,
): Html =>
  html`<!doctype html>
<html lang="${language}" dir="${say('direction')}"${theme !== 'auto' && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="same-origin">
<meta name="color-scheme" content="light dark">
<title>${title} · Quittance</title>
<link rel="stylesheet" nonce="${nonce}" href="${files.stylesheet}">
${furtherStylesheet && html`<link rel="stylesheet" nonce="${nonce}" href="${furtherStylesheet}">`}
<link rel="icon" type="image/svg+xml" href="/images/icon.svg">
<script type="module" nonce="${nonce}" src="${files.script}"></script>
</head>
<body>
<a class="unseen" href="#main">${say('skip')}</a>
${body}
<p id="announce" class="unseen" role="status"></p>
<template id="passkey-failed"><p class="notice fail" role="alert">${icon('alert')}<span>${say('passkeyFailed')}</span></p></template>
</body>
</html>
`;

export const problemNotice = (look: AccountLook, error: GatewayError | null): Html | false =>
  error !== null &&
  html`<p class="notice fail" role="alert">${icon('alert')}<span>${problemText(look, error)}</span></p>`;

export const problemPage = (look: AccountLook, error: GatewayError): Html => {
  const title = look.say('didNotWork');
  const main = html`${problemNotice(look, error)}
<p><a class="btn" href="${look.signedIn ? (look.cameFrom ?? '/account') : '/account/sign-in'}">${icon('left')}${look.say('back')}</a></p>`;
  return look.signedIn?.standing === 'in' ? accountPage(look, { title, main }) : bareAccountPage(look, { title, main });
};
