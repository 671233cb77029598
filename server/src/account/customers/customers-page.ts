/** Customers: the list with its search; one with fields, checkouts and papers. */
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import { standingSettlement } from '../../checkouts/checkout-facts.ts';
import { customerFieldNames } from '../../counterparties/customer-fields.ts';
import type { Customer, DeletedCustomer } from '../../counterparties/customer-store.ts';
import type { MailAddress } from '../../counterparties/mail-address-store.ts';
import { isMailFailure } from '../../counterparties/mail-failure.ts';
import type { GatewayError } from '../../lib/errors.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { countryText } from '../../web/intl-formats.ts';
import { paperPath } from '../../web/paper-path.ts';
import {
  checkoutPrice,
  customerName,
  orderOf,
  sentenceOf,
  shortMoment,
  stateMark,
} from '../checkouts/checkout-words.ts';
import { newLinkButton } from '../checkouts/payment-link-page.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import { exportButton } from '../exports/list-reply.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { doneNotice } from '../frame/money-words.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { papersPath } from './paper-list-filter.ts';

export const customersPath = '/account/customers';

export type CustomersFacts = {
  readonly customers: readonly Customer[];
  readonly next: string | null;
  readonly isFirst: boolean;
  /** Empty: all. */
  readonly search: string;
  readonly isCut: boolean;
  readonly isDeletedNow: boolean;
  /** Of whom something is still known, oldest first. */
  readonly deleted: readonly DeletedCustomer[];
};

export function customersPage(look: AccountLook, facts: CustomersFacts): Html {
  const { say } = look;
  const { customers, search } = facts;
  const isNobody = customers.length === 0 && search === '' && facts.isFirst;
  return accountPage(look, {
    title: say('customers'),
    actions:
      customers.length > 0 &&
      exportButton(look, `${customersPath}/export${search && `?${new URLSearchParams({ search }).toString()}`}`),
    main: html`${facts.isDeletedNow && doneNotice(say('customerDid_deleted'))}
${
  isNobody
    ? html`<div class="empty">${icon('users')}<p>${say('noCustomers')}</p>${newLinkButton(look)}</div>`
    : html`<form class="filters" method="get" action="${customersPath}" role="search"><label class="unseen" for="search">${say('customerSearch')}</label><input class="input searching" id="search" name="search" type="search" maxlength="200" value="${search}" placeholder="${say('customerSearch')}"><button class="btn">${icon('search')}${say('customerSearchButton')}</button>${search !== '' && html`<a class="btn quiet" href="${customersPath}">${say('allCustomers')}</a>`}</form>
${customers.length === 0 ? html`<p class="lead">${say('noCustomerFits')}</p>` : table(look, facts)}`
}
${pagerOf(look, customersPath, facts)}${facts.deleted.length > 0 && deletedPart(look, facts.deleted)}`,
  });
}

const deletedPart = (look: AccountLook, deleted: readonly DeletedCustomer[]): Html =>
  html`<section class="part"><div class="part-head"><h2>${look.say('customersToErase')}</h2></div><dl class="kv">${deleted.map(({ id, deletedAt }) => html`<div><dt><a class="mono" href="${customersPath}/${id}">${id}</a></dt><dd>${momentText(look, deletedAt)}</dd></div>`)}</dl></section>`;

function table(look: AccountLook, { customers, search, isCut }: CustomersFacts): Html {
  const { say, now } = look;
  const count = customers.length;
  const row = (customer: Customer): Html =>
    html`<tr><th scope="row"><a href="${customersPath}/${customer.id}">${customerName(customer)}</a><span class="sub cramped">${customer.email}</span></th><td class="desk roomy wrap breaks">${customer.email}</td><td class="desk wrap">${[customer.fields.zip, customer.fields.city].filter(Boolean).join(' ')}</td><td class="desk">${countryName(look, customer)}</td><td class="n">${shortMoment(look, customer.createdAt, now)}</td></tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('customers')}"><table class="table list names"><thead><tr><th scope="col">${say('customerName')}</th><th scope="col" class="desk roomy">${say('email')}</th><th scope="col" class="desk">${say('field_city')}</th><th scope="col" class="desk">${say('customerCountry')}</th><th scope="col" class="n">${say('customerSince')}</th></tr></thead><tbody>${customers.map(row)}</tbody></table></div>
<p class="small quiet older">${search === '' ? say('shownCustomers', { count }) : say('foundCustomers', { count })} ${isCut && say('foundMany')}</p>`;
}

function countryName({ language }: AccountLook, { fields: { countrycode } }: Customer): string {
  if (countrycode === undefined) return '';
  return countryText(language, countrycode);
}

/** What was typed, where it could not be stored. */
export type TypedCustomer = { readonly typed: URLSearchParams; readonly problem: GatewayError } | null;

export type OneCustomerFacts = {
  readonly customer: Customer;
  readonly checkouts: readonly CheckoutDossier[];
  readonly hasMore: boolean;
  /** Where papers are shown. */
  readonly origin: string;
  /** Whether mails about orders reach them. */
  readonly mails: MailAddress;
  readonly isSavedNow: boolean;
  readonly refused: TypedCustomer;
};

export function oneCustomerPage(look: AccountLook, facts: OneCustomerFacts): Html {
  const { say } = look;
  const { customer, refused } = facts;
  return accountPage(look, {
    title: customerName(customer),
    crumb: html`<a href="${customersPath}">${say('customers')}</a> <span class="quiet">/ ${customer.email}</span>`,
    main: html`${facts.isSavedNow && doneNotice(say('customerDid_saved'))}${refused && problemNotice(look, refused.problem)}
<div class="work"><div>${checkoutsPart(look, facts)}
${mailsPart(look, facts)}${look.may('changeCustomers') && deleteForm(look, customer)}</div>
<div class="rail"><section class="part"><div class="part-head"><h2>${say('customerFields')}</h2></div>${look.may('changeCustomers') ? fieldsForm(look, customer, refused) : fieldsList(look, customer)}</section></div></div>`,
  });
}

