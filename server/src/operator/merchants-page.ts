/** The accounts of the house: who they are, what they took today, who asks for one. */
import { pagerOf } from '../account/developers/developer-parts.ts';
import { selectField, textField } from '../account/settings/settings-parts.ts';
import { knownCurrencies } from '../catalog/known-currencies.ts';
import type { ListedMerchant } from '../finding/merchant-search-store.ts';
import type { SignUp } from '../people/sign-up-store.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseMoment, part, stateMark, tableIn } from './operator-parts.ts';
import { doneNote, linkOnce, staffForm } from './staff-form.ts';

export const merchantsPath = '/operator/merchants';

export type MerchantsFacts = {
  readonly merchants: readonly ListedMerchant[];
  /** What was credited today, in words, by the id of the merchant; those with nothing are left out. */
  readonly credited: ReadonlyMap<string, string>;
  readonly signUps: readonly (SignUp & { readonly name: string })[];
  readonly search: string;
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly did: string | null;
};

const doneWords: Readonly<Record<string, string>> = {
  refused: 'The account is not opened; they are told by e-mail.',
  approved: 'The account is open; they are told by e-mail.',
};

export const merchantsPage = (look: OperatorLook, facts: MerchantsFacts): Html =>
  operatorPage(look, {
    title: 'Merchants',
    actions:
      look.staffMay('merchants') &&
      html`<a class="btn primary" href="${merchantsPath}/new">${icon('plus')}Open an account</a>`,
    main: html`${doneNote(doneWords[facts.did ?? ''] ?? null)}
${facts.signUps.length > 0 && signUpPart(look, facts)}
<form class="filters low" method="get" action="${merchantsPath}" role="search">${textField({ name: 'q', label: 'Name, id or e-mail address', value: facts.search, attributes: html`type="search" maxlength="100"` })}<button class="btn">${icon('search')}Find</button></form>
${listPart(facts)}
${pagerOf(look, merchantsPath, { ...facts, rest: facts.search && new URLSearchParams({ q: facts.search }).toString() })}`,
  });

function listPart({ merchants, credited, search }: MerchantsFacts): Html {
  const rows = merchants.map(
    (merchant) =>
      html`<tr><th scope="row"><a href="${merchantsPath}/${merchant.id}">${merchant.name}</a><span class="sub mono whole">${merchant.id}</span><span class="sub cramped">since ${houseMoment(merchant.createdAt)}</span></th><td>${stateOf(merchant)}</td><td class="n">${credited.get(merchant.id) ?? '–'}</td><td class="n desk roomy">${houseMoment(merchant.createdAt)}</td></tr>`,
  );
  const head = html`<th scope="col">Merchant</th><th scope="col">State</th><th scope="col" class="n">Credited today</th><th scope="col" class="n desk roomy">Since</th>`;
  const none = search === '' ? 'Accounts that you open are listed here.' : 'No account fits that.';
  return part(
    'merchants',
    'Accounts',
    rows.length === 0 ? emptyPart(none) : tableIn('merchants', head, rows, 'list names'),
  );
}

export const stateOf = ({ suspendedAt, owners }: Pick<ListedMerchant, 'suspendedAt' | 'owners'>): Html =>
  suspendedAt
    ? stateMark('fail', 'suspended')
    : owners === 0
      ? stateMark('wait', 'nobody owns it yet')
      : stateMark('paid', 'open');

function signUpPart(look: OperatorLook, { signUps }: MerchantsFacts): Html {
  const items = signUps.map(
    ({ id, business, email, name, askedAt }) =>
      html`<li class="decide">${icon('decide')}<div><b>${business}</b><p>${name}${look.staffMay('lookAtMerchants') && `, ${email}`} · ${houseMoment(askedAt)}</p><p class="small quiet">The address is proven, the name of the business is not.</p></div>${look.staffMay('merchants') && html`<div class="bar">${staffForm(look, { action: `/operator/sign-ups/${id}/approve`, button: html`Open<span class="unseen"> ${business}</span>`, isSmall: true })}${staffForm(look, { action: `/operator/sign-ups/${id}/refuse`, button: html`Refuse<span class="unseen"> ${business}</span>`, isSmall: true })}</div>`}</li>`,
  );
  return part('sign-ups', 'Ask for an account', html`<ul class="asks">${items}</ul>`);
}

export const newMerchantPage = (look: OperatorLook, form: URLSearchParams, problem: Html | false): Html => {
  const given = (name: string): string => form.get(name) ?? '';
  const currencies = knownCurrencies
    .filter(({ isBilled }) => isBilled)
    .map(({ code, name }) => [code, `${code} · ${name}`] as const);
  return operatorPage(look, {
    title: 'Open an account',
    crumb: html`<a href="${merchantsPath}">Merchants</a>`,
    main: html`${problem}${staffForm(look, {
      action: merchantsPath,
      kind: 'primary',
      button: 'Open the account',
      body: html`${textField({ name: 'name', label: 'Name of the business', value: given('name'), help: 'What customers see. Its owner can change it.', attributes: html`required maxlength="100"` })}
${textField({ name: 'email', label: 'E-mail address of its owner', value: given('email'), help: look.sendsEmail ? 'They get a link by e-mail, good for seven days.' : 'You get a link to pass on, good for seven days.', attributes: html`type="email" required maxlength="254"` })}
${selectField({ name: 'currency', label: 'Account currency', value: given('currency') || 'USD' }, currencies)}`,
    })}`,
  });
};

/** The link of an invitation, which is shown once. */
export const invitedOwnerPage = (
  look: OperatorLook,
  { email, url, back }: { email: string; url: string; back: string },
): Html =>
  operatorPage(look, {
    title: `A link for ${email}`,
    main: html`<p>It works once, for seven days, and is not shown again; for an account that has keys or a balance, a day from now. Pass it on as you would pass on a key.</p>
${linkOnce(look, url)}
<p><a class="btn" href="${back}">${icon('left')}Done</a></p>`,
  });
