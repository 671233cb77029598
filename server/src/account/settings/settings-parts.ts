/** Parts that the pages of settings share: their frame, fields with their help, what has just happened. */
import type { GatewayError } from '../../lib/errors.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';

export const businessPath = '/account/settings/business';
export const apiPath = '/account/settings/api';
export const settlementPath = '/account/settings/settlement';
export const paymentPagePath = '/account/settings/payment-page';
export const mailsPath = '/account/settings/mails';
export const limitsPath = '/account/settings/limits';
export const policiesPath = '/account/settings/changes';
export const auditPath = '/account/settings/audit';
export const notificationsPath = '/account/settings/notifications';

/** What the last form did; null: the page was only opened. */
export const outcomes = ['saved', 'waiting', 'withdrawn'] as const;
export type Outcome = (typeof outcomes)[number] | null;

export const outcomeOf = (query: Readonly<Record<string, unknown>>): Outcome =>
  outcomes.find((each) => each === query['did']) ?? null;

/** What a form was sent with, where it was refused: nothing has to be typed twice. */
export type SettingsFacts = {
  readonly merchant: Merchant;
  readonly outcome: Outcome;
  readonly error: GatewayError | null;
  readonly form: URLSearchParams | null;
};

export const settingsPage = (
  look: AccountLook,
  { name, main, facts }: { readonly name: AccountTextKey; readonly main: Html; readonly facts: Outcomes },
): Html =>
  accountPage(look, {
    title: look.say('menuSettings'),
    documentTitle: `${look.say(name)} · ${look.say('menuSettings')}`,
    main: html`${problemNotice(look, facts.error)}${outcomeNotice(look, facts.outcome)}${main}`,
  });

type Outcomes = Pick<SettingsFacts, 'outcome' | 'error'>;

const outcomeNotice = ({ say }: AccountLook, outcome: Outcome): Html | false =>
  outcome !== null &&
  html`<p class="notice ${outcome === 'waiting' ? 'wait' : 'paid'}" role="status">${icon(outcome === 'waiting' ? 'wait' : 'check')}<span>${say(`settings_${outcome}`)}</span></p>`;

export const formOf = (look: AccountLook, action: string, body: HtmlValue, button: string): Html =>
  html`<form class="form part-body" method="post" action="${action}"${proving(look)}>${accountField(look)}
${body}
${proofField(look)}
<div class="bar"><button class="btn primary">${button}</button></div></form>`;

type FieldFacts = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly help?: HtmlValue;
  /** What the number counts. */
  readonly unit?: string;
  readonly attributes?: Html;
};

export const textField = ({ name, label, value, help, unit, attributes }: FieldFacts): Html => {
  const input = html`<input class="input" id="${name}" name="${name}" value="${value}" autocomplete="off"${help && html` aria-describedby="${name}-help"`}${attributes && html` ${attributes}`}>`;
  return fieldOf(
    name,
    label,
    unit === undefined ? input : html`<div class="with-unit">${input}<span>${unit}</span></div>`,
    help,
  );
};

export const fieldOf = (name: string, label: string, control: Html, help: HtmlValue = false): Html =>
  html`<div class="field"><label for="${name}">${label}</label>${control}${help && html`<p class="help" id="${name}-help">${help}</p>`}</div>`;

export const selectField = (
  { name, label, value, help, attributes }: FieldFacts,
  options: readonly (readonly [value: string, text: string])[],
): Html =>
  fieldOf(
    name,
    label,
    html`<span class="select"><select class="input" id="${name}" name="${name}"${help && html` aria-describedby="${name}-help"`}${attributes && html` ${attributes}`}>${options.map(([each, text]) => html`<option value="${each}"${each === value && html` selected`}>${text}</option>`)}</select></span>`,
    help,
  );

export const choiceOf = (
  name: string,
  value: string,
  {
    isChecked,
    title,
    means,
    kind = 'radio',
  }: { isChecked: boolean; title: string; means: string; kind?: 'radio' | 'checkbox' },
): Html =>
  html`<label class="choice"><input type="${kind}" name="${name}" value="${value}"${isChecked && html` checked`}><b>${title}</b><span>${means}</span></label>`;

/** Asks once more before something stops working for others: the same form, with what it does in words. */
export const surePage = (
  look: AccountLook,
  asked: {
    readonly title: string;
    readonly warning: string;
    readonly action: string;
    readonly back: string;
    readonly button: string;
    readonly form: URLSearchParams;
  },
): Html => {
  const kept = [...asked.form].filter(
    ([name]) => !['account', 'proof', 'code', 'current-password', 'sure'].includes(name),
  );
  return accountPage(look, {
    title: asked.title,
    main: html`<p class="notice decide" role="alert">${icon('alert')}<span>${asked.warning}</span></p>
<form class="form part-body" method="post" action="${asked.action}"${proving(look)}>${accountField(look)}${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<input type="hidden" name="sure" value="yes">
${proofField(look)}
<div class="bar"><button class="btn primary">${asked.button}</button><a class="btn" href="${asked.back}">${look.say('cancel')}</a></div></form>`,
  });
};

/** As people of this language type numbers. */
export const numberOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').trim().replace(',', '.');