const deleteForm = (look: AccountLook, { id }: Customer): Html =>
  html`<section class="part"><form class="form close" method="post" action="${customersPath}/${id}/delete"${proving(look)}>${accountField(look)}${proofField(look)}<div class="bar"><button class="btn danger">${look.say('deleteCustomer')}</button></div><p class="help">${look.say('deleteCustomerMeans')}</p></form></section>`;

/** Only where there is something to say: most people get what is written to them. */
function mailsPart(look: AccountLook, { customer, mails }: OneCustomerFacts): Html | false {
  const { say } = look;
  const { stoppedAt, failedAt, failure } = mails;
  if (stoppedAt === null && failedAt === null) return false;
  const reason = say(`mailFailure_${failure !== null && isMailFailure(failure) ? failure : 'other'}`);
  return html`<section class="part"><div class="part-head"><h2>${say('customerMails')}</h2></div><div class="part-body">
${stoppedAt !== null && html`<p>${say('customerMailsStopped')} <span class="quiet">${momentText(look, stoppedAt)}</span></p>`}
${failedAt !== null && html`<p class="notice fail">${icon('alert')}<span>${say('customerMailsFail', { reason })} <span class="quiet">${momentText(look, failedAt)}</span></span></p>${look.may('changeCustomers') && html`<form method="post" action="${customersPath}/${customer.id}/mails"${proving(look)}>${accountField(look)}${proofField(look)}<button class="btn">${say('customerMailsAgain')}</button></form>`}`}</div></section>`;
}

const factRows = (look: AccountLook, { id, createdAt }: Customer): Html =>
  html`<div><dt>${look.say('customerId')}</dt><dd class="mono">${id}</dd></div><div><dt>${look.say('customerSince')}</dt><dd>${momentText(look, createdAt)}</dd></div>`;

function fieldsList(look: AccountLook, customer: Customer): Html {
  const { say } = look;
  const known = customerFieldNames.filter((name) => customer.fields[name] !== undefined);
  return html`<dl class="kv"><div><dt>${say('field_email')}</dt><dd>${customer.email}</dd></div>${known.map((name) => html`<div><dt>${say(`field_${name}`)}</dt><dd>${customer.fields[name] ?? ''}</dd></div>`)}${factRows(look, customer)}</dl>`;
}

function fieldsForm(look: AccountLook, customer: Customer, refused: TypedCustomer): Html {
  const { say } = look;
  const value = (name: 'email' | (typeof customerFieldNames)[number]): string =>
    refused?.typed.get(name) ?? (name === 'email' ? customer.email : (customer.fields[name] ?? ''));
  const field = (name: 'email' | (typeof customerFieldNames)[number]): Html =>
    html`<div class="field"><label for="${name}">${say(`field_${name}`)}</label><input class="input" id="${name}" name="${name}" maxlength="${name === 'countrycode' ? 2 : 254}" autocomplete="off"${name === 'email' && html` type="email" required`} value="${value(name)}"></div>`;
  return html`<form class="form close" method="post" action="${customersPath}/${customer.id}"${proving(look)}>${accountField(look)}${field('email')}${customerFieldNames.map(field)}${proofField(look)}<div class="bar"><button class="btn primary">${say('saveCustomer')}</button></div><dl class="kv">${factRows(look, customer)}</dl></form>`;
}

function checkoutsPart(look: AccountLook, { customer, checkouts, hasMore, origin }: OneCustomerFacts): Html {
  const { say, now, language } = look;
  const row = (dossier: CheckoutDossier): Html => {
    const { checkout } = dossier;
    const isPaid = standingSettlement(dossier) !== undefined;
    const time = shortMoment(look, checkout.createdAt, now);
    // The invoice with its buyer is not for everybody who has a link: the account leads there.
    const places = {
      invoice: `/account/checkouts/${checkout.id}/invoice`,
      receipt: `${origin}${paperPath(language, { kind: 'receipt', id: checkout.id })}`,
    };
    const paper = (kind: 'invoice' | 'receipt'): Html =>
      html`<a href="${places[kind]}" target="_blank" rel="noopener noreferrer">${say(kind)}</a>`;
    return html`<tr><th scope="row"><a href="/account/checkouts/${checkout.id}">${orderOf(checkout)}</a><span class="sub">${time}</span></th><td>${stateMark(look, sentenceOf(dossier, now))}</td><td class="n">${checkoutPrice(look, checkout)}</td><td>${isPaid ? html`${paper('invoice')}${checkout.type === 'HOSTED' && html` · ${paper('receipt')}`}` : html`<span class="quiet">–</span>`}</td><td class="n desk">${time}</td></tr>`;
  };
  return html`<section><div class="part-head"><h2 id="h-checkouts">${say('customerCheckouts')}</h2><span class="more"><a href="${papersPath}?customer=${customer.id}">${say('papers')}</a>${hasMore && html` · <a href="/account/checkouts?customer=${customer.id}">${say('allTheirCheckouts')}</a>`}</span></div>
${
  checkouts.length === 0
    ? html`<p class="lead">${say('noCustomerCheckouts')}</p>`
    : html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-checkouts"><table class="table list"><thead><tr><th scope="col">${say('order')}</th><th scope="col">${say('checkoutState')}</th><th scope="col" class="n">${say('price')}</th><th scope="col">${say('customerPaper')}</th><th scope="col" class="n desk">${say('checkoutTime')}</th></tr></thead><tbody>${checkouts.map(row)}</tbody></table></div>`
}</section>`;
}
